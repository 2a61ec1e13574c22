"""The compiled kernel: C versions of the functions that take most of the time on every page.

Every kernel function has a reference in Python with the same results, and tests compare the two. The reference is used
if the kernel is missing (no C compiler during installation, or not CPython) or BONMUN_PURE=1 is set. Either the whole
kernel is used or none of it.
"""

from __future__ import annotations

import os
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

from bonmun.kernel.sources import digest_sources

__all__ = ["accelerated", "has_kernel", "load_kernel"]

STALE_KERNEL = (
    "The compiled kernel is older than its sources, so bonmun runs without it and is slower. "
    "Rebuild it with: pip install --editable ."
)


def load_kernel(name: str) -> Any:
    """Return a module of the kernel; None if the reference must be used."""
    return import_module(f"bonmun.kernel._{name}") if accelerated else None


def has_kernel() -> bool:
    """Return whether every module can be loaded and was built from the current sources, if these are present."""
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
    warnings.warn(STALE_KERNEL, RuntimeWarning, stacklevel=2)
    return False


accelerated = has_kernel()
