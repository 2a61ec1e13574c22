"""Read the blocks of Markdown other than paragraphs: code, tables, footnotes, headings, list items.

One pass over the lines. Each block stays open until a later line ends it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bonmun.errors import BonmunError
from bonmun.lab.gold.markdown import (
    BAR,
    FENCE,
    HEADING,
    ITEM,
    NOTE,
    QUOTE,
    RULE,
    UNDERLINE,
    drop_outer_bars,
    is_delimiter_row,
    skip_quotes,
)
from bonmun.lab.gold.markdown_spans import read_spans
from bonmun.page import Page

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Heading", "LineReader", "Table", "read_cell"]

Table = tuple[tuple[str, ...], ...]  # rows of cells

INDENTED = re.compile(r"(?: {4}| {0,3}\t)")
MIN_INDENTED_LINES = 2  # of unfenced code: a single line may be indented for other reasons
TABLE_OPENS, TABLE_CLOSES = re.compile(r"<table\b", re.I), re.compile(r"</table\b", re.I)


class Heading(NamedTuple):
    """A heading and its level, 1 to 6."""

    level: int
    text: str


class LineReader:
    """Reads Markdown line by line into finished blocks and an open one."""

    def __init__(self) -> None:
        self.last_table_close = -1  # the last line that closes an HTML table
        self.code: list[str] = []
        self.tables: list[Table] = []
        self.notes: list[list[str]] = []  # lines of each footnote
        self.headings: list[Heading] = []
        self.items: list[list[str]] = []
        self.prose: list[str] = []  # all lines except code
        self.fence = ""
        self.fence_quotes = 0
        self.fence_indent = 0
        self.block: list[str] = []  # lines of the open code block
        self.rows: list[tuple[str, ...]] = []  # of the open table
        self.html: list[str] = []  # lines of the open HTML table
        self.html_depth = 0
        self.open: list[str] | None = None  # lines of the open list item or footnote
        self.in_note = self.in_list = False
        self.last = ""  # the previous line without quote markers; empty if it cannot be continued

    def read(self, lines: Sequence[str]) -> None:
        """Read all lines."""
        self.last_table_close = max((row for row, line in enumerate(lines) if TABLE_CLOSES.search(line)), default=-1)
        for row, line in enumerate(lines):
            self._read_line(row, line)
        self._end()

    def _read_line(self, row: int, line: str) -> None:
        if self.fence and self._read_fenced(line):
            return
        if self.html_depth:
            self._read_html(line)
            return
        place, _ = skip_quotes(line)
        rest = line[place:]
        if not self.last and not self.in_list and not self.in_note and INDENTED.match(rest) and rest.strip():
            self.block.append(rest)
            return
        if self.block and not rest.strip():
            self.block.append("")
            return
        self._end_indented()
        self._read_text(row, line, rest)

    def _end(self) -> None:
        """End all open blocks."""
        if self.fence:
            self._end_fence()
        self._end_indented()
        self._end_table()
        if self.html_depth:
            self._end_html()

    def _read_fenced(self, line: str) -> bool:
        """Read a line of fenced code, or its closing fence; False if the surrounding quote has ended."""
        place = 0
        for _ in range(self.fence_quotes):
            mark = QUOTE.match(line, place)
            if not mark:
                self._end_fence()
                return False
            place = mark.end()
        rest = line[place:]
        bare = rest.strip()
        if bare.startswith(self.fence) and not bare.strip(self.fence[0]):
            self._end_fence()
        else:
            indent = min(self.fence_indent, len(rest) - len(rest.lstrip()))
            self.block.append(rest[indent:])
        return True

    def _end_fence(self) -> None:
        self.code.append("\n".join(self.block))
        self.block, self.fence, self.last = [], "", ""

    def _end_indented(self) -> None:
        """End indented code. Lines that are too few for code, or that form a list, are text."""
        if not self.block:
            return
        lines = [line for line in self.block if line.strip()]
        if len(lines) >= MIN_INDENTED_LINES and not any(map(ITEM.match, lines)):
            self.code.append("\n".join(INDENTED.sub("", line, count=1) for line in self.block).strip("\n"))
        else:
            self.prose += self.block
            self.items += [[line[mark.end() :]] for line in lines if (mark := ITEM.match(line))]
        self.block = []

    def _read_text(self, row: int, line: str, rest: str) -> None:
        bare = rest.strip()
        if not bare:
            self._end_table()
            self.prose.append("")
            self.open, self.last = (self.open if self.in_note else None), ""
            return
        is_indented = rest[:1] in (" ", "\t")
        if not self.last and not is_indented:
            self.in_note = False
            self.in_list = self.in_list and bool(ITEM.match(rest))
        mark = ITEM.match(rest) if not RULE.fullmatch(rest) else None
        text = rest[mark.end() :].strip() if mark else bare
        if fence := FENCE.match(text):
            self._end_table()
            self.fence, self.fence_quotes = fence[1], skip_quotes(line)[1]
            self.fence_indent = len(rest) - len(text if mark else rest.lstrip())
            self.block, self.last, self.open = [], "", None
        elif TABLE_OPENS.search(text) and row <= self.last_table_close:
            self._read_html(text)
        elif not self._read_row(text):
            self.prose.append(rest)
            self._read_words(text, is_item=mark is not None, is_indented=is_indented)

    def _read_words(self, text: str, *, is_item: bool, is_indented: bool) -> None:
        """Read a line of words, without its list marker."""
        note = None if is_item else NOTE.match(text)
        heading = HEADING.match(text)
        if is_item or note:
            self.open = [text[note.end() :].strip() if note else text]
            (self.notes if note else self.items).append(self.open)
            self.in_list, self.in_note = (self.in_list or is_item), note is not None
        elif heading:
            bare = text[heading.end() :].strip()
            self._add_heading(heading.end(), bare.rstrip("#").rstrip() if bare.endswith("#") else bare)
        elif self.last and self.open is None and (UNDERLINE.fullmatch(text) or set(text) == {"-"}):
            self._add_heading(1 if text[0] == "=" else 2, self.last)
        elif self.open is not None and (self.last or is_indented):
            self.open.append(text)
        else:
            self.open = None
        self.last = "" if heading and not is_item else text

    def _add_heading(self, level: int, text: str) -> None:
        if found := read_cell(text):
            self.headings.append(Heading(level, found))
        self.open = None

    def _read_row(self, text: str) -> bool:
        """Read a row of a table with bars, if the line is one: a delimiter row starts a table."""
        if self.rows and "|" in text:
            self.prose.append(text)
            self.rows.append(_split_row(text))
            return True
        self._end_table()
        if self.last and "|" in self.last and "|" in text and is_delimiter_row(text):
            self.rows = [_split_row(self.last)]
            if self.open and self.open[-1] == self.last:
                self.open.pop()
            return True
        return False

    def _end_table(self) -> None:
        if self.rows:
            self.tables.append(tuple(row for row in self.rows if any(row)))
            self.rows, self.last = [], ""

    def _read_html(self, line: str) -> None:
        self.prose.append(line)
        self.html.append(line)
        self.html_depth += len(TABLE_OPENS.findall(line)) - len(TABLE_CLOSES.findall(line))
        if self.html_depth <= 0:
            self._end_html()

    def _end_html(self) -> None:
        if found := _read_html_table("\n".join(self.html)):
            self.tables.append(found)
        self.html, self.html_depth, self.last = [], 0, ""


def _split_row(row: str) -> tuple[str, ...]:
    return tuple(read_cell(cell) for cell in BAR.split(drop_outer_bars(row)))


def read_cell(text: str) -> str:
    """Convert a cell, list item or heading to plain text on one line."""
    return " ".join(read_spans(text.strip()).split())


def _read_html_table(html: str) -> Table:
    """Read the rows of an HTML table; a table within a cell is text of the cell."""
    try:
        page = Page.parse(html)
    except BonmunError:
        return ()
    rows: list[list[list[str]]] = []
    cells: list[list[str] | None] = []  # outermost cell around each element
    for tag, parent in zip(page.tags, page.parents, strict=True):
        around = cells[parent] if parent >= 0 else None
        if around is None and tag == "tr":
            rows.append([])
        elif around is None and tag in ("td", "th") and rows:
            around = []
            rows[-1].append(around)
        cells.append(around)
    for text, element in zip(page.texts, page.leaf_elements, strict=True):
        if (cell := cells[element]) is not None:
            cell.append(text)
    made = (tuple(" ".join(" ".join(cell).split()) for cell in row) for row in rows)
    return tuple(row for row in made if any(row))
