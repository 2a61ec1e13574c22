"""Recognise pagination links on a page of search results."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from bonmun.scale.crawl.frontier.traps import OFFSET_NAMES, PAGE_NAMES

if TYPE_CHECKING:
    from bonmun.scale.crawl.discover.links import PageLink

__all__ = ["is_pager_link", "is_same_search"]

PAGE_PARAMETERS = PAGE_NAMES | OFFSET_NAMES | {"p", "pn", "pi"}
PAGER_WORDS = frozenset(
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


def is_pager_link(link: PageLink, url: str) -> bool:
    """Return whether a link on the result page at `url` leads to another page of the same results.

    That is so if the link has `rel=next` or `rel=prev`, if only page parameters differ, or if its text is that of a
    pager and exactly one number differs.
    """
    current = _split(url)
    if link.url.partition("://")[2].partition("/")[0] != current.host:
        return False
    if link.kind == "next":
        return True
    target = _split(link.url)
    differing = {name for name, _ in (target.query - current.query) + (current.query - target.query)}
    if target.path == current.path and differing:
        if differing <= PAGE_PARAMETERS:
            return True
        return len(differing) == 1 and _is_pager_text(link.anchor) and _has_number(target.query, differing)
    return not differing and _is_pager_text(link.anchor) and _differs_in_number(target.path, current.path)


def is_same_search(link: PageLink, url: str) -> bool:
    """Return whether a link leads to the same search form with another order, filter or search term."""
    target, current = _split(link.url), _split(url)
    names = {name for name, _ in current.query} - PAGE_PARAMETERS
    is_same_path = (target.host, target.path) == (current.host, current.path)
    return is_same_path and bool(names) and names <= {name for name, _ in target.query}


class _UrlParts(NamedTuple):
    host: str
    path: str
    query: Counter[tuple[str, str]]


@lru_cache(maxsize=256)
def _split(url: str) -> _UrlParts:
    """Split a normalised URL."""
    rest, _, query = url.partition("://")[2].partition("?")
    host, _, path = rest.partition("/")
    parts = (part.partition("=") for part in query.split("&") if part)
    return _UrlParts(host, f"/{path}", Counter((name.lower(), value) for name, _, value in parts))


def _has_number(parameters: Counter[tuple[str, str]], names: set[str]) -> bool:
    return any(name in names and value.isdecimal() for name, value in parameters)


def _differs_in_number(target: str, current: str) -> bool:
    """Return whether two paths differ in one number only; page 1 may have none: `/list`, `/list/page/2`."""
    if DIGITS.sub("0", target) == DIGITS.sub("0", current):
        numbers: list[tuple[str, str]] = list(zip(DIGITS.findall(target), DIGITS.findall(current), strict=True))
        return sum(one != other for one, other in numbers) == 1
    head, _, number = target.rstrip("/").rpartition("/")
    return number.isdecimal() and head.removesuffix("/page") == current.rstrip("/")


def _is_pager_text(anchor: str) -> bool:
    """Return whether an anchor is that of a pager: a number, a word such as "next", or an arrow."""
    text = anchor.strip(ARROWS).casefold()
    return (not text and bool(anchor)) or text in PAGER_WORDS or NUMBER.fullmatch(text) is not None
