"""Format scores as Markdown: the paper's Table 2, a row for each set and language, and the spread over languages."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np

from scripts.visual.pages import TRAINING_LANGUAGE
from scripts.visual.variants import REPORTED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from scripts.visual.choose import Choice

__all__ = ["LABELS", "format_tables", "format_valid", "group_rows", "list_systems"]

# Labels of systems in the tables; systems that were not measured are left out.
LABELS = {
    "readability-browser": "Readability.js",
    "dom-distiller": "DOM Distiller",
    "sequence": "BoilerNet",
    "web2text": "Web2Text",
    **{variant: label for label, variant in REPORTED.items()},
    "basic-root": "TabNet_1, root",
    "centre-root": "TabNet_2, root",
    "basic-root-best": "TabNet_1, root, likeliest",
    "centre-root-best": "TabNet_2, root, likeliest",
    "auto": "auto ¹",
    "auto-boxes": "auto, taught alike",
    "auto+boxes": "auto, taught alike, boxes",
    "all": "all text",
    "oracle": "oracle",
    "oracle-whole": "oracle, whole",
    "oracle-root": "oracle, root",
    "oracle-parents": "oracle, parents",
}
MIN_PAGES = 10  # of a set or language with a separate row
FIGURES = ("LCS P", "R", "F1", "F0.5", "Block P", "R", "F1", "F0.5")
PAPER = """
| | Readability.js | DOM Distiller | BoilerNet | Web2Text | TabNet_1 | TabNet_2 |
|---|---|---|---|---|---|---|
| LCS F1, as printed | .760 | .766 | .745 | .695 | .183 | .724 |
| mean of its nine rows | .761 | .781 | .740 | .735 | .306 | .712 |
| mean of its rows, weighted by their 784 pages | .760 | .766 | .745 | .696 | .151 | .716 |
| Block F1, as printed | .595 | .391 | .671 | .547 | .150 | .608 |
"""
HEAD = """# Figures of `visual`

Written by `python -m scripts.visual SNAPSHOTS OUT{options}` on {day}; do not edit.
The labelled sets are not part of bonmun. Results are for {pages:,} pages; the networks were trained on {taught:,} rows.
Networks were trained on English pages of the train part, and stopped and selected on English pages of the valid part.
They are measured on English pages of the test part, one row per set, and on all pages of other languages. No site is in
two parts. LCS is in words, averaged over pages; Block compares the elements that contain only text. For systems that
return text instead of elements (Readability.js, DOM Distiller), Block compares lines. The networks of other papers were
trained on the same English pages.

¹ `auto` was trained on most of these pages, so it cannot be compared here; [the benchmarks](benchmarks.md) have its
cross-validated results.
"""

Row = dict[str, Any]


def group_rows(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Group the scores by table row: English by set, all of English, other languages by size."""
    found: dict[str, list[Row]] = {}
    others: dict[str, list[Row]] = {}
    for row in rows:
        if row["lang"] == TRAINING_LANGUAGE:
            found.setdefault(f"{TRAINING_LANGUAGE}: {row['set']}", []).append(row)
            others.setdefault(TRAINING_LANGUAGE, []).append(row)
        else:
            others.setdefault(row["lang"], []).append(row)
    found = {name: each for name, each in found.items() if len({row["id"] for row in each}) >= MIN_PAGES}
    others = {name: each for name, each in others.items() if len({row["id"] for row in each}) >= MIN_PAGES}
    languages = sorted(others, key=lambda name: (name != TRAINING_LANGUAGE, -len({row["id"] for row in others[name]})))
    return dict(sorted(found.items())) | {name: others[name] for name in languages}


def list_systems(rows: Iterable[Row]) -> list[str]:
    """Return the measured systems, in the order of the table."""
    there = {row["system"] for row in rows}
    return [name for name in LABELS if name in there]


def format_tables(rows: list[Row], valid: Path, taught: int, options: str) -> str:
    """Return all tables as one document."""
    groups, systems = group_rows(rows), list_systems(rows)
    pages = len({(row["set"], row["id"]) for row in rows})
    parts = [HEAD.format(day=date.today(), pages=pages, taught=taught, options=options)]
    for title, key, place in (("LCS F1", "lcs", 2), ("LCS F0.5", "lcs", 3), ("Block F1", "block", 2)):
        parts.append(f"## {title}\n\n" + format_overview(groups, systems, key, place))
    parts.append("## LCS in characters\n\nF1, on the same fourth of all pages.\n\n" + format_characters(rows, systems))
    parts.append("## The paper's own averages\n" + PAPER.rstrip())
    if valid.is_file():
        parts.append("## Readings and settings\n\n" + valid.read_text(encoding="utf-8").rstrip())
    parts.append("## All figures")
    parts += [f"### {LABELS[system]}\n\n" + format_system(groups, system) for system in systems]
    return "\n\n".join(parts) + "\n"


def format_overview(groups: dict[str, list[Row]], systems: Sequence[str], key: str, place: int) -> str:
    """Return one score of every system, one row per group, with mean and spread over languages."""
    lines = [
        "| | pages | " + " | ".join(LABELS[system] for system in systems) + " |",
        "|---" * (len(systems) + 2) + "|",
    ]
    means: dict[str, list[float]] = {system: [] for system in systems}
    for name, rows in groups.items():
        cells = []
        for system in systems:
            values = [row[key][place] for row in rows if row["system"] == system]
            cells.append(_format(float(np.mean(values))) if values else "–")
            if values and ":" not in name:
                means[system].append(float(np.mean(values)))
        pages = len({(row["set"], row["id"]) for row in rows})
        lines.append(f"| {name} | {pages} | " + " | ".join(cells) + " |")
    for label, combine in (("mean over languages", np.mean), ("std", np.std), ("min", np.min), ("max", np.max)):
        cells = [_format(float(combine(means[system]))) if means[system] else "–" for system in systems]
        lines.append(f"| *{label}* | | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def format_system(groups: dict[str, list[Row]], system: str) -> str:
    """Return all scores of one system."""
    lines = ["| | pages | " + " | ".join(FIGURES) + " |", "|---" * (len(FIGURES) + 2) + "|"]
    for name, rows in groups.items():
        mine = [row["lcs"] + row["block"] for row in rows if row["system"] == system]
        if mine:
            lines.append(f"| {name} | {len(mine)} | " + " | ".join(map(_format, np.mean(mine, axis=0))) + " |")
    return "\n".join(lines)


def format_characters(rows: list[Row], systems: Sequence[str]) -> str:
    """Return LCS F1 in words and in characters, on pages with both."""
    lines = ["| system | pages | words | characters |", "|---|---|---|---|"]
    for system in systems:
        mine = [row for row in rows if row["system"] == system and "characters" in row]
        if mine:
            words = float(np.mean([row["lcs"][2] for row in mine]))
            characters = float(np.mean([row["characters"] for row in mine]))
            lines.append(f"| {LABELS[system]} | {len(mine)} | {_format(words)} | {_format(characters)} |")
    return "\n".join(lines)


def format_valid(variants: Sequence[tuple[str, Sequence[Choice]]], pages: int) -> str:
    """Return the score of each variant on the valid part, at .5 and at its best threshold."""
    lines = [
        f"F1 of characters of leaves, on {pages} English pages of the valid part; *best*: by a threshold chosen there.",
        "",
        "| variant | at .5, `any` | best, `any` | threshold | best, `near` | threshold | `best` |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, choices in variants:
        letter = next(choice for choice in choices if choice.threshold == 0.5 and choice.rule == "any")
        bests = [max(choice for choice in choices if choice.rule == rule) for rule in ("any", "near")]
        cells = [f"{_format(best.f1)} | {best.threshold:g}" for best in bests]
        cells.append(_format(next(choice.f1 for choice in choices if choice.rule == "best")))
        lines.append(f"| {name} | {_format(letter.f1)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _format(share: float) -> str:
    return f"{share:.3f}".removeprefix("0")
