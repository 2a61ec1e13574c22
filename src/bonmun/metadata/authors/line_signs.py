"""Rule out lines that name no author, before the patterns of bylines and names read the others.

A sign says that a line may have something; the patterns decide. The function here is the reference of
kernel/_lines.pyx.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.kernel import load_kernel
from bonmun.metadata.authors.bylines import BYLINE_STARTS, holds_east_asian
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["BYLINE", "LABELLED", "NAME", "NAME_LINE_CHARS", "REPORTER", "sift_lines"]

# May have a byline; may be or contain a name; the line before may be a label such as "Author:"; may name a reporter.
BYLINE, NAME, LABELLED, REPORTER = 1, 2, 4, 8
LINE_CHARS = 160  # longer blocks are paragraphs, which have no signs
NAME_LINE_CHARS = 100  # maximum length of a line with a name
LABEL_CHARS = 16  # maximum length of a label before a name: "글쓴이"
FIRST_LETTERS = frozenset(start[0] for start in BYLINE_STARTS)
ODD_LETTERS = frozenset("\u0130\u0131\u017f\u212a")  # which patterns take for letters of ASCII, without case
WORDS_WITHIN = ("by ", "von ", "par ", "por ")
KERNEL = load_kernel("lines")
SIFTER = KERNEL.LineSifter(tuple(sorted(BYLINE_STARTS))) if KERNEL else None
WORD_START = compile_later(r"\w")
PART_START = compile_later(r"(?:^|(?<=[|•·\n]))[^\w|•·\n]*+(\w)")  # the first word after a bar, dot or line break
# The first word of a name, at the start of the line or after a bar or comma, and the start of the second one.
NAME_START = compile_later(r"(?:^|(?<=[|•·–—,] ))[A-ZÀ-Þ][\w.'’-]+ [A-ZÀ-Þdvlba]")


def sift_lines(texts: Sequence[str], rows: Sequence[int]) -> list[int]:
    """Return the signs of lines in some rows, as a sum; 0 for paragraphs."""
    if SIFTER:
        signs: list[int] = SIFTER.sift(texts, rows, LINE_CHARS, NAME_LINE_CHARS, LABEL_CHARS)
        return signs
    return [
        _find_signs(texts[row]) | (LABELLED if row and _may_be_label(texts[row - 1]) else 0)
        if len(texts[row]) <= LINE_CHARS
        else 0
        for row in rows
    ]


def _find_signs(text: str) -> int:
    line = text.replace("\n", " ")
    has_byline = any(word in line for word in WORDS_WITHIN) or any(
        _starts_byline(line, match.start(1)) for match in PART_START.finditer(text)
    )
    may_be_name = len(line) <= NAME_LINE_CHARS and ("20" in line or NAME_START.search(line) is not None)
    return has_byline * BYLINE + may_be_name * NAME + holds_east_asian(text) * REPORTER


def _may_be_label(text: str) -> bool:
    """Whether a text may be a label before a name."""
    first = WORD_START.search(text) if len(text) <= LABEL_CHARS else None
    return first is not None and _starts_byline(text.replace("\n", " "), first.start())


def _starts_byline(text: str, at: int) -> bool:
    """Whether a byline or a label may start with the letter at some place and the next one."""
    first, pair = text[at], f"{text[at : at + 2]:2}"
    if pair.isascii():
        return pair.lower() in BYLINE_STARTS
    return first in ODD_LETTERS or first.lower() in FIRST_LETTERS
