"""Text as a reader sees it: white space folded, and nothing that no reader sees or no format carries."""

from __future__ import annotations

from bonmun.bounds import FACT_CHARS

__all__ = ["UNREADABLE", "cut_text", "make_readable", "tidy_fact"]

# What no reader sees and some formats cannot carry: controls, soft hyphens, zero-width spaces, noncharacters.
# (Not the zero-width joiners: Persian, Hindi and emoji are spelt with them.) Half characters (lone surrogates), which
# no encoding can write, become U+FFFD, and controls that are white space become blanks.
UNREADABLE: dict[int, int | None]
UNREADABLE = dict.fromkeys(
    (*range(9), *range(14, 28), *range(0x7F, 0xA0), 0xAD, 0x200B, 0x2060, 0xFEFF, 0xFFFE, 0xFFFF)
)
UNREADABLE |= dict.fromkeys(range(0xFDD0, 0xFDF0)) | dict.fromkeys((11, 12, 13, 28, 29, 30, 31, 0x85), 32)
UNREADABLE |= dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)


def make_readable(text: str) -> str:
    """Fold white space and take out what no reader sees and no format carries."""
    return " ".join((text if text.isprintable() else text.translate(UNREADABLE)).split())


def cut_text(text: str, chars: int) -> str:
    """Cut a text that is longer than so many characters: between words, unless that would lose more than half of it."""
    if len(text) <= chars:
        return text
    blank = text.rfind(" ", chars // 2, chars + 1)
    return text[: blank if blank >= 0 else chars]


def tidy_fact(value: str) -> str:
    """Make what a fact says readable, and no longer than any fact is."""
    return cut_text(make_readable(value), FACT_CHARS)
