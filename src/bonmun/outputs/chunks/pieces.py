"""Split the text of a document into units and, where a unit is too large, into pieces.

A unit is not split if it fits: a heading, a paragraph, a table, a code block, a list item. A unit that is too large is
split into rows or blocks, these into lines, lines into sentences, sentences at spaces, and finally between words. A
character of Han, Kana, Hangul or Thai is a word (see text/words.py). A word is never split. In texts of symbols, such
as emoji, fifty symbols count as a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from bonmun.markup import HEADINGS
from bonmun.outputs.text import list_parts
from bonmun.page.parse.ancestors import list_around
from bonmun.page.parse.inherited_columns import find_around
from bonmun.text.sentences import cut_sentences
from bonmun.text.words import WORD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.kept import KeptBlock
    from bonmun.outputs.writable import Writable
    from bonmun.page import Page

__all__ = ["Size", "TextPiece", "TextUnit", "cut_runs", "cut_unit", "find_heading_level", "find_units", "measure_words"]

Size = Callable[[str], int]  # returns the size of a text

LOWEST_HEADING_LEVEL = len(HEADINGS)  # of a heading without a heading tag
MAX_HEADING_DISTANCE = 16  # ancestors of a block that are searched for its heading tag
LINE = re.compile(r"[^\n]+")
SYMBOL = re.compile(r"_|[^\w\s]")
SYMBOLS_PER_WORD = 50
# A word, or half of the symbols that count as one, so that no piece is too large.
STEP = re.compile(rf"{WORD.pattern}|(?:(?:{SYMBOL.pattern})\s*+){{{SYMBOLS_PER_WORD // 2}}}")
RUN, SPACE = re.compile(r"\S+"), re.compile(r"\s+")
PIECES_PER_LIMIT = 8  # pieces of a long sentence are this part of the limit, so that they can fill up chunks


class TextPiece(NamedTuple):
    """A part of the text that stays in one chunk."""

    start: int
    end: int
    size: int


class TextUnit(NamedTuple):
    """A part of the text that belongs together."""

    start: int
    end: int
    size: int
    level: int  # 1 to 6 for a heading, else 0
    head: str  # author line that it starts with; "" if it does not start a post
    parts: tuple[tuple[int, int], ...]  # start and end of its rows or blocks


def measure_words(text: str) -> int:
    """Return the number of words of a text, or the words that its symbols count as, if that is more."""
    words = len(WORD.findall(text))
    if len(text) <= words * SYMBOLS_PER_WORD:  # nearly all texts
        return words
    return max(words, -(-len(SYMBOL.findall(text)) // SYMBOLS_PER_WORD))


def find_units(doc: Writable, size: Size) -> tuple[str, list[int], list[TextUnit]]:
    """Return the text of a document, the start of each of its blocks in it, and its units."""
    parts = list_parts(doc, has_authors=True)
    text = "".join(piece for part in parts for piece in part)
    starts: list[int] = []
    found: list[tuple[int, str, list[tuple[int, int]]]] = []  # level, author line, and rows or blocks, of each unit
    pieces = iter(parts)
    place = 0
    for part in doc.parts:
        grouping, first = _Grouping(part.page), part.written_posts.first
        last: tuple[str, int] | None = None
        for block, (before, written) in zip(part.shown, pieces, strict=False):
            group = grouping.find_group(block)
            start = place + len(before)
            place = start + len(written)
            starts.append(start)
            head = first[block.row].line if block.row in first and not block.note else ""
            if group is None or group != last or head:
                found.append((find_heading_level(block), head, [(start, place)]))
            elif group[0] == "cell" and "\n" not in before:  # the same row of the table
                found[-1][2][-1] = (found[-1][2][-1][0], place)
            else:
                found[-1][2].append((start, place))
            last = group
    units = []
    for level, head, rows in found:
        start, end = rows[0][0], rows[-1][1]
        head = head if text.startswith(head, start) else ""
        units.append(TextUnit(start, end, size(text[start:end]), level, head, tuple(rows)))
    return text, starts, units


class _Grouping:
    """Groups the blocks of a table, of a code block and of a list item."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.around: dict[str, list[int]] = {}  # by tag: the nearest ancestor of each element with it

    def find_group(self, block: KeptBlock) -> tuple[str, int] | None:
        """Return the key of the group that a block belongs to, or None if it is a unit by itself."""
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


def find_heading_level(block: KeptBlock) -> int:
    """Return the level of a heading, 1 to 6, or 0 for any other block."""
    if block.kind != "heading":
        return 0
    page = block.page
    tags = (page.tags[row] for row in list_around(page.parents, block.element, MAX_HEADING_DISTANCE))
    return next((HEADINGS.index(tag) + 1 for tag in tags if tag in HEADINGS), LOWEST_HEADING_LEVEL)


def cut_unit(text: str, unit: TextUnit, limit: int, size: Size) -> Iterator[TextPiece]:
    """Split a unit that is too large into pieces that fit, except for single words that are too large."""
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
    """Split a line that is too large into sentences, these at spaces, and runs without spaces between words."""
    for first, last in cut_sentences(text, start, end):
        measured = size(text[first:last])
        if measured <= limit:
            yield TextPiece(first, last, measured)
        else:
            yield from cut_runs(text, first, last, limit, size)


def cut_runs(text: str, start: int, end: int, limit: int, size: Size) -> Iterator[TextPiece]:
    """Split a text at spaces, and runs without spaces that are too large between words."""
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
    """Split a text like `cut_runs`, in one pass, if the size is the number of words."""
    enough = max(1, limit // PIECES_PER_LIMIT)
    first, last, count = start, start, 0  # start of the current piece, end of its last word, number of words
    for word in STEP.finditer(text, start, end):
        space = SPACE.search(text, last, word.start()) if count else None
        if space and count >= enough:
            yield TextPiece(first, space.start(), count)
            first, count = space.end(), 0
        elif count == limit:
            yield TextPiece(first, word.start(), count)
            first, count = word.start(), 0
        count += 1
        last = word.end()
    yield TextPiece(first, end, count)


def _cut_words(text: str, start: int, end: int, size: Size) -> Iterator[TextPiece]:
    """Split between words. Characters before the first word belong to it, all others to the word before them."""
    first, has_word = start, False
    for word in STEP.finditer(text, start, end):
        if has_word:
            yield TextPiece(first, word.start(), size(text[first : word.start()]))
            first = word.start()
        has_word = True
    yield TextPiece(first, end, size(text[first:end]))
