"""How far training is: what is said of a step, and how much is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Step", "watch_part"]


class Step(NamedTuple):
    """Where training stands."""

    says: str  # for people
    share: float  # of all the work, 0 to 1

    def __str__(self) -> str:
        return self.says


def watch_part(watch: Callable[[Step], None], number: int, count: int, says: str = "") -> Callable[[Step], None]:
    """Watch one of several parts of the work that take about as long, counted from 1; `says` comes before its steps."""
    return lambda step: watch(Step(f"{says}{step.says}", (number - 1 + step.share) / count))
