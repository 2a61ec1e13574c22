"""The findings of a run: counted by kind; the worst page of each kind is shrunk and saved."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from typing import TYPE_CHECKING

from scripts.fuzz.shrink import shrink
from scripts.fuzz.workers import STAGE_SECONDS, Task, judge_one, open_judges

if TYPE_CHECKING:
    from pathlib import Path

    from scripts.fuzz.checks import Fault
    from scripts.fuzz.workers import Judged

__all__ = ["Findings"]

HANG_SECONDS = 3.0  # per stage while a hang is shrunk


class Findings:
    """Faults by kind, with one page for each kind: the one furthest over a limit, and the smallest of those."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.counts: Counter[str] = Counter()
        self.worst: dict[str, tuple[Task, Fault]] = {}
        self.shrunk: dict[str, int] = {}  # length of the shrunk page

    @property
    def count(self) -> int:
        """The number of kinds."""
        return len(self.counts)

    def add(self, judged: Judged) -> None:
        """Count the faults of a page."""
        for fault in judged.verdict.faults:
            self.counts[fault.kind] += 1
            known = self.worst.get(fault.kind)
            if known is None or _rank(judged.task, fault) > _rank(*known):
                self.worst[fault.kind] = judged.task, fault

    def save(self, seconds: float) -> None:
        """Write a page for each kind, and a smaller one found within `seconds`."""
        for kind, (task, _) in self.worst.items():
            self.folder.mkdir(parents=True, exist_ok=True)
            name = f"{re.sub(r'[^a-z0-9]+', '-', kind.lower())[:60]}-{_hash(task.page)}"
            (self.folder / f"{name}.html").write_bytes(_to_bytes(task.page))
            if seconds > 0:
                smaller = _shrink(task, kind, seconds)
                self.shrunk[kind] = len(smaller)
                (self.folder / f"{name}.small.html").write_bytes(_to_bytes(smaller))

    def print(self) -> None:
        """Print a line for each kind, the most frequent first."""
        print(f"{self.count} kinds of findings" + (f", with pages in {self.folder}" if self.count else ""))
        for kind, count in self.counts.most_common():
            task, fault = self.worst[kind]
            size = f"{len(task.page):,}" + (f" → {self.shrunk[kind]:,}" if kind in self.shrunk else "")
            print(f"{count:8,}  {kind}: {fault.detail} ({task.method}, {task.name}, {size})")


def _rank(task: Task, fault: Fault) -> tuple[float, int]:
    return fault.times, -len(task.page)


def _shrink(task: Task, kind: str, seconds: float) -> str | bytes:
    """Return a smaller page with a fault of this kind."""
    is_text = isinstance(task.page, str)
    text = task.page if isinstance(task.page, str) else task.page.decode("latin-1")
    with open_judges(1, HANG_SECONDS if kind.startswith("hang") else STAGE_SECONDS) as pool:

        def still(html: str) -> bool:
            verdict = judge_one(pool, task._replace(page=html if is_text else html.encode("latin-1")))
            return kind in (fault.kind for fault in verdict.faults)

        smaller = shrink(text, still, seconds)
    return smaller if is_text else smaller.encode("latin-1")


def _to_bytes(page: str | bytes) -> bytes:
    return page if isinstance(page, bytes) else page.encode("utf-8", "surrogatepass")


def _hash(page: str | bytes) -> str:
    return hashlib.sha256(_to_bytes(page)).hexdigest()[:8]
