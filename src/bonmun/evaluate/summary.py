"""Tables as text for the terminal and as Markdown for people; rows as CSV and Parquet for programs."""

from __future__ import annotations

import csv
import gzip
import io
import re
from typing import TYPE_CHECKING

from bonmun.evaluate.results import Row
from bonmun.evaluate.tables import Table, overview, reference_of, set_tables, system_table
from bonmun.text.terminal import text_table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bonmun.evaluate.results import Results
    from bonmun.gold.datasets import SetSummary

__all__ = ["markdown", "terminal", "write_rows"]


def terminal(results: Results, reference: str | None) -> str:
    """The tables of words, and all sets side by side."""
    parts = []
    for name, facts in results.sets:
        tables = set_tables(results, name, reference_of(results, reference))
        table = next((table for table in tables if table.rows), tables[0])
        parts.append(f"{name}: {facts.count:,} page{'s' * (facts.count != 1)}\n\n{_text(table)}")
    whole = overview(results)
    if whole:
        parts.append(f"{whole.says}\n\n{_text(whole)}")
    failed = [
        f"{row[0].text} failed on {row[2].text}: {row[3].text}" for row in system_table(results).rows if row[2].value
    ]
    if failed:
        parts.append("\n".join(failed))
    return "\n\n".join(parts)


def markdown(results: Results, reference: str | None, head: str) -> str:
    """All tables under a head that says how they were made."""
    parts = [head]
    whole = overview(results)
    if whole:
        parts += ["## All sets", whole.says, _markdown(whole)]
    for name, facts in results.sets:
        parts += [f"## {name}", describe(facts)]
        for table in set_tables(results, name, reference_of(results, reference)):
            parts += [f"### {name}: {table.name}", table.says, _markdown(table)]
    parts += ["## Systems", _markdown(system_table(results))]
    return "\n\n".join(part for part in parts if part) + "\n"


def describe(facts: SetSummary) -> str:
    """A set in a few sentences."""
    said = [f"{facts.count:,} pages, hash `{facts.hash}`."]
    for what, counter in (("Languages", facts.languages), ("Kinds", facts.kinds), ("Licence", facts.licences)):
        named = [f"{name} {count:,}" if len(counter) > 1 else name for name, count in counter.most_common(8)]
        more = f" and {len(counter) - 8} more" if len(counter) > 8 else ""
        if [*counter] != ["unknown"]:
            said.append(f"{what}: {', '.join(named)}{more}.")
    if facts.broken:
        shown = "; ".join(str(broken) for broken in facts.broken[:5])
        more = "; …" if len(facts.broken) > 5 else ""
        said.append(f"Records that could not be used: {len(facts.broken)} ({shown}{more}).")
    return " ".join(said)


def write_rows(results: Results, csv_file: Path, parquet_file: Path) -> bool:
    """Write all rows as gzipped CSV and, where pyarrow is installed, as Parquet; says whether it is."""
    with csv_file.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed:
        text = io.TextIOWrapper(packed, encoding="utf-8", errors="replace", newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(Row._fields)
        for row in results.rows():
            names = (name.replace("\r", " ") for name in row[:-2])  # csv does not quote it
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
        for batch in _batches(results):
            columns = dict(zip(Row._fields, zip(*batch, strict=True), strict=True))
            writer_.write_table(pa.table(columns, schema))
    return True


def _batches(results: Results, size: int = 200_000) -> Iterator[list[Row]]:
    batch: list[Row] = []
    for row in results.rows():
        batch.append(row)
        if len(batch) >= size:
            yield batch
            batch = []
    if batch:
        yield batch


def _text(table: Table) -> str:
    return text_table(table.columns, [[cell.text for cell in row] for row in table.rows])


def _markdown(table: Table) -> str:
    right = ["" if column == 0 else ":" for column in range(len(table.columns))]
    lines = ["| " + " | ".join(map(_plain, table.columns)) + " |", "|" + "|".join(f"---{mark}" for mark in right) + "|"]
    for row in table.rows:
        cells = [f"**{_plain(cell.text)}**" if cell.best else _plain(cell.text) for cell in row]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _plain(text: str) -> str:
    """As it is, in one line: nothing in it is Markdown or HTML."""
    return re.sub(r"([\\`*_\[\]<>|~&])", r"\\\1", " ".join(text.split()))
