"""Find kickers in headings: `<h3><span class=overline>Gas pipeline</span> <span>What was agreed</span></h3>`.

A style sheet writes them on a line of their own; in a text, a colon must separate them from the headline.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import list_around
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page.page import Page

__all__ = ["find_kicker"]

# Words of classes in several languages.
NAMES = frozenset(
    "kicker overline eyebrow topline toptitle pretitle overtitle supertitle suptitle surtitle surtitre uppertitle "
    "preheadline preheading overheading dachzeile spitzmarke roofline catchline antetitulo antetitre sobretitulo "
    "occhiello bovenkop vinjett".split()
)
WORDS = compile_later("[a-z]+")
CLASS_CHARS = 300  # of a class attribute that are read
LEVELS = 6  # elements around a text of a heading
MAX_CHARS = 60
SIGNS = ":|/-–—•·"  # before a headline


def find_kicker(page: Page, row: int, leaves: Sequence[int]) -> int:
    """Return the last leaf of the kicker in a heading that has other text after it on the same line; -1 if none.

    `leaves` are those of the heading that are shown.
    """
    box = _find_box(page, page.leaf_elements[leaves[0]], page.owners[row])
    if box < 0:
        return -1
    last, chars = -1, 0
    for number, leaf in enumerate(leaves):
        if box not in list_around(page.parents, page.leaf_elements[leaf], LEVELS):
            meets = page.texts[last][-1].isalnum() and page.texts[leaf][0] not in SIGNS  # else they are separated
            return last if meets and "\n" not in (page.joints[leaf] or "") else -1
        chars += len(page.texts[leaf])
        if chars > MAX_CHARS or number > LEVELS:
            break
        last = leaf
    return -1


def _find_box(page: Page, element: int, heading: int) -> int:
    """Return the element of a kicker that contains an element in a heading, or -1."""
    for row in list_around(page.parents, element, LEVELS):
        if row == heading:
            break
        name = page.attr(row, "class")
        if name and not NAMES.isdisjoint(WORDS.findall(name[:CLASS_CHARS].lower())):
            return row
    return -1
