"""Posts that a page declares in JSON-LD: `DiscussionForumPosting`, `Question` with answers, `Comment`.

They complete posts that were found on the visible page, and tell where posts are if none were found.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun.metadata.dates.parse import read_program_day
from bonmun.metadata.declared import clean_url, clean_value, read_declared, read_names
from bonmun.page.posts import FoundPost
from bonmun.text.urls import read_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.kept import KeptBlock
    from bonmun.metadata.declared import Declared
    from bonmun.page import Page

__all__ = ["DeclaredPost", "find_declared_posts", "fold_start", "locate_posts"]

OPENING_TYPES = frozenset({"discussionforumposting", "question", "socialmediaposting"})
POST_TYPES = OPENING_TYPES | {"comment", "answer"}
REPLIES = ("comment", "acceptedAnswer", "suggestedAnswer")
MIN_POSTS = 2  # of a thread
MAX_REPLIES = 200  # of a post that are read
KEY_LETTERS = 24  # at the start of a text, by which it is recognised
MAX_TEXT_CHARS = 5_000  # of a declared text that are compared
TAG = re.compile(r"<[^<>]{0,500}>")
NOT_LETTERS = re.compile(r"[\W_]+")
CLOCK = re.compile(r"T(\d\d:\d\d(?::\d\d)?)")


class DeclaredPost(NamedTuple):
    """A post in JSON-LD."""

    letters: str  # of its text
    author: str | None
    date: str | None
    time: str | None
    url: str | None
    score: int | None
    is_accepted: bool
    parent: int


def find_declared_posts(page: Page) -> dict[str, DeclaredPost]:
    """Return the posts of JSON-LD by the start of their texts (`fold_start`)."""
    return {each.letters[:KEY_LETTERS]: each for each in reversed(_list_declared(page)) if each.letters}


def fold_start(text: str) -> str:
    """Return the first letters of a text, by which a post is recognised."""
    return _fold(text)[:KEY_LETTERS]


def locate_posts(page: Page, blocks: Sequence[KeptBlock]) -> tuple[FoundPost, ...]:
    """Return the declared posts whose texts are among the blocks, in document order; none if there are not several."""
    declared = _list_declared(page)
    if len(declared) < MIN_POSTS:
        return ()
    texts = [_fold(block.text) for block in blocks]
    places: dict[str, int] = {}
    for number, text in enumerate(texts):
        if text:
            places.setdefault(text[:KEY_LETTERS], number)
    starts = {
        places[each.letters[:KEY_LETTERS]]: number
        for number, each in reversed(list(enumerate(declared)))
        if each.letters[:KEY_LETTERS] in places
    }
    if len(starts) < MIN_POSTS:
        return ()
    found: list[FoundPost] = []
    numbers: dict[int, int] = {}  # index in `found`, by that in `declared`
    for start in sorted(starts):
        post = declared[starts[start]]
        end = start + 1
        while end < len(texts) and end not in starts and texts[end] and texts[end] in post.letters:
            end += 1
        rows = tuple(dict.fromkeys(block.row for block in blocks[start:end]))
        parent = numbers.get(post.parent, -1)
        numbers[starts[start]] = len(found)
        found.append(
            FoundPost(
                page.owners[rows[0]],
                post.author,
                post.date,
                post.time,
                shown_time=None,
                parent=parent,
                depth=found[parent].depth + 1 if parent >= 0 else 0,
                url=post.url,
                score=post.score,
                is_accepted=post.is_accepted,
                is_opening=not found,
                is_apart=True,
                body=rows,
                head=(),
            )
        )
    return tuple(found)


def _list_declared(page: Page) -> list[DeclaredPost]:
    """Return the posts of JSON-LD, each after the post that it replies to."""
    if page.select_first("script[type*='ld+json' i]") is None:
        return []
    declared = read_declared(page)
    things = declared.find_things(POST_TYPES)
    inner = {id(reply) for thing in things for name, reply in _list_replies(thing)}
    stack = [(thing, -1, "") for thing in reversed(things) if id(thing) not in inner]
    found: list[DeclaredPost] = []
    seen: set[int] = set()
    while stack:
        thing, parent, name = stack.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        found.append(_read_post(thing, parent, declared, page.base_url, is_accepted=name == "acceptedAnswer"))
        stack += [(reply, len(found) - 1, name) for name, reply in reversed(_list_replies(thing))]
    return found


def _list_replies(thing: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    values = [(name, thing.get(name)) for name in REPLIES]
    lists = [(name, value[:MAX_REPLIES] if isinstance(value, list) else [value]) for name, value in values]
    return [(name, reply) for name, replies in lists for reply in replies if isinstance(reply, dict)]


def _read_post(thing: dict[str, Any], parent: int, declared: Declared, base: str, *, is_accepted: bool) -> DeclaredPost:
    text = next((thing[name] for name in ("text", "articleBody") if isinstance(thing.get(name), str)), "")
    moment = clean_value(thing.get("dateCreated") or thing.get("datePublished"))
    day, clock = read_program_day(moment), CLOCK.search(moment)
    score = thing.get("upvoteCount")
    return DeclaredPost(
        _fold(text),
        next(iter(read_names(thing.get("author"), declared)), None),
        str(day) if day else None,
        clock[1] if day and clock else None,
        read_url(clean_url(thing.get("url")), base),
        score if isinstance(score, int) and not isinstance(score, bool) else None,
        is_accepted,
        parent,
    )


def _fold(text: str) -> str:
    """Return the letters and digits at the start of a text, in lower case, without tags."""
    return NOT_LETTERS.sub("", TAG.sub(" ", text[:MAX_TEXT_CHARS])).casefold()
