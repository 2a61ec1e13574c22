"""Find the group of similar elements that are the posts of a thread.

Posts have the same schema.org type, the same class name with a word such as "post" or "comment", or else the same
classes. They hold a name or a moment, and a text that is not a link: what tells them from the items of a list. Where a
post is a header followed by its text, as in `<dt>` and `<dd>` or in rows of a table, the header is the element.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from math import log2
from typing import TYPE_CHECKING, NamedTuple

from bonmun.kernel import load_kernel
from bonmun.metadata.post_signs import find_authors, find_signature, is_post_signature

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from bonmun.metadata.threads.moments import Moment
    from bonmun.page import Page

__all__ = ["PostGroup", "find_groups", "find_owners"]

KERNEL = load_kernel("columns")
MAX_GROUPS = 12  # groups of similar elements that are tried: each takes a pass over the page
MAX_BEST = 4  # groups whose names are read
MIN_POSTS = 2
MIN_TEXT_LETTERS = 2  # outside of links, in a post
MIN_SIGNED_SHARE = 0.5  # of the elements with text, that must have a name or a moment
MIN_COVERED_SHARE = 0.5  # of the kept letters, on a page that need not be a thread
MAX_HEADER_SHARE = 0.8  # of the kept letters; elements that hold more are no mere headers
MIN_AUTHOR_STRENGTH = 2
NAMED_BONUS, CONTAINER_BONUS = 0.5, 0.25
SINGLE_BONUS = 0.001  # per step from the root


class PostGroup(NamedTuple):
    """Similar elements that may be posts."""

    score: float
    members: list[int]  # all similar elements
    rows: list[int]  # those that are posts
    covered_share: float  # of the kept letters
    is_named: bool  # whether their type or class name names posts
    is_header: bool  # whether the text of a post follows its element


class _Evidence(NamedTuple):
    """What the search for posts starts from."""

    moments: list[int]  # elements
    authors: list[int]  # elements
    letters: list[int]  # outside of links and evidence, by block
    kept: list[int]  # letters of kept blocks, by block
    total: int  # sum of these
    likely: list[bool]  # whether each block is kept or a comment
    around: list[int]  # elements around blocks and evidence


def find_groups(
    page: Page, moments: Sequence[Moment], kept: Sequence[bool], comments: Collection[int], *, is_thread: bool
) -> list[PostGroup]:
    """Return groups of elements that may be posts, the most likely first.

    `is_thread` says that the page is known to have posts.
    """
    authors = [each.element for each in find_authors(page) if each.strength >= MIN_AUTHOR_STRENGTH]
    times = [each.element for each in moments]
    if len(times) + len(authors) < (1 if is_thread else MIN_POSTS):
        return []
    letters, kept_letters = _count_letters(page, moments, authors, kept)
    likely = [is_kept or row in comments for row, is_kept in enumerate(kept)]
    around = page.with_ancestors([*page.holders, *times, *authors])
    evidence = _Evidence(times, authors, letters, kept_letters, sum(kept_letters), likely, around)
    tried = []
    for rows, is_named in _list_groups(page, times + authors):
        group = _try_group(page, rows, evidence, is_named=is_named, is_header=False, is_thread=is_thread)
        if group:
            tried.append(group)
        if group is None or group.covered_share < MAX_HEADER_SHARE:
            headers = _choose_headers(page, rows, evidence)
            group = _try_group(page, headers, evidence, is_named=is_named, is_header=True, is_thread=is_thread)
            if group:
                tried.append(group)
    return sorted(tried, key=lambda group: -group.score)[:MAX_BEST]


def find_owners(page: Page, group: PostGroup) -> list[int]:
    """Return the innermost post of a group around each element of the page; -1 if there is none."""
    return _find_owners(page, group.members, range(len(page.tags)), is_header=group.is_header)


def _count_letters(
    page: Page, moments: Sequence[Moment], authors: Iterable[int], kept: Sequence[bool]
) -> tuple[list[int], list[int]]:
    """Return the letters of each block outside of links and evidence, and the letters of kept blocks."""
    letters = _count_outside(page, {each.leaf for each in moments}, set(authors))
    return letters, [len(text) if is_kept else 0 for text, is_kept in zip(page.block_texts, kept, strict=True)]


def _count_outside(page: Page, signs: set[int], names: set[int]) -> list[int]:
    """Return the letters of each visible block outside of links, leaves that are signs, and elements with names."""
    texts, linked, elements, hidden = page.texts, page.linked_leaves, page.leaf_elements, page.hidden_blocks
    if KERNEL:
        counts: list[int] = KERNEL.count_outside(texts, linked, elements, page.starts, hidden, signs, names)
        return counts
    letters: list[int] = []
    for start, stop, is_hidden in zip(page.starts, page.stops, hidden, strict=True):
        leaves = () if is_hidden else range(start, stop)
        counted = (leaf for leaf in leaves if not linked[leaf] and leaf not in signs and elements[leaf] not in names)
        letters.append(sum(len(texts[leaf]) for leaf in counted))
    return letters


def _list_groups(page: Page, elements: Iterable[int]) -> list[tuple[list[int], bool]]:
    """Return groups of similar elements around some elements, and whether they are named as posts; largest first."""
    found: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for row in page.with_ancestors(elements):
        if signature := find_signature(page, row):
            found[signature].append(row)
    groups = [(rows, is_post_signature(signature)) for signature, rows in found.items()]
    groups = [(rows, is_named) for rows, is_named in groups if len(rows) >= MIN_POSTS or is_named]
    return sorted(groups, key=lambda group: (-len(group[0]) * (1 + group[1]), group[0][0]))[:MAX_GROUPS]


def _choose_headers(page: Page, rows: list[int], evidence: _Evidence) -> list[int]:
    """Return the elements with a name and a moment if most have both: others hold the text of a post."""
    owners = _find_owners(page, rows, evidence.around, is_header=False)
    both = {owners[element] for element in evidence.moments} & {owners[element] for element in evidence.authors}
    both.discard(-1)
    return sorted(both) if len(both) >= max(MIN_POSTS, MIN_SIGNED_SHARE * len(rows)) else rows


def _try_group(
    page: Page, rows: list[int], evidence: _Evidence, *, is_named: bool, is_header: bool, is_thread: bool
) -> PostGroup | None:
    """Return the group of the elements that are posts, or None if they are none."""
    owners = _find_owners(page, rows, evidence.around, is_header=is_header)
    letters, covered, likely = _sum_posts(page, owners, evidence)
    full = {post for post, count in letters.items() if count >= MIN_TEXT_LETTERS}
    moments = Counter(owners[element] for element in evidence.moments)
    timed = moments.keys() & full
    signed = {owners[element] for element in evidence.authors} & full
    share = covered / evidence.total if evidence.total else 0.0
    if not full or not likely or len(timed | signed) < MIN_SIGNED_SHARE * len(full):
        return None
    if len(timed | signed) < MIN_POSTS and not (is_thread and is_named and timed and signed):
        return None
    if not is_thread and share < MIN_COVERED_SHARE:
        return None
    if not is_named and (len(timed) < MIN_SIGNED_SHARE * len(full) or len(full & likely) < MIN_POSTS):
        return None
    # posts without any likely text count less: cells beside the text, wrappers, items of lists
    counted = full & likely if len(full & likely) >= MIN_POSTS else full
    both, either = len(timed & signed & counted), len((timed | signed) & counted)
    purity = len(timed) / sum(moments[post] for post in timed) if timed else 1.0
    quality = (both + either) / len(counted) + NAMED_BONUS * is_named + CONTAINER_BONUS * (not is_header)
    chosen = sorted(timed | signed) if not is_named else sorted(full)
    score = (quality + share + purity) * log2(1 + either)
    if len(chosen) == 1:  # of a single post and the elements around it, the post
        score += SINGLE_BONUS * page.depths[chosen[0]]
    return PostGroup(score, rows, chosen, share, is_named, is_header)


def _sum_posts(page: Page, owners: list[int], evidence: _Evidence) -> tuple[dict[int, int], int, set[int]]:
    """Return the letters of each post, those of kept blocks, and the posts with text that is kept or a comment."""
    if KERNEL:
        sums: tuple[dict[int, int], int, set[int]]
        sums = KERNEL.sum_posts(page.owners, owners, evidence.letters, evidence.kept, evidence.likely)
        return sums
    letters: dict[int, int] = defaultdict(int)
    covered = 0
    likely: set[int] = set()
    for element, count, kept, is_likely in zip(
        page.owners, evidence.letters, evidence.kept, evidence.likely, strict=True
    ):
        if (post := owners[element]) >= 0:
            letters[post] += count
            covered += kept
            if is_likely:
                likely.add(post)
    return letters, covered, likely


def _find_owners(page: Page, members: Iterable[int], around: Iterable[int], *, is_header: bool) -> list[int]:
    """Return the innermost post around each of some elements; a header also owns the siblings after it."""
    parents = page.parents
    if KERNEL:
        found: list[int] = KERNEL.find_owners(parents, members, around, is_header)
        return found
    chosen = set(members)
    owners = [-1] * (len(parents) + 1)  # the last is the parent of the root
    if not is_header:
        for row in around:
            owners[row] = row if row in chosen else owners[parents[row]]
        return owners
    last: dict[int, int] = {}  # header among the children of an element so far
    for row in around:
        if row in chosen:
            owners[row] = row
            last[parents[row]] = row
        elif parents[row] in last:
            owners[row] = last[parents[row]]
        else:
            owners[row] = owners[parents[row]]
    return owners
