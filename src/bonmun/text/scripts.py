"""The scripts that are written without blanks between words: one place for all who must know them.

Each name is a part of a character class, to be put between brackets in a regular expression. There are two whole
classes, since two different questions are asked:

- `COUNTED_SINGLY`: which characters count as a word each (text/words.py, algorithms/density.py)? Only letters; the rare
  ones beyond U+FFFF, which stand in names, are letters too.
- `JOINED`: between which characters is no blank set where two leaves of a page meet (page/parse/walk.py)? Punctuation
  and
  full-width forms too, since nobody writes a blank beside a full stop of theirs. The letters beyond U+FFFF are not in
  it. They might well be, but the texts of blocks would change, and models were trained on those.
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
EAST_ASIAN_MARKS = "\u3000-\u303f"  # the wide blank, punctuation, and some numerals
FULL_WIDTH = "\uff00-\uffef"
HANGUL = "\uac00-\ud7af"  # is written with blanks, but endings stick to words

LETTERS = THAI_LAO + BURMESE + KHMER + KANA + HAN + HAN_COMPATIBILITY
COUNTED_SINGLY = LETTERS + HAN_BEYOND_FFFF
JOINED = LETTERS + EAST_ASIAN_MARKS + FULL_WIDTH
