"""Search texts for many words at once. With the compiled kernel, `WordFinder(words)` is an object of the kernel."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING, Self

from bonmun.kernel import load_kernel

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["WordFinder"]

KERNEL = load_kernel("words")
SMALL_LETTERS = str.maketrans(ascii_uppercase, ascii_lowercase)


class WordFinder:
    """A search for some words, each in small letters and of two characters at least.

    >>> finder = WordFinder(("price", "id"))
    >>> finder.list_starts("Price of an idea"), finder.list_holding(["A bid", "none", "too long: id"], 10)
    ([0, 12], [0])
    """

    def __new__(cls, words: tuple[str, ...]) -> Self:
        """Return a finder of the kernel; without the kernel, one of this class."""
        made: Self = KERNEL.WordFinder(words) if KERNEL else super().__new__(cls)
        return made

    def __init__(self, words: tuple[str, ...]) -> None:
        self._words = words

    def list_starts(self, text: str) -> list[int]:
        """Return where a word starts in a text, without the case of ASCII."""
        folded = text.translate(SMALL_LETTERS)
        return sorted({start for word in self._words for start in _list_starts(folded, word)})

    def holds(self, text: str) -> bool:
        """Return whether a text contains a word, without case."""
        folded = text.lower()
        return any(word in folded for word in self._words)

    def list_holding(self, texts: Sequence[str], most: int) -> list[int]:
        """Return the places of the texts of at most `most` characters that contain a word, without case."""
        folded = [text.lower() if len(text) <= most else "" for text in texts]
        whole = "\n".join(folded)
        words = [word for word in self._words if word in whole]  # few of them
        return [place for place, text in enumerate(folded) if any(word in text for word in words)]


def _list_starts(text: str, word: str) -> Iterator[int]:
    start = text.find(word)
    while start >= 0:
        yield start
        start = text.find(word, start + 1)
