"""A page and what was kept of it in, the posts of a thread out: who wrote which blocks, and when.

Posts are elements that look alike (the same schema.org type, or the same class name that says "post" or "comment", or
else the same classes), that hold most of what was kept, and most of which hold the name of a person or a date; if their
names do not say that they are posts, a date. A block belongs to the innermost of them around it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun.metadata.post_signs import Sign, find_authors, find_days, says_post, sign_element

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bonmun.kept import KeptBlock
    from bonmun.page import Page

__all__ = ["Post", "find_posts"]

LEAST_POSTS = 2
LEAST_COVERED = 0.5  # of the characters that were kept must stand in posts
LEAST_SIGNED = 0.6  # of the posts must have an author or a date
FAMILIES_TRIED = 24  # of elements that look alike: for each, all of the page is looked at


@dataclass(frozen=True, slots=True)
class Post:
    """What one person wrote in a thread."""

    author: str | None
    date: str | None  # YYYY-MM-DD
    text: str  # its blocks, a blank line between two of them
    blocks: tuple[int, ...]  # their numbers among those that were kept
    xpath: str  # of the element that holds it

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "author": self.author,
            "date": self.date,
            "text": self.text,
            "blocks": list(self.blocks),
            "xpath": self.xpath,
        }


class _Family(NamedTuple):
    """Elements that look alike."""

    rows: set[int]
    says_post: bool  # whether their names say that they are posts


class _Thread(NamedTuple):
    """One way to take a page for a thread."""

    score: float
    inner: list[int]  # the innermost post around each element; -1 where there is none
    blocks: dict[int, list[int]]  # the numbers of the blocks of each post


def find_posts(page: Page, blocks: Sequence[KeptBlock]) -> tuple[Post, ...]:
    """Find the posts that blocks belong to; none where the page is no thread."""
    families = _find_families(page, blocks)
    if not families:
        return ()
    authors, days = list(find_authors(page)), list(find_days(page))
    sizes = [sum(len(page.texts[leaf]) for leaf in block.leaves) for block in blocks]
    tried = (_try_family(page, blocks, sizes, family, authors, days) for family in families)
    best = max((thread for thread in tried if thread), key=lambda thread: thread.score, default=None)
    if best is None:
        return ()
    names, dates = _choose(best.inner, authors), _choose(best.inner, days)
    return tuple(
        Post(
            names.get(row),
            dates.get(row),
            "\n\n".join(blocks[number].text for number in numbers),
            tuple(numbers),
            page.xpath(row),
        )
        for row, numbers in sorted(best.blocks.items(), key=lambda post: post[1][0])
    )


def _find_families(page: Page, blocks: Sequence[KeptBlock]) -> list[_Family]:
    """The elements around the blocks that look alike, those with most text first."""
    held: dict[int, int] = defaultdict(int)  # characters by element
    for block in blocks:
        held[block.block.element] += sum(len(page.texts[leaf]) for leaf in block.leaves)
    families: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for row in reversed(page.around(list(held))):  # those inside before those around them
        if page.parents[row] >= 0:
            held[page.parents[row]] += held[row]
        if sign := sign_element(page, row):
            families[sign].add(row)
    several = [_Family(rows, says_post(sign)) for sign, rows in families.items() if len(rows) >= LEAST_POSTS]
    return sorted(several, key=lambda family: -sum(held[row] for row in family.rows))[:FAMILIES_TRIED]


def _try_family(
    page: Page,
    blocks: Sequence[KeptBlock],
    sizes: list[int],
    family: _Family,
    authors: Iterable[Sign],
    days: Iterable[Sign],
) -> _Thread | None:
    """Take elements that look alike for posts; None if too little speaks for it."""
    inner: list[int] = []
    for row, parent in enumerate(page.parents):
        inner.append(row if row in family.rows else inner[parent] if parent >= 0 else -1)
    found: dict[int, list[int]] = defaultdict(list)
    covered = 0
    for number, block in enumerate(blocks):
        post = inner[block.block.element]
        if post >= 0:
            found[post].append(number)
            covered += sizes[number]
    if len(found) < LEAST_POSTS or covered < LEAST_COVERED * sum(sizes):
        return None
    named = {inner[sign.element] for sign in authors} & found.keys()
    dated = {inner[sign.element] for sign in days if family.says_post or sign.strength > 1} & found.keys()
    signed = len(named | dated) / len(found)
    if signed < LEAST_SIGNED or not (family.says_post or len(dated) >= LEAST_SIGNED * len(found)):
        return None
    return _Thread(covered / sum(sizes) + signed + len(named & dated) / len(found), inner, found)


def _choose(inner: list[int], signs: Iterable[Sign]) -> dict[int, str]:
    """The strongest sign of each post, the first of several."""
    best: dict[int, Sign] = {}
    for sign in signs:
        post = inner[sign.element]
        if post >= 0 and (post not in best or sign.strength > best[post].strength):
            best[post] = sign
    return {post: sign.value for post, sign in best.items()}
