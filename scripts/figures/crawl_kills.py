"""Kill a crawl with `kill -9` at random times, resume it until it is done, and check the result.

    .venv/bin/python -m scripts.figures.crawl_kills --pages 2000 --kills 50 --seed 1

The real command crawls and extracts docs.example of the loopback web. At random times the command, the crawling
process, an extracting process, or all of them are killed. Then the crawl runs to its end and is compared with the site:
every page must be in the records once and extracted once, all pages with the same site model, and only requests that
were in progress may be repeated.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic, sleep

import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "scale" / "crawl"))

from docs_host import DocsHost
from web import WebProcess, start_web

from bonmun.scale.corpus.sources.reader import Reader
from scripts.watching import list_process_tree

CONNECTIONS = 4
MAX_KILL_SECONDS = 6.0  # from the start of a command to its kill


def find_victims(pid: int, rng: random.Random) -> tuple[str, list[int]]:
    """Choose the processes to kill, and return their description and ids."""
    family = list_process_tree(pid)
    crawlers = [each for each in family if b"bonmun.scale.crawl.process" in read_command(each)]
    others = [each for each in family[1:] if each not in crawlers]
    choices = [("command", [pid]), ("all", family), ("crawler", crawlers), ("extraction", others[:1])]
    return rng.choice([choice for choice in choices if choice[1]])


def read_command(pid: int) -> bytes:
    """Return the command line of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def kill_some(command: list[str], kills: int, rng: random.Random) -> Counter[str]:
    """Run the command repeatedly, and kill some of its processes each time; count the kills by kind."""
    killed: Counter[str] = Counter()
    for _ in range(kills):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        end = monotonic() + rng.uniform(0.0, MAX_KILL_SECONDS)
        while monotonic() < end and process.poll() is None:
            sleep(0.01)
        if process.poll() is not None:
            killed["nothing: it had finished"] += 1
            continue
        what, victims = find_victims(process.pid, rng)
        for pid in victims:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        killed[what] += 1
        if what in ("crawler", "extraction"):  # the command notices, and ends or continues
            with suppress(subprocess.TimeoutExpired):
                process.wait(rng.uniform(0.0, MAX_KILL_SECONDS))
            process.kill()
        process.wait()
    return killed


def compare(folder: Path, web: WebProcess, pages: int, kills: int) -> list[str]:
    """Return the faults of a finished crawl."""
    urls = DocsHost(pages).urls
    with closing(sqlite3.connect(folder / "frontier.sqlite")) as sql:
        fetched = Counter(url for (url,) in sql.execute("select u.url from fetches f join urls u on u.id = f.url"))
    recorded = Counter(record.url for record in Reader([str(folder / "warc")]))
    extracted: Counter[str] = Counter()
    models: Counter[int] = Counter()  # by number of pages
    for part in sorted((folder / "pages").glob("part-*.parquet")):
        table = pq.read_table(part, columns=["id", "site_pages"])
        extracted.update(table.column("id").to_pylist())
        models.update(table.column("site_pages").to_pylist())
    problems = []
    if len(models) > 1:
        problems.append(f"extracted with several site models: {models}")
    for name, counts in (("fetched", fetched), ("recorded", recorded), ("extracted", extracted)):
        missing = urls - set(counts)
        twice = [url for url, count in counts.items() if count > 1]
        if missing or twice:
            problems.append(
                f"{name}: {len(missing)} missing, {len(twice)} more than once: {sorted(missing)[:3]} {twice[:3]}"
            )
    files = sorted(map(str, (folder / "warc").iterdir()))
    checked = subprocess.run([sys.executable, "-m", "warcio.cli", "check", *files], capture_output=True, text=True)
    if checked.returncode:
        problems.append(f"warcio: {checked.stdout[-500:]}")
    asked = Counter(request.url for request in web.read_requests())
    again = asked.total() - len(asked)
    print(f"{asked.total():,} requests for {len(asked):,} addresses: {again} again, of {kills * CONNECTIONS} at most")
    if again > kills * CONNECTIONS:
        problems.append("more requests were repeated than could be in progress")
    return problems


def main() -> None:
    """Kill, resume, and compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    start = monotonic()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "crawl"
        with start_web(Path(made) / "requests.jsonl", given.pages) as web:
            command = [sys.executable, "-m", "bonmun", "crawl", "http://docs.example/", "-o", str(folder)]
            command += ["--resolve", web.address, "--delay", "0.001", "--connections", str(CONNECTIONS)]
            command += ["--extract", "--workers", "1"]
            killed = kill_some(command, given.kills, random.Random(given.seed))
            print("Killed:", ", ".join(f"{count} × {what}" for what, count in killed.most_common()))
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(done.stderr)
            problems = compare(folder, web, given.pages, given.kills)
    print(
        f"{given.pages:,} pages, {given.kills} kills, {monotonic() - start:.0f} seconds:",
        *problems or ["complete"],
    )
    raise SystemExit(bool(problems))


if __name__ == "__main__":
    main()
