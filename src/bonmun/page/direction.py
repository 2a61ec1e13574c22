"""The writing direction of a page: left to right or right to left."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonmun.page.page import Page

__all__ = ["find_direction"]

# Languages written from right to left, for pages without a `dir` attribute.
RIGHT_TO_LEFT = frozenset("ar fa he iw ur ps sd ug yi dv ckb syr".split())
RIGHT_TO_LEFT_LETTERS = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
LETTERS = re.compile(r"[^\W\d_]")
MAX_LEAVES = 2_000  # leaves whose letters are counted, from the start of the page
MAX_LEAF_CHARS = 200  # characters counted per leaf


def find_direction(page: Page) -> str:
    """Return "ltr" or "rtl": as the page declares, else by its language, else by the majority of its letters."""
    bodies = (row for row, tag in enumerate(page.tags[:100]) if tag == "body")
    for row in (0, *bodies) if page.tags else ():
        declared = (page.attr(row, "dir") or "").lower()
        if declared in ("ltr", "rtl"):
            return declared
    language = (page.attr(0, "lang") or "")[:20] if page.tags else ""
    if language.lower().split("-")[0] in RIGHT_TO_LEFT:
        return "rtl"
    text = "".join(leaf[:MAX_LEAF_CHARS] for leaf in page.texts[:MAX_LEAVES])
    return "rtl" if 2 * len(RIGHT_TO_LEFT_LETTERS.findall(text)) > len(LETTERS.findall(text)) else "ltr"
