"""Counts as the first paper shows them: texts by frequency (its Fig. 2), accuracy against rank (its Fig. 5).

As tables with bars for a terminal, and as SVG files that stand alone.
"""

from __future__ import annotations

from html import escape
from math import log10
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bonmun.errors import BadConfig
from bonmun.gold.alignment import align
from bonmun.page import Page
from bonmun.sites.keys import dropped_leaves, text_keys
from bonmun.text.terminal import shortened, text_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bonmun.corpus.counts import Counts, Frequency, Summary
    from bonmun.gold.examples import Example
    from bonmun.text.terminal import Value

__all__ = ["Accuracy", "accuracies", "accuracy_svg", "accuracy_table", "frequency_svg", "frequency_table"]

BAR = 24  # cells of the longest bar
TEXT = 64  # cells of a text
LOW = 3  # ranks that are shown at the low end
WIDE, ROW, EDGE = 760, 18, 44  # pixels


class Accuracy(NamedTuple):
    """How many leaves are told right if all texts up to a rank are taken for main text."""

    rank: int
    frequency: int
    accuracy: float


def frequency_table(summary: Summary, rows: Sequence[Frequency], top: int) -> str:
    """The most frequent texts, and the lowest ranks."""
    facts = (
        f"{summary.pages:,} pages of {summary.sites:,} site{'s' * (summary.sites != 1)}, "
        f"{summary.leaves:,} leaves, {summary.texts:,} different texts"
    )
    if not rows:
        return facts
    ranks = f"k = {summary.k} different frequencies outside of links; " + (
        f"main text by the paper: rank {summary.k - 2} and lower, that is frequency {summary.limit:,} and lower"
        if summary.k > 2
        else "too few for the paper's rule, which needs three"
    )
    high, low = rows[:top], rows[max(top, len(rows) - LOW) :]
    cells: list[list[Value]] = [_cells(row, rows[0].frequency) for row in high]
    if low and low[0].rank < high[-1].rank - 1:
        cells.append(["…", "", "", "", ""])
    cells += [_cells(row, rows[0].frequency) for row in low]
    return f"{facts}\n{ranks}\n\n{text_table(['rank', 'frequency', 'texts', '', 'such as'], cells)}"


def _cells(row: Frequency, most: int) -> list[Value]:
    bar = "█" * max(1, round(BAR * log10(1 + row.frequency) / log10(1 + most)))
    return [row.rank, row.frequency, row.texts, bar, shortened(" · ".join(row.examples), TEXT)]


def accuracies(counts: Counts, examples: Iterable[Example], site: str | None = None) -> list[Accuracy]:
    """Accuracy against rank, over the leaves of labelled pages outside of the tags that the paper drops."""
    ranks = counts.ranked(site)
    texts: list[int] = []
    content: list[bool] = []
    for example in examples:
        if example.text is None:
            continue
        page = Page.parse(example.html, example.url)
        told = align(page, example.text).leaves
        shown = set(page.shown)
        for leaf, (text, dropped) in enumerate(zip(text_keys(page, counts.normal), dropped_leaves(page), strict=True)):
            if leaf in shown and not dropped:
                texts.append(text)
                content.append(told[leaf])
    if not texts:
        raise BadConfig("The labelled pages have no text, or none outside of links; give others.")
    known = counts.frequencies_of(texts, site)
    mine = np.array([known.get(text, 1) for text in texts], np.int64)  # a text that was not counted is new
    right = np.array(content, np.bool_)
    return [Accuracy(rank, each, float(np.mean((mine <= each) == right))) for rank, each in enumerate(ranks, 1)]


def accuracy_table(rows: Sequence[Accuracy], top: int) -> str:
    """Accuracy at the highest ranks and the lowest ones; the paper's choice is marked."""
    chosen = len(rows) - 2
    shown = [row for row in rows if row.rank <= LOW or row.rank > len(rows) - top]
    cells: list[list[Value]] = []
    for before, row in zip([None, *shown], shown, strict=False):
        if before and row.rank > before.rank + 1:
            cells.append(["…", "", "", "", ""])
        mark = "← k − 2, the paper's" if row.rank == chosen else ""
        cells.append([row.rank, row.frequency, f"{row.accuracy:.3f}", "█" * round(BAR * row.accuracy), mark])
    says = "Accuracy over leaves if all texts up to a rank are main text"
    return f"{says}\n\n{text_table(['rank', 'frequency', 'accuracy', '', ''], cells)}"


def frequency_svg(summary: Summary, rows: Sequence[Frequency], top: int) -> str:
    """The most frequent texts as bars, on a logarithmic scale."""
    shown = rows[:top]
    most = log10(1 + shown[0].frequency) if shown else 1.0
    parts = []
    for number, row in enumerate(shown):
        y = EDGE + number * ROW
        wide = 220 * log10(1 + row.frequency) / most
        kind = "template" if row.rank > summary.k - 2 else "text"
        parts.append(
            f'<text class="n" x="70" y="{y + 13}">{row.frequency:,}</text>'
            f'<rect class="{kind}" x="78" y="{y + 2}" width="{wide:.1f}" height="{ROW - 4}"/>'
            f'<text x="306" y="{y + 13}">{escape(shortened(" · ".join(row.examples), TEXT))}</text>'
        )
    says = f"Texts by frequency: {summary.pages:,} pages, k = {summary.k}; dark: over the paper's threshold"
    return _svg(EDGE + len(shown) * ROW + 12, says, parts)


def accuracy_svg(rows: Sequence[Accuracy]) -> str:
    """Accuracy against rank as a line; the paper's choice is marked."""
    high = 300

    def place(rank: int, accuracy: float) -> tuple[float, float]:
        across = (rank - 1) / max(1, len(rows) - 1)
        return EDGE + 10 + across * (WIDE - 2 * EDGE), high - EDGE - accuracy * (high - 2 * EDGE)

    parts = []
    for tenth in range(0, 11, 2):
        x, y = place(1, tenth / 10)
        parts.append(f'<line x1="{x}" x2="{WIDE - EDGE + 10}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="n" x="{x - 6}" y="{y + 4:.1f}">{tenth / 10:g}</text>')
    points = [place(row.rank, row.accuracy) for row in rows]
    parts.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>')
    if len(rows) > 2:
        x, y = points[len(rows) - 3]
        says = f"rank {len(rows) - 2} = k − 2: {rows[-3].accuracy:.3f}"
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/><text class="n" x="{x - 8:.1f}" y="{y + 18:.1f}">{says}</text>'
        )
    parts.append(f'<text x="{WIDE / 2}" y="{high - 12}">rank, 1 to {len(rows)}</text>')
    return _svg(high, "Accuracy over leaves if all texts up to a rank are main text", parts)


STYLE = (
    "text{font:12px sans-serif;fill:#222}.n{text-anchor:end;fill:#555}.h{font-weight:bold}.template{fill:#444}"
    ".text{fill:#4a90d9}line{stroke:#ddd}polyline{fill:none;stroke:#4a90d9;stroke-width:2}circle{fill:#d0021b}"
)


def _svg(high: int, says: str, parts: Sequence[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {high}" width="{WIDE}" height="{high}">'
    back = f'<rect width="{WIDE}" height="{high}" fill="#fff"/>'
    title = f'<title>{escape(says)}</title><text class="h" x="12" y="24">{escape(says)}</text>'
    return f"{head}<style>{STYLE}</style>{back}{title}{''.join(parts)}</svg>\n"
