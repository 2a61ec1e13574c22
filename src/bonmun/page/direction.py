"""Which way a page is written: from left to right, or from right to left."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonmun.page.page import Page

__all__ = ["find_direction"]

# Languages that are written from right to left, for pages that do not say so.
RIGHT_TO_LEFT = frozenset("ar fa he iw ur ps sd ug yi dv ckb syr".split())
RIGHT_TO_LEFT_LETTERS = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
LETTERS = re.compile(r"[^\W\d_]")
READ_LEAVES = 2_000  # from the start of the page, in which letters are counted
READ_CHARS = 200  # of a leaf


def find_direction(page: Page) -> str:
    """`ltr` or `rtl`: as the page says, else as its language is written, else as most of its letters are."""
    bodies = (row for row, tag in enumerate(page.tags[:100]) if tag == "body")
    for row in (0, *bodies) if page.tags else ():
        said = (page.attr(row, "dir") or "").lower()
        if said in ("ltr", "rtl"):
            return said
    language = (page.attr(0, "lang") or "")[:20] if page.tags else ""
    if language.lower().split("-")[0] in RIGHT_TO_LEFT:
        return "rtl"
    text = "".join(leaf[:READ_CHARS] for leaf in page.texts[:READ_LEAVES])
    return "rtl" if 2 * len(RIGHT_TO_LEFT_LETTERS.findall(text)) > len(LETTERS.findall(text)) else "ltr"
