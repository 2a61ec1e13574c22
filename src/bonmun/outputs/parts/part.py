"""Cut a part out of a written document: a section, or what fits a budget of tokens or words.

A part ends between blocks. Only a block that does not fit by itself is cut: between lines, else between sentences, else
between words.
"""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bonmun.errors import MissingPart
from bonmun.outputs.chunks.pieces import Size, TextUnit, cut_unit, measure_words
from bonmun.outputs.parts.outline import find_section, list_sections
from bonmun.text.tokens import count_quarter_tokens, estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.options import PartOptions
    from bonmun.outputs.parts.written_blocks import WrittenBlock

__all__ = ["DocumentPart", "Rest", "cut_part"]

NOTICE_TOKENS, NOTICE_WORDS = 90, 60  # kept free for the sentence about the rest, less than half of any budget
SHOWN_TITLE_CHARS = 40
SCALE = 1_000_000  # size of a part that fills the budget


@dataclass(frozen=True, slots=True)
class Rest:
    """What follows a part.

    Attributes:
        cursor: Where it starts: the `cursor` of the next part.
        words: Number of words.
        tokens: Estimated number of tokens.
        title: Title of the next section; None if there is none.
    """

    cursor: int
    words: int
    tokens: int
    title: str | None = None

    def describe(self) -> str:
        """Return a sentence about the rest, and how to get it."""
        title = f', next "{self.title[:SHOWN_TITLE_CHARS]}"' if self.title else ""
        return (
            f"[{self.words:,} more words (about {self.tokens:,} tokens) follow{title}. "
            f"To continue, set cursor={self.cursor}.]"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """A part of a written document, and what follows it.

    Attributes:
        text: The part, in the format of the document.
        rest: What follows, or None if this is the end.
    """

    text: str
    rest: Rest | None = None

    def __str__(self) -> str:
        """The part, and a sentence about the rest."""
        return f"{self.text.rstrip()}\n\n{self.rest.describe()}\n" if self.rest else self.text


def cut_part(text: str, blocks: Sequence[WrittenBlock], options: PartOptions, head: str = "") -> DocumentPart:
    """Return a part of a document; the first part starts with `head` if this takes at most half of the budget.

    Raises MissingPart if there is no such section, or nothing after the cursor.
    """
    start, stop = 0, len(text.rstrip())
    if options.section is not None:
        section = find_section(list_sections(text, blocks), options.section)
        start, stop = section.cursor, section.end
    cursor = start if options.cursor is None else options.cursor
    if not start <= cursor <= stop or (cursor == stop and cursor > start):
        where = "the section" if options.section is not None else "the text"
        raise MissingPart(f"cursor {cursor} is outside of {where}, which goes from {start} to {stop}.")
    size = _make_size(options)
    if size is None:
        return DocumentPart((head if cursor == 0 else "") + text[cursor:stop])
    limit = SCALE - _measure_notice(options)
    if cursor == 0 and head and size(head) <= SCALE // 2:
        limit = max(1, limit - size(head))
    else:
        head = ""
    return _cut(text, blocks, cursor, stop, limit, size, head)


def _make_size(options: PartOptions) -> Size | None:
    """Return a function that measures a text in millionths of the budget; None without a budget.

    The size of a text is at most the sum of the sizes of its parts.
    """
    tokens, words = options.max_tokens, options.max_words
    if tokens is None and words is None:
        return None

    def size(text: str) -> int:
        parts = -(-count_quarter_tokens(text) * SCALE // (4 * tokens)) if tokens else 0
        return max(parts, -(-measure_words(text) * SCALE // words) if words else 0)

    return size


def _measure_notice(options: PartOptions) -> int:
    """Return the size of the sentence about the rest."""
    tokens = NOTICE_TOKENS * SCALE // options.max_tokens if options.max_tokens else 0
    return max(tokens, NOTICE_WORDS * SCALE // options.max_words if options.max_words else 0)


def _cut(
    text: str, blocks: Sequence[WrittenBlock], cursor: int, stop: int, limit: int, size: Size, head: str
) -> DocumentPart:
    first = bisect(blocks, cursor, key=lambda block: block.end)
    inside = [block for block in blocks[first:] if block.start < stop]
    opening = inside[0].opening if inside and inside[0].start < cursor else ""  # it starts within a block
    room = max(1, limit - size(opening))
    end, used = cursor, 0
    before_titles: int | None = None  # end of the last block before the titles at the end of the part
    for block in inside:
        block_end = min(block.end, stop)
        used += size(text[end:block_end])
        if used > room:
            break
        if block.level < 0:
            before_titles = None
        elif before_titles is None:
            before_titles = end
        end = block_end
    closing = ""
    if end == cursor and inside:  # the first block does not fit
        block = inside[0]
        room = max(1, room - size(block.closing))
        end = _cut_block(text, max(block.start, cursor), min(block.end, stop), room, size)
        closing = block.closing if end < block.end else ""
    elif end < stop and before_titles is not None and before_titles > cursor:
        end = before_titles  # a title stays with what follows it
    left = text[end:stop].lstrip()
    if not left:
        return DocumentPart(head + opening + text[cursor:stop])
    start = stop - len(left)
    title = next((block.title for block in inside if block.level >= 0 and block.start >= start), None)
    rest = Rest(start, measure_words(left), estimate_tokens(left), title)
    return DocumentPart(head + opening + text[cursor:end].strip("\n") + closing, rest)


def _cut_block(text: str, start: int, stop: int, room: int, size: Size) -> int:
    """Return where to end a part that starts with a block that does not fit."""
    unit = TextUnit(start, stop, 0, 0, "", ((start, stop),))
    end, used = start, 0
    for piece in cut_unit(text, unit, room, size):
        used += size(text[end : piece.end])
        if used > room:
            break
        end = piece.end
    if end > start:
        return end
    # a word that does not fit is cut between characters, after at least one
    return start + max(1, bisect(range(start + 1, stop + 1), room, key=lambda place: size(text[start:place])))
