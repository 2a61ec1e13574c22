"""Draw the labels of a method on a screenshot: kept blocks are outlined, scores are colours."""

from __future__ import annotations

import base64
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from playwright.async_api import CDPSession

    from bonmun.labels import Labels
    from bonmun.page import Page

__all__ = ["Mark", "draw_marks", "make_drawer", "mark_blocks"]

MAX_HEIGHT_PIXELS = 16_000  # the rest of the page is cut off
MAX_WIDTH_PIXELS = 4_000.0
MAX_MARKS = 10_000


class Mark(NamedTuple):
    """The position of a block in pixels, and its label."""

    left: float
    top: float
    width: float
    height: float
    score: float
    kept: bool


def mark_blocks(page: Page, labels: Labels) -> list[Mark]:
    """Return a mark for each block of a rendered page that has a box."""
    boxes = page.boxes
    assert boxes
    marks: list[Mark] = []
    for row, (start, stop) in enumerate(zip(page.starts, page.stops, strict=True)):
        owner = page.owners[row]
        elements = [owner] if page.block_counts[owner] == 1 else page.leaf_elements[start:stop]
        shown = [element for element in elements if boxes.visible[element]]
        if not shown:
            continue
        left, top = min(boxes.left[e] for e in shown), min(boxes.top[e] for e in shown)
        right, bottom = max(boxes.right[e] for e in shown), max(boxes.bottom[e] for e in shown)
        rows: Sequence[int] = [row] if labels.unit == "block" else range(start, stop)
        score, kept = max(labels.scores[i] for i in rows), any(labels.kept[i] for i in rows)
        marks.append(Mark(float(left), float(top), float(right - left), float(bottom - top), float(score), bool(kept)))
    return marks


def make_drawer(mark: Callable[[dict[str, Any]], list[Mark]]) -> Callable[..., Coroutine[Any, Any, bytes]]:
    """Return a callback for `Browser.render_all` that draws marks on each page; `mark` returns the marks of a page."""

    async def draw(session: CDPSession, world: int, measurements: dict[str, Any]) -> bytes:
        return await draw_marks(session, world, mark(measurements), measurements)

    return draw


@cache
def _read_script() -> str:
    return Path(__file__).with_name("draw.js").read_text(encoding="utf-8")


async def draw_marks(session: CDPSession, world: int, marks: list[Mark], measurements: dict[str, Any]) -> bytes:
    """Draw marks on the loaded page and return a screenshot as PNG."""
    await session.send(
        "Runtime.callFunctionOn",
        {
            "functionDeclaration": _read_script(),
            "executionContextId": world,
            "arguments": [{"value": json.dumps([list(mark) for mark in marks[:MAX_MARKS]])}],
        },
    )
    width, height = (max(float(side), 1.0) for side in measurements["page"])
    width = min(max(width, float(measurements["viewport"][0])), MAX_WIDTH_PIXELS)
    clip = {"x": 0, "y": 0, "width": width, "height": min(height, MAX_HEIGHT_PIXELS), "scale": 1}
    settings = {"format": "png", "clip": clip, "captureBeyondViewport": True}
    screenshot = await session.send("Page.captureScreenshot", settings)
    return base64.b64decode(screenshot["data"])
