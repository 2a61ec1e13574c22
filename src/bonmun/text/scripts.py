"""Scripts that are written without spaces between words, as parts of regular expression character classes.

- `COUNTED_SINGLY`: characters that count as a word each (text/words.py, algorithms/density.py). Only letters, including
  rare ones beyond U+FFFF, which occur in names.
- `JOINED`: characters between which no space is added where two leaves meet (page/parse/walk.py). It includes
  punctuation and full-width forms. It lacks letters beyond U+FFFF: adding them would change the texts that the models
  were trained on.
"""

from __future__ import annotations

__all__ = ["COUNTED_SINGLY", "HANGUL", "JOINED"]

THAI_LAO = "\u0e00-\u0eff"
BURMESE = "\u1000-\u109f"
KHMER = "\u1780-\u17ff"
KANA = "\u3040-\u30ff"
HAN = "\u3400-\u9fff"
HAN_COMPATIBILITY = "\uf900-\ufaff"
HAN_BEYOND_FFFF = "\U00020000-\U0003ffff"
EAST_ASIAN_MARKS = "\u3000-\u303f"  # the ideographic space, punctuation, and some numerals
FULL_WIDTH = "\uff00-\uffef"
HANGUL = "\uac00-\ud7af"  # written with spaces, but endings are attached to words

LETTERS = THAI_LAO + BURMESE + KHMER + KANA + HAN + HAN_COMPATIBILITY
COUNTED_SINGLY = LETTERS + HAN_BEYOND_FFFF
JOINED = LETTERS + EAST_ASIAN_MARKS + FULL_WIDTH
