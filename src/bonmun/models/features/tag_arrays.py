"""Tables by tag number (see tags.py), as numpy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bonmun.models.features.tags import LEVEL_OF_HEADING, TAG_NUMBERS, TAGS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

__all__ = ["HEADING_LEVELS", "IS_HEADING", "flag_tags"]


def flag_tags(tags: Iterable[str]) -> NDArray[np.bool_]:
    """Return a table by tag number that is true for these tags."""
    flags = np.zeros(len(TAGS) + 1, bool)
    flags[[TAG_NUMBERS[tag] for tag in tags]] = True
    return flags


HEADING_LEVELS = np.zeros(len(TAGS) + 1, np.uint8)  # 1 for <h1> to 6 for <h6>, 0 for other tags
HEADING_LEVELS[list(LEVEL_OF_HEADING)] = list(LEVEL_OF_HEADING.values())
IS_HEADING = HEADING_LEVELS > 0
