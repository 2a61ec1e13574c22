"""Searches over all elements or texts of a page. The compiled kernel replaces them where it is available.

The functions here are the references of kernel/_facts.pyx.
"""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING, Any

from bonmun.kernel import load_kernel
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Collection, Iterable, Sequence

__all__ = [
    "compile_char_counter",
    "compile_char_test",
    "find_elements",
    "find_holding",
    "find_letters",
    "find_tagged",
    "find_things",
    "find_words",
    "fold_text",
    "fold_texts",
]

KERNEL = load_kernel("facts")
# A run of letters and digits; a letter of any script.
WORD = compile_later(r"[^\W_]+")
LETTER = compile_later(r"[^\W\d_]")
LETTERS = compile_later(r"[^\W\d_]+")
# For ASCII texts: the characters that are not in words, and a table that replaces them with spaces.
NON_WORD_BYTES = bytes(number for number in range(128) if not chr(number).isalnum())
NON_WORD_TO_SPACE = bytes.maketrans(NON_WORD_BYTES, b" " * len(NON_WORD_BYTES))


def fold_text(text: str) -> str:
    """Return a text without case, spaces and punctuation, for comparisons."""
    if text.isascii():
        return text.lower().encode().translate(None, NON_WORD_BYTES).decode()
    return "".join(WORD.findall(text.casefold()))


def fold_texts(texts: Iterable[str], most: int) -> list[str]:
    """Return some texts folded (see `fold_text`); "" for those of more than `most` characters."""
    return [fold_text(text) if len(text) <= most else "" for text in texts]


def find_words(text: str) -> list[str]:
    """Return the words of a text, case-folded."""
    if text.isascii():
        return text.lower().encode().translate(NON_WORD_TO_SPACE).decode().split()
    return WORD.findall(text.casefold())


def find_letters(text: str) -> list[str]:
    """Return the runs of letters of a text: its words without digits."""
    return LETTERS.findall(text)


def compile_char_test(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    """Return a function that tests whether a text contains a character of a class such as [ぁ-ヿ가-힣].

    The ranges of the class must be in ascending order.
    """
    if KERNEL:
        holds_char, ranges = KERNEL.holds_char, pattern.pattern[1:-1].replace("-", "")
        return lambda text: holds_char(text, ranges)
    return lambda text: pattern.search(text) is not None


def compile_char_counter(*patterns: re.Pattern[str]) -> Callable[[str], list[int]]:
    """Return a function that counts the characters of a text in each class, such as [가-힣], and last all letters."""
    if KERNEL:
        count_letters, ranges = KERNEL.count_letters, tuple(pattern.pattern[1:-1] for pattern in patterns)
        return lambda text: count_letters(text, ranges)
    return lambda text: [len(pattern.findall(text)) for pattern in (*patterns, LETTER)]


def find_tagged(tags: Sequence[str], owners: Sequence[int], wanted: Collection[str]) -> list[tuple[int, str]]:
    """Return index and tag of the blocks whose element has one of the wanted tags."""
    return [(row, tag) for row, tag in enumerate(map(tags.__getitem__, owners)) if tag in wanted]


def find_elements(tags: Sequence[str], wanted: Collection[str], most: int) -> list[int]:
    """Return the first elements of each wanted tag, at most `most` of each, in document order."""
    rows = []
    for tag in wanted:
        row = -1
        for _ in range(min(tags.count(tag), most)):
            row = tags.index(tag, row + 1)
            rows.append(row)
    return sorted(rows)


def find_holding(
    texts: Sequence[str], rows: Sequence[int], pairs: tuple[str, ...], most: int = sys.maxsize
) -> list[int]:
    """Return the rows whose texts have at most `most` characters and contain one of some strings of two characters."""
    return [row for row in rows if len(text := texts[row]) <= most and any(map(text.__contains__, pairs))]


def find_things(value: object, most_values: int, most_levels: int, most_members: int) -> list[dict[str, Any]]:
    """Return all objects in a JSON-LD value that have an @type or an @id, outer ones first."""
    queue, things = [(value, 0)], []
    for thing, level in islice(queue, most_values):  # the queue grows meanwhile
        if isinstance(thing, dict):
            if "@type" in thing or "@id" in thing:
                things.append(thing)
            if level < most_levels:
                queue += [(each, level + 1) for each in thing.values() if isinstance(each, (dict, list))]
        elif isinstance(thing, list):
            queue += [(each, level) for each in thing[:most_members] if isinstance(each, (dict, list))]
    return things


if KERNEL:
    fold_text, fold_texts = KERNEL.fold_text, KERNEL.fold_texts
    find_words, find_letters = KERNEL.find_words, KERNEL.find_letters
    find_tagged, find_elements = KERNEL.find_tagged, KERNEL.find_elements
    find_things, find_holding = KERNEL.find_things, KERNEL.find_holding
