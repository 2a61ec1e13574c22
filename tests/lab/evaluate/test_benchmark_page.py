"""The page of benchmarks and the table of both READMEs, made of small reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scripts.figures import benchmarks

if TYPE_CHECKING:
    from pathlib import Path

REPORT = """# Benchmark results

`bonmun bench ../shared/data/{name}.jsonl.xz -p trafilatura -p readability-lxml -p readability.js -p defuddle -p resiliparse -m auto`

2026-11-17 22:49 UTC, bonmun 0.2.0.

"""
WORDS = """## {name}

### {name}: words

| system | P | R | F1 | 95 % | time |
|---|---:|---:|---:|---:|---:|
| oracle | 1.000 | 1.000 | 1.000 | | |
| auto | 0.9 | 0.9 | **0.912** | | 1.25 |
| trafilatura | 0.9 | 0.9 | 0.9 | | 15 |
| readability.js | 0.9 | 0.9 | 0.8 | | 80 |
| defuddle | 0.9 | 0.9 | 0.85 | | 81.26 |
| resiliparse | 0.9 | 0.9 | 0.7 | | 1.00 |
| newspaper4k | 0.9 | 0.9 | 0.6 | | 60 |

### {name}: other measures
"""


def make_report(name: str) -> str:
    return REPORT.format(name=name) + WORDS.format(name=name)


def test_a_column_of_a_report() -> None:
    report = make_report("hand-hard") + make_report("wcxb-dev").replace("0.912", "0.812")
    assert benchmarks.read_words(report, "hand-hard", "F1")["auto"] == 0.912
    assert benchmarks.read_words(report, "wcxb-dev", "F1")["auto"] == 0.812
    assert benchmarks.read_words(report, "wcxb-dev", "time")["auto"] == 1.25
    assert "oracle" not in benchmarks.read_words(report, "wcxb-dev", "F1")


@pytest.mark.parametrize("path", benchmarks.READMES, ids=lambda path: path.name)
def test_a_column_of_the_table_is_replaced_and_nothing_else(path: Path) -> None:
    before = path.read_text(encoding="utf-8")
    report = make_report("hand-hard")
    after = benchmarks.replace_column(before, 1, benchmarks.read_words(report, "hand-hard", "F1"))
    start, end = before.index("\n|---|---:|"), before.index("\n\n<!-- end of benchmarks -->")
    assert after.startswith(before[:start])  # with the heading row
    assert after.endswith(before[end:])
    rows = [benchmarks.split_row(line) for line in after[start + 1 :].partition("\n\n")[0].splitlines()]
    assert [row[2] for row in rows[1:]] == ["**.912**", ".900", ".800", ".850", ".700", ".600"]
    assert {len(row) for row in rows} == {before[:start].rpartition("\n")[2].count("|") - 1}
    old = {name: cells for name, *cells in map(benchmarks.split_row, before[start + 1 : end].splitlines())}
    assert all(cells == old.get(name, cells)[:1] + cells[1:2] + old.get(name, cells)[2:] for name, *cells in rows)
    assert benchmarks.replace_column(after, 1, benchmarks.read_words(report, "hand-hard", "F1")) == after


def test_the_fastest_system_is_bold() -> None:
    values = benchmarks.read_words(make_report("hand-ml"), "hand-ml", "time")
    after = benchmarks.replace_column(benchmarks.READMES[0].read_text(encoding="utf-8"), benchmarks.TIME, values)
    assert "| 1.2 |\n" in after
    assert "| **1.0** |\n" in after


def test_the_page_has_all_reports_and_short_commands() -> None:
    page = benchmarks.format_page(make_report("wcxb-dev"), make_report("hand-hard"))
    assert page.count("# Benchmark") == 1
    assert page.count(": words") == 2
    assert "```sh\nbonmun bench ../shared/data/hand-hard.jsonl.xz -p trafilatura" in page
    assert " \\\n    " in page
