"""Mutate pages: swap tags, drop end tags, double attributes, repeat parts, splice two pages, flip bytes.

Each mutation is a function of a random generator, a page and another page. The same seed gives the same mutant.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scripts.fuzz.pieces import ATTRIBUTES, CODECS, PIECES, TAGS, VALUES
from scripts.fuzz.shapes import SHAPES

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

__all__ = ["CHANGES", "MAX_CHARACTERS", "encode_page", "mutate"]

MAX_CHARACTERS = 1_000_000  # of a mutant
CHANGE_PROBABILITY = 0.6  # of another change
TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9-]*)[^<>]*>")
END_TAG = re.compile(r"</[a-zA-Z][^<>]*>")
ATTRIBUTE = re.compile(r"""\s[a-zA-Z-]+\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")


def mutate(random: Random, html: str, other: str) -> str:
    """Return a page with one or more changes."""
    while True:
        change = random.choice(CHANGES)
        html = change(random, html, other)[:MAX_CHARACTERS]
        if random.random() > CHANGE_PROBABILITY:
            return html


def encode_page(random: Random, html: str) -> bytes:
    """Encode a page: mostly in its declared encoding, sometimes in another one, sometimes damaged."""
    codec = random.choice(CODECS) if random.random() < 0.4 else "utf-8"
    data = html.encode(codec, "xmlcharrefreplace") if "utf" not in codec else html.encode(codec, "replace")
    if random.random() < 0.3:
        changed = bytearray(data)
        for _ in range(random.choice((1, 3, 30))):
            at = random.randrange(len(changed) + 1)
            changed[at : at + random.randrange(2)] = random.randbytes(random.randrange(3))
        data = bytes(changed)
    return data


# --- changes ---------------------------------------------------------------------------------------------------------


def swap_tags(random: Random, html: str, _: str) -> str:
    """Replace some tags of one name by others."""
    found = _choose(random, TAG, html)
    if found is None:
        return html
    old, new = re.escape(found[1]), random.choice(TAGS)
    return re.sub(rf"(</?){old}(?=[\s/>])", rf"\g<1>{new}", html, count=random.choice((1, 2, 10, 0)))


def drop_ends(random: Random, html: str, _: str) -> str:
    """Drop some end tags, or all of one name."""
    found = _choose(random, END_TAG, html)
    return html.replace(found[0], "", random.choice((1, 5, -1))) if found else html


def drop_tag(random: Random, html: str, _: str) -> str:
    """Drop one tag."""
    found = _choose(random, TAG, html)
    return html[: found.start()] + html[found.end() :] if found else html


def add_attributes(random: Random, html: str, _: str) -> str:
    """Add attributes to a tag, some of which it may already have."""
    found = _choose(random, TAG, html)
    if found is None:
        return html
    given = "".join(f' {random.choice(ATTRIBUTES)}="{random.choice(VALUES)}"' for _ in range(random.choice((1, 2, 20))))
    at = found.start() + 1 + len(found[1])
    return html[:at] + given + html[at:]


def change_attribute(random: Random, html: str, _: str) -> str:
    """Change the value or the name of an attribute, or of all equal ones."""
    found = _choose(random, ATTRIBUTE, html)
    if found is None:
        return html
    name = found[0].split("=")[0] if random.random() < 0.7 else f" {random.choice(ATTRIBUTES)}"
    return html.replace(found[0], f'{name}="{random.choice(VALUES)}"', random.choice((1, -1)))


def double_attributes(random: Random, html: str, _: str) -> str:
    """Repeat all attributes of a tag, twice or a thousand times."""
    found = _choose(random, TAG, html)
    if found is None:
        return html
    inside = html[found.start() + 1 + len(found[1]) : found.end() - 1]
    return html[: found.end() - 1] + f" {inside}" * random.choice((1, 2, 1_000)) + html[found.end() - 1 :]


def nest(random: Random, html: str, _: str) -> str:
    """Repeat a start tag, so that its content is nested deeper."""
    found = _choose(random, TAG, html)
    return _insert(html, found.start(), found[0] * random.choice((1, 3, 30, 600))) if found else html


def repeat(random: Random, html: str, _: str) -> str:
    """Repeat a part in place."""
    start, stop = _choose_part(random, html)
    times = min(random.choice((1, 2, 10, 100, 2_000)), MAX_CHARACTERS // max(1, stop - start))
    return html[:start] + html[start:stop] * times + html[start:]


def move(random: Random, html: str, _: str) -> str:
    """Move a part."""
    start, stop = _choose_part(random, html)
    rest = html[:start] + html[stop:]
    return _insert(rest, random.randrange(len(rest) + 1), html[start:stop])


def delete(random: Random, html: str, _: str) -> str:
    """Delete a part."""
    start, stop = _choose_part(random, html)
    return html[:start] + html[stop:]


def truncate(random: Random, html: str, _: str) -> str:
    """Truncate the page."""
    return html[: random.randrange(len(html) + 1)]


def splice(random: Random, html: str, other: str) -> str:
    """Join the start of one page with the end of another."""
    return html[: random.randrange(len(html) + 1)] + other[random.randrange(len(other) + 1) :]


def insert_part(random: Random, html: str, other: str) -> str:
    """Insert a part of another page."""
    start, stop = _choose_part(random, other)
    return _insert(html, random.randrange(len(html) + 1), other[start:stop])


def insert_pieces(random: Random, html: str, _: str) -> str:
    """Insert pieces of markup, Markdown, entities and control characters anywhere."""
    for _number in range(random.choice((1, 5, 50))):
        html = _insert(html, random.randrange(len(html) + 1), random.choice(PIECES))
    return html


def insert_shape(random: Random, html: str, _: str) -> str:
    """Insert a small shape between two tags."""
    shape = random.choice(list(SHAPES.values()))
    made = shape.make(random.choice((2, 10, 100)))
    found = _choose(random, TAG, html)
    return _insert(html, found.end() if found else 0, made if isinstance(made, str) else "")


def flip_characters(random: Random, html: str, _: str) -> str:
    """Replace some characters by others."""
    characters = list(html)
    for _number in range(random.choice((1, 5, 50)) if characters else 0):
        characters[random.randrange(len(characters))] = chr(
            random.choice((random.randrange(128), random.randrange(0x11000)))
        )
    return "".join(characters)


CHANGES: tuple[Callable[[Random, str, str], str], ...] = (
    swap_tags, drop_ends, drop_tag, add_attributes, change_attribute, double_attributes, nest, repeat, move, delete,
    truncate, splice, insert_part, insert_pieces, insert_shape, flip_characters,
)  # fmt: skip


def _choose(random: Random, pattern: re.Pattern[str], html: str) -> re.Match[str] | None:
    """Return a match near a random position."""
    at = random.randrange(len(html) + 1)
    return pattern.search(html, at) or pattern.search(html)


def _choose_part(random: Random, html: str) -> tuple[int, int]:
    """Return a part from one tag to another; short ones are more likely."""
    first, last = _choose(random, TAG, html), None
    start = first.start() if first else random.randrange(len(html) + 1)
    for _ in range(random.choice((1, 2, 4, 20))):
        last = TAG.search(html, last.end() if last else start)
        if last is None:
            break
    return start, last.end() if last else min(len(html), start + 20)


def _insert(html: str, at: int, piece: str) -> str:
    return html[:at] + piece + html[at:]
