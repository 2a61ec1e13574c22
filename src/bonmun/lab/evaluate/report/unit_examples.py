"""Results in, examples out, of units that ours tears or drops: the page, which one it is, what is kept and lost."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

from bonmun.lab.evaluate.metrics.units import MEASURED_KINDS, choose_by_leaves, choose_by_text, judge_units
from bonmun.lab.evaluate.report.tables import choose_ours
from bonmun.lab.evaluate.systems.page_cache import list_example_units, parse_example

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.lab.evaluate.cache import Cache
    from bonmun.lab.evaluate.metrics.units import Verdict
    from bonmun.lab.evaluate.results import Results
    from bonmun.lab.evaluate.systems.answers import Answer, System
    from bonmun.lab.gold.datasets import Dataset
    from bonmun.lab.gold.examples import Example
    from bonmun.page import Page

__all__ = ["UnitExample", "find_unit_examples", "render_unit_examples"]

PAGES_SHOWN = 20  # of a set, evenly from those with a unit that is torn or dropped
UNITS_SHOWN = 2  # of a page
LINES_SHOWN = 6  # of what is kept, and of what is lost
LINE_CHARS = 160  # of a line


class UnitExample(NamedTuple):
    """A unit that is torn or dropped."""

    page: str  # its id
    kind: str
    xpath: str
    kept: tuple[str, ...]  # lines
    lost: tuple[str, ...]


def find_unit_examples(
    results: Results, datasets: Sequence[Dataset], systems: Sequence[System], cache: Cache
) -> dict[str, list[UnitExample]]:
    """Find examples for each set."""
    ours = choose_ours(results)
    system = next(each for each in systems if each.name == ours)
    wanted = {number for pages in results.group_pages("dataset").values() for number in _choose_pages(results, pages)}
    found: dict[str, list[UnitExample]] = {dataset.name: [] for dataset in datasets}
    number = -1
    for dataset in datasets:
        for example in dataset:
            number += 1
            if number in wanted and (known := cache.get(example, system)):
                found[dataset.name] += _describe_page(example, known.answer)
    return found


def _choose_pages(results: Results, pages: Sequence[int]) -> list[int]:
    """Choose pages on which ours tears or drops a unit."""
    figures = [f"whole.{name}_torn" for name in MEASURED_KINDS.values()] + ["whole.code_skipped"]
    columns = [results.values(figure, choose_ours(results), pages) for figure in figures]
    bad = [page for at, page in enumerate(pages) if any(column[at] > 0 for column in columns)]
    shown = min(PAGES_SHOWN, len(bad))
    return [bad[at * len(bad) // shown] for at in range(shown)]


def _describe_page(example: Example, answer: Answer) -> Iterator[UnitExample]:
    """Describe the first units of a page that are torn or dropped."""
    page = parse_example(example)
    units = list_example_units(example)
    by_leaves = answer.leaves is not None
    choice = choose_by_leaves(page, answer.leaves or ()) if by_leaves else choose_by_text(page, answer.text, units)
    verdicts = judge_units(units, choice)
    bad = [verdict for verdict in verdicts if verdict.is_torn or verdict.is_dropped_between]
    for verdict in bad[:UNITS_SHOWN]:
        lost = set(verdict.lost)
        kept = [part for part in verdict.unit.parts if part not in lost]
        yield UnitExample(
            example.id,
            verdict.unit.kind,
            page.xpath(verdict.unit.element),
            _read_lines(page, verdict, kept),
            _read_lines(page, verdict, verdict.lost),
        )


def _read_lines(page: Page, verdict: Verdict, parts: Sequence[int]) -> tuple[str, ...]:
    """Read some parts of a unit, the first of them, and say how many there are more."""
    texts = page.texts if verdict.unit.kind == "code" else page.block_texts
    lines = [" ".join(texts[part].split()) for part in parts[:LINES_SHOWN]]
    cut = [line if len(line) <= LINE_CHARS else f"{line[:LINE_CHARS]}…" for line in lines]
    more = len(parts) - len(lines)
    return (*cut, *([f"… {more:,} more"] if more else []))


def render_unit_examples(results: Results, found: Sequence[UnitExample]) -> str:
    """Render examples as HTML; nothing where there are none."""
    if not found:
        return ""
    ours = escape(choose_ours(results))
    says = f"Tables, lists and code that {ours} tears, and code that it drops between what it keeps"
    return f"<h3>{says}</h3>{''.join(map(_render_example, found))}"


def _render_example(found: UnitExample) -> str:
    columns = "".join(
        f'<div><h4>{name}</h4><div class="diff" dir="auto">{escape(chr(10).join(lines))}</div></div>'
        for name, lines in (("kept", found.kept), ("lost", found.lost))
    )
    head = f"{escape(found.kind)} · {escape(found.page)} · <code>{escape(found.xpath)}</code>"
    return f'<details><summary>{head}</summary><div class="diffs">{columns}</div></details>'
