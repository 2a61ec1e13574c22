"""A process and all that it has started: which they are, and how much memory they hold."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

__all__ = ["list_family", "measure_memory", "measure_own_memory"]


def list_family(pid: int) -> list[int]:
    """A process and all that it has started, in any of its threads, and they."""
    found = [pid]
    for each in found:
        for thread in Path(f"/proc/{each}/task").glob("*/children"):
            with suppress(OSError):
                found += map(int, thread.read_text().split())
    return found


def measure_memory(pid: int) -> int:
    """What a process holds, with its part of what it shares, in bytes."""
    return _read_sum(pid, "Pss")


def measure_own_memory(pid: int) -> int:
    """What a process has written, in bytes: without libraries, of which it holds more once no other process does."""
    return _read_sum(pid, "Anonymous")


def _read_sum(pid: int, name: str) -> int:
    try:
        found = re.search(rf"^{name}:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)
    except OSError:
        return 0
    return int(found[1]) * 1024 if found else 0
