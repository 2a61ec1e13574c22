"""How far people agree: Krippendorff's alpha over the blocks of pages that several of them labelled.

Krippendorff, Content Analysis (2004), chapter 11: 1 is perfect, 0 is chance. Where somebody did not label a page, there
is no value, which alpha allows; .800 is what Krippendorff asks of data to rely on, and .667 the least for
careful conclusions.
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
    """A block that people label differently."""

    page: str
    xpath: str
    text: str
    labels: dict[str, str]  # by annotator


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far some people agree on the pages that at least two of them labelled."""

    annotators: tuple[str, ...]
    pages: int
    blocks: int
    alpha: float | None  # over all labels; None if no page is in common
    kept_alpha: float | None  # over kept or not
    disputed: tuple[DisputedBlock, ...]  # those that cost most words first
    problems: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
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
    """Krippendorff's alpha for values without an order: a row a unit, a value an observer, None where there is none.

    >>> measure_alpha([("keep", "keep"), ("drop", "drop"), ("keep", "drop")])
    0.4444444444444444

    None where no unit has two values; 1 where all values are the same.
    """
    shapes: Counter[tuple[tuple[Hashable, int], ...]] = Counter()
    for unit in units:
        counts = Counter(value for value in unit if value is not None)
        if counts.total() > 1:
            shapes[tuple(sorted(counts.items(), key=repr))] += 1
    weights: dict[tuple[Hashable, Hashable], Fraction] = {}  # exact: the order of observers must not matter
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
