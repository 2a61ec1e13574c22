"""Estimate how many tokens a language model makes of a text, without a tokenizer.

The estimate is meant to be rather too high than too low, since it is compared with limits.
"""

from __future__ import annotations

__all__ = ["count_quarter_tokens", "estimate_tokens"]

# Quarters of a token per character, by its length in UTF-8: letters and white space of ASCII; digits and punctuation of
# ASCII; accented Latin, Greek, Cyrillic, Hebrew, Arabic (2 bytes); Han, Kana, Hangul, Thai, Indic, emoji (3, 4 bytes).
LETTER, SIGN, TWO_BYTES, MORE_BYTES = 1, 2, 2, 4
LETTERS = bytes(each for each in range(128) if chr(each).isalpha() or chr(each).isspace())
ASCII = bytes(range(0x80))
CONTINUATION = bytes(range(0x80, 0xC0))  # bytes after the first of a character
LEADS_OF_TWO = bytes(range(0xC0, 0xE0))


def estimate_tokens(text: str) -> int:
    """Return the estimated number of tokens of a text.

    Four ASCII letters are a token, two ASCII digits or punctuation marks, two letters of other alphabets up to Arabic,
    and one character of any other script, such as Han or Hangul.

    >>> estimate_tokens("The lamp was lit."), estimate_tokens("등대에 불이 켜졌다.")
    (5, 9)
    """
    return -(-count_quarter_tokens(text) // 4)


def count_quarter_tokens(text: str) -> int:
    """Return the estimate in quarters of a token; that of a text is the sum of those of its parts."""
    data = text.encode("utf-8", "replace")
    signs = data.translate(None, LETTERS)
    letters = len(data) - len(signs)
    leads = signs.translate(None, CONTINUATION)  # one byte per character
    others = leads.translate(None, ASCII)
    more = len(others.translate(None, LEADS_OF_TWO))
    return LETTER * letters + SIGN * (len(leads) - len(others)) + TWO_BYTES * (len(others) - more) + MORE_BYTES * more
