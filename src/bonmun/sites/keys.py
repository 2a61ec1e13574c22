"""Leaves as numbers: a text in its normal form, and a place on a page, as 64 bits that are the same on every machine.

A place is the chain of tags, class and id names down to an element, with every number taken as the same: the posts of a
blog have one place, whatever their ids.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from bonmun.page import Page

__all__ = [
    "LeafCount",
    "Normalisation",
    "count_leaves",
    "find_dropped_leaves",
    "hash_bytes",
    "hash_places",
    "hash_texts",
]

DIGITS = re.compile(r"\d+")
NAME_CHARACTERS = 200  # of a class and id that count: longer ones are made by machines
READ_CHARACTERS = 1000  # of them that are looked at, and kept in memory
# What the first paper drops before it counts; the walk reads no text in head, script, style, link and iframe anyway.
DROPPED_TAGS = frozenset("head footer header script style link iframe a em".split())


@dataclass(frozen=True, slots=True)
class Normalisation:
    """When two texts are the same. White space never matters, nor whether 가 is one character or two.

    Normalisation(digits=True)     # "조회 12" and "조회 7" are one text
    Normalisation(case=True)       # "Read More" and "Read more" are one text
    """

    digits: bool = False
    case: bool = False

    def __call__(self, text: str) -> str:
        """The text of a leaf, whose white space is folded already, in its normal form."""
        if not text.isascii():
            text = unicodedata.normalize("NFC", text)
        if self.case:
            text = text.casefold()
        return DIGITS.sub("0", text) if self.digits else text


def hash_bytes(data: bytes) -> int:
    """64 bits that stand for some bytes."""
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little")


def hash_texts(page: Page, normal: Normalisation) -> list[int]:
    """A key for the text of each leaf."""
    return [hash_bytes(normal(text).encode("utf-8", "replace")) for text in page.texts]


def hash_places(page: Page) -> list[int]:
    """A key for the place of each leaf."""
    places: dict[int, int] = {-1: 0}
    tags, parents = page.tags, page.parents
    rows = page.with_ancestors(page.leaf_elements)
    for row, class_, id_ in zip(rows, page.attrs(rows, "class"), page.attrs(rows, "id"), strict=True):
        class_, id_ = (class_ or "")[:READ_CHARACTERS], (id_ or "")[:READ_CHARACTERS]
        places[row] = _hash_place(places[parents[row]], tags[row], class_, id_)
    return [places[element] for element in page.leaf_elements]


@lru_cache(maxsize=1 << 16)  # the pages of a site repeat their names
def _hash_place(above: int, tag: str, class_: str, id_: str) -> int:
    """A key for an element by the key of the one above it."""
    words, known = (DIGITS.sub("0", " ".join(names.split()))[:NAME_CHARACTERS] for names in (class_, id_))
    name = f"{tag}.{words}#{known}"
    return hash_bytes(above.to_bytes(8, "little") + name.encode("utf-8", "replace"))


class LeafCount(NamedTuple):
    """How often a text stands at a place of one page."""

    text: int
    place: int
    string: str  # the text in its normal form
    first: int  # 1 for the first place of the text on its page: added up, these are the pages that have the text
    placed: int  # 1 for the first text of the place on its page: added up, the pages that have the place
    occurrences: int
    plain: int  # of them, outside of the tags that the first paper drops
    size: int  # of the text in UTF-8 bytes


def count_leaves(page: Page, normal: Normalisation) -> tuple[int, list[LeafCount]]:
    """A key for all that a page says, and its texts by place, each once, in document order."""
    texts = hash_texts(page, normal)
    found: dict[tuple[int, int], list[int]] = {}  # first leaf, occurrences, plain ones
    for leaf, (text, place, gone) in enumerate(zip(texts, hash_places(page), find_dropped_leaves(page), strict=True)):
        counts = found.setdefault((text, place), [leaf, 0, 0])
        counts[1] += 1
        counts[2] += not gone
    seen: set[int] = set()
    placed: set[int] = set()
    rows = []
    for (text, place), (leaf, occurrences, plain) in found.items():
        string = normal(page.texts[leaf])
        size = len(string) if string.isascii() else len(string.encode("utf-8", "replace"))
        first, there = int(text not in seen), int(place not in placed)
        rows.append(LeafCount(text, place, string, first, there, occurrences, plain, size))
        seen.add(text)
        placed.add(place)
    return hash_bytes(b"".join(text.to_bytes(8, "little") for text in texts)), rows


def find_dropped_leaves(page: Page) -> list[bool]:
    """Which leaves stand in a tag that the first paper drops before it counts."""
    gone: dict[int, bool] = {-1: False}
    for row in page.with_ancestors(page.leaf_elements):
        gone[row] = gone[page.parents[row]] or page.tags[row] in DROPPED_TAGS
    return [gone[element] for element in page.leaf_elements]
