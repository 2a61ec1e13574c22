"""The process tree of a process, and the memory of processes."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

__all__ = ["list_process_tree", "measure_memory", "measure_own_memory"]


def list_process_tree(pid: int) -> list[int]:
    """Return a process and all its descendants, including those started by its threads."""
    found = [pid]
    for each in found:
        for thread in Path(f"/proc/{each}/task").glob("*/children"):
            with suppress(OSError):
                found += map(int, thread.read_text().split())
    return found


def measure_memory(pid: int) -> int:
    """Return the proportional set size of a process in bytes."""
    return _read_sum(pid, "Pss")


def measure_own_memory(pid: int) -> int:
    """Return the anonymous memory of a process in bytes, which excludes shared libraries."""
    return _read_sum(pid, "Anonymous")


def _read_sum(pid: int, name: str) -> int:
    try:
        found = re.search(rf"^{name}:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)
    except OSError:
        return 0
    return int(found[1]) * 1024 if found else 0
