"""Read the numbers of a pager, to tell which page this is and which link leads to the one after it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from bonmun.metadata.pagers.addresses import Address, split_address
from bonmun.metadata.pagers.words import read_signs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.metadata.pagers.links import PagerLink
    from bonmun.page import Page

__all__ = ["find_next_number"]

MAX_GAP_ROWS = 12  # elements between two numbers of a pager
MAX_LEAVES, MAX_LEAVES_PER_NUMBER = 50, 5  # around and between the numbers of a pager
MIN_CALENDAR_DAYS = 20  # numbers of a pager that are days of a month rather than pages


def find_next_number(page: Page, links: Sequence[PagerLink], own: Address) -> dict[int, bool]:
    """Return for the links of pagers with a known current page whether they lead to the page after it."""
    found: dict[int, bool] = {}
    for run in _list_runs([link for link in links if link.text.number is not None]):
        if len(run) >= MIN_CALENDAR_DAYS and _number(run[-1]) <= 31:
            continue
        current = _find_current(page, run, own)
        if current is None:
            continue
        for link in run:
            found[link.row] = _number(link) == current + 1
    return found


def _number(link: PagerLink) -> int:
    return link.text.number or 0


def _list_runs(links: Sequence[PagerLink]) -> Iterator[list[PagerLink]]:
    """Yield runs of links with rising numbers that are close to each other."""
    run: list[PagerLink] = []
    for link in links:
        if run and (link.row - run[-1].row > MAX_GAP_ROWS or _number(link) <= _number(run[-1])):
            yield run
            run = []
        run.append(link)
    if run:
        yield run


def _find_current(page: Page, run: Sequence[PagerLink], own: Address) -> int | None:
    """Return the number of the page itself: a link to it or one that is marked, else a number without a link."""
    marked = [link for link in run if "current" in link.names]
    if len(marked) == 1:
        return _number(marked[0])
    same = [link for link in run if split_address(link.url) == own]
    if len(same) == 1:
        return _number(same[0])
    linked = {_number(link) for link in run}
    elements = page.leaf_elements
    first = bisect_left(elements, run[0].row - MAX_GAP_ROWS)
    last = min(
        bisect_right(elements, run[-1].row + MAX_GAP_ROWS), first + MAX_LEAVES + MAX_LEAVES_PER_NUMBER * len(run)
    )
    for leaf in range(first, last):
        number = read_signs(page.texts[leaf]).number
        if number is not None and number not in linked and not linked.isdisjoint((number - 1, number + 1)):
            return number
    return None
