"""The features with the most influence on a block under the method auto, in plain words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from bonmun.models.network.influence import InfluenceMeter

if TYPE_CHECKING:
    from bonmun.models.network.influence import Influence
    from bonmun.page import Page

__all__ = ["explain_features"]

SHOWN = 5  # features for, and as many against
MIN_LOGIT = 0.05  # minimum influence of a feature that is shown
NOTE = re.compile(
    r", log\b|, below 0 before it|, below 0 if it is higher up| \(D[01] of the second paper\)|`|: a Chinese.*"
)
# Names of groups of features, whose own descriptions read badly here.
PLAIN = {
    "share of each class of characters": "the characters that it is written with",
    "of its first link": "where its first link leads",
    "of the blocks with the same tags and class names from the root down": "the blocks with the same path as it",
    "of the blocks at the same depth": "the blocks at the same depth as it",
    "evidence of a site model": "what repeats on the site",
}
REMEMBERED_PAGES = 2


def explain_features(page: Page, block: int, model: str | None = None, changed: int = 0) -> dict[str, Any]:
    """Return the features that changed a block's log-odds most: up to five for and five against; none if rules decided.

    Results are cached per page; `changed`, the modification time of the model file, is part of the key.
    """
    judge = _make_judge(page, model, changed)
    found = judge.measure(block) if judge else []
    by_size = sorted(found, key=lambda each: -abs(each.logit))
    relevant = [each for each in by_size if abs(each.logit) >= MIN_LOGIT]
    return {
        "block": block,
        "for": [_describe(each) for each in relevant if each.logit > 0][:SHOWN],
        "against": [_describe(each) for each in relevant if each.logit < 0][:SHOWN],
    }


@lru_cache(maxsize=REMEMBERED_PAGES)
def _make_judge(page: Page, model: str | None, _: int) -> InfluenceMeter | None:
    """Return the judge of the page's blocks; None for a page that auto leaves to rules."""
    from bonmun.algorithms.auto import MAX_BLOCKS, MIN_LETTERS, Auto
    from bonmun.models.features.count_page import count_page
    from bonmun.models.network.decide import count_letters
    from bonmun.models.network.reference import choose_network

    if not 0 < len(page.starts) <= MAX_BLOCKS:
        return None
    arrays = count_page(page)
    if count_letters(arrays).sum() < MIN_LETTERS:
        return None
    return InfluenceMeter(choose_network(Auto(model=model).find_custom_network(page), arrays), arrays)


def _describe(influence: Influence) -> dict[str, Any]:
    """Describe a feature: its name, and whether it is above or below the mean of the page's blocks."""
    about = NOTE.sub("", influence.about)
    about = PLAIN.get(about, about)
    level = None
    if influence.above is not None:
        level = "above" if influence.above else "below"
        if "whether " in about:
            about = f"{about.replace('whether ', '', 1)}: {'yes' if influence.above else 'no'}"
            level = None
    return {"says": about, "level": level, "change": round(influence.logit, 3)}
