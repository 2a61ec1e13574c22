"""Search texts for many words at once. The compiled kernel replaces this where it is available."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.kernel import load_kernel
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["WordFinder"]

KERNEL = load_kernel("words")


class WordFinder:
    """A search for some words, each in small letters and of two characters at least.

    >>> finder = WordFinder(("price", "id"))
    >>> finder.list_starts("Price of an idea"), finder.list_holding(["A bid", "none", "too long: id"], 10)
    ([0, 12], [0])
    """

    def __init__(self, words: tuple[str, ...]) -> None:
        pattern = "|".join(map(re.escape, words)) or "(?!)"  # which never matches
        self._starts = compile_later(f"(?={pattern})", re.I | re.A)
        self._word = compile_later(pattern)

    def list_starts(self, text: str) -> list[int]:
        """Return where a word starts in a text, without the case of ASCII."""
        return [match.start() for match in self._starts.finditer(text)]

    def holds(self, text: str) -> bool:
        """Return whether a text contains a word, without case."""
        return self._word.search(text.lower()) is not None

    def list_holding(self, texts: Sequence[str], most: int) -> list[int]:
        """Return the places of the texts of at most `most` characters that contain a word, without case."""
        return [place for place, text in enumerate(texts) if len(text) <= most and self.holds(text)]


if KERNEL:
    WordFinder = KERNEL.WordFinder  # type: ignore[misc]
