"""Lists of many pages: which links of a result page lead to more of the same results."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from bonmun.scale.crawl.frontier.traps import OFFSET_NAMES, PAGE_NAMES

if TYPE_CHECKING:
    from bonmun.scale.crawl.discover.links import Link

__all__ = ["is_further_page", "is_same_search"]

PAGING = PAGE_NAMES | OFFSET_NAMES | {"p", "pn", "pi"}
NEXT_WORDS = frozenset(
    {
        *("다음", "다음 페이지", "다음페이지", "다음 10개", "끝", "맨끝", "이전", "이전 페이지", "처음"),
        *("next", "next page", "older", "older posts", "prev", "previous", "previous page", "last", "first"),
        *("次へ", "次", "次のページ", "前へ", "下一页", "下一頁", "下页", "上一页", "上一頁", "尾页", "首页"),
        *("weiter", "nächste", "nächste seite", "suivant", "page suivante", "siguiente", "próxima", "seguinte"),
        *("successivo", "volgende", "далее", "следующая", "التالي", "sonraki", "tiếp", "sau", "ถัดไป"),
    }
)
ARROWS = "<>‹›«»←→▶◀▷◁≫≪〉〈 ."
NUMBER = re.compile(r"(?:page |페이지 ?|第 ?)?\d{1,6}(?: ?(?:page|페이지|页|頁|ページ))?")
DIGITS = re.compile(r"\d+")


def is_further_page(link: Link, url: str) -> bool:
    """Whether a link of the result page at `url` leads to more of the same results, before it or after it.

    It does if it says so (`rel=next`), if only the number of a page differs, or if it is written as pagers write it,
    and only one number differs.
    """
    here = _split(url)
    if link.url.partition("://")[2].partition("/")[0] != here.host:
        return False
    if link.kind == "next":
        return True
    there = _split(link.url)
    theirs, ours = there.query, here.query
    differing = {name for name, _ in (theirs - ours) + (ours - theirs)}
    if there.path == here.path and differing:
        if differing <= PAGING:
            return True
        return len(differing) == 1 and _is_pager(link.anchor) and _has_number(theirs, differing)
    return not differing and _is_pager(link.anchor) and _counts_path(there.path, here.path)


def is_same_search(link: Link, url: str) -> bool:
    """Whether a link leads to the same search in another order, with another filter or for other words."""
    there, here = _split(link.url), _split(url)
    names = {name for name, _ in here.query} - PAGING
    same_place = (there.host, there.path) == (here.host, here.path)
    return same_place and bool(names) and names <= {name for name, _ in there.query}


class _Parts(NamedTuple):
    host: str
    path: str
    query: Counter[tuple[str, str]]


@lru_cache(maxsize=256)
def _split(url: str) -> _Parts:
    """The parts of an address in its one spelling."""
    rest, _, query = url.partition("://")[2].partition("?")
    host, _, path = rest.partition("/")
    parts = (part.partition("=") for part in query.split("&") if part)
    return _Parts(host, f"/{path}", Counter((name.lower(), value) for name, _, value in parts))


def _has_number(parameters: Counter[tuple[str, str]], names: set[str]) -> bool:
    return any(name in names and value.isdecimal() for name, value in parameters)


def _counts_path(there: str, here: str) -> bool:
    """Whether two paths differ in one number alone, which the first page may be without: `/list`, `/list/page/2`."""
    if DIGITS.sub("0", there) == DIGITS.sub("0", here):
        numbers: list[tuple[str, str]] = list(zip(DIGITS.findall(there), DIGITS.findall(here), strict=True))
        return sum(theirs != ours for theirs, ours in numbers) == 1
    head, _, number = there.rstrip("/").rpartition("/")
    return number.isdecimal() and head.removesuffix("/page") == here.rstrip("/")


def _is_pager(anchor: str) -> bool:
    """Whether a text is that of a pager: a number, a word such as "next", or an arrow."""
    text = anchor.strip(ARROWS).casefold()
    return (not text and bool(anchor)) or text in NEXT_WORDS or NUMBER.fullmatch(text) is not None
