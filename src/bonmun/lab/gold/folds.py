"""Split examples by site: the site of an example, its cross-validation fold, and its part of an 80/10/10 split."""

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
    """Return the fold of a site, which is the same on every machine."""
    return zlib.crc32(site.encode()) % FOLDS


def find_part(site: str) -> Part:
    """Return the part of a site in the split: 80 % training, 10 % validation, 10 % test."""
    tenth = zlib.crc32(f"part {site}".encode()) % TENTHS
    return "test" if tenth == 9 else "valid" if tenth == 8 else "train"


def find_site(example: Example) -> str:
    """Return the site of an example. Pages of one site share a template, so a site is never in two parts."""
    return example.site or find_host(example.url) or example.id


def model_path(folder: Path, fold: int) -> Path:
    """Return the path of the model that was trained without the sites of a fold."""
    return folder / f"fold-{fold}.npz"


def rankers_path(folder: Path, fold: int) -> Path:
    """Return the path of the metadata rankers that were trained without the sites of a fold."""
    return folder / f"facts-{fold}.npz"
