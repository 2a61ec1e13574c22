"""Compare the address of a link with that of its page, to see whether only the number of the page differs."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple
from urllib.parse import unquote, urlsplit

__all__ = ["Address", "PageStep", "compare_addresses", "split_address"]

PageStep = Literal["same", "forward", "start", "back", "paged", "other", "away"]

PAGE_NAMES = frozenset(
    """page pages pageno pagenum pagenumber pageindex pageid pg pgno paged pagen pageon p pn pi pp pag pagina pagine
    seite strana strona start offset from skip first begin limitstart startat startrow startindex curpage currentpage
    nowpage cpage sayfa trang halaman curpageno frompage""".split()
)
PAGE_NAME_ENDS = ("page", "pageno", "pagenum", "pagenumber", "pageindex", "pagina", "offset")
# Endings of parameters that identify an article. Its number does not count pages.
ITEM_NAME_ENDS = (
    "id",
    "no",
    "idx",
    "seq",
    "num",
    "srl",
    "number",
    "key",
    "post",
    "article",
    "year",
    "month",
    "day",
    "date",
)
SESSION_NAMES = frozenset("s sid phpsessid jsessionid session".split())
MAX_NUMBER_DIGITS = 5  # of a page or of an offset; longer ones identify an article
OFFSET_STEP, MAX_BARE_OFFSET = 5, 100  # of offsets in a path: `-or10-`, `-s15`
BEFORE_NUMBER = re.compile(r"(?:[-_/.,~]|index|default|[-_/][a-z]{1,2})$", re.I)
MAX_P_DIGITS = 3  # of the parameter `p`, which also identifies posts
MAX_BARE_DIGITS = 2  # of a number in a path that does not say that it counts pages
NOT_IN_NAMES = re.compile(r"[^a-z]+")
PATH_PAGE = re.compile(r"(?:^|[-_/.])(?:page|pagina|pag|seite|strona|strana|p|pg|paged|sayfa|trang)[-_/=.]?$", re.I)
PATH_PAGE_NUMBER = re.compile(
    r"[-_/](?:page|pagina|seite|strona|strana|pg|paged|sayfa|trang)[-_/=.]?\d{1,5}(?:[-_/.]|$)", re.I
)
# What page 2 adds to the address of page 1: `/2`, `/page/2`, `_2.html`, `index2.html`, `list_70_2.html`, `-or10-`.
ADDED = re.compile(
    r"[-_/.~,]?(?:(?:page|pagina|pag|seite|strona|strana|paged|sayfa|trang|index|list|default|[a-z]{1,2})[-_/=.]?)?"
    r"(?:\d{1,6}[-_])?(\d{1,5})[-_/]?(?:\.[a-z]{2,5})?/?",
    re.I,
)
FIRST_PAGE = re.compile(r"/?(?:index|default)?(?:\.[A-Za-z]{2,5})?/?")
YEAR_BEFORE = re.compile(r"(?:^|[-/_.])(?:19|20)\d\d[-/_.]?(?:\d{1,2}[-/_.])?$")


class Address(NamedTuple):
    """The parts of a URL that tell pages apart."""

    host: str  # without www.
    path: str
    query: tuple[tuple[str, str], ...]


def split_address(url: str) -> Address | None:
    """Return the parts of an absolute web URL; None for any other."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host:
        return None
    host = host.removeprefix("www.") + (f":{port}" if port not in (None, 80, 443) else "")
    pairs = (pair.partition("=") for pair in parts.query.split("&") if pair)
    return Address(host, unquote(parts.path) or "/", tuple((unquote(name), value) for name, _, value in pairs))


def compare_addresses(own: Address, target: Address) -> PageStep:
    """Return how the address of a link relates to that of its page.

    "forward" and "back": a page number or offset is larger or smaller; "start": one is added, as from page 1 to 2;
    "paged": a page number, but of another list; "same": the page itself; "away": another host; "other": none of these.
    """
    if own.host != target.host:
        return "away"
    step = _compare(own, target)
    if step != "other":
        return step
    has_page = any(_is_page(name, value) for name, value in target.query)
    return "paged" if has_page or PATH_PAGE_NUMBER.search(target.path) else "other"


def _compare(own: Address, target: Address) -> PageStep:
    before, after = dict(own.query), dict(target.query)
    changed = {name: value for name, value in after.items() if before.get(name) != value}
    removed = [name for name in before if name not in after]
    if own.path != target.path and not changed:
        return _compare_paths(own.path, target.path)
    if own.path != target.path:
        shared = _common(own.path, target.path)
        rest = (own.path.removeprefix(shared), target.path.removeprefix(shared))
        if not all(FIRST_PAGE.fullmatch(path) for path in rest):  # as in `/list` and `/list/index.php?page=2`
            return "other"
    if not changed:
        return "back" if any(map(_is_page_name, removed)) else "other" if removed else "same"
    if any(not _is_page_name(name) and name.lower() not in SESSION_NAMES for name in removed):
        return "other"
    return _compare_parameters(before, changed)


def _common(own: str, target: str) -> str:
    length = next((i for i, (a, b) in enumerate(zip(own, target, strict=False)) if a != b), min(len(own), len(target)))
    return own[:length]


def _is_number(value: str) -> bool:
    return value.isdecimal() and value.isascii() and len(value) <= MAX_NUMBER_DIGITS


def _is_page_name(name: str) -> bool:
    name = NOT_IN_NAMES.sub("", name.lower())
    return name in PAGE_NAMES or name.endswith(PAGE_NAME_ENDS)


def _is_page(name: str, value: str) -> bool:
    return _is_page_name(name) and _is_number(value) and (name != "p" or len(value) <= MAX_P_DIGITS)


def _compare_parameters(before: dict[str, str], changed: dict[str, str]) -> PageStep:
    """Compare the parameters that are new or different with those of the page."""
    pages = [name for name, value in changed.items() if _is_page(name, value)]
    if pages:
        number = before.get(pages[0], "")
        if _is_number(number):
            return _compare_numbers(number, changed[pages[0]])
        return "start" if int(changed[pages[0]]) else "back"
    if len(changed) > 1:
        return "other"
    [(name, value)] = changed.items()
    number = before.get(name, "")
    (head, dot, rest), (head_before, _, rest_before) = value.rpartition("."), number.rpartition(".")
    if dot and head == head_before:  # `board=18.0` and `board=18.20`
        value, number = rest, rest_before
    elif name == "p" or NOT_IN_NAMES.sub("", name.lower()).endswith(ITEM_NAME_ENDS):
        return "other"
    return _compare_numbers(number, value)


def _compare_paths(own: str, target: str) -> PageStep:
    start = len(_common(own, target))
    while start and own[start - 1].isdigit():
        start -= 1
    end = 0
    while end < min(len(own), len(target)) - start and own[-1 - end] == target[-1 - end]:
        end += 1
    while end and own[len(own) - end].isdigit():
        end -= 1
    before, after = own[start : len(own) - end], target[start : len(target) - end]
    head = own[:start]
    if before.isdecimal() and after.isdecimal():
        is_short = max(len(before), len(after)) <= MAX_BARE_DIGITS
        is_page = PATH_PAGE.search(head) or (is_short and _can_count(head))
        return _compare_numbers(before, after) if is_page else "other"
    if FIRST_PAGE.fullmatch(before) and (added := ADDED.fullmatch(after)):
        return "start" if _is_second(head + after[: added.start(1)], int(added[1])) else "other"
    return "back" if FIRST_PAGE.fullmatch(after) and ADDED.fullmatch(before) else "other"


def _can_count(head: str) -> bool:
    """Return whether a number after `head` can be that of a page: it is not the end of a word."""
    return BEFORE_NUMBER.search(head) is not None and not YEAR_BEFORE.search(head)


def _is_second(head: str, number: int) -> bool:
    """Return whether a number after `head` can be that of the second page, or an offset."""
    if PATH_PAGE.search(head):
        return number > 0
    is_low = number == 2 or (number % OFFSET_STEP == 0 and 0 < number <= MAX_BARE_OFFSET)
    return is_low and _can_count(head)


def _compare_numbers(before: str, after: str) -> PageStep:
    if not (_is_number(before) and _is_number(after)):
        return "other"
    return "forward" if int(after) > int(before) else "back"
