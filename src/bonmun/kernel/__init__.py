"""The compiled kernel: what takes most of the time on every page, in C.

Every function in it does what a function in Python does, which is its reference: tests hold the two together, and the
reference runs where there is no kernel (no C compiler when bonmun was installed, another Python than CPython) or with
BONMUN_PURE=1 in the environment. There is a whole kernel or none.
"""

from __future__ import annotations

import os
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

from bonmun.kernel.sources import digest_sources

__all__ = ["accelerated", "has_kernel", "load_kernel"]

OLD = (
    "The compiled kernel is older than its sources, so bonmun runs without it, slower. "
    "Build it anew: pip install --editable ."
)


def load_kernel(name: str) -> Any:
    """One of its modules; None where the reference is to run."""
    return import_module(f"bonmun.kernel._{name}") if accelerated else None


def has_kernel() -> bool:
    """Whether every module is there, can be loaded, and was built from the sources beside it, if there are any."""
    if os.environ.get("BONMUN_PURE") == "1":
        return False
    try:
        built = import_module("bonmun.kernel._build")
        for module in built.MODULES.split():
            import_module(f"bonmun.kernel.{module}")
    except ImportError:
        return False
    if digest_sources(Path(__file__).parent) in ("", built.DIGEST):
        return True
    warnings.warn(OLD, RuntimeWarning, stacklevel=2)
    return False


accelerated = has_kernel()
