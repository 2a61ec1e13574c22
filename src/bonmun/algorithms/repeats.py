"""Drop kept blocks whose text the page has before: second copies of a text, of an item, of code for a copy button."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING

from bonmun.models.network.thresholds import DROPPED_SCORE, QUOTES_CHANCE
from bonmun.page.items import find_address
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

    Where two long paragraphs or more are repeated one after the other, the short blocks between and beside them are
    part of the copy. Units such as code are kept: tutorials repeat lines of code before they extend them. So are the
    repeats in one element, such as the refrain of a song, and on listings all but whole items, which may share a text.
    """
    if not found.copied or dict(found.kinds)["forum"] > QUOTES_CHANCE:
        return
    texts, owners = page.block_texts, page.owners
    first: dict[str, int] = {}
    repeats = [(row, first.setdefault(texts[row], row)) for row in found.copied]
    repeats = [(row, original) for row, original in repeats if owners[row] != owners[original]]
    long = {row for row, _ in repeats}
    runs = _find_runs(texts, repeats)
    if is_list(found):
        rows = set().union(*(run for run in runs if _is_item(page, run, long)))
    else:
        rows = long.union(*(run for run in runs if len(long.intersection(run)) > 1))
    for row in rows:
        if found.kept[row]:
            _drop_block(found, row, REPEATED)


def _find_runs(texts: list[str], repeats: list[tuple[int, int]]) -> list[range]:
    """Return the rows around each repeat that repeat those around its original; adjacent runs are one."""
    found: list[range] = []
    end = 0  # of the last run
    for row, original in repeats:
        if row < end:
            continue
        distance = row - original
        start, end = row, row + 1
        while start - 1 > original and start > distance and not (found and start - 1 in found[-1]):
            if texts[start - 1] != texts[start - 1 - distance]:
                break
            start -= 1
        while end < len(texts) and end - distance < row and texts[end] == texts[end - distance]:
            end += 1
        if found and found[-1].stop == start:  # a third copy
            start = found.pop().start
        found.append(range(start, end))
    return found


def _is_item(page: Page, run: range, long: set[int]) -> bool:
    """Whether a run has a title before a long text or at its start: a heading, or a link the block before lacks."""
    if len(run) == 1:
        return False
    for row in run:
        if page.find_kind(row) == "heading":
            return True
        address = find_address(page, row)
        if address and (row == 0 or find_address(page, row - 1) != address):
            return True
        if row in long:
            return False
    return False


def drop_hidden_copies(page: Page, found: Decision) -> None:
    """Drop kept blocks that are hidden and whose text is also shown, such as code for a copy button."""
    is_hidden = page.hidden_blocks
    hidden = [row for row in compress(range(len(is_hidden)), is_hidden) if found.kept[row]]
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
