"""Format tables for the terminal and as Markdown, and write all values as CSV and Parquet."""

from __future__ import annotations

import csv
import gzip
import io
import re
from typing import TYPE_CHECKING

from bonmun.lab.evaluate.report.check_tables import ACCEPTED, CHECKS
from bonmun.lab.evaluate.report.kept_tables import LINES, UNITS
from bonmun.lab.evaluate.report.structure_tables import EXACT_MATCHES, STRUCTURE
from bonmun.lab.evaluate.report.tables import choose_reference, make_overview, make_set_tables, make_system_table
from bonmun.lab.evaluate.results import Row
from bonmun.text.terminal import format_table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bonmun.lab.evaluate.report.cells import ReportTable
    from bonmun.lab.evaluate.results import BenchResults
    from bonmun.lab.gold.datasets import SetSummary

__all__ = ["describe_set", "format_for_terminal", "format_markdown", "write_rows"]

TERMINAL_TABLES = (
    LINES,
    CHECKS,
    f"{ACCEPTED} by page kind",
    f"{ACCEPTED} by language",
    STRUCTURE,
    EXACT_MATCHES,
    UNITS,
)  # in addition to the first table of each set
MAX_SHOWN_NAMES = 8  # languages, kinds or licences of a set
MAX_SHOWN_BROKEN = 5  # broken records of a set
ROWS_PER_BATCH = 200_000  # of Parquet


def format_for_terminal(results: BenchResults, reference: str | None) -> str:
    """Format the main tables of each set, the overview of all sets, and the failures, for a terminal."""
    parts = []
    for name, summary in results.sets:
        tables = make_set_tables(results, name, choose_reference(results, reference))
        parts.append(f"{name}: {summary.count:,} page{'s' * (summary.count != 1)}")
        parts += [_format_text_table(table) for table in tables if table is tables[0] or table.name in TERMINAL_TABLES]
    overview = make_overview(results)
    if overview:
        parts.append(f"{overview.caption}\n\n{_format_text_table(overview)}")
    rows = make_system_table(results).rows
    problems = [
        f"{name.text} failed on {count.text} page{'s' * (count.value != 1)}: {reasons.text}"
        for name, _, count, reasons in rows
        if count.value
    ]
    if problems:
        parts.append("\n".join(problems))
    return "\n\n".join(parts)


def format_markdown(results: BenchResults, reference: str | None, introduction: str) -> str:
    """Format all tables as Markdown below an introduction."""
    parts = [introduction]
    overview = make_overview(results)
    if overview:
        parts += ["## All sets", overview.caption, _format_markdown_table(overview)]
    for name, summary in results.sets:
        parts += [f"## {name}", describe_set(summary)]
        for table in make_set_tables(results, name, choose_reference(results, reference)):
            parts += [f"### {name}: {table.name}", table.caption, _format_markdown_table(table)]
    parts += ["## Systems", _format_markdown_table(make_system_table(results))]
    return "\n\n".join(part for part in parts if part) + "\n"


def describe_set(summary: SetSummary) -> str:
    """Describe a set in a few sentences."""
    sentences = [f"{summary.count:,} pages, hash `{summary.hash}`."]
    for what, counter in (("Languages", summary.languages), ("Kinds", summary.kinds), ("Licence", summary.licences)):
        named = [
            f"{name} {count:,}" if len(counter) > 1 else name for name, count in counter.most_common(MAX_SHOWN_NAMES)
        ]
        more = f" and {len(counter) - MAX_SHOWN_NAMES} more" if len(counter) > MAX_SHOWN_NAMES else ""
        if [*counter] != ["unknown"]:
            sentences.append(f"{what}: {', '.join(named)}{more}.")
    if summary.broken:
        shown = "; ".join(str(broken) for broken in summary.broken[:MAX_SHOWN_BROKEN])
        more = "; …" if len(summary.broken) > MAX_SHOWN_BROKEN else ""
        sentences.append(f"Broken records: {len(summary.broken)} ({shown}{more}).")
    return " ".join(sentences)


def write_rows(results: BenchResults, csv_file: Path, parquet_file: Path) -> bool:
    """Write all rows as gzipped CSV and, if pyarrow is installed, as Parquet; return whether Parquet was written."""
    with csv_file.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as compressed:
        text = io.TextIOWrapper(compressed, encoding="utf-8", errors="replace", newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(Row._fields)
        for row in results.rows():
            names = (name.replace("\r", " ") for name in row[:-2])  # the csv module does not quote \r
            writer.writerow((*names, f"{row.value:.6g}", f"{row.ms:.4g}"))
        text.flush()
        text.detach()
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        return False
    schema = pa.schema([(name, pa.float64() if name in ("value", "ms") else pa.string()) for name in Row._fields])
    with pq.ParquetWriter(parquet_file, schema) as writer_:
        for batch in _batch_rows(results):
            columns = dict(zip(Row._fields, zip(*batch, strict=True), strict=True))
            writer_.write_table(pa.table(columns, schema))
    return True


def _batch_rows(results: BenchResults) -> Iterator[list[Row]]:
    batch: list[Row] = []
    for row in results.rows():
        batch.append(row)
        if len(batch) >= ROWS_PER_BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _format_text_table(table: ReportTable) -> str:
    return format_table(table.columns, [[cell.text for cell in row] for row in table.rows])


def _format_markdown_table(table: ReportTable) -> str:
    right = ["" if column == 0 else ":" for column in range(len(table.columns))]
    lines = [
        "| " + " | ".join(map(_escape_markdown, table.columns)) + " |",
        "|" + "|".join(f"---{mark}" for mark in right) + "|",
    ]
    for row in table.rows:
        cells = [f"**{_escape_markdown(cell.text)}**" if cell.is_best else _escape_markdown(cell.text) for cell in row]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _escape_markdown(text: str) -> str:
    """Put a text on one line and escape its Markdown and HTML."""
    return re.sub(r"([\\`*_\[\]<>|~&])", r"\\\1", " ".join(text.split()))
