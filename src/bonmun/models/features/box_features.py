"""Features of the boxes of blocks; scaled_features.py has the table of them.

Lengths are in screens. A column is all elements with the same left edge and width; the main column is the one with the
most text. Every function returns rows of n values by column name, scaled as in block_features.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bonmun.models.features.page_arrays import BOX

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bonmun.models.features.measures import Measures

    Rows = dict[str, Any]

__all__ = ["BoxMeasures", "measure_box_column", "measure_box_place", "measure_box_type", "measure_screens"]

GRID = 100  # steps per screen; edges are equal if they round to the same step
GRID_SPAN = 1 << 20  # more than the largest step
FONT_GRID = 8  # steps per normal size or weight: 2 pixels, or 50 of font-weight
MAX_COLUMNS = 8  # with the most text, that are looked for beside a block
MAX_OVERLAP = 0.1  # of the narrower width, of columns that are beside each other
TINY = 1e-6


class BlockGroup(NamedTuple):
    """Values of groups of blocks, repeated for each block."""

    plain: Any  # the group's share of the page's letters outside of links
    links: Any  # the share of the group's letters in links
    blocks: Any  # the number of blocks in the group


class BoxMeasures:
    """Intermediate values of the boxes of a page, which must have boxes; n blocks."""

    def __init__(self, p: Measures) -> None:
        assert p.arrays.boxes is not None
        box = p.arrays.boxes.T
        self.measures = p
        self.left, self.top, self.width, self.height = (box[BOX[name]] for name in ("left", "top", "width", "height"))
        self.right, self.bottom = self.left + self.width, self.top + self.height
        self.column_left, self.column_width = box[BOX["column_left"]], box[BOX["column_width"]]
        self.column_right = self.column_left + self.column_width
        self.font_size, self.font_weight = box[BOX["font_size"]], box[BOX["font_weight"]]
        self.contrast, self.visible, self.stuck = box[BOX["contrast"]], box[BOX["visible"]], box[BOX["stuck"]]
        self.shown = self.visible > 0
        self.plain = p.plain * self.visible  # letters outside of links that can be seen
        self.text = p.text * self.visible  # letters that can be seen
        self.page_height = max(float(np.where(self.shown, self.bottom, 0).max()), 1.0)
        self.columns = _number(self.column_left * GRID, self.column_width * GRID)
        self.main = self._find_main()  # a block in the main column

    def _find_main(self) -> int:
        """Return the first block of the column with the most text outside of links."""
        sums = np.bincount(self.columns, self.plain + TINY * self.text)
        return int((self.columns == sums.argmax()).argmax())

    def sum_group(self, groups: NDArray[np.intp]) -> BlockGroup:
        """Sum the values of the blocks of each group."""
        plain, text = np.bincount(groups, self.plain), np.bincount(groups, self.text)
        count = np.bincount(groups, self.shown.astype(np.float64))
        total = max(float(plain.sum()), TINY)
        return BlockGroup((plain / total)[groups], (1 - plain / np.maximum(text, 1))[groups], count[groups])


def _number(first: Any, second: Any) -> NDArray[np.intp]:
    """Number blocks so that those with the same two rounded values have the same number."""
    keys = np.rint(first).astype(np.int64) * GRID_SPAN + np.rint(second).astype(np.int64)
    _, numbers = np.unique(keys, return_inverse=True)
    return numbers


def measure_box_place(b: BoxMeasures) -> Rows:
    """Position on the page."""
    middle, centre = (b.left + b.right) / 2, (b.top + b.bottom) / 2
    before = np.append(0, b.bottom[:-1])
    gap = b.top - before
    letters = b.measures.letters / np.maximum(b.width * b.height, TINY)
    return {
        "left": b.left,
        "right": b.right,
        "width": b.width,
        "height": np.log1p(b.height * 10),
        "top": np.log1p(np.maximum(b.top, 0)),
        "top_share": b.top / b.page_height,
        "above_fold": b.shown & (b.top < 1),
        "screen_distance": np.log1p(np.hypot(middle - 0.5, centre - 0.5)),
        "page_distance": np.log1p(np.hypot(middle - 0.5, centre - b.page_height / 2)),
        "page_distance_share": np.hypot(middle - 0.5, centre / b.page_height - 0.5),
        "gap_before": np.sign(gap) * np.log1p(np.abs(gap) * 10),
        "crowd": np.where(b.shown, np.log1p(letters) / 8, 0),
    }


def measure_box_column(b: BoxMeasures) -> Rows:
    """The block's column, and its position relative to the main column."""
    group = b.sum_group(b.columns)
    left, right = b.column_left[b.main], b.column_right[b.main]
    shared = np.minimum(b.right, right) - np.maximum(b.left, left)
    return {
        "column_left": b.column_left,
        "column_width": b.column_width,
        "column_plain": group.plain,
        "column_links": group.links,
        "column_blocks": np.log1p(group.blocks) / 4,
        "main_share": np.maximum(shared, 0) / np.maximum(b.width, TINY),
        "in_main": b.columns == b.columns[b.main],
        "left_of_main": b.left - left,
        "width_to_main": b.column_width / max(float(right - left), 1 / GRID),
        "columns_beside": np.log1p(_count_beside(b)),
    }


def _count_beside(b: BoxMeasures) -> Any:
    """Count the columns beside a block, among those with the most text."""
    text = np.bincount(b.columns, b.text)
    centre = (b.top + b.bottom) / 2
    count = np.zeros(len(centre), np.float32)
    for column in np.argsort(-text, kind="stable")[:MAX_COLUMNS]:
        rows = (b.columns == column) & b.shown
        if not rows.any():
            continue
        left, right = b.left[rows].min(), b.right[rows].max()
        shared = np.minimum(b.right, right) - np.maximum(b.left, left)
        apart = shared < MAX_OVERLAP * np.minimum(b.width, right - left)
        count += apart & b.shown & (b.top[rows].min() < centre) & (centre < b.bottom[rows].max())
    return count


def measure_box_type(b: BoxMeasures) -> Rows:
    """Style of the text relative to that of the page."""
    order = np.argsort(b.font_size, kind="stable")
    running = np.cumsum(b.plain[order])
    main = max(float(b.font_size[order[np.searchsorted(running, running[-1] / 2)]]), 1 / FONT_GRID)
    alike = b.sum_group(_number(b.font_size * FONT_GRID, b.font_weight * FONT_GRID))
    return {
        "font_size": np.where(b.font_size > 0, np.log(np.maximum(b.font_size, TINY) / main), 0),
        "font_weight": b.font_weight - 1,
        "contrast": b.contrast,
        "font_plain": alike.plain,
        "font_links": alike.links,
        "visible": b.visible,
        "stuck": b.stuck,
    }


def measure_screens(b: BoxMeasures) -> Rows:
    """Values of the page as a whole."""
    n = len(b.left)
    total = max(float(b.text.sum()), TINY)
    return {
        "page_height": np.log1p(b.page_height) / 2,
        "page_visible": b.shown.sum() / n,
        "page_above_fold": b.text[b.top < 1].sum() / total,
        "main_left": b.column_left[b.main],
        "main_width": b.column_width[b.main],
        "main_plain": b.plain[b.columns == b.columns[b.main]].sum() / max(float(b.plain.sum()), TINY),
    }
