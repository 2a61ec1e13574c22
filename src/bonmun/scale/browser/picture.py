"""A picture of a page on which one sees what a method keeps: kept blocks outlined, scores as colours."""

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

TALLEST_PIXELS = 16_000  # of a picture; what is below is not in it
MOST_MARKS = 10_000


class Mark(NamedTuple):
    """A block on the page, in pixels, and what a method says of it."""

    left: float
    top: float
    width: float
    height: float
    score: float
    kept: bool


def mark_blocks(page: Page, labels: Labels) -> list[Mark]:
    """Where the blocks of a rendered page stand, and what the labels say of each; without those that have no box."""
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
    """What `Browser.render_all` calls with a page that it has measured; `mark` gives its marks."""

    async def draw(session: CDPSession, world: int, found: dict[str, Any]) -> bytes:
        return await draw_marks(session, world, mark(found), found)

    return draw


@cache
def _read_script() -> str:
    return Path(__file__).with_name("draw.js").read_text(encoding="utf-8")


async def draw_marks(session: CDPSession, world: int, marks: list[Mark], found: dict[str, Any]) -> bytes:
    """Draw marks on the page that is loaded, and give a picture of it: a PNG."""
    await session.send(
        "Runtime.callFunctionOn",
        {
            "functionDeclaration": _read_script(),
            "executionContextId": world,
            "arguments": [{"value": json.dumps([list(mark) for mark in marks[:MOST_MARKS]])}],
        },
    )
    width, height = (max(float(side), 1.0) for side in found["page"])
    width = min(max(width, float(found["viewport"][0])), 4_000.0)
    clip = {"x": 0, "y": 0, "width": width, "height": min(height, TALLEST_PIXELS), "scale": 1}
    got = await session.send("Page.captureScreenshot", {"format": "png", "clip": clip, "captureBeyondViewport": True})
    return base64.b64decode(got["data"])
