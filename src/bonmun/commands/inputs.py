"""What commands say of their inputs: what is broken in a labelled set, what was skipped of many pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.commands.shell import complain

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.corpus.reader import Reader
    from bonmun.gold.datasets import Dataset

__all__ = ["count_sites", "read_set", "report_reader"]

BROKEN = 10  # records of a set that are named


def read_set(path: Path, limit: int | None) -> Dataset:
    """A labelled set; what is broken in it is named, and one of which nothing can be used raises BadConfig."""
    from bonmun.gold.datasets import read_dataset

    dataset = read_dataset(path, limit)
    dataset.check()
    broken = dataset.summary.broken
    for record in broken[:BROKEN]:
        complain(f"{dataset.name}: {record}")
    if len(broken) > BROKEN:
        complain(f"{dataset.name}: {len(broken) - BROKEN} more records cannot be used.")
    return dataset


def report_reader(reader: Reader) -> int:
    """Say what was skipped and damaged; gives the exit status."""
    if reader.skipped:
        reasons = (f"{count:,} × {reason}" for reason, count in reader.skipped.most_common())
        complain(f"Skipped: {', '.join(reasons)}.")
    for damage in reader.damaged:
        complain(damage)
    return 1 if reader.damaged else 0


def count_sites(count: int) -> str:
    """`1 site`, `2 sites`."""
    return f"{count:,} site{'s' * (count != 1)}"
