"""The posts of a thread, as documents list them: author, time, place in the thread and kept blocks of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bonmun.metadata.threads.declared_posts import find_declared_posts, fold_start, locate_posts
from bonmun.metadata.threads.thread import find_thread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.kept import KeptBlock
    from bonmun.page import Page
    from bonmun.page.posts import FoundPost

__all__ = ["Post", "find_posts", "make_posts"]


@dataclass(frozen=True, slots=True)
class Post:
    """A post of a thread: a message in a forum, a question or an answer, a comment.

    Attributes:
        author: Name of the author; None if the post does not show one.
        date: Date of the post, as YYYY-MM-DD; None if the post does not show one.
        text: Text of the post: its blocks, separated by blank lines.
        blocks: Indices of its blocks in `Document.blocks` (in `Document.comments` for a comment).
        xpath: XPath of the element that holds the post, or of its header if the text follows that.
        time: Time of day, as HH:MM or HH:MM:SS, in the time zone of the page; None if the post does not show one.
        shown_time: The moment as the page shows it, such as "3 hours ago".
        depth: Number of posts above it: 0 for a post that replies to no other, 1 for a reply, 2 for a reply to that.
        parent: Index in `Document.posts` of the post that it replies to; None if it replies to none.
        url: URL of the post itself.
        score: Number of votes, points or likes.
        accepted: Whether it is the accepted answer to a question.
        opening: Whether it starts the thread.
        head: Indices of blocks that only show author, time and buttons. They are not part of the text.
        element: Row of the element that holds the post; not part of `to_dict`.
        is_apart: Whether it starts a thread whose other posts are marked up differently; not part of `to_dict`.
    """

    author: str | None
    date: str | None
    text: str
    blocks: tuple[int, ...]
    xpath: str
    time: str | None = None
    shown_time: str | None = None
    depth: int = 0
    parent: int | None = None
    url: str | None = None
    score: int | None = None
    accepted: bool = False
    opening: bool = False
    head: tuple[int, ...] = ()
    element: int = -1
    is_apart: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the post as a dictionary of plain values."""
        values = {name: getattr(self, name) for name in self.__slots__ if name not in ("element", "is_apart")}
        return values | {"blocks": list(self.blocks), "head": list(self.head)}


def find_posts(page: Page, blocks: Sequence[KeptBlock]) -> tuple[Post, ...]:
    """Return the posts that the blocks belong to, in document order; none if they do not hold most of the text."""
    kept = [False] * len(page.starts)
    for block in blocks:
        kept[block.row] = True
    thread = find_thread(page, kept, is_thread=False)
    return make_posts(page, thread.posts if thread else locate_posts(page, blocks), blocks)


def make_posts(page: Page, found: Sequence[FoundPost], blocks: Sequence[KeptBlock]) -> tuple[Post, ...]:
    """Return the posts with kept blocks; replies to other posts move up to the post above those."""
    numbers: dict[int, list[int]] = {}  # of the kept blocks, by row
    for number, block in enumerate(blocks):
        numbers.setdefault(block.row, []).append(number)
    posts: list[Post] = []
    places: list[int] = []  # of each post in `posts`, or that of the post above it
    for each in found:
        parent = places[each.parent] if each.parent >= 0 else -1
        body = [number for row in each.body for number in numbers.get(row, ())]
        if not body:
            places.append(parent)
            continue
        places.append(len(posts))
        posts.append(
            Post(
                each.author,
                each.date,
                "\n\n".join(blocks[number].text for number in body),
                tuple(body),
                page.xpath(each.element),
                each.time,
                each.shown_time,
                posts[parent].depth + 1 if parent >= 0 else 0,
                parent if parent >= 0 else None,
                each.url,
                each.score,
                each.is_accepted,
                each.is_opening,
                tuple(number for row in each.head for number in numbers.get(row, ())),
                each.element,
                each.is_apart,
            )
        )
    return _add_declared(page, posts)


def _add_declared(page: Page, posts: Sequence[Post]) -> tuple[Post, ...]:
    """Return the posts with the authors and dates that JSON-LD has for those without an author."""
    if all(post.author for post in posts):
        return tuple(posts)
    known = find_declared_posts(page)
    return tuple(
        replace(post, author=found.author, date=post.date or found.date, time=post.time or found.time)
        if not post.author and (found := known.get(fold_start(post.text)))
        else post
        for post in posts
    )
