"""Check Spark with a giant site among small ones, and with a killed executor: results equal those of one machine.

    .venv/bin/python -m scripts.figures.spark_scale --folder /tmp/trial

Counts 60,000 pages of one site among 4,000 of 400 others, with the local engine and with Spark, and compares the two
site models byte by byte. Then extracts them on a local cluster of two executors, one of which is killed with `kill -9`
halfway, and compares the rows. Prints all durations, and the longest task.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from itertools import islice
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from bonmun.extraction import Extraction
from scripts.made_sites import make_records, write_warc
from scripts.watching import list_process_tree, measure_memory

if TYPE_CHECKING:
    from collections.abc import Callable

SMALL, SITES, FILES = 4_000, 400, 8
KILL_AFTER = 0.4  # share of the pages after which the executor is killed
POLL_SECONDS = 1.0  # between two measurements of memory, which take time themselves


def main() -> None:
    """Make the pages, and run each step in a separate process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--giant", type=int, default=60_000)
    parser.add_argument("--step", choices=["counts", "killed"])
    given = parser.parse_args()
    if given.step:
        {"counts": count_on_spark, "killed": extract_with_a_death}[given.step](given.folder)
        return
    pages = given.folder / "pages"
    if not pages.exists():
        pages.mkdir(parents=True)
        records = make_records(SMALL, SITES, given.giant)
        for number in range(FILES):
            write_warc(islice(records, (SMALL + given.giant) // FILES + 1), pages / f"{number}.warc.gz")
    print(f"{given.giant:,} pages of one site, {SMALL:,} of {SITES} others; load {os.getloadavg()[0]:.1f}", flush=True)
    timed(
        "local count",
        lambda: bonmun("count", pages, "-o", given.folder / "local.duckdb"),
        given.folder / "local.duckdb",
    )
    timed(
        "local site model",
        lambda: bonmun("site-model", given.folder / "local.duckdb", "-o", given.folder / "local.sites"),
    )
    run_step("counts", given.folder)
    same = (given.folder / "local.sites").read_bytes() == (given.folder / "spark.sites").read_bytes()
    print(f"site models are {'the same' if same else 'NOT the same'}", flush=True)
    local = given.folder / "local.parquet"
    timed("local extract", lambda: bonmun("extract", pages, "-m", "all", "-o", local), local)
    run_step("killed", given.folder)
    compare_rows(local, given.folder / "spark")


def timed(what: str, do: Callable[[], Any], made: Path | None = None) -> None:
    """Call a function unless its result exists, and print its duration."""
    if made and made.exists():
        return
    start = monotonic()
    do()
    print(f"{what}: {monotonic() - start:.1f} s", flush=True)


def bonmun(*args: str | Path) -> None:
    """Run a command of the local engine."""
    subprocess.run([sys.executable, "-m", "bonmun", "corpus", *map(str, args)], check=True, stderr=subprocess.DEVNULL)


def run_step(step: str, folder: Path) -> None:
    """Run a step with Spark, and measure its memory."""
    command = [sys.executable, "-m", "scripts.figures.spark_scale", "--folder", str(folder), "--step", step]
    process = subprocess.Popen(command)
    most = 0
    while process.poll() is None:
        most = max(most, sum(measure_memory(pid) for pid in list_process_tree(process.pid)))
        sleep(POLL_SECONDS)
    print(f"at most {most / 1e6:.0f} MB in all processes together, Java among them", flush=True)
    if process.returncode:
        raise SystemExit(process.returncode)


def make(folder: Path, master: str, **settings: str) -> Any:
    """Return a session with an event log."""
    from bonmun.scale.spark.session import make_session

    events = folder / "events"
    shutil.rmtree(events, ignore_errors=True)
    events.mkdir()
    more = {"spark.eventLog.enabled": "true", "spark.eventLog.dir": f"file://{events}", "spark.ui.enabled": "false"}
    more |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.driver.memory": "1g"}
    more |= {"spark.eventLog.rolling.enabled": "false", "spark.eventLog.compress": "false"}
    os.environ["PYSPARK_PYTHON"] = sys.executable
    return make_session(**{"spark.master": master, "spark.sql.shuffle.partitions": "8"} | more | settings)


def count_on_spark(folder: Path) -> None:
    """Count the pages, and make the site model."""
    from bonmun.scale.spark.counts import count, make_site_model, read_counts, write_counts
    from bonmun.scale.spark.pages import read_pages
    from bonmun.sites.keys import Normalisation

    session = make(folder, "local[2,4]")
    shutil.rmtree(folder / "counts", ignore_errors=True)
    pages = read_pages(session, [str(folder / "pages")])
    timed("Spark count", lambda: write_counts(count(pages), Normalisation(), str(folder / "counts")))
    counted = read_counts(session, str(folder / "counts"))
    timed("Spark site model", lambda: make_site_model(counted).save(folder / "spark.sites"))
    session.stop()
    print_tasks(folder)


def print_tasks(folder: Path) -> None:
    """Print the durations of tasks by stage: a giant site must not cause a giant task."""
    seconds: dict[int, list[float]] = {}
    for log in (folder / "events").rglob("*"):
        for line in log.read_text().splitlines() if log.is_file() else ():
            if '"SparkListenerTaskEnd"' in line[:60]:
                event = json.loads(line)
                info = event["Task Info"]
                seconds.setdefault(event["Stage ID"], []).append((info["Finish Time"] - info["Launch Time"]) / 1000)
    longest = sorted(((max(each), sum(each) / len(each), len(each)) for each in seconds.values()), reverse=True)
    for most, mean, tasks in longest[:4]:
        print(f"a stage of {tasks} tasks: {mean:.1f} s each on average, {most:.1f} s the longest", flush=True)


def extract_with_a_death(folder: Path) -> None:
    """Extract on two executors, one of which is killed."""
    from bonmun.scale.corpus.batches import ExtractJob
    from bonmun.scale.spark.extraction import extract, write_rows
    from bonmun.scale.spark.pages import read_pages

    os.environ.setdefault("SPARK_HOME", str(find_spark_home()))
    session = make(folder, "local-cluster[2,1,1024]", **{"spark.executor.memory": "512m"})
    shutil.rmtree(folder / "spark", ignore_errors=True)
    threading.Thread(target=kill_executor, args=(folder / "spark",), daemon=True).start()
    pages = read_pages(session, [str(folder / "pages")])
    timed(
        "Spark extract", lambda: write_rows(extract(pages, ExtractJob(Extraction(method="all"))), str(folder / "spark"))
    )
    session.stop()


def find_spark_home() -> Path:
    """Return the folder of Spark in the installed package."""
    import pyspark

    return Path(pyspark.__file__).parent


def kill_executor(output: Path) -> None:
    """Kill an executor with `kill -9` when some tasks are done."""
    while len(list(output.rglob("*.parquet"))) < FILES * KILL_AFTER:
        sleep(POLL_SECONDS)
    for pid in list_process_tree(os.getpid()):
        command = Path(f"/proc/{pid}/cmdline").read_bytes() if Path(f"/proc/{pid}").exists() else b""
        if b"CoarseGrainedExecutorBackend" in command:
            os.kill(pid, signal.SIGKILL)
            print(f"an executor (process {pid}) was killed with kill -9", flush=True)
            return


def compare_rows(local: Path, folder: Path) -> None:
    """Print whether both have the same rows."""
    import pyarrow.parquet as pq

    ours = pq.read_table(folder).sort_by("number").drop_columns(["number"])
    same = ours.equals(pq.read_table(local))
    print(f"{ours.num_rows:,} rows are {'the same' if same else 'NOT the same'}", flush=True)


if __name__ == "__main__":
    main()
