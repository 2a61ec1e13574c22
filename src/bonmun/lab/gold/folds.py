"""Pages apart by site: which site an example belongs to, in which fold it is, in which part of one 80/10/10 split."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Literal

from bonmun.sites.domains import find_host

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.lab.gold.examples import Example

__all__ = ["FOLDS", "Part", "find_fold", "find_part", "find_site", "model_path", "rankers_path"]

FOLDS = 5
TENTHS = 10
Part = Literal["train", "valid", "test"]


def find_fold(site: str) -> int:
    """Find the fold of a site: the same on every machine."""
    return zlib.crc32(site.encode()) % FOLDS


def find_part(site: str) -> Part:
    """Find the part of a site where pages are split once: eight tenths to train, one to choose by, one to test."""
    tenth = zlib.crc32(f"part {site}".encode()) % TENTHS
    return "test" if tenth == 9 else "valid" if tenth == 8 else "train"


def find_site(example: Example) -> str:
    """Find the site of an example: pages of one site share a template, so they never both teach and test."""
    return example.site or find_host(example.url) or example.id


def model_path(folder: Path, fold: int) -> Path:
    """Where the model that has not seen the sites of a fold lies."""
    return folder / f"fold-{fold}.npz"


def rankers_path(folder: Path, fold: int) -> Path:
    """Where the rankers of facts that have not seen the sites of a fold lie."""
    return folder / f"facts-{fold}.npz"
