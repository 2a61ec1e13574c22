"""Draw the paper's figures as SVG: 1 and 2 (F with its range over languages), 3 and 4 (importance of columns)."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from bonmun.models.baselines.visual_columns import CENTRE, RELATIVE
from scripts.visual.tables import LABELS, group_rows, list_systems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.models.baselines.tabnet import TabNet
    from scripts.visual.rows import Table

__all__ = ["draw_importances", "draw_scores"]

# Pixels.
WIDTH, LEFT, ROW, TOP = 620, 130, 26, 34
BAR = 9
MAX_ROWS = 200_000  # for the importances
STYLE = (
    "text{font:12px sans-serif;fill:#333}.name{text-anchor:end}.title{font-weight:bold}"
    ".tick{text-anchor:middle;fill:#777}.grid{stroke:#ddd}.one{fill:#3b6ea5}.two{fill:#c98a2b}.range{stroke:#222;stroke-width:1.5}"
)


def draw_scores(rows: list[dict[str, Any]], measure: str) -> str:
    """Draw F1 and F0.5 of every system: the mean over languages, and the lowest and highest language."""
    groups = {name: each for name, each in group_rows(rows).items() if ":" not in name}
    systems = list_systems(rows)
    parts = []
    for number, system in enumerate(systems):
        y = TOP + number * ROW
        parts.append(f'<text class="name" x="{LEFT - 8}" y="{y + 14}">{escape(LABELS[system])}</text>')
        for place, (figure, style) in enumerate((("F1", "one"), ("F0.5", "two"))):
            means = [
                float(np.mean([row[measure][2 + place] for row in each if row["system"] == system]))
                for each in groups.values()
                if any(row["system"] == system for row in each)
            ]
            mean, low, high, bar = float(np.mean(means)), min(means), max(means), y + 1 + place * (BAR + 1)
            says = f"{LABELS[system]}, {figure}: {mean:.3f}, by language from {low:.3f} to {high:.3f}"
            parts.append(
                f'<g><title>{escape(says)}</title><rect class="{style}" x="{LEFT}" y="{bar}" '
                f'width="{_scale(mean):.1f}" height="{BAR}"/><line class="range" x1="{LEFT + _scale(low):.1f}" '
                f'x2="{LEFT + _scale(high):.1f}" y1="{bar + BAR / 2}" y2="{bar + BAR / 2}"/></g>'
            )
    title = f"{'LCS' if measure == 'lcs' else 'Block'}: F1 (blue) and F0.5 (brown), mean over languages; line: range"
    return _make_svg(title, parts, len(systems), [value / 5 for value in range(6)])


def draw_importances(name: str, network: TabNet, table: Table) -> str:
    """Draw the importance of each column, over rows of the training pages."""
    names, values = (RELATIVE, table.relative) if "text_share" in network.columns else (CENTRE, table.centre)
    step = max(1, len(values) // MAX_ROWS)
    places = [names.index(column) for column in network.columns]
    shares = network.predict(values[::step][:, places]).importances.tolist()
    most = max(shares)
    parts = []
    found: Sequence[tuple[str, float]] = list(zip(network.columns, shares, strict=True))
    for number, (column, share) in enumerate(found):
        y = TOP + number * ROW
        width = _scale(share / most)
        parts.append(
            f'<text class="name" x="{LEFT - 8}" y="{y + 14}">{escape(column)}</text>'
            f'<rect class="one" x="{LEFT}" y="{y + 3}" width="{width:.1f}" height="{ROW - 10}"/>'
            f'<text x="{LEFT + width + 5:.1f}" y="{y + 15}">{share:.3f}</text>'
        )
    return _make_svg(f"{name}: importance of each column", parts, len(found), [])


def _scale(share: float) -> float:
    return share * (WIDTH - LEFT - 60)


def _make_svg(title: str, parts: list[str], count: int, ticks: list[float]) -> str:
    height = TOP + count * ROW + 24
    grid = [
        f'<line class="grid" x1="{LEFT + _scale(tick):.1f}" x2="{LEFT + _scale(tick):.1f}" y1="{TOP - 4}" '
        f'y2="{height - 20}"/><text class="tick" x="{LEFT + _scale(tick):.1f}" y="{height - 6}">{tick:g}</text>'
        for tick in ticks
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" role="img">'
    back = f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>'
    name = f'<text class="title" x="10" y="20">{escape(title)}</text>'
    return f"{head}<style>{STYLE}</style>{back}{name}{''.join(grid)}{''.join(parts)}</svg>\n"
