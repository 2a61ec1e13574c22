"""`bonmun site learn`, `bonmun site show` and `bonmun corpus template` on a made-up site."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest

from learned_site import HOST, make_article, make_listing
from samples import save

if TYPE_CHECKING:
    from samples import Bonmun


@pytest.fixture
def pages() -> str:
    htmls = [*map(make_article, range(6)), *map(make_listing, range(1, 5)), "<table class=x><tr><td class=y>A</table>"]
    records = ({"id": str(n), "url": f"https://{HOST}/{n}", "html": html} for n, html in enumerate(htmls))
    return save("pages.jsonl", "".join(f"{json.dumps(each)}\n" for each in records))


def test_learned_rules_can_be_used_at_once(bonmun: Bonmun, pages: str) -> None:
    result = bonmun("site", "learn", pages, "-o", "site.toml")
    assert result.exit_code == 0, result.stderr
    assert f"{HOST}, layout 1 of 2: article, 6 of 11 pages" in Path("site.toml").read_text()
    assert bonmun("rules", "check", "site.toml").exit_code == 0
    save("new.html", make_article(13))
    extracted = bonmun("extract", "new.html", "--url", f"https://{HOST}/13", "--rules", "site.toml", "--explain")
    assert (
        "Subscribe" not in bonmun("extract", "new.html", "--url", f"https://{HOST}/13", "--rules", "site.toml").stdout
    )
    assert f"rule {HOST} 1: article: not in within" in extracted.stdout


def test_an_existing_file_is_kept(bonmun: Bonmun, pages: str) -> None:
    save("site.toml", "# mine\n")
    result = bonmun("site", "learn", pages, "-o", "site.toml")
    assert (result.exit_code, Path("site.toml").read_text()) == (2, "# mine\n")
    assert "--overwrite" in result.stderr
    assert bonmun("site", "learn", pages, "-o", "site.toml", "--overwrite").exit_code == 0
    assert "[[rule]]" in Path("site.toml").read_text()
    assert sorted(each.name for each in Path().iterdir()) == ["pages.jsonl", "site.toml"]


def test_nothing_is_written_without_a_rule(bonmun: Bonmun) -> None:
    for number in range(3):
        save(f"saved/{number}.html", make_article(number))
    unknown = bonmun("site", "learn", "saved", "-o", "site.toml")
    assert unknown.exit_code == 1
    assert "0.html: its site is unknown; give --site." in unknown.stderr
    assert not Path("site.toml").exists()
    assert bonmun("site", "learn", "saved", "-o", "site.toml", "--site", HOST).exit_code == 0
    few = bonmun("site", "learn", "saved/0.html", "-o", "few.toml", "--site", HOST)
    assert few.exit_code == 1
    assert "No rule was learned" in few.stderr
    assert bonmun("site", "learn", "saved", "-o", "nowhere/site.toml").exit_code == 2


def test_layouts_are_shown(bonmun: Bonmun, pages: str) -> None:
    shown = bonmun("site", "show", pages).stdout
    assert shown.startswith(f"{HOST}: 11 pages, 2 layouts\n  1. 6 pages, article, confidence 0.")
    assert shown.endswith(f"  unlike every layout: 1 page\n     https://{HOST}/10\n")
    described = json.loads(bonmun("site", "show", pages, "-f", "json").stdout)
    assert [layout["pages"] for layout in described["layouts"]] == [6, 4]
    assert described["outliers"] == [f"https://{HOST}/10"]
    assert bonmun("site", "show", pages, "-f", "xml").exit_code == 2


@pytest.mark.slow
def test_repeated_texts_are_written(bonmun: Bonmun, pages: str) -> None:
    assert bonmun("corpus", "count", pages, "-o", "counts.duckdb", "--workers", "1").exit_code == 0
    result = bonmun("corpus", "template", "counts.duckdb", "-o", "template.parquet")
    assert result.exit_code == 0, result.stderr
    rows = pq.read_table("template.parquet").to_pylist()
    home = next(row for row in rows if row["text"] == "Home")
    assert home == {
        "site": HOST,
        "text": "Home",
        "pages": 10,
        "of_pages": 11,
        "occurrences": 10,
        "in_template": True,
    }
    assert [row["pages"] for row in rows] == sorted((row["pages"] for row in rows), reverse=True)
    assert all(row["pages"] > 1 for row in rows)
    assert bonmun("corpus", "template", "counts.duckdb", "-o", "template.parquet").exit_code == 2
    assert bonmun("corpus", "template", "counts.duckdb", "-o", "template.csv").exit_code == 0
    with Path("template.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == len(rows)
    assert bonmun("corpus", "template", "nowhere.duckdb", "-o", "x.parquet").exit_code != 0
