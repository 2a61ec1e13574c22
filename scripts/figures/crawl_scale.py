"""Measure a large crawl of the loopback web with extraction: pages per second, and whether memory stays flat.

    .venv/bin/python -m scripts.figures.crawl_scale --pages 20000

The web runs in a separate process. After each tenth of the pages, prints the rate since the last line, and the memory
of the command, of the crawling process and of the extracting processes (PSS).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic, sleep

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "scale" / "crawl"))

from web import start_web

from bonmun.scale.crawl.status import read_status
from scripts.watching import list_process_tree, measure_memory

POLL_SECONDS = 0.2
COLUMNS = (
    *("pages", "seconds", "pages a second"),
    *("command, MB", "crawler, MB", "extraction, MB", "all, MB", "frontier, MB"),
)


def list_memory(pid: int) -> tuple[int, int, int]:
    """Return the memory of the command, of the crawling process and of the extracting processes, in bytes."""
    command = crawler = extraction = 0
    for each in list_process_tree(pid):
        held = measure_memory(each)
        if each == pid:
            command += held
        elif b"bonmun.scale.crawl.process" in read_command(each):
            crawler += held
        else:
            extraction += held
    return command, crawler, extraction


def read_command(pid: int) -> bytes:
    """Return the command line of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def watch(command: list[str], folder: Path, pages: int) -> int:
    """Run a command, and print a row after each tenth of the pages."""
    print("|", " | ".join(COLUMNS), "|")
    print("|" + "---|" * len(COLUMNS))
    process = subprocess.Popen(command)
    start = before = monotonic()
    seen, tenth = 0, 1
    try:
        while process.poll() is None:
            sleep(POLL_SECONDS)
            done = read_status(folder).pages
            if done < tenth * pages // 10 or done == seen:
                continue
            now = monotonic()
            held = list_memory(process.pid)
            size = sum(path.stat().st_size for path in folder.glob("frontier.sqlite*"))
            row = [f"{done:,}", f"{now - start:.0f}", f"{(done - seen) / (now - before):.1f}"]
            row += [f"{each / 1e6:.0f}" for each in (*held, sum(held), size)]
            print("|", " | ".join(row), "|", flush=True)
            seen, before, tenth = done, now, done * 10 // pages + 1
    finally:
        process.terminate()
        process.wait()
    print(f"{monotonic() - start:.0f} seconds in all, {pages / (monotonic() - start):.1f} pages a second")
    return process.returncode


def main() -> None:
    """Crawl, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=2, help="number of processes that extract")
    parser.add_argument("--method", default="auto")
    parser.add_argument("--no-extract", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "crawl"
        with start_web(Path(made) / "requests.jsonl", given.pages) as web:
            command = [sys.executable, "-m", "bonmun", "crawl", "http://docs.example/", "-o", str(folder)]
            command += ["--resolve", web.address, "--delay", "0", "--connections", "8"]
            if not given.no_extract:
                command += ["--extract", "--workers", str(given.workers), "--method", given.method]
            if watch(command, folder, given.pages):
                raise SystemExit("The crawl failed.")
        if read_status(folder).pages != given.pages:
            raise SystemExit(f"{read_status(folder).pages:,} pages, not {given.pages:,}.")


if __name__ == "__main__":
    main()
