"""Lines that have to be in an answer, such as the ingredients and steps of a recipe: how many are found.

This is the `must` measure. An answer that keeps the whole page finds all lines, so it is told with `kept`: how much of
the page's text the answer keeps.
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

PLACES_TRIED = 1000  # of a line in a text, at most: only a line of a letter or two stands at more


def find_lines(text: str, lines: Sequence[str]) -> list[bool]:
    r"""Say which lines are in a text: their words stand in it together, and begin and end where words of it do.

    Case, punctuation, white space and line breaks do not count, nor do fractions: ½ is 1/2. Words that markup has
    pushed together are words all the same.

    >>> find_lines("- 1 1/2 cups\n  Flour, sifted\n- salt", ["1½ cups flour", "salt", "alt"])
    [True, True, False]
    """
    words = _split_folded(text)
    joined = "".join(words)
    ends = {0}
    place = 0
    for word in words:
        place += len(word)
        ends.add(place)
    return [_stands_in("".join(_split_folded(line)), joined, ends) for line in lines]


def _split_folded(text: str) -> list[str]:
    return split_words(normalize("NFKC", text))


def _stands_in(line: str, joined: str, ends: set[int]) -> bool:
    """Whether a line stands in a text, both without blanks, between two ends of words."""
    place = -1
    for _ in range(PLACES_TRIED):
        place = joined.find(line, place + 1)
        if place < 0:
            return False
        if place in ends and place + len(line) in ends:
            return True
    return False


def measure_kept(text: str, page: Page) -> float | None:
    """Measure the share of the words that a page shows that an answer keeps; None where it shows none."""
    shown = (text for text, hidden in zip(page.block_texts, page.hidden_blocks, strict=True) if not hidden)
    words = compare_counts(count_words(text), count_words("\n".join(shown)))
    return words.recall if words.gold else None
