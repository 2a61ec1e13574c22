"""Kill corpus runs with `kill -9` at random times, resume them until they are done, and check the results.

    .venv/bin/python -m scripts.figures.kills --runs 50 --seed 1

Each run is the real command on synthetic pages: `corpus extract` or `corpus count`, of JSON Lines, Parquet or WARC, to
each format, with one or two workers. It is killed one to three times, alone or with its children, and then runs to its
end. Its output is compared byte by byte with that of an undisturbed run. Counts, which DuckDB stores in any order, are
compared by their site models.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.watching import list_process_tree

SOURCES = ("pages.jsonl", "pages.parquet", "pages.warc.gz")
OUTPUTS = ("out.parquet", "out.jsonl", "out.jsonl.gz", "out.jsonl.zst", "counts.duckdb")
SENTENCES = ("The old light was lit again.", "등대지기는 그 불빛을 오래 바라보았다.", "Nobody came.")
MAX_KILL_TIME = 1.1  # of the duration of a run; some kills come after its end


@dataclass(frozen=True, slots=True)
class Case:
    """One way to run the command."""

    source: str
    output: str
    workers: int

    def command(self, folder: Path) -> list[str]:
        """Return the command line."""
        work = "count" if self.output.endswith(".duckdb") else "extract"
        method = [] if work == "count" else ["--method", "all"]
        source, output = str(folder.parent / self.source), str(folder / self.output)
        line = ["corpus", work, source, "-o", output, "--workers", str(self.workers), *method]
        return [sys.executable, "-m", "bonmun", *line]


def make_sources(folder: Path, pages: int, seed: int) -> None:
    """Write the same pages in every format; some are invalid."""
    rng = random.Random(seed)
    rows = []
    for number in range(pages):
        body = "".join(f"<p>{' '.join(rng.choices(SENTENCES, k=4))} {number}</p>" for _ in range(rng.randrange(1, 12)))
        html = rng.choices([f"<title>{number}</title><div>Menu</div>{body}", "", "%PDF-1.7"], [200, 1, 1])[0]
        rows.append({"id": str(number), "url": f"https://www{number % 3}.example.org/{number}", "html": html})
    with (folder / SOURCES[0]).open("w") as file:
        file.writelines(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    pq.write_table(pa.Table.from_pylist(rows), folder / SOURCES[1], row_group_size=700)
    with (folder / SOURCES[2]).open("wb") as file:
        file.writelines(gzip.compress(make_response(row["id"], row["url"], row["html"].encode()), 1) for row in rows)


def make_response(name: str, url: str, html: bytes) -> bytes:
    """Return a WARC record."""
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + html
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <{name}>\r\nWARC-Target-URI: {url}\r\n"
    head += "Content-Type: application/http; msgtype=response\r\n"
    return f"{head}Content-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n"


def finish(case: Case, folder: Path) -> float:
    """Run a command to its end; return its duration."""
    start = monotonic()
    run = subprocess.run(case.command(folder), capture_output=True, text=True, check=False)
    if run.returncode and not (folder / case.output).exists():
        raise SystemExit(f"{' '.join(case.command(folder))} ended with {run.returncode}: {run.stderr}")
    return monotonic() - start


def kill_after(seconds: float, case: Case, folder: Path, whole_family: bool) -> bool:
    """Start a run and kill it; return whether it was still running."""
    process = subprocess.Popen(case.command(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
        return False
    for pid in list_process_tree(process.pid) if whole_family else [process.pid]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    process.wait()
    return True


def read_result(case: Case, folder: Path) -> bytes:
    """Return the result of a run, including any files it left behind."""
    output = folder / case.output
    if output.suffix == ".duckdb":
        made = folder / "made.sites"
        command = [sys.executable, "-m", "bonmun", "corpus", "site-model", str(output), "-o", str(made)]
        subprocess.run(command, check=True, capture_output=True)
        output = made
    left = sorted(path.name for path in folder.iterdir() if path.name not in (case.output, "made.sites"))
    return output.read_bytes() + repr(left).encode() if left else output.read_bytes()


def try_case(case: Case, folder: Path, seconds: float, rng: random.Random) -> tuple[int, bytes]:
    """Kill a run several times and let it finish; return the number of kills and the result."""
    wanted = rng.randrange(1, 4)
    kills = 0
    while kills < wanted and not is_done(case, folder):
        if kill_after(rng.uniform(0, seconds * MAX_KILL_TIME), case, folder, whole_family=rng.random() < 0.5):
            kills += 1
        elif kills:
            break
        else:  # it had finished: start again
            shutil.rmtree(folder)
            folder.mkdir()
            seconds *= 0.8
    if not is_done(case, folder):
        finish(case, folder)
    return kills, read_result(case, folder)


def is_done(case: Case, folder: Path) -> bool:
    """Whether the run reports that it is complete; counts never do."""
    output = folder / case.output
    return output.suffix != ".duckdb" and output.exists() and not Path(f"{output}.parts").exists()


def main() -> None:
    """Run all cases, and print the results by kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pages", type=int, default=3000)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    cases = [Case(source, output, workers) for source in SOURCES for output in OUTPUTS for workers in (1, 2)]
    chosen = [case for _ in range(-(-given.runs // len(cases))) for case in rng.sample(cases, len(cases))][: given.runs]
    expected: dict[tuple[str, str], tuple[float, bytes]] = {}
    runs, kills, different = Counter[str](), Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as name:
        make_sources(Path(name), given.pages, given.seed)
        for number, case in enumerate(chosen):
            known = (case.source, case.output)
            if known not in expected:
                folder = Path(name, f"whole {len(expected)}")
                folder.mkdir()
                seconds = finish(case, folder)
                expected[known] = seconds, read_result(case, folder)
            folder = Path(name, f"killed {number}")
            folder.mkdir()
            killed, result = try_case(case, folder, expected[known][0], rng)
            kind = f"{case.source} → {case.output}"
            runs[kind] += 1
            kills[kind] += killed
            different[kind] += result != expected[known][1]
    for kind in sorted(runs):
        print(f"{kind:32} {runs[kind]:3} runs, {kills[kind]:3} kills, {different[kind]:3} different")
    print(f"{'all':32} {runs.total():3} runs, {kills.total():3} kills, {different.total():3} different")
    raise SystemExit(1 if different.total() else 0)


if __name__ == "__main__":
    main()
