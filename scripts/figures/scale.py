"""Make many pages for tests at scale, and measure the time and memory of a command.

    .venv/bin/python -m scripts.figures.scale make ../shared/data/crawl-sample.jsonl.xz 200000 pages.jsonl.zst
    .venv/bin/python -m scripts.figures.scale watch .venv/bin/bonmun corpus count pages.jsonl.zst -o counts.duckdb

`make` repeats the pages of a set with new ids, URLs and paragraphs. `watch` runs a command and prints its duration and
the peak memory of its process tree (PSS).
"""

from __future__ import annotations

import json
import lzma
import re
import subprocess
import sys
from time import monotonic, sleep

from bonmun.work.files import write_atomically
from scripts.watching import list_process_tree, measure_memory

PARAGRAPH = re.compile(r"<p\b[^>]*>")
POLL_SECONDS = 0.2  # between two measurements


def make_pages(source: str, pages: int, target: str) -> None:
    """Write a number of pages, made from those of a set."""
    import pyarrow as pa

    with lzma.open(source, "rt", encoding="utf-8") as lines:
        examples = [json.loads(line) for line in lines]
    with write_atomically(target) as part, pa.CompressedOutputStream(str(part), "zstd") as file:
        for number in range(pages):
            example = examples[number % len(examples)]
            record = {
                "id": f"{number}",
                "url": f"{example.get('url', 'http://' + example['site'])}?n={number}",
                "site": example["site"],
                "html": PARAGRAPH.sub(rf"\g<0>{number} ", example["html"]),
            }
            file.write(json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n")


def watch_command(command: list[str]) -> int:
    """Run a command, and measure its memory."""
    start = monotonic()
    process = subprocess.Popen(command)
    trace = []
    while process.poll() is None:
        trace.append(sum(measure_memory(pid) for pid in list_process_tree(process.pid)))
        sleep(POLL_SECONDS)
    most = max(trace, default=0)
    step = -(-len(trace) // 10) or 1
    tenths = [max(trace[at : at + step]) for at in range(0, len(trace), step)]
    print(f"{monotonic() - start:.1f} s; at most {most / 1e6:.0f} MB in all processes together")
    print("at most in each tenth of the time, MB:", *(f"{each / 1e6:.0f}" for each in tenths))
    return process.returncode


if __name__ == "__main__":
    if sys.argv[1:2] == ["make"] and len(sys.argv) == 5:
        make_pages(sys.argv[2], int(sys.argv[3]), sys.argv[4])
    elif sys.argv[1:2] == ["watch"] and len(sys.argv) > 2:
        raise SystemExit(watch_command(sys.argv[2:]))
    else:
        raise SystemExit(__doc__)
