"""Find kept lines about a text: byline and date line before it, reporter, editor and copyright after it.

Labelled pages differ in these, so that a network keeps them on some sites. Only short blocks among the first and the
last kept ones count, and only if nothing is left of them once names, dates and labels are taken away.
"""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import list_around

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page import Page

__all__ = ["find_credits", "find_licence"]

HEAD_BLOCKS, TAIL_BLOCKS = 4, 5  # kept blocks at the start and the end that may be credits
TEXT_CHARS = 20  # of a kept block, without which the credits may be all there is
HEAD_CHARS, TAIL_CHARS = 120, 250  # of a credit at the start and at the end
SENTENCE_SPACES = 8  # in a line that ends with a full stop and is a sentence
MAX_DATES = 2  # lines with nothing but a date; more of them are the dates of a timeline
NO_CREDITS = frozenset({"h1", "h2", "figure", "figcaption", "caption", "pre", "blockquote"})
ITEMS = frozenset({"h3", "h4", "h5", "h6", "li", "dt", "th", "td"})  # where a date alone is more than a date line
COPYRIGHT_PARTS = ("right", "recht", "droit", "derech", "diritt", "저작권", "©", "ⓒ")  # of words in notices
LICENCE_LINK = 'a[rel*="license" i]'
MAX_LICENCES = 5  # links to a licence that are looked at
MAX_LICENCE_SHARE = 0.4  # of the kept letters
NO_BOX = frozenset({"html", "body", "main", "article"})
BOX_LEVELS = 5  # elements around a block that may be the box of a licence
LEVELS = 3  # elements around a block that are looked at


def find_credits(page: Page, kept: Sequence[bool]) -> list[int]:
    """Return the rows of kept blocks before and after the text that only say who wrote, edited or owns it, and when."""
    texts = page.block_texts
    rows = list(compress(range(len(kept)), kept))
    head = [row for row in rows[:HEAD_BLOCKS] if _may_be_credit(page, row, HEAD_CHARS)]
    tail = [row for row in rows[: -TAIL_BLOCKS - 1 : -1] if _may_be_credit(page, row, TAIL_CHARS)]
    if not head and not tail:
        return []
    from bonmun.metadata.credit_lines import is_date_line, is_first_line, is_last_line  # loads the metadata package

    found = [row for row in head if is_first_line(texts[row], is_item=page.tags[page.owners[row]] in ITEMS)]
    if found and all(len(texts[row]) < TEXT_CHARS for row in rows[rows.index(found[-1]) + 1 :]):
        found = []  # after the text
    for row in rows[: -TAIL_BLOCKS - 1 : -1]:
        if row not in tail or not is_last_line(texts[row]):
            break
        found.append(row)
    if not found:
        return found
    dates = [row for row in found if is_date_line(texts[row])]
    if dates and sum(1 for row in rows if len(texts[row]) <= HEAD_CHARS and is_date_line(texts[row])) > MAX_DATES:
        found = [row for row in found if row not in dates]
    return found if any(len(texts[row]) >= TEXT_CHARS for row in rows if row not in found) else []


def find_licence(page: Page, kept: Sequence[bool]) -> list[int]:
    """Return the last kept blocks if they are all in a box that begins with a link to the licence of the page."""
    if page.select_first(LICENCE_LINK) is None:  # most pages
        return []
    anchors = page.list_rows("a")
    links = [row for row, rel in zip(anchors, page.attrs(anchors, "rel"), strict=True) if rel and "license" in rel]
    rows = list(compress(range(len(kept)), kept)) if links else []
    if len(rows) < 2:
        return []
    owners, parents, texts = page.owners, page.parents, page.block_texts
    total = sum(len(texts[row]) for row in rows)
    for link in links[:MAX_LICENCES]:
        box = parents[link]
        if box < 0 or page.tags[box] in NO_BOX:
            continue
        inside = [row for row in rows if owners[row] >= box and box in list_around(parents, owners[row], BOX_LEVELS)]
        is_last = bool(inside) and inside == rows[-len(inside) :]
        if is_last and sum(len(texts[row]) for row in inside) <= MAX_LICENCE_SHARE * total:
            return inside
    return []


def _may_be_credit(page: Page, row: int, max_chars: int) -> bool:
    """Whether a block is short, no plain sentence, and neither a headline nor part of a figure, a quotation or code."""
    text = page.block_texts[row]
    if len(text) > max_chars or _is_sentence(text):
        return False
    around = list_around(page.parents, page.owners[row], LEVELS)
    return NO_CREDITS.isdisjoint([page.tags[element] for element in around])


def _is_sentence(text: str) -> bool:
    """Whether a text is a sentence without a number, an address or words of a notice of copyright."""
    if not text.endswith(".") or text.count(" ") < SENTENCE_SPACES or "@" in text or any(map(str.isdigit, text)):
        return False
    folded = text.lower()
    return not any(map(folded.__contains__, COPYRIGHT_PARTS))
