"""Find lines that must be in an answer, such as the ingredients and steps of a recipe.

This is the `must` measure. An answer that keeps the whole page has all lines, so the measure is reported together with
`kept`: the share of the page's text that the answer keeps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import normalize

from bonmun.lab.gold.index import split_words
from bonmun.text.words import compare_counts, count_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page import Page

__all__ = ["find_lines", "measure_kept"]

MAX_PLACES = 1000  # places tried for a line: only a line of one or two letters occurs more often


def find_lines(text: str, lines: Sequence[str]) -> list[bool]:
    r"""Return for each line whether its words occur in a text in sequence, starting and ending at word boundaries.

    Case, punctuation, whitespace and line breaks are ignored, and ½ equals 1/2. Words that markup has joined still
    match.

    >>> find_lines("- 1 1/2 cups\n  Flour, sifted\n- salt", ["1½ cups flour", "salt", "alt"])
    [True, True, False]
    """
    words = _split_normalised(text)
    joined = "".join(words)
    ends = {0}
    place = 0
    for word in words:
        place += len(word)
        ends.add(place)
    return [_has_line(joined, ends, "".join(_split_normalised(line))) for line in lines]


def _split_normalised(text: str) -> list[str]:
    return split_words(normalize("NFKC", text))


def _has_line(joined: str, ends: set[int], line: str) -> bool:
    """Whether a line occurs in a text between two word boundaries; both are given without whitespace."""
    place = -1
    for _ in range(MAX_PLACES):
        place = joined.find(line, place + 1)
        if place < 0:
            return False
        if place in ends and place + len(line) in ends:
            return True
    return False


def measure_kept(text: str, page: Page) -> float | None:
    """Return the share of a page's visible words that an answer keeps; None if the page has none."""
    shown = (text for text, hidden in zip(page.block_texts, page.hidden_blocks, strict=True) if not hidden)
    words = compare_counts(count_words(text), count_words("\n".join(shown)))
    return words.recall if words.gold else None
