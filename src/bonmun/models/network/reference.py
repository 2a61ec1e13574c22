"""The default method in numpy: the reference for the compiled form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.models.features.count_page import count_page
from bonmun.models.network.decide import count_letters, decide
from bonmun.models.network.labeller import boxes_network, default_network
from bonmun.models.network.whole_units import number_units

if TYPE_CHECKING:
    from bonmun.models.features.page_arrays import PageArrays
    from bonmun.models.network.labeller import Network
    from bonmun.models.network.thresholds import Decision
    from bonmun.page import Page

__all__ = ["choose_network", "judge_page"]


def choose_network(given: Network | None, arrays: PageArrays) -> Network:
    """Return the given network, else the default for pages with or without boxes."""
    return given or (default_network() if arrays.boxes is None else boxes_network())


def judge_page(page: Page, given: Network | None, favour: str, least_letters: float) -> tuple[Decision, float] | None:
    """Return the decision on the blocks of a page, which must have one, and its confidence.

    None for a page with fewer than `least_letters` letters. Without a given network, the default is used.
    """
    arrays = count_page(page)
    if count_letters(arrays).sum() < least_letters:
        return None
    network = choose_network(given, arrays)
    found = decide(arrays, network.scores(arrays), number_units(page), favour)
    return found, network.confidence(found.expected)
