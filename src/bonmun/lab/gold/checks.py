"""The checks of a page: what a demanding reader looks for in the result, written down by a person.

A record has them as `checks`, an object with any of these keys:

| key | value |
|---|---|
| `has`, `hasnt` | phrases that must, and must not, be in the text |
| `captions` | captions that must be in the text |
| `images` | parts of the URLs of images that must be shown |
| `headings` | sub-headings, which must be headings or bold lines |
| `code` | the first lines of code blocks |
| `rows` | table rows, each as a list of cells that must be in one row of a table |
| `posts` | posts of a thread: `{"author": …, "starts": …}`, the name and the first words |
| `title`, `title_also` | the title, and others that are right, too |
| `authors` | the names of all authors |
| `date` | the date of publication, as YYYY-MM-DD |
| `kind` | the kind of page; "empty" (or "none") also means that there is nothing to read |

All other keys, such as a note, are ignored.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

__all__ = ["PageChecks", "PostCheck", "find_checks_problem", "read_checks"]

LISTS = ("has", "hasnt", "captions", "images", "headings", "code", "title_also", "authors")
TEXTS = ("title", "date", "kind")
KIND_NAMES = {"none": "empty"}


@dataclass(frozen=True, slots=True)
class PostCheck:
    """A post that must be found: its author, and its first words."""

    author: str
    starts: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageChecks:
    """The checks of a page (see the top of this module)."""

    has: tuple[str, ...] = ()
    hasnt: tuple[str, ...] = ()
    captions: tuple[str, ...] = ()
    images: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    posts: tuple[PostCheck, ...] = ()
    title: str | None = None
    title_also: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    date: str | None = None
    kind: str | None = None


def read_checks(value: dict[str, Any] | None) -> PageChecks | None:
    """Return the checks of a record without a problem; None if it has none."""
    if value is None:
        return None
    given: dict[str, Any] = {key: tuple(each for each in value.get(key) or () if each.strip()) for key in LISTS}
    given |= {key: value.get(key) or None for key in TEXTS}
    given["kind"] = KIND_NAMES.get(given["kind"], given["kind"])
    given["rows"] = tuple(tuple(row) for row in value.get("rows") or () if row)
    given["posts"] = tuple(PostCheck(post["author"], post["starts"]) for post in value.get("posts") or ())
    checks = PageChecks(**given)
    return checks if any(getattr(checks, field.name) for field in fields(checks)) else None


def find_checks_problem(value: object) -> str | None:
    """Say why the checks of a record are unusable; None if they are usable or missing."""
    if value is None:
        return None
    if not isinstance(value, dict):
        return "checks is not an object"
    for key in LISTS:
        if not _is_list_of_strings(value.get(key) or []):
            return f"checks.{key} is not a list of strings"
    for key in TEXTS:
        if not isinstance(value.get(key) or "", str):
            return f"checks.{key} is not a string"
    rows, posts = value.get("rows") or [], value.get("posts") or []
    if not isinstance(rows, list) or not all(map(_is_list_of_strings, rows)):
        return "checks.rows is not a list of rows, each a list of cells"
    if not isinstance(posts, list) or not all(map(_is_post, posts)):
        return "checks.posts is not a list of objects with author and starts"
    return None


def _is_list_of_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_post(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(key), str) for key in ("author", "starts"))
