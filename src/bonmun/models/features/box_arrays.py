"""Where and how a browser showed the blocks of a page, as numbers: what boxes say before any of it is compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bonmun.models.features.page_arrays import BOX

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bonmun.page import Page
    from bonmun.page.parse.boxes import Boxes

__all__ = ["count_boxes"]

FARTHEST = 1000.0  # screens from the start of the page: nothing is further
USUAL_SIZE, USUAL_WEIGHT = 16.0, 400.0  # of a font, in pixels and in CSS
MOST_TIMES = 20.0  # what is usual; no font is larger
MOST_CONTRAST = 21.0  # black on white, by WCAG 2
STUCK = frozenset({"fixed", "sticky"})  # positions that do not scroll


def count_boxes(page: Page, boxes: Boxes) -> NDArray[np.float32]:
    """What BOX lists, a row a block; the page must have one. Blocks without a box have zeros."""
    starts = np.array(page.starts, np.intp)
    leaves = np.array(page.leaf_elements, np.intp)
    owners = np.array(page.owners, np.intp)
    width, height = (max(size, 1.0) for size in boxes.viewport)
    shown = (np.asarray(boxes.width) > 0) & (np.asarray(boxes.height) > 0)
    lengths = np.fromiter(map(len, page.texts), np.float64, len(page.texts))
    some = np.maximum(np.add.reduceat(lengths * shown[leaves], starts), 1)

    def average(values: Any) -> Any:
        """The mean over the characters that have a box."""
        return np.add.reduceat(lengths * (values * shown)[leaves], starts) / some

    left, right = _unite(boxes.left / width, boxes.right / width, shown, leaves, starts)
    top, bottom = _unite(boxes.top / height, boxes.bottom / height, shown, leaves, starts)
    rows = np.zeros((BOX.width, len(starts)), np.float32)
    rows[BOX["left"]], rows[BOX["width"]] = left, right - left
    rows[BOX["top"]], rows[BOX["height"]] = top, bottom - top
    rows[BOX["column_left"]] = _limit(boxes.left / width)[owners]
    rows[BOX["column_width"]] = _limit(boxes.width / width)[owners]
    rows[BOX["font_size"]] = average(_clean(boxes.font_size / USUAL_SIZE, MOST_TIMES))
    rows[BOX["font_weight"]] = average(_clean(boxes.font_weight / USUAL_WEIGHT, MOST_TIMES))
    contrast = np.maximum(_clean(boxes.contrast, MOST_CONTRAST), 1)
    rows[BOX["contrast"]] = average(np.log(contrast) / np.log(MOST_CONTRAST))
    visible = np.asarray(boxes.visible, np.float64) * shown
    rows[BOX["visible"]] = np.add.reduceat(lengths * visible[leaves], starts) / np.add.reduceat(lengths, starts)
    rows[BOX["stuck"]] = _find_stuck(boxes, page.parents)[leaves[starts]]
    return np.ascontiguousarray(rows.T)


def _unite(low: Any, high: Any, shown: Any, leaves: Any, starts: Any) -> tuple[Any, Any]:
    """The edges of what holds all of a block that has a box; 0 and 0 if nothing of it has one."""
    first = np.minimum.reduceat(np.where(shown, _limit(low), FARTHEST)[leaves], starts)
    last = np.maximum.reduceat(np.where(shown, _limit(high), -FARTHEST)[leaves], starts)
    empty = last < first
    return np.where(empty, 0, first), np.where(empty, 0, last)


def _find_stuck(boxes: Boxes, parents: list[int]) -> NDArray[np.bool_]:
    """Which elements do not scroll with the page, or stand in one that does not."""
    kinds = np.array([*(look.position in STUCK for look in boxes.looks), False])
    stuck = np.append(kinds[boxes.styles], False)
    up = np.append(np.array(parents, np.intp), -1)  # -1 leads to -1
    while stuck.any() and up.max() >= 0:
        stuck |= stuck[up]
        up = up[up]
    return stuck


def _limit(values: Any) -> Any:
    return np.clip(np.nan_to_num(values, nan=0.0, posinf=FARTHEST, neginf=-FARTHEST), -FARTHEST, FARTHEST)


def _clean(values: Any, most: float) -> Any:
    """What a style sheet may say, as numbers that can be reckoned with."""
    return np.clip(np.nan_to_num(values, nan=0.0, posinf=most, neginf=0.0), 0, most)
