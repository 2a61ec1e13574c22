"""Where and how a browser showed each element of a page: the columns of a snapshot, in the order of the page's rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.snapshots import Look, Snapshot

__all__ = ["Boxes", "make_boxes"]


@dataclass(frozen=True, eq=False)
class Boxes:
    """One entry an element, in pixels of the page, as numpy arrays; what has no box has zeros."""

    left: Any
    top: Any
    width: Any
    height: Any
    visible: Any  # it has a box (jQuery's :visible), though something may cover it
    hidden: Any  # the browser shows nothing of it
    children: Any  # how many nodes stand directly in it
    styles: Any  # its row in `looks`; -1 for none
    looks: Sequence[Look]
    contrasts: Any  # of each look
    viewport: tuple[float, float]  # width, height
    page_size: tuple[float, float]

    @property
    def right(self) -> Any:
        """The right edges."""
        return self.left + self.width

    @property
    def bottom(self) -> Any:
        """The lower edges."""
        return self.top + self.height

    @cached_property
    def font_size(self) -> Any:
        """In pixels; 0 for what has no box."""
        return self._look_up([look.font_size for look in self.looks])

    @cached_property
    def font_weight(self) -> Any:
        """From 100 to 900; 0 for what has no box."""
        return self._look_up([look.font_weight for look in self.looks])

    @cached_property
    def contrast(self) -> Any:
        """Of text on what is behind it, from 1 to 21; 0 for what has no box."""
        return self._look_up(self.contrasts)

    def _look_up(self, values: Sequence[float]) -> Any:
        import numpy as np

        return np.append(np.asarray(values, np.float32), np.float32(0))[self.styles]


def make_boxes(snapshot: Snapshot, marks: Sequence[str | None], parents: Sequence[int]) -> Boxes:
    """The boxes of a page's elements, of which each has the number of its row in the snapshot, or none.

    The parser adds elements that the browser's tree had not (`<tbody>`): they have the box of what they stand in.
    """
    import numpy as np

    size = len(snapshot.left)
    rows: list[int] = []
    for mark, parent in zip(marks, parents, strict=True):
        row = int(mark) if mark and len(mark) < 9 and mark.isascii() and mark.isdigit() else -1
        rows.append(row if 0 <= row < size else rows[parent] if parent >= 0 else -1)
    at = np.array(rows, np.int64)
    known = at >= 0

    def pick(column: Any, missing: float = 0) -> Any:
        return np.append(column, np.asarray([missing], np.asarray(column).dtype))[at]

    styles = pick(snapshot.styles, -1)
    return Boxes(
        left=pick(snapshot.left),
        top=pick(snapshot.top),
        width=pick(snapshot.width),
        height=pick(snapshot.height),
        visible=pick(snapshot.visible) & known,
        hidden=pick(snapshot.hidden) & known,
        children=pick(snapshot.children),
        styles=styles,
        looks=snapshot.looks,
        contrasts=snapshot.contrasts,
        viewport=snapshot.viewport,
        page_size=snapshot.page_size,
    )
