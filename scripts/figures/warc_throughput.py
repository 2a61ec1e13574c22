"""Measure pages per second from a WARC file to Parquet on all cores, and the share of each step.

`python -m scripts.figures.warc_throughput [PAGES]` writes pages of wcxb-dev into a WARC file, compressed page by page
as those of Common Crawl. bonmun writes Markdown and metadata, text and metadata, or text; resiliparse writes text. All
read the file with the same reader and write with the same writer; they take turns, three times. The steps are measured
one by one on one core: processor time of a page.
"""

from __future__ import annotations

import gzip
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING

import pyarrow as pa

from bonmun.extraction import Extraction
from bonmun.page.parse.decode import decode
from bonmun.scale.corpus.batches import ExtractJob, make_batches
from bonmun.scale.corpus.engine import run
from bonmun.scale.corpus.output import Output
from bonmun.scale.corpus.sources.reader import Reader
from scripts.figures.throughput import RUNS, SCHEMA, SECONDS, SET, PeerJob
from scripts.labelled import read_rows
from scripts.made_sites import write_warc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bonmun.scale.corpus.engine import BatchJob

PAGES = 600
CHUNK_BYTES = 1 << 20
MORE_TIMES = 4  # that all pages are sent, to tell the transfer from the start of the processes
METADATA = ("title", "author", "date", "language", "kind", "site_name")


@dataclass(frozen=True)
class EchoJob:
    """Returns a text as long as the Markdown of a page: what is left is the transfer between processes."""

    chars: int

    def run(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> Iterator[pa.RecordBatch]:
        """Return rows without looking at the pages."""
        rows = [{"id": each, "text": "x" * self.chars, "error": None} for each in batch.column("id").to_pylist()]
        yield pa.RecordBatch.from_pylist(rows, schema=SCHEMA)

    def make_failures(self, batch: pa.RecordBatch, reason: str) -> pa.RecordBatch:
        """Return rows without a text."""
        return PeerJob("resiliparse").make_failures(batch, reason)


def write_pages(path: Path, count: int) -> int:
    """Write pages into a WARC file; return how many there are."""
    rows = [
        {
            "id": f"urn:uuid:{number}",
            "url": f"https://site{number}.example/",
            "html": row["html"],
            "crawled": "2026-03-04T09:00:00Z",
        }
        for number, row in enumerate(read_rows(SET, covered=0, limit=count))
    ]
    write_warc(rows, path)
    return len(rows)


def extract_file(job: BatchJob, schema: pa.Schema, source: Path, target: Path, workers: int) -> int:
    """Extract the pages of a WARC file into a Parquet file; return their number."""
    target.unlink(missing_ok=True)
    with Output(target, schema, {}) as output:
        for results in run(job, make_batches(Reader([str(source)])), workers, SECONDS):
            output.write(results)
        output.finish()
    return output.done


def measure_steps(source: Path, folder: Path, job: ExtractJob, pages: int, workers: int) -> dict[str, float]:
    """Return the milliseconds of a page that each step takes."""
    seconds: dict[str, float] = {}

    def measure(name: str, step: Callable[[], object]) -> None:
        start = process_time()
        step()
        seconds[name] = process_time() - start

    batches: list[pa.RecordBatch] = []
    results: list[pa.RecordBatch] = []

    def decompress() -> None:
        with gzip.open(source) as file:
            while file.read(CHUNK_BYTES):
                pass

    def extract() -> None:
        for batch in batches:
            results.extend(job.run(batch))

    def write() -> None:
        with Output(folder / "written.parquet", job.schema, {}) as output:
            output.write(results)
            output.finish()

    measure("decompression", decompress)
    measure("reading, with decompression", lambda: batches.extend(make_batches(Reader([str(source)]))))
    sources = [html for batch in batches for html in batch.column("html").to_pylist()]
    measure("decoding", lambda: [decode(html, "utf-8") for html in sources])
    measure("extraction, with decoding", extract)
    measure("writing", write)
    chars = sum(len(text or "") for batch in results for text in batch.column("markdown").to_pylist()) // pages
    echo: BatchJob = EchoJob(chars)
    once, again = (_measure_transfer(echo, batches * times, workers) for times in (1, 1 + MORE_TIMES))
    seconds["transfer, in all processes together"] = (again - once) / MORE_TIMES  # without starting the processes
    return {name: each / pages * 1e3 for name, each in seconds.items()}


def _measure_transfer(job: BatchJob, batches: list[pa.RecordBatch], workers: int) -> float:
    """Return the processor time that this process and its children need to send batches to and fro."""
    start = _read_processor_time()
    for _ in run(job, iter(batches), workers, SECONDS):
        pass
    return _read_processor_time() - start


def _read_processor_time() -> float:
    """Return the processor time of this process and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def main() -> None:
    """Print one line per run, and one per step."""
    workers = os.cpu_count() or 1
    markdown = ExtractJob(Extraction(format="markdown"), ("id", "url", *METADATA, "markdown"))
    jobs: dict[str, tuple[BatchJob, pa.Schema]] = {
        "bonmun, Markdown and metadata": (markdown, markdown.schema),
        "bonmun, text and metadata": (texts := ExtractJob(columns=("id", "url", *METADATA, "text")), texts.schema),
        "bonmun, text": (plain := ExtractJob(columns=("id", "url", "text")), plain.schema),
        "resiliparse, text": (PeerJob("resiliparse"), SCHEMA),
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "pages.warc.gz"
        pages = write_pages(source, int(sys.argv[1]) if len(sys.argv) > 1 else PAGES)
        print(f"{pages} pages of {SET}, {source.stat().st_size / 1e6:.0f} MB, {workers} processes; pages a second")
        for _ in range(RUNS):
            speeds = {}
            for system, (job, schema) in jobs.items():
                start = perf_counter()
                done = extract_file(job, schema, source, folder / "pages.parquet", workers)
                assert done == pages
                speeds[system] = done / (perf_counter() - start)
            for system, speed in speeds.items():
                print(f"{system:34}{speed:>7.0f}{speed / speeds['resiliparse, text']:>8.2f} × resiliparse", flush=True)
        print("\nMilliseconds of a page, Markdown and metadata, on one core")
        for step, milliseconds in measure_steps(source, folder, markdown, pages, workers).items():
            print(f"{step:38}{milliseconds:>7.2f}")


if __name__ == "__main__":
    main()
