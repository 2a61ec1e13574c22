"""What is looked for in all of a page, or in many of its texts: by the kernel, where there is one.

The functions here are its references: see kernel/_facts.pyx.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from bonmun.kernel import load_kernel
from bonmun.page.parse.ancestors import climb
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Collection, Sequence

__all__ = [
    "climb_some",
    "count_classes",
    "find_elements",
    "find_holding",
    "find_tagged",
    "find_things",
    "find_words",
    "fold_text",
    "look_for",
]

KERNEL = load_kernel("facts")
# A run of letters and digits; a letter of any script.
WORD = compile_later(r"[^\W_]+")
LETTER = compile_later(r"[^\W\d_]")
# The same of texts in ASCII, which most are: what no word holds, and a table that makes blanks of it.
NO_WORD = bytes(number for number in range(128) if not chr(number).isalnum())
BLANKED = bytes.maketrans(NO_WORD, b" " * len(NO_WORD))


def fold_text(text: str) -> str:
    """A title or name without case, blanks and punctuation, to compare it."""
    if text.isascii():
        return text.lower().encode().translate(None, NO_WORD).decode()
    return "".join(WORD.findall(text.casefold()))


def find_words(text: str) -> list[str]:
    """The words of a text, without case."""
    if text.isascii():
        return text.lower().encode().translate(BLANKED).decode().split()
    return WORD.findall(text.casefold())


def look_for(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    """A function that says whether a text holds a character of a class such as [ぁ-ヿ가-힣], the lowest first."""
    if KERNEL:
        holds_char, ranges = KERNEL.holds_char, pattern.pattern[1:-1].replace("-", "")
        return lambda text: holds_char(text, ranges)
    return lambda text: pattern.search(text) is not None


def count_classes(*patterns: re.Pattern[str]) -> Callable[[str], list[int]]:
    """A function that says how many characters a text has of each class such as [가-힣]; and last, how many letters."""
    if KERNEL:
        count_letters, ranges = KERNEL.count_letters, tuple(pattern.pattern[1:-1] for pattern in patterns)
        return lambda text: count_letters(text, ranges)
    return lambda text: [len(pattern.findall(text)) for pattern in (*patterns, LETTER)]


def find_tagged(tags: Sequence[str], owners: Sequence[int], wanted: Collection[str]) -> list[tuple[int, str]]:
    """The blocks whose elements have one of some tags: their rows, and the tags."""
    return [(row, tag) for row, tag in enumerate(map(tags.__getitem__, owners)) if tag in wanted]


def find_elements(tags: Sequence[str], wanted: Collection[str], most: int) -> list[int]:
    """The first elements of each of some tags, up to so many of each, in document order."""
    rows = []
    for tag in wanted:
        row = -1
        for _ in range(min(tags.count(tag), most)):
            row = tags.index(tag, row + 1)
            rows.append(row)
    return sorted(rows)


def find_holding(texts: Sequence[str], rows: Sequence[int], parts: tuple[str, str, str]) -> list[int]:
    """Those of some rows whose texts hold one of three parts of two characters each."""
    first, second, third = parts
    return [row for row in rows if first in (text := texts[row]) or second in text or third in text]


def climb_some(parents: Sequence[int], elements: Sequence[int], levels: int) -> set[int]:
    """Some elements and those around them, up to so many levels each."""
    return {around for element in elements for around in islice(climb(parents, element), levels)}


def find_things(value: object, most_values: int, most_levels: int, most_members: int) -> list[dict[str, Any]]:
    """All objects in a value that say what they are, from the outside in."""
    queue, things = [(value, 0)], []
    for thing, level in islice(queue, most_values):  # which grows
        if isinstance(thing, dict):
            if "@type" in thing or "@id" in thing:
                things.append(thing)
            if level < most_levels:
                queue += [(each, level + 1) for each in thing.values() if isinstance(each, (dict, list))]
        elif isinstance(thing, list):
            queue += [(each, level) for each in thing[:most_members] if isinstance(each, (dict, list))]
    return things


if KERNEL:
    fold_text, find_tagged, find_elements = KERNEL.fold_text, KERNEL.find_tagged, KERNEL.find_elements
    climb_some, find_things, find_holding = KERNEL.climb_some, KERNEL.find_things, KERNEL.find_holding
