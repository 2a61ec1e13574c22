"""Pages on a subject: those with one of some words (the first paper collects blogs in this way).

Kim, J.-H. & Kim, E.-G. (2021) search for words and keep the pages that have them.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from bonmun.errors import BadConfig
from bonmun.text.scripts import COUNTED_SINGLY, HANGUL

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Keywords"]

JOINED = re.compile(f"[{COUNTED_SINGLY}{HANGUL}]")  # letters that words are not set apart by


class Keywords:
    """Words of which a text must have one, in any case and any spelling that Unicode has for it.

    A word of letters that are written with blanks must stand by itself: "AI" is not in "said", but in "AI가", since
    endings stick to words in Korean. Words in Korean, Chinese, Japanese or Thai may stand within others.

    >>> Keywords(["본문", "AI"]).matches("웹문서본문추출"), Keywords(["AI"]).matches("he said so")
    (True, False)
    """

    def __init__(self, words: Iterable[str]) -> None:
        self.words = list(dict.fromkeys(folded for word in words if (folded := _fold(word))))
        if not self.words:
            raise BadConfig("Keywords must have at least one letter.")

    def matches(self, text: str) -> bool:
        """Whether a text has one of the words."""
        folded = _fold(text)
        return any(_has_word(folded, word) for word in self.words)


def _fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).split())


def _has_word(text: str, word: str) -> bool:
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if _is_apart(text[at - 1 : at] if at else "", word[0]) and _is_apart(text[end : end + 1], word[-1]):
            return True
        at = text.find(word, at + 1)
    return False


def _is_apart(neighbour: str, letter: str) -> bool:
    """Whether a word may begin or end with a letter beside its neighbour in the text."""
    if not neighbour or not (letter.isalnum() and neighbour.isalnum()):
        return True
    return JOINED.match(letter) is not None or JOINED.match(neighbour) is not None
