"""Reports: one row per page, errors cost one row, and page content is escaped."""

from __future__ import annotations

import base64
import csv
import gzip
import json
import random
import re
from typing import TYPE_CHECKING, Any

import pytest

from bonmun.app.inspector.bundle import bundle_modules
from bonmun.app.inspector.report import _read_rows, escape_script
from bonmun.app.inspector.report_data import MAX_SCRIPT_BYTES, write_page_script
from bonmun.app.inspector.report_work import ReportTask, make_report_page, name_site, run_report_tasks
from bonmun.lab.annotate.page_sources import PageSource
from samples import SOURCES

if TYPE_CHECKING:
    from pathlib import Path

    from samples import Bonmun

METHODS = ("auto", "rules")
HOSTILE = "<title></script><script>alert(1)</script></title><p>Some words \u2028 to read in a </script> page.</p>"


def read_script(script: str) -> dict[str, Any]:
    packed = re.fullmatch(r'globalThis\.bonmunPage = "([A-Za-z0-9+/=]*)";\n', script)
    assert packed
    found: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    return found


def make_words(count: int) -> str:
    """Return words that hardly compress."""
    letters = random.Random(1)
    return " ".join(f"{letters.getrandbits(40):x}" for _ in range(count))


def test_modules_are_bundled() -> None:
    script = bundle_modules("main.js")
    assert not re.search(r"^(?:import|export)\b", script, re.M)
    assert script.count('modules["core/state.js"] = ') == 1
    assert script.index('modules["core/state.js"] = ') < script.index('modules["view/frame.js"] = ')


def test_json_in_a_script_is_escaped() -> None:
    said = {"a": "</script><!--<script>\u2028\u2029"}
    escaped = escape_script(json.dumps(said, ensure_ascii=False))
    assert "<" not in escaped
    assert "\u2028" not in escaped
    assert json.loads(escaped) == said


def test_rows_of_an_earlier_run_are_read(tmp_path: Path) -> None:
    rows = [{"file": "a", "name": "one\u2028line\x85"}, {"file": "b", "name": "two"}]
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    (tmp_path / "rows.jsonl").write_text("\n".join([*lines, "[" * 100_000, "5", '{"file": "c"']), encoding="utf-8")
    assert _read_rows(tmp_path / "rows.jsonl") == {row["file"]: row for row in rows}


def test_report_page_is_complete() -> None:
    source = PageSource("docs", None, SOURCES["en-docs"].read_bytes())
    row, page = make_report_page(source, METHODS)
    assert row["confidence"] == page["answers"]["auto"]["confidence"]
    assert [each["name"] for each in page["page"]["methods"]] == ["auto", "rules"]
    assert page["agreement"]["auto rules"]["f1"] == pytest.approx(page["agreement"]["rules auto"]["f1"])
    assert 0 < len(row["strip"]) <= 60
    assert max(row["strip"]) > 0 > min(row["strip"])


def test_pages_share_texts() -> None:
    source = PageSource("docs", None, SOURCES["en-docs"].read_bytes())
    page = make_report_page(source, METHODS)[1]
    script = write_page_script(page)
    assert script
    held = read_script(script)
    texts = held["page"]["blocks"]["text"]
    assert texts == [block["text"] for block in page["page"]["blocks"]]
    lines = held["answers"]["auto"]["outputs"]["text"]
    assert sum(isinstance(line, int) for line in lines) > 20
    read = [texts[line] if isinstance(line, int) else line for line in lines]
    assert "\n".join(read) == page["answers"]["auto"]["outputs"]["text"]
    assert "shortened" not in held["page"]


@pytest.mark.parametrize(
    ("html", "left_out"),
    [
        (f"<style>p::before{{content:'{make_words(25_000)}'}}</style><p>Some words to read.</p>", "styles"),
        (f"<p>Some words to read, <a href=/x>and</a> {make_words(7_000)}.</p>", "markdown"),
    ],
)
def test_large_pages_are_shortened(html: str, left_out: str) -> None:
    page = make_report_page(PageSource("large", None, html.encode()), METHODS)[1]
    script = write_page_script(page)
    assert script
    assert len(script) <= MAX_SCRIPT_BYTES
    held = read_script(script)
    assert held["page"]["shortened"]
    assert "Some words to read" in held["page"]["frame"]
    assert "bm-page" not in held["page"]["frame"]
    assert ("markdown" not in held["answers"]["auto"]["outputs"]) == (left_out == "markdown")
    assert "Some words to read" in held["page"]["blocks"]["text"][0]


def test_pages_that_are_too_large_have_no_script() -> None:
    page = make_report_page(PageSource("large", None, f"<p>{make_words(40_000)}</p>".encode()), METHODS)[1]
    assert write_page_script(page) is None


def test_sites_of_pages() -> None:
    assert name_site(PageSource("a", "https://www.example.org/x", b"")) == "example.org"
    assert name_site(PageSource("deep/a.html", None, b""), "https://blog.example.org/x") == "blog.example.org"
    assert name_site(PageSource("in/deep/a.html", None, b"")) == "in/deep"
    assert name_site(PageSource("a.html", None, b"")) == ""


@pytest.mark.slow
def test_report_is_resumed_and_bad_pages_are_rows(bonmun: Bonmun, tmp_path: Path) -> None:
    pages = tmp_path / "in"
    (pages / "deep").mkdir(parents=True)
    (pages / "good.html").write_bytes(SOURCES["en-docs"].read_bytes())
    (pages / "deep" / "hostile.html").write_text(HOSTILE)
    (pages / "pdf.html").write_bytes(b"%PDF-1.7 nothing")
    (pages / "empty.html").write_bytes(b"")
    (pages / "formula.html").write_text("<title>=1+1</title><h1>=1+1</h1><p>Some words to read on this page.</p>")
    run = bonmun("report", "in", "-o", "site", "--workers", "1", "--heading", "A <b>run")
    assert run.exit_code == 1
    assert "pdf.html: This is a PDF" in run.stderr
    index = (tmp_path / "site" / "index.html").read_text()
    assert "<title>A &lt;b&gt;run</title>" in index
    assert index.count("</script>") == 2
    data = json.loads(re.search(r'id="data">(.*?)</script>', index, re.S)[1])  # type: ignore[index]
    rows = {row["name"]: row for row in data["rows"]}
    assert set(rows) == {"good.html", "deep/hostile.html", "pdf.html", "empty.html", "formula.html"}
    assert "problem" in rows["empty.html"]
    hostile = tmp_path / "site" / "pages" / rows["deep/hostile.html"]["file"]
    script = hostile.with_suffix(".js").read_text()
    assert read_script(script)["page"]["name"] == "deep/hostile.html"
    with (tmp_path / "site" / "pages.csv").open(encoding="utf-8-sig", newline="") as file:
        table = {line["name"]: line for line in csv.DictReader(file)}
    assert set(table) == set(rows)
    assert table["deep/hostile.html"]["site"] == "deep"
    assert table["good.html"]["words"] == str(rows["good.html"]["words"])
    assert "PDF" in table["pdf.html"]["problem"]
    assert table["formula.html"]["title"].startswith("'=")
    written = hostile.with_suffix(".html").stat().st_mtime_ns
    again = bonmun("report", "in", "-o", "site", "--workers", "1")
    assert "The report already had 3 pages" in again.stderr
    assert hostile.with_suffix(".html").stat().st_mtime_ns == written
    wrong = bonmun("report", "in", "-o", "site", "--compare", "nonsense")
    assert wrong.exit_code == 2
    assert "nonsense" in wrong.stderr


@pytest.mark.slow
def test_page_over_its_time_limit_is_a_row() -> None:
    slow = PageSource("slow", None, b"<p>word</p>" * 60_000)
    good = PageSource("good", None, b"<p>Some words to read.</p>")
    tasks = [ReportTask(0, slow, METHODS), ReportTask(1, good, METHODS)]
    done = {each.number: each for each in run_report_tasks(tasks, 1, 2.0)}
    assert "over 2 seconds" in done[0].row["problem"]
    assert done[0].script is None
    assert done[1].script is not None
