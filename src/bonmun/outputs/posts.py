"""The posts that the output contains: the line above each, and its place in the thread. All writers use this module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun.outputs.nodes import Node

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bonmun.kept import KeptBlock
    from bonmun.metadata.posts import Post

__all__ = ["MAX_DEPTH", "NO_POSTS", "WrittenPost", "WrittenPosts", "list_written_posts", "nest_posts"]

SEPARATOR = " · "
MAX_DEPTH = 5  # of nested articles and quotes; deeper replies are written at this depth
MAX_NESTED_LEVELS = 50  # of replies in JSON; deeper ones are at this level, since readers of JSON limit its depth
MIN_MOMENT_CHARS = 6  # of a moment that is not found in a text by chance
NO_CUT = -1  # instead of an element: structures around the post are kept


class WrittenPost(NamedTuple):
    """A post in the output."""

    author: str | None
    moment: str  # "2024-05-01 10:20", or as the page shows it; "" if there is none
    machine_moment: str  # "2024-05-01T10:20"; "" if the date is unknown
    parent: int | None  # index of the post that it replies to
    element: int  # elements up to this one are not part of the post

    @property
    def line(self) -> str:
        """Author and moment, as plain text; "" if there is neither."""
        return SEPARATOR.join(filter(None, (self.author, self.moment)))

    def make_header(self) -> Node:
        """Return the author in bold and the moment, as a node."""
        children: list[Node | str] = [Node("strong", None, [self.author])] if self.author else []
        if self.author and self.moment:
            children.append(SEPARATOR)
        if self.machine_moment:
            children.append(Node("time", {"datetime": self.machine_moment}, [self.moment]))
        elif self.moment:
            children.append(self.moment)
        return Node("header", None, children)


class WrittenPosts(NamedTuple):
    """The posts in the output, and the blocks of the page that belong to them."""

    posts: tuple[WrittenPost, ...]
    numbers: dict[int, int]  # index of the post that a block belongs to, by row
    first: dict[int, WrittenPost]  # posts with a line, by the row of their first block
    heads: frozenset[int]  # rows of blocks that the line replaces


NO_POSTS = WrittenPosts((), {}, {}, frozenset())


def list_written_posts(groups: Iterable[tuple[Sequence[Post], Sequence[KeptBlock]]]) -> WrittenPosts:
    """Return what to write of some posts, given with the blocks that their indices refer to."""
    made: list[WrittenPost] = []
    numbers: dict[int, int] = {}
    first: dict[int, WrittenPost] = {}
    heads: set[int] = set()
    for posts, blocks in groups:
        start = len(made)
        for post in posts:
            parent = None if post.parent is None else start + post.parent
            element = NO_CUT if post.is_apart else post.element
            if _is_told(post):
                written = WrittenPost(None, "", "", parent, element)
            else:
                moments = list(filter(None, (post.date, post.time))) if post.date else []
                shown = " ".join(moments) or post.shown_time or ""
                written = WrittenPost(post.author, shown, "T".join(moments), parent, element)
            rows = [blocks[number].row for number in post.blocks]
            numbers |= dict.fromkeys(rows, len(made))
            if written.line:
                first[min(rows)] = written
                heads.update(blocks[number].row for number in post.head)
            made.append(written)
    return WrittenPosts(tuple(made), numbers, first, frozenset(heads))


def _is_told(post: Post) -> bool:
    """Whether the text names author and moment, as lists of threads do: "last post by Sol on 4 March"."""
    author, moment = post.author, post.shown_time or ""
    return author is not None and len(moment) >= MIN_MOMENT_CHARS and author in post.text and moment in post.text


def nest_posts(parents: Sequence[int | None]) -> list[dict[str, Any]]:
    """Return the index of each post with its replies, which have replies in turn, given the post each replies to."""
    roots: list[dict[str, Any]] = []
    places: list[tuple[int, list[dict[str, Any]], list[dict[str, Any]]]] = []  # level, siblings and replies
    for number, parent in enumerate(parents):
        level, siblings, replies = places[parent] if parent is not None else (-1, roots, roots)
        if level < MAX_NESTED_LEVELS:
            level, siblings = level + 1, replies
        nested: dict[str, Any] = {"post": number, "replies": []}
        siblings.append(nested)
        places.append((level, siblings, nested["replies"]))
    return roots
