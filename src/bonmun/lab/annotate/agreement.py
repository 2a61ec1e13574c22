"""Agreement between annotators: Krippendorff's alpha over the blocks of pages that several of them labelled.

Krippendorff, Content Analysis (2004), chapter 11: 1 is perfect, 0 is chance. Missing values are allowed, so a page need
not be labelled by everybody. Krippendorff requires .800 for reliable data and .667 for tentative conclusions.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

__all__ = ["Agreement", "DisputedBlock", "measure_alpha"]


@dataclass(frozen=True, slots=True)
class DisputedBlock:
    """A block with different labels."""

    page: str
    xpath: str
    text: str
    labels: dict[str, str]  # by annotator


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of annotators on the pages that at least two of them labelled."""

    annotators: tuple[str, ...]
    pages: int
    blocks: int
    alpha: float | None  # over all labels; None without a common page
    kept_alpha: float | None  # over kept or not kept
    disputed: tuple[DisputedBlock, ...]  # most words first
    problems: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the agreement as plain values."""
        return {
            "annotators": list(self.annotators),
            "pages": self.pages,
            "blocks": self.blocks,
            "alpha": _round(self.alpha),
            "kept_alpha": _round(self.kept_alpha),
            "disputed": [
                {"page": each.page, "xpath": each.xpath, "text": each.text, "labels": each.labels}
                for each in self.disputed
            ],
            "problems": list(self.problems),
        }


def measure_alpha(units: Iterable[Sequence[Hashable | None]]) -> float | None:
    """Return Krippendorff's alpha for nominal values: one row per unit, one value per observer, None where missing.

    >>> measure_alpha([("keep", "keep"), ("drop", "drop"), ("keep", "drop")])
    0.4444444444444444

    None if no unit has two values; 1 if all values are the same.
    """
    shapes: Counter[tuple[tuple[Hashable, int], ...]] = Counter()
    for unit in units:
        counts = Counter(value for value in unit if value is not None)
        if counts.total() > 1:
            shapes[tuple(sorted(counts.items(), key=repr))] += 1
    weights: dict[tuple[Hashable, Hashable], Fraction] = {}  # exact, so that the order of observers does not matter
    for shape, times in shapes.items():  # few, however many units there are
        total = sum(count for _, count in shape)
        for one, count in shape:
            for other, others in shape:
                pairs = count * (others - (one == other))
                weights[one, other] = weights.get((one, other), Fraction()) + Fraction(times * pairs, total - 1)
    margins: dict[Hashable, Fraction] = {}
    for (one, _), weight in weights.items():
        margins[one] = margins.get(one, Fraction()) + weight
    values = sum(margins.values(), Fraction())
    if not values:
        return None
    observed = sum(weight for (one, other), weight in weights.items() if one != other) / values
    expected = (values**2 - sum(margin**2 for margin in margins.values())) / (values * (values - 1))
    return float(1 - observed / expected) if expected else 1.0


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
