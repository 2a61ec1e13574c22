"""Matrix products with the same summation order on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

__all__ = ["multiply"]

ONE_THREAD = 1 << 18  # maximum number of multiplications that OpenBLAS does in one thread


def multiply(x: Floats, weight: Floats) -> Floats:
    """Return the product of two matrices, computed in parts that are small enough for one thread.

    More threads would be slower for so little work, disturb other processes, and sum in another order.
    """
    rows = max(ONE_THREAD // weight.size, 1)
    main = len(x) // rows * rows
    if len(x) <= rows:
        return x @ weight
    out = np.empty((len(x), weight.shape[1]), np.float32)
    np.matmul(x[:main].reshape(-1, rows, x.shape[1]), weight, out=out[:main].reshape(-1, rows, weight.shape[1]))
    if main < len(x):
        np.matmul(x[main:], weight, out=out[main:])
    return out
