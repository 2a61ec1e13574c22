"""Shrink a page: remove parts as long as the fault remains."""

from __future__ import annotations

import re
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["shrink"]

PARTS = re.compile(r"<[^<>]*>|[^<]+|<", re.S)


def shrink(page: str, still: Callable[[str], bool], seconds: float) -> str:
    """Return the smallest page found in time for which `still` is true; removes parts first, then characters."""
    end = monotonic() + seconds
    parts = _reduce(PARTS.findall(page), still, end)
    return "".join(_reduce(list("".join(parts)), still, end))


def _reduce(parts: list[str], still: Callable[[str], bool], end: float) -> list[str]:
    """Remove runs of parts: at first half of all, then shorter and shorter ones."""
    size = len(parts) // 2
    while size:
        at = 0
        while at < len(parts):
            if monotonic() > end:
                return parts
            rest = parts[:at] + parts[at + size :]
            if still("".join(rest)):
                parts = rest
            else:
                at += size
        size = min(size // 2, len(parts))
    return parts
