"""Extract hostile records among ordinary ones, and measure memory over many pages.

    .venv/bin/python -m scripts.figures.hostile_corpus                  # 200 hostile records in each format
    .venv/bin/python -m scripts.figures.hostile_corpus --pages 200000   # memory over 200,000 small pages

The first command writes the same hostile records, each after an ordinary page, as JSON Lines, Parquet and WARC,
extracts them with the real command, and prints the outcome of each kind; it fails if an ordinary page is lost. The
second prints the memory of the parent and of its child processes in each part of the run.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.figures.kills import make_response
from scripts.watching import list_process_tree, measure_memory

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 1_000_000  # of a page
PAGE_SECONDS = 20  # time limit of a page
POLL_SECONDS = 0.5  # between two measurements of memory
GOOD = "<title>Page {0}</title><h1>Page {0}</h1>" + "<p>The old light was lit again in spring, and nobody left.</p>" * 5
FORMATS = ["jsonl", "parquet", "warc"]
PLAIN: dict[str, bytes] = {  # hostile pages, for every format
    "over the limit": b"<p>" + b"x " * MAX_BYTES,
    "deep": b"<div>" * 60_000 + b"deep",
    "deep lists": b"<ul><li>" * 20_000 + b"deep",
    "deep tables": b"<table><tr><td>" * 5_000 + b"deep",
    "many leaves": b"<b>x</b> " * 100_000,
    "many links": b"<a href=//x/" + b"y" * 100 + b">x</a> " * 9_000,
    "long base": b"<base href=https://example.org/" + b"y" * 500_000 + b">" + b"<a href=z>link</a> " * 10_000,
    "long attribute": b"<p class='" + b"a " * 400_000 + b"'>x",
    "wide table": b"<table><tr>" + b"<td colspan=1000 rowspan=65534>x" * 2_000,
    "NULs": bytes(100_000) + b"<p>after NULs",
    "only NULs": bytes(100_000),
    "empty": b"",
    "blanks": b" \n" * 1000,
    "PDF": b"%PDF-1.7\n" + bytes(range(256)) * 100,
    "broken UTF-8": b"<meta charset=utf-8><p>" + b"\xff\xfe\xc3\x28 words " * 1000,
    "wrong charset": "<meta charset=utf-16><p>등대".encode("euc-kr") * 100,
    "UTF-7": b"<meta charset=utf-7><p>+ADw-script+AD4- words",
    "noise": bytes((each * 167 + each // 256 * 31) % 256 for each in range(200_000)),
    "unclosed comment": b"<p>text<!--" + b"-" * 500_000,
    "unclosed script": b"<p>text<script>" + b"</scrip" * 100_000,
    "entities": b"<p>" + b"&amp;&#x110000;&lt" * 50_000,
    "half characters": b"<p>" + b"\xed\xa0\x80 words " * 1000,
    "JSON-LD": b"<script type=application/ld+json>" + b"[" * 200_000 + b"</script><p>text",
}


def make_hostile() -> dict[str, tuple[list[bytes], list[dict[str, Any]], list[bytes]]]:
    """Return hostile records by kind, as JSON lines, Parquet rows and WARC records."""
    page = GOOD.format("?").encode()
    made: dict[str, tuple[list[bytes], list[dict[str, Any]], list[bytes]]] = {}
    for name, html in PLAIN.items():
        text = html.decode("utf-8", "surrogateescape")
        made[name] = (
            [json.dumps({"id": f"bad {name}", "html": text}).encode()],
            [{"id": f"bad {name}", "html": html}],
            [make_response(f"bad {name}", "", html)],
        )
    for name, line in {
        "no JSON": b'{"html": ',
        "no html": b'{"id": "bad"}',
        "html of another type": b'{"id": "bad", "html": {"a": []}}',
        "a deep line": b'{"html": ' + b"[" * 500_000,
        "a line over the limit": b'{"html": "' + b"a" * (7 * MAX_BYTES) + b'"}',
        "a long name": json.dumps({"id": "bad" * 10**6, "url": "x" * 10**6, "html": page.decode()}).encode(),
        "names of another type": json.dumps({"id": [], "url": 1e400, "site": {}, "html": page.decode()}).encode(),
    }.items():
        made[name] = [line], [], []
    made["null"] = [], [{"id": "bad null", "html": None}], []
    made["a long row"] = [], [{"id": "bad" * 10**6, "html": page}], []
    packed = {
        "gzip": gzip.compress(bytes(10**8)),
        "br": b"\xff" * 999,
        "deflate": b"x\x9c\xff",
        "chunked": b"fffffff\r\nx",
    }
    for coding, body in packed.items():
        block = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {coding}\r\n\r\n".encode() + body
        record = make_response(f"bad {coding}", "", b"")
        head, _, _ = record.partition(b"Content-Length")
        made[f"{coding} body"] = [], [], [head + b"Content-Length: %d\r\n\r\n" % len(block) + block + b"\r\n\r\n"]
    good = make_response("bad record", "", page)
    for name, record in {
        "too short a length": good.replace(b"Content-Length: ", b"Content-Length: 1\r\nX: "),
        "no length": good.replace(b"Content-Length", b"Content-Breadth"),
        "no number": good.replace(b"Content-Length: ", b"Content-Length: x"),
        "junk": b"no record\r\n" * 1000,
        "1,000 NULs": bytes(1000),
        "a header without end": b"WARC/1.0\r\n" + b"X: y\r\n" * 200_000 + b"\r\n",
        "no HTTP": good.replace(b"HTTP/1.1 200 OK", b"SMTP/1.1 no    "),
        "status 999999": good.replace(b"200 OK", b"999999"),
    }.items():
        made[name] = [], [], [record.replace(b"bad record", f"bad {name}".encode())]
    return made


def write_sources(folder: Path, count: int, formats: list[str]) -> dict[str, tuple[int, int]]:
    """Write a file in each format; return the number of ordinary pages and of hostile records in each."""
    kinds = make_hostile()
    sources: dict[str, tuple[int, int]] = {}
    for format_ in formats:
        which, name = FORMATS.index(format_), f"pages.{format_}"
        records = [record for kind in kinds.values() for record in kind[which]]
        chosen: list[Any] = [records[number % len(records)] for number in range(count)]
        sources[name] = (count + 1, count)
        good = [GOOD.format(number) for number in range(count + 1)]
        if which == 0:
            rows = [json.dumps({"id": f"good {n}", "html": page}).encode() for n, page in enumerate(good)]
            (folder / name).write_bytes(b"".join(line + b"\n" for line in _mix(rows, chosen)))
        elif which == 1:
            table = [{"id": f"good {n}", "html": page.encode()} for n, page in enumerate(good)]
            pq.write_table(pa.Table.from_pylist(list(_mix(table, chosen))), folder / name)
        else:
            pages = [make_response(f"good {n}", "", page.encode()) for n, page in enumerate(good)]
            (folder / name).write_bytes(b"".join(_mix(pages, chosen)))
    return sources


def _mix(good: list[Any], bad: list[Any]) -> Iterator[Any]:
    for page, hostile in zip(good, bad, strict=False):
        yield from (page, hostile)
    yield good[-1]


def watch_command(line: list[str]) -> tuple[subprocess.CompletedProcess[str], list[tuple[float, float]]]:
    """Run the command; return the memory of the parent and of its children in MB at each measurement."""
    trace = []
    with subprocess.Popen([sys.executable, "-m", "bonmun", *line], stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            parent, *children = (measure_memory(pid) / 1e6 for pid in list_process_tree(process.pid))
            trace.append((parent, sum(children)))
            sleep(POLL_SECONDS)
        said = process.stderr.read() if process.stderr else ""
    return subprocess.CompletedProcess(line, process.returncode, "", said), trace


def show_hostile(folder: Path, count: int, formats: list[str]) -> bool:
    """Extract hostile records in each format, print the outcomes, and return whether no ordinary page is lost."""
    fine = True
    for name, (good, bad) in write_sources(folder, count, formats).items():
        output = folder / f"{name}.out.jsonl"
        limits = ["--max-bytes", str(MAX_BYTES), "--seconds", str(PAGE_SECONDS), "--links"]
        start = monotonic()
        run, trace = watch_command(["corpus", "extract", str(folder / name), "-o", str(output), "-f", "html", *limits])
        rows = [json.loads(line) for line in output.read_text().splitlines()]
        kept = sum(row["id"].startswith("good") and row["error"] is None for row in rows)
        fine = fine and kept == good and run.returncode in (0, 1)
        print(f"\n{name}: {bad} hostile records, {kept} of {good} ordinary pages, {monotonic() - start:.0f} s, "
              f"at most {max(one for one, _ in trace):.0f} MB in the parent, {max(all_ for _, all_ in trace):.0f} MB "
              f"in its children; exit status {run.returncode}")  # fmt: skip
        kinds: dict[str, Counter[str]] = defaultdict(Counter)
        for row in rows:
            if not row["id"].startswith("good"):
                kinds[row["error"] or "extracted"][row["id"].removeprefix("bad ")[:20]] += 1
        for reason, said in sorted(kinds.items(), key=lambda item: -item[1].total()):
            print(f"  {said.total():4} × {reason} ({', '.join(sorted(said))})")
        print("  " + run.stderr.strip().replace("\n", "\n  "))
    return fine


def show_memory(folder: Path, pages: int) -> None:
    """Extract many small pages, and print the memory over time."""
    with (folder / "small.jsonl").open("w") as file:
        file.writelines(json.dumps({"id": str(n), "html": GOOD.format(n)}) + "\n" for n in range(pages))
    start = monotonic()
    source, output = str(folder / "small.jsonl"), str(folder / "out.parquet")
    run, trace = watch_command(["corpus", "extract", source, "-o", output])
    print(f"{pages:,} pages, {monotonic() - start:.0f} s, exit status {run.returncode}: {run.stderr.strip()}")
    print("at most, in MB")
    for share in (0.1, 0.5, 1.0):
        so_far = trace[: max(1, round(len(trace) * share))]
        parent, children = max(one for one, _ in so_far), max(all_ for _, all_ in so_far)
        print(f"  up to {share:4.0%} of the time {parent:.0f} in the parent, {children:.0f} in its children")


def main() -> None:
    """Run one of the two measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, help="measure memory over this many small pages")
    parser.add_argument("--hostile", type=int, default=200, help="number of hostile records in each format")
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=FORMATS)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.pages:
            show_memory(Path(folder), given.pages)
        elif not show_hostile(Path(folder), given.hostile, given.formats):
            raise SystemExit("An ordinary page was lost.")


if __name__ == "__main__":
    main()
