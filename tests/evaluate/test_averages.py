"""Averages and the tables they stand in: numbers by hand."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

from bonmun.evaluate.answers import Answer
from bonmun.evaluate.averages import better, macro, micro, pooled, speed, surely
from bonmun.evaluate.results import PageInfo, Results, SystemInfo
from bonmun.evaluate.tables import ours_of, overview, peer_of, reference_of, set_tables, system_table
from bonmun.evaluate.workers import Outcome
from bonmun.gold.datasets import SetSummary
from bonmun.text.words import Overlap

if TYPE_CHECKING:
    from bonmun.evaluate.tables import Table

Values = dict[str, dict[str, Sequence[float | None]]]
GROUPS = {"oracle": "oracle", "auto": "method", "xpath": "method"}


def made(values: Values, pages: Sequence[PageInfo] = (), failed: dict[tuple[int, str], str] | None = None) -> Results:
    """Results with these values: a list a figure, a value a page, None where there is none."""
    count = max((len(column) for figures in values.values() for column in figures.values()), default=0)
    pages = pages or [PageInfo("set", f"page {number}", "en", "news", None) for number in range(count)]
    counts = Counter(page.dataset for page in pages)
    nobody: Counter[str] = Counter()
    sets = [(name, SetSummary(number, nobody, nobody, nobody, (), "hash")) for name, number in counts.items()]
    results = Results(sets, [SystemInfo(name, "1.0", GROUPS.get(name, "peer")) for name in values])
    for number, page in enumerate(pages):
        results.add_page(page)
        for name, figures in values.items():
            there = {figure: column[number] for figure, column in figures.items() if number < len(column)}
            scores = {figure: value for figure, value in there.items() if value is not None}
            results.add(number, name, Outcome(Answer(), 1.0, (failed or {}).get((number, name)), scores))
    return results


def f1(**columns: Sequence[float | None]) -> Values:
    """Word F1 only."""
    return {name: {"words.f1": column} for name, column in columns.items()}


def texts(table: Table) -> list[list[str]]:
    return [table.columns, *([cell.text for cell in row] for row in table.rows)]


def best(table: Table) -> set[tuple[str, str]]:
    return {(row[0].text, table.columns[at]) for row in table.rows for at, cell in enumerate(row) if cell.best}


# --- averages --------------------------------------------------------------------------------------------------------

COUNTS: Values = {
    "peer": {
        "words.found": [10, 2, 0, 4],
        "words.gold": [5, 8, 3, 0],
        "words.shared": [5, 1, 0, 0],
        "words.f1": [2 / 3, 1 / 5, 0, 0],
    }
}
# Three pages with a text, of which one has no gold text and one no answer, and one with snippets only.
SHINGLES: Values = {
    "peer": {
        "shingles.found": [10, 4, 0, None],
        "shingles.gold": [5, 0, 6, None],
        "shingles.precision": [0.5, 0.0, 0.0, None],
        "shingles.recall": [1.0, 0.0, 0.0, None],
    }
}


def test_macro_is_the_mean_over_pages_that_have_the_figure() -> None:
    results = made(f1(auto=[0.5, None, 1.0, 0.0]))
    assert macro(results, "words.f1", "auto", [0, 1, 2, 3]) == 0.5
    assert macro(results, "words.f1", "auto", [0, 2]) == 0.75
    assert macro(results, "words.f1", "auto", [1]) is None
    assert macro(results, "words.f1", "auto", []) is None
    assert macro(results, "edit.similarity", "auto", [0]) is None
    found = surely(results, "words.f1", "auto", [0, 1, 2, 3])
    assert found is not None
    assert (found.mean, 0 <= found.low < 0.5 < found.high <= 1) == (0.5, True)
    assert surely(results, "words.f1", "auto", [1]) is None


def test_micro_adds_the_counts_up() -> None:
    results = made(COUNTS)
    found = micro(results, "words", "peer", range(4))
    assert found == Overlap(16, 16, 6)
    assert found.f1 == 6 / 16
    assert macro(results, "words.f1", "peer", range(4)) == pytest.approx(13 / 60)
    assert micro(results, "words", "peer", [0]) == Overlap(10, 5, 5)
    assert micro(results, "shingles", "peer", range(4)) is None


def test_shingles_are_averaged_as_scrapinghub_does() -> None:
    results = made(SHINGLES)
    # P over the two pages with an answer, R over the two with a gold text, F1 of 1/4 and 1/2
    assert pooled(results, "shingles", "peer", range(4)) == (1 / 4, 1 / 2, 1 / 3)
    assert pooled(results, "shingles", "peer", [2]) == (0, 0, 0)
    assert pooled(results, "shingles", "peer", [1]) == (0, 0, 0)
    assert pooled(results, "shingles", "peer", [3]) is None
    assert pooled(results, "words", "peer", [0]) is None


def test_how_much_better_is_told_by_the_pages_that_both_have() -> None:
    results = made(f1(auto=[0.9, 0.8, None, 0.4], peer=[0.5, 0.8, 1.0, 0.2]))
    found = better(results, "words.f1", "auto", "peer", range(4))
    assert found is not None
    assert found.mean == pytest.approx((0.4 + 0.0 + 0.2) / 3)
    assert 0 <= found.low < found.mean < found.high <= 0.4 + 1e-9
    reverse = better(results, "words.f1", "peer", "auto", range(4))
    assert reverse is not None
    assert reverse.mean == pytest.approx(-found.mean)
    assert better(results, "words.f1", "auto", "peer", [2]) is None


def test_speed_is_the_mean_over_the_pages_that_were_timed() -> None:
    results = made(f1(auto=[1.0, 1.0, 1.0]))
    assert speed(results, "auto") is None
    results.times["auto"] = {0: 2.0, 2: 4.0}
    assert speed(results, "auto") == 3


# --- who is compared with whom ---------------------------------------------------------------------------------------


def test_the_others_are_compared_with_auto_and_the_best_peer() -> None:
    results = made(f1(xpath=[0.1, 0.1], auto=[0.1, 0.2], goose=[0.5, 0.1], other=[0.4, 0.4], oracle=[1.0, 1.0]))
    assert ours_of(results) == "auto"
    assert (peer_of(results, [0, 1]), peer_of(results, [0])) == ("other", "goose")
    alone = made(f1(xpath=[0.1], oracle=[1.0]))
    assert (ours_of(alone), peer_of(alone, [0])) == ("xpath", None)


def test_times_are_multiples_of_the_named_ones() -> None:
    results = made(f1(auto=[1.0], resiliparse=[1.0], slow=[1.0]))
    assert reference_of(results, None) == ""
    results.times = {"auto": {0: 1.0}, "resiliparse": {0: 2.0}, "slow": {}}
    assert [reference_of(results, name) for name in (None, "auto", "slow")] == ["resiliparse", "auto", "resiliparse"]
    results.times["resiliparse"] = {}
    assert reference_of(results, None) == "auto"


# --- tables ----------------------------------------------------------------------------------------------------------


def test_the_table_of_words_by_hand() -> None:
    values = f1(auto=[1.0, 0.5], oracle=[1.0, 1.0], peer=[0.5, 0.5], slow=[None, None])
    values["auto"] |= {"words.precision": [1.0, 0.25], "words.recall": [1.0, 0.75]}
    values["auto"] |= {"words.found": [2, 6], "words.gold": [2, 2], "words.shared": [2, 1]}
    results = made(values, failed={(0, "peer"): "it died", (1, "slow"): "it died"})
    results.times = {"auto": {0: 3.0}, "oracle": {}, "peer": {0: 2.0}, "slow": {}}
    table = set_tables(results, "set", "peer")[0]
    assert texts(table) == [
        ["system", "P", "R", "F1", "95 %", "auto Δ", "95 %", "micro F1", "time", "failed"],
        ["oracle", "", "", "1.000", "1.000 to 1.000", "-0.250", "-0.500 to +0.000", "", "", ""],
        ["auto", "0.625", "0.875", "0.750", "0.500 to 1.000", "", "", "0.500", "1.50", ""],
        ["peer", "", "", "0.500", "0.500 to 0.500", "+0.250", "+0.000 to +0.500", "", "1.00", "1"],
    ]
    assert best(table) == {("auto", "F1")}  # the oracle never is
    assert [cell.value for cell in table.rows[1]] == [None, 0.625, 0.875, 0.75, 0.5, None, None, 0.5, 1.5, 0]
    assert table.rows[1][8].hint == "3.00 ms a page"
    assert "auto" in table.says
    assert "peer's" in table.says
    assert "time" not in set_tables(results, "set", "")[0].says


def test_equals_are_all_the_best_and_an_oracle_alone_is_not() -> None:
    tied = made(f1(auto=[0.5], peer=[0.5], xpath=[0.25], oracle=[0.5]))
    assert best(set_tables(tied, "set", "")[0]) == {("auto", "F1"), ("peer", "F1")}
    assert best(set_tables(made(f1(oracle=[0.5])), "set", "")[0]) == set()


def test_the_oracle_is_on_top() -> None:
    table = set_tables(made(f1(auto=[0.5], oracle=[0.4])), "set", "")[0]
    assert [row[0].text for row in table.rows] == ["oracle", "auto"]


def kinds(*counts: tuple[str, str, int]) -> list[PageInfo]:
    return [
        PageInfo("set", f"{lang} {kind} {n}", lang, kind, None) for lang, kind, count in counts for n in range(count)
    ]


def test_kinds_and_languages_with_few_pages_are_left_out() -> None:
    pages = kinds(("en", "news", 6), ("ko", "forum", 5), ("ja", "shop", 4), ("en", "unknown", 9))
    values = [0.5] * 6 + [1.0] * 5 + [0.0] * 13
    tables = {table.name: table for table in set_tables(made(f1(auto=values), pages), "set", "")}
    assert texts(tables["kinds of page"]) == [["system", "news (6)", "forum (5)"], ["auto", "0.500", "1.000"]]
    assert texts(tables["languages"]) == [["system", "en (15)", "ko (5)"], ["auto", "0.200", "1.000"]]
    assert tables["languages"].rows[0][2].interval == "1.000 to 1.000"


def test_one_kind_is_no_table_and_of_many_the_most_frequent_are_shown() -> None:
    one = set_tables(made(f1(auto=[0.5] * 14), kinds(("en", "news", 10), ("ko", "forum", 4))), "set", "")
    assert [table.name for table in one] == ["words"]
    many = kinds(*(("en", f"kind {n:02}", 5 + n) for n in range(20)))
    table = set_tables(made(f1(auto=[0.5] * len(many)), many), "set", "")[1]
    assert table.columns == ["system", *(f"kind {n:02} ({5 + n})" for n in range(19, 7, -1))]


def test_only_pages_of_the_set_are_counted() -> None:
    pages = [
        PageInfo(name, f"{n}", lang, "news", None) for name, lang in (("one", "en"), ("two", "ko")) for n in range(5)
    ]
    results = made(f1(auto=[1.0] * 5 + [0.0] * 5, peer=[0.5] * 10, oracle=[1.0] * 10), pages)
    assert [table.name for table in set_tables(results, "one", "")] == ["words"]
    assert set_tables(results, "two", "")[0].rows[-1][3].text == "0.000"
    table = overview(results)
    assert table is not None
    assert texts(table) == [
        ["system", "one (5)", "two (5)", "mean of sets"],
        ["auto", "1.000", "0.000", "0.500"],
        ["peer", "0.500", "0.500", "0.500"],
        ["oracle", "1.000", "1.000", "1.000"],
    ]
    assert best(table) >= {("auto", "one (5)"), ("peer", "two (5)")}
    assert overview(made(f1(auto=[1.0]))) is None


def test_the_best_mean_of_sets_is_marked() -> None:
    pages = [PageInfo(name, "a", "en", "news", None) for name in ("one", "two")]
    table = overview(made(f1(auto=[1.0, 1.0], peer=[0.5, 0.5]), pages))
    assert table is not None
    assert ("auto", "mean of sets") in best(table)


def test_columns_without_values_are_left_out() -> None:
    values: Values = {
        "auto": {"words.f1": [1.0], "edit.similarity": [0.5], "title.exact": [1.0], "title.f1": [1.0]},
        "peer": {"words.f1": [1.0], "edit.similarity": [0.25]},
        "other": {"words.f1": [0.5]},
    }
    tables = {table.name: table for table in set_tables(made(values), "set", "")}
    assert texts(tables["other measures"]) == [["system", "edit"], ["auto", "0.500"], ["peer", "0.250"]]
    assert texts(tables["facts"]) == [["system", "title (1)", "title F1"], ["auto", "1.000", "1.000"]]


def test_tables_without_rows_are_left_out() -> None:
    assert [table.name for table in set_tables(made(f1(auto=[1.0])), "set", "")] == ["words"]


def test_shingles_and_the_other_measures_by_hand() -> None:
    values = SHINGLES["peer"] | {"snippets.f1": [None, None, None, 0.8], "words.f1": [0.5, 0, 0, None]}
    table = set_tables(made({"peer": values, "auto": SHINGLES["peer"]}), "set", "")[-1]
    assert texts(table)[0] == ["system", "shingles P", "R", "F1", "snippets F1"]
    assert texts(table)[1] == ["peer", "0.250", "0.500", "0.333", "0.800"]
    assert best(table) == {("peer", "F1"), ("auto", "F1")}


def test_facts_count_the_pages_whose_gold_has_them() -> None:
    values: Values = {
        "auto": {"words.f1": [1, 1, 1], "date.exact": [1.0, 0.0, None], "author.exact": [None, 0.0, None]},
        "peer": {"words.f1": [1, 1, 1], "date.exact": [1.0, 1.0, None]},
    }
    assert texts(set_tables(made(values), "set", "")[-1]) == [
        ["system", "author (1)", "date (2)"],
        ["auto", "0.000", "0.500"],
        ["peer", "", "1.000"],
    ]


def test_facts_that_are_made_up_are_counted() -> None:
    values: Values = {"auto": {"words.f1": [1, 1, 1], "date.exact": [1.0], "date.invented": [None, 1.0, 0.0]}}
    table = set_tables(made(values), "set", "")[-1]
    assert texts(table) == [["system", "date (1)", "date where none (2)"], ["auto", "1.000", "0.500"]]


def test_facts_by_language_where_enough_pages_have_them() -> None:
    pages = [PageInfo("set", f"{n}", "en" if n < 15 else "ko" if n < 30 else "ja", "news", None) for n in range(44)]
    values: Values = {
        "auto": {"words.f1": [1] * 44, "title.exact": [1.0] * 15 + [0.5] * 15 + [0.0] * 14},
        "peer": {"words.f1": [1] * 44, "title.exact": [0.0] * 15 + [1.0] * 29},
    }
    tables = {table.name: table for table in set_tables(made(values, pages), "set", "")}
    assert texts(tables["facts by language"]) == [
        ["system", "title en (15)", "title ko (15)"],
        ["auto", "1.000", "0.500"],
        ["peer", "0.000", "1.000"],
    ]
    assert best(tables["facts by language"]) == {("auto", "title en (15)"), ("peer", "title ko (15)")}


def test_the_table_of_systems_says_who_failed_and_why() -> None:
    failed = {(0, "peer"): "it died", (1, "peer"): "ValueError: x", (2, "peer"): "it died", (3, "peer"): "other"}
    table = system_table(made(f1(auto=[1.0] * 4, peer=[0.0] * 4), failed=failed))
    assert texts(table) == [
        ["system", "version", "failed", "why"],
        ["auto", "1.0", "0", ""],
        ["peer", "1.0", "4", "it died (2); ValueError: x (1)"],
    ]


def test_rows_and_groups() -> None:
    pages = [
        PageInfo("set", "b", "ko", "news", None),
        PageInfo("set", "a", "en", "x", 0.5),
        PageInfo("set", "c", "en", "x", 1),
    ]
    results = made({"auto": {"words.f1": [0.5, None, 1.0], "edit.similarity": [0.25]}}, pages)
    results.times["auto"] = {1: 7.0}
    assert [(row.page, row.metric, row.value) for row in results.rows()] == [
        ("b", "edit.similarity", 0.25),
        ("b", "words.f1", 0.5),
        ("a", "time.ms", 7.0),
        ("c", "words.f1", 1.0),
    ]
    assert results.groups("lang") == {"en": [1, 2], "ko": [0]}
    assert results.figures == ["edit.similarity", "words.f1"]
    assert math.isnan(results.values("no.figure", "auto", [0])[0])
    assert len(results.values("no.figure", "auto")) == 3
