"""Suggest short selectors for an element that a person has pointed at.

A selector works on a page if it selects the elements with the same role as that element, and no others. Which these
are is found without the selector: they have the same tag and the same class names, as far as the names are those of the
site and not of the page. Elements without such names are compared by their text and position.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import combinations, islice
from typing import TYPE_CHECKING, NamedTuple

from bonmun.page.parse.ancestors import list_around
from bonmun.rules.find import find_rows, mark_inside
from bonmun.rules.selectors import InvalidSelector, parse_selector

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.page import Page

__all__ = [
    "MAX_SUGGESTIONS",
    "SPEAKING_TAGS",
    "describe_element",
    "find_element",
    "list_elements",
    "list_named_selectors",
    "list_names",
    "suggest_selectors",
]

MAX_SUGGESTIONS = 6
MAX_ABOVE = 8  # elements around a block that a person can choose
MAX_INSIDE = 8  # elements in it
MAX_ANCHORS = 6  # elements above that may become the first step of a selector
MAX_NAMES = 4  # class names of an element that are tried
MAX_POSITION = 20  # of an element among its siblings that a selector may state
MAX_SHOWN_CHARS = 80
MIN_SHARE = 0.5  # share of the pages that have a class name of the site

NAME = re.compile(r"[^\W\d][\w-]{0,59}")
DIGITS = re.compile(r"\d{3}")  # post-12345
MIXED = re.compile(r"[a-zA-Z]\d+[a-zA-Z]+\d|\d[a-zA-Z]+\d+[a-zA-Z]")  # css-1x2yz3
STATES = frozenset(  # of an element, not its role
    "odd even first last active current open closed selected hidden visible show shown in fade lazyloaded".split()
)
ATTRIBUTES = ("itemprop", "rel", "role", "data-testid", "data-role")
SPEAKING_TAGS = frozenset("h1 time address article aside main header footer nav figcaption".split())
SINGLE_FIELDS = ("title", "date")  # whose first value counts


class _Candidate(NamedTuple):
    """A selector to try; the kinds are ordered, the best first."""

    text: str
    kind: int  # 0: by names, 1: an ordinary tag alone, 2: by position
    steps: int


class _Measured(NamedTuple):
    """On how many pages a selector does not work, and how many elements are wrong or missing."""

    failed: int
    wrong: int


def list_elements(page: Page, block: int, leaf: int | None = None) -> list[int]:
    """Return the elements that a person may mean by a block, the innermost first."""
    owner = page.owners[block]
    start, stop = page.starts[block], page.stops[block]
    leaves = [leaf] if leaf is not None and start <= leaf < stop else range(start, stop)
    inside: dict[int, None] = {}
    for each in islice(leaves, MAX_INSIDE):
        for row in list_around(page.parents, page.leaf_elements[each], MAX_ABOVE):
            if row == owner:
                break
            inside[row] = None
    above = list_around(page.parents, owner, MAX_ABOVE)
    return [*islice(inside, MAX_INSIDE), *(row for row in above if page.tags[row] not in ("html", "body"))]


def find_element(page: Page, block: int, leaf: int | None, field: str) -> int:
    """Return the element that a person most likely means by a block."""
    elements = list_elements(page, block, leaf)
    owner = page.owners[block]
    inside = [row for row in elements if row > owner]
    if field == "date":
        return next((row for row in inside if page.attr(row, "datetime")), inside[0] if inside else owner)
    if field == "authors" and inside:
        return inside[0]
    alone = (row for row in elements if row <= owner and _has_one_block(page, row))
    return next((row for row in alone if list_names(page, row)), owner)


def _has_one_block(page: Page, row: int) -> bool:
    inside = mark_inside(page, [row])
    return sum(inside[owner] for owner in page.owners) == 1


def describe_element(page: Page, row: int) -> str:
    """Return an element as a person knows it: `div#news.box.wide`."""
    name = "".join(f"#{each}" for each in (page.attr(row, "id") or "").split()[:1])
    names = "".join(f".{each}" for each in (page.attr(row, "class") or "").split())
    return f"{page.tags[row]}{name}{names}"[:MAX_SHOWN_CHARS]


def suggest_selectors(page: Page, row: int, others: Sequence[Page], field: str) -> list[str]:
    """Return selectors of an element, the best first; they are valid, and select the element on its own page."""
    site = _Site([page, *others])
    expected = site.find_expected(row, is_single=field in SINGLE_FIELDS)
    ending = "@datetime" if field == "date" and page.attr(row, "datetime") else ""
    found: list[tuple[_Measured, _Candidate]] = []
    for candidates in (_list_simple(page, row), _list_anchored(page, row), _list_positions(page, row)):
        for candidate in candidates:
            measured = site.measure(candidate.text, row, expected)
            if measured is not None:
                found.append((measured, candidate))
        if any(measured.failed == 0 and candidate.kind == 0 for measured, candidate in found):
            break  # longer ones are not needed
    found.sort(key=lambda each: (each[0], each[1].kind, each[1].steps, len(each[1].text)))
    return [candidate.text + ending for _, candidate in found[:MAX_SUGGESTIONS]]


class _Site:
    """Pages of a site with the names of their elements; the first is the page of the person."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self.pages = pages
        self.plain = [[frozenset(list_names(page, row)) for row in range(len(page.tags))] for page in pages]
        counts = Counter(name for page in self.plain for name in frozenset().union(*page))
        enough = max(MIN_SHARE * len(pages), min(2, len(pages)))
        self.known = {name for name, count in counts.items() if count >= enough}
        self.positions = [_count_positions(page) for page in pages]

    def find_expected(self, row: int, *, is_single: bool) -> list[set[int]]:
        """Return the elements with the role of an element, by page."""
        tag, own = self.pages[0].tags[row], self.plain[0][row]
        if not own & self.known:
            self.known |= own
        names = own & self.known
        expected = [
            [each for each, other in enumerate(page.tags) if other == tag and plain[each] & self.known == names]
            for page, plain in zip(self.pages, self.plain, strict=True)
        ]
        if is_single or not names:
            expected = [self._choose(number, rows, row, is_single=is_single) for number, rows in enumerate(expected)]
        return [set(rows) for rows in expected]

    def _choose(self, number: int, rows: list[int], row: int, *, is_single: bool) -> list[int]:
        """Return the rows that have the text of an element, or stand where it stands on its own page."""
        if number == 0:
            return [row]
        if not is_single and (found := self._find_text(number, row)):
            return [each for each in rows if each in found]
        around, position = self._list_around(0, row), self.positions[0][row]
        return [
            each
            for each in rows
            if self.positions[number][each] == position and self._list_around(number, each) == around
        ]

    def _find_text(self, number: int, row: int) -> set[int]:
        """Return the elements of the blocks that have the same text as the block of an element."""
        first, page = self.pages[0], self.pages[number]
        texts = {text for text, owner in zip(first.block_texts, first.owners, strict=True) if owner == row}
        return {owner for text, owner in zip(page.block_texts, page.owners, strict=True) if text in texts}

    def _list_around(self, number: int, row: int) -> list[tuple[str, frozenset[str]]]:
        """Return the tags and names of the elements around an element."""
        page, plain = self.pages[number], self.plain[number]
        above = list_around(page.parents, row, MAX_ANCHORS)[1:]
        return [(page.tags[each], plain[each] & self.known) for each in above]

    def measure(self, text: str, row: int, expected: list[set[int]]) -> _Measured | None:
        """Compare what a selector selects with what is expected; None if it does not select the element."""
        try:
            selector = parse_selector(text)
        except InvalidSelector:
            return None
        failed = wrong = 0
        for page, wanted in zip(self.pages, expected, strict=True):
            selected = set(find_rows(page, [selector]))
            if page is self.pages[0] and row not in selected:
                return None
            failed += selected != wanted
            wrong += len(selected ^ wanted)
        return _Measured(failed, wrong)


def _count_positions(page: Page) -> list[int]:
    """Return the position of every element among those of its parent with the same tag, from 1."""
    counts: dict[tuple[int, str], int] = defaultdict(int)
    positions: list[int] = []
    for parent, tag in zip(page.parents, page.tags, strict=True):
        counts[parent, tag] += 1
        positions.append(counts[parent, tag])
    return positions


def list_named_selectors(page: Page, row: int) -> Iterator[str]:
    """Yield selectors of an element by names, ids and speaking tags, without positions; the shorter ones first."""
    found = (each for each in (*_list_simple(page, row), *_list_anchored(page, row)) if each.kind == 0)
    yield from (candidate.text for candidate in found)


def list_names(page: Page, row: int) -> list[str]:
    """Return the id and class names of an element as selectors, without generated names and states."""
    names = [f"#{page.attr(row, 'id') or ''}", *(f".{name}" for name in (page.attr(row, "class") or "").split())]
    return [name for name in names if _is_plain(name[1:])]


def _is_plain(name: str) -> bool:
    is_generated = DIGITS.search(name) or MIXED.search(name)
    return bool(NAME.fullmatch(name)) and not is_generated and name.lower() not in STATES


def _list_compounds(page: Page, row: int) -> Iterator[str]:
    """Yield selectors of an element without its place, the shorter ones first."""
    names = list_names(page, row)[:MAX_NAMES]
    tag = page.tags[row]
    yield from names
    for name in ATTRIBUTES:
        value = page.attr(row, name) or ""
        if _is_plain(value):
            yield f"[{name}={value}]"
    if NAME.fullmatch(tag):
        yield tag
        yield from (f"{tag}{name}" for name in names)
    yield from ("".join(pair) for pair in combinations((name for name in names if name[0] == "."), 2))


def _list_simple(page: Page, row: int) -> Iterator[_Candidate]:
    """Yield selectors of one step."""
    for text in _list_compounds(page, row):
        is_plain_tag = text == page.tags[row] and text not in SPEAKING_TAGS
        yield _Candidate(text, 1 if is_plain_tag else 0, 1)


def _list_anchors(page: Page, row: int) -> Iterator[tuple[str, bool]]:
    """Yield selectors of elements around an element, and whether they are its parent."""
    for number, above in enumerate(list_around(page.parents, row, MAX_ANCHORS + 1)[1:]):
        anchors = list_names(page, above)[:MAX_NAMES]
        if page.tags[above] in SPEAKING_TAGS:
            anchors.append(page.tags[above])
        yield from ((anchor, number == 0) for anchor in anchors)


def _list_anchored(page: Page, row: int) -> Iterator[_Candidate]:
    """Yield selectors of two steps: an element around the element, then the element."""
    compounds = list(islice(_list_compounds(page, row), 2 * MAX_NAMES))
    for anchor, is_parent in _list_anchors(page, row):
        for compound in compounds:
            yield _Candidate(f"{anchor} {compound}", 0, 2)
            if is_parent:
                yield _Candidate(f"{anchor} > {compound}", 0, 2)


def _list_positions(page: Page, row: int) -> Iterator[_Candidate]:
    """Yield selectors that state the position of the element in its parent, for elements without names."""
    tag, position = page.tags[row], _count_positions(page)[row]
    if not NAME.fullmatch(tag):
        return
    places = [":first-of-type"] if position == 1 else []
    places += [":last-of-type", ":last-child"]
    places += [f":nth-of-type({position})"] if 1 < position <= MAX_POSITION else []
    for place in places:
        yield from (_Candidate(f"{name}{place}", 2, 1) for name in list_names(page, row)[:1])
        for anchor, is_parent in _list_anchors(page, row):
            yield _Candidate(f"{anchor}{' > ' if is_parent else ' '}{tag}{place}", 2, 2)
        yield _Candidate(f"body > {tag}{place}", 2, 2)
