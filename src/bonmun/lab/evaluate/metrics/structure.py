r"""Compare the structure of two Markdown texts.

There are two groups of scores, only for golds in Markdown:

- **Similarity**, as WebMainBench defines it (opendatalab/WebMainBench): 1 - edit distance / length of the longer text,
  over the whole text (`structure.text`), its code (`code.edit`), its formulas (`formula.edit`) and the text of its
  tables (`table.edit`), and TEDS of the tables (`table.teds`). If neither text has such an element, there is no score.
  If only one has, the score is 0.
- **Exact matches**: the number of the gold's formulas, code blocks, table rows and footnotes that are in the answer
  unchanged, and F1 over headings, list items and links.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from bonmun.lab.evaluate.metrics.table_trees import measure_teds
from bonmun.lab.evaluate.metrics.texts import load_rapidfuzz
from bonmun.lab.gold.structure import drop_targets, read_structure
from bonmun.text.words import WORD, compare_counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bonmun.lab.gold.structure import Structure

__all__ = [
    "EXACT_METRICS",
    "F1_SCORES",
    "SIMILARITY_SCORES",
    "compare_structure",
    "normalise_code",
    "normalise_tex",
]

SIMILARITY_SCORES = ("structure.text", "code.edit", "formula.edit", "table.edit", "table.teds")  # averaged as "overall"
EXACT_METRICS = ("formula", "code", "table", "notes")  # metrics that count exact matches
F1_SCORES = ("structure.headings", "structure.lists", "structure.links")
# Commands and whitespace that only change the spacing or size of a formula.
TEX_SPACE = re.compile(r"\\(?:[ ,;:!>]|displaystyle(?![A-Za-z])|textstyle(?![A-Za-z])|q?quad(?![A-Za-z]))|[\s~]")
TEX_BRACED_CHARACTER = re.compile(r"\{([A-Za-z0-9])\}")
TEX_NAMES = re.compile(r"\\([dt]frac|lt|gt|le|ge|ne|lbrace|rbrace)(?![A-Za-z])")
TEX_SYNONYMS = {
    "dfrac": r"\frac",
    "tfrac": r"\frac",
    "lt": "<",
    "gt": ">",
    "le": r"\leq",
    "ge": r"\geq",
    "ne": r"\neq",
    "lbrace": r"\{",
    "rbrace": r"\}",
}


class _ParsedMarkdown(NamedTuple):
    """A Markdown text prepared for comparison."""

    structure: Structure
    text: str  # whitespace collapsed, without link targets
    lines: str  # trailing whitespace removed from each line, with a line break at both ends


def compare_structure(found: str, gold: str) -> dict[str, float]:
    r"""Compare the structure of an answer with that of the gold, both in Markdown.

    >>> scores = compare_structure("# Lamps\n\nLit at $t_{1}$.", "## Lamps\n\nLit at $t_1$ or $t_2$.")
    >>> scores["formula.right"], scores["formula.wanted"], scores["structure.headings"]
    (1.0, 2.0, 1.0)
    """
    ours, theirs = _parse(found), _parse(gold)
    one, other = ours.structure, theirs.structure
    rows, gold_rows = (tuple(row for table in each.tables for row in table) for each in (one, other))
    table_texts = ("\n".join(" ".join(filter(None, row)) for row in each) for each in (rows, gold_rows))
    scores = {
        "structure.text": _measure_edit(ours.text, theirs.text),
        "code.edit": _measure_edit(
            "\n".join(map(normalise_code, one.code)), "\n".join(map(normalise_code, other.code))
        ),
        "formula.edit": _measure_edit("\n".join(one.formulas), "\n".join(other.formulas)),
        "table.edit": _measure_edit(*table_texts),
        "table.teds": measure_teds(rows, gold_rows) if rows and gold_rows else 0.0 if rows or gold_rows else None,
    }
    found_rows = _count_exact(map(_drop_empty_cells, rows), map(_drop_empty_cells, gold_rows))
    for name, (right, wanted) in (
        ("formula", _count_exact(map(normalise_tex, one.formulas), map(normalise_tex, other.formulas))),
        ("code", _count_code(ours, other.code)),
        ("table", found_rows),
        ("notes", _count_exact(map(_normalise_words, one.notes), map(_normalise_words, other.notes))),
    ):
        if wanted:
            scores |= {f"{name}.exact": right / wanted, f"{name}.right": right, f"{name}.wanted": wanted}
    for name, mine, golden in (
        ("headings", (each.text for each in one.headings), (each.text for each in other.headings)),
        ("lists", one.items, other.items),
    ):
        scores[f"structure.{name}"] = _measure_f1(map(_normalise_words, mine), map(_normalise_words, golden))
    scores["structure.links"] = _measure_f1(_normalise_links(one), _normalise_links(other))
    return {name: float(value) for name, value in scores.items() if value is not None}


@lru_cache(maxsize=3)
def _parse(markdown: str) -> _ParsedMarkdown:
    lines = "\n".join(line.rstrip() for line in re.split(r"\r\n|[\n\r]", markdown))
    text = " ".join(drop_targets(markdown).split())
    return _ParsedMarkdown(read_structure(markdown), text, f"\n{lines}\n")


def normalise_tex(formula: str) -> str:
    r"""Normalise spacing, sizes, braces around a single character, and synonymous commands of a formula.

    >>> normalise_tex(r"\displaystyle \dfrac{a}{b} \, x_{1} \le 2")
    '\\fracabx_1\\leq2'
    """
    named = TEX_NAMES.sub(lambda mark: TEX_SYNONYMS[mark[1]] + " ", formula)
    bare = TEX_BRACED_CHARACTER.sub(r"\1", TEX_SPACE.sub("", named))
    return bare.rstrip(".,;")


def normalise_code(code: str) -> str:
    """Remove trailing whitespace from each line of code, and empty lines at both ends."""
    lines = "\n".join(line.rstrip() for line in code.split("\n"))
    return lines.strip("\n")


def _count_code(found: _ParsedMarkdown, gold: Iterable[str]) -> tuple[int, int]:
    """Count the gold's code blocks that are in the answer, as code or as lines of text; and all of the gold's."""
    wanted = Counter(filter(None, map(normalise_code, gold)))
    present = Counter(map(normalise_code, found.structure.code))
    right = 0
    for code, count in wanted.items():
        right += min(count, max(present[code], int(f"\n{code}\n" in found.lines)))
    return right, wanted.total()


def _count_exact(found: Iterable[str | tuple[str, ...]], gold: Iterable[str | tuple[str, ...]]) -> tuple[int, int]:
    """Count the gold's items that are in the answer, as multisets; and all of the gold's."""
    counts = compare_counts(Counter(filter(None, found)), Counter(filter(None, gold)))
    return counts.shared, counts.gold


def _measure_f1(found: Iterable[str], gold: Iterable[str]) -> float | None:
    """Measure F1 over items as multisets; None if the gold has none."""
    counts = compare_counts(Counter(filter(None, found)), Counter(filter(None, gold)))
    return counts.f1 if counts.gold else None


def _measure_edit(found: str, gold: str) -> float | None:
    """Measure the edit similarity of two texts; None if both are empty."""
    if not found or not gold:
        return 0.0 if found or gold else None
    return float(load_rapidfuzz().Levenshtein.normalized_similarity(found, gold))


def _normalise_words(text: str) -> str:
    return " ".join(WORD.findall(text.lower()))


def _drop_empty_cells(row: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(filter(None, row))


def _normalise_links(structure: Structure) -> Iterator[str]:
    for link in structure.links:
        yield f"{_normalise_words(link.text)} {link.target.partition('#')[0].rstrip('/')}"
