"""Select pages by keyword, as the first paper does to collect blogs.

Kim, J.-H. & Kim, E.-G. (2021) search for keywords and keep the pages that contain them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.errors import BadConfig
from bonmun.text.compose import compose
from bonmun.text.scripts import COUNTED_SINGLY, HANGUL

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Keywords"]

UNSPACED = re.compile(f"[{COUNTED_SINGLY}{HANGUL}]")  # letters that may touch another word


class Keywords:
    """Keywords, at least one of which a text must contain, ignoring case and Unicode normalisation.

    A keyword in a script with spaces must be a whole word: "AI" does not match "said", but matches "AI가", because
    Korean appends particles to words. A keyword in Korean, Chinese, Japanese or Thai may be part of a longer word.

    >>> Keywords(["본문", "AI"]).matches("웹문서본문추출"), Keywords(["AI"]).matches("he said so")
    (True, False)
    """

    def __init__(self, words: Iterable[str]) -> None:
        self.words = list(dict.fromkeys(folded for word in words if (folded := _fold(word))))
        if not self.words:
            raise BadConfig("All keywords are empty; give at least one with a letter.")

    def matches(self, text: str) -> bool:
        """Return whether a text contains one of the keywords."""
        folded = _fold(text)
        return any(_has_word(folded, word) for word in self.words)


def _fold(text: str) -> str:
    return " ".join(compose(compose(text).casefold()).split())


def _has_word(text: str, word: str) -> bool:
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if _is_boundary(text[at - 1 : at] if at else "", word[0]) and _is_boundary(text[end : end + 1], word[-1]):
            return True
        at = text.find(word, at + 1)
    return False


def _is_boundary(neighbour: str, letter: str) -> bool:
    """Return whether a word may begin or end between its outer letter and the neighbouring character."""
    if not neighbour or not (letter.isalnum() and neighbour.isalnum()):
        return True
    return UNSPACED.match(letter) is not None or UNSPACED.match(neighbour) is not None
