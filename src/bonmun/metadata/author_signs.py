"""What speaks for and against each candidate for the author: signs by name, which the weights are fitted to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.metadata.reading import fold_text

if TYPE_CHECKING:
    from bonmun.metadata.candidates import Candidates
    from bonmun.metadata.ranking import Candidate
    from bonmun.metadata.reading import Reading

__all__ = ["AROUND_HEADLINE", "AROUND_TEXT_END", "AROUND_TEXT_START", "LETTERS", "describe_authors", "describe_place"]

AROUND_HEADLINE, AROUND_TEXT_START, AROUND_TEXT_END = (-3, 7), (-8, 3), (-2, 4)  # blocks: from, and up to before
SITE_IN_NAME_CHARS = 5  # a site's name of fewer characters is found in too many names
MANY_WORDS = 6  # names of more are mostly lines
WAY_OF_SOURCE = {"rel": "marked", "itemprop": "marked", "class": "marked"}  # the others are their first four letters
CROSSED = [  # they say more on some kinds of page
    (sign, f"{sign}, article", f"{sign}, forum") for sign in ("meta", "ld main", "marked", "marked user", "byline")
]
# A run of letters, which is a word of a name.
LETTERS = re.compile(r"[^\W\d_]+")
DIGIT = re.compile(r"\d")


def describe_place(row: int, reading: Reading) -> list[str]:
    """Where a block stands: near the headline, before or after the text."""
    headline, first, last = reading.headline, reading.first, reading.last
    signs = []
    if headline is not None and AROUND_HEADLINE[0] <= row - headline < AROUND_HEADLINE[1]:
        signs.append("near title")
    if first is not None and AROUND_TEXT_START[0] <= row - first <= 0:
        signs.append("before text")
    elif last is not None and row >= last + AROUND_TEXT_END[0]:
        signs.append("after text")
    return signs


def describe_authors(authors: Candidates[str], reading: Reading) -> None:
    """Add to each author what speaks for and against it."""
    padded_keys = [f" {key} " for key in authors]
    long_site_names = [name for name in reading.site_names if len(name) >= SITE_IN_NAME_CHARS]
    for padded_key, author in zip(padded_keys, authors.values(), strict=True):
        signs, folded = author.signs, fold_text(author.value)
        signs["site"] = folded in reading.site_names
        signs["named in site"] = any(name in folded for name in long_site_names)
        signs["in another"] = sum([padded_key in other for other in padded_keys]) > 1
        signs.update(_describe_shape(author.value))
        signs.update(_describe_agreement(author))
        for sign, on_article, on_thread in CROSSED:
            if sign in signs:
                signs[on_article] = reading.page_kinds.get("article", 0.0)
                signs[on_thread] = reading.page_kinds.get("forum", 0.0)
        signs.update(reading.page_kinds)


def _describe_shape(name: str) -> dict[str, float]:
    """What a name looks like."""
    words = LETTERS.findall(name)
    return {
        "one word": len(words) == 1 and name.isascii(),
        "two or three words": 2 <= len(words) <= 3,
        "many words": len(words) > MANY_WORDS,
        "capitals": all(word[0].isupper() or not word.isascii() for word in words),
        "digits": DIGIT.search(name) is not None,
        "sentence": ":" in name or name.endswith((".", "?", "!", "…")),
    }


def _describe_agreement(author: Candidate) -> dict[str, float]:
    """In how many ways it was found; that it stands in the text proves little."""
    ways = {WAY_OF_SOURCE.get(source, source[:4]) for source in author.sources}
    count = len(ways - {"text"})
    return {"two ways": count == 2, "three ways": count > 2}
