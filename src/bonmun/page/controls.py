"""Find kept blocks that consist of the words of a control, such as "Read more", "Share on Facebook" or "광고".

The network knows no words. Only whole blocks count, so that a sentence that contains such words stays, and no headings,
table cells and code, where the same words may be text. controls.txt has the words, one language to a line or several;
they are those that stand on many sites and are main text on none, chosen from 14,000 such texts. A colon after words
means that they also start lines with a link to another page (see promotions.py).
"""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import list_around
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page.page import Page

__all__ = [
    "AROUND",
    "NO_CONTROLS",
    "find_buttons",
    "find_controls",
    "find_trailing_controls",
    "is_control",
    "read_starts",
]

WORD, HAS_DIGIT = compile_later("[a-z]+"), compile_later(r"\d")
WORDS = Path(__file__).with_name("controls.txt")
SEPARATOR = ";"
MAX_CHARS = 40  # of the words of a control with what stands around them
MAX_LINK_LEAVES = 3  # before the last one of a link that are searched for its first words
SENTENCE_ENDS = (".", "!", "?", "…", "]", ")", '"', "”", "“", "»", "。", "！", "？")
MIN_BUTTONS = 3  # with the same text
MAX_BUTTON_CHARS = 30
BUTTON_WORDS = frozenset("btn btns button buttons more readmore viewmore seemore viewall seeall showall".split())
BUTTON_LEVELS = 3  # elements around a text whose classes say that it is a button
MAX_CLASS_CHARS = 300
ARROWS = tuple("›»→➔▶▸►↗↣>")
NO_BUTTONS = frozenset({"cell", "code", "formula"})  # kinds of blocks
NO_CONTROLS = frozenset({"heading", "cell", "code", "formula"})  # kinds of blocks
AROUND = " \t\n\xa0.,:;!?…·•|/\\+-–—<>«»‹›→←↑↓▲▼▶▸►↗➔()[]0123456789"  # signs around a control's words


def find_controls(page: Page, kept: Sequence[bool]) -> list[int]:
    """Return the rows of kept blocks that are nothing but the words of a control."""
    rows, texts = compress(range(len(kept)), kept), page.block_texts
    short = [row for row in rows if len(texts[row]) <= MAX_CHARS]
    words = _read_words() if short else frozenset()
    found = [row for row in short if texts[row].strip(AROUND).lower() in words]
    return [row for row in found if page.find_kind(row) not in NO_CONTROLS]


def find_buttons(page: Page, kept: Sequence[bool]) -> list[int]:
    """Return the rows of kept buttons in any language: several have the same short text without digits.

    They are in a `<button>`, or are links that end with an arrow or have a class such as `btn` or `more`.
    """
    texts = page.block_texts
    rows = [row for row in compress(range(len(kept)), kept) if len(texts[row]) <= MAX_BUTTON_CHARS]
    counts = Counter(texts[row] for row in rows)
    rows = [row for row in rows if counts[texts[row]] >= MIN_BUTTONS and not HAS_DIGIT.search(texts[row])]
    return [row for row in rows if page.find_kind(row) not in NO_BUTTONS and _is_button(page, row)]


def _is_button(page: Page, row: int) -> bool:
    """Whether a block is in a `<button>`, or a link that ends with an arrow or is near an element named as a button."""
    leaf = page.leaf_elements[page.starts[row]]
    near = {*list_around(page.parents, leaf, BUTTON_LEVELS), *list_around(page.parents, page.owners[row], 2)}
    if "button" in [page.tags[each] for each in near]:
        return True
    if not all(page.linked_leaves[page.starts[row] : page.stops[row]]):
        return False
    names = filter(None, page.attrs(list(near), "class"))
    return page.block_texts[row].endswith(ARROWS) or any(map(_is_button_name, names))


@lru_cache(1 << 10)  # a page has few different names
def _is_button_name(name: str) -> bool:
    return not BUTTON_WORDS.isdisjoint(WORD.findall(name[:MAX_CLASS_CHARS].lower()))


def find_trailing_controls(page: Page, kept: Sequence[bool]) -> frozenset[int]:
    """Return the leaves at the end of kept blocks that are the words of a linked control: "… Read more".

    It must follow the end of a sentence, or an ellipsis. The title of the page it leads to may follow in the same link.
    """
    starts, stops, linked, texts = page.starts, page.stops, page.linked_leaves, page.texts
    found: list[int] = []
    for row in compress(range(len(kept)), kept):
        first, last = starts[row], stops[row] - 1
        if last <= first or not linked[last]:
            continue
        at = last
        while at > max(first, last - MAX_LINK_LEAVES) and not is_control(texts[at]) and linked[at - 1]:
            at -= 1
        if not (at > first and is_control(texts[at]) and texts[at - 1].rstrip().endswith(SENTENCE_ENDS)):
            continue
        if page.find_kind(row) not in NO_CONTROLS:
            found.extend(range(at, last + 1))
    return frozenset(found)


def is_control(text: str) -> bool:
    """Whether a text is nothing but the words of a control."""
    return len(text) <= MAX_CHARS and text.strip(AROUND).lower() in _read_words()


@cache
def read_starts() -> frozenset[str]:
    """Return the words that also start a line with a link to another page: "read also"."""
    return frozenset(word[:-1] for word in _read_entries() if word.endswith(":"))


@cache
def _read_words() -> frozenset[str]:
    return frozenset(word.rstrip(":") for word in _read_entries())


def _read_entries() -> list[str]:
    lines = WORDS.read_text(encoding="utf-8").splitlines()
    return [word.strip() for line in lines for word in line.split(SEPARATOR)]
