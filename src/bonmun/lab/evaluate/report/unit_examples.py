"""Examples of units that ours keeps in part or drops, for the report: page, XPath, and the kept and lost lines."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

from bonmun.lab.evaluate.metrics.units import MEASURED_KINDS, choose_by_leaves, choose_by_text, judge_units
from bonmun.lab.evaluate.report.tables import choose_ours
from bonmun.lab.evaluate.systems.page_cache import list_example_units, parse_example

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.lab.evaluate.cache import Cache
    from bonmun.lab.evaluate.metrics.units import UnitVerdict
    from bonmun.lab.evaluate.results import BenchResults
    from bonmun.lab.evaluate.systems.answers import Answer, System
    from bonmun.lab.gold.datasets import Dataset
    from bonmun.lab.gold.examples import Example
    from bonmun.page import Page

__all__ = ["UnitExample", "find_unit_examples", "render_unit_examples"]

MAX_PAGES = 20  # of a set, evenly spread over the pages with an incomplete or dropped unit
MAX_UNITS = 2  # of a page
MAX_LINES = 6  # kept lines, and lost lines
MAX_LINE_CHARS = 160


class UnitExample(NamedTuple):
    """An incomplete or dropped unit."""

    page: str  # id
    kind: str
    xpath: str
    kept: tuple[str, ...]  # lines
    lost: tuple[str, ...]


def find_unit_examples(
    results: BenchResults, datasets: Sequence[Dataset], systems: Sequence[System], cache: Cache
) -> dict[str, list[UnitExample]]:
    """Find examples of incomplete and dropped units in each set."""
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


def _choose_pages(results: BenchResults, pages: Sequence[int]) -> list[int]:
    """Choose pages on which ours keeps a unit in part or drops it."""
    scores = [f"whole.{name}_torn" for name in MEASURED_KINDS.values()] + ["whole.code_skipped"]
    columns = [results.values(score, choose_ours(results), pages) for score in scores]
    bad = [page for at, page in enumerate(pages) if any(column[at] > 0 for column in columns)]
    shown = min(MAX_PAGES, len(bad))
    return [bad[at * len(bad) // shown] for at in range(shown)]


def _describe_page(example: Example, answer: Answer) -> Iterator[UnitExample]:
    """Describe the first incomplete or dropped units of a page."""
    page = parse_example(example)
    units = list_example_units(example)
    by_leaves = answer.leaves is not None
    choice = choose_by_leaves(page, answer.leaves or ()) if by_leaves else choose_by_text(page, answer.text, units)
    verdicts = judge_units(units, choice)
    bad = [verdict for verdict in verdicts if verdict.is_incomplete or verdict.is_dropped_between]
    for verdict in bad[:MAX_UNITS]:
        lost = set(verdict.lost)
        kept = [part for part in verdict.unit.parts if part not in lost]
        yield UnitExample(
            example.id,
            verdict.unit.kind,
            page.xpath(verdict.unit.element),
            _read_lines(page, verdict, kept),
            _read_lines(page, verdict, verdict.lost),
        )


def _read_lines(page: Page, verdict: UnitVerdict, parts: Sequence[int]) -> tuple[str, ...]:
    """Read the first of some parts of a unit, and the number of further parts."""
    texts = page.texts if verdict.unit.kind == "code" else page.block_texts
    lines = [" ".join(texts[part].split()) for part in parts[:MAX_LINES]]
    cut = [line if len(line) <= MAX_LINE_CHARS else f"{line[:MAX_LINE_CHARS]}…" for line in lines]
    more = len(parts) - len(lines)
    return (*cut, *([f"… {more:,} more"] if more else []))


def render_unit_examples(results: BenchResults, found: Sequence[UnitExample]) -> str:
    """Render examples as HTML; "" if there are none."""
    if not found:
        return ""
    ours = escape(choose_ours(results))
    title = f"Tables, lists and code that {ours} keeps in part, and code that it drops between kept blocks"
    return f"<h3>{title}</h3>{''.join(map(_render_example, found))}"


def _render_example(found: UnitExample) -> str:
    columns = "".join(
        f'<div><h4>{name}</h4><div class="diff" dir="auto">{escape(chr(10).join(lines))}</div></div>'
        for name, lines in (("kept", found.kept), ("lost", found.lost))
    )
    head = f"{escape(found.kind)} · {escape(found.page)} · <code>{escape(found.xpath)}</code>"
    return f'<details><summary>{head}</summary><div class="diffs">{columns}</div></details>'
