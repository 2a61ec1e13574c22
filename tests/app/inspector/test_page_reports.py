"""Reports: one row per page, errors cost one row, and page content is escaped."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from bonmun.app.inspector.bundle import bundle_modules
from bonmun.app.inspector.report import _read_rows, escape_script
from bonmun.app.inspector.report_work import ReportTask, make_report_page, run_report_tasks
from bonmun.lab.annotate.page_sources import PageSource
from samples import SOURCES

if TYPE_CHECKING:
    from pathlib import Path

    from samples import Bonmun

METHODS = ("auto", "rules")
HOSTILE = "<title></script><script>alert(1)</script></title><p>Some words \u2028 to read in a </script> page.</p>"


def read_data(text: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(text[text.index("{") : text.rindex("}") + 1])
    return found


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


@pytest.mark.slow
def test_report_is_resumed_and_bad_pages_are_rows(bonmun: Bonmun, tmp_path: Path) -> None:
    pages = tmp_path / "in"
    (pages / "deep").mkdir(parents=True)
    (pages / "good.html").write_bytes(SOURCES["en-docs"].read_bytes())
    (pages / "deep" / "hostile.html").write_text(HOSTILE)
    (pages / "pdf.html").write_bytes(b"%PDF-1.7 nothing")
    (pages / "empty.html").write_bytes(b"")
    run = bonmun("report", "in", "-o", "site", "--workers", "1", "--heading", "A <b>run")
    assert run.exit_code == 1
    assert "pdf.html: This is a PDF" in run.stderr
    index = (tmp_path / "site" / "index.html").read_text()
    assert "<title>A &lt;b&gt;run</title>" in index
    assert index.count("</script>") == 2
    data = json.loads(re.search(r'id="data">(.*?)</script>', index, re.S)[1])  # type: ignore[index]
    rows = {row["name"]: row for row in data["rows"]}
    assert set(rows) == {"good.html", "deep/hostile.html", "pdf.html", "empty.html"}
    assert "problem" in rows["empty.html"]
    hostile = tmp_path / "site" / "pages" / rows["deep/hostile.html"]["file"]
    script = hostile.with_suffix(".js").read_text()
    assert "</script>" not in script
    page = read_data(script)["page"]
    assert isinstance(page, dict)
    assert page["name"] == "deep/hostile.html"
    written = hostile.with_suffix(".html").stat().st_mtime_ns
    again = bonmun("report", "in", "-o", "site", "--workers", "1")
    assert "The report already had 2 pages" in again.stderr
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
    assert done[0].page is None
    assert done[1].page is not None
