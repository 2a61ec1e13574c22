"""Compose letters and marks (NFC) in linear time."""

from __future__ import annotations

from unicodedata import normalize

from bonmun.text.patterns import compile_later

__all__ = ["compose"]

MAX_MARKS = 64  # in a run of them; a letter of any language has far fewer
# Combining marks are neither letters, white space nor in Latin-1; other characters in such runs do not change.
LONG_RUN = compile_later(f"[^\\w\\s\x00-\u02ff]{{{MAX_MARKS + 1},}}+")


def compose(text: str) -> str:
    r"""Return a text with composed letters, so that texts that look the same are equal.

    Marks on one letter are put in order, which takes the square of their number. So the marks of a very long run are
    composed a few at a time.

    >>> compose("cafe\u0301") == "café"
    True
    """
    if text.isascii():
        return text
    if len(text) <= MAX_MARKS or not LONG_RUN.search(text):
        return normalize("NFC", text)
    pieces: list[str] = []
    done = 0
    for run in LONG_RUN.finditer(text):
        pieces.append(text[done : run.start()])
        pieces += [text[at : min(at + MAX_MARKS, run.end())] for at in range(run.start(), run.end(), MAX_MARKS)]
        done = run.end()
    return "".join([normalize("NFC", piece) for piece in (*pieces, text[done:])])
