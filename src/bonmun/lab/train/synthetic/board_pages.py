"""Synthetic pages of boards and forums with their gold: threads, posts with comments, and lists of posts.

Labelled sets have few of them, and almost none with a table layout. The network sees no words, so it learns the
structure of such pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.lab.train.synthetic.board_lists import LISTS
from bonmun.lab.train.synthetic.board_posts import POSTS
from bonmun.lab.train.synthetic.marks import make_example
from bonmun.lab.train.synthetic.threads import THREADS
from bonmun.lab.train.synthetic.writer import PageWriter

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from bonmun.lab.gold.examples import Example

__all__ = ["make_boards"]

CODES = ("ko", "ko", "ko", "ja", "zh", "en", "ru", "de", "ar")
SHAPES = {"forum": THREADS, "article": POSTS, "listing": LISTS}  # page kind: makers
SHARES = (4, 4, 2)  # of the kinds


def make_boards(count: int, rng: Random) -> Iterator[Example]:
    """Yield synthetic board pages."""
    for number in range(count):
        kind = rng.choices(list(SHAPES), SHARES)[0]
        w = PageWriter(rng.choice(CODES), rng)
        yield make_example(f"boards/{number}", rng.choice(SHAPES[kind])(w), w.language.code, kind)
