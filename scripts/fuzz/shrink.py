"""A smaller page with the same fault: parts are left out for as long as it stays."""

from __future__ import annotations

import re
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["shrink"]

PARTS = re.compile(r"<[^<>]*>|[^<]+|<", re.S)


def shrink(page: str, still: Callable[[str], bool], seconds: float) -> str:
    """The smallest page found in time that `still` says yes to: first parts are left out, then characters."""
    end = monotonic() + seconds
    parts = _reduce(PARTS.findall(page), still, end)
    return "".join(_reduce(list("".join(parts)), still, end))


def _reduce(parts: list[str], still: Callable[[str], bool], end: float) -> list[str]:
    """Leave out runs of parts, half of all at first, then ever shorter ones."""
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
