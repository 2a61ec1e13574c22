"""The results of a run: one value per page, system and score.

Values are stored as arrays with a row per system and a column per page; NaN means no value. `rows()` yields them one
by one, and averages.py averages them.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bonmun.lab.evaluate.workers import Outcome
    from bonmun.lab.gold.datasets import SetSummary

__all__ = ["BenchResults", "PageInfo", "Row", "SystemInfo"]


class PageInfo(NamedTuple):
    """A page without its text."""

    dataset: str
    id: str
    lang: str
    kind: str
    cov: float | None


class SystemInfo(NamedTuple):
    """A system without its code."""

    name: str
    version: str
    group: str


class Row(NamedTuple):
    """One value of one score."""

    dataset: str
    page: str
    lang: str
    kind: str
    system: str
    version: str
    metric: str
    value: float
    ms: float  # time for the page while other systems were running; `time.ms` is measured with nothing else running


class Failure(NamedTuple):
    """A page on which a system failed."""

    page: int
    system: str
    reason: str


class BenchResults:
    """All values of a run."""

    def __init__(self, sets: Sequence[tuple[str, SetSummary]], systems: Sequence[SystemInfo]) -> None:
        self.sets = list(sets)
        self.systems = list(systems)
        self.pages: list[PageInfo] = []
        self.failures: list[Failure] = []
        self._failed: dict[int, list[str]] = {}
        self.times: dict[str, dict[int, float]] = {system.name: {} for system in systems}  # ms by page, system alone
        self._rows = {system.name: number for number, system in enumerate(systems)}
        size = sum(summary.count for _, summary in sets)
        self.ms = np.full((len(systems), size), np.nan)
        self._values: dict[str, NDArray[np.float64]] = {}

    def add_page(self, page: PageInfo) -> int:
        """Add a page and return its number."""
        self.pages.append(page)
        return len(self.pages) - 1

    def add(self, page: int, system: str, outcome: Outcome) -> None:
        """Add the outcome of a system on a page."""
        row = self._rows[system]
        self.ms[row, page] = outcome.ms
        if outcome.error is not None:
            self.failures.append(Failure(page, system, outcome.error))
            self._failed.setdefault(page, []).append(system)
        for name, value in outcome.scores.items():
            if name not in self._values:
                self._values[name] = np.full(self.ms.shape, np.nan)
            self._values[name][row, page] = value

    @property
    def score_names(self) -> list[str]:
        """Names of all scores, sorted."""
        return sorted(self._values)

    def values(self, score: str, system: str, pages: Sequence[int] | None = None) -> NDArray[np.float64]:
        """Return a score of a system for each of the pages (default: all); NaN where it has none."""
        if score not in self._values:
            return np.full(len(self.pages) if pages is None else len(pages), np.nan)
        column: NDArray[np.float64] = self._values[score][self._rows[system]]
        return column if pages is None else column[np.asarray(pages, np.intp)]

    def list_failed(self, page: int) -> list[str]:
        """List the systems that failed on a page."""
        return self._failed.get(page, [])

    def count_failures(self, system: str, pages: Sequence[int]) -> Counter[str]:
        """Count the failures of a system on some pages by their reason."""
        wanted = set(pages)
        return Counter(f.reason for f in self.failures if f.system == system and f.page in wanted)

    def group_pages(self, key: str) -> dict[str, list[int]]:
        """Group page numbers by `dataset`, in order, or by `kind` or `lang`, largest group first."""
        found: dict[str, list[int]] = {}
        for number, page in enumerate(self.pages):
            found.setdefault(getattr(page, key), []).append(number)
        return dict(sorted(found.items(), key=lambda item: -len(item[1]))) if key != "dataset" else found

    def rows(self) -> Iterator[Row]:
        """Yield every value, in a fixed order."""
        for number, page in enumerate(self.pages):
            for row, system in enumerate(self.systems):
                head = (page.dataset, page.id, page.lang, page.kind, system.name, system.version)
                ms = float(self.ms[row, number])
                for name in self.score_names:
                    value = float(self._values[name][row, number])
                    if value == value:
                        yield Row(*head, name, value, ms)
                if number in self.times[system.name]:
                    yield Row(*head, "time.ms", self.times[system.name][number], ms)
