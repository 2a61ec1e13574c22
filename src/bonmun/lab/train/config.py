"""Training settings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

__all__ = ["MIN_PAGES_FROM_SCRATCH", "TEACHER", "Config", "choose_config"]

MIN_PAGES_FROM_SCRATCH = 300  # labelled pages
TIMES_SHOWN = 60  # how often each labelled page is shown in fine-tuning
MIN_SHOWN_PAGES = 3000  # shown in all, with repetition
FEW_PAGES = 200  # labelled pages; fewer come from a handful of sites, which a network learns in far fewer steps
FEW_TIMES_SHOWN, FEW_MIN_SHOWN_PAGES = 80, 1600  # the same, for few pages


@dataclass(frozen=True)
class Config:
    """Training settings, stored in the model file."""

    vocabulary: int = 2682  # class and id words, see models/features/words.txt
    width: int = 64  # of a block's vector
    element: int = 40  # of an element's vector
    tag: int = 12  # of a tag's vector
    word: int = 24  # of the vector of a class or id word
    dilations: tuple[int, ...] = (1, 4)  # reach of each convolution, in blocks
    last: tuple[int, ...] = (1,)  # the same, for the convolutions after the page vector is added
    drop: float = 0.15  # dropout in the layers
    drop_inputs: float = 0.1  # dropout of block and element features
    drop_page: float = 0.3  # dropout of page features
    parts: float = 0.4  # how often a variant of a page loses parts
    graft: float = 0.2  # how often it receives parts of another page
    second: float = 0.08  # how often an article is followed by a second one
    variants: int = 6  # of each page, besides the original
    pages: int = 100_000  # shown in all, with repetition; with twice as many the network overfits
    batch: int = 48  # pages
    rate: float = 2e-3  # maximum learning rate
    decay: float = 0.01  # weight decay
    average: float = 0.998  # decay of the moving average of the weights
    soft: float = 0.5  # weight of the soft F1 in the loss
    gold: float = 0.5  # weight of a page's own gold where teachers disagree with it
    neutral: float = 0.15  # how often the habits vector of a page's set is left out
    teachers: int = 0  # larger networks that label pages without gold and smooth the labels of others
    seed: int = 1
    # Sets that follow the default's habits; no habits vector is learnt for them.
    defaults: tuple[str, ...] = (
        "hand-accept", "hand-hard", "hand-ml", "hand-more", "hand-shops", "hand-wide", "site-gold", "wcxb-dev",
        "nothing", "boards", "simple",
    )  # fmt: skip
    # How often pages of a set are shown, where it is not 1.
    weights: tuple[tuple[str, float], ...] = (
        ("hand-ml", 3.0), ("hand-shops", 2.5), ("hand-accept", 2.0), ("hand-hard", 2.0), ("hand-more", 2.0),
        ("hand-wide", 2.0), ("deb-docs", 1.5), ("newton-news", 1.5), ("wcxb-dev", 1.5), ("silver", 0.4),
        ("unlabelled-ml", 0.8), ("unlabelled-wide", 0.6), ("recipes", 0.6), ("crawl-sample", 0.4), ("nothing", 0.3),
        ("boards", 0.3), ("simple", 0.3),
    )  # fmt: skip
    rare: float = 1.6  # how often pages other than articles are shown


# How the settings of a teacher differ.
TEACHER: dict[str, Any] = {
    "width": 96,
    "element": 40,
    "drop": 0.25,
    "drop_inputs": 0.15,
    "drop_page": 0.5,
    "dilations": (1, 2, 4, 8, 16),
}

# How the settings of fine-tuning differ: a lower learning rate, and no habits vectors.
FINETUNED: dict[str, Any] = {"rate": 1e-3, "average": 0.97, "batch": 16, "neutral": 1.0}

# How fine-tuning with few pages differs from that: a higher learning rate, fewer variants, and no parts of other pages,
# which would leak pages that the network is measured on later.
FEW: dict[str, Any] = {"rate": 3e-3, "variants": 3, "graft": 0.0, "second": 0.0}


def choose_config(start: Config | None, labelled: int, *, seed: int, teachers: int, pages: int | None) -> Config:
    """Return the settings for training on this many labelled pages, from scratch or on top of a network (`start`)."""
    shown = max(MIN_SHOWN_PAGES, TIMES_SHOWN * labelled)
    config = replace(start, **FINETUNED, pages=shown) if start else Config()
    if start and labelled < FEW_PAGES:
        config = replace(config, **FEW, pages=max(FEW_MIN_SHOWN_PAGES, FEW_TIMES_SHOWN * labelled))
    return replace(config, seed=seed, teachers=teachers, pages=pages or config.pages)
