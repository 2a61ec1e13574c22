"""Character n-grams: how often each occurs in a text, and on how many pages of a corpus.

N-grams need no dictionary, no word boundaries and no language (paper 4 uses 3-grams, paper 3 bigrams). Each is stored
as an integer with 21 bits per character, so that numpy can count and compare them: about a millisecond per page.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from bonmun.errors import BadInput, MissingInput
from bonmun.work.array_files import READ_ERRORS, load_arrays, save_arrays

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

__all__ = ["CorpusGrams", "Grams", "Vector", "compare_texts", "compare_vectors", "count_grams", "load_standard_grams"]

CHARACTER_BITS = 21  # enough for any code point; three characters fill 63 bits
TEXTS_AT_ONCE = 10_000  # texts compared at a time; a larger index would not fit above the bits of two characters
PAGES_AT_ONCE = 64  # pages counted together before they are added to the total


class HasTexts(Protocol):
    """A page, reduced to the texts of its leaves."""

    @property
    def texts(self) -> Sequence[str]:
        """Texts of the leaves, in document order."""


class Grams(NamedTuple):
    """The n-grams of a text in ascending order, and the count of each."""

    keys: NDArray[np.int64]
    counts: NDArray[np.float64]


def count_grams(text: str, n: int) -> Grams:
    """Count the n-grams of a text whose whitespace is collapsed, ignoring case, with a space added at both ends.

    >>> len(count_grams("Ab ab", 2).keys)  # " a", "ab", "b "
    3
    """
    if not text:
        return Grams(np.empty(0, np.int64), np.empty(0))
    codes = _read_codes(f" {text.casefold()}{' ' * max(1, n - 1 - len(text))}")
    size = len(codes) - n + 1
    keys = codes[:size].copy()
    for i in range(1, n):
        keys <<= CHARACTER_BITS
        keys |= codes[i : size + i]
    return Grams(*_count_keys(keys))


class Vector(NamedTuple):
    """The 3-grams of a text with their weights; a unit vector, unless all weights are zero."""

    keys: NDArray[np.int64]
    weights: NDArray[np.float64]


def compare_vectors(one: Vector, other: Vector) -> float:
    """Return the cosine similarity of two texts: 0 if they share no 3-gram, 1 if they have the same ones."""
    if not len(other.keys):
        return 0.0
    places, same = _look_up(one.keys, other.keys)
    return min(1.0, float(np.dot(one.weights, other.weights[places] * same)))


def compare_texts(texts: Sequence[str], other: Grams) -> list[float]:
    """Return the cosine similarity, from 0 to 1, of several short texts with another one, by counts of bigrams."""
    if not len(other.keys):
        return [0.0] * len(texts)
    parts = (texts[start : start + TEXTS_AT_ONCE] for start in range(0, len(texts), TEXTS_AT_ONCE))
    return [min(1.0, float(value)) for part in parts for value in _compare_together(part, other)]


def _compare_together(texts: Sequence[str], other: Grams) -> NDArray[np.float64]:
    folded = [f" {text.casefold()} " for text in texts]
    codes = _read_codes("".join(folded))
    owners = np.repeat(np.arange(len(texts)), [len(text) for text in folded])
    inside = owners[1:] == owners[:-1]
    pairs = (owners[:-1] << 2 * CHARACTER_BITS | codes[:-1] << CHARACTER_BITS | codes[1:])[inside]
    keys, counts = _count_keys(pairs)
    owners, keys = keys >> 2 * CHARACTER_BITS, keys & (1 << 2 * CHARACTER_BITS) - 1
    places, same = _look_up(keys, other.keys)
    dots = np.bincount(owners, counts * other.counts[places] * same, len(texts))
    norms = np.sqrt(np.bincount(owners, counts**2, len(texts)) * np.dot(other.counts, other.counts))
    return np.asarray(dots / norms)


def _read_codes(text: str) -> NDArray[np.int64]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)


def _count_keys(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Count one or more keys: the different ones in ascending order, and the count of each."""
    keys = np.sort(keys)
    starts = np.concatenate(([0], np.flatnonzero(keys[1:] != keys[:-1]) + 1))
    stops = np.concatenate((starts[1:], [len(keys)]))
    return keys[starts], (stops - starts).astype(np.float64)


def _look_up(keys: NDArray[np.int64], among: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return the index of each key among sorted others, and whether it is there."""
    places = np.minimum(np.searchsorted(among, keys), len(among) - 1)
    return places, among[places] == keys


@dataclass(frozen=True, slots=True, eq=False)
class CorpusGrams:
    """The number of pages of a corpus on which each 3-gram occurs, for the IDF of paper 4.

    corpus = CorpusGrams.count(pages)      # pages or texts, read once
    corpus.save("news.npz")                # and CorpusGrams.load("news.npz")
    Sentence("M324", corpus=corpus)        # default: load_standard_grams(), for many languages and scripts
    """

    pages: int
    keys: NDArray[np.int64]  # ascending
    counts: NDArray[np.int64]

    @classmethod
    def count(cls, pages: Iterable[HasTexts | str], at_least: int = 1) -> CorpusGrams:
        """Count over pages or texts; leave out n-grams on fewer than `at_least` of them."""
        total = 0
        keys, counts = np.empty(0, np.int64), np.empty(0, np.int64)
        waiting: list[NDArray[np.int64]] = []
        for page in pages:
            total += 1
            text = " ".join(page.split() if isinstance(page, str) else page.texts)
            waiting.append(count_grams(text, 3).keys)
            if len(waiting) == PAGES_AT_ONCE:
                keys, counts = _add_pages(keys, counts, waiting)
                waiting.clear()
        keys, counts = _add_pages(keys, counts, waiting)
        enough = counts >= at_least
        return cls(total, keys[enough], counts[enough])

    def vector(self, text: str) -> Vector:
        """Return the 3-grams of a text, weighted by (1 + ln count) · IDF and normalised to length one.

        IDF = ln((1 + pages) / (1 + pages with it)), which is 0 for a 3-gram that is on every page.
        """
        keys, counts = count_grams(text, 3)
        on_pages = np.zeros(len(keys), np.int64)
        if len(self.keys):
            places, same = _look_up(keys, self.keys)
            on_pages = self.counts[places] * same
        weights = (1 + np.log(counts)) * np.log((1 + self.pages) / (1 + on_pages))
        return Vector(keys, weights / (np.sqrt(np.dot(weights, weights)) or 1.0))

    def save(self, path: str | Path) -> None:
        """Write the counts to a file, atomically, with a few bytes per n-gram."""
        mask = (1 << CHARACTER_BITS) - 1
        chars = (self.keys >> 2 * CHARACTER_BITS, self.keys >> CHARACTER_BITS & mask, self.keys & mask)
        arrays: dict[str, Any] = {"pages": np.int64(self.pages), "counts": self.counts.astype(np.uint32)}
        # one column per character; they are sorted, so they compress well
        save_arrays(path, arrays | {f"char{i}": column.astype(np.uint32) for i, column in enumerate(chars)})

    @classmethod
    def load(cls, path: str | Path) -> CorpusGrams:
        """Read a file written by `save`."""
        try:
            with Path(path).open("rb") as file:
                saved = load_arrays(file)
            pages, *columns = (saved[name] for name in ("pages", "counts", "char0", "char1", "char2"))
            if {(column.dtype, column.shape) for column in columns} != {(np.dtype(np.uint32), (len(columns[0]),))}:
                raise ValueError("columns of counts and characters are missing")
            if pages < 0 or any((column >> CHARACTER_BITS).any() for column in columns[1:]):
                raise ValueError("invalid number of pages, or invalid characters")
            counts, one, two, three = (column.astype(np.int64) for column in columns)
            keys = one << 2 * CHARACTER_BITS | two << CHARACTER_BITS | three
            return cls(int(pages), keys, counts)
        except FileNotFoundError:
            raise MissingInput(
                f"{str(path)!r} does not exist; make it with CorpusGrams.count(pages).save(…)."
            ) from None
        except READ_ERRORS as exc:
            raise BadInput(
                f"{str(path)!r} is not a file of n-gram counts; make one with CorpusGrams.count(pages).save(…)."
            ) from exc


def _add_pages(
    keys: NDArray[np.int64], counts: NDArray[np.int64], more: list[NDArray[np.int64]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Add one to the count of each n-gram of more pages."""
    every = np.concatenate([keys, *more])
    found, where = np.unique(every, return_inverse=True)
    ones = np.ones(len(every) - len(keys), np.int64)
    sums = np.bincount(where, np.concatenate([counts, ones]), len(found))
    return found, sums.astype(np.int64)


@cache
def load_standard_grams() -> CorpusGrams:
    """Load the counts that are part of bonmun, made by scripts/make/count_grams.py."""
    with as_file(files("bonmun.text") / "grams.npz") as path:
        return CorpusGrams.load(path)
