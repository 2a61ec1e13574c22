"""The classes of characters (see characters.py) as numpy has them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from bonmun.models.features.characters import CLASS_LETTERS, read_class_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["WEIGHTS", "read_classes"]

WEIGHTS = np.array(CLASS_LETTERS, np.float32)  # how much a character of each class says, in letters


@cache
def read_classes() -> NDArray[np.uint8]:
    """The class of each character of Unicode's first plane, by its number."""
    return np.frombuffer(read_class_table(), np.uint8)
