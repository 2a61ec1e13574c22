"""The page of benchmarks and the table of both READMEs, made of small reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from samples import ROOT
from scripts.figures import benchmarks

if TYPE_CHECKING:
    from pathlib import Path

REPORT = """# Measured

`bonmun bench {data}/wcxb-dev.jsonl.xz`

## All sets

| system | mean of sets |
|---|---:|
| auto | **0.9** |

"""
WORDS = """## {name}

### {name}: words

| system | P | R | F1 | 95 % | time |
|---|---:|---:|---:|---:|---:|
| oracle | 1.000 | 1.000 | 1.000 | | |
| auto | 0.9 | 0.9 | **0.912** | | 1.25 |
| trafilatura | 0.9 | 0.9 | 0.9 | | 15 |
| readability.js | 0.9 | 0.9 | 0.8 | | 80 |
| resiliparse | 0.9 | 0.9 | 0.7 | | 1.00 |
| newspaper4k | 0.9 | 0.9 | 0.6 | | 60 |

### {name}: other measures
"""


def make_report() -> str:
    data = ROOT.parent / "shared" / "data"
    return REPORT.format(data=data) + "\n".join(WORDS.format(name=name) for name in benchmarks.README_SETS)


def test_the_table_of_the_readme() -> None:
    lines = list(benchmarks.format_rows(make_report()))
    assert lines[0].count("|") == lines[1].count("|")
    assert lines[1] == "| **bonmun** | **.912** | **.912** | **.912** | **.912** | **.912** | 1.2 |"
    assert lines[4] == "| resiliparse | .700 | .700 | .700 | .700 | .700 | **1.0** |"


@pytest.mark.parametrize("path", benchmarks.READMES, ids=lambda path: path.name)
def test_the_rows_of_the_table_are_replaced_and_nothing_else(path: Path) -> None:
    before = path.read_text(encoding="utf-8")
    after = benchmarks.replace_table(before, make_report())
    assert "**.912**" in after
    start, end = before.index("\n|---|---:|"), before.index("\n\n<!-- end of benchmarks -->")
    assert after.startswith(before[:start])  # with the heading row
    assert after.endswith(before[end:])
    assert before[:start].rpartition("\n")[2].count("|") == after[start + 1 :].partition("\n")[0].count("|")
    assert benchmarks.replace_table(after, make_report()) == after


def test_the_page_has_all_reports_and_no_paths_of_this_machine() -> None:
    page = benchmarks.format_page(make_report(), make_report(), make_report())
    assert str(ROOT.parent) not in page
    assert "../shared/data/wcxb-dev.jsonl.xz" in page
    assert page.count("### wcxb-dev: words") == 2
    assert page.count("| auto | **0.9** |") == 3
