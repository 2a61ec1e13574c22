"""Judge ten thousand mutants of real pages: errors, hangs, malformed output, and time relative to the bare parse.

    .venv/bin/python -m scripts.figures.mutants --count 10000 --workers 2 --seed 1      # about an hour
    .venv/bin/python -m scripts.figures.mutants --count 200                             # a minute or two

Uses pages of up to 1 MB, evenly spread over all sets in ../shared/data. They are mutated and judged like those of the
fuzzer (scripts/fuzz): as text and as bytes, in all formats, with links, images, comments and metadata. Each result is a
line in out/mutants-SEED-COUNT.jsonl, so an interrupted run can be resumed. The pages of findings are saved next to it.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from itertools import chain
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

from scripts.fuzz.findings import Findings
from scripts.fuzz.judge import EXTRA_SECONDS, MAX_ALL_PARSES, MAX_TEXT_PARSES, count_length
from scripts.fuzz.mutate import encode_page, mutate
from scripts.fuzz.pages import read_pages
from scripts.fuzz.stages import STAGES, TEXT_STAGES
from scripts.fuzz.workers import Task, judge_all
from scripts.labelled import DATA

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scripts.fuzz.workers import Judged

MAX_SHOWN = 10  # slowest mutants


def make_mutants(place: Path, count: int, seed: int, done: set[str]) -> Iterator[Task]:
    """Yield mutants as text and as bytes, evenly spread over all pages; each depends only on seed and number."""
    files = sorted(file for file in place.glob("*.jsonl*"))
    total = sum(1 for file in files for _ in read_pages(file))
    number, other = 0, ""
    for row, (name, html) in enumerate(chain.from_iterable(map(read_pages, files))):
        while number * total < (row + 1) * count and number < count:
            random = Random(f"{seed} {number}")
            names = [f"{number} {kind}: {name}" for kind in ("text", "bytes")]
            if not done.issuperset(names):
                changed = mutate(random, html, other or html)
                tasks = (Task(changed, "auto", names[0]), Task(encode_page(random, changed), "auto", names[1]))
                yield from (task for task in tasks if task.name not in done)
            number += 1
        other = html


def describe(judged: Judged) -> dict[str, Any]:
    """Return the line of a mutant in the file."""
    task, verdict = judged
    return {
        "name": task.name,
        "bytes": count_length(task.page),
        "refused": verdict.refused,
        "faults": [[fault.kind, fault.detail] for fault in verdict.faults],
        "bare": verdict.bare,
        "seconds": verdict.seconds,
    }


def compute_excess(line: dict[str, Any]) -> tuple[float, str]:
    """Return how far a mutant is over the stricter limit, and which limit that is."""
    seconds, bare = line["seconds"], line["bare"]
    text = sum(seconds.get(stage, 0) for stage in TEXT_STAGES) / (MAX_TEXT_PARSES * bare + EXTRA_SECONDS)
    everything = sum(seconds.get(stage, 0) for stage in STAGES) / (MAX_ALL_PARSES * bare + EXTRA_SECONDS)
    return max((text, "text"), (everything, "everything"))


def print_summary(lines: list[dict[str, Any]]) -> None:
    """Print the faults by kind, the times, and the slowest mutants with their slowest stages."""
    faults = Counter(kind for line in lines for kind, _ in line["faults"])
    refused = Counter(line["refused"] for line in lines if line["refused"])
    raised = sum(count for kind, count in faults.items() if kind.startswith(("error", "hang", "death")))
    print(f"{len(lines):,} executions; {raised} raised an unexpected error, hung or died")
    print("refused: " + (", ".join(f"{name} {count:,}" for name, count in refused.most_common()) or "none"))
    for kind, count in faults.most_common():
        print(f"{count:8,}  {kind}")
    timed = [line for line in lines if line["bare"] and not line["refused"]]
    if not timed:
        return
    for name, stages, times in (("text", TEXT_STAGES, MAX_TEXT_PARSES), ("everything", STAGES, MAX_ALL_PARSES)):
        taken = [sum(line["seconds"].get(stage, 0) for stage in stages) for line in timed]
        ratios = [seconds / line["bare"] for seconds, line in zip(taken, timed, strict=True)]
        bounds = [times * line["bare"] + EXTRA_SECONDS for line in timed]
        over = sum(seconds > bound for seconds, bound in zip(taken, bounds, strict=True))
        print(f"{name}: {median(ratios):.1f} bare parses at the median; {over:,} over {times} of them and 20 ms")
    print(f"the slowest {MAX_SHOWN}:")
    for line in sorted(timed, key=lambda line: compute_excess(line)[0], reverse=True)[:MAX_SHOWN]:
        excess, name = compute_excess(line)
        dearest = sorted(line["seconds"].items(), key=lambda each: -each[1])[:4]
        parts = ", ".join(f"{stage} {seconds * 1e3:.0f}" for stage, seconds in dearest)
        print(
            f"{excess:6.2f} × the bound on {name}: {parts} ms, bare parse {line['bare'] * 1e3:.1f} ms, "
            f"{line['bytes']:,} bytes, {line['name']}"
        )


def main() -> None:
    """Judge mutants, and print a summary."""
    arguments = argparse.ArgumentParser(description="Judge mutants of real pages.")
    arguments.add_argument("--count", type=int, default=10_000)
    arguments.add_argument("--workers", type=int, default=2)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--data", type=Path, default=DATA, help="folder with JSON Lines files")
    arguments.add_argument("--out", type=Path, default=Path("out"))
    given = arguments.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    file = given.out / f"mutants-{given.seed}-{given.count}.jsonl"
    lines = [json.loads(line) for line in file.open(encoding="utf-8")] if file.exists() else []
    findings = Findings(file.with_suffix(""))
    tasks = make_mutants(given.data, given.count, given.seed, {line["name"] for line in lines})
    with file.open("a", encoding="utf-8") as out:
        for judged in judge_all(tasks, given.workers):
            findings.add(judged)
            lines.append(describe(judged))
            print(json.dumps(lines[-1]), file=out, flush=True)
    findings.save(seconds=0)
    print_summary(lines)


if __name__ == "__main__":
    main()
