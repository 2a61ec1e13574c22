"""Everything that training depends on, beside the samples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

__all__ = ["LEAST_FROM_NOTHING", "TEACHER", "Config", "choose_config"]

LEAST_FROM_NOTHING = 300  # labelled pages: a network that starts from nothing needs so many
TIMES_SHOWN = 60  # how often each labelled page is shown when a network is trained on
LEAST_SHOWN = 3000  # pages that it is shown in all, with repetition, however few there are
FEW_PAGES = 200  # labelled ones: fewer are of a handful of sites, which a network learns in far fewer steps
FEW_TIMES_SHOWN, FEW_LEAST_SHOWN = 80, 1600  # the same, for few pages


@dataclass(frozen=True)
class Config:
    """Everything that training depends on, beside the samples; it is kept in the model file."""

    vocabulary: int = 2682  # class and id words, see models/features/words.txt
    width: int = 64  # of a block's vector
    element: int = 24  # of an element's vector
    tag: int = 12  # of a tag's vector
    word: int = 24  # of the vector of a class or id word
    dilations: tuple[int, ...] = (1, 4)  # how far each convolution looks, in blocks
    last: tuple[int, ...] = (1,)  # the same, for those after the page has been seen as a whole
    drop: float = 0.15  # dropout: the share of a layer's numbers that is left out
    drop_inputs: float = 0.1  # of the features of blocks and elements
    drop_page: float = 0.3  # of the features of the page
    parts: float = 0.4  # how often a variant of a page loses parts
    graft: float = 0.2  # and gets parts of another
    second: float = 0.08  # and, if it is an article, has another one under it
    variants: int = 6  # of each page, beside itself
    pages: int = 100_000  # that are shown in all, with repetition: with twice as many it learns its pages by heart
    batch: int = 48  # pages
    rate: float = 2e-3  # the highest learning rate
    decay: float = 0.01  # of the weights
    average: float = 0.998  # of the weights: so much of the last average, and the rest of the newest
    soft: float = 0.5  # the weight of the soft F1 in the loss
    gold: float = 0.5  # how much of a page's labels comes from its own gold where teachers say something else
    neutral: float = 0.15  # how often a set's habits are left out
    teachers: int = 0  # larger networks, trained first, that label what has no gold and temper what has
    seed: int = 1
    # pages of these sets have the default's habits, so no others are learnt for them
    defaults: tuple[str, ...] = ("hand-hard", "hand-ml", "wcxb-dev", "nothing", "boards", "simple")
    # how often pages of a set are shown, where it is not 1
    weights: tuple[tuple[str, float], ...] = (
        ("hand-ml", 3.0), ("hand-hard", 2.0), ("wcxb-dev", 1.5), ("silver", 0.4), ("unlabelled-ml", 0.8),
        ("unlabelled-wide", 0.6), ("recipes", 0.6), ("crawl-sample", 0.4), ("nothing", 0.3), ("boards", 0.3),
        ("simple", 0.3),
    )  # fmt: skip
    rare: float = 1.6  # how often pages are shown that are no articles


# The settings in which a teacher differs.
TEACHER: dict[str, Any] = {
    "width": 96,
    "element": 40,
    "drop": 0.25,
    "drop_inputs": 0.15,
    "drop_page": 0.5,
    "dilations": (1, 2, 4, 8, 16),
}

# The settings in which training on from another network differs: smaller steps, and no set has habits of its own.
TRAINED_ON: dict[str, Any] = {"rate": 1e-3, "average": 0.97, "batch": 16, "neutral": 1.0}

# And those in which training on with few pages differs from that: larger steps, fewer variants, and no page has parts
# of another, since pages that a network is then asked about would teach it.
FEW: dict[str, Any] = {"rate": 3e-3, "variants": 3, "graft": 0.0, "second": 0.0}


def choose_config(start: Config | None, labelled: int, *, seed: int, teachers: int, pages: int | None) -> Config:
    """The settings for so many labelled pages, from nothing or on from a network with the settings `start`."""
    shown = max(LEAST_SHOWN, TIMES_SHOWN * labelled)
    config = replace(start, **TRAINED_ON, pages=shown) if start else Config()
    if start and labelled < FEW_PAGES:
        config = replace(config, **FEW, pages=max(FEW_LEAST_SHOWN, FEW_TIMES_SHOWN * labelled))
    return replace(config, seed=seed, teachers=teachers, pages=pages or config.pages)
