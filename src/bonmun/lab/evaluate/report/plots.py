"""Three SVG plots of a set. Colours come from the style sheet of the page; each data point has a tooltip."""

from __future__ import annotations

from html import escape
from math import ceil, floor, log10
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bonmun.lab.evaluate.report.averages import average_ms, average_pages
from bonmun.lab.evaluate.systems.answers import OURS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bonmun.lab.evaluate.results import BenchResults

__all__ = ["draw_distribution", "draw_precision_recall", "draw_speed_quality"]

# All sizes are in pixels.
WIDTH, HEIGHT, MARGIN = 560, 420, 46
LETTER_WIDTH, LINE_HEIGHT = 6.2, 12  # approximate, to detect overlapping labels
ROW_HEIGHT = 17  # of a system in the plot of distributions
RADIUS = 4  # of a dot
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)

Box = tuple[float, float, float, float]  # left, top, right, bottom


class Point(NamedTuple):
    """A system in a plot."""

    name: str
    group: str
    x: float
    y: float
    tooltip: str


class Frame(NamedTuple):
    """Coordinate system of a plot with axes; the vertical axis always ends at 1."""

    low: float
    high: float
    bottom: float

    def locate(self, x: float, y: float) -> tuple[float, float]:
        """Convert a pair of values to pixels."""
        across = (x - self.low) / (self.high - self.low or 1)
        up = (y - self.bottom) / (1 - self.bottom or 1)
        return MARGIN + across * (WIDTH - 2 * MARGIN), HEIGHT - MARGIN - up * (HEIGHT - 2 * MARGIN)

    def draw_axes(self, xs: Sequence[float], x_name: str, y_name: str, *, log: bool = False) -> list[str]:
        """Draw grid lines, tick labels and axis names."""
        parts = []
        for value in xs:
            x, y = self.locate(value, self.bottom)
            parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{MARGIN}" y2="{y:.1f}"/>')
            parts.append(f'<text class="tick" x="{x:.1f}" y="{y + 15:.1f}">{10**value if log else value:g}</text>')
        for value in _list_tenths(self.bottom):
            x, y = self.locate(self.low, value)
            parts.append(f'<line class="grid" x1="{x:.1f}" x2="{WIDTH - MARGIN}" y1="{y:.1f}" y2="{y:.1f}"/>')
            parts.append(f'<text class="tick end" x="{x - 6:.1f}" y="{y + 4:.1f}">{value:g}</text>')
        parts.append(f'<text class="axis" x="{WIDTH / 2}" y="{HEIGHT - 8}">{escape(x_name)}</text>')
        parts.append(f'<text class="axis" transform="translate(13 {HEIGHT / 2}) rotate(-90)">{escape(y_name)}</text>')
        return parts


def draw_distribution(results: BenchResults, pages: Sequence[int]) -> str:
    """Draw the distribution of word F1 over pages for each system: quantiles, and the mean as a dot."""
    found = []
    for system in results.systems:
        values = results.values("words.f1", system.name, pages)
        values = values[~np.isnan(values)]
        if len(values):
            found.append((float(values.mean()), system, np.quantile(values, QUANTILES)))
    found.sort(key=lambda item: -item[0])
    left = max(90, max((len(system.name) for _, system, _ in found), default=0) * LETTER_WIDTH + 16)
    height = len(found) * ROW_HEIGHT + 40

    def x(value: float) -> float:
        return left + value * (WIDTH - left - 16)

    ticks = [(x(value / 5), value / 5) for value in range(6)]
    parts = [f'<line class="grid" x1="{at:.1f}" x2="{at:.1f}" y1="8" y2="{height - 24}"/>' for at, _ in ticks]
    parts += [f'<text class="tick" x="{at:.1f}" y="{height - 8}">{value:g}</text>' for at, value in ticks]
    for row, (mean, system, (low, lower, median, upper, top)) in enumerate(found):
        y = 16 + row * ROW_HEIGHT
        tooltip = f"{system.name}: mean {mean:.3f}, median {median:.2f}, 10th percentile {low:.2f}"
        parts.append(
            f'<g class="{system.group}"><title>{escape(tooltip)}</title>'
            f'<text class="name" x="{left - 8}" y="{y + 4}">{escape(system.name)}</text>'
            f'<line x1="{x(low):.1f}" x2="{x(top):.1f}" y1="{y}" y2="{y}"/>'
            f'<rect x="{x(lower):.1f}" y="{y - 5}" width="{max(1.0, x(upper) - x(lower)):.1f}" height="10"/>'
            f'<line class="median" x1="{x(median):.1f}" x2="{x(median):.1f}" y1="{y - 5}" y2="{y + 5}"/>'
            f'<circle cx="{x(mean):.1f}" cy="{y}" r="3"/></g>'
        )
    return _make_figure(WIDTH, height, parts, "Distribution of word F1 over pages")


def draw_precision_recall(results: BenchResults, pages: Sequence[int]) -> str:
    """Draw precision against recall, with curves of equal F1."""
    points = []
    for system in results.systems:
        p, r = (average_pages(results, f"words.{name}", system.name, pages) for name in ("precision", "recall"))
        if p is not None and r is not None:
            points.append(Point(system.name, system.group, r, p, f"{system.name}: P {p:.3f}, R {r:.3f}"))
    if not points:
        return ""
    frame = Frame(_find_bottom(point.x for point in points), 1, _find_bottom(point.y for point in points))
    parts = []
    for f1 in _list_tenths(0.1)[:-1]:
        curve = [(x, f1 * x / (2 * x - f1)) for x in np.linspace(max(frame.low, f1 / (2 - f1)), 1, 80)]
        marks = " ".join("{:.1f},{:.1f}".format(*frame.locate(x, y)) for x, y in curve if frame.bottom <= y < 1.0001)
        parts.append(f'<polyline class="grid" points="{marks}"><title>F1 = {f1}</title></polyline>' if marks else "")
    parts += frame.draw_axes(_list_tenths(frame.low), "recall", "precision")
    return _make_figure(
        WIDTH, HEIGHT, parts + _draw_dots(points, frame), "Precision and recall of words, with curves of equal F1"
    )


def draw_speed_quality(results: BenchResults, pages: Sequence[int], reference: str) -> str:
    """Draw word F1 against time, relative to the reference system, on a logarithmic scale."""
    base = average_ms(results, reference) if reference else None
    points = []
    for system in results.systems:
        f1, ms = average_pages(results, "words.f1", system.name, pages), average_ms(results, system.name)
        if base and ms and f1 is not None:
            tooltip = f"{system.name}: F1 {f1:.3f}, {ms / base:.2f} × the time of {reference} ({ms:.1f} ms)"
            points.append(Point(system.name, system.group, log10(ms / base), f1, tooltip))
    if not points:
        return ""
    low, high = floor(min(point.x for point in points)), max(1, ceil(max(point.x for point in points)))
    frame = Frame(low, high, _find_bottom(point.y for point in points))
    axes = frame.draw_axes(range(low, high + 1), f"time relative to {reference}", "word F1", log=True)
    return _make_figure(WIDTH, HEIGHT, axes + _draw_dots(points, frame), "Word F1 against time")


def _list_tenths(low: float) -> list[float]:
    return [value / 10 for value in range(11) if value / 10 >= low]


def _find_bottom(values: Iterable[float]) -> float:
    return floor(min(values) * 10) / 10


def _draw_dots(points: Sequence[Point], frame: Frame) -> list[str]:
    """Draw a dot for each system, with its name if there is room; `auto`, peers and better systems come first."""
    parts = []
    spots = [frame.locate(point.x, point.y) for point in points]
    taken: list[Box] = [(x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS) for x, y in spots]
    ranks = [(point.name != OURS, point.group != "peer", -point.y) for point in points]
    for number in sorted(range(len(points)), key=ranks.__getitem__):
        point, (x, y) = points[number], spots[number]
        dot = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}"/>'
        parts.append(f'<g class="{point.group}"><title>{escape(point.tooltip)}</title>{dot}')
        parts.append(_draw_label(point.name, x, y, taken))
        parts.append("</g>")
    return parts


def _draw_label(name: str, x: float, y: float, taken: list[Box]) -> str:
    """Draw a name beside a dot and add its box to `taken`; return "" if every position overlaps."""
    width = len(name) * LETTER_WIDTH
    sides = [(7.0, dy) for dy in (4, -7, 14)] + [(-width - 7, dy) for dy in (4, -7, 14)]
    for dx, dy in (*sides, (-width / 2, -8), (-width / 2, 17)):
        box = (x + dx, y + dy - LINE_HEIGHT + 2, x + dx + width, y + dy + 2)
        if box[0] > MARGIN / 2 and box[2] < WIDTH and not any(_do_overlap(box, other) for other in taken):
            taken.append(box)
            anchor, place = ("end", box[2]) if dx < -width else ("start", box[0])
            return f'<text text-anchor="{anchor}" x="{place:.1f}" y="{y + dy:.1f}">{escape(name)}</text>'
    return ""


def _do_overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _make_figure(width: int, height: int, parts: Sequence[str], caption: str) -> str:
    head = f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img" aria-label="{escape(caption)}">'
    return f"<figure>{head}{''.join(parts)}</svg><figcaption>{escape(caption)}</figcaption></figure>"
