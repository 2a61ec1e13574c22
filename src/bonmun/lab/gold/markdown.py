"""Convert Markdown to plain text, for golds that are written in Markdown.

The markers of headings, lists, quotes, callouts, emphasis, code, footnotes and tables are removed, and so are images,
link targets, tags, comments and YAML front matter. The marked words stay, one line per block. Tabs separate the cells
of a table row. Formulas and code stay unchanged. The syntax is CommonMark with tables, footnotes, `==marked==` text and
callouts. A marker without a counterpart stays. Code that is only indented is read as text.

Runs in linear time on any input: nested markup is never read twice.
"""

from __future__ import annotations

import re

from bonmun.lab.gold.markdown_spans import find_labels, read_spans

__all__ = ["drop_front_matter", "drop_outer_bars", "is_delimiter_row", "read_markdown", "skip_quotes"]

FRONT_MATTER_KEY = re.compile(r"[\w-]+[ \t]*:")  # the line after the opening ---
QUOTE = re.compile(r"[ \t]*+>")
ITEM = re.compile(r"[ \t]*+(?:[-*+]|(\d{1,9})[.)])(?=[ \t]|$)")
RULE = re.compile(r"[ \t]*+([-*_])[ \t]*+(?:\1[ \t]*+){2,}")
UNDERLINE = re.compile(r"[ \t]*+=+[ \t]*")
HEADING = re.compile(r"#{1,6}(?=[ \t]|$)")
FENCE = re.compile(r"[ \t]*+(`{3,}+(?=[^`]*$)|~{3,}+)")
BLOCK_PREFIX = re.compile(r"\[!\w+\][+-]?|\[[ xX]\](?=[ \t])")  # of a callout, or of a task list item
NOTE = re.compile(r"\[\^[^\[\]\s]+\]:")
DEFINITION = re.compile(r"\[[^\[\]]+\]:[ \t]*+\S++[ \t]*+(?:\"[^\"]*\"|'[^']*'|\([^()]*\))?[ \t]*")
BAR = re.compile(r"(?<!\\)\|")
DASHES = re.compile(r":?-+:?")
FORMULA = "$$"


def read_markdown(markdown: str) -> str:
    r"""Read Markdown as text.

    >>> read_markdown("## A *lamp*\n\n- [Lit](https://example.org) at six[^1]\n\n[^1]: Or $x_1$.")
    'A lamp\nLit at six\nOr $x_1$.'
    """
    lines = drop_front_matter(re.split(r"\r\n|[\n\r]", markdown))
    reader = _MarkdownReader(find_labels(lines))
    last_formula = max((row for row, line in enumerate(lines) if FORMULA in line), default=-1)
    for row, line in enumerate(lines):
        reader.read_line(line, formula_ends=row < last_formula)
    reader.end_block()
    return "\n".join(reader.done).strip("\n")


def drop_front_matter(lines: list[str]) -> list[str]:
    """Drop YAML front matter if the lines start with it and it is closed."""
    if lines[0].rstrip() != "---" or not FRONT_MATTER_KEY.match(lines[1] if len(lines) > 1 else ""):
        return lines
    end = next((row for row, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")), None)
    return lines if end is None else lines[end + 1 :]


class _MarkdownReader:
    """Reads Markdown line by line into finished lines and an open block."""

    def __init__(self, labels: frozenset[str]) -> None:
        self.labels = labels  # of footnotes and links
        self.done: list[str] = []
        self.block: list[str] = []  # lines of the open paragraph
        self.quotes = 0  # quote depth of the last line
        self.fence = ""  # opening fence of the open code block
        self.in_formula = self.in_list = self.in_table = False

    def read_line(self, line: str, *, formula_ends: bool) -> None:
        """Read the next line; `formula_ends` says whether a `$$` follows that can close a formula opened here."""
        if self.in_formula:
            self.done.append(line.strip())
            self.in_formula = FORMULA not in line
        elif not self.fence or not self._read_code(line):
            self._read_text(line, formula_ends=formula_ends)

    def end_block(self) -> None:
        """Finish the open block."""
        text = read_spans("\n".join(self.block), self.labels)
        self.done += filter(None, map(str.strip, text.split("\n")))
        self.block.clear()

    def _read_code(self, line: str) -> bool:
        """Read a line of fenced code, or its closing fence; False if the surrounding quote has ended."""
        place = 0
        for _ in range(self.quotes):
            mark = QUOTE.match(line, place)
            if not mark:
                self.fence = ""
                return False
            place = mark.end()
        rest = line[place:].strip()
        if rest.startswith(self.fence) and not rest.strip(self.fence[0]):
            self.fence = ""
        else:
            self.done.append(line[place:].rstrip())
        return True

    def _read_text(self, line: str, *, formula_ends: bool) -> None:
        """Read a line outside fenced code: its markers, then its words."""
        follows = bool(self.block)  # the line may continue an open paragraph
        place, quotes = skip_quotes(line)
        if quotes > self.quotes:  # a quoted paragraph may continue without its marker
            self.end_block()
        self.quotes = quotes
        if RULE.fullmatch(line, place):  # also the underline of a heading
            self.end_block()
            return
        rest, is_item = self._skip_marks(line, place, follows=follows)
        if is_item:
            self.end_block()
        elif (follows and UNDERLINE.fullmatch(rest)) or RULE.fullmatch(rest) or not rest.strip():
            self.end_block()
            self.in_table = False
            return
        elif not follows and line[place : place + 1] not in (" ", "\t"):
            self.in_list = False
        self._read_rest(rest, formula_ends=formula_ends)

    def _skip_marks(self, line: str, place: int, *, follows: bool) -> tuple[str, bool]:
        """Skip the markers of list items and of quotes inside them; return the rest, and whether there were any.

        Inside a paragraph, an ordered list must start with 1: a line may begin with a year and a full stop.
        """
        is_item = False
        while mark := ITEM.match(line, place) or (is_item and QUOTE.match(line, place)) or None:
            number = mark[1] if mark.re is ITEM else None
            if number and int(number) != 1 and follows and not self.in_list:
                break
            place = mark.end()
            is_item = self.in_list = True
        return line[place:].lstrip(), is_item

    def _read_rest(self, rest: str, *, formula_ends: bool) -> None:
        """Read a line without its markers of quotes and lists."""
        if mark := FENCE.match(rest):
            self.end_block()
            self.fence = mark[1]
        elif rest.startswith(FORMULA) and FORMULA not in rest[len(FORMULA) :] and formula_ends:
            self.end_block()
            self.done.append(rest.rstrip())
            self.in_formula = True
        elif mark := HEADING.match(rest):
            self.end_block()
            text = rest[mark.end() :].strip()
            bare = text.rstrip("#")
            self.block.append(text if bare and not bare[-1].isspace() else bare)
            self.end_block()
        elif mark := NOTE.match(rest):
            self.end_block()
            self.block.append(rest[mark.end() :].lstrip())
        elif (self.block or not DEFINITION.fullmatch(rest)) and not self._read_row(rest):
            mark = None if self.block else BLOCK_PREFIX.match(rest)
            self.block.append(rest[mark.end() :].lstrip() if mark else rest)

    def _read_row(self, rest: str) -> bool:
        """Read a table row if the line is one: a delimiter row starts a table."""
        if not self.in_table and self.block and "|" in rest and "|" in self.block[-1] and is_delimiter_row(rest):
            head = self.block.pop()
            self.end_block()
            self.in_table = True
            self._add_row(head)
            return True
        if self.in_table and "|" in rest:
            self._add_row(rest)
            return True
        self.in_table = False
        return False

    def _add_row(self, row: str) -> None:
        cells = (read_spans(cell.strip(), self.labels) for cell in BAR.split(drop_outer_bars(row)))
        text = "\t".join(" ".join(cell.split()) for cell in cells)
        if not text.isspace():
            self.done.append(text)


def skip_quotes(line: str) -> tuple[int, int]:
    """Skip quote markers; return the place after them and their number."""
    place = count = 0
    while mark := QUOTE.match(line, place):
        place, count = mark.end(), count + 1
    return place, count


def is_delimiter_row(row: str) -> bool:
    """Whether a line with bars is the delimiter row of a table, such as `|---|:--:|`."""
    return all(DASHES.fullmatch(cell.strip()) for cell in drop_outer_bars(row).split("|"))


def drop_outer_bars(row: str) -> str:
    """Drop the bars at both ends of a row."""
    row = row.strip().removeprefix("|")
    return row if row.endswith("\\|") else row.removesuffix("|")
