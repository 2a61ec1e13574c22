"""The fuzzer: its changes are repeatable, it finds what is wrong and makes it small, and it finds nothing in small shapes."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from scripts.figures.html5lib_tests import find_cause, read_case
from scripts.figures.mutants import make_mutants
from scripts.fuzz import __main__ as fuzz
from scripts.fuzz.checks import Fault, find_excess, find_harm, find_malformed, find_other_words
from scripts.fuzz.findings import Findings
from scripts.fuzz.judge import Verdict, find_slow, judge_page
from scripts.fuzz.mutate import CHANGES, MAX_CHARACTERS, encode_page, mutate
from scripts.fuzz.pages import make_small_shapes
from scripts.fuzz.shapes.shape import P
from scripts.fuzz.shrink import shrink
from scripts.fuzz.stages import run_stages
from scripts.fuzz.workers import Judged, Task, judge_all

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PAGE = (
    f"<html><head><title>T</title></head><body class=a id=b>{P}<ul><li>item<li><a href=x>link</a></ul>{P}</body></html>"
)
OTHER = "<table><tr><th>head<td>cell</table><pre>code</pre>"
WRITTEN = run_stages(PAGE, "all").written


# --- changes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_every_change_changes_a_page_and_takes_any(change: Callable[[Random, str, str], str]) -> None:
    assert any(change(Random(seed), PAGE, OTHER) != PAGE for seed in range(5))
    for html in ("", "words", "<"):
        change(Random(1), html, "")


def test_mutants_are_the_same_for_the_same_seed() -> None:
    made = [mutate(Random(seed), PAGE, OTHER) for seed in range(50)]
    assert made == [mutate(Random(seed), PAGE, OTHER) for seed in range(50)]
    assert len(set(made)) > 40
    assert max(map(len, made)) <= MAX_CHARACTERS
    assert [encode_page(Random(seed), PAGE) for seed in range(50)] == [
        encode_page(Random(seed), PAGE) for seed in range(50)
    ]


# --- checks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "old", "new", "kind"),
    [
        ("xml", "</TEI>", "", "xml is malformed"),
        ("html", "</p>", "", "html is malformed"),
        ("json", "}", "", "json is malformed"),
        ("json", "item", "other", "json holds another text"),
        ("text", "item", "\ud800", "text cannot be encoded"),
    ],
)
def test_malformed_formats_are_found(name: str, old: str, new: str, kind: str) -> None:
    assert not list(find_malformed(WRITTEN))
    changed = WRITTEN | {name: WRITTEN[name].replace(old, new)}
    assert kind in [fault.kind for fault in find_malformed(changed)]


@pytest.mark.parametrize("name", ["html", "xml", "markdown"])
def test_other_words_are_found(name: str) -> None:
    assert not list(find_other_words(WRITTEN))
    (fault,) = find_other_words(WRITTEN | {name: WRITTEN[name].replace("item", "other")})
    assert fault == Fault(f"{name} holds other words", "'item link Some words that' is 'other link Some words that'")


@pytest.mark.parametrize(
    ("name", "old", "new", "kind"),
    [
        ("html", "https:", "javascript:", "html holds an unsafe address"),
        ("html", "https:", " &#1;java&#10;script:", "html holds an unsafe address"),
        ("html", "<p>", "<p onclick='x'>", "html holds an attribute that is not ours"),
        ("html", "<p>", "<p><script></script>", "html holds a tag that is not ours"),
        ("xml", "https:", "vbscript:", "xml holds an unsafe address"),
        ("markdown", "https:", "javascript:", "markdown holds an unsafe address"),
        ("markdown", "item", "<javascript:x>", "markdown holds an unsafe address"),
        ("markdown", "item", "<img src=x onerror=y>", "markdown holds an attribute that is not ours"),
    ],
)
def test_harm_is_found(name: str, old: str, new: str, kind: str) -> None:
    assert not list(find_harm(WRITTEN))
    assert kind in [fault.kind for fault in find_harm(WRITTEN | {name: WRITTEN[name].replace(old, new)})]


def test_long_output_and_long_times_are_found() -> None:
    assert not list(find_excess(WRITTEN, len(PAGE)))
    assert [fault.kind for fault in find_excess({"text": "a" * 110_000}, 10)] == ["text is too long"]
    assert not list(find_slow({"parse": 0.05, "label": 0.05, "xml": 0.1}, 0.005))
    assert [fault.kind for fault in find_slow({"parse": 0.05, "label": 0.08, "xml": 0.1}, 0.005)] == [
        "text is slow, mostly label",
        "everything is slow, mostly xml",
    ]


def test_errors_of_bonmun_are_no_findings_and_others_are(monkeypatch: pytest.MonkeyPatch) -> None:
    assert judge_page(" ").refused == "EmptyInput"
    assert not judge_page(" ").faults

    def fail(*_: object) -> None:
        raise KeyError("lost")

    monkeypatch.setattr("bonmun.outputs.html.write", fail)
    assert judge_page(PAGE).faults == [
        Fault("error in html: KeyError in __init__.py:render", "KeyError: 'lost' in __init__.py:render")
    ]


# --- runs ------------------------------------------------------------------------------------------------------------


def test_prices_around_a_link_are_no_formula() -> None:
    """As in Pandoc and on GitHub; otherwise the link would be part of a formula, and its words lost."""
    for page in ("<p>$5 <a href=k>or</a> $6 a day", "<p>From $<a href=k>5</a> to $<a href=k>6</a>", "$<a href=k>$2"):
        assert not judge_page(page, "all").faults


def test_a_page_is_shrunk_to_what_matters() -> None:
    assert shrink(PAGE, lambda html: "<li>" in html and "T" in html, 10) == "T<li>"
    assert shrink(PAGE, lambda _: True, -1) == PAGE


def test_findings_are_counted_by_kind_and_the_worst_is_saved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    findings = Findings(tmp_path / "out")
    for page, times in (("long page", 1.0), ("\ud800", 1.0), (b"slow", 2.0), ("s", 1.0)):
        fault = Fault("slow" if page in (b"slow", "s") else "error", "said so", times)
        findings.add(Judged(Task(page, "auto", "made up"), Verdict([fault])))
    findings.save(seconds=0)
    findings.print()
    assert sorted(file.read_bytes() for file in (tmp_path / "out").iterdir()) == [b"slow", b"\xed\xa0\x80"]
    assert capsys.readouterr().out.startswith("2 kinds of findings")


@pytest.mark.slow
def test_no_small_shape_has_a_fault() -> None:
    """Times are left to `make fuzz`: this runs beside other tests."""
    tasks = [Task(html, "auto", name) for name, html in make_small_shapes()][::2]
    judged = list(judge_all(tasks, 2))
    assert len(judged) == len(tasks) > 300
    faults = {(task.name, fault) for task, verdict in judged for fault in verdict.faults if " slow" not in fault.kind}
    assert not faults


@pytest.mark.slow
def test_a_page_over_its_time_is_a_finding_and_the_next_one_is_judged() -> None:
    tasks = [Task("<p>word</p>" * 20_000, "auto", "long"), Task("<p>word", "auto", "short")]
    long, short = judge_all(tasks, 1, stage_seconds=0.1)
    assert long.verdict.faults[0].kind.startswith("hang in ")
    assert not short.verdict.faults


@pytest.mark.slow
def test_a_short_run_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "page.html").write_text(PAGE)
    given = ["--inputs", "20", "--seed", "1", "--workers", "1", "--shrink", "0", "--no-shapes"]
    code = fuzz.main([*given, "--pages", str(tmp_path), "--out", str(tmp_path / "out")])
    said = capsys.readouterr().out
    assert "seed 1: 0 shapes, 1 pages, 20 inputs made of them" in said
    assert "40 executions in" in said
    assert code == ("0 kinds of findings" not in said)


def test_mutants_of_a_set_go_on_where_they_stopped(tmp_path: Path) -> None:
    (tmp_path / "set.jsonl").write_text('{"id": "a", "html": "<p>one"}\n{"id": "b", "html": "<p>two"}\n')
    made = list(make_mutants(tmp_path, 6, 1, set()))
    assert [task.name for task in made[:2]] == ["0 text: set a", "0 bytes: set a"]
    assert len(made) == 12
    assert made[5:] == list(make_mutants(tmp_path, 6, 1, {task.name for task in made[:5]}))


@pytest.mark.parametrize(
    ("html", "tree", "cause"),
    [
        ("<p>One", '| <html>\n|   <head>\n|   <body>\n|     <p>\n|       "One"', ""),
        ("<p a=b>x\ny", '| <html>\n|   <head>\n|   <body>\n|     <p>\n|       a="b"\n|       "x\ny"', ""),
        ("<p>One", '| <html>\n|   <head>\n|   <body>\n|     <p>\n|       "Two"', "the parser's tree differs, in a case of made"),
        ("", "| <html>\n|   <head>\n|   <body>", "refused: EmptyInput"),
    ],
)  # fmt: skip
def test_trees_of_html5lib_tests_are_compared(html: str, tree: str, cause: str) -> None:
    assert find_cause(read_case("made up", f"{html}\n#errors\n(1,0): x\n#document\n{tree}\n")) == cause
