"""What commands say of their inputs: what is broken in a labelled set, what was skipped of many pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from bonmun.app.commands.shared.shell import complain
from bonmun.errors import BadConfig
from bonmun.scale.corpus.sources.page_files import format_counts

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence
    from pathlib import Path

    from bonmun.lab.gold.datasets import Dataset
    from bonmun.sites.model import SiteModel

__all__ = ["count_sites", "gather_sources", "read_set", "report_passed", "report_reader", "say_site_model"]

BROKEN = 10  # records of a set that are named


def read_set(path: Path, limit: int | None) -> Dataset:
    """A labelled set; what is broken in it is named, and one of which nothing can be used raises BadConfig."""
    from bonmun.lab.gold.datasets import read_dataset

    dataset = read_dataset(path, limit)
    dataset.check()
    broken = dataset.summary.broken
    for record in broken[:BROKEN]:
        complain(f"{dataset.name}: {record}")
    if len(broken) > BROKEN:
        complain(f"{dataset.name}: {len(broken) - BROKEN} more records cannot be used.")
    return dataset


class Reading(Protocol):
    """What has read pages, here or on a cluster."""

    @property
    def skipped(self) -> Counter[str]:
        """What is no page, by reason."""

    @property
    def damaged(self) -> Sequence[str]:
        """A sentence for each source."""


def report_reader(reader: Reading) -> int:
    """Say what was skipped and damaged; gives the exit status."""
    if reader.skipped:
        complain(f"Skipped: {format_counts(reader.skipped)}.")
    for damage in reader.damaged:
        complain(damage)
    return 1 if reader.damaged else 0


def report_passed(passed: Counter[str]) -> None:
    """Say what was passed over in folders, since it is no page."""
    if passed:
        complain(f"Passed over: {format_counts(passed)}.")


def count_sites(count: int) -> str:
    """`1 site`, `2 sites`."""
    return f"{count:,} site{'s' * (count != 1)}"


def say_site_model(path: Path, site_model: SiteModel) -> None:
    """Say what is in the file of a site model."""
    texts = sum(len(site.texts) for site in site_model.sites.values())
    complain(f"{path}: {count_sites(len(site_model.sites))}, {texts:,} texts, {path.stat().st_size:,} bytes.")


def gather_sources(sources: Sequence[str] | None, lists: Sequence[Path] | None) -> list[str]:
    """Sources that are named, and those that files name, one a line."""
    gathered = list(sources or ())
    for path in lists or ():
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError) as problem:
            raise BadConfig(f"{path}: cannot be read as a list of paths: {problem}.") from None
        gathered += [line.strip() for line in lines if line.strip()]
    if not gathered:
        raise BadConfig("No pages are given: name files or folders, or a file that lists them with --paths.")
    return gathered
