"""A laid-out page in, a table out: what paper 2 tells TabNet of every element. Shapes: n elements, k columns.

Paper 2 (2023), section 3. `BASIC` is what its TabNet_1 is told, `CENTRE` what TabNet_2 is:

    order                       the element's number in preorder
    tag                         one of 137 tags of MDN's reference, as it stood in 2023, or any other
    children                    child nodes of it
    text, link_text             characters in it, white space folded; those of them in `<a>`
    visible                     jQuery's `:visible`: it has a box, also where another covers it
    left … height               its box, in pixels of the page
    viewport_…, page_…          the window, and all of the page
    d0, d1                      from the centre of its box to the centre of the window, and to that of the page

`RELATIVE` is what `visual:centre+` is told: the same, with places and sizes as shares of the page's, text also as a
share of the page's, counts as logarithms, and without the window, which is the same for all pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bonmun.page import Page
    from bonmun.page.parse.boxes import Boxes

    Floats = NDArray[np.float32]

__all__ = [
    "BASIC",
    "CATEGORIES",
    "CENTRE",
    "MDN_TAGS",
    "RELATIVE",
    "RULES",
    "Rule",
    "count_columns",
    "read_table",
    "relate",
    "spread_down",
]

# https://developer.mozilla.org/docs/Web/HTML/Element in 2023: 115 elements, and the 22 that are deprecated.
MDN_TAGS = (
    "html base head link meta style title body address article aside footer header h1 h2 h3 h4 h5 h6 hgroup main nav "
    "section search blockquote dd div dl dt figcaption figure hr li menu ol p pre ul a abbr b bdi bdo br cite code "
    "data dfn em i kbd mark q rp rt ruby s samp small span strong sub sup time u var wbr area audio img map track "
    "video embed iframe object picture portal source svg math canvas noscript script del ins caption col colgroup "
    "table tbody td tfoot th thead tr button datalist fieldset form input label legend meter optgroup option output "
    "progress select textarea details dialog summary slot template "
    "acronym big center content dir font frame frameset image marquee menuitem nobr noembed noframes param plaintext "
    "rb rtc shadow strike tt xmp"
).split()
TAG_NUMBERS = {tag: number for number, tag in enumerate(MDN_TAGS)}
OTHER_TAG = len(MDN_TAGS)

BASIC = tuple(
    "order tag children text link_text visible left top right bottom width height "
    "viewport_width viewport_height page_width page_height".split()
)
CENTRE = (*BASIC, "d0", "d1")
CATEGORIES = {"tag": len(MDN_TAGS) + 1, "visible": 2}  # the columns that are no numbers, and how many values each has
RELATIVE = tuple(
    "order tag children text text_share link_share visible left top right bottom width height "
    "page_width page_height d0 d1".split()
)

Rule = Literal["any", "near", "best"]  # how a leaf follows from the elements around it

RULES: tuple[Rule, ...] = ("any", "near", "best")

MOST_PIXELS = 1e9  # no page is larger: what says so is a trick, and its square must still be a number


def count_columns(page: Page, boxes: Boxes) -> Floats:
    """What is known of every element of a page, (n, 18): the columns of `CENTRE`, of which `BASIC` are the first 16."""
    n = len(page.tags)
    left, top, width, height = (_read_pixels(each) for each in (boxes.left, boxes.top, boxes.width, boxes.height))
    window, whole = _read_pixels(boxes.viewport), _read_pixels(boxes.page_size)
    sizes = [len(text) for text in page.texts]
    linked = [size if link else 0 for size, link in zip(sizes, page.linked_leaves, strict=True)]
    x, y = left + width / 2, top + height / 2  # E, the centre
    columns = {
        "order": np.arange(n),
        "tag": [TAG_NUMBERS.get(tag, OTHER_TAG) for tag in page.tags],
        "children": np.asarray(boxes.children),
        "text": _add_up(page, sizes),
        "link_text": _add_up(page, linked),
        "visible": np.asarray(boxes.visible, bool),
        "left": left,
        "top": top,
        "right": left + width,
        "bottom": top + height,
        "width": width,
        "height": height,
        "viewport_width": np.full(n, window[0]),
        "viewport_height": np.full(n, window[1]),
        "page_width": np.full(n, whole[0]),
        "page_height": np.full(n, whole[1]),
        "d0": np.hypot(x - window[0] / 2, y - window[1] / 2),  # C0: the window as it opens, at the top of the page
        "d1": np.hypot(x - whole[0] / 2, y - whole[1] / 2),
    }
    return np.stack([columns[name] for name in CENTRE], axis=1).astype(np.float32)


def relate(columns: Floats) -> Floats:
    """The columns of one page, (n, 18), as `RELATIVE`, (n, 17): the same numbers then mean the same on every page.

    Some rows of a page are enough, if the first and the last of it are among them.
    """
    given = {name: columns[:, place].astype(np.float64) for place, name in enumerate(CENTRE)}
    across, down = (np.maximum(given[name], 1) for name in ("page_width", "page_height"))
    window = np.maximum(np.hypot(given["viewport_width"], given["viewport_height"]), 1)
    related = {
        "order": given["order"] / (given["order"].max(initial=0) + 1),
        "tag": given["tag"],
        "children": np.log1p(np.maximum(given["children"], 0)),
        "text": np.log1p(given["text"]),
        "text_share": given["text"] / max(given["text"].max(initial=0), 1),
        "link_share": given["link_text"] / np.maximum(given["text"], 1),
        "visible": given["visible"],
        **{name: given[name] / across for name in ("left", "right", "width")},
        **{name: given[name] / down for name in ("top", "bottom", "height")},
        "page_width": np.log1p(np.maximum(given["page_width"], 0)),
        "page_height": np.log1p(np.maximum(given["page_height"], 0)),
        "d0": given["d0"] / window,
        "d1": given["d1"] / np.hypot(across, down),
    }
    return np.stack([related[name] for name in RELATIVE], axis=1).astype(np.float32)


def read_table(page: Page, boxes: Boxes, columns: Sequence[str]) -> Floats:
    """The table that a network with these columns reads."""
    table = count_columns(page, boxes)
    names: tuple[str, ...] = CENTRE
    if "text_share" in columns:
        table, names = relate(table), RELATIVE
    return table[:, [names.index(name) for name in columns]]


def spread_down(parents: Sequence[int], chances: Sequence[float], rule: Rule) -> list[float]:
    """What the chances of each element and of those around it come to.

    `any` is the greatest of them, since the text of an element that is main is main. `near` is the mean of its own and
    of those around it, the nearer the more: one element that is wrongly taken for main, high up, does not sway all.
    `best` is 1 in the element with the greatest chance on the page, and 0 elsewhere.
    """
    if rule == "best":
        best = max(range(len(chances)), key=chances.__getitem__, default=-1)
        return spread_down(parents, [float(row == best) for row in range(len(chances))], "any")
    found: list[float] = []
    for chance, parent in zip(chances, parents, strict=True):  # a parent stands before what it holds
        above = found[parent] if parent >= 0 else chance
        found.append(max(chance, above) if rule == "any" else (chance + above) / 2)
    return found


def _add_up(page: Page, sizes: Sequence[int]) -> list[int]:
    """The sizes of the leaves in each element and in all that it holds."""
    sums = [0] * len(page.tags)
    for element, size in zip(page.leaf_elements, sizes, strict=True):
        sums[element] += size
    for row in range(len(sums) - 1, 0, -1):
        sums[page.parents[row]] += sums[row]
    return sums


def _read_pixels(values: Sequence[float]) -> NDArray[np.float64]:
    pixels = np.nan_to_num(np.asarray(values, np.float64), nan=0.0, posinf=MOST_PIXELS, neginf=-MOST_PIXELS)
    return np.clip(pixels, -MOST_PIXELS, MOST_PIXELS)
