"""Hash the texts and places of leaves to 64-bit keys that are the same on every machine.

Texts are normalised first. A place is the chain of tags, classes and ids from the root to an element, in which all
numbers are equal: the posts of a blog have the same place, whatever their ids.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from bonmun.text.compose import compose

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
MAX_NAME_CHARACTERS = 200  # of a class or id that are hashed; longer ones are machine-made
MAX_ATTRIBUTE_CHARACTERS = 1000  # of a class or id that are read, and held in the cache
# The tags that paper 1 drops before it counts. The parser reads no text in head, script, style, link and iframe anyway.
DROPPED_TAGS = frozenset("head footer header script style link iframe a em".split())


@dataclass(frozen=True, slots=True)
class Normalisation:
    """Rules for when two texts are equal. White space and Unicode composition never matter.

    Normalisation(digits=True)     # "조회 12" and "조회 7" are one text
    Normalisation(case=True)       # "Read More" and "Read more" are one text
    """

    digits: bool = False
    case: bool = False

    def __call__(self, text: str) -> str:
        """Return the normalised text of a leaf, whose white space is already folded."""
        text = compose(text)
        if self.case:
            text = text.casefold()
        return DIGITS.sub("0", text) if self.digits else text


def hash_bytes(data: bytes) -> int:
    """Return a 64-bit hash of some bytes."""
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little")


def hash_texts(page: Page, normal: Normalisation) -> list[int]:
    """Return a key for the text of each leaf."""
    return [hash_bytes(normal(text).encode("utf-8", "replace")) for text in page.texts]


def hash_places(page: Page) -> list[int]:
    """Return a key for the place of each leaf."""
    places: dict[int, int] = {-1: 0}
    tags, parents = page.tags, page.parents
    rows = page.with_ancestors(page.leaf_elements)
    for row, class_, id_ in zip(rows, page.attrs(rows, "class"), page.attrs(rows, "id"), strict=True):
        class_, id_ = (class_ or "")[:MAX_ATTRIBUTE_CHARACTERS], (id_ or "")[:MAX_ATTRIBUTE_CHARACTERS]
        places[row] = _hash_place(places[parents[row]], tags[row], class_, id_)
    return [places[element] for element in page.leaf_elements]


@lru_cache(maxsize=1 << 16)  # the pages of a site repeat their names
def _hash_place(above: int, tag: str, class_: str, id_: str) -> int:
    """Return the key of an element, given the key of its parent."""
    words, known = (DIGITS.sub("0", " ".join(names.split()))[:MAX_NAME_CHARACTERS] for names in (class_, id_))
    name = f"{tag}.{words}#{known}"
    return hash_bytes(above.to_bytes(8, "little") + name.encode("utf-8", "replace"))


class LeafCount(NamedTuple):
    """The number of times a text occurs at a place of one page."""

    text: int
    place: int
    string: str  # the normalised text
    first: int  # 1 at the text's first place on its page; summed over pages: the pages that have the text
    placed: int  # 1 for the place's first text on its page; summed over pages: the pages that have the place
    occurrences: int
    plain: int  # occurrences outside of the tags that paper 1 drops
    size: int  # of the text in UTF-8 bytes


def count_leaves(page: Page, normal: Normalisation) -> tuple[int, list[LeafCount]]:
    """Return a key for the whole text of a page, and a count for each text and place, in document order."""
    texts = hash_texts(page, normal)
    found: dict[tuple[int, int], list[int]] = {}  # first leaf, occurrences, plain occurrences
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
    """Return for each leaf whether it is in a tag that paper 1 drops before it counts."""
    gone: dict[int, bool] = {-1: False}
    for row in page.with_ancestors(page.leaf_elements):
        gone[row] = gone[page.parents[row]] or page.tags[row] in DROPPED_TAGS
    return [gone[element] for element in page.leaf_elements]
