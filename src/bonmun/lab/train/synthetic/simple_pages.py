"""Synthetic small and simple pages with their gold: documentation, plain pages, short articles, lists.

Labelled sets have few pages with little content, few whose main text is a list of links, and few with far more
boilerplate than article. The network sees no words, so it learns the structure of such pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.lab.train.synthetic.articles import ARTICLES
from bonmun.lab.train.synthetic.docs import DOCS
from bonmun.lab.train.synthetic.items import LISTINGS
from bonmun.lab.train.synthetic.marks import make_example
from bonmun.lab.train.synthetic.plain import PLAIN
from bonmun.lab.train.synthetic.writer import PageWriter

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from bonmun.lab.gold.examples import Example

__all__ = ["make_simple_pages"]

CODES = ("en", "en", "ko", "ja", "zh", "ru", "de", "ar")
SHAPES = (  # page kind, makers, and share out of ten
    ("documentation", DOCS, 3),
    ("article", PLAIN, 2),
    ("article", ARTICLES, 3.5),
    ("listing", LISTINGS, 1.5),
)


def make_simple_pages(count: int, rng: Random) -> Iterator[Example]:
    """Yield small and simple synthetic pages."""
    for number in range(count):
        kind, shapes, _ = rng.choices(SHAPES, [share for _, _, share in SHAPES])[0]
        w = PageWriter(rng.choice(CODES), rng)
        yield make_example(f"simple/{number}", rng.choice(shapes)(w), w.language.code, kind)
