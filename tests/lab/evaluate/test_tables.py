"""The tables of a report: the compared systems, and every number."""

from __future__ import annotations

from made_results import SHINGLES, Values, best, f1, made, texts

from bonmun.lab.evaluate.report.tables import (
    choose_ours,
    choose_reference,
    find_best_peer,
    make_overview,
    make_set_tables,
    make_system_table,
)
from bonmun.lab.evaluate.results import PageInfo

# --- compared systems ------------------------------------------------------------------------------------------------


def test_auto_and_the_best_peer_are_chosen() -> None:
    results = made(f1(xpath=[0.1, 0.1], auto=[0.1, 0.2], goose=[0.5, 0.1], other=[0.4, 0.4], oracle=[1.0, 1.0]))
    assert choose_ours(results) == "auto"
    assert (find_best_peer(results, [0, 1]), find_best_peer(results, [0])) == ("other", "goose")
    alone = made(f1(xpath=[0.1], oracle=[1.0]))
    assert (choose_ours(alone), find_best_peer(alone, [0])) == ("xpath", None)


def test_the_reference_of_times_is_chosen() -> None:
    results = made(f1(auto=[1.0], resiliparse=[1.0], slow=[1.0]))
    assert choose_reference(results, None) == ""
    results.times = {"auto": {0: 1.0}, "resiliparse": {0: 2.0}, "slow": {}}
    assert [choose_reference(results, name) for name in (None, "auto", "slow")] == [
        "resiliparse",
        "auto",
        "resiliparse",
    ]
    results.times["resiliparse"] = {}
    assert choose_reference(results, None) == "auto"


# --- tables ----------------------------------------------------------------------------------------------------------


def test_the_table_of_words() -> None:
    values = f1(auto=[1.0, 0.5], oracle=[1.0, 1.0], peer=[0.5, 0.5], slow=[None, None])
    values["auto"] |= {"words.precision": [1.0, 0.25], "words.recall": [1.0, 0.75]}
    values["auto"] |= {"words.found": [2, 6], "words.gold": [2, 2], "words.shared": [2, 1]}
    results = made(values, failed={(0, "peer"): "it died", (1, "slow"): "it died"})
    results.times = {"auto": {0: 3.0}, "oracle": {}, "peer": {0: 2.0}, "slow": {}}
    table = make_set_tables(results, "set", "peer")[0]
    assert texts(table) == [
        ["system", "P", "R", "F1", "95 %", "auto Δ", "95 %", "micro F1", "time", "failed"],
        ["oracle", "", "", "1.000", "1.000 to 1.000", "-0.250", "-0.500 to +0.000", "", "", ""],
        ["auto", "0.625", "0.875", "0.750", "0.500 to 1.000", "", "", "0.500", "1.50", ""],
        ["peer", "", "", "0.500", "0.500 to 0.500", "+0.250", "+0.000 to +0.500", "", "1.00", "1"],
    ]
    assert best(table) == {("auto", "F1")}  # never the oracle
    assert [cell.value for cell in table.rows[1]] == [None, 0.625, 0.875, 0.75, 0.5, None, None, 0.5, 1.5, 0]
    assert table.rows[1][8].hint == "3.00 ms per page"
    assert "auto" in table.caption
    assert "relative to peer" in table.caption
    assert "time" not in make_set_tables(results, "set", "")[0].caption


def test_ties_are_all_marked_best_but_never_the_oracle() -> None:
    tied = made(f1(auto=[0.5], peer=[0.5], xpath=[0.25], oracle=[0.5]))
    assert best(make_set_tables(tied, "set", "")[0]) == {("auto", "F1"), ("peer", "F1")}
    assert best(make_set_tables(made(f1(oracle=[0.5])), "set", "")[0]) == set()


def test_the_oracle_is_in_the_first_row() -> None:
    table = make_set_tables(made(f1(auto=[0.5], oracle=[0.4])), "set", "")[0]
    assert [row[0].text for row in table.rows] == ["oracle", "auto"]


def kinds(*counts: tuple[str, str, int]) -> list[PageInfo]:
    return [
        PageInfo("set", f"{lang} {kind} {n}", lang, kind, None) for lang, kind, count in counts for n in range(count)
    ]


def test_small_kinds_and_languages_are_omitted() -> None:
    pages = kinds(("en", "news", 6), ("ko", "forum", 5), ("ja", "shop", 4), ("en", "unknown", 9))
    values = [0.5] * 6 + [1.0] * 5 + [0.0] * 13
    tables = {table.name: table for table in make_set_tables(made(f1(auto=values), pages), "set", "")}
    assert texts(tables["by page kind"]) == [["system", "news (6)", "forum (5)"], ["auto", "0.500", "1.000"]]
    assert texts(tables["by language"]) == [["system", "en (15)", "ko (5)"], ["auto", "0.200", "1.000"]]
    assert tables["by language"].rows[0][2].interval == "1.000 to 1.000"


def test_the_largest_kinds_are_shown_if_there_are_several() -> None:
    one = make_set_tables(made(f1(auto=[0.5] * 14), kinds(("en", "news", 10), ("ko", "forum", 4))), "set", "")
    assert [table.name for table in one] == ["words"]
    many = kinds(*(("en", f"kind {n:02}", 5 + n) for n in range(20)))
    table = make_set_tables(made(f1(auto=[0.5] * len(many)), many), "set", "")[1]
    assert table.columns == ["system", *(f"kind {n:02} ({5 + n})" for n in range(19, 7, -1))]


def test_tables_cover_only_their_set() -> None:
    pages = [
        PageInfo(name, f"{n}", lang, "news", None) for name, lang in (("one", "en"), ("two", "ko")) for n in range(5)
    ]
    results = made(f1(auto=[1.0] * 5 + [0.0] * 5, peer=[0.5] * 10, oracle=[1.0] * 10), pages)
    assert [table.name for table in make_set_tables(results, "one", "")] == ["words"]
    assert make_set_tables(results, "two", "")[0].rows[-1][3].text == "0.000"
    table = make_overview(results)
    assert table is not None
    assert texts(table) == [
        ["system", "one (5)", "two (5)", "mean of sets"],
        ["auto", "1.000", "0.000", "0.500"],
        ["peer", "0.500", "0.500", "0.500"],
        ["oracle", "1.000", "1.000", "1.000"],
    ]
    assert best(table) >= {("auto", "one (5)"), ("peer", "two (5)")}
    assert make_overview(made(f1(auto=[1.0]))) is None


def test_the_best_mean_of_sets_is_marked() -> None:
    pages = [PageInfo(name, "a", "en", "news", None) for name in ("one", "two")]
    table = make_overview(made(f1(auto=[1.0, 1.0], peer=[0.5, 0.5]), pages))
    assert table is not None
    assert ("auto", "mean of sets") in best(table)


def test_empty_columns_are_omitted() -> None:
    values: Values = {
        "auto": {"words.f1": [1.0], "edit.similarity": [0.5], "title.exact": [1.0], "title.f1": [1.0]},
        "peer": {"words.f1": [1.0], "edit.similarity": [0.25]},
        "other": {"words.f1": [0.5]},
    }
    tables = {table.name: table for table in make_set_tables(made(values), "set", "")}
    assert texts(tables["other measures"]) == [["system", "edit"], ["auto", "0.500"], ["peer", "0.250"]]
    assert texts(tables["metadata"]) == [["system", "title (1)", "title F1"], ["auto", "1.000", "1.000"]]


def test_empty_tables_are_omitted() -> None:
    assert [table.name for table in make_set_tables(made(f1(auto=[1.0])), "set", "")] == ["words"]


def test_shingles_and_other_measures() -> None:
    values = SHINGLES["peer"] | {"snippets.f1": [None, None, None, 0.8], "words.f1": [0.5, 0, 0, None]}
    table = make_set_tables(made({"peer": values, "auto": SHINGLES["peer"]}), "set", "")[-1]
    assert texts(table)[0] == ["system", "shingles P", "R", "F1", "snippets F1"]
    assert texts(table)[1] == ["peer", "0.250", "0.500", "0.333", "0.800"]
    assert best(table) == {("peer", "F1"), ("auto", "F1")}


def test_the_table_of_required_lines() -> None:
    values: Values = {
        "auto": {"must.found": [1.0, 0.5], "must.kept": [0.5, 0.25]},
        "peer": {"must.found": [1.0, 0.0], "must.kept": [0.75, 0.0]},
        "oracle": {"words.f1": [None, None]},
    }
    (table,) = make_set_tables(made(values, failed={(1, "peer"): "it died"}), "set", "")
    assert texts(table) == [
        ["system", "found", "95 %", "auto Δ", "95 %", "kept", "failed"],
        ["auto", "0.750", "0.500 to 1.000", "", "", "0.375", ""],
        ["peer", "0.500", "0.000 to 1.000", "+0.250", "+0.000 to +0.500", "0.375", "1"],
    ]
    assert best(table) == {("auto", "found")}


def test_the_table_of_units() -> None:
    """Shares are counted over all pages, not averaged over pages."""
    values: Values = {
        "auto": {"words.f1": [1, 1], "whole.lists_kept": [9, 1], "whole.lists_torn": [0, 1], "whole.tables_kept": [2]},
        "peer": {"words.f1": [1, 1], "whole.lists_kept": [5], "whole.lists_torn": [1]},
        "none": {"words.f1": [1, 1]},
    }
    values["auto"] |= {"whole.tables_torn": [0], "whole.code_between": [None, 4], "whole.code_skipped": [None, 1]}
    table = make_set_tables(made(values), "set", "")[-1]
    assert texts(table) == [
        ["system", "tables whole", "of", "lists whole", "of", "code dropped", "of"],
        ["auto", "1.000", "2", "0.900", "10", "0.250", "4"],
        ["peer", "", "", "0.800", "5", "", ""],
    ]
    assert table.rows[0][3].hint == "9 of 10"
    assert best(table) == {("auto", "tables whole"), ("auto", "lists whole")}


def test_sets_without_gold_texts_are_not_in_the_overview() -> None:
    pages = [PageInfo(name, "a", "en", "news", None) for name in ("one", "two", "recipes")]
    values: Values = {"auto": {"words.f1": [1.0, 0.5, None], "must.found": [None, None, 1.0]}}
    table = make_overview(made(values, pages))
    assert table is not None
    assert table.columns == ["system", "one (1)", "two (1)", "mean of sets"]
    assert make_overview(made(values, pages[1:])) is not None
    assert make_overview(made({"auto": {"must.found": [1.0, 1.0]}}, pages[1:])) is None


def test_metadata_columns_count_the_pages_whose_gold_has_them() -> None:
    values: Values = {
        "auto": {"words.f1": [1, 1, 1], "date.exact": [1.0, 0.0, None], "author.exact": [None, 0.0, None]},
        "peer": {"words.f1": [1, 1, 1], "date.exact": [1.0, 1.0, None]},
    }
    assert texts(make_set_tables(made(values), "set", "")[-1]) == [
        ["system", "author (1)", "date (2)"],
        ["auto", "0.000", "0.500"],
        ["peer", "", "1.000"],
    ]


def test_invented_metadata_is_counted() -> None:
    values: Values = {"auto": {"words.f1": [1, 1, 1], "date.exact": [1.0], "date.invented": [None, 1.0, 0.0]}}
    table = make_set_tables(made(values), "set", "")[-1]
    assert texts(table) == [["system", "date (1)", "invented date (2)"], ["auto", "1.000", "0.500"]]


def test_metadata_by_language_needs_enough_pages() -> None:
    pages = [PageInfo("set", f"{n}", "en" if n < 15 else "ko" if n < 30 else "ja", "news", None) for n in range(44)]
    values: Values = {
        "auto": {"words.f1": [1] * 44, "title.exact": [1.0] * 15 + [0.5] * 15 + [0.0] * 14},
        "peer": {"words.f1": [1] * 44, "title.exact": [0.0] * 15 + [1.0] * 29},
    }
    tables = {table.name: table for table in make_set_tables(made(values, pages), "set", "")}
    assert texts(tables["metadata by language"]) == [
        ["system", "title en (15)", "title ko (15)"],
        ["auto", "1.000", "0.500"],
        ["peer", "0.000", "1.000"],
    ]
    assert best(tables["metadata by language"]) == {("auto", "title en (15)"), ("peer", "title ko (15)")}


def test_the_table_of_systems_shows_failures_and_reasons() -> None:
    failed = {(0, "peer"): "it died", (1, "peer"): "ValueError: x", (2, "peer"): "it died", (3, "peer"): "other"}
    table = make_system_table(made(f1(auto=[1.0] * 4, peer=[0.0] * 4), failed=failed))
    assert texts(table) == [
        ["system", "version", "failed", "reasons"],
        ["auto", "1.0", "0", ""],
        ["peer", "1.0", "4", "it died (2); ValueError: x (1)"],
    ]
