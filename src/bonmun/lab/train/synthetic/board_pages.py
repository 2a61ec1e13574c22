"""Pages of boards and forums, made up, with their gold: threads, posts with comments below them, and lists of posts.

Labelled sets have few of them, and next to none that are laid out with tables. The network sees no words, so what it
learns is how such pages are built.
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
SHAPES = {"forum": THREADS, "article": POSTS, "listing": LISTS}  # page kind: what makes its pages
SHARES = (4, 4, 2)  # of each kind


def make_boards(count: int, chance: Random) -> Iterator[Example]:
    """Make up so many pages of boards."""
    for number in range(count):
        kind = chance.choices(list(SHAPES), SHARES)[0]
        w = PageWriter(chance.choice(CODES), chance)
        yield make_example(f"boards/{number}", chance.choice(SHAPES[kind])(w), w.language.code, kind)
