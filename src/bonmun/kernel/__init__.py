"""The compiled kernel: what takes most of the time on every page, in C.

Every function in it does what a function in Python does, which is its reference: tests hold the two together, and the
reference runs where there is no kernel (no C compiler when bonmun was installed, another Python than CPython) or with
BONMUN_PURE=1 in the environment.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

__all__ = ["accelerated", "load_kernel"]


def load_kernel(name: str) -> Any:
    """One of its modules; None where the reference is to run."""
    if os.environ.get("BONMUN_PURE") == "1":
        return None
    try:
        return import_module(f"bonmun.kernel._{name}")
    except ImportError:
        return None


accelerated = load_kernel("walk") is not None
