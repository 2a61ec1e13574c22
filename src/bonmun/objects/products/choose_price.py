"""Choose the price of a product among the amounts that the page shows and declares.

Every amount at every place gets the sum of the weights of its features; scripts/fit/product_prices.py fits the weights
on pages with known prices. What the page shows wins: a declared amount that is not shown has a weight of its own.
"""

from __future__ import annotations

import json
from functools import cache
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bonmun.objects.products.shown_prices import find_shown_prices

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bonmun.objects.products.shown_prices import ShownPrice
    from bonmun.objects.products.view import ProductView

__all__ = ["ChosenPrice", "DeclaredPrice", "PriceCandidate", "choose_price", "list_candidates"]

WEIGHTS = Path(__file__).with_name("price_weights.json")
NONE = "none"  # feature of "the page has no price"


class DeclaredPrice(NamedTuple):
    """A price in the markup."""

    amount: str
    currency: str | None
    source: str


class PriceCandidate(NamedTuple):
    """An amount with its features."""

    amount: str
    currency: str | None
    source: str
    features: frozenset[str]
    shown: ShownPrice | None


class ChosenPrice(NamedTuple):
    """The price of a product."""

    candidate: PriceCandidate
    confidence: float


def list_candidates(view: ProductView, declared: Sequence[DeclaredPrice]) -> list[PriceCandidate]:
    """Return the amounts that a page shows, and those that only its markup has."""
    amounts = {float(each.amount): each for each in reversed(declared)}
    in_scripts = view.scripts.amounts
    found = []
    shown_amounts = set()
    for shown in find_shown_prices(view):
        number = shown.number
        shown_amounts.add(number)
        extra = {"script"} if number in in_scripts else {"not script"} if in_scripts else set()
        if declared:
            extra.add("declared" if number in amounts else "not declared")
        currency = shown.currency or (amounts[number].currency if number in amounts else None)
        found.append(PriceCandidate(shown.amount, currency, "page", frozenset(shown.features | extra), shown))
    for number, each in amounts.items():
        if number not in shown_amounts and number > 0:
            extra = {"script"} if number in in_scripts else set()
            found.append(
                PriceCandidate(each.amount, each.currency, each.source, frozenset({"not shown", *extra}), None)
            )
    return found


def choose_price(
    candidates: Sequence[PriceCandidate], weights: Mapping[str, float] | None = None
) -> ChosenPrice | None:
    """Return the candidate with the highest score, the first of several, or None if "no price" scores higher."""
    if not candidates:
        return None
    weights = load_weights() if weights is None else weights
    best: dict[float, tuple[float, PriceCandidate]] = {}  # by amount
    for candidate in candidates:
        score = score_features(candidate.features, weights)
        number = float(candidate.amount)
        if number not in best or score > best[number][0]:
            best[number] = (score, candidate)
    top, chosen = max(best.values(), key=lambda each: each[0])
    none = weights.get(NONE, 0.0)
    if top < none:
        return None
    total = sum(exp(score - top) for score, _ in best.values()) + exp(none - top)
    return ChosenPrice(chosen, round(1 / total, 3))


def score_features(features: Iterable[str], weights: Mapping[str, float]) -> float:
    """Return the sum of the weights of features."""
    return sum(weights.get(feature, 0.0) for feature in sorted(features))


@cache
def load_weights() -> dict[str, float]:
    """Return the shipped weights, loaded on first use."""
    weights: dict[str, float] = json.loads(WEIGHTS.read_bytes())
    return weights
