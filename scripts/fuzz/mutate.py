"""Pages made of pages: tags swapped, ends lost, attributes doubled, parts repeated, two pages spliced, bytes flipped.

Each change is a function of a random source, a page and another page. Given the same source, it makes the same page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scripts.fuzz.pieces import ATTRIBUTES, CODECS, PIECES, TAGS, VALUES
from scripts.fuzz.shapes import SHAPES

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

__all__ = ["CHANGES", "LONGEST", "encode_page", "mutate"]

LONGEST = 1_000_000  # characters of a mutant
CHANGED = 0.6  # the probability of another change
TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9-]*)[^<>]*>")
END_TAG = re.compile(r"</[a-zA-Z][^<>]*>")
ATTRIBUTE = re.compile(r"""\s[a-zA-Z-]+\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")


def mutate(random: Random, html: str, other: str) -> str:
    """A page with one change or several."""
    while True:
        change = random.choice(CHANGES)
        html = change(random, html, other)[:LONGEST]
        if random.random() > CHANGED:
            return html


def encode_page(random: Random, html: str) -> bytes:
    """A page as bytes: mostly as it says it is, sometimes in another encoding, sometimes damaged."""
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
    """Some tags of one name become others."""
    found = _choose(random, TAG, html)
    if found is None:
        return html
    old, new = re.escape(found[1]), random.choice(TAGS)
    return re.sub(rf"(</?){old}(?=[\s/>])", rf"\g<1>{new}", html, count=random.choice((1, 2, 10, 0)))


def drop_ends(random: Random, html: str, _: str) -> str:
    """Some end tags are lost, or all of one name."""
    found = _choose(random, END_TAG, html)
    return html.replace(found[0], "", random.choice((1, 5, -1))) if found else html


def drop_tag(random: Random, html: str, _: str) -> str:
    """One tag is lost."""
    found = _choose(random, TAG, html)
    return html[: found.start()] + html[found.end() :] if found else html


def add_attributes(random: Random, html: str, _: str) -> str:
    """A tag gets attributes, some of which it may have."""
    found = _choose(random, TAG, html)
    if found is None:
        return html
    given = "".join(f' {random.choice(ATTRIBUTES)}="{random.choice(VALUES)}"' for _ in range(random.choice((1, 2, 20))))
    at = found.start() + 1 + len(found[1])
    return html[:at] + given + html[at:]


def change_attribute(random: Random, html: str, _: str) -> str:
    """An attribute, or all that are alike, get another value, or another name."""
    found = _choose(random, ATTRIBUTE, html)
    if found is None:
        return html
    name = found[0].split("=")[0] if random.random() < 0.7 else f" {random.choice(ATTRIBUTES)}"
    return html.replace(found[0], f'{name}="{random.choice(VALUES)}"', random.choice((1, -1)))


def double_attributes(random: Random, html: str, _: str) -> str:
    """A tag has all its attributes twice, or a thousand times."""
    found = _choose(random, TAG, html)
    if found is None:
        return html
    inside = html[found.start() + 1 + len(found[1]) : found.end() - 1]
    return html[: found.end() - 1] + f" {inside}" * random.choice((1, 2, 1_000)) + html[found.end() - 1 :]


def nest(random: Random, html: str, _: str) -> str:
    """A start tag is repeated: what it holds lies deeper."""
    found = _choose(random, TAG, html)
    return _insert(html, found.start(), found[0] * random.choice((1, 3, 30, 600))) if found else html


def repeat(random: Random, html: str, _: str) -> str:
    """A part is repeated where it stands."""
    start, stop = _choose_part(random, html)
    times = min(random.choice((1, 2, 10, 100, 2_000)), LONGEST // max(1, stop - start))
    return html[:start] + html[start:stop] * times + html[start:]


def move(random: Random, html: str, _: str) -> str:
    """A part stands somewhere else."""
    start, stop = _choose_part(random, html)
    rest = html[:start] + html[stop:]
    return _insert(rest, random.randrange(len(rest) + 1), html[start:stop])


def delete(random: Random, html: str, _: str) -> str:
    """A part is lost."""
    start, stop = _choose_part(random, html)
    return html[:start] + html[stop:]


def truncate(random: Random, html: str, _: str) -> str:
    """The page ends early."""
    return html[: random.randrange(len(html) + 1)]


def splice(random: Random, html: str, other: str) -> str:
    """One page ends in the middle of another."""
    return html[: random.randrange(len(html) + 1)] + other[random.randrange(len(other) + 1) :]


def insert_part(random: Random, html: str, other: str) -> str:
    """A part of another page stands in this one."""
    start, stop = _choose_part(random, other)
    return _insert(html, random.randrange(len(html) + 1), other[start:stop])


def insert_pieces(random: Random, html: str, _: str) -> str:
    """Pieces of markup, Markdown, entities and controls stand anywhere."""
    for _number in range(random.choice((1, 5, 50))):
        html = _insert(html, random.randrange(len(html) + 1), random.choice(PIECES))
    return html


def insert_shape(random: Random, html: str, _: str) -> str:
    """A small shape stands between two tags."""
    shape = random.choice(list(SHAPES.values()))
    made = shape.make(random.choice((2, 10, 100)))
    found = _choose(random, TAG, html)
    return _insert(html, found.end() if found else 0, made if isinstance(made, str) else "")


def flip_characters(random: Random, html: str, _: str) -> str:
    """Some characters become others."""
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
    """A match near a random place."""
    at = random.randrange(len(html) + 1)
    return pattern.search(html, at) or pattern.search(html)


def _choose_part(random: Random, html: str) -> tuple[int, int]:
    """A part from one tag to another, more often a short one."""
    first, last = _choose(random, TAG, html), None
    start = first.start() if first else random.randrange(len(html) + 1)
    for _ in range(random.choice((1, 2, 4, 20))):
        last = TAG.search(html, last.end() if last else start)
        if last is None:
            break
    return start, last.end() if last else min(len(html), start + 20)


def _insert(html: str, at: int, piece: str) -> str:
    return html[:at] + piece + html[at:]
