"""Find the posts of a thread: the author, date and kept blocks of each.

The posts of a thread are similar elements: the same schema.org type, or the same class name with a word such as "post"
or "comment", or else the same classes. Together they hold most of the kept text. Most of them hold an author or a date;
if their class names do not name posts, most of them must hold a date. A block belongs to the innermost post around it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun.metadata.post_signs import PostEvidence, find_authors, find_days, find_signature, is_post_signature

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bonmun.kept import KeptBlock
    from bonmun.page import Page

__all__ = ["Post", "find_posts"]

MIN_POSTS = 2
MIN_COVERED_SHARE = 0.5  # of the kept characters, that must be in posts
MIN_SIGNED_SHARE = 0.6  # of the posts, that must have an author or a date
MAX_GROUPS = 24  # groups of similar elements that are tried: each takes a pass over the page


@dataclass(frozen=True, slots=True)
class Post:
    """A post of a thread: a message in a forum, a question or an answer, a comment.

    Attributes:
        author: Name of the author; None if the post does not show one.
        date: Date of the post, as YYYY-MM-DD; None if the post does not show one.
        text: Text of the post: its blocks, separated by blank lines.
        blocks: Indices of its blocks in `Document.blocks` (in `Document.comments` for a comment).
        xpath: XPath of the element that holds the post.
    """

    author: str | None
    date: str | None
    text: str
    blocks: tuple[int, ...]
    xpath: str

    def to_dict(self) -> dict[str, Any]:
        """Return the post as a dictionary of plain values."""
        return {
            "author": self.author,
            "date": self.date,
            "text": self.text,
            "blocks": list(self.blocks),
            "xpath": self.xpath,
        }


class _ElementGroup(NamedTuple):
    """Similar elements."""

    rows: set[int]
    is_named_post: bool  # whether their type or class name names posts


class _PostCandidate(NamedTuple):
    """A group of elements that holds enough of the kept text to be the posts of a thread."""

    group: _ElementGroup
    covered_share: float  # of the kept characters
    blocks: dict[int, list[int]]  # indices of the blocks of each post


class _Thread(NamedTuple):
    """A candidate with the authors and dates of its posts."""

    score: float
    blocks: dict[int, list[int]]  # indices of the blocks of each post
    names: dict[int, PostEvidence]  # strongest evidence of each post
    dates: dict[int, PostEvidence]


def find_posts(page: Page, blocks: Sequence[KeptBlock]) -> tuple[Post, ...]:
    """Return the posts that the blocks belong to, in document order; none if the page is not a thread."""
    candidates = _find_candidates(page, blocks)
    if not candidates:
        return ()
    inside = _mark_inside(page, candidates)
    authors, days = list(find_authors(page, inside)), list(find_days(page, inside))
    around = page.with_ancestors({each.element for each in authors + days})
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
    """Return the groups of at least `MIN_POSTS` similar elements that hold enough of the text."""
    owners = [block.element for block in blocks]
    sizes = [sum(len(page.texts[leaf]) for leaf in block.leaves) for block in blocks]
    around = page.with_ancestors(owners)
    found: list[_PostCandidate] = []
    for group in _find_groups(page, around, owners, sizes):
        inner = _find_innermost(page, around, group)
        posts: dict[int, list[int]] = defaultdict(list)
        covered = 0
        for number, owner in enumerate(owners):
            if (post := inner[owner]) >= 0:
                posts[post].append(number)
                covered += sizes[number]
        if len(posts) >= MIN_POSTS and covered >= MIN_COVERED_SHARE * sum(sizes):
            found.append(_PostCandidate(group, covered / sum(sizes), posts))
    return found


def _find_groups(page: Page, around: list[int], owners: list[int], sizes: list[int]) -> list[_ElementGroup]:
    """Return the groups of similar elements around the blocks, those with most text first."""
    held = dict.fromkeys(around, 0)  # characters by element
    for owner, size in zip(owners, sizes, strict=True):
        held[owner] += size
    found: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for row in reversed(around):  # descendants first
        if page.parents[row] >= 0:
            held[page.parents[row]] += held[row]
        if signature := find_signature(page, row):
            found[signature].add(row)
    groups = [
        _ElementGroup(rows, is_post_signature(signature)) for signature, rows in found.items() if len(rows) >= MIN_POSTS
    ]
    return sorted(groups, key=lambda group: -sum(held[row] for row in group.rows))[:MAX_GROUPS]


def _find_innermost(page: Page, around: list[int], group: _ElementGroup) -> dict[int, int]:
    """Return the innermost post around each element; -1 if there is none."""
    parents, rows = page.parents, group.rows
    inner = {-1: -1}
    for row in around:
        inner[row] = row if row in rows else inner[parents[row]]
    return inner


def _mark_inside(page: Page, candidates: list[_PostCandidate]) -> list[bool]:
    """Return for every element of the page whether it is in a possible post; only those are searched for evidence."""
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
    """Return the thread that a candidate makes, or None if too few of its posts have an author or a date."""
    group, covered_share, posts = candidate
    inner = _find_innermost(page, around, group)
    names, dates = _choose(inner, authors), _choose(inner, days)
    named = names.keys() & posts.keys()
    dated = {row for row in dates.keys() & posts.keys() if group.is_named_post or dates[row].strength > 1}
    signed_share = len(named | dated) / len(posts)
    if signed_share < MIN_SIGNED_SHARE or not (group.is_named_post or len(dated) >= MIN_SIGNED_SHARE * len(posts)):
        return None
    return _Thread(covered_share + signed_share + len(named & dated) / len(posts), posts, names, dates)


def _choose(inner: dict[int, int], evidence: Iterable[PostEvidence]) -> dict[int, PostEvidence]:
    """Return the strongest evidence in each post; the first of several."""
    best: dict[int, PostEvidence] = {}
    for each in evidence:
        post = inner[each.element]
        if post >= 0 and (post not in best or each.strength > best[post].strength):
            best[post] = each
    return best
