"""The report: HTML page, plots, diffs, Markdown summary, rows, and terminal output."""

from __future__ import annotations

import csv
import gzip
import json
import math
import re
from functools import partial
from html import escape
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
import turbohtml
from made_results import f1, made
from markdown_it import MarkdownIt

from bonmun.lab.evaluate.cache import Cache
from bonmun.lab.evaluate.metrics.scores import Scorer
from bonmun.lab.evaluate.report.report import write_report
from bonmun.lab.evaluate.report.summary import format_for_terminal, format_markdown, write_rows
from bonmun.lab.evaluate.results import BenchResults, PageInfo, Row, SystemInfo
from bonmun.lab.evaluate.systems.answers import Answer, System
from bonmun.lab.evaluate.workers import Outcome
from bonmun.lab.gold.datasets import read_dataset

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from turbohtml import Element

    from bonmun.lab.gold.examples import Example

IMG = "<img src=x onerror=alert(1)>"
SCRIPT = "</script><script>alert(1)</script>"
QUOTE = "\"'><b onclick=alert(1)>"
ARABIC = "عاد الضوء إلى المنارة القديمة في آخر الرصيف بعد ثلاثين عاما"
VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
MARKDOWN = MarkdownIt("commonmark").enable("table")


# --- a report --------------------------------------------------------------------------------------------------------

KEPT, LOST = f"Kept, the first {SCRIPT}", f"Lost, the second {IMG}"
LIST = f"<p>Words</p><ul><li>{escape(KEPT)}<li>{escape(LOST)}</ul>"


def good(example: Example) -> Answer:
    return Answer(f"Menu {SCRIPT} {IMG} &amp; \ud800 {example.text or ''}\n{''.join(example.wanted)}")


def other(example: Example) -> Answer:
    return Answer((example.text or "")[10:])


ROWS: list[dict[str, Any]] = [
    {"id": f"hostile {IMG} {QUOTE}", "text": f"Words {SCRIPT}", "kind": f"k{QUOTE}", "lang": f"l{IMG}", "title": "T"},
    {"id": "arabic", "text": ARABIC, "kind": "article", "lang": "ar"},
    {"id": "a|b\nc", "text": "One two three four five six.", "kind": "a|b", "lang": "en"},
    {"id": "strings", "wanted": ["lit"], "kind": "news", "lang": "en"},
    {"id": f"incomplete {IMG}", "html": LIST, "must": ["Kept, the first"], "wanted": [KEPT], "lang": "en"},
]


def written(folder: Path, names: Sequence[str] = ("auto", "peer", "fails", "oracle")) -> tuple[Path, BenchResults]:
    """Write a report on a few pages, without child processes."""
    file = folder / "set <b>&.jsonl"
    rows = [{"html": "<p>Words", **row, "id": f"{row['id']}{n or ''}"} for n in range(5) for row in ROWS]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    dataset = read_dataset(file)
    groups: list[Any] = ["method", "peer", "peer", "oracle"]
    runs = (good, other, other, other)
    systems = [
        System(name, group, partial(str, "1.0"), run) for name, group, run in zip(names, groups, runs, strict=True)
    ]
    results = BenchResults(
        [(dataset.name, dataset.summary)], [SystemInfo(s.name, s.version(), s.group) for s in systems]
    )
    with Cache(folder / "kept") as cache:
        for number, example in enumerate(dataset):
            kind, lang = example.kind or "", example.lang or ""
            results.add_page(PageInfo(dataset.name, example.id, lang, kind, None))
            for system in systems:
                error = f"Error: {SCRIPT}{IMG}| {example.id}"[:200] if system.name == "fails" else None
                answer = Answer() if error else system.run(example)
                scores = Scorer(example)(answer, failed=bool(error))
                outcome = Outcome(answer, 1.0, error, scores)
                results.add(number, system.name, outcome)
                if not error:
                    cache.put(example, system, outcome)
        cache.flush()
        results.times["auto"] = {0: 2.0}
        results.times["peer"] = {0: 5.0}
        files = write_report(
            folder / "deep" / "report",
            results,
            [dataset],
            systems,
            cache,
            reference="peer",
            introduction=f"`bonmun bench {IMG}`\n\nToday {IMG}.",
        )
    assert [file.name for file in files][:3] == ["index.html", "summary.md", "rows.csv.gz"]
    assert sorted((folder / "deep" / "report").iterdir()) == sorted(files)
    return folder / "deep" / "report", results


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("report"))[0]


@pytest.fixture(scope="module")
def html(report: Path) -> str:
    return (report / "index.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(html: str) -> turbohtml.Document:
    return turbohtml.parse(html, strict=True)


class Balance(HTMLParser):
    """An HTML parser that fails on unbalanced elements and duplicate attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs)
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def balanced(html: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = Balance()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser.tags


def test_the_page_is_well_formed(html: str) -> None:
    tags = balanced(html)
    ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = {attributes["href"] for tag, attributes in tags if tag == "a"}
    assert links == {"#set0", "#systems"}
    assert {f"#{name}" for name in ids} >= links
    assert html.startswith('<!doctype html><html lang="en"><head><meta charset="utf-8">')


def test_the_page_is_self_contained(html: str) -> None:
    tags = balanced(html)
    assert {tag for tag, _ in tags} & {"img", "link", "iframe", "object", "embed", "base", "audio", "video"} == set()
    names = {name for _, attributes in tags for name in attributes}
    assert names & {"src", "srcset", "action", "data", "poster", "background", "xlink:href", "style"} == set()
    assert not [name for name in names if name.startswith("on")]
    styles = "".join(re.findall(r"<style>(.*?)</style>", html, re.S))
    assert not re.search(r"@import|url\(|expression", styles)
    assert not re.search(r"fetch|XMLHttp|import|innerHTML|eval", html.rpartition("<script>")[2])
    assert "http" not in re.sub(r"<main>.*</main>", "", html, flags=re.S)


def test_page_contents_are_escaped(page: turbohtml.Document) -> None:
    assert [len(page.select(tag)) for tag in ("script", "style", "img", "[onerror]", "[onclick]", "h1")] == [
        1,
        1,
        0,
        0,
        0,
        1,
    ]
    text = page.text
    for shown in (f"hostile {IMG} {QUOTE}", f"k{QUOTE}", f"l{IMG}", f"Error: {SCRIPT}", "set <b>&", f"Today {IMG}."):
        assert shown in text, shown
    assert page.select("header code")[0].text == f"bonmun bench {IMG}"
    assert [each for each in page.select(".diff") if f"{SCRIPT} {IMG}"[2:] in each.text]


def test_system_names_are_escaped(tmp_path: Path) -> None:
    folder, _ = written(tmp_path, (f"a:{IMG}", f"b:{IMG}", "fails", "oracle"))
    found = turbohtml.parse((folder / "index.html").read_text(encoding="utf-8"))
    assert found.select("img") == []


def test_right_to_left_texts_have_automatic_direction(page: turbohtml.Document) -> None:
    texts = [each for each in page.select(".diff") if "المنارة" in each.text]
    assert len(texts) == 2 * 5
    assert {each.attrs.get("dir") for each in page.select(".diff")} == {"auto"}


def cells(table: Element) -> list[list[Element]]:
    return [row.select("td") for row in table.select("tbody tr")]


def test_tables_can_be_sorted(page: turbohtml.Document) -> None:
    *tables, systems = page.select("table")
    assert len(tables) == 6
    for table in tables:
        for name, *row in cells(table):
            assert name.attrs.get("data-value") is None
            assert len(row) == len(table.select("thead th")) - 1
            assert all(cell.attrs.get("data-value") for cell in row if cell.text)
            assert all(math.isfinite(float(str(cell.attrs.get("data-value", 0)))) for cell in row)
    assert {cell.text for _, _, cell, _ in cells(systems)} == {"0", "25"}
    assert all(cell.text == cell.attrs.get("data-value") for _, _, cell, _ in cells(systems))
    values = {row[0].text: (row[3].text, str(row[3].attrs["data-value"])) for row in cells(tables[0])}
    assert {name: float(value) for name, (_, value) in values.items()} == pytest.approx(
        {name: float(text) for name, (text, _) in values.items()}, abs=6e-4
    )


def test_differences_have_sort_keys(page: turbohtml.Document) -> None:
    items = page.select("details[data-gap]")
    gaps = [float(str(item.attrs["data-gap"])) for item in items]
    assert gaps == sorted(gaps)
    assert {"article", "a|b", f"k{QUOTE}"} == {item.attrs["data-kind"] for item in items}
    assert {"ar", "en", f"l{IMG}"} == {item.attrs["data-lang"] for item in items}
    menu = page.select_one("select")
    assert menu is not None
    assert page.select(f"#{menu.attrs['data-list']}")


def test_incomplete_units_are_shown_escaped(page: turbohtml.Document) -> None:
    items = [item for item in page.select("details") if f"list · incomplete {IMG}" in item.text]
    assert len(items) == 5
    kept, lost = (part.text for part in items[0].select(".diff"))
    assert (kept, lost) == (KEPT, LOST)
    assert [place.text for place in items[0].select("code")] == ["/html/body/ul[1]"]
    assert "keeps in part" in "".join(head.text for head in page.select("h3"))


# --- Markdown --------------------------------------------------------------------------------------------------------


def tables_of(text: str) -> list[list[list[str]]]:
    """Read the tables of a Markdown text as rows of cells."""
    found = turbohtml.parse(MARKDOWN.render(text))
    return [
        [[cell.text for cell in row.select("th, td")] for row in table.select("tr")] for table in found.select("table")
    ]


def test_the_summary_has_every_table() -> None:
    values = f1(auto=[1.0, 0.5], peer=[0.5, 0.5], oracle=[1.0, 1.0])
    pages = [PageInfo(name, "a", "en", "news", None) for name in ("one", "two")]
    text = format_markdown(made(values, pages, {(0, "peer"): "it died"}), None, "# Measured\n\nSo.")
    tables = tables_of(text)
    assert text.startswith("# Measured\n\nSo.\n\n## All sets\n\n")
    assert [len({len(row) for row in table}) for table in tables] == [1] * 4
    assert tables[0][1] == ["auto", "1.000", "0.500", "0.750"]
    assert tables[3][2] == ["peer", "1.0", "1", "it died (1)"]
    assert "| auto | **1.000** | **0.500** |" in text
    assert re.findall(r"^#+ .*", text, re.M)[1:] == [
        "## All sets",
        "## one",
        "### one: words",
        "## two",
        "### two: words",
        "## Systems",
    ]


@pytest.mark.parametrize(
    "reason",
    [
        "ValueError: a|b || c",
        "LookupError:\n\n***\n  Resource",
        f"Error: {IMG}",
        "Error: *b* _i_ `c`",
    ],
)
def test_reasons_stay_in_one_cell(reason: str) -> None:
    results = made(f1(auto=[1.0], peer=[0.0]), failed={(0, "peer"): reason})
    last = tables_of(format_markdown(results, None, "#"))[-1][-1]
    assert last[:3] == ["peer", "1.0", "1"]
    assert last[3] == f"{' '.join(reason.split())} (1)"


def test_kinds_stay_in_one_cell() -> None:
    pages = [PageInfo("set", f"{n}", "en", kind, None) for kind in ("a|b", "news") for n in range(5)]
    tables = tables_of(format_markdown(made(f1(auto=[1.0] * 10), pages), None, "#"))
    assert tables[1][0] == ["system", "a|b (5)", "news (5)"]


# --- rows and the terminal -------------------------------------------------------------------------------------------


def test_rows_are_written_as_csv(report: Path, tmp_path: Path) -> None:
    folder, results = written(tmp_path)
    data = (report / "rows.csv.gz").read_bytes()
    assert data == (folder / "rows.csv.gz").read_bytes()  # no timestamp and no file name
    with gzip.open(folder / "rows.csv.gz", "rt", encoding="utf-8", newline="") as file:
        head, *rows = list(csv.reader(file))
    assert head == list(Row._fields)
    expected = list(results.rows())
    assert [tuple(row[:7]) for row in rows] == [row[:7] for row in expected]
    assert [float(row[7]) for row in rows] == pytest.approx([row.value for row in expected], rel=1e-5)


def test_rows_are_written_as_parquet(tmp_path: Path) -> None:
    results = made(f1(auto=[1.0, 0.25]))
    assert write_rows(results, tmp_path / "rows.csv.gz", tmp_path / "rows.parquet")
    rows = pq.read_table(tmp_path / "rows.parquet").to_pylist()
    assert rows == [row._asdict() for row in results.rows()]


def test_the_terminal_shows_every_set_and_the_overview() -> None:
    pages = [PageInfo(name, "a", "en", "news", None) for name in ("one", "two")]
    shown = format_for_terminal(made(f1(auto=[1.0, 0.5], peer=[0.5, 0.5]), pages), None)
    assert shown.startswith("one: 1 page\n\nsystem ")
    assert shown.splitlines()[-1].split() == ["peer", "0.500", "0.500", "0.500"]


def test_the_terminal_shows_snippet_scores() -> None:
    results = made({"auto": {"snippets.f1": [0.25], "snippets.accuracy": [0.75]}})
    assert "0.250" in format_for_terminal(results, None)


def test_the_terminal_shows_required_lines_and_units() -> None:
    units: dict[str, Sequence[float | None]] = {"whole.lists_kept": [4], "whole.lists_torn": [1]}
    shown = format_for_terminal(made({"auto": {"must.found": [0.625], "must.kept": [0.5], **units}}), None)
    assert [line.split()[:2] for line in shown.splitlines() if line.startswith("auto")] == [
        ["auto", "0.625"],
        ["auto", "0.750"],
    ]
    shown = format_for_terminal(made({"auto": {"words.f1": [0.125], "edit.similarity": [0.375], **units}}), None)
    assert ("0.125" in shown, "0.375" in shown, "0.750" in shown) == (True, False, True)
