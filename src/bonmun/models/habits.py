"""What a network that was taught on some pages knows better than the decision: settings in its model file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["HABITS", "Habits", "read_habits"]

HABITS = "habits"  # what they are called in a model file


class Habits(NamedTuple):
    """How blocks are chosen where the default's way is not that of the pages that a network was taught on."""

    headlines: bool = False  # a headline is main text if the network says so; else it is the title, and no text
    filled: float = 0.0  # what stands between kept blocks must be so likely main text to be kept with them


def read_habits(about: Mapping[str, Any]) -> Habits:
    """The habits in a model file; those of the default where it has none. Raises ValueError for what are none."""
    found = about.get(HABITS, {})
    if not isinstance(found, dict):
        raise ValueError("habits that are none")
    headlines, filled = found.get("headlines", False), found.get("filled", 0.0)
    if not isinstance(headlines, bool) or not isinstance(filled, (int, float)) or not 0 <= filled <= 1:
        raise ValueError("habits that are none")
    return Habits(headlines, float(filled))
