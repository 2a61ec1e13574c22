"""The checks that fail for ours, page by page, for the report."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

from bonmun.lab.evaluate.metrics.reader_checks import CheckResult, judge_checks
from bonmun.lab.evaluate.report.tables import choose_ours
from bonmun.lab.evaluate.systems.answers import Answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.lab.evaluate.cache import Cache
    from bonmun.lab.evaluate.results import BenchResults
    from bonmun.lab.evaluate.systems.answers import System
    from bonmun.lab.gold.datasets import Dataset

__all__ = ["FailedChecks", "find_failed_checks", "render_failed_checks"]

MAX_SHOWN_CHECKS = 30  # of a page
MAX_WANTED_CHARS = 200


class FailedChecks(NamedTuple):
    """A page that is not accepted, the checks that fail, and the number of all its checks."""

    page: str  # id
    kind: str
    lang: str
    failed: tuple[CheckResult, ...]
    total: int


def find_failed_checks(
    results: BenchResults, datasets: Sequence[Dataset], systems: Sequence[System], cache: Cache
) -> dict[str, list[FailedChecks]]:
    """Find the pages of each set that a reader would not accept, those with the most failed checks first."""
    ours = choose_ours(results)
    system = next(each for each in systems if each.name == ours)
    found: dict[str, list[FailedChecks]] = {dataset.name: [] for dataset in datasets}
    if "checks.accepted" not in results.score_names:
        return found
    for dataset in datasets:
        for example in dataset:
            if example.checks is None:
                continue
            known = cache.get(example, system)
            judged = judge_checks(example.checks, known.answer if known else Answer())
            failed = tuple(each for each in judged if not each.holds)
            if failed:
                page = FailedChecks(example.id, example.kind or "", example.lang or "", failed, len(judged))
                found[dataset.name].append(page)
        found[dataset.name].sort(key=lambda page: -len(page.failed))
    return found


def render_failed_checks(results: BenchResults, found: Sequence[FailedChecks]) -> str:
    """Render the failed checks as HTML; "" if there are none."""
    if not found:
        return ""
    return f"<h3>Checks that {escape(choose_ours(results))} fails</h3>{''.join(map(_render_page, found))}"


def _render_page(found: FailedChecks) -> str:
    items = "".join(
        f"<li>{escape(each.kind)}: <span dir=auto>{escape(each.wanted[:MAX_WANTED_CHARS])}</span></li>"
        for each in found.failed[:MAX_SHOWN_CHECKS]
    )
    more = len(found.failed) - MAX_SHOWN_CHECKS
    items += f"<li>… {more:,} more</li>" if more > 0 else ""
    places = " · ".join(filter(None, (f"{len(found.failed)} of {found.total}", found.kind, found.lang, found.page)))
    return f"<details><summary>{escape(places)}</summary><ul>{items}</ul></details>"
