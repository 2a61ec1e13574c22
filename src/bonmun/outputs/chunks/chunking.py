"""Split the text of a document into chunks, for search, embedding or language models.

The text is split at headings first, then between paragraphs, tables, code blocks and list items, and within one of
these only if it is too large by itself (see pieces.py). A section that fits is one chunk, with everything under its
heading. Consecutive sections share a chunk as long as they fit together.

Without overlap, there is nothing but white space between consecutive chunks.
"""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from bonmun.errors import BadConfig
from bonmun.outputs.chunks.pieces import Size, TextPiece, TextUnit, cut_runs, cut_unit, find_units, measure_words
from bonmun.settings import check_type
from bonmun.text.readable import cut_text
from bonmun.text.sentences import cut_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bonmun.kept import KeptBlock
    from bonmun.outputs.writable import Writable

__all__ = ["Chunk", "check_chunks", "make_chunks"]

HEADING_CHARS = 200  # maximum length of a heading in `Chunk.headings`, since every chunk repeats it


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of the main text that is small enough to be embedded, indexed or read by a language model.

    Attributes:
        number: Position in the document, from 0.
        text: Text of the chunk: `doc.text[start:end]`.
        headings: Headings that the whole chunk is under, the highest level first.
        kinds: Kinds of its blocks, each once, in order of appearance, such as ("heading", "paragraph").
        size: Number of words, or what the `size` function given to `Document.chunks` returns.
        start: Index of its first character in `doc.text`.
        end: Index after its last character in `doc.text`.
        first: XPath of its first block.
        last: XPath of its last block.
        post: Author and date of the post that the chunk starts in, on a thread; else None.
    """

    number: int
    text: str
    headings: tuple[str, ...]
    kinds: tuple[str, ...]
    size: int
    start: int
    end: int
    first: str
    last: str
    post: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the chunk as a dictionary of plain values."""
        return {name: getattr(self, name) for name in self.__slots__} | {
            "headings": list(self.headings),
            "kinds": list(self.kinds),
        }


def check_chunks(chunk_words: int, chunk_overlap: int) -> None:
    """Raise BadConfig if a text cannot be split into such chunks."""
    check_type("chunk_words", chunk_words, int, "a whole number")
    check_type("chunk_overlap", chunk_overlap, int, "a whole number")
    if chunk_words < 1:
        raise BadConfig(f"chunk_words must be at least 1, not {chunk_words}.")
    if not 0 <= chunk_overlap <= chunk_words // 2:
        raise BadConfig(
            f"chunk_overlap must be from 0 to {chunk_words // 2}, half of chunk_words, not {chunk_overlap}."
        )


def make_chunks(doc: Writable, max_words: int, overlap: int, size: Size | None) -> list[Chunk]:
    """Split the text of a document; see `Document.chunks`."""
    check_chunks(max_words, overlap)
    measure = size or measure_words
    text, starts, units = find_units(doc, measure)
    cutter = _Cutter(text, units, max_words - overlap, measure, is_exact=size is None)
    cutter.cut(0, len(units))
    spans = cutter.spans
    if overlap:
        spans = list(_overlap_spans(text, units, spans, max_words, overlap, measure))
    return list(_describe(doc, text, starts, units, spans, measure))


class _Cutter:
    """Splits a text into spans that fit the limit."""

    def __init__(self, text: str, units: list[TextUnit], limit: int, size: Size, *, is_exact: bool) -> None:
        self.text = text
        self.units = units
        self.limit = limit
        self.size = size
        self.is_exact = is_exact  # whether the size of a text is the sum of the sizes of its parts
        self.sums = [0, *accumulate(unit.size for unit in units)]
        self.spans: list[tuple[int, int]] = []
        self.open: list[TextPiece] = []  # pieces of the current span
        self.total = 0  # their size

    def cut(self, first: int, stop: int) -> None:
        """Split a section, which is a run of units. The recursion is at most seven levels deep: posts and headings."""
        levels = [1 if unit.head else unit.level and unit.level + 1 for unit in self.units[first:stop]]
        lead = next((number for number, level in enumerate(levels) if not level), len(levels))  # its own headings
        top = min(filter(None, levels[lead:]), default=0)
        if not top:
            self._fill(first, stop)
            return
        cuts = [0, *(number for number, level in enumerate(levels) if number > lead and level == top), len(levels)]
        for one, other in pairwise(cuts):
            whole = self._join(first + one, first + other)
            if whole:
                self._add(whole)
            else:
                self._flush()
                self.cut(first + one, first + other)
        self._flush()

    def _join(self, first: int, stop: int) -> TextPiece | None:
        """Return a run of units as one piece, or None if that is too large."""
        start, end, total = self.units[first].start, self.units[stop - 1].end, self.sums[stop] - self.sums[first]
        if total > self.limit or not (self.is_exact or self.size(self.text[start:end]) <= self.limit):
            return None
        return TextPiece(start, end, total)

    def _fill(self, first: int, stop: int) -> None:
        """Split a section without subheadings."""
        for unit in self.units[first:stop]:
            if unit.size <= self.limit:
                self._add(TextPiece(unit.start, unit.end, unit.size))
                continue
            limit = self.limit
            if unit.head:  # the line with the author stays with what follows it
                self._flush()
                limit = max(1, limit - self.size(unit.head))
            for piece in cut_unit(self.text, unit, limit, self.size):
                self._add(piece)
        self._flush()

    def _add(self, piece: TextPiece) -> None:
        while self.open and self.total + piece.size > self.limit:
            self._end_span()
        self.open.append(piece)
        self.total += piece.size

    def _flush(self) -> None:
        while self.open:
            self._end_span()

    def _end_span(self) -> None:
        """End a span after as many open pieces as fit together, but at least one."""
        count = len(self.open)
        start = self.open[0].start
        if not self.is_exact and self._is_too_large(count):
            count = max(1, bisect(range(count), False, key=self._is_too_large) - 1)  # the most that fit
        self.spans.append((start, self.open[count - 1].end))
        self.open = self.open[count:]
        self.total = sum(piece.size for piece in self.open)

    def _is_too_large(self, count: int) -> bool:
        """Whether the first `count` open pieces are too large together."""
        if count < 2:
            return False
        return self.size(self.text[self.open[0].start : self.open[count - 1].end]) > self.limit


def _overlap_spans(
    text: str, units: list[TextUnit], spans: list[tuple[int, int]], limit: int, overlap: int, size: Size
) -> Iterator[tuple[int, int]]:
    """Yield the spans, extended to start with the end of the previous one, unless they start with a heading."""
    headings = {unit.start for unit in units if unit.level}
    last: tuple[int, int] | None = None
    for start, end in spans:
        tail = _find_tail(text, *last, overlap, size) if last and start not in headings else start
        yield (tail if size(text[tail:end]) <= limit else start), end
        last = (start, end)


def _find_tail(text: str, start: int, end: int, overlap: int, size: Size) -> int:
    """Return the start of the overlap at the end of a span: of whole sentences that fit, else of words."""
    sentences: list[tuple[int, int]] = []
    place = start
    for line in text[start:end].split("\n"):
        sentences += cut_sentences(text, place, place + len(line))
        place += len(line) + 1
    tail = _find_longest_tail(
        (TextPiece(*part, size(text[slice(*part)])) for part in reversed(sentences)), end, overlap
    )
    if tail < end or not sentences:
        return tail
    return _find_longest_tail(reversed([*cut_runs(text, *sentences[-1], 1, size)]), end, overlap)


def _find_longest_tail(pieces: Iterable[TextPiece], end: int, overlap: int) -> int:
    """Return the start of the longest run of last pieces that fits; `pieces` are in reverse order."""
    found, total = end, 0
    for piece in pieces:
        total += piece.size
        if total > overlap:
            break
        found = piece.start
    return found


def _describe(
    doc: Writable, text: str, starts: list[int], units: list[TextUnit], spans: list[tuple[int, int]], size: Size
) -> Iterator[Chunk]:
    """Yield a chunk for each span."""
    blocks = doc.shown
    find_xpath = lru_cache(maxsize=2)(lambda block: blocks[block].xpath)  # a large block may have many chunks
    path: list[tuple[int, str]] = []  # level and text of the headings above the current position
    at = 0
    for number, (start, end) in enumerate(spans):
        while at < len(units) and units[at].start < start:
            _enter(path, units[at], text)
            at += 1
        headings = _find_path(path, units, at, end, text)
        first, last = bisect(starts, start) - 1, bisect(starts, end - 1) - 1
        kinds = tuple(dict.fromkeys(block.kind for block in blocks[first : last + 1]))
        part = text[start:end]
        post = _find_post(doc, blocks[first])
        yield Chunk(number, part, headings, kinds, size(part), start, end, find_xpath(first), find_xpath(last), post)


def _find_post(doc: Writable, block: KeptBlock) -> str | None:
    """Return the author line of the post that a block belongs to."""
    posts = next(part for part in doc.parts if part.page is block.page).written_posts
    number = posts.numbers.get(block.row)
    return None if number is None else posts.posts[number].line or None


def _find_path(path: list[tuple[int, str]], units: list[TextUnit], at: int, end: int, text: str) -> tuple[str, ...]:
    """Return the headings above the whole span, including those it starts with."""
    found = list(path)
    while at < len(units) and units[at].level and units[at].start < end:
        _enter(found, units[at], text)
        at += 1
    while at < len(units) and units[at].start < end:
        level = units[at].level
        found = [heading for heading in found if heading[0] < level] if level else found
        at += 1
    return tuple(heading for _, heading in found)


def _enter(path: list[tuple[int, str]], unit: TextUnit, text: str) -> None:
    """Add a heading to a path, after removing those of the same or a lower level."""
    if unit.level:
        while path and path[-1][0] >= unit.level:
            path.pop()
        path.append((unit.level, cut_text(" ".join(text[unit.start : unit.end].split()), HEADING_CHARS)))
