"""The raw counts of a page, as count_page.py makes them and scaled_features.py reads them. Needs only numpy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.models.features.columns import Column, ColumnLayout
from bonmun.models.features.tags import USES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "BOX",
    "COUNTED_TAGS",
    "LINK_CHARACTERS",
    "LINK_LEAVES",
    "PAGE_COLUMNS",
    "PAGE_KINDS",
    "TARGETS",
    "URL_FIELDS",
    "PageArrays",
]

LINK_CHARACTERS, LINK_LEAVES = range(2)  # the columns of `PageArrays.links`
PAGE_KINDS = ("article", "forum", "product", "listing", "collection", "documentation", "service", "none")
COUNTED_TAGS = ("article", "p", "form", "a")
URL_FIELDS = (
    "whether there is one",
    "folders",
    "whether it is a home page",
    "whether it has a query",
    "digits",
    "length of its last part",
    "dashes in its last part",
    "whether its last part has a dot",
)

# Values of the page as a whole.
PAGE_COLUMNS = ColumnLayout(
    Column(
        "counts",
        "counts, log",
        ("elements", "leaves", *USES, *(f"`<{tag}>`" for tag in COUNTED_TAGS)),
    ),
    Column("password", "whether it asks for a password"),
    Column("address", "its URL, all 0 without one", URL_FIELDS),
)

# The target of a block's first link; all 0 for a block without links.
TARGETS = ColumnLayout(
    Column("linked", "whether there is a link"),
    Column("elsewhere", "whether it leads to another host"),
    Column("nowhere", "whether it leads to a fragment of the page, or to a script"),
    Column("contact", "whether it is an e-mail address or a telephone number"),
    Column("folders", "folders of its URL"),
    Column("last_length", "length of the last part of its URL"),
    Column("dashes", "dashes in that part"),
    Column("digits", "digits in its URL"),
    Column("query", "whether it has a query"),
    Column("above", "whether the page's URL starts with it"),
    Column("below", "whether it starts with the page's URL"),
    Column("copies", "links with the same URL, log"),
    Column("siblings", "URLs in the same folder, log"),
)

# Box and style of a block in a browser; lengths in screens: the window is 1 wide and 1 high.
BOX = ColumnLayout(
    Column("left", "left edge of its text"),
    Column("top", "upper edge"),
    Column("width", "width"),
    Column("height", "height"),
    Column("column_left", "left edge of its element"),
    Column("column_width", "width of its element"),
    Column("font_size", "mean size of its font, divided by 16 pixels"),
    Column("font_weight", "mean weight of its font, divided by 400"),
    Column("contrast", "mean contrast with what is behind it, log, 1 for black on white"),
    Column("visible", "share of its characters that have a box and can be seen"),
    Column("stuck", "whether it does not scroll with the page"),
)


@dataclass(frozen=True, slots=True)
class PageArrays:
    """The raw counts of a page; n blocks, m elements. `parents` are rows of elements, -1 for the root."""

    # blocks
    owners: NDArray[np.int32]  # (n,) the element that holds it
    inner: NDArray[np.uint8]  # (n,) the tag of its first leaf
    counts: NDArray[np.int32]  # (n, CLASSES) its characters by class
    edges: NDArray[np.uint8]  # (n, 2) the classes of its first and last character
    sentences: NDArray[np.int32]  # (n,) sentence marks before a space or the end
    links: NDArray[np.int32]  # (n, 2) LINK_CHARACTERS and LINK_LEAVES
    leaves: NDArray[np.int32]  # (n,)
    hidden: NDArray[np.uint8]  # (n,)
    title: NDArray[np.float32]  # (n,) the share of its character pairs that are in the title
    copies: NDArray[np.int32]  # (n,) blocks with the same text
    targets: NDArray[np.float32]  # (n, TARGETS.width) the target of its first link
    between: NDArray[np.int32]  # (n + 1, len(USES)) elements before it, counted from the start of the page
    # elements
    parents: NDArray[np.int32]  # (m,)
    tags: NDArray[np.uint8]  # (m,)
    names: NDArray[np.int32]  # (m,) equal for elements with the same class
    keys: NDArray[np.int32]  # (m,) equal for elements with the same class, id, role and itemprop
    words: NDArray[np.int16]  # the words of all keys, concatenated
    word_stops: NDArray[np.int32]  # (keys,) where the words of each key end
    # the page
    facts: NDArray[np.float32]  # (PAGE_COLUMNS.width,)
    site: NDArray[np.float32] | None = None  # (n, 2) share of the site's pages with its text; repetition at its place
    boxes: NDArray[np.float32] | None = None  # (n, BOX.width); None for a page that was not rendered
