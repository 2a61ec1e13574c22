"""The character classes of characters.py as numpy arrays."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from bonmun.models.features.characters import CLASS_LETTERS, read_class_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["WEIGHTS", "read_classes"]

WEIGHTS = np.array(CLASS_LETTERS, np.float32)  # the weight of a character of each class, in letters


@cache
def read_classes() -> NDArray[np.uint8]:
    """Return the class of each code point of the Basic Multilingual Plane."""
    return np.frombuffer(read_class_table(), np.uint8)
