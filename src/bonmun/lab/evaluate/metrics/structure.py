r"""Two texts in Markdown in, out comes how much of the structure of one is in the other.

Two kinds of figures, for golds in Markdown alone:

- **Alike**, as WebMainBench defines it (opendatalab/WebMainBench): 1 - edit distance / length of the longer text, over
  all of the text (`structure.text`), its code (`code.edit`), its formulas (`formula.edit`) and the text of its tables
  (`table.edit`), and TEDS of the tables (`table.teds`). Where neither text has any, there is no figure; where one has,
  and the other has not, it is 0.
- **To the letter**: how many of the gold's formulas, blocks of code, rows and notes are in the answer as they are, and
  F1 over headings, list items and links.
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

__all__ = ["ALIKE", "COUNTED", "LISTED", "compare_structure", "fold_code", "fold_tex"]

ALIKE = ("structure.text", "code.edit", "formula.edit", "table.edit", "table.teds")  # whose mean is the overall figure
COUNTED = ("formula", "code", "table", "notes")  # what is looked for to the letter
LISTED = ("structure.headings", "structure.lists", "structure.links")
# What does not change how a formula is read: white space, and how wide or large it is set.
TEX_SPACE = re.compile(r"\\(?:[ ,;:!>]|displaystyle(?![A-Za-z])|textstyle(?![A-Za-z])|q?quad(?![A-Za-z]))|[\s~]")
TEX_ONE = re.compile(r"\{([A-Za-z0-9])\}")
TEX_NAMES = re.compile(r"\\([dt]frac|lt|gt|le|ge|ne|lbrace|rbrace)(?![A-Za-z])")
TEX_SAME = {
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


class _Read(NamedTuple):
    """A text in Markdown, read for comparing."""

    structure: Structure
    text: str  # white space folded, without where links lead
    lines: str  # white space at the ends of lines folded, a line break around all


def compare_structure(found: str, gold: str) -> dict[str, float]:
    r"""Compare the structure of an answer with the gold's, both in Markdown.

    >>> figures = compare_structure("# Lamps\n\nLit at $t_{1}$.", "## Lamps\n\nLit at $t_1$ or $t_2$.")
    >>> figures["formula.right"], figures["formula.wanted"], figures["structure.headings"]
    (1.0, 2.0, 1.0)
    """
    ours, theirs = _read(found), _read(gold)
    one, other = ours.structure, theirs.structure
    rows, gold_rows = (tuple(row for table in each.tables for row in table) for each in (one, other))
    table_texts = ("\n".join(" ".join(filter(None, row)) for row in each) for each in (rows, gold_rows))
    figures = {
        "structure.text": _measure_edit(ours.text, theirs.text),
        "code.edit": _measure_edit("\n".join(map(fold_code, one.code)), "\n".join(map(fold_code, other.code))),
        "formula.edit": _measure_edit("\n".join(one.formulas), "\n".join(other.formulas)),
        "table.edit": _measure_edit(*table_texts),
        "table.teds": measure_teds(rows, gold_rows) if rows and gold_rows else 0.0 if rows or gold_rows else None,
    }
    found_rows = _count_found(map(_fold_row, rows), map(_fold_row, gold_rows))
    for name, (right, wanted) in (
        ("formula", _count_found(map(fold_tex, one.formulas), map(fold_tex, other.formulas))),
        ("code", _find_code(ours, other.code)),
        ("table", found_rows),
        ("notes", _count_found(map(_fold_words, one.notes), map(_fold_words, other.notes))),
    ):
        if wanted:
            figures |= {f"{name}.exact": right / wanted, f"{name}.right": right, f"{name}.wanted": wanted}
    for name, mine, golden in (
        ("headings", (each.text for each in one.headings), (each.text for each in other.headings)),
        ("lists", one.items, other.items),
    ):
        figures[f"structure.{name}"] = _measure_f1(map(_fold_words, mine), map(_fold_words, golden))
    figures["structure.links"] = _measure_f1(_fold_links(one), _fold_links(other))
    return {name: float(value) for name, value in figures.items() if value is not None}


@lru_cache(maxsize=3)
def _read(markdown: str) -> _Read:
    lines = "\n".join(line.rstrip() for line in re.split(r"\r\n|[\n\r]", markdown))
    text = " ".join(drop_targets(markdown).split())
    return _Read(read_structure(markdown), text, f"\n{lines}\n")


def fold_tex(formula: str) -> str:
    r"""Fold what readers of a formula do not see: white space, sizes, braces around one sign, names for one thing.

    >>> fold_tex(r"\displaystyle \dfrac{a}{b} \, x_{1} \le 2")
    '\\fracabx_1\\leq2'
    """
    named = TEX_NAMES.sub(lambda mark: TEX_SAME[mark[1]] + " ", formula)
    bare = TEX_ONE.sub(r"\1", TEX_SPACE.sub("", named))
    return bare.rstrip(".,;")


def fold_code(code: str) -> str:
    """Fold white space at the ends of the lines of code; empty lines before and after it go."""
    lines = "\n".join(line.rstrip() for line in code.split("\n"))
    return lines.strip("\n")


def _find_code(found: _Read, gold: Iterable[str]) -> tuple[int, int]:
    """Count the blocks of code that stand in an answer, as code or as lines of text."""
    wanted = Counter(filter(None, map(fold_code, gold)))
    there = Counter(map(fold_code, found.structure.code))
    right = 0
    for code, count in wanted.items():
        right += min(count, max(there[code], int(f"\n{code}\n" in found.lines)))
    return right, wanted.total()


def _count_found(found: Iterable[str | tuple[str, ...]], gold: Iterable[str | tuple[str, ...]]) -> tuple[int, int]:
    """Count the things of the gold that are in the answer, each as often as it is there, and all of the gold's."""
    counts = compare_counts(Counter(filter(None, found)), Counter(filter(None, gold)))
    return counts.shared, counts.gold


def _measure_f1(found: Iterable[str], gold: Iterable[str]) -> float | None:
    """Measure F1 over things as multisets; None where the gold has none of them."""
    counts = compare_counts(Counter(filter(None, found)), Counter(filter(None, gold)))
    return counts.f1 if counts.gold else None


def _measure_edit(found: str, gold: str) -> float | None:
    """Measure how alike two texts are; None where both are empty."""
    if not found or not gold:
        return 0.0 if found or gold else None
    return float(load_rapidfuzz().Levenshtein.normalized_similarity(found, gold))


def _fold_words(text: str) -> str:
    return " ".join(WORD.findall(text.lower()))


def _fold_row(row: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(filter(None, row))


def _fold_links(structure: Structure) -> Iterator[str]:
    for link in structure.links:
        yield f"{_fold_words(link.text)} {link.target.partition('#')[0].rstrip('/')}"
