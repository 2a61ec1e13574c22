"""Check an installed wheel: the kernel runs, and a page is extracted. cibuildwheel runs this for every wheel."""

from __future__ import annotations

import sys

import bonmun

WORDS = "Some words that are long enough to be read as a paragraph of text."

if __name__ == "__main__":
    doc = bonmun.extract(f"<h1>Hi</h1><p>{WORDS}</p>".encode())
    found = bonmun.accelerated, doc.title, doc.text, doc.markdown
    print(bonmun.__version__, found)
    sys.exit(found != (True, "Hi", WORDS, WORDS) and "This is not what was asked for.")
