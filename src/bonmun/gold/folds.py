"""Cross-validation by site: which site an example belongs to, and in which fold a site is."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from bonmun.sites.domains import find_host

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.gold.examples import Example

__all__ = ["FOLDS", "find_fold", "find_site", "model_path", "rankers_path"]

FOLDS = 5


def find_fold(site: str) -> int:
    """Find the fold of a site: the same on every machine."""
    return zlib.crc32(site.encode()) % FOLDS


def find_site(example: Example) -> str:
    """Find the site of an example: pages of one site share a template, so they never both teach and test."""
    return example.site or find_host(example.url) or example.id


def model_path(folder: Path, fold: int) -> Path:
    """Where the model that has not seen the sites of a fold lies."""
    return folder / f"fold-{fold}.npz"


def rankers_path(folder: Path, fold: int) -> Path:
    """Where the rankers of facts that have not seen the sites of a fold lie."""
    return folder / f"facts-{fold}.npz"
