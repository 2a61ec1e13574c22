"""Cross-validation by site: the site that an example counts to, and the fold that a site belongs to."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from bonmun.sites.domains import host_of

if TYPE_CHECKING:
    from bonmun.gold.examples import Example

__all__ = ["FOLDS", "fold_of", "site_of"]

FOLDS = 5


def fold_of(site: str) -> int:
    """The fold that a site belongs to: the same on every machine."""
    return zlib.crc32(site.encode()) % FOLDS


def site_of(example: Example) -> str:
    """The site that a page counts to: pages of one site share a template, and so never both teach and test."""
    return example.site or host_of(example.url) or example.id
