"""Find the post that each post replies to: by nesting, level, indentation or a link.

A parent is always an earlier post, so there are no cycles.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.metadata.post_signs import CLASS_CHARS
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page import Page

__all__ = ["find_parents"]

LEVEL_ATTRIBUTES = ("data-depth", "data-level", "aria-level", "data-indent", "data-comment-depth", "depth", "indent")
PARENT_ATTRIBUTES = (
    "data-parent-id",
    "data-parent",
    "data-parentid",
    "data-reply-to",
    "data-parent-comment-id",
    "parentid",
)
ID_ATTRIBUTES = ("id", "data-id", "data-comment-id", "data-post-id", "thingid")
LEVEL_CLASS = compile_later(r"(?:depth|level|lv|lvl|indent|nest(?:ed)?)[-_]?([0-9]{1,3})(?![0-9])", re.I)
LEVEL_STYLE = compile_later(r"(?:margin|padding)-left:\s?([0-9]{1,4})", re.I)
REPLY_CLASSES = frozenset({"re", "reply", "child", "nested", "is-reply", "reply-comment", "sub", "depth"})
NUMBER = compile_later(r"[0-9]{1,4}(?:\.[0-9]{1,3})?(?:px|%)?")
LONG_NUMBER = compile_later(r"[0-9]{3,20}")
SPACER_ROWS = 12  # elements at the start of a post that are searched for a level
MAX_SPACER_PIXELS = 2  # height of a spacer image
VALUE_CHARS = 200  # characters of an attribute that are read
MAX_LEVEL = 10_000


def find_parents(page: Page, posts: Sequence[int], outer: Sequence[int]) -> list[int]:
    """Return the number of the post that each post replies to; -1 if it replies to none.

    `posts` are the elements of the posts, in document order; `outer` is the post around each, or -1.
    """
    if any(each >= 0 for each in outer):
        return list(outer)
    levels = _find_levels(page, posts)
    if len(set(levels)) > 1:
        return _stack_levels(levels)
    named = _find_named_parents(page, posts)
    if any(each >= 0 for each in named):
        return named
    depths = [page.depths[row] for row in posts]
    return _stack_levels(depths) if len(set(depths)) > 1 else [-1] * len(posts)


def _stack_levels(levels: Sequence[int]) -> list[int]:
    """Return for each post the nearest earlier one with a lower level."""
    parents: list[int] = []
    stack: list[int] = []
    for number, level in enumerate(levels):
        while stack and levels[stack[-1]] >= level:
            stack.pop()
        parents.append(stack[-1] if stack else -1)
        stack.append(number)
    return parents


def _find_levels(page: Page, posts: Sequence[int]) -> list[int]:
    """Return the level of each post, from whatever most posts name it with; all 0 if they name none."""
    readers = (_read_level_attribute, _read_level_class, _read_style, _read_spacer, _read_reply_class)
    for reader in readers:
        levels = [reader(page, row) for row in posts]
        if len(set(levels)) > 1 and (reader is _read_reply_class or reader is _read_style or None not in levels):
            return [level or 0 for level in levels]
    return [0] * len(posts)


def _read_level_attribute(page: Page, row: int) -> int | None:
    for name in LEVEL_ATTRIBUTES:
        if (value := page.attr(row, name)) and value.isascii() and value.isdecimal():
            return min(int(value[:VALUE_CHARS]), MAX_LEVEL)
    return None


def _read_level_class(page: Page, row: int) -> int | None:
    match = LEVEL_CLASS.search((page.attr(row, "class") or "")[:CLASS_CHARS])
    return int(match[1]) if match else None


def _read_style(page: Page, row: int) -> int | None:
    """Return the indentation of an element, or else of its parent."""
    for each in (row, page.parents[row]):
        style = (page.attr(each, "style") or "")[:VALUE_CHARS] if each >= 0 else ""
        if match := LEVEL_STYLE.search(style):
            return int(match[1])
    return None


def _read_reply_class(page: Page, row: int) -> int:
    return int(not REPLY_CLASSES.isdisjoint((page.attr(row, "class") or "")[:CLASS_CHARS].lower().split()))


def _read_spacer(page: Page, row: int) -> int | None:
    """Return the width of the spacer image at the start of a post, or the indentation of an element there."""
    for inner in range(row + 1, min(row + 1 + SPACER_ROWS, len(page.tags))):
        if page.tags[inner] == "img":
            width, height = (_read_number(page.attr(inner, name)) for name in ("width", "height"))
            if width is not None and height is not None and height <= MAX_SPACER_PIXELS:
                return width
        elif (found := _read_style(page, inner)) is not None:
            return found
    return None


def _read_number(value: str | None) -> int | None:
    match = NUMBER.fullmatch(value or "") if len(value or "") <= VALUE_CHARS else None
    return int(float(match[0].rstrip("px%"))) if match else None


def _find_named_parents(page: Page, posts: Sequence[int]) -> list[int]:
    """Return the earlier post that an attribute or a link of each post names."""
    numbers: dict[str, int] = {}
    for number, row in enumerate(posts):
        for name in ID_ATTRIBUTES:
            if value := (page.attr(row, name) or "")[:VALUE_CHARS]:
                numbers.setdefault(value, number)
                if match := LONG_NUMBER.search(value):
                    numbers.setdefault(match[0], number)
    parents = [-1] * len(posts)
    if not numbers:
        return parents
    for number, row in enumerate(posts):
        for name in PARENT_ATTRIBUTES:
            value = (page.attr(row, name) or "")[:VALUE_CHARS]
            if value and 0 <= (parent := numbers.get(value, -1)) < number:
                parents[number] = parent
    if all(parent < 0 for parent in parents):
        _read_links(page, posts, numbers, parents)
    return parents


def _read_links(page: Page, posts: Sequence[int], numbers: dict[str, int], parents: list[int]) -> None:
    """Set the parent of posts with a link to exactly one earlier post, such as "in reply to"."""
    owner: dict[int, int] = {row: number for number, row in enumerate(posts)}
    inside = [-1] * len(page.tags)
    linked: list[set[int]] = [set() for _ in posts]
    for row, parent in enumerate(page.parents):
        inside[row] = owner.get(row, inside[parent] if parent >= 0 else -1)
        if page.tags[row] == "a" and (number := inside[row]) >= 0:
            fragment = (page.attr(row, "href") or "").rpartition("#")[2][:VALUE_CHARS]
            if fragment and (target := numbers.get(fragment, -1)) >= 0 and target != number:
                linked[number].add(target)
    for number, targets in enumerate(linked):
        if len(targets) == 1 and (target := targets.pop()) < number:
            parents[number] = target
