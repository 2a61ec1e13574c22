"""Drop kept blocks whose text the page has before: second copies of a text, of an item, of code for a copy button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.models.network.thresholds import DROPPED_SCORE, QUOTES_CHANCE
from bonmun.text.words import WORD

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bonmun.models.network.thresholds import Decision
    from bonmun.page import Page

__all__ = ["REPEATED", "drop_hidden_copies", "drop_repeats", "is_list"]

REPEATED = "said before"
RUN_WORDS, MIN_COPIED_SHARE = 4, 0.8  # a hidden text is a copy if this share of its runs of four words is also shown
MIN_LIST_CHANCE = 0.5  # that a page is a listing or empty


def is_list(found: Decision) -> bool:
    """Whether a page is most likely a listing: what it consists of are items."""
    kinds = dict(found.kinds)
    return kinds["listing"] + kinds["collection"] + kinds["none"] > MIN_LIST_CHANCE


def drop_repeats(page: Page, found: Decision) -> None:
    """Drop kept paragraphs that repeat earlier ones: some pages have their text twice.

    Units such as code are kept: tutorials repeat lines of code before they extend them. On listings, items may share a
    text, so only whole runs of repeated blocks are dropped, with the short blocks in them.
    """
    if not found.copied or dict(found.kinds)["forum"] > QUOTES_CHANCE:
        return
    first: dict[str, int] = {}
    repeats = [(row, first.setdefault(page.block_texts[row], row)) for row in found.copied]
    repeats = [(row, original) for row, original in repeats if row != original]
    for row in _extend_repeats(page.block_texts, repeats) if is_list(found) else [row for row, _ in repeats]:
        if found.kept[row]:
            _drop_block(found, row, REPEATED)


def _extend_repeats(texts: list[str], repeats: list[tuple[int, int]]) -> set[int]:
    """Return the rows of all runs of two repeated blocks or more that contain one of the repeats."""
    found: set[int] = set()
    for row, original in repeats:
        if row in found:
            continue
        distance = row - original
        start = stop = row
        while start - 1 > original and start > distance and start - 1 not in found:
            if texts[start - 1] != texts[start - 1 - distance]:
                break
            start -= 1
        while stop + 1 < len(texts) and stop + 1 - distance < row and texts[stop + 1] == texts[stop + 1 - distance]:
            stop += 1
        if start < stop:
            found.update(range(start, stop + 1))
    return found


def drop_hidden_copies(page: Page, found: Decision) -> None:
    """Drop kept blocks that are hidden and whose text is also shown, such as code for a copy button."""
    is_hidden = page.hidden_blocks
    hidden = [row for row, each in enumerate(is_hidden) if each and found.kept[row]] if True in is_hidden else ()
    if not hidden:
        return
    shown = [row for row, kept in enumerate(found.kept) if kept and not is_hidden[row]]
    said = " ".join(page.block_texts[row] for row in shown)
    runs_of = {row: set(_list_runs(page.block_texts[row])) for row in hidden}
    copied = set().union(*runs_of.values()).intersection(_list_runs(said))
    for row, runs in runs_of.items():
        if len(runs & copied) >= MIN_COPIED_SHARE * len(runs):
            _drop_block(found, row, "hidden, and shown elsewhere")


def _list_runs(text: str) -> Iterable[tuple[str, ...]]:
    """Return all runs of RUN_WORDS words in a text; a shorter text is one run."""
    words = WORD.findall(text)
    if len(words) < RUN_WORDS:
        return (tuple(words),)
    return zip(*(words[at:] for at in range(RUN_WORDS)), strict=False)


def _drop_block(found: Decision, row: int, reason: str) -> None:
    found.kept[row] = False
    found.scores[row] = min(found.scores[row], DROPPED_SCORE)
    found.reasons[row] = reason
