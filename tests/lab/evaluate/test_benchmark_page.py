"""The page of benchmarks and the table of README.md, made of small reports."""

from __future__ import annotations

from pathlib import Path

from samples import ROOT
from scripts.figures import benchmarks

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
    lines = list(benchmarks.format_table(make_report()))
    assert lines[0].count("|") == lines[1].count("|") == lines[2].count("|")
    assert lines[2] == "| **bonmun** | **.912** | **.912** | **.912** | **.912** | **.912** | 1.2 |"
    assert lines[5] == "| resiliparse | .700 | .700 | .700 | .700 | .700 | **1.0** |"


def test_the_table_is_replaced_and_nothing_else() -> None:
    before = Path(ROOT / "README.md").read_text(encoding="utf-8")
    after = benchmarks.replace_table(before, make_report())
    assert "**.912**" in after
    assert after.splitlines()[0] == before.splitlines()[0]
    assert after.splitlines()[-1] == before.splitlines()[-1]
    assert benchmarks.replace_table(after, make_report()) == after


def test_the_page_has_all_reports_and_no_paths_of_this_machine() -> None:
    page = benchmarks.format_page(make_report(), make_report(), make_report())
    assert str(ROOT.parent) not in page
    assert "../shared/data/wcxb-dev.jsonl.xz" in page
    assert page.count("### wcxb-dev: words") == 2
    assert page.count("| auto | **0.9** |") == 3
