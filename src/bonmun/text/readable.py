"""Text as a reader sees it: white space folded, and nothing that no reader sees or no format carries."""

from __future__ import annotations

import re

from bonmun.bounds import MAX_METADATA_CHARS

__all__ = ["cut_text", "drop_unreadable", "make_readable", "tidy_metadata"]

# What no reader sees and some formats cannot carry: controls, soft hyphens, zero-width spaces, noncharacters; and
# characters for private use, which mean something in one font alone: the icons of pages.
# (Not the zero-width joiners: Persian, Hindi and emoji are spelt with them.) Half characters (lone surrogates), which
# no encoding can write, become U+FFFD, and controls that are white space become blanks.
UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u200b\u2060\ue000-\uf8ff\ufdd0-\ufdef\ufeff\ufffe\uffff\U000f0000-\U0010ffff]+"
)
BLANKS = re.compile("[\x0b-\x0d\x1c-\x1f\x85]")
HALVES = re.compile("[\ud800-\udfff]")


def drop_unreadable(text: str) -> str:
    """Take out what no reader sees and no format carries; `str.translate` would take thirty times as long."""
    return HALVES.sub("\ufffd", BLANKS.sub(" ", UNSEEN.sub("", text)))


def make_readable(text: str) -> str:
    """Fold white space and take out what no reader sees and no format carries."""
    if text.isprintable():  # which of all white space only blanks are
        return " ".join(text.split()) if "  " in text else text.strip()
    return " ".join(drop_unreadable(text).split())


def cut_text(text: str, chars: int) -> str:
    """Cut a text that is longer than so many characters: between words, unless that would lose more than half of it."""
    if len(text) <= chars:
        return text
    blank = text.rfind(" ", chars // 2, chars + 1)
    return text[: blank if blank >= 0 else chars]


def tidy_metadata(value: str) -> str:
    """Return a metadata value as readable text, cut to `MAX_METADATA_CHARS`."""
    return cut_text(make_readable(value), MAX_METADATA_CHARS)
