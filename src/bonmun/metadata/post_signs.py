"""Evidence for the posts of a thread: similar elements, and the author names and dates in them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from bonmun.page.parse.ancestors import list_around, list_near
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.page import Page

__all__ = [
    "CLASS_CHARS",
    "NOT_NAMES",
    "PostEvidence",
    "find_authors",
    "find_signature",
    "is_post_signature",
    "read_author_mark",
]

CONTAINERS = frozenset("article section div li tr tbody table dl dt dd td ul details blockquote p h2 h3 h4 h5".split())
POST_TYPE = compile_later(
    r"schema\.org/(?:Comment|UserComments|DiscussionForumPosting|Answer|Question|SocialMediaPosting|Review)\Z"
)
POST_TYPE_SIGNATURE = ("itemtype",)
POST_WORD = compile_later(
    r"post|comment|reply|answer|message|topic|thread|entry|review|cmt|response|kommentar|beitrag|mensaje|tweet|댓글|답글",
    re.I,
)
AUTHOR_WORD = compile_later(r"author|user|nick|poster|member|byline|writer|name", re.I)
USER_PATH = compile_later(
    r"(?:\A|/)(?:u|users?|members?|profiles?|people|authors?)(?:[/?]|\.php)|[?&;](?:u|uid|user|author|id)=|/@|\A@", re.I
)
DIGITS = compile_later(r"\d+")
CLASS_CHARS = 400  # characters of a class attribute that are read
CLASS_CACHE_SIZE = 1_000  # class attributes
NAME_CHARS = 60  # maximum length of a name
LEVELS = 4  # from a leaf up to the element whose attributes are read
NOT_NAMES = frozenset(
    (
        "reply edit report quote share author posted by permalink guest anonymous member von am par le de from on "
        "wrote said says answered asked commented op 신고 답글 댓글 작성자 글쓴이 글쓴이: 추천 投稿者 名前 返信 "
        "回复 作者 楼主"
    ).split()
)


class PostEvidence(NamedTuple):
    """The author or the date that an element names."""

    element: int
    value: str
    strength: int  # 1 (weak) to 4


def find_signature(page: Page, row: int) -> tuple[str, ...] | None:
    """Return what an element has in common with the other posts of its thread, or None if it cannot be a post."""
    tag = page.tags[row]
    if tag not in CONTAINERS:
        return None
    if (kind := page.attr(row, "itemtype")) and POST_TYPE.search(kind[:CLASS_CHARS]):
        return POST_TYPE_SIGNATURE
    names = _read_classes((page.attr(row, "class") or "")[:CLASS_CHARS])
    return (tag, *names) if names else (tag, f"in {page.parents[row]}")


@lru_cache(CLASS_CACHE_SIZE)
def _read_classes(classes: str) -> tuple[str, ...]:
    """Return the shortest class name that names a post, else all class names; digits are replaced."""
    names = [DIGITS.sub("#", name) for name in classes.split()]
    posts = [name for name in names if POST_WORD.search(name)]
    return (min(posts, key=len),) if posts else tuple(names)


@lru_cache(CLASS_CACHE_SIZE)
def _names_author(classes: str) -> bool:
    """Whether a class attribute says that the element holds a name."""
    return AUTHOR_WORD.search(classes) is not None


def is_post_signature(signature: tuple[str, ...]) -> bool:
    """Whether a signature names posts, by type or by class."""
    return signature == POST_TYPE_SIGNATURE or (len(signature) == 2 and POST_WORD.search(signature[1]) is not None)


def find_authors(page: Page, inside: Sequence[bool] | None = None) -> Iterator[PostEvidence]:
    """Yield the leaves that may be names of authors, in all elements or those that are marked in `inside`."""
    parents = page.parents
    leaves = [
        (element, text)
        for element, text in zip(page.leaf_elements, page.texts, strict=True)
        if len(text) <= NAME_CHARS and (not inside or inside[element])
    ]
    around = list_near(parents, [element for element, _ in leaves], LEVELS)
    marks = _read_author_marks(page, list(around))
    for element, text in leaves if marks else ():
        strength = max([marks.get(row, 0) for row in list_around(parents, element, LEVELS)])
        if strength and any(map(str.isalpha, text)) and text.lower().strip(" :") not in NOT_NAMES:
            yield PostEvidence(element, text.strip(" :,"), strength)


def _read_author_marks(page: Page, rows: Sequence[int]) -> dict[int, int]:
    """Return the elements that say that they hold an author's name, and how strongly."""
    values = (page.attrs(rows, name) for name in ("itemprop", "rel", "class"))
    tags, marks = page.tags, dict[int, int]()
    for row, itemprop, rel, classes in zip(rows, *values, strict=True):
        if (classes or itemprop or rel or tags[row] == "a") and (mark := _weigh(page, row, itemprop, rel, classes)):
            marks[row] = mark
    return marks


def read_author_mark(page: Page, row: int) -> int:
    """Return how strongly an element says that it holds an author's name: 4 to 1, or 0 if it does not."""
    read = page.markup[row].attr
    return _weigh(page, row, read("itemprop"), read("rel"), read("class"))


def _weigh(page: Page, row: int, itemprop: str | None, rel: str | None, classes: str | None) -> int:
    if itemprop in ("author", "creator") or rel == "author":
        return 4
    tag = page.tags[row]
    href = (page.attr(row, "href") or "")[:CLASS_CHARS] if tag == "a" else ""
    is_user = bool(href) and USER_PATH.search(href) is not None
    is_named = bool(classes) and _names_author((classes or "")[:CLASS_CHARS])
    return 3 if is_user and is_named else 2 if is_named and tag not in CONTAINERS else int(is_user)
