"""The figures of paper 1 for any corpus: texts by frequency (its Fig. 2) and accuracy by rank (its Fig. 5).

Each is available as a terminal table with bars and as a self-contained SVG file.
"""

from __future__ import annotations

from html import escape
from math import log10
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bonmun.errors import BadConfig
from bonmun.lab.gold.alignment import align
from bonmun.page import Page
from bonmun.sites.keys import find_dropped_leaves, hash_texts
from bonmun.text.terminal import format_table, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bonmun.lab.gold.examples import Example
    from bonmun.scale.corpus.counts import Counts, RankedTexts, Summary
    from bonmun.text.terminal import Value

__all__ = ["Accuracy", "draw_accuracy", "draw_frequencies", "format_accuracy", "format_frequencies", "measure_accuracy"]

MAX_BAR_CELLS = 24  # terminal cells of the longest bar
MAX_TEXT_CELLS = 64
LOW_RANKS = 3  # number of lowest ranks shown
# Pixels in an SVG.
WIDTH, ROW_HEIGHT, MARGIN = 760, 18, 44
CHART_HEIGHT = 300
NUMBER_X, BAR_X, MAX_BAR_WIDTH, TEXT_X = 70, 78, 220, 306  # numbers end at NUMBER_X
ACCURACY_TITLE = "Accuracy over leaves if all texts up to a rank count as main text"
STYLE = (
    "text{font:12px sans-serif;fill:#222}.n{text-anchor:end;fill:#555}.h{font-weight:bold}.template{fill:#444}"
    ".text{fill:#4a90d9}line{stroke:#ddd}polyline{fill:none;stroke:#4a90d9;stroke-width:2}circle{fill:#d0021b}"
)


class Accuracy(NamedTuple):
    """The accuracy over leaves if all texts up to a rank count as main text."""

    rank: int
    frequency: int
    accuracy: float


def format_frequencies(summary: Summary, rows: Sequence[RankedTexts], top: int) -> str:
    """Format the most frequent texts and the lowest ranks as a table."""
    head = (
        f"{summary.pages:,} pages of {summary.sites:,} site{'s' * (summary.sites != 1)}, "
        f"{summary.leaves:,} leaves, {summary.texts:,} different texts"
    )
    if not rows:
        return head
    ranks = f"k = {summary.k} different frequencies outside of links; " + (
        f"main text according to the paper: rank {summary.k - 2} and lower (frequency {summary.limit:,} and lower)"
        if summary.k > 2
        else "too few for the paper's rule, which needs three"
    )
    high, low = rows[:top], rows[max(top, len(rows) - LOW_RANKS) :]
    cells: list[list[Value]] = [_make_row(row, rows[0].frequency) for row in high]
    if low and low[0].rank < high[-1].rank - 1:
        cells.append(["…", "", "", "", ""])
    cells += [_make_row(row, rows[0].frequency) for row in low]
    return f"{head}\n{ranks}\n\n{format_table(['rank', 'frequency', 'texts', '', 'examples'], cells)}"


def _make_row(row: RankedTexts, max_frequency: int) -> list[Value]:
    bar = "█" * max(1, round(MAX_BAR_CELLS * log10(1 + row.frequency) / log10(1 + max_frequency)))
    return [row.rank, row.frequency, row.texts, bar, shorten(" · ".join(row.examples), MAX_TEXT_CELLS)]


def measure_accuracy(counts: Counts, examples: Iterable[Example], site: str | None = None) -> list[Accuracy]:
    """Measure accuracy by rank over the leaves of labelled pages, without the tags that the paper drops."""
    frequencies = counts.list_frequencies(site)
    texts: list[int] = []
    content: list[bool] = []
    for example in examples:
        if example.text is None:
            continue
        page = Page.parse(example.html, example.url)
        in_gold = align(page, example.text).leaves
        shown = set(page.shown)
        for leaf, (text, dropped) in enumerate(
            zip(hash_texts(page, counts.normal), find_dropped_leaves(page), strict=True)
        ):
            if leaf in shown and not dropped:
                texts.append(text)
                content.append(in_gold[leaf])
    if not texts:
        raise BadConfig("The labelled pages have no text outside of links; use other pages.")
    counted = counts.find_frequencies(texts, site)
    mine = np.array([counted.get(text, 1) for text in texts], np.int64)  # an uncounted text is new
    gold = np.array(content, np.bool_)
    return [Accuracy(rank, each, float(np.mean((mine <= each) == gold))) for rank, each in enumerate(frequencies, 1)]


def format_accuracy(rows: Sequence[Accuracy], top: int) -> str:
    """Format the accuracy at the highest and lowest ranks as a table; the paper's choice is marked."""
    chosen = len(rows) - 2
    shown = [row for row in rows if row.rank <= LOW_RANKS or row.rank > len(rows) - top]
    cells: list[list[Value]] = []
    for before, row in zip([None, *shown], shown, strict=False):
        if before and row.rank > before.rank + 1:
            cells.append(["…", "", "", "", ""])
        mark = "← k − 2, the paper's choice" if row.rank == chosen else ""
        cells.append([row.rank, row.frequency, f"{row.accuracy:.3f}", "█" * round(MAX_BAR_CELLS * row.accuracy), mark])
    return f"{ACCURACY_TITLE}\n\n{format_table(['rank', 'frequency', 'accuracy', '', ''], cells)}"


def draw_frequencies(summary: Summary, rows: Sequence[RankedTexts], top: int) -> str:
    """Draw the most frequent texts as bars on a logarithmic scale."""
    shown = rows[:top]
    longest = log10(1 + shown[0].frequency) if shown else 1.0
    parts = []
    for number, row in enumerate(shown):
        y = MARGIN + number * ROW_HEIGHT
        width = MAX_BAR_WIDTH * log10(1 + row.frequency) / longest
        style = "template" if row.rank > summary.k - 2 else "text"
        parts.append(
            f'<text class="n" x="{NUMBER_X}" y="{y + 13}">{row.frequency:,}</text>'
            f'<rect class="{style}" x="{BAR_X}" y="{y + 2}" width="{width:.1f}" height="{ROW_HEIGHT - 4}"/>'
            f'<text x="{TEXT_X}" y="{y + 13}">{escape(shorten(" · ".join(row.examples), MAX_TEXT_CELLS))}</text>'
        )
    title = f"Texts by frequency: {summary.pages:,} pages, k = {summary.k}; dark: above the paper's threshold"
    return _make_svg(MARGIN + len(shown) * ROW_HEIGHT + 12, title, parts)


def draw_accuracy(rows: Sequence[Accuracy]) -> str:
    """Draw accuracy by rank as a line; the paper's choice is marked."""

    def locate(rank: int, accuracy: float) -> tuple[float, float]:
        across = (rank - 1) / max(1, len(rows) - 1)
        up = accuracy * (CHART_HEIGHT - 2 * MARGIN)
        return MARGIN + 10 + across * (WIDTH - 2 * MARGIN), CHART_HEIGHT - MARGIN - up

    parts = []
    for tenth in range(0, 11, 2):
        x, y = locate(1, tenth / 10)
        parts.append(f'<line x1="{x}" x2="{WIDTH - MARGIN + 10}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="n" x="{x - 6}" y="{y + 4:.1f}">{tenth / 10:g}</text>')
    points = [locate(row.rank, row.accuracy) for row in rows]
    parts.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>')
    if len(rows) > 2:
        x, y = points[len(rows) - 3]
        label = f"rank {len(rows) - 2} = k − 2: {rows[-3].accuracy:.3f}"
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/><text class="n" x="{x - 8:.1f}" y="{y + 18:.1f}">{label}</text>'
        )
    parts.append(f'<text x="{WIDTH / 2}" y="{CHART_HEIGHT - 12}">rank, 1 to {len(rows)}</text>')
    return _make_svg(CHART_HEIGHT, ACCURACY_TITLE, parts)


def _make_svg(height: int, title: str, parts: Sequence[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">'
    back = f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>'
    shown = f'<title>{escape(title)}</title><text class="h" x="12" y="24">{escape(title)}</text>'
    return f"{head}<style>{STYLE}</style>{back}{shown}{''.join(parts)}</svg>\n"
