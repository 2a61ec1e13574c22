"""Measure pages per second of the corpus engine on all cores, with bonmun, resiliparse and trafilatura as jobs.

`python -m scripts.figures.throughput` passes the pages of wcxb-dev, as bytes in record batches, through the child
processes of `corpus.engine.run`. All systems return the same rows: id, text, error. They take turns, three times.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from bonmun.scale.corpus.batches import PAGES, ExtractJob
from bonmun.scale.corpus.engine import run
from scripts.labelled import read_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bonmun.scale.corpus.engine import BatchJob

SET = "wcxb-dev"
BATCH_PAGES = 64
RUNS = 3
SECONDS = 60.0  # time limit of a page
SCHEMA = pa.schema([("id", pa.string()), ("text", pa.string()), ("error", pa.string())])


@dataclass(frozen=True)
class PeerJob:
    """A peer as a job of the engine."""

    name: str

    def run(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> Iterator[pa.RecordBatch]:
        """Return the text of every page."""
        rows = []
        for number in range(batch.num_rows):
            at(number)
            row = batch.slice(number, 1).to_pylist()[0]
            rows.append({"id": row["id"], "text": extract_by_peer(self.name, row["html"].decode()), "error": None})
        yield pa.RecordBatch.from_pylist(rows, schema=SCHEMA)

    def make_failures(self, batch: pa.RecordBatch, reason: str) -> pa.RecordBatch:
        """Return rows without a text."""
        rows: list[dict[str, Any]] = [{"id": row["id"], "text": None, "error": reason} for row in batch.to_pylist()]
        return pa.RecordBatch.from_pylist(rows, schema=SCHEMA)


def extract_by_peer(name: str, html: str) -> str:
    """Return the main text by a peer."""
    if name == "resiliparse":
        from resiliparse.extract.html2text import extract_plain_text

        return str(extract_plain_text(html, main_content=True))
    import trafilatura

    return trafilatura.extract(html) or ""


def main() -> None:
    """Print one line per run."""
    rows = [
        {"id": str(number), "url": row.get("url"), "site": row.get("site") or "", "html": row["html"].encode()}
        for number, row in enumerate(read_rows(SET, covered=0))
    ]
    pages = [{name: row.get(name) for name in PAGES.names} for row in rows]
    batches = [
        pa.RecordBatch.from_pylist(pages[start : start + BATCH_PAGES], schema=PAGES)
        for start in range(0, len(pages), BATCH_PAGES)
    ]
    workers = os.cpu_count() or 1
    jobs: dict[str, BatchJob] = {
        "bonmun, text": ExtractJob(columns=("id", "text")),
        "bonmun, text and metadata": ExtractJob(columns=("id", "text", "title", "author", "date")),
        "resiliparse": PeerJob("resiliparse"),
        "trafilatura": PeerJob("trafilatura"),
    }
    print(f"{len(pages)} pages of {SET}, {workers} processes; pages a second")
    for _ in range(RUNS):
        for name, job in jobs.items():
            start = perf_counter()
            done = sum(batch.num_rows for results in run(job, iter(batches), workers, SECONDS) for batch in results)
            assert done == len(pages)
            print(f"{name:24}{done / (perf_counter() - start):>8.0f}", flush=True)


if __name__ == "__main__":
    main()
