"""Pages with made-up boxes, for tests of code that reads boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bonmun.page import Page
from bonmun.page.parse.boxes import Boxes

if TYPE_CHECKING:
    from collections.abc import Mapping

Box = tuple[float, float, float, float]  # left, top, width, height

LINE = 20  # height in pixels of an element without a given box; each is below the one before


def lay_out(
    html: str,
    boxes: Mapping[int, Box] | None,
    viewport: tuple[float, float] = (1280, 800),
    page_size: tuple[float, float] = (1280, 3000),
) -> Page:
    """Return a page with these boxes, by row; elements without a size are not visible."""
    page = Page.parse(html)
    rows = range(len(page.tags))
    given = boxes or {}
    left, top, width, height = zip(*(given.get(row, (0, row * LINE, 1280, LINE)) for row in rows), strict=True)
    children = [0] * len(rows)
    for row in (*page.parents[1:], *page.leaf_elements):
        children[row] += 1
    page.boxes = Boxes(
        left=np.array(left, np.float64),
        top=np.array(top, np.float64),
        width=np.array(width, np.float64),
        height=np.array(height, np.float64),
        visible=np.array([bool(across or down) for across, down in zip(width, height, strict=True)]),
        hidden=np.zeros(len(rows), bool),
        children=np.array(children),
        styles=np.full(len(rows), -1),
        looks=[],
        contrasts=np.zeros(0),
        viewport=viewport,
        page_size=page_size,
    )
    return page
