"""Text as a reader sees it: white space folded, and nothing that no reader sees or no format carries."""

from __future__ import annotations

__all__ = ["UNREADABLE", "make_readable"]

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
