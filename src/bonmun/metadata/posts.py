"""A page and what was kept of it in, the posts of a thread out: who wrote which blocks, and when.

Posts are elements that look alike (the same schema.org type, or the same class name that says "post" or "comment", or
else the same classes), that hold most of what was kept, and most of which hold the name of a person or a date; if their
names do not say that they are posts, a date. A block belongs to the innermost of them around it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun.metadata.post_signs import PostEvidence, find_authors, find_days, find_signature, says_post

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


class _ElementGroup(NamedTuple):
    """Elements that look alike."""

    rows: set[int]
    says_post: bool  # whether their names say that they are posts


class _PostCandidate(NamedTuple):
    """Elements that look alike and hold most of what was kept."""

    family: _ElementGroup
    covered: float  # what share of the characters they hold
    blocks: dict[int, list[int]]  # the numbers of the blocks of each post


class _Thread(NamedTuple):
    """One way to take a page for a thread."""

    score: float
    blocks: dict[int, list[int]]  # the numbers of the blocks of each post
    names: dict[int, PostEvidence]  # the strongest of each post
    dates: dict[int, PostEvidence]


def find_posts(page: Page, blocks: Sequence[KeptBlock]) -> tuple[Post, ...]:
    """Find the posts that blocks belong to; none where the page is no thread."""
    candidates = _find_candidates(page, blocks)
    if not candidates:
        return ()
    inside = _mark_inside(page, candidates)
    authors, days = list(find_authors(page, inside)), list(find_days(page, inside))
    around = page.with_ancestors({sign.element for sign in authors + days})
    tried = (_try_candidate(page, candidate, around, authors, days) for candidate in candidates)
    best = max((thread for thread in tried if thread), key=lambda thread: thread.score, default=None)
    if best is None:
        return ()
    return tuple(
        Post(
            best.names[row].value if row in best.names else None,
            best.dates[row].value if row in best.dates else None,
            "\n\n".join(blocks[number].text for number in numbers),
            tuple(numbers),
            page.xpath(row),
        )
        for row, numbers in sorted(best.blocks.items(), key=lambda post: post[1][0])
    )


def _find_candidates(page: Page, blocks: Sequence[KeptBlock]) -> list[_PostCandidate]:
    """The elements that look alike, are several, and hold enough of the text."""
    owners = [block.element for block in blocks]
    sizes = [sum(len(page.texts[leaf]) for leaf in block.leaves) for block in blocks]
    around = page.with_ancestors(owners)
    found: list[_PostCandidate] = []
    for family in _find_families(page, around, owners, sizes):
        inner = _find_inner(page, around, family)
        posts: dict[int, list[int]] = defaultdict(list)
        covered = 0
        for number, owner in enumerate(owners):
            if (post := inner[owner]) >= 0:
                posts[post].append(number)
                covered += sizes[number]
        if len(posts) >= LEAST_POSTS and covered >= LEAST_COVERED * sum(sizes):
            found.append(_PostCandidate(family, covered / sum(sizes), posts))
    return found


def _find_families(page: Page, around: list[int], owners: list[int], sizes: list[int]) -> list[_ElementGroup]:
    """The elements around the blocks that look alike, those with most text first."""
    held = dict.fromkeys(around, 0)  # characters by element
    for owner, size in zip(owners, sizes, strict=True):
        held[owner] += size
    families: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for row in reversed(around):  # those inside before those around them
        if page.parents[row] >= 0:
            held[page.parents[row]] += held[row]
        if sign := find_signature(page, row):
            families[sign].add(row)
    several = [_ElementGroup(rows, says_post(sign)) for sign, rows in families.items() if len(rows) >= LEAST_POSTS]
    return sorted(several, key=lambda family: -sum(held[row] for row in family.rows))[:FAMILIES_TRIED]


def _find_inner(page: Page, around: list[int], family: _ElementGroup) -> dict[int, int]:
    """The innermost post around each of some elements; -1 where there is none."""
    parents, rows = page.parents, family.rows
    inner = {-1: -1}
    for row in around:
        inner[row] = row if row in rows else inner[parents[row]]
    return inner


def _mark_inside(page: Page, candidates: list[_PostCandidate]) -> list[bool]:
    """Which elements stand in what may be a post: what stands elsewhere tells nothing of one."""
    rows = {row for candidate in candidates for row in candidate.blocks}
    inside: list[bool] = []
    for row, parent in enumerate(page.parents):
        inside.append(row in rows or (parent >= 0 and inside[parent]))
    return inside


def _try_candidate(
    page: Page,
    candidate: _PostCandidate,
    around: list[int],
    authors: Sequence[PostEvidence],
    days: Sequence[PostEvidence],
) -> _Thread | None:
    """Take elements that look alike for posts; None if too little speaks for it."""
    family, covered, posts = candidate
    inner = _find_inner(page, around, family)
    names, dates = _choose(inner, authors), _choose(inner, days)
    named = names.keys() & posts.keys()
    dated = {row for row in dates.keys() & posts.keys() if family.says_post or dates[row].strength > 1}
    signed = len(named | dated) / len(posts)
    if signed < LEAST_SIGNED or not (family.says_post or len(dated) >= LEAST_SIGNED * len(posts)):
        return None
    return _Thread(covered + signed + len(named & dated) / len(posts), posts, names, dates)


def _choose(inner: dict[int, int], signs: Iterable[PostEvidence]) -> dict[int, PostEvidence]:
    """The strongest sign of each post, the first of several."""
    best: dict[int, PostEvidence] = {}
    for sign in signs:
        post = inner[sign.element]
        if post >= 0 and (post not in best or sign.strength > best[post].strength):
            best[post] = sign
    return best
