"""A report: a folder of web pages about many pages, which needs no server.

site/index.html          table of the pages by site, which can be sorted and filtered
site/pages.csv           the same table as CSV
site/pages/NAME.html     one page in the inspector; NAME.js beside it holds its data, at most 200 kB together
site/static/             scripts and styles
site/rows.jsonl          rows of the table, one per line, from which an interrupted run is resumed
"""

from __future__ import annotations

import csv
import io
import json
from html import escape
from typing import TYPE_CHECKING, Any

from bonmun.app.inspector.bundle import bundle_modules, read_static
from bonmun.app.inspector.report_work import ReportTask, make_problem_row, name_page, run_report_tasks
from bonmun.errors import BadConfig, BonmunError
from bonmun.lab.annotate.page_sources import PageSource
from bonmun.text.csv_cells import escape_formula
from bonmun.work.files import write_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bonmun.lab.annotate.open_pages import OpenPages
    from bonmun.rules.rule_set import RuleSet

__all__ = ["ReportSummary", "escape_script", "write_report"]

STYLE_FOLDER = "styles"
STYLES = ("theme.css", "layout.css", "panels.css", "report.css")
ROWS = "rows.jsonl"
CSV_COLUMNS = ("site", "name", "url", "title", "language", "kind", "confidence", "words", "share", "blocks", "problem")
SERVED = "/inspector/static/"
MODULE = f'<script type="module" src="{SERVED}main.js"></script>'
# A page opened as a file has no origin, so files beside it are allowed by their scheme.
POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file: 'unsafe-inline'; img-src 'self' file: data:; "
    "font-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'"
)


class ReportSummary:
    """Counts of pages: done, failed, and already in the report before."""

    def __init__(self) -> None:
        self.done = self.failed = self.before = 0


def write_report(
    open_pages: OpenPages,
    output: Path,
    methods: tuple[str, ...],
    *,
    title: str,
    workers: int = 1,
    seconds: float = 30.0,
    rules: RuleSet | None = None,
    report_failure: Callable[[str, str], None] = lambda name, says: None,
    progress: Callable[[int], None] = lambda done: None,
) -> ReportSummary:
    """Write a report on all open pages; `report_failure` gets failed pages, `progress` the number of finished ones."""
    pages = output / "pages"
    pages.mkdir(parents=True, exist_ok=True)
    (output / "static").mkdir(exist_ok=True)
    known = _read_rows(output / ROWS)
    rows: dict[int, dict[str, Any]] = {}
    names: dict[int, str] = {}
    summary = ReportSummary()

    def choose() -> Iterator[ReportTask]:
        for entry in open_pages.pages:
            try:
                source = open_pages.load(entry.number)
            except BonmunError as problem:
                task = ReportTask(entry.number, PageSource(entry.name, None, b""), methods)
                finish(*make_problem_row(task, str(problem)))
                continue
            name = names[entry.number] = name_page(source, methods, rules)
            if name in known and (pages / f"{name}.js").is_file():
                rows[entry.number] = known[name]
                summary.before += 1
                continue
            yield ReportTask(entry.number, source, methods, rules)

    def finish(number: int, row: dict[str, Any], script: str | None) -> None:
        if "problem" in row:
            summary.failed += 1
            report_failure(row["name"], row["problem"])
        else:
            summary.done += 1
        if script is not None:
            row["file"] = names[number]
            write_text(pages / f"{names[number]}.js", script)
            write_text(pages / f"{names[number]}.html", _write_page(names[number], row["name"]))
            with (output / ROWS).open("a", encoding="utf-8", errors="replace") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        rows[number] = row
        progress(len(rows))

    for done in run_report_tasks(choose(), workers, seconds):
        finish(*done)
    _write_static(output)
    table = [rows[number] for number in sorted(rows)]
    write_text(output / "index.html", _write_index(title, methods, table))
    write_text(output / "pages.csv", _write_csv(table))
    return summary


def _read_rows(path: Path) -> dict[str, dict[str, Any]]:
    """Return the rows of an earlier run by file name; broken lines are ignored."""
    rows: dict[str, dict[str, Any]] = {}
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except FileNotFoundError:
        return rows
    except OSError as problem:
        raise BadConfig(f"{path}: cannot be read: {problem.strerror}.") from None
    for line in lines:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):  # the last line of a killed run
            continue
        if isinstance(row, dict) and isinstance(row.get("file"), str):
            rows[row["file"]] = row
    return rows


def escape_script(json_text: str) -> str:
    """Escape JSON for a script: nothing in it can end the script or a line."""
    escaped = json_text.replace("<", "\\u003c").replace(">", "\\u003e")
    return escaped.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _write_page(name: str, title: str) -> str:
    """Return the inspector's page with the scripts and data of the report."""
    scripts = f'<script src="{name}.js" defer></script>\n<script src="../static/inspector.js" defer></script>'
    back = '<a class="back" href="../index.html" aria-label="All pages">←</a>\n  <h1>'
    html = read_static("index.html").replace(MODULE, scripts)
    html = html.replace(f"{SERVED}{STYLE_FOLDER}/", "../static/").replace(SERVED, "../static/")
    html = html.replace("<h1>", back, 1).replace("<title>bonmun inspector</title>", f"<title>{escape(title)}</title>")
    return html.replace('<meta charset="utf-8">', f'<meta charset="utf-8">\n{_write_policy()}', 1)


def _write_index(title: str, methods: tuple[str, ...], rows: list[dict[str, Any]]) -> str:
    data = escape_script(json.dumps({"title": title, "methods": methods, "rows": rows}, ensure_ascii=False))
    html = read_static("report.html").replace("{title}", escape(title)).replace("{policy}", _write_policy())
    return html.replace("{data}", data)


def _write_csv(rows: list[dict[str, Any]]) -> str:
    """Return the table as CSV; it starts with a byte order mark, without which Excel reads another encoding."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for row in rows:
        cells = ("" if row.get(name) is None else row[name] for name in CSV_COLUMNS)
        writer.writerow([escape_formula(cell) if isinstance(cell, str) else cell for cell in cells])
    return f"\ufeff{file.getvalue()}"


def _write_policy() -> str:
    return f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">'


def _write_static(output: Path) -> None:
    """Write the scripts and styles that all pages share."""
    write_text(output / "static" / "icon.svg", read_static("icon.svg"))
    for name in STYLES:
        write_text(output / "static" / name, read_static(f"{STYLE_FOLDER}/{name}"))
    write_text(output / "static" / "inspector.js", bundle_modules("main.js"))
    write_text(output / "static" / "report.js", bundle_modules("report.js"))
