"""Clean text: collapse whitespace, and remove invisible characters and those that output formats cannot contain."""

from __future__ import annotations

import re

from bonmun.bounds import MAX_METADATA_CHARS

__all__ = ["cut_text", "drop_unreadable", "make_readable", "tidy_metadata"]

# Characters that are invisible or that some formats cannot contain: controls, soft hyphens, zero-width spaces,
# noncharacters; and private-use characters, which pages use as icons. Zero-width joiners are kept: Persian, Hindi and
# emoji need them. Lone surrogates, which cannot be encoded, become U+FFFD, and control characters that are whitespace
# become spaces.
INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u200b\u2060\ue000-\uf8ff\ufdd0-\ufdef\ufeff\ufffe\uffff\U000f0000-\U0010ffff]+"
)
CONTROL_WHITESPACE = re.compile("[\x0b-\x0d\x1c-\x1f\x85]")
SURROGATES = re.compile("[\ud800-\udfff]")


def drop_unreadable(text: str) -> str:
    """Remove characters that are invisible or not allowed; `str.translate` would take thirty times as long."""
    return SURROGATES.sub("\ufffd", CONTROL_WHITESPACE.sub(" ", INVISIBLE.sub("", text)))


def make_readable(text: str) -> str:
    """Collapse whitespace, and remove characters that are invisible or not allowed."""
    if text.isprintable():  # the only printable whitespace is U+0020
        return " ".join(text.split()) if "  " in text else text.strip()
    return " ".join(drop_unreadable(text).split())


def cut_text(text: str, chars: int) -> str:
    """Truncate a text to a number of characters: between words, unless that would lose more than half of it."""
    if len(text) <= chars:
        return text
    blank = text.rfind(" ", chars // 2, chars + 1)
    return text[: blank if blank >= 0 else chars]


def tidy_metadata(value: str) -> str:
    """Return a metadata value as readable text, cut to `MAX_METADATA_CHARS`."""
    return cut_text(make_readable(value), MAX_METADATA_CHARS)
