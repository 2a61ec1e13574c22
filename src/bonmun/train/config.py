"""Everything that training depends on, beside the samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["TEACHER", "Config"]


@dataclass(frozen=True)
class Config:
    """Everything that training depends on, beside the samples; it is kept in the model file."""

    vocabulary: int = 2682  # class and id words, see models/words.txt
    width: int = 40  # of a block's vector
    element: int = 16  # of an element's vector
    tag: int = 12
    word: int = 16
    dilations: tuple[int, ...] = (1, 4)
    last: tuple[int, ...] = (1,)
    drop: float = 0.15
    drop_inputs: float = 0.1
    drop_page: float = 0.3
    parts: float = 0.4  # how often a variant of a page loses parts
    graft: float = 0.2  # and gets parts of another
    second: float = 0.08  # and, if it is an article, has another one under it
    variants: int = 6  # of each page, beside itself
    pages: int = 100_000  # that are shown in all, with repetition: twice as many, and it learns its pages by heart
    batch: int = 48
    rate: float = 2e-3
    decay: float = 0.01
    average: float = 0.998  # of the weights: so much of the last average, and the rest of the newest
    soft: float = 0.5  # the weight of the soft F1 in the loss
    gold: float = 0.5  # how much of a page's labels is its own gold's where teachers say something else
    neutral: float = 0.15  # how often a set's habits are left out
    teachers: int = 0  # larger networks, trained first, that label what has no gold and temper what has
    seed: int = 1
    # pages of these sets have the default's habits, so no others are learnt for them
    defaults: tuple[str, ...] = ("hand-ml", "wcxb-dev", "nothing")
    # how often pages of a set are shown, beside 1
    weights: tuple[tuple[str, float], ...] = (
        ("hand-ml", 3.0), ("wcxb-dev", 1.5), ("silver", 0.4), ("unlabelled-ml", 0.8), ("crawl-sample", 0.4),
        ("nothing", 0.3),
    )  # fmt: skip
    rare: float = 1.6  # and pages that are no articles


# What a teacher has otherwise.
TEACHER: dict[str, Any] = {
    "width": 96,
    "element": 40,
    "drop": 0.25,
    "drop_inputs": 0.15,
    "drop_page": 0.5,
    "dilations": (1, 2, 4, 8, 16),
}
