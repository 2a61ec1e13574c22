"""The text of a document in, pieces of it out: what belongs together, and how that is cut if it is too large.

A unit is what is not cut if it fits: a heading, a paragraph, a table, a block of code, a list item. One that is too
large is cut into rows or blocks, these into lines, lines into sentences, sentences at blanks and, at last, between
words: a character of Han, Kana, Hangul or Thai is one (see text/words.py). A word is never cut. Where signs are all
there is, such as emoji, fifty of them count as a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from bonmun.markup import HEADINGS
from bonmun.outputs.text import list_parts
from bonmun.page.parse.ancestors import climb
from bonmun.page.parse.inherited_columns import find_around
from bonmun.text.sentences import cut_sentences
from bonmun.text.words import WORD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.kept import KeptBlock
    from bonmun.outputs.writable import Writable
    from bonmun.page import Page

__all__ = ["Size", "TextPiece", "TextUnit", "cut_runs", "cut_unit", "find_units", "measure_words"]

Size = Callable[[str], int]  # how large a text is

LEAST_HEADING = len(HEADINGS)  # the level of a heading that does not say its own
LEVELS_CLIMBED = 16  # from a block to the tag of its heading
LINE = re.compile(r"[^\n]+")
SIGN = re.compile(r"_|[^\w\s]")
SIGNS_A_WORD = 50
# Where a text is cut that has no sentences: half as many signs as count as a word, so that no piece is too large.
STEP = re.compile(rf"{WORD.pattern}|(?:(?:{SIGN.pattern})\s*+){{{SIGNS_A_WORD // 2}}}")
RUN, BLANK = re.compile(r"\S+"), re.compile(r"\s+")
PIECES_OF_LIMIT = 8  # that a text without sentences is cut into, so that chunks are filled up with them


class TextPiece(NamedTuple):
    """A part of the text that stays in one chunk."""

    start: int
    end: int
    size: int


class TextUnit(NamedTuple):
    """What a reader takes as one: a part of the text, and the blocks that it was made of."""

    start: int
    end: int
    size: int
    level: int  # of a heading, 1 to 6; else 0
    parts: tuple[tuple[int, int], ...]  # its rows or blocks


def measure_words(text: str) -> int:
    """Count the words of a text, or what its signs count as, if that is more."""
    words = len(WORD.findall(text))
    if len(text) <= words * SIGNS_A_WORD:  # nearly all
        return words
    return max(words, -(-len(SIGN.findall(text)) // SIGNS_A_WORD))


def find_units(doc: Writable, size: Size) -> tuple[str, list[int], list[TextUnit]]:
    """Give the text of a document, where each of its blocks starts in it, and its units."""
    parts = list_parts(doc)
    text = "".join(piece for part in parts for piece in part)
    grouping = _Grouping(doc.page)
    starts: list[int] = []
    found: list[tuple[int, list[tuple[int, int]]]] = []  # the level of each unit, and its rows or blocks
    last: tuple[str, int] | None = None
    place = 0
    for block, (before, said) in zip(doc.shown, parts, strict=True):
        group = grouping.find_group(block)
        start = place + len(before)
        place = start + len(said)
        starts.append(start)
        if group is None or group != last:
            found.append((grouping.find_level(block), [(start, place)]))
        elif group[0] == "cell" and "\n" not in before:  # the row goes on
            found[-1][1][-1] = (found[-1][1][-1][0], place)
        else:
            found[-1][1].append((start, place))
        last = group
    units = []
    for level, rows in found:
        start, end = rows[0][0], rows[-1][1]
        units.append(TextUnit(start, end, size(text[start:end]), level, tuple(rows)))
    return text, starts, units


class _Grouping:
    """Says which blocks belong together: those of a table, of a block of code, of a list item."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.around: dict[str, list[int]] = {}  # by tag: the innermost element of it around each element

    def find_group(self, block: KeptBlock) -> tuple[str, int] | None:
        """What tells the unit of a block from others; None if it is one of its own."""
        element, kind = block.element, block.kind
        if kind == "cell":
            return kind, self.page.tables[element]
        if kind not in ("code", "item"):
            return None
        tag = "pre" if kind == "code" else "li"
        if tag not in self.around:
            self.around[tag] = find_around(self.page, (tag,))
        found = self.around[tag][element]
        return (kind, found) if found >= 0 else None

    def find_level(self, block: KeptBlock) -> int:
        """The level of a heading, 1 to 6; 0 for all else."""
        if block.kind != "heading":
            return 0
        rows = islice(climb(self.page.parents, block.element), LEVELS_CLIMBED)
        tags = (self.page.tags[row] for row in rows)
        return next((HEADINGS.index(tag) + 1 for tag in tags if tag in HEADINGS), LEAST_HEADING)


def cut_unit(text: str, unit: TextUnit, limit: int, size: Size) -> Iterator[TextPiece]:
    """Cut a unit that is too large into pieces that fit, but for words that are too large by themselves."""
    for start, end in unit.parts:
        measured = size(text[start:end])
        if measured <= limit:
            yield TextPiece(start, end, measured)
            continue
        for line in LINE.finditer(text, start, end):
            measured = size(line[0])
            if line[0].isspace():
                continue
            if measured <= limit:
                yield TextPiece(line.start(), line.end(), measured)
            else:
                yield from _cut_line(text, line.start(), line.end(), limit, size)


def _cut_line(text: str, start: int, end: int, limit: int, size: Size) -> Iterator[TextPiece]:
    """Cut a line that is too large into sentences; these at blanks; and what has none, between words."""
    for first, last in cut_sentences(text, start, end):
        measured = size(text[first:last])
        if measured <= limit:
            yield TextPiece(first, last, measured)
        else:
            yield from cut_runs(text, first, last, limit, size)


def cut_runs(text: str, start: int, end: int, limit: int, size: Size) -> Iterator[TextPiece]:
    """Cut at blanks, and runs that are too large between words."""
    if size is measure_words:
        yield from _cut_counted(text, start, end, limit)
        return
    for run in RUN.finditer(text, start, end):
        measured = size(run[0])
        if measured <= limit:
            yield TextPiece(run.start(), run.end(), measured)
        else:
            yield from _cut_words(text, run.start(), run.end(), size)


def _cut_counted(text: str, start: int, end: int, limit: int) -> Iterator[TextPiece]:
    """Cut in the same way where words are counted, in one pass, into pieces of some words each."""
    enough = max(1, limit // PIECES_OF_LIMIT)
    first, last, count = start, start, 0  # of the piece that is open: where it starts, where its last word ends
    for word in STEP.finditer(text, start, end):
        blank = BLANK.search(text, last, word.start()) if count else None
        if blank and count >= enough:
            yield TextPiece(first, blank.start(), count)
            first, count = blank.end(), 0
        elif count == limit:
            yield TextPiece(first, word.start(), count)
            first, count = word.start(), 0
        count += 1
        last = word.end()
    yield TextPiece(first, end, count)


def _cut_words(text: str, start: int, end: int, size: Size) -> Iterator[TextPiece]:
    """Cut between words; what stands before the first stays with it, and what follows a word with the word."""
    first, has_word = start, False
    for word in STEP.finditer(text, start, end):
        if has_word:
            yield TextPiece(first, word.start(), size(text[first : word.start()]))
            first = word.start()
        has_word = True
    yield TextPiece(first, end, size(text[first:end]))
