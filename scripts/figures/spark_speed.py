"""Measure pages per second with Spark and with the local engine, in turns, on one and on two cores.

    .venv/bin/python -m scripts.figures.scale make ../shared/data/crawl-sample.jsonl.xz 6000 pages.jsonl.zst
    .venv/bin/python -m scripts.figures.spark_speed pages.jsonl.zst --folder /tmp/trial --rounds 2

The pages are written to WARC files, one per task. The time includes the start of workers, but not the start of Java;
CPU time is that of all processes from then on. The two engines take turns, so that other load affects both.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from itertools import count
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from bonmun.extraction import Extraction
from scripts.made_sites import write_warc
from scripts.watching import list_process_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

TICKS = os.sysconf("SC_CLK_TCK")  # per second


def main() -> None:
    """Prepare the pages, and measure each engine in a separate process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="?")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--cores", type=int, action="append")
    parser.add_argument("--files", type=int, default=4)
    parser.add_argument("--method", default="auto")
    parser.add_argument("--engine", choices=["local", "spark"])
    given = parser.parse_args()
    if given.engine:
        sources = sorted(map(str, (given.folder / "warc").iterdir()))
        os.sched_setaffinity(0, range(given.cores[0]))  # also applies to child processes
        measure = measure_local if given.engine == "local" else measure_spark
        print(json.dumps(measure(sources, given.cores[0], given.method, given.folder)))
        return
    if given.pages and not (given.folder / "warc").exists():
        write_pages(given.pages, given.folder / "warc", given.files)
    for turn in range(given.rounds):
        for cores in given.cores or [2, 1]:
            for engine in ("local", "spark"):
                command = [sys.executable, "-m", "scripts.figures.spark_speed", "--folder", str(given.folder)]
                command += ["--engine", engine, "--cores", str(cores), "--method", given.method]
                done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                print(turn + 1, engine, cores, done.stdout.decode().splitlines()[-1], flush=True)


def write_pages(source: str, folder: Path, files: int) -> None:
    """Write the pages of a source to WARC files, in turns."""
    from bonmun.scale.corpus.sources.reader import Reader

    folder.mkdir(parents=True)
    for number in range(files):

        def take(number: int = number) -> Iterator[dict[str, str]]:
            for at, record in zip(count(), Reader([source]), strict=False):
                if at % files == number:
                    text = record.html.decode("utf-8", "replace")
                    url = record.url or f"http://{record.site}/{at}"
                    yield {"id": record.id, "url": url, "html": text, "crawled": "2026-03-04T09:00:00Z"}

        write_warc(take(), folder / f"{number}.warc.gz")


def make_results(pages: int, start: float, before: float) -> dict[str, float]:
    """Return the measurements."""
    seconds, spent = monotonic() - start, measure_processors() - before
    return {
        "pages": pages,
        "seconds": round(seconds, 1),
        "pages a second": round(pages / seconds, 1),
        "processor milliseconds a page": round(spent / pages * 1000, 2),
        "load": round(os.getloadavg()[0], 1),
    }


def measure_processors() -> float:
    """Return the CPU seconds of this process and of all its child processes, including ended ones."""
    total = 0
    for pid in list_process_tree(os.getpid()):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += sum(map(int, fields[11:15]))
    return total / TICKS


def measure_local(sources: list[str], cores: int, method: str, folder: Path) -> dict[str, float]:
    """Measure the local engine."""
    from bonmun.scale.corpus.batches import ExtractJob
    from bonmun.scale.corpus.output import Output
    from bonmun.scale.corpus.runs import extract_pages, identify_extraction
    from bonmun.scale.corpus.sources.reader import Reader

    path = folder / "out.parquet"
    path.unlink(missing_ok=True)
    shutil.rmtree(f"{path}.parts", ignore_errors=True)
    extraction, reader = ExtractJob(Extraction(method=method)), Reader(sources)
    start, before, pages = monotonic(), measure_processors(), 0
    with Output(path, extraction.schema, identify_extraction(extraction, reader, 30.0)) as output:
        for _ in extract_pages(output, extraction, reader, cores, 30.0):
            pages = output.done
    return make_results(output.done or pages, start, before)


def measure_spark(sources: list[str], cores: int, method: str, folder: Path) -> dict[str, float]:
    """Measure Spark."""
    from bonmun.scale.corpus.batches import ExtractJob
    from bonmun.scale.spark.extraction import extract, read_rows, write_rows
    from bonmun.scale.spark.pages import read_pages
    from bonmun.scale.spark.session import make_session

    session: Any = make_session(**{"spark.master": f"local[{cores},4]"})
    out = str(folder / "out.spark")
    shutil.rmtree(out, ignore_errors=True)
    pages = read_pages(session, sources)
    start, before = monotonic(), measure_processors()
    write_rows(extract(pages, ExtractJob(Extraction(method=method))), out)
    results = make_results(1, start, before)
    done = read_rows(session, out).count()
    return results | {
        "pages": done,
        "pages a second": round(done / results["seconds"], 1),
        "processor milliseconds a page": round(results["processor milliseconds a page"] / done, 2),
    }


if __name__ == "__main__":
    main()
