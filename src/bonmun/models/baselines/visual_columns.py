"""The table of elements that paper 2 gives to TabNet. Shapes: n elements, k columns.

Paper 2 (2023), section 3. `BASIC` are the columns of its TabNet_1, `CENTRE` those of TabNet_2:

    order                       the element's number in preorder
    tag                         one of 137 tags of MDN's reference in 2023, or "other"
    children                    number of child nodes
    text, link_text             characters in it, with white space folded; those of them in `<a>`
    visible                     jQuery's `:visible`: it has a box, even if another covers it
    left … height               its box, in pixels of the page
    viewport_…, page_…          size of the window, and of the whole page
    d0, d1                      distances from the centre of its box to the centres of the window and of the page

`RELATIVE` are the columns of `visual:centre+`: the same, with positions, sizes and text relative to the page, counts as
logarithms, and without the window, which is the same for all pages.
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
    "combine_with_ancestors",
    "count_columns",
    "make_relative",
    "make_table",
]

# https://developer.mozilla.org/docs/Web/HTML/Element in 2023: 115 elements, and 22 deprecated ones.
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
CATEGORIES = {"tag": len(MDN_TAGS) + 1, "visible": 2}  # the categorical columns, and their number of values
RELATIVE = tuple(
    "order tag children text text_share link_share visible left top right bottom width height "
    "page_width page_height d0 d1".split()
)

Rule = Literal["any", "near", "best"]  # how the probability of a leaf follows from those of its ancestors

RULES: tuple[Rule, ...] = ("any", "near", "best")

MAX_PIXELS = 1e9  # larger values are hostile; the square must still be finite


def count_columns(page: Page, boxes: Boxes) -> Floats:
    """Return the columns of `CENTRE` for every element of a page, (n, 18); the first 16 are `BASIC`."""
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
        "text": _sum_text(page, sizes),
        "link_text": _sum_text(page, linked),
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


def make_relative(columns: Floats) -> Floats:
    """Convert the columns of one page, (n, 18), to `RELATIVE`, (n, 17), which can be compared between pages.

    A subset of the rows of a page is enough, if it includes the first and the last.
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


def make_table(page: Page, boxes: Boxes, columns: Sequence[str]) -> Floats:
    """Return the table for a network with these columns."""
    table = count_columns(page, boxes)
    names: tuple[str, ...] = CENTRE
    if "text_share" in columns:
        table, names = make_relative(table), RELATIVE
    return table[:, [names.index(name) for name in columns]]


def combine_with_ancestors(parents: Sequence[int], chances: Sequence[float], rule: Rule) -> list[float]:
    """Combine the probability of each element with those of its ancestors.

    `any`: the maximum, because all text of a main element is main text. `near`: a mean that weights near ancestors
    more, so that one wrong element near the root does not decide for the whole page. `best`: 1 in the element with the
    highest probability on the page, and 0 elsewhere.
    """
    if rule == "best":
        best = max(range(len(chances)), key=chances.__getitem__, default=-1)
        return combine_with_ancestors(parents, [float(row == best) for row in range(len(chances))], "any")
    found: list[float] = []
    for chance, parent in zip(chances, parents, strict=True):  # parents come before their children
        above = found[parent] if parent >= 0 else chance
        found.append(max(chance, above) if rule == "any" else (chance + above) / 2)
    return found


def _sum_text(page: Page, sizes: Sequence[int]) -> list[int]:
    """Sum the sizes of the leaves in each element, at any depth."""
    sums = [0] * len(page.tags)
    for element, size in zip(page.leaf_elements, sizes, strict=True):
        sums[element] += size
    for row in range(len(sums) - 1, 0, -1):
        sums[page.parents[row]] += sums[row]
    return sums


def _read_pixels(values: Sequence[float]) -> NDArray[np.float64]:
    pixels = np.nan_to_num(np.asarray(values, np.float64), nan=0.0, posinf=MAX_PIXELS, neginf=-MAX_PIXELS)
    return np.clip(pixels, -MAX_PIXELS, MAX_PIXELS)
