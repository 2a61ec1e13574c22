"""Position and style of each element of a rendered page: the columns of its snapshot, by the rows of the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bonmun.work.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.snapshots import Look, Snapshot

__all__ = ["Boxes", "make_boxes"]


@dataclass(frozen=True, eq=False)
class Boxes:
    """Position and style of each element, in pixels, as numpy arrays; zeros for elements without a box.

    The attributes have the same meaning as in `Snapshot`; `contrasts` is the contrast ratio of each look.
    """

    left: Any
    top: Any
    width: Any
    height: Any
    visible: Any
    hidden: Any
    children: Any
    styles: Any
    looks: Sequence[Look]
    contrasts: Any
    viewport: tuple[float, float]
    page_size: tuple[float, float]

    @property
    def right(self) -> Any:
        """Right edge of each element."""
        return self.left + self.width

    @property
    def bottom(self) -> Any:
        """Bottom edge of each element."""
        return self.top + self.height

    @cached_property
    def font_size(self) -> Any:
        """Font size in pixels; 0 for elements without a box."""
        return self._look_up([look.font_size for look in self.looks])

    @cached_property
    def font_weight(self) -> Any:
        """Font weight from 100 to 900; 0 for elements without a box."""
        return self._look_up([look.font_weight for look in self.looks])

    @cached_property
    def contrast(self) -> Any:
        """Contrast ratio of the text, from 1 to 21; 0 for elements without a box."""
        return self._look_up(self.contrasts)

    def _look_up(self, values: Sequence[float]) -> Any:
        import numpy as np

        return np.append(np.asarray(values, np.float32), np.float32(0))[self.styles]


def make_boxes(snapshot: Snapshot, marks: Sequence[str | None], parents: Sequence[int]) -> Boxes:
    """Make the boxes of a page; `marks` is the row of each element in the snapshot, as text, or None.

    Elements that only the parser adds, such as `<tbody>`, get the box of their parent.
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
