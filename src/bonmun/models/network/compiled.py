"""The default method in compiled form: the same as reference.py, without numpy."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from bonmun.kernel import load_kernel
from bonmun.markup import COMMENT_WORDS
from bonmun.models.features.characters import BLANK, CLASS_LETTERS, LINE, WIDE
from bonmun.models.features.class_words import read_word_numbers
from bonmun.models.features.page_arrays import LINK_CHARACTERS, PAGE_KINDS
from bonmun.models.features.page_counts import count_compiled
from bonmun.models.features.tags import LEVEL_OF_HEADING, TAG_NUMBERS
from bonmun.models.network import thresholds as decision
from bonmun.models.network.packed import open_default
from bonmun.models.network.thresholds import Decision, choose_page_kind
from bonmun.page import units

if TYPE_CHECKING:
    from bonmun.models.features.page_counts import PageCounts
    from bonmun.models.network.habits import Habits
    from bonmun.models.network.labeller import Network
    from bonmun.models.network.packed import PackedNetwork
    from bonmun.page import Page

__all__ = ["decide_compiled", "judge_compiled", "number_units_compiled"]

NUMBERS = 256  # more than the largest tag number


def judge_compiled(
    page: Page, given: Network | None, favour: str, least_letters: float
) -> tuple[Decision, float] | None:
    """Return the decision on the blocks of a page, which must have one, and its confidence.

    None for a page with fewer than `least_letters` letters. Without a given network, the default is used.
    """
    counts = count_compiled(page)
    if make_decider().sum_letters(counts.counts) < least_letters:
        return None
    network = _pack_given(given) if given else open_default()
    if network is None:
        return _judge_by_reference(page, given, favour, least_letters)
    found = decide_compiled(counts, network.score(counts), number_units_compiled(page), favour, network.habits)
    return found, network.confidence(found.expected)


@lru_cache(maxsize=4)
def _pack_given(network: Network) -> PackedNetwork | None:
    """Pack a network for the kernel; None if the kernel cannot run it."""
    from bonmun.models.network.packing import make_packed

    try:
        return make_packed(network)
    except ValueError:
        return None


def _judge_by_reference(
    page: Page, given: Network | None, favour: str, least_letters: float
) -> tuple[Decision, float] | None:
    from bonmun.models.network.reference import judge_page

    return judge_page(page, given, favour, least_letters)


def decide_compiled(
    counts: PageCounts, scores: tuple[Any, ...], unit_rows: tuple[bytearray, bytearray], favour: str, habits: Habits
) -> Decision:
    """Choose the blocks to keep, fix the selection, and estimate its F1."""
    keep, comment, kinds, groups = scores
    decider = make_decider()
    kept, scored, reasons, comments, expected, copied = decider.decide(
        counts, keep, comment, kinds, groups, *unit_rows, favour, habits.headlines, habits.filled
    )
    page_kinds = dict(zip(PAGE_KINDS, decider.round_kinds(kinds), strict=True))
    ranked = sorted(page_kinds.items(), key=lambda each: -each[1])
    return Decision(kept, scored, reasons, comments, choose_page_kind(page_kinds), ranked, expected, copied)


def number_units_compiled(page: Page) -> tuple[bytearray, bytearray]:
    """Return the number of each block's unit, -1 for none, and the kind of each unit."""
    formulas = page.formulas
    displayed: set[int] = set()
    if formulas:
        displayed = {row for row, start in enumerate(page.starts) if start in formulas and formulas[start].is_display}
    found: tuple[bytearray, bytearray] = make_numberer().number(
        page.tags, page.parents, page.owners, page.codes, displayed, lambda: page.layout_tables
    )
    return found


@cache
def make_decider() -> Any:
    """Return the kernel's decider, set up with the thresholds."""
    words = read_word_numbers()
    comment_words = bytearray(max(words.values()) + 1)
    for name in COMMENT_WORDS:
        if name.encode() in words:
            comment_words[words[name.encode()]] = True
    listed = {TAG_NUMBERS[tag] for tag in decision.LISTED_TAGS}
    return load_kernel("decision").Decider(
        vars(decision),
        list(PAGE_KINDS),
        list(units.UNIT_KINDS),
        bytes(number in LEVEL_OF_HEADING for number in range(NUMBERS)),
        bytes(number in listed for number in range(NUMBERS)),
        bytes(comment_words),
        CLASS_LETTERS,
        BLANK,
        LINE,
        WIDE,
        LINK_CHARACTERS,
    )


@cache
def make_numberer() -> Any:
    """Return the kernel's numberer of units, set up with their tags."""
    kinds = list(units.UNIT_KINDS)
    return load_kernel("units").Numberer(
        kinds, units.KIND_OF_TAG, units.LISTS, units.ITEMS, units.CARD_CONTENT, units.MAX_ITEM_BLOCKS
    )
