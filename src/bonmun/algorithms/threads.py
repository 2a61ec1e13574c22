"""Recognise threads, and keep posts that the network has dropped though it keeps others like them.

A network tells a thread from an article with comments by its text. Boards, whose threads are a text and comments, look
like articles: what tells them apart is that their URL or their class names say so, and that comments are the text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from bonmun.models.network.thresholds import FILLED, REASON_TEXTS, THREAD_CHANCE
from bonmun.page.page_kinds import MIN_PROBABILITY, weigh_page_kinds
from bonmun.page.parse.ancestors import list_around
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from bonmun.models.network.thresholds import Decision
    from bonmun.page import Page
    from bonmun.page.posts import FoundPost

__all__ = ["FORUM", "BoardReading", "find_filled_profiles", "find_posts_to_keep", "read_board"]

FORUM = "forum"
# Likelihood ratios: how many times more likely a thread is if …
NAMED_RATIO = 15.0  # … class names around the text or the headline say that it is a board
POSTS_RATIO = 10.0  # … most of the text is in posts
COMMENTS_RATIO = 2.0  # … there are posts beside the text
MAX_LIST_CHANCE = 0.3  # that a page without posts is a list
MIN_NAMED_SHARE = 0.5  # of posts with an author
MAX_LINKED_SHARE = 0.5  # of the letters of posts; more are the titles of a list
MIN_POSTS_SHARE = 0.5  # of the kept letters
BOARD_WORD = compile_later(r"(?<![a-z])(?:z?board|bbs|forum|thread|viewtopic|showthread)s?(?![a-z])", re.I)
BOARD_PARTS = ("board", "bbs", "forum", "thread", "viewtopic")  # what BOARD_WORD needs: few pages have one
NAME_CHARS = 200  # characters of a class or id that are read
HEADLINES = ("h1", "h2", "h3")
STEPS = 6  # elements from a block up to its post that are compared
MIN_KEPT_SHARE = 0.5  # of the letters at a place in posts; if more is kept, all are text
TEXT_TAGS = frozenset(
    "p li ul ol dl dd dt blockquote pre br span b i em strong a font h1 h2 h3 h4 h5 h6 code table tbody tr td".split()
)
NUMBERS = compile_later(r"[0-9]+")


class BoardReading(NamedTuple):
    """The posts of a page that is a thread, and the probability of each kind of page, given these."""

    posts: tuple[FoundPost, ...]
    kinds: list[tuple[str, float]]


def read_board(page: Page, found: Decision) -> BoardReading | None:
    """Return the posts of a page, or None if the page is not a thread; cheap unless it may be one."""
    if True not in found.kept:
        return None
    kinds = dict(found.kinds)
    kinds[FORUM] = max(kinds[FORUM], MIN_PROBABILITY)
    names = _is_named_board(page, found.kept) + (BOARD_WORD.search((page.likely_url or "")[:NAME_CHARS]) is not None)
    if not _is_forum(page, kinds, NAMED_RATIO**names * POSTS_RATIO):
        return None
    from bonmun.metadata.threads.thread import find_thread  # loads the metadata package

    thread = find_thread(page, found.kept, found.comments, is_thread=True)
    posts = thread.posts if thread else ()
    if thread and _are_messages(page, posts):
        is_covered = thread.covered_share >= MIN_POSTS_SHARE
        if not (is_covered or names or kinds[FORUM] > THREAD_CHANCE):  # comments below a blog post
            return None
        count = sum(not post.is_apart for post in posts)
        ratio = NAMED_RATIO**names * (COMMENTS_RATIO if not is_covered else POSTS_RATIO if count > 1 else 1.0)
    else:  # the names of a board are also those of its list of threads
        posts = posts if thread and thread.covered_share >= MIN_POSTS_SHARE else ()
        is_list = kinds["listing"] + kinds["collection"] > MAX_LIST_CHANCE
        ratio = NAMED_RATIO**names if names > 1 and not is_list else 1.0
    if not _is_forum(page, kinds, ratio):
        return None
    kinds[FORUM] *= ratio
    total = sum(kinds.values())
    return BoardReading(posts, sorted(((kind, weight / total) for kind, weight in kinds.items()), key=lambda x: -x[1]))


def _is_forum(page: Page, kinds: Mapping[str, float], ratio: float) -> bool:
    """Whether a page is most likely a thread, if that is `ratio` times more likely than the network says."""
    weights = weigh_page_kinds({**kinds, FORUM: kinds[FORUM] * ratio}, page.likely_url)
    return max(weights, key=lambda kind: weights[kind]) == FORUM


def _are_messages(page: Page, posts: Sequence[FoundPost]) -> bool:
    """Whether most posts have an author, and most of their text is not links."""
    posts = [post for post in posts if not post.is_apart]
    blocks = [block for post in posts for block in post.body]
    total = sum(len(page.block_texts[block]) for block in blocks)
    linked = sum(
        len(page.texts[leaf])
        for block in blocks
        for leaf in range(page.starts[block], page.stops[block])
        if page.linked_leaves[leaf]
    )
    named = sum(post.author is not None for post in posts)
    return named >= MIN_NAMED_SHARE * len(posts) and linked <= MAX_LINKED_SHARE * total


def _is_named_board(page: Page, kept: list[bool]) -> bool:
    """Whether class names or ids around the middle of the kept text or the headline before it name a board."""
    first, last = kept.index(True), len(kept) - 1 - kept[::-1].index(True)
    middle = kept.index(True, (first + last) // 2)
    tags, owners = page.tags, page.owners
    headline = next((row for row in range(first, -1, -1) if tags[owners[row]] in HEADLINES), middle)
    around = page.with_ancestors((owners[middle], owners[headline]))
    names = " ".join([name[:NAME_CHARS] for each in ("class", "id") for name in page.attrs(around, each) if name])
    folded = names.lower()
    return any(map(folded.__contains__, BOARD_PARTS)) and BOARD_WORD.search(names) is not None


def find_posts_to_keep(page: Page, posts: Sequence[FoundPost], kept: Sequence[bool]) -> Iterator[int]:
    """Yield the blocks of posts without kept text, at places where other posts have theirs.

    If no post has kept text, their text is where most letters are.
    """
    letters: dict[tuple[str, ...], int] = defaultdict(int)
    held: dict[tuple[str, ...], int] = defaultdict(int)
    places: dict[int, tuple[str, ...]] = {}
    for post in posts:
        if post.is_apart:
            continue
        for block in post.body:
            place = places[block] = _find_place(page, post.element, block)
            letters[place] += len(page.block_texts[block])
            if kept[block]:
                held[place] += len(page.block_texts[block])
    if held:
        wanted: Collection[tuple[str, ...]] = {
            place for place, count in held.items() if count >= MIN_KEPT_SHARE * letters[place]
        }
    else:
        wanted = {max(letters, key=lambda place: letters[place])} if letters else ()
    for post in posts:
        if not post.is_apart and not any(kept[block] for block in post.body):
            yield from (block for block in post.body if places[block] in wanted)


def find_filled_profiles(posts: Sequence[FoundPost], found: Decision) -> Iterator[int]:
    """Yield the blocks that are only kept because they are between kept texts, if these belong to different posts.

    Such tables hold the profile of an author or the header of a post.
    """
    owners = {block: number for number, post in enumerate(posts) for block in post.body}
    before, run = -1, list[int]()  # the post of the last kept text, and the blocks since then
    for row, is_kept in enumerate(found.kept):
        if not is_kept:
            continue
        if found.reasons[row] == REASON_TEXTS[FILLED]:
            run.append(row)
            continue
        after = owners.get(row, -1)
        if before >= 0 and after >= 0 and before != after:
            yield from run
        before, run = after, []


def _find_place(page: Page, post: int, block: int) -> tuple[str, ...]:
    """Return tags and classes from the container of a block up to its post."""
    ends = {post, page.parents[post]}
    rows = takewhile(lambda row: row not in ends, list_around(page.parents, page.owners[block], STEPS))
    steps = [f"{page.tags[row]} {NUMBERS.sub('#', (page.attr(row, 'class') or '')[:NAME_CHARS])}" for row in rows]
    while steps and (steps[0].partition(" ")[0] in TEXT_TAGS or steps[0] == "div "):
        del steps[0]
    return tuple(steps)
