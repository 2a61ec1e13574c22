"""Progress of training."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Step", "scale_progress"]


class Step(NamedTuple):
    """A progress report."""

    message: str  # for the user
    share: float  # share of the work that is done, 0 to 1

    def __str__(self) -> str:
        return self.message


def scale_progress(
    progress: Callable[[Step], None], number: int, count: int, prefix: str = ""
) -> Callable[[Step], None]:
    """Return a callback that reports part `number` (from 1) of `count` equal parts, with a prefix to its messages."""
    return lambda step: progress(Step(f"{prefix}{step.message}", (number - 1 + step.share) / count))
