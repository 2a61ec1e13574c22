"""Find the group of similar elements that are the items of a list.

Items are elements with the same tag and classes, or with the same tag and parent. Together they hold most of the main
text, and each has a link of its own. Where an item is a heading followed by its text, the heading is the element, and
the item ends where the next heading starts.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import accumulate
from math import log2
from typing import TYPE_CHECKING, NamedTuple

from bonmun.objects.markup.elements import find_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bonmun.page import Page

__all__ = ["ListGroup", "find_list_group"]

MIN_ITEMS = 3
MIN_COVERED_SHARE = 0.5  # of the letters of the main text
MIN_LINKED_SHARE = 0.7  # of the items that have a link of their own
CLASS_CHARS = 300  # of a class attribute that are read
MAX_CLASSES = 12  # of an element that are compared one by one
MAX_GROUPS = 20  # largest groups that are compared: each takes a pass over its items
HEADER_TAGS = frozenset("h2 h3 h4 h5 h6 dt".split())
HEADER_PENALTY = 0.9  # of a group whose elements are only the starts of items


class ListGroup(NamedTuple):
    """The items of a list, each as the leaves from `start` to `stop`."""

    score: float
    covered_share: float
    elements: list[int]
    spans: list[tuple[int, int]]


class _Counts(NamedTuple):
    """Sums over the leaves before each leaf."""

    kept: list[int]  # letters of the main text
    links: list[int]  # links that start


def find_list_group(page: Page, kept: Iterable[int]) -> ListGroup | None:
    """Return the items of the list that is most of the main text, or None. `kept` are the leaves of the main text."""
    kept_leaves, links = set(kept), page.links
    counts = _Counts(
        list(accumulate([len(text) if leaf in kept_leaves else 0 for leaf, text in enumerate(page.texts)], initial=0)),
        list(accumulate([links[element] >= 0 for element in page.leaf_elements], initial=0)),
    )
    if not counts.kept[-1]:
        return None
    first, last = find_spans(page)
    around = page.with_ancestors({page.leaf_elements[leaf] for leaf in kept_leaves})
    best: ListGroup | None = None
    for rows, is_header in _list_groups(page, around):
        spans = _make_spans(page, rows, first, last, is_header=is_header)
        group = _rate_group(page, rows, spans, counts)
        if group and is_header:  # a heading without a link is the title of the list
            linked = [(start, stop) for start, stop in group.spans if counts.links[stop] > counts.links[start]]
            group = group._replace(score=group.score * HEADER_PENALTY, spans=linked)
        if group and (best is None or group.score > best.score):
            best = group
    return best


def _list_groups(page: Page, around: Iterable[int]) -> list[tuple[list[int], bool]]:
    """Return groups of similar elements, and whether they are only the starts of items; the largest first."""
    groups: dict[tuple[str, str | int], list[int]] = defaultdict(list)
    tags, parents, values = page.tags, page.parents, page.classes
    known: dict[str, list[str]] = {}  # names of the groups of a class attribute
    for row in around:
        tag, value = tags[row], values[row]
        groups[tag, parents[row]].append(row)
        if value:
            names = known.get(value)
            if names is None:
                names = known[value] = _name_groups(value)
            for name in names:
                groups[tag, name].append(row)
    found = [(rows, False) for rows in groups.values() if len(rows) >= MIN_ITEMS]
    found += [(rows, True) for (tag, _), rows in groups.items() if tag in HEADER_TAGS and len(rows) >= MIN_ITEMS]
    return sorted(found, key=lambda group: -len(group[0]))[:MAX_GROUPS]


def _name_groups(classes: str) -> list[str]:
    """Return the names of the groups of elements with some classes: all of them together, and each."""
    names = sorted(set(classes[:CLASS_CHARS].split()))
    return [" ".join(names), *(names if 1 < len(names) <= MAX_CLASSES else ())]


def _make_spans(
    page: Page, rows: Sequence[int], first: Sequence[int], last: Sequence[int], *, is_header: bool
) -> list[tuple[int, int]]:
    """Return the leaves of each item; of elements within each other only the outer ones count."""
    spans: list[tuple[int, int]] = []
    for number, row in enumerate(rows):
        stop = last[row]
        if is_header:
            parent = page.parents[row]
            stop = first[rows[number + 1]] if number + 1 < len(rows) else last[parent]
            stop = min(stop, last[parent])
        if first[row] < stop and (not spans or first[row] >= spans[-1][1]):
            spans.append((first[row], stop))
    return spans


def _rate_group(page: Page, rows: Sequence[int], spans: Sequence[tuple[int, int]], counts: _Counts) -> ListGroup | None:
    """Return a group with its score, or None if it is no list."""
    items = [(start, stop) for start, stop in spans if counts.kept[stop] > counts.kept[start]]
    if len(items) < MIN_ITEMS:
        return None
    covered = sum(counts.kept[stop] - counts.kept[start] for start, stop in items) / counts.kept[-1]
    linked = [span for span in items if counts.links[span[1]] > counts.links[span[0]]]
    if covered < MIN_COVERED_SHARE or len(linked) < MIN_LINKED_SHARE * len(items):
        return None
    addresses = {_find_first_address(page, start, stop) for start, stop in linked} - {None}
    if len(addresses) < MIN_LINKED_SHARE * len(items):
        return None
    score = covered * len(addresses) / len(items) * log2(1 + len(addresses))
    return ListGroup(score, covered, list(rows), items)


def _find_first_address(page: Page, start: int, stop: int) -> str | None:
    """Return the address of the first link among some leaves."""
    for leaf in range(start, stop):
        link = page.links[page.leaf_elements[leaf]]
        if link >= 0:
            return page.attr(link, "href")
    return None
