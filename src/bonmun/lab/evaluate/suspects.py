"""Find pages whose gold may be wrong.

A page is suspect if `auto`, with a model that has not seen its site, is far from the gold; if two unrelated methods
agree with each other but not with the gold; or if the gold is a small part of the element that contains it. Somebody
has to read a suspect page: the gold may as well be right.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from bonmun.errors import BonmunError
from bonmun.lab.evaluate.systems.unseen import find_model
from bonmun.lab.gold.alignment import align
from bonmun.lab.gold.folds import FOLDS, find_fold, find_site
from bonmun.options import Options
from bonmun.page import Page
from bonmun.pipeline import extract
from bonmun.text.words import compare_counts, count_words
from bonmun.work.processes import ChildLimits, run_in_children

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from bonmun.lab.gold.examples import Example

__all__ = ["ComparedGold", "compare_gold", "compare_golds"]

PAGE_SECONDS = 120.0  # timeout for a page
LOADING_SECONDS = 120.0  # timeout for the start of a child process
LOW_F1 = 0.75  # of `auto` and the gold, below which a page is suspect
AGREED_F1, DISPUTED_F1 = 0.9, 0.85  # of two methods with each other, and at most with the gold
OTHER_METHOD = "rules"  # shares neither features nor weights with `auto`
MOST_WORDS = 0.9  # share of the gold's words in the element that contains it
SMALL_PART = 0.25  # share of an element's words that are in the gold


class ComparedGold(NamedTuple):
    """A page, and why its gold may be wrong."""

    example: Example
    f1: float  # of `auto` and the gold
    suspicion: str | None  # None if there is no sign that the gold is wrong


class _CompareJob:
    """Compare the golds of pages with two methods, one page at a time."""

    def __init__(self, folds: Path) -> None:
        self.folds = folds

    def load(self) -> Callable[[Example], ComparedGold]:
        return partial(compare_gold, folds=self.folds)

    def fail(self, item: Example, reason: str) -> ComparedGold:
        return ComparedGold(item, 0.0, reason)


def compare_golds(examples: Iterable[Example], folds: Path, workers: int) -> Iterator[ComparedGold]:
    """Compare the gold of each page that has a gold text with two methods; yield the pages in any order."""
    for fold in range(FOLDS):
        find_model(folds, fold)  # fail now if one is missing, not in every child process
    limits = ChildLimits(workers, PAGE_SECONDS, loading_seconds=LOADING_SECONDS)
    return run_in_children(_CompareJob(folds), (each for each in examples if each.text is not None), limits)


def compare_gold(example: Example, folds: Path) -> ComparedGold:
    """Compare the gold text of a page with two methods."""
    model = find_model(folds, find_fold(find_site(example)))
    try:
        page = Page.parse(example.html, example.url)
        found = count_words(extract(page, options=Options(model=model, posts=False)).text)
        other = count_words(extract(page, method=OTHER_METHOD).text)
    except BonmunError as problem:
        return ComparedGold(example, 0.0, str(problem))
    gold = count_words(example.text or "")
    f1 = compare_counts(found, gold).f1
    suspicion = None
    if f1 < LOW_F1:
        suspicion = "far from what auto finds"
    elif compare_counts(found, other).f1 > AGREED_F1 and f1 < DISPUTED_F1:
        suspicion = f"auto and {OTHER_METHOD} agree on another text"
    elif _is_small_part(page, align(page, example.text or "").blocks):
        suspicion = "a small part of the element that contains it"
    return ComparedGold(example, f1, suspicion)


def _is_small_part(page: Page, gold: Sequence[bool]) -> bool:
    """Whether the smallest element with most of the gold's words, unless it is the body, has many other words."""
    words, kept = [0] * len(page.tags), [0] * len(page.tags)
    for row, owner in enumerate(page.owners):
        if not page.hidden_blocks[row]:
            size = count_words(page.block_texts[row]).total()
            words[owner] += size
            kept[owner] += size * gold[row]
    for element in range(len(page.tags) - 1, 0, -1):  # parents come before their children
        words[page.parents[element]] += words[element]
        kept[page.parents[element]] += kept[element]
    container = max(element for element in range(len(page.tags)) if kept[element] >= MOST_WORDS * kept[0])
    is_whole = page.tags[container] in ("html", "body")
    return bool(kept[0]) and not is_whole and kept[container] < SMALL_PART * words[container]
