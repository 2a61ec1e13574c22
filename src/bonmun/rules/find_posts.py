"""Find the posts of a thread with the selectors of a rule."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.metadata.rule_values import read_rule_day
from bonmun.page.posts import FoundPost
from bonmun.rules.find import find_rows, list_row_values, mark_inside, read_own_value

if TYPE_CHECKING:
    from datetime import date

    from bonmun.page import Page
    from bonmun.rules.records import PostSelectors, Selector

__all__ = ["find_rule_posts"]

NUMBER = re.compile(r"-?[0-9]{1,9}")
TIME = re.compile(r"(?<![0-9:])[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?![0-9:])")


def find_rule_posts(page: Page, selectors: PostSelectors, crawled: date | None = None) -> tuple[FoundPost, ...]:
    """Return the posts in document order; each with its blocks, without those of the posts in it."""
    rows = find_rows(page, [selectors.each])
    holders = _find_holders(page, rows)
    inside = mark_inside(page, find_rows(page, [selectors.text])) if selectors.text else None
    bodies: dict[int, list[int]] = {row: [] for row in rows}
    heads: dict[int, list[int]] = {row: [] for row in rows}
    for block, owner in enumerate(page.owners):
        if holders[owner] >= 0 and not page.hidden_blocks[block]:
            first = page.leaf_elements[page.starts[block]]
            is_body = inside is None or inside[owner] or inside[first]
            (bodies if is_body else heads)[holders[owner]].append(block)
    authors = _read_values(page, rows, holders, selectors.author)
    dates = _read_values(page, rows, holders, selectors.date)
    depths = _read_values(page, rows, holders, selectors.depth)
    made: list[FoundPost] = []
    numbers: dict[int, int] = {}  # of the posts, by row
    open_posts: list[tuple[int, int]] = []  # depth and number of each post above
    for row in rows:
        if not bodies[row]:
            continue
        number = NUMBER.search(depths.get(row, ""))
        if number:
            depth = int(number[0])
            while open_posts and open_posts[-1][0] >= depth:
                open_posts.pop()
            parent = open_posts[-1][1] if open_posts else -1
            open_posts.append((depth, len(made)))
        else:
            parent = numbers.get(_find_outer(page, holders, row), -1) if selectors.depth is None else -1
        shown = dates.get(row)
        day = read_rule_day(shown, crawled) if shown else None
        time = TIME.search(shown) if shown else None
        numbers[row] = len(made)
        made.append(
            FoundPost(
                row,
                authors.get(row),
                str(day) if day else None,
                time[0] if time else None,
                shown,
                parent,
                made[parent].depth + 1 if parent >= 0 else 0,
                None,
                None,
                is_accepted=False,
                is_opening=not made,
                is_apart=False,
                body=tuple(bodies[row]),
                head=tuple(heads[row]),
            )
        )
    return tuple(made)


def _find_holders(page: Page, rows: list[int]) -> list[int]:
    """Return the innermost post around each element, or the element itself; -1 if there is none."""
    posts = set(rows)
    holders: list[int] = []
    for row, parent in enumerate(page.parents):
        holders.append(row if row in posts else holders[parent] if parent >= 0 else -1)
    return holders


def _find_outer(page: Page, holders: list[int], row: int) -> int:
    """Return the post around a post; -1 if there is none."""
    parent = page.parents[row]
    return holders[parent] if parent >= 0 else -1


def _read_values(page: Page, rows: list[int], holders: list[int], selector: Selector | None) -> dict[int, str]:
    """Return the first value in each post, by its row."""
    if selector is None:
        return {}
    values: dict[int, str] = {}
    if not selector.alternatives:
        return {row: value for row in rows if (value := read_own_value(page, row, selector))}
    for row, value in list_row_values(page, selector):
        if (post := holders[row]) >= 0:
            values.setdefault(post, value)
    return values
