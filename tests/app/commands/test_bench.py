"""`bonmun bench` and `bonmun bench align` as people use them."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bonmun import Page, __version__
from bonmun.algorithms import PAGE_METHODS
from bonmun.errors import MissingExtra
from bonmun.lab.evaluate.systems import systems
from bonmun.lab.evaluate.systems.answers import Answer, System
from bonmun.lab.evaluate.systems.peers import PEERS
from bonmun.lab.gold.alignment import align
from bonmun.lab.gold.datasets import read_dataset
from samples import ROOT, command, hear_signals, save

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from subprocess import CompletedProcess

    from samples import Bonmun

pytestmark = pytest.mark.slow

PAGES = str(ROOT / "tests" / "pages")
HTML = "<title>A page</title><p>Home</p><p>One two three, number {}.</p>"
ROWS = [{"id": f"p{n}", "html": HTML.format(n), "text": f"One two three, number {n}."} for n in range(3)]
# Of the six words of a page five are in its gold.
EVERYTHING = "0.833 1.000 0.909 0.909 to 0.909"
HEADER = "system P R F1 95 % sentence:M1 Δ 95 % micro F1 time failed"
SNIPPETS = {"id": "p0", "html": HTML.format(0), "wanted": ["three"], "unwanted": ["Home"]}
METHOD = "sentence:M1"  # keeps all that is on these pages
QUICK = ["-m", METHOD, "--timed", "0", "--workers", "1"]


def lines(*rows: dict[str, Any] | str) -> str:
    return "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows)


def table(stdout: str) -> list[str]:
    """The lines of the tables, one blank between any two words."""
    return [" ".join(line.split()) for line in stdout.splitlines() if line]


def figures(stdout: str) -> dict[str, tuple[str, int]]:
    """F1 of each system and on how many pages it failed; of a run without times."""
    rows = [line.split() for line in table(stdout) if re.match(r"\S+( \d\.\d{3}){3} ", line)]
    return {row[0]: (row[3], int(row[-1]) if row[-1].isdigit() else 0) for row in rows}


def files(folder: str | Path) -> set[str]:
    return {path.name for path in Path(folder).iterdir()}


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache of a user who has none yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))


@pytest.fixture
def bench(bonmun: Bonmun) -> Bonmun:
    """Run `bonmun bench` in a folder with a set of three pages."""
    save("set.jsonl", lines(*ROWS))
    return partial(bonmun, "bench")


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Options to measure the three pages with what is known already."""
    folder = tmp_path_factory.mktemp("warm")
    (folder / "set.jsonl").write_text(lines(*ROWS), encoding="utf-8")
    done = command("bench", "set.jsonl", *QUICK, "--cache", "cache", cwd=folder)
    assert (done.stderr, done.returncode) == (b"", 0)
    return [*QUICK, "--cache", str(folder / "cache")]


# --- tables ----------------------------------------------------------------------------------------------------------


def test_the_table_by_hand(bench: Bonmun) -> None:
    result = bench("set.jsonl", *QUICK, "-p", "all-text")
    assert table(result.stdout) == [
        "set: 3 pages",
        HEADER,
        "oracle 1.000 1.000 1.000 1.000 to 1.000 -0.091 -0.091 to -0.091 1.000",
        f"{METHOD} {EVERYTHING} 0.909",
        f"all-text {EVERYTHING} +0.000 +0.000 to +0.000 0.909",
    ]
    assert (result.stderr, result.exit_code) == ("", 0)
    assert files("home/bonmun") == {"bench.sqlite"}


@pytest.mark.long
def test_times_are_multiples_of_the_references(bench: Bonmun, warm: list[str]) -> None:
    result = bench("set.jsonl", *warm, "--timed", "1", "-p", "all-text", "--reference", "all-text")
    rows = {line.split()[0]: line.split()[-1] for line in table(result.stdout)[2:]}
    assert rows["all-text"] == "1.00"
    assert re.fullmatch(r"\d+\.\d\d", rows[METHOD])
    assert rows["oracle"] == "1.000"  # has no time: the last is its micro F1
    assert (result.stderr, result.exit_code) == ("", 0)


def test_the_oracle_is_no_reference(bench: Bonmun, warm: list[str]) -> None:
    assert bench("set.jsonl", *warm, "--timed", "1", "--reference", "oracle").exit_code == 2


@pytest.mark.parametrize(("limit", "count"), [("1", 1), ("2", 2), ("3", 3), ("100", 3)])
def test_a_limit_is_for_each_set(bench: Bonmun, warm: list[str], limit: str, count: int) -> None:
    save("other.jsonl", lines(*ROWS))
    result = bench("set.jsonl", "other.jsonl", *warm, "--limit", limit)
    said = "1 page" if count == 1 else f"{count} pages"
    assert table(result.stdout)[0] == f"set: {said}"
    assert f"other: {said}" in table(result.stdout)
    assert (result.stderr, result.exit_code) == ("", 0)


def test_several_sets_stand_side_by_side_at_the_end(bench: Bonmun, warm: list[str]) -> None:
    save("one.jsonl", lines(ROWS[0] | {"text": "One two three"}))
    result = bench("set.jsonl", "one.jsonl", *warm)
    *_, says, header, one, other = table(result.stdout)
    assert says.startswith("Word F1: mean over the pages of each set")
    assert header == "system set (3) one (1) mean of sets"
    assert one == f"{METHOD} 0.909 0.667 0.788"
    assert other.startswith("oracle 1.000 ")


def test_all_methods_and_peers_are_those_there_are(bench: Bonmun, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> str:
        raise MissingExtra("gone is not installed: pip install gone.")

    peers = {"gone": System("gone", "peer", missing, lambda _: Answer()), "all-text": PEERS["all-text"]}
    monkeypatch.setattr(systems, "PEERS", peers)
    result = bench("set.jsonl", *QUICK, "-m", "all", "-p", "all", "--limit", "1")
    assert (result.stderr, result.exit_code) == ("bonmun: gone is not installed: pip install gone.\n", 0)
    assert {*figures(result.stdout)} == {*PAGE_METHODS, "all-text", "oracle"}
    named = bench("set.jsonl", "-p", "gone")
    assert (named.stdout, named.stderr, named.exit_code) == ("", result.stderr, 2)


def test_our_pages_give_a_table_of_auto(bench: Bonmun) -> None:
    result = bench(PAGES, "--limit", "4", "--timed", "0")
    assert table(result.stdout)[0] == "pages: 4 pages"
    assert {*figures(result.stdout)} == {"auto", "oracle"}
    assert all(float(f1) > 0.9 and not failed for f1, failed in figures(result.stdout).values())


def test_a_set_of_snippets_has_figures(bench: Bonmun) -> None:
    save("snippets.jsonl", lines(SNIPPETS))
    result = bench("snippets.jsonl", *QUICK)
    assert any(line.startswith(f"{METHOD} ") for line in table(result.stdout))


def test_a_page_that_cannot_be_read_counts_as_failed(bench: Bonmun) -> None:
    save("set.jsonl", lines(*ROWS, {"id": "empty", "html": "", "text": "One two"}))
    result = bench("set.jsonl", *QUICK)
    assert figures(result.stdout) == {"oracle": ("0.750", 1), METHOD: ("0.682", 1)}
    assert (result.stderr, result.exit_code) == ("", 0)


# --- wrong use -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["missing.jsonl"], "missing.jsonl: no such file or folder"),
        (["set.jsonl", "missing"], "missing: no such file or folder"),
        (["folder"], "folder: not a labelled set in a known format"),
        (["page.html"], "page.html: a labelled file must be named .jsonl"),
        (["set.jsonl", "folder/set.jsonl"], "rename one of set.jsonl, folder/set.jsonl"),
        (["set.jsonl", "./set.jsonl"], "Two sets have the same name"),
        (["none.jsonl"], "none.jsonl: this set has no usable record"),
        (["set.jsonl", "none.jsonl"], "none.jsonl: this set has no usable record"),
        (["set.jsonl", "-m", "aut"], "Unknown method 'aut': did you mean auto?"),
        (["set.jsonl", "-m", "all", "-m", "qqq"], "Unknown method 'qqq'"),
        (["set.jsonl", "-m", "oracle"], "Unknown method 'oracle'"),
        (["set.jsonl", "-p", "resiliparce"], "Unknown peer 'resiliparce': did you mean resiliparse?"),
        (["set.jsonl", "-p", "qqq"], "module:function"),
        (["set.jsonl", "-p", "no_such_module:extract"], "'no_such_module:extract' cannot be loaded"),
        (["set.jsonl", "-p", "bonmun:no_such_function"], "'bonmun:no_such_function' cannot be loaded"),
        (["set.jsonl", "--reference", "resiliparse"], "The reference 'resiliparse' is not one of"),
        (["set.jsonl", "--cache", "folder"], "folder: cannot use this cache"),
        (["set.jsonl", "--cache", "page.html"], "page.html: cannot use this cache"),
        (["align", "missing.jsonl"], "missing.jsonl: no such file or folder"),
    ],
)
def test_wrong_use_is_one_clear_sentence(
    bench: Bonmun, monkeypatch: pytest.MonkeyPatch, args: list[str], says: str
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    save("folder/set.jsonl", lines(*ROWS)), save("page.html", "<p>One"), save("none.jsonl", "")
    result = bench(*args)
    assert (result.stdout, result.exit_code) == ("", 2)
    assert re.fullmatch(rf"bonmun: .*{re.escape(says)}.*\.\n", result.stderr)


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["align"],
        ["set.jsonl", "--no-such-option"],
        ["set.jsonl", "--timed", "-1"],
        ["set.jsonl", "--workers", "0"],
        ["set.jsonl", "--seconds", "0"],
        ["set.jsonl", "--limit", "many"],
        ["set.jsonl", "--limit", "0"],
        ["align", "set.jsonl", "--limit=-3"],
        ["align", "set.jsonl", "set.jsonl"],
    ],
)
def test_unknown_options_and_values_are_wrong_use(bench: Bonmun, args: list[str]) -> None:
    result = bench(*args)
    assert (result.stdout, result.exit_code) == ("", 2)
    assert "Usage: " in result.stderr


def test_a_name_that_no_file_can_have_is_wrong_use(bench: Bonmun) -> None:
    result = bench("a" * 300)
    assert (result.exit_code, "no such file" in result.stderr) == (2, True)


def test_a_set_without_gold_is_refused_and_says_why(bench: Bonmun) -> None:
    save("pages.jsonl", lines({"id": "a", "html": "<p>One"}, {"id": "b", "html": "<p>Two"}))
    result = bench("pages.jsonl")
    assert (result.stdout, result.exit_code) == ("", 2)
    assert [line for line in result.stderr.splitlines() if "a: no text" in line]
    assert "pages.jsonl: this set has no usable record" in result.stderr.splitlines()[-1]


@pytest.mark.parametrize("args", [["--help"], ["run", "--help"]])
def test_the_help_of_bench_says_what_it_takes(bench: Bonmun, args: list[str]) -> None:
    result = bench(*args)
    assert (result.stderr, result.exit_code) == ("", 0)
    for word in ("DATA", "--peer", "--method", "--report", "--limit", "--timed", "--cache"):
        assert word in result.stdout


def test_the_help_says_how_to_name_an_extractor_of_ones_own(bench: Bonmun) -> None:
    assert "module:function" in bench("--help").stdout


def test_the_help_of_align_says_what_it_takes(bench: Bonmun) -> None:
    result = bench("align", "--help")
    assert (result.stderr, result.exit_code) == ("", 0)
    assert "--output" in result.stdout


# --- records that cannot be used -------------------------------------------------------------------------------------


def test_broken_records_are_named_and_the_rest_is_measured(bench: Bonmun, warm: list[str]) -> None:
    save("set.jsonl", lines("no JSON", *ROWS, ROWS[0], {"id": "x", "html": "<p>"}))
    result = bench("set.jsonl", *warm)
    assert figures(result.stdout)[METHOD] == ("0.909", 0)
    assert [line.partition(":")[2][:20] for line in result.stderr.splitlines()] == [
        " set: line 1: invali",
        " set: p0: duplicate ",
        " set: line 6, x: no ",
    ]
    assert result.exit_code == 0


def test_of_many_broken_records_some_are_named_and_all_are_counted(bench: Bonmun, warm: list[str]) -> None:
    save("set.jsonl", lines(*ROWS, *["no JSON"] * 12))
    result = bench("set.jsonl", *warm)
    assert len(result.stderr.splitlines()) == 11
    assert result.stderr.splitlines()[-1] == "bonmun: set: 2 more records cannot be used."


# --- reports ---------------------------------------------------------------------------------------------------------


def test_a_report_is_written_and_named(bench: Bonmun, warm: list[str]) -> None:
    result = bench("set.jsonl", *warm, "--report", "new/out")
    names = ["index.html", "summary.md", "rows.csv.gz", "rows.parquet"]
    assert result.stderr == f"bonmun: Written: {', '.join(f'new/out/{name}' for name in names)}\n"
    assert (files("new/out"), result.exit_code) == ({*names}, 0)
    assert result.stdout == bench("set.jsonl", *warm).stdout


def test_the_rows_are_those_of_the_table(bench: Bonmun, warm: list[str]) -> None:
    bench("set.jsonl", *warm, "--report", "out")
    rows = list(csv.DictReader(io.StringIO(gzip.decompress(Path("out/rows.csv.gz").read_bytes()).decode())))
    f1 = {(row["page"], row["system"]): row["value"] for row in rows if row["metric"] == "words.f1"}
    assert f1 == {
        (f"p{n}", system): value for n in range(3) for system, value in ((METHOD, "0.909091"), ("oracle", "1"))
    }
    assert {row["dataset"] for row in rows} == {"set"}
    assert "time.ms" not in {row["metric"] for row in rows}


def test_the_summary_says_what_was_measured(bench: Bonmun, warm: list[str]) -> None:
    save("set.jsonl", lines(*ROWS, "no JSON"))
    bench("set.jsonl", *warm, "--report", "out")
    summary = Path("out/summary.md").read_text("utf-8")
    assert f"bonmun {__version__}" in summary
    assert f"3 pages, hash `{read_dataset('set.jsonl').summary.hash}`" in summary
    assert "Broken records: 1 (line 4: invalid JSON" in summary
    assert f"| {METHOD} | 0.833 | 1.000 | **0.909** |" in summary


def test_the_report_shows_pages_as_text(bench: Bonmun) -> None:
    evil = "<script>alert(1)</script>"
    save(
        "set.jsonl", lines({"id": evil, "html": f"<p>One {evil}", "text": f"Two {evil}", "kind": evil, "lang": '"><b>'})
    )
    result = bench("set.jsonl", *QUICK, "--report", "out")
    html = Path("out/index.html").read_text("utf-8")
    assert result.exit_code == 0
    assert "&lt;script&gt;alert(1)" in html
    assert "<script>alert" not in html
    assert not re.search(r"<(script|img|link)\b[^>]*(src|href)=", html)  # it needs nothing else


def test_an_earlier_report_is_replaced(bench: Bonmun, warm: list[str]) -> None:
    save("out/index.html", "old"), save("out/notes.txt", "kept")
    assert bench("set.jsonl", *warm, "--report", "out").exit_code == 0
    assert Path("out/index.html").read_text("utf-8").startswith("<!doctype html>")
    assert Path("out/notes.txt").read_text() == "kept"


@pytest.mark.parametrize("place", ["file", "file/out"])
def test_a_report_that_cannot_be_written_is_told_before_the_work(bench: Bonmun, warm: list[str], place: str) -> None:
    save("file", "")
    result = bench("set.jsonl", *warm, "--report", place)
    assert result.stdout == ""
    assert re.fullmatch(rf"bonmun: Cannot write {place}: .+\.\n", result.stderr)
    assert result.exit_code == 1


def test_a_report_with_a_folder_in_its_way_leaves_no_parts(bench: Bonmun, warm: list[str]) -> None:
    save("out/index.html/x", "a folder of this name")
    result = bench("set.jsonl", *warm, "--report", "out")
    assert (result.stderr.rpartition(": ")[0], result.exit_code) == ("bonmun: Cannot write out/index.html", 1)
    assert not [name for name in files("out") if name.endswith(".part")]


# --- extractors of one's own -----------------------------------------------------------------------------------------

OWN = r"""
import os, re, sys, time

def good(html):
    with open("calls", "a") as file:
        file.write("good\n")
    return re.sub("<title>.*</title>|<[^>]*>", " ", html)

def raises(html): raise ValueError("no | good\nat all")
def sleeps(html): time.sleep(300)
def dies(html): os._exit(0)
def naps(html): time.sleep(1.5)
def nothing(html): return None

def prints(html):
    print("noise"), print("noise", file=sys.stderr), os.system("echo noise; echo noise >&2")
    return good(html)
"""
BAD = "sleeps dies raises".split()


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, CompletedProcess[bytes]]:
    """A run of good and bad extractors, the bad ones first, and the folder it was in."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "mine.py").write_text(OWN, encoding="utf-8")
    (folder / "set.jsonl").write_text(lines(*ROWS[:2]), encoding="utf-8")
    peers = [
        part
        for name in ("sleeps", "naps", "dies", "raises", "nothing", "prints", "good")
        for part in ("-p", f"mine:{name}")
    ]
    args = ["set.jsonl", *QUICK, *peers, "--workers", "2", "--seconds", "1", "--cache", "kept", "--report", "out"]
    env = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    return folder, command("bench", *args, cwd=folder, env=env)


def test_bad_extractors_score_zero_and_the_run_goes_on(own: tuple[Path, CompletedProcess[bytes]]) -> None:
    found = figures(own[1].stdout.decode())
    del found["mine:naps"]
    assert found == {
        "oracle": ("1.000", 0),
        METHOD: ("0.909", 0),
        "mine:prints": ("0.909", 0),
        "mine:good": ("0.909", 0),
        "mine:nothing": ("0.000", 0),
    } | {f"mine:{name}": ("0.000", 2) for name in BAD}


def test_only_tables_go_to_stdout_and_what_extractors_print_nowhere(own: tuple[Path, CompletedProcess[bytes]]) -> None:
    _, done = own
    assert table(done.stdout.decode())[:2] == ["set: 2 pages", HEADER]
    assert b"noise" not in done.stdout
    assert re.fullmatch(rb"bonmun: Written: [^\n]+\n", done.stderr)
    assert done.returncode == 0


def test_the_summary_says_why_extractors_failed(own: tuple[Path, CompletedProcess[bytes]]) -> None:
    summary = (own[0] / "out/summary.md").read_text("utf-8")
    for reason in ("ValueError: no", "it took more than 1 s (2)", "it died (2)"):
        assert reason in summary
    assert f"`bonmun bench set.jsonl -m {METHOD}" in summary


def test_what_is_said_of_failures_stays_in_its_cell(own: tuple[Path, CompletedProcess[bytes]]) -> None:
    summary = (own[0] / "out/summary.md").read_text("utf-8")
    assert {line[:1] for line in summary.partition("## Systems\n\n")[2].strip().splitlines()} == {"|"}


def test_the_run_says_why_extractors_failed(own: tuple[Path, CompletedProcess[bytes]]) -> None:
    assert b"ValueError: no" in own[1].stdout + own[1].stderr


def test_extractors_are_not_run_again_until_they_change(own: tuple[Path, CompletedProcess[bytes]]) -> None:
    folder, _ = own
    calls = folder / "calls"
    before = calls.read_text().split()
    assert len(before) == 4  # two pages by `good` and `prints`
    args = ["bench", "set.jsonl", *QUICK, "-p", "mine:good", "--cache", "kept"]
    again = command(*args, cwd=folder)
    assert (again.stderr, again.returncode) == (b"", 0)
    assert figures(again.stdout.decode())["mine:good"] == ("0.909", 0)
    assert calls.read_text().split() == before
    (folder / "mine.py").write_text(OWN.replace('" ", html)', '"", "")'), encoding="utf-8")
    changed = command(*args, cwd=folder)
    assert figures(changed.stdout.decode())["mine:good"] == ("0.000", 0)
    assert len(calls.read_text().split()) == 6


def test_the_time_limit_is_the_same_for_all(own: tuple[Path, CompletedProcess[bytes]]) -> None:
    assert figures(own[1].stdout.decode())["mine:naps"] == ("0.000", 2)


# --- align -----------------------------------------------------------------------------------------------------------


def labels(number: int) -> dict[str, Any]:
    facts = {"id": f"p{number}", "url": None, "lang": None, "kind": None, "f1": 1.0, "precision": 1.0, "recall": 1.0}
    return facts | {"blocks": [1], "leaves": [1], "of_blocks": 2, "of_leaves": 2}


def test_labels_by_hand(bench: Bonmun) -> None:
    result = bench("align", "set.jsonl", "--workers", "1")
    assert [json.loads(line) for line in result.stdout.splitlines()] == [labels(number) for number in range(3)]
    assert result.stderr == "bonmun: 3 pages aligned, 0 not; word F1 of the leaves 1.0000.\n"
    assert result.exit_code == 0


def test_labels_are_those_that_align_gives(bench: Bonmun) -> None:
    result = bench("align", PAGES, "--limit", "4", "--workers", "2", "-o", "labels.jsonl.gz")
    assert (result.stdout, result.exit_code) == ("", 0)
    rows = [json.loads(line) for line in gzip.decompress(Path("labels.jsonl.gz").read_bytes()).splitlines()]
    examples = list(read_dataset(PAGES, 4))
    assert [row["id"] for row in rows] == [example.id for example in examples]
    for row, example in zip(rows, examples, strict=True):
        found = align(Page.parse(example.html, example.url), example.text or "")
        assert row["leaves"] == [number for number, kept in enumerate(found.leaves) if kept]
        assert row["blocks"] == [number for number, kept in enumerate(found.blocks) if kept]
        assert (row["of_leaves"], row["of_blocks"]) == (len(found.leaves), len(found.blocks))
        assert (row["lang"], row["kind"]) == (example.lang, example.kind)
        assert row["f1"] == pytest.approx(found.words.f1, abs=1e-4)


def test_pages_that_cannot_be_aligned_are_named_and_the_rest_is_written(bench: Bonmun) -> None:
    save("set.jsonl", lines(ROWS[0], {"id": "empty", "html": "", "text": "One"}, SNIPPETS | {"id": "s"}, "{", ROWS[1]))
    result = bench("align", "set.jsonl", "-o", "out.jsonl", "--workers", "1")
    assert [json.loads(line) for line in Path("out.jsonl").read_bytes().splitlines()] == [labels(0), labels(1)]
    said = [line.removeprefix("bonmun: ") for line in result.stderr.splitlines()]
    assert said[0].startswith("set: line 4: invalid JSON")
    assert said[1:3] == [
        "empty: The input is empty: there is no page to read.",
        "s: it has snippets or lines, but no gold text.",
    ]
    assert said[3].startswith("2 pages aligned, 2 not")
    assert (result.stdout, result.exit_code) == ("", 1)
    assert "out.jsonl.part" not in files(".")


def test_the_f1_of_labels_is_that_of_the_pages_that_were_aligned(bench: Bonmun) -> None:
    save("set.jsonl", lines(ROWS[0], {"id": "empty", "html": "", "text": "One"}))
    assert bench("align", "set.jsonl", "--workers", "1").stderr.endswith(
        "1 page aligned, 1 not; word F1 of the leaves 1.0000.\n"
    )


def test_a_set_that_cannot_be_aligned_at_all_is_refused(bench: Bonmun) -> None:
    save("set.jsonl", lines({"id": "a", "html": "<p>One"}))
    assert bench("align", "set.jsonl", "--workers", "1").exit_code == 2


@pytest.mark.parametrize("output", ["file/out.jsonl", "missing/out.jsonl", "folder"])
def test_labels_that_cannot_be_written_leave_nothing_behind(bench: Bonmun, output: str) -> None:
    save("file", ""), save("folder/x", "")
    before = files(".")
    result = bench("align", "set.jsonl", "-o", output, "--workers", "1")
    assert (result.stdout, result.exit_code) == ("", 1)
    assert re.search(rf"bonmun: Cannot write {output}\S*: .+\.\n\Z", result.stderr)
    assert files(".") == before


def test_the_place_for_labels_is_named_as_it_was_given(bench: Bonmun) -> None:
    result = bench("align", "set.jsonl", "-o", "missing/out.jsonl", "--workers", "1")
    assert result.stderr == "bonmun: Cannot write missing/out.jsonl: No such file or directory.\n"


# --- processes of their own ------------------------------------------------------------------------------------------


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (ProcessLookupError, FileNotFoundError):
        return True


def comes(true: Callable[[], bool], seconds: float = 60) -> bool:
    """Whether something is the case soon."""
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.02)
    return true()


HANGS = """
import os, pathlib, time

def extract(html):
    with open("calls", "a") as file:
        file.write(f"{os.getpid()}\\n")
    if "number 2" in html and pathlib.Path("hang").exists():
        pathlib.Path("hangs").touch()
        time.sleep(300)
    return html
"""


@contextmanager
def started(folder: Path, *args: str, first: str = ":") -> Iterator[subprocess.Popen[bytes]]:
    """A run in a session of its own, as on a terminal; what it says is in the files `out` and `err`."""
    line = ["sh", "-c", f'{first}; exec "$@"', "sh", sys.executable, "-m", "bonmun", "bench", *args]
    with (
        (folder / "out").open("wb") as out,
        (folder / "err").open("wb") as err,
        subprocess.Popen(
            line, cwd=folder, stdout=out, stderr=err, start_new_session=True, preexec_fn=hear_signals
        ) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


HANGING = ["set.jsonl", *QUICK, "-p", "hangs_here:extract", "--cache", "kept"]


@contextmanager
def hanging(folder: Path, first: str = ":") -> Iterator[subprocess.Popen[bytes]]:
    """A run that hangs on the last of three pages."""
    (folder / "set.jsonl").write_text(lines(*ROWS), encoding="utf-8")
    (folder / "hangs_here.py").write_text(HANGS, encoding="utf-8")
    (folder / "hang").touch()
    with started(folder, *HANGING, first=first) as process:
        assert comes((folder / "hangs").exists)
        yield process


def children(folder: Path) -> list[int]:
    """The child of each call."""
    return [int(pid) for pid in (folder / "calls").read_text().split()]


@pytest.fixture(scope="module")
def interrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that somebody pressed Ctrl-C in, two of three pages done."""
    folder = tmp_path_factory.mktemp("interrupted")
    with hanging(folder) as process:
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(60) == 1
    return folder


def test_ctrl_c_ends_a_run_at_once(interrupted: Path) -> None:
    assert (interrupted / "out").read_bytes() == b""
    assert (interrupted / "err").read_bytes() == b"bonmun: Stopped; run the same command to resume.\n"
    assert all(map(is_gone, children(interrupted)))


def test_a_run_goes_on_where_it_was_stopped(interrupted: Path) -> None:
    (interrupted / "hang").unlink()
    before = len(children(interrupted))
    done = command("bench", *HANGING, cwd=interrupted)
    assert (done.stderr, done.returncode) == (b"", 0)
    assert {*figures(done.stdout.decode())} == {METHOD, "oracle", "hangs_here:extract"}
    assert (before, len(children(interrupted))) == (3, 4)


def test_a_run_that_is_ended_leaves_no_children(tmp_path: Path) -> None:
    with hanging(tmp_path) as process:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
    found = {*children(tmp_path)}
    gone = comes(lambda: all(map(is_gone, found)))
    for pid in () if gone else found:
        os.kill(pid, signal.SIGKILL)
    assert gone


def test_a_run_under_nohup_outlives_the_terminal(tmp_path: Path) -> None:
    with hanging(tmp_path, first="trap '' HUP") as process:
        process.send_signal(signal.SIGHUP)
        ended = comes(lambda: process.poll() is not None, 1)
        process.send_signal(signal.SIGINT)
        process.wait(60)
    assert not ended


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which labels were made, until somebody pressed Ctrl-C."""
    folder = tmp_path_factory.mktemp("stopped")
    rows = [{**ROWS[0], "id": f"p{n}"} for n in range(1_000)]  # not done before Ctrl-C is pressed
    (folder / "set.jsonl").write_text(lines(*rows), encoding="utf-8")
    (folder / "labels.jsonl").write_text("old", encoding="utf-8")
    with started(folder, "align", "set.jsonl", "-o", "labels.jsonl") as process:
        assert comes((folder / "labels.jsonl.part").exists)
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(60) == 1
    return folder


def test_ctrl_c_leaves_no_half_of_the_labels(stopped: Path) -> None:
    assert b"bonmun: Stopped" in (stopped / "err").read_bytes()
    assert (stopped / "labels.jsonl").read_text() == "old"
    assert "labels.jsonl.part" not in files(stopped)


def test_ctrl_c_says_that_no_labels_were_made(stopped: Path) -> None:
    assert b"goes on" not in (stopped / "err").read_bytes()


def test_what_is_missing_is_told_before_the_work(bench: Bonmun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    result = bench("set.jsonl", "--timed", "0", "--cache", "kept")
    assert (result.stdout, result.exit_code) == ("", 2)
    assert "pip install 'bonmun[bench]'" in result.stderr


def test_wrong_use_reaches_the_shell(tmp_path: Path) -> None:
    done = command("bench", "missing.jsonl", cwd=tmp_path)
    assert (done.stdout, done.returncode) == (b"", 2)
    assert done.stderr == b"bonmun: missing.jsonl: no such file or folder.\n"


def unread(folder: Path, *args: str) -> CompletedProcess[bytes]:
    """A run that nobody reads the table of."""
    (folder / "set.jsonl").write_text(lines(*ROWS), encoding="utf-8")
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return command("bench", *args, stdout=writer, cwd=folder)
    finally:
        os.close(writer)


def test_a_report_is_written_though_nobody_reads_the_table(tmp_path: Path, warm: list[str]) -> None:
    done = unread(tmp_path, "set.jsonl", *warm, "--report", "out")
    assert (done.stderr.count(b"cannot be written"), done.returncode) == (0, 0)
    assert (tmp_path / "out/summary.md").exists()
