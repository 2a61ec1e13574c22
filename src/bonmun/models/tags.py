"""The tags that are told apart, as numbers, and what some of them are for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bonmun.markup import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

__all__ = [
    "FRAMES",
    "H1",
    "HEADING_LEVELS",
    "ICONS",
    "INPUTS",
    "IS_HEADING",
    "PICTURES",
    "RULES",
    "TAGS",
    "TAG_NUMBERS",
    "USES",
    "flag_tags",
]

TAGS = (
    "html body div p span a h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table tbody thead tfoot tr td th caption article "
    "section main aside header footer nav form fieldset legend button select option label input textarea figure "
    "figcaption blockquote pre code details summary dialog address b strong em i small time font center menu hgroup "
    "picture img iframe video noscript template cite q u ins abbr s sup sub kbd tt mark"
).split()
TAG_NUMBERS = {tag: number for number, tag in enumerate(TAGS, 1)}  # all other tags are 0

# What stands between blocks, by what it is for; each use is counted by itself.
USES = {
    "pictures": "img picture video svg figure canvas",
    "inputs": "input select textarea button",
    "frames and scripts": "iframe script ins",
    "rules and line breaks": "hr br",
    "icons": "i use",
}
PICTURES, INPUTS, FRAMES, RULES, ICONS = range(len(USES))


def flag_tags(tags: Iterable[str]) -> NDArray[np.bool_]:
    """For the number of each tag, and for 0, whether it is one of these."""
    flags = np.zeros(len(TAGS) + 1, bool)
    flags[[TAG_NUMBERS[tag] for tag in tags]] = True
    return flags


H1 = TAG_NUMBERS["h1"]
IS_HEADING = flag_tags(HEADINGS)
HEADING_LEVELS = np.zeros(len(TAGS) + 1, np.uint8)  # 1 for <h1> to 6 for <h6>, 0 for no heading
HEADING_LEVELS[[TAG_NUMBERS[tag] for tag in HEADINGS]] = range(1, 7)
