"""Open the inputs of commands, and report what was skipped or could not be read."""

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
    from bonmun.scale.corpus.corpus_options import SourceOptions
    from bonmun.scale.corpus.sources.reader import Reader
    from bonmun.sites.model import SiteModel

__all__ = [
    "count_sites",
    "describe_failures",
    "gather_sources",
    "open_reader",
    "read_set",
    "report_passed",
    "report_reader",
    "report_site_model",
]

MAX_REPORTED = 10  # broken records of a set


def read_set(path: Path, limit: int | None) -> Dataset:
    """Read a labelled set and report its broken records; raise BadConfig if no record can be used."""
    from bonmun.lab.gold.datasets import read_dataset

    dataset = read_dataset(path, limit)
    dataset.check()
    broken = dataset.summary.broken
    for record in broken[:MAX_REPORTED]:
        complain(f"{dataset.name}: {record}")
    if len(broken) > MAX_REPORTED:
        complain(f"{dataset.name}: {len(broken) - MAX_REPORTED} more records cannot be used.")
    return dataset


class PageReader(Protocol):
    """What reads pages, on this machine or with Spark."""

    @property
    def skipped(self) -> Counter[str]:
        """Number of records that are not pages, by reason."""

    @property
    def damaged(self) -> Sequence[str]:
        """One sentence per damaged source."""


def report_reader(reader: PageReader) -> int:
    """Report what was skipped and damaged; return the exit status."""
    if reader.skipped:
        complain(f"Skipped: {format_counts(reader.skipped)}.")
    for damage in reader.damaged:
        complain(damage)
    return 1 if reader.damaged else 0


def report_passed(passed: Counter[str]) -> None:
    """Report which files in folders were skipped because they are not pages."""
    if passed:
        complain(f"Skipped: {format_counts(passed)}.")


def count_sites(count: int) -> str:
    """Return "1 site" or "2 sites"."""
    return f"{count:,} site{'s' * (count != 1)}"


def describe_failures(failed: int) -> str:
    """Return how many pages failed, and where the reasons are."""
    return f"{failed:,} failed (see the column `error`)" if failed else "none failed"


def report_site_model(path: Path, site_model: SiteModel) -> None:
    """Report what a site model file contains."""
    texts = sum(len(site.texts) for site in site_model.sites.values())
    complain(f"{path}: {count_sites(len(site_model.sites))}, {texts:,} texts, {path.stat().st_size:,} bytes.")


def gather_sources(sources: Sequence[str] | None, lists: Sequence[Path] | None) -> list[str]:
    """Return the sources on the command line and in list files, which name one per line."""
    gathered = list(sources or ())
    for path in lists or ():
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError) as problem:
            raise BadConfig(f"Cannot read the list {path}: {problem}.") from None
        gathered += [line.strip() for line in lines if line.strip()]
    if not gathered:
        raise BadConfig("There are no sources: name files or folders, or give a list with --paths.")
    return gathered


def open_reader(sources: Sequence[str], options: SourceOptions) -> Reader:
    """Open sources; raise BadConfig if a file lacks the column that holds the pages."""
    from bonmun.scale.corpus.sources.reader import Reader

    reader = Reader(sources, options.site, options.max_bytes, options.html_column, options.url_column)
    reader.check_columns()
    return reader
