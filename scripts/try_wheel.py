"""Check an installed wheel: the kernel runs, unless BONMUN_KERNEL=no, and a page is extracted.

cibuildwheel runs this for every wheel.
"""

from __future__ import annotations

import os
import sys

import bonmun

WORDS = "Some words that are long enough to be read as a paragraph of text."

if __name__ == "__main__":
    doc = bonmun.extract(f"<h1>Hi</h1><p>{WORDS}</p>".encode())
    found = bonmun.accelerated, doc.title, doc.text, doc.markdown
    print(bonmun.__version__, found)
    has_kernel = os.environ.get("BONMUN_KERNEL") != "no"
    sys.exit(found != (has_kernel, "Hi", WORDS, WORDS) and "This is not what was asked for.")
