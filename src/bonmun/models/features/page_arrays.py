"""A page as numbers, counted and not yet scaled: what arrays.py makes and features.py reads. Needs only numpy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.models.features.columns import Column, ColumnLayout
from bonmun.models.features.tags import USES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "ADDRESS_FACTS",
    "BOX",
    "COUNTED_TAGS",
    "LINK_CHARACTERS",
    "LINK_LEAVES",
    "PAGE_COLUMNS",
    "PAGE_KINDS",
    "TARGETS",
    "PageArrays",
]

LINK_CHARACTERS, LINK_LEAVES = range(2)  # the columns of `PageArrays.links`: what of a block is in links
PAGE_KINDS = ("article", "forum", "product", "listing", "collection", "documentation", "service", "none")  # of pages
COUNTED_TAGS = ("article", "p", "form", "a")
ADDRESS_FACTS = (
    "that there is one",
    "folders",
    "whether it is that of a home page",
    "whether it has a query",
    "digits",
    "length of its last part",
    "dashes in its last part",
    "whether its last part has a dot",
)

# What is known of a page as a whole, beside its blocks and elements.
PAGE_COLUMNS = ColumnLayout(
    Column(
        "counts",
        "how many there are, log",
        ("elements", "leaves", *USES, *(f"`<{tag}>`" for tag in COUNTED_TAGS)),
    ),
    Column("password", "whether it asks for a password"),
    Column("address", "what its URL says, all 0 without one", ADDRESS_FACTS),
)

# Where the first link of a block leads; all 0 for a block without links.
TARGETS = ColumnLayout(
    Column("linked", "whether there is a link"),
    Column("elsewhere", "whether it leads to another host"),
    Column("nowhere", "whether it leads to a place on the page, or to a script"),
    Column("contact", "whether it is an address to write to or to call"),
    Column("folders", "folders of its address"),
    Column("last_length", "length of the last part of its address"),
    Column("dashes", "dashes in that part"),
    Column("digits", "digits in its address"),
    Column("query", "whether it has a query"),
    Column("above", "whether the page's address starts with it"),
    Column("below", "whether it starts with the page's address"),
    Column("copies", "links with the same address, log"),
    Column("siblings", "addresses in the same folder, log"),
)

# What a browser says of a block; lengths in screens, so that the window's width and height are 1.
BOX = ColumnLayout(
    Column("left", "left edge of its text"),
    Column("top", "upper edge"),
    Column("width", "width"),
    Column("height", "height"),
    Column("column_left", "left edge of the element it stands in"),
    Column("column_width", "width of that element"),
    Column("font_size", "mean size of its font, divided by 16 pixels"),
    Column("font_weight", "mean weight of its font, divided by 400"),
    Column("contrast", "mean contrast with what is behind it, log, 1 for black on white"),
    Column("visible", "share of its characters that have a box and can be seen"),
    Column("stuck", "whether it does not scroll with the page"),
)


@dataclass(frozen=True, slots=True)
class PageArrays:
    """A page as numbers; n blocks, m elements. `parents` of elements are rows among them, -1 for the root."""

    # blocks
    owners: NDArray[np.int32]  # (n,) the element it stands in
    inner: NDArray[np.uint8]  # (n,) the tag of its first leaf
    counts: NDArray[np.int32]  # (n, CLASSES) its characters by class
    edges: NDArray[np.uint8]  # (n, 2) the classes of its first and last character
    sentences: NDArray[np.int32]  # (n,) sentence marks with a blank or nothing after them
    links: NDArray[np.int32]  # (n, 2) LINK_CHARACTERS and LINK_LEAVES
    leaves: NDArray[np.int32]  # (n,)
    hidden: NDArray[np.uint8]  # (n,)
    title: NDArray[np.float32]  # (n,) the share of its pairs of characters that are in the title
    copies: NDArray[np.int32]  # (n,) blocks with the same text
    targets: NDArray[np.float32]  # (n, TARGETS.width) where its first link leads
    between: NDArray[np.int32]  # (n + 1, len(USES)) elements before it, counted from the start of the page
    # elements
    parents: NDArray[np.int32]  # (m,)
    tags: NDArray[np.uint8]  # (m,)
    names: NDArray[np.int32]  # (m,) the same for two elements with the same class
    keys: NDArray[np.int32]  # (m,) the same for two elements with the same class and id
    words: NDArray[np.int16]  # the words of all keys, one after the other
    word_stops: NDArray[np.int32]  # (keys,) where those of each key stop
    # the page
    facts: NDArray[np.float32]  # (PAGE_COLUMNS.width,)
    site: NDArray[np.float32] | None = None  # (n, 2) pages of the site with its text; how far its place repeats
    boxes: NDArray[np.float32] | None = None  # (n, BOX.width) where a browser showed it; None if none did
