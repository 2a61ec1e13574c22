"""A process and all that it has started: which they are, and how much memory they hold."""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["list_family", "measure_memory"]


def list_family(pid: int) -> list[int]:
    """A process and all that it has started, and they."""
    found = [pid]
    for each in found:
        try:
            found += map(int, Path(f"/proc/{each}/task/{each}/children").read_text().split())
        except OSError:
            continue
    return found


def measure_memory(pid: int) -> int:
    """What a process holds, with its part of what it shares, in bytes."""
    try:
        found = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)
    except OSError:
        return 0
    return int(found[1]) * 1024 if found else 0
