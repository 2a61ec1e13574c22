"""Find the posts of a page, each with its author, time, parent and blocks."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from bonmun.metadata.post_signs import NOT_NAMES, find_authors
from bonmun.metadata.threads.details import read_details
from bonmun.metadata.threads.groups import find_groups, find_owners
from bonmun.metadata.threads.moments import find_moments
from bonmun.metadata.threads.names import NAME_CHARS, NAME_END, PlacesInPosts, choose_names, read_name_before
from bonmun.metadata.threads.nesting import find_parents
from bonmun.page.posts import FoundPost
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from bonmun.metadata.threads.groups import PostGroup
    from bonmun.metadata.threads.moments import Moment
    from bonmun.page import Page

__all__ = ["Thread", "find_thread"]

LABEL_CHARS = 30  # maximum length of a label such as "Reply"
MIN_LABEL_POSTS = 3  # with the same short text, for it to be a label …
MIN_LABEL_SHARE = 0.3  # … and the share of all posts
JOINED_WORD = compile_later(r"join|regist|since|member|anmeld|inscri|birth|seit|가입|登録|注册|profile", re.I)
OPENING_LETTERS = 20  # minimum text of an opening post outside of the other posts
HEAD_BLOCKS = 15  # before the text of an opening post that may name its author
NEAR_LEAVES = 12  # from the author of an opening post to its time
MIN_POSTS_BELOW_NAMES = 3  # with the names of their authors above their headers
MIN_COVERED_SHARE = 0.5  # of the kept letters in posts, with which a text before them is rarely a post
MIN_NAMED_SHARE = 0.5  # of posts that markup does not name, that must have an author
POINTS = compile_later(r"[+−-]?[0-9,.]{1,12}k?\s?(?:points?|votes?|likes?|upvotes?|replies|pts)", re.I)
SIGN_STRENGTH = 2  # of a moment, that is not part of the text


class Thread(NamedTuple):
    """The posts of a page, and the share of the kept letters that is in posts."""

    posts: tuple[FoundPost, ...]
    covered_share: float
    is_named: bool  # whether markup names the posts


def find_thread(page: Page, kept: Sequence[bool], comments: Collection[int] = (), *, is_thread: bool) -> Thread | None:
    """Return the posts of a page, or None if it has none.

    `kept` says which blocks are main text, `comments` are blocks of comments. Unless `is_thread`, posts must hold most
    of the main text.
    """
    moments = list(find_moments(page))
    for group in find_groups(page, moments, kept, comments, is_thread=is_thread):
        posts = _make_posts(page, group, moments, kept)
        named = sum(post.author is not None for post in posts)
        if posts and (group.is_named or named > MIN_NAMED_SHARE * len(posts)):
            is_covered = group.covered_share >= MIN_COVERED_SHARE
            opening = _find_opening(page, posts, moments, kept) if is_thread else None
            if opening and (not is_covered or (opening.author and opening.shown_time and len(posts) > 1)):
                posts = [opening, *(post._replace(parent=post.parent + (post.parent >= 0)) for post in posts)]
            posts[0] = posts[0]._replace(is_opening=True)
            return Thread(tuple(posts), group.covered_share, group.is_named)
    return None


def _make_posts(page: Page, group: PostGroup, moments: Sequence[Moment], kept: Sequence[bool]) -> list[FoundPost]:
    """Return the posts of a group of elements."""
    rows = set(group.rows)
    owners = find_owners(page, group)
    leaves: dict[int, list[int]] = {row: [] for row in group.rows}
    for leaf, element in enumerate(page.leaf_elements):
        if owners[element] in rows:
            leaves[owners[element]].append(leaf)
    blocks: dict[int, list[int]] = {row: [] for row in group.rows}
    for block, element in enumerate(page.owners):
        if owners[element] in rows and (kept[block] or not page.hidden_blocks[block]):
            blocks[owners[element]].append(block)
    held: dict[int, list[Moment]] = defaultdict(list)
    for moment in moments:
        if owners[moment.element] in rows:
            held[owners[moment.element]].append(moment)
    places = PlacesInPosts(page, owners)
    times = _choose_moments(page, held, len(rows), places)
    signs = {row: [each.leaf for each in some if each.strength >= SIGN_STRENGTH] for row, some in held.items()}
    names = choose_names(page, leaves, signs, places)
    labels = _find_labels(page, leaves)
    order = sorted((row for row in group.rows if blocks[row]), key=lambda row: blocks[row][0])
    above = _find_names_above(page, order, leaves, names) if group.is_header else {}
    numbers = {row: number for number, row in enumerate(order)}
    outer = [_find_outer(page, owners, numbers, row) for row in order]
    parents = find_parents(page, order, outer)
    made: list[FoundPost] = []
    for number, row in enumerate(order):
        time = times.get(row)
        name, name_leaf = names.get(row, (read_name_before(time.shown) if time else None, -1))
        name = above.get(row, name)
        marks = {name_leaf, *signs.get(row, ())}
        head = [block for block in blocks[row] if _is_head(page, block, marks, labels)]
        heads = set(head)
        body = tuple(block for block in blocks[row] if block not in heads)
        details = read_details(page, row, leaves[row], time.leaf if time else -1)
        parent = parents[number]
        made.append(
            FoundPost(
                row,
                name,
                time.date if time else None,
                time.time if time else None,
                time.shown if time else None,
                parent,
                made[parent].depth + 1 if parent >= 0 else 0,
                details.url,
                details.score,
                details.is_accepted,
                is_opening=False,
                is_apart=False,
                body=body,
                head=tuple(head),
            )
        )
    return _drop_empty(made)


def _find_names_above(
    page: Page, order: Sequence[int], leaves: Mapping[int, Sequence[int]], names: Mapping[int, tuple[str, int]]
) -> dict[int, str]:
    """Return the authors of posts whose names stand above their headers, and so at the end of the post before.

    Then every post but the last one ends with a name, and a name of the same kind is above the first header.
    """
    first = leaves[order[0]][0] - 1 if len(order) >= MIN_POSTS_BELOW_NAMES and leaves[order[0]] else -1
    if first < 0 or order[-1] in names:
        return {}
    found = [names[row] if row in names and names[row][1] == leaves[row][-1] else None for row in order[:-1]]
    ends = [first, *(each[1] for each in found if each)]
    elements = [page.leaf_elements[leaf] for leaf in ends]
    kinds = {(page.tags[row], page.attr(row, "class")) for row in elements}
    name = page.texts[first].strip(NAME_END)
    if None in found or len(kinds) > 1 or not name or len(name) > NAME_CHARS:
        return {}
    return dict(zip(order, [name, *(each[0] for each in found if each)], strict=True))


def _drop_empty(posts: list[FoundPost]) -> list[FoundPost]:
    """Return the posts with a text; replies to others move up to the post above those."""
    numbers: list[int] = []  # of each post, or of the post above it
    found: list[FoundPost] = []
    for post in posts:
        parent = numbers[post.parent] if post.parent >= 0 else -1
        if not post.body:
            numbers.append(parent)
            continue
        numbers.append(len(found))
        found.append(post._replace(parent=parent, depth=found[parent].depth + 1 if parent >= 0 else 0))
    return found


def _find_outer(page: Page, owners: Sequence[int], numbers: Mapping[int, int], row: int) -> int:
    """Return the number of the post around a post; -1 if there is none before it."""
    parent = page.parents[row]
    return min(numbers.get(owners[parent], -1), numbers[row] - 1) if parent >= 0 else -1


def _choose_moments(
    page: Page, held: Mapping[int, Sequence[Moment]], count: int, places: PlacesInPosts
) -> dict[int, Moment]:
    """Return the moment of each post: that whose place most posts have one at."""
    found: dict[tuple[str, ...], dict[int, Moment]] = defaultdict(dict)
    for row, some in held.items():
        for moment in some:
            found[places.find(moment.element)].setdefault(row, moment)
    scored = sorted(found, key=lambda place: -_score_moments(page, place, found[place], count))
    chosen: dict[int, Moment] = {}
    for place in scored:
        for row, moment in found[place].items():
            chosen.setdefault(row, moment)
    return chosen


def _score_moments(page: Page, place: tuple[str, ...], moments: Mapping[int, Moment], count: int) -> float:
    strength = sum(moment.strength for moment in moments.values()) / len(moments)
    before = (page.texts[moment.leaf - 1] for moment in moments.values() if moment.leaf > 0)
    is_joined = JOINED_WORD.search(" ".join(place)) or any(
        len(text) <= LABEL_CHARS and JOINED_WORD.search(text) for text in before
    )
    return strength + 2 * len(moments) / count - 3 * bool(is_joined)


def _find_labels(page: Page, leaves: Mapping[int, Sequence[int]]) -> frozenset[str]:
    """Return the short texts that many posts contain: buttons, and names of fields."""
    counts = Counter(
        text for some in leaves.values() for text in {page.texts[leaf] for leaf in some} if len(text) <= LABEL_CHARS
    )
    least = max(MIN_LABEL_POSTS, MIN_LABEL_SHARE * len(leaves))
    return frozenset(text for text, count in counts.items() if count >= least)


def _is_head(page: Page, block: int, marks: set[int], labels: frozenset[str]) -> bool:
    """Whether a block shows nothing but author, time, labels and numbers."""
    return all(
        leaf in marks
        or page.texts[leaf] in labels
        or not any(map(str.isalpha, page.texts[leaf]))
        or (len(page.texts[leaf]) <= LABEL_CHARS and POINTS.fullmatch(page.texts[leaf].strip()))
        for leaf in range(page.starts[block], page.stops[block])
    )


def _find_opening(
    page: Page, posts: Sequence[FoundPost], moments: Iterable[Moment], kept: Sequence[bool]
) -> FoundPost | None:
    """Return the post that the main text before all other posts makes, if a name or a moment is near it."""
    first = min(block for post in posts for block in post.body + post.head)
    body = [block for block in range(first) if kept[block]]
    if sum(len(page.block_texts[block]) for block in body) < OPENING_LETTERS:
        return None
    start = max(0, body[0] - HEAD_BLOCKS)
    leaves = range(page.starts[start], page.starts[first])
    elements = {page.leaf_elements[leaf] for leaf in leaves}
    times = [each for each in moments if each.leaf in leaves]
    inside = [element in elements for element in range(len(page.tags))]
    names = list(find_authors(page, inside))
    if not times and not names:
        return None
    time = max(times, key=lambda each: (each.strength, -each.leaf), default=None)
    where = {page.leaf_elements[leaf]: leaf for leaf in leaves}
    near = time.leaf if time else page.starts[body[0]]
    name = max(
        names, key=lambda each: each.strength - (abs(where[each.element] - near) > NEAR_LEAVES) * 2, default=None
    )
    return FoundPost(
        page.owners[body[0]],
        name.value if name else _read_name_beside(page, time) if time else None,
        time.date if time else None,
        time.time if time else None,
        time.shown if time else None,
        parent=-1,
        depth=0,
        url=None,
        score=None,
        is_accepted=False,
        is_opening=True,
        is_apart=True,
        body=tuple(body),
        head=(),
    )


def _read_name_beside(page: Page, time: Moment) -> str | None:
    """Return the name before a moment, in the same text or the one before it."""
    if name := read_name_before(time.shown):
        return name
    row = bisect(page.starts, time.leaf) - 1
    before = [page.texts[leaf].strip(NAME_END) for leaf in range(max(page.starts[row], time.leaf - 2), time.leaf)]
    names = [text for text in before if text and len(text) <= NAME_CHARS and text.lower() not in NOT_NAMES]
    return names[0] if names and any(map(str.isalpha, names[0])) else None
