"""What speaks for a post of a thread: elements that look alike, and in them the name of who wrote it and a date."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from bonmun.metadata.dates.parse import find_day
from bonmun.page.parse.ancestors import climb
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.page import Page

__all__ = ["PostEvidence", "find_authors", "find_days", "find_signature", "says_post"]

CONTAINERS = frozenset("article section div li tr tbody table dl dd td ul details".split())
POST_TYPE = compile_later(r"schema\.org/(?:Comment|DiscussionForumPosting|Answer|Question|SocialMediaPosting)\Z")
POST_TYPE_SIGNATURE = ("itemtype",)
POST_WORD = compile_later(r"post|comment|reply|answer|message|topic|thread|entry|review|cmt", re.I)
AUTHOR_WORD = compile_later(r"author|user|nick|poster|member|byline|writer|name", re.I)
DATE_WORD = compile_later(r"date|time|ago|posted|published|stamp", re.I)
USER_PATH = compile_later(
    r"(?:\A|/)(?:u|users?|members?|profiles?|people|authors?)(?:[/?]|\.php)|[?&](?:u|uid|user|author|id)=|/@|\A@", re.I
)
DIGITS = compile_later(r"\d+")
CLASS_CHARS = 400  # of a class attribute, at most
CLASSES_KEPT = 1_000  # class attributes of which it is known what they say
NAME_CHARS = 60  # of the name of a person
DATE_CHARS = 80  # of a line with a date
LEVELS = 4  # from a text up to the element that says what it is
NO_NAMES = frozenset("reply edit report quote share author posted by permalink guest anonymous".split())


class PostEvidence(NamedTuple):
    """A text that tells who wrote a post, or when."""

    element: int
    value: str
    strength: int  # the strongest counts, and the first of these


def find_signature(page: Page, row: int) -> tuple[str, ...] | None:
    """What elements that are posts of one thread have in common; None for what is no post."""
    tag = page.tags[row]
    if tag not in CONTAINERS:
        return None
    if (kind := page.attr(row, "itemtype")) and POST_TYPE.search(kind[:CLASS_CHARS]):
        return POST_TYPE_SIGNATURE
    names = _read_classes((page.attr(row, "class") or "")[:CLASS_CHARS])
    return (tag, *names) if names else (tag, f"in {page.parents[row]}")


@lru_cache(CLASSES_KEPT)
def _read_classes(classes: str) -> tuple[str, ...]:
    """The shortest name that says post, else all names, without the numbers in them."""
    names = [DIGITS.sub("#", name) for name in classes.split()]
    posts = [name for name in names if POST_WORD.search(name)]
    return (min(posts, key=len),) if posts else tuple(names)


@lru_cache(CLASSES_KEPT)
def _say_author(classes: str) -> bool:
    """Whether one of some names says that there is a name of a person."""
    return AUTHOR_WORD.search(classes) is not None


def says_post(sign: tuple[str, ...]) -> bool:
    """Whether what elements have in common says that they are posts."""
    return sign == POST_TYPE_SIGNATURE or (len(sign) == 2 and POST_WORD.search(sign[1]) is not None)


def find_authors(page: Page, inside: Sequence[bool]) -> Iterator[PostEvidence]:
    """Find the texts that may be names of people who wrote something, in the elements that are marked."""
    marks: dict[int, int] = {}
    for text, element in zip(page.texts, page.leaf_elements, strict=True):
        if not inside[element] or len(text) > NAME_CHARS or text.lower().strip(" :") in NO_NAMES:
            continue
        strength = 0
        for row in islice(climb(page.parents, element), LEVELS):
            if row not in marks:
                marks[row] = _read_author_mark(page, row)
            if marks[row] > strength:
                strength = marks[row]
        if strength and any(map(str.isalpha, text)):
            yield PostEvidence(element, text.strip(" :,"), strength)


def _read_author_mark(page: Page, row: int) -> int:
    """How strongly an element says that it holds a name: 4 to 1; 0 if it does not."""
    tag = page.tags[row]
    if page.attr(row, "itemprop") in ("author", "creator") or page.attr(row, "rel") == "author":
        return 4
    leads = (page.attr(row, "href") or "")[:CLASS_CHARS] if tag == "a" else ""
    is_user = bool(leads) and USER_PATH.search(leads) is not None
    names = (page.attr(row, "class") or "")[:CLASS_CHARS]
    is_named = _say_author(names)
    return 3 if is_user and is_named else 2 if is_named and tag not in CONTAINERS else int(is_user)


def find_days(page: Page, inside: Sequence[bool]) -> Iterator[PostEvidence]:
    """Find the days that elements name, YYYY-MM-DD, among those that are marked."""
    for row, tag in enumerate(page.tags):
        if tag != "time" or not inside[row]:
            continue
        said = page.attr(row, "datetime") or ""
        if day := find_day(said[:DATE_CHARS].replace("T", " ")):
            yield PostEvidence(row, day.isoformat(), 3)
    for text, element in zip(page.texts, page.leaf_elements, strict=True):
        if inside[element] and len(text) <= DATE_CHARS and DIGITS.search(text) and (day := find_day(text)):
            rows = islice(climb(page.parents, element), LEVELS)
            names = " ".join((page.attr(row, "class") or "")[:CLASS_CHARS] for row in rows)
            yield PostEvidence(element, day.isoformat(), 2 if DATE_WORD.search(names) else 1)
