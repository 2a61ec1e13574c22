"""Results in, SVG out: three pictures of one set. Colours come from the page's style sheet; a hint on every mark."""

from __future__ import annotations

from html import escape
from math import ceil, floor, log10
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bonmun.evaluate.averages import macro, speed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bonmun.evaluate.results import Results

__all__ = ["distribution", "precision_recall", "speed_quality"]

WIDE, HIGH, EDGE = 560, 420, 46
LETTER, LINE = 6.2, 12  # of a label, in pixels: enough to see whether two overlap
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)


class Point(NamedTuple):
    """A system in a picture."""

    name: str
    group: str
    x: float
    y: float
    says: str


class Frame(NamedTuple):
    """From values to pixels, for the two pictures with axes; the vertical one always ends at 1."""

    low: float
    high: float
    bottom: float

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where a value stands."""
        across = (x - self.low) / (self.high - self.low or 1)
        up = (y - self.bottom) / (1 - self.bottom or 1)
        return EDGE + across * (WIDE - 2 * EDGE), HIGH - EDGE - up * (HIGH - 2 * EDGE)

    def axes(self, xs: Sequence[float], x_name: str, y_name: str, *, log: bool = False) -> list[str]:
        """Lines, numbers and names."""
        parts = []
        for value in xs:
            x, y = self.place(value, self.bottom)
            parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{EDGE}" y2="{y:.1f}"/>')
            parts.append(f'<text class="tick" x="{x:.1f}" y="{y + 15:.1f}">{10**value if log else value:g}</text>')
        for value in _tenths(self.bottom):
            x, y = self.place(self.low, value)
            parts.append(f'<line class="grid" x1="{x:.1f}" x2="{WIDE - EDGE}" y1="{y:.1f}" y2="{y:.1f}"/>')
            parts.append(f'<text class="tick end" x="{x - 6:.1f}" y="{y + 4:.1f}">{value:g}</text>')
        parts.append(f'<text class="axis" x="{WIDE / 2}" y="{HIGH - 8}">{escape(x_name)}</text>')
        parts.append(f'<text class="axis" transform="translate(13 {HIGH / 2}) rotate(-90)">{escape(y_name)}</text>')
        return parts


def distribution(results: Results, pages: Sequence[int]) -> str:
    """How the word F1 of each system is spread over pages: quantiles, and the mean as a dot."""
    found = []
    for system in results.systems:
        values = results.values("words.f1", system.name, pages)
        values = values[~np.isnan(values)]
        if len(values):
            found.append((float(values.mean()), system, np.quantile(values, QUANTILES)))
    found.sort(key=lambda item: -item[0])
    left = max(90, max((len(system.name) for _, system, _ in found), default=0) * LETTER + 16)
    step = 17
    high = len(found) * step + 40

    def x(value: float) -> float:
        return left + value * (WIDE - left - 16)

    parts = [f'<line class="grid" x1="{x(v / 5):.1f}" x2="{x(v / 5):.1f}" y1="8" y2="{high - 24}"/>' for v in range(6)]
    parts += [f'<text class="tick" x="{x(v / 5):.1f}" y="{high - 8}">{v / 5:g}</text>' for v in range(6)]
    for row, (middle, system, (low, lower, median, upper, top)) in enumerate(found):
        y = 16 + row * step
        says = f"{system.name}: mean {middle:.3f}; a tenth of the pages is under {low:.2f}, half under {median:.2f}"
        parts.append(
            f'<g class="{system.group}"><title>{escape(says)}</title>'
            f'<text class="name" x="{left - 8}" y="{y + 4}">{escape(system.name)}</text>'
            f'<line x1="{x(low):.1f}" x2="{x(top):.1f}" y1="{y}" y2="{y}"/>'
            f'<rect x="{x(lower):.1f}" y="{y - 5}" width="{max(1.0, x(upper) - x(lower)):.1f}" height="10"/>'
            f'<line class="median" x1="{x(median):.1f}" x2="{x(median):.1f}" y1="{y - 5}" y2="{y + 5}"/>'
            f'<circle cx="{x(middle):.1f}" cy="{y}" r="3"/></g>'
        )
    return _svg(WIDE, high, parts, "How word F1 is spread over pages")


def precision_recall(results: Results, pages: Sequence[int]) -> str:
    """Precision against recall, with curves of equal F1."""
    points = []
    for system in results.systems:
        p, r = (macro(results, f"words.{name}", system.name, pages) for name in ("precision", "recall"))
        if p is not None and r is not None:
            points.append(Point(system.name, system.group, r, p, f"{system.name}: P {p:.3f}, R {r:.3f}"))
    if not points:
        return ""
    frame = Frame(_bottom(point.x for point in points), 1, _bottom(point.y for point in points))
    parts = []
    for f1 in _tenths(0.1)[:-1]:
        curve = [(x, f1 * x / (2 * x - f1)) for x in np.linspace(max(frame.low, f1 / (2 - f1)), 1, 80)]
        marks = " ".join("{:.1f},{:.1f}".format(*frame.place(x, y)) for x, y in curve if frame.bottom <= y < 1.0001)
        parts.append(f'<polyline class="grid" points="{marks}"><title>F1 = {f1}</title></polyline>' if marks else "")
    parts += frame.axes(_tenths(frame.low), "recall", "precision")
    return _svg(WIDE, HIGH, parts + _dots(points, frame), "Precision and recall of words; curves of equal F1")


def speed_quality(results: Results, pages: Sequence[int], reference: str) -> str:
    """Word F1 against time, as a multiple of the reference's, on a logarithmic scale."""
    base = speed(results, reference) if reference else None
    points = []
    for system in results.systems:
        f1, ms = macro(results, "words.f1", system.name, pages), speed(results, system.name)
        if base and ms and f1 is not None:
            says = f"{system.name}: F1 {f1:.3f}, {ms / base:.2f} times as long as {reference} ({ms:.1f} ms)"
            points.append(Point(system.name, system.group, log10(ms / base), f1, says))
    if not points:
        return ""
    low, high = floor(min(point.x for point in points)), max(1, ceil(max(point.x for point in points)))
    frame = Frame(low, high, _bottom(point.y for point in points))
    axes = frame.axes(range(low, high + 1), f"time, {reference} = 1", "word F1", log=True)
    return _svg(WIDE, HIGH, axes + _dots(points, frame), "Word F1 and time")


def _tenths(low: float) -> list[float]:
    return [value / 10 for value in range(11) if value / 10 >= low]


def _bottom(values: Iterable[float]) -> float:
    return floor(min(values) * 10) / 10


def _dots(points: Sequence[Point], frame: Frame) -> list[str]:
    """A dot a system, with its name where there is room: ours and peers first, the better before the worse."""
    parts = []
    spots = [frame.place(point.x, point.y) for point in points]
    taken = [(x - 4, y - 4, x + 4, y + 4) for x, y in spots]
    ranks = [(point.name != "auto", point.group != "peer", -point.y) for point in points]
    for number in sorted(range(len(points)), key=ranks.__getitem__):
        point, (x, y) = points[number], spots[number]
        dot = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
        parts.append(f'<g class="{point.group}"><title>{escape(point.says)}</title>{dot}')
        wide = len(point.name) * LETTER
        sides = [(7.0, dy) for dy in (4, -7, 14)] + [(-wide - 7, dy) for dy in (4, -7, 14)]
        for dx, dy in (*sides, (-wide / 2, -8), (-wide / 2, 17)):
            box = (x + dx, y + dy - LINE + 2, x + dx + wide, y + dy + 2)
            if box[0] > EDGE / 2 and box[2] < WIDE and not any(_overlap(box, other) for other in taken):
                taken.append(box)
                anchor, place = ("end", box[2]) if dx < -wide else ("start", box[0])
                parts.append(
                    f'<text text-anchor="{anchor}" x="{place:.1f}" y="{y + dy:.1f}">{escape(point.name)}</text>'
                )
                break
        parts.append("</g>")
    return parts


def _overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _svg(width: int, height: int, parts: Sequence[str], says: str) -> str:
    head = f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img" aria-label="{escape(says)}">'
    return f"<figure>{head}{''.join(parts)}</svg><figcaption>{escape(says)}</figcaption></figure>"
