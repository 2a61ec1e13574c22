"""Run the extractors that need a browser on the rendered test pages.

    python -m scripts.visual.peers --snapshots out/snapshots --out out/peers

The pages are those with a snapshot in `--snapshots`, which has a folder for each set. Each page is loaded once, from
its HTML and without network access, and both extractors run in it. Results are JSON lines, `{set, id, text}`, in one
file per extractor, with an `error` if there is no text. Run the same command again to resume an interrupted run.

Test pages are English pages of sites in the test part, and all pages in other languages.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import turbohtml

from bonmun.lab.evaluate.metrics.texts import METRICS
from bonmun.lab.evaluate.systems.browser_peers import (
    ExtractorResult,
    make_callback,
    make_distiller,
    make_job,
    make_readability,
    parse_results,
    start_browser,
)
from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.folds import find_part, find_site
from bonmun.snapshots import SNAPSHOT_SUFFIX
from scripts.labelled import find_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.lab.gold.examples import Example
    from bonmun.scale.browser import RenderJob

LEFT_OUT = {"silver"}  # its golds were made by these extractors
MIN_COVERED_SHARE = 0.8  # of a gold that must occur on its page
PROGRESS_PAGES = 50  # between two lines of progress


def main() -> None:
    """Run both extractors on the remaining pages, and print their scores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--snapshots", type=Path, default=Path("out/snapshots"), help="folder with a subfolder for each set"
    )
    parser.add_argument("--out", type=Path, default=Path("out/peers"))
    parser.add_argument("--workers", type=int, default=2, help="pages at a time")
    args = parser.parse_args()
    extractors = [make_readability(), make_distiller()]
    files = [args.out / f"{extractor.name}.jsonl" for extractor in extractors]
    args.out.mkdir(parents=True, exist_ok=True)
    done = set.intersection(*map(read_done, files))
    examples: dict[int, tuple[str, Example]] = {}

    def choose() -> Iterator[RenderJob]:
        for name, example in list_pages(args.snapshots):
            if (name, example.id) not in done:
                job = make_job(example)
                examples[id(job)] = name, example
                yield job

    count, failed = 0, Counter[str]()
    sums = dict.fromkeys((extractor.name for extractor in extractors), 0.0)
    for rendered in start_browser().render_all(choose(), args.workers, make_callback(extractors)):
        name, example = examples.pop(id(rendered.job))
        lost = [ExtractorResult(error=str(rendered.problem))] * len(extractors)
        found = lost if rendered.problem else parse_results(rendered.value)
        count += 1
        for extractor, file, each in zip(extractors, files, found, strict=True):
            text = turbohtml.parse(each.html).to_text()
            sums[extractor.name] += METRICS["words"](text, example.text or "")["f1"]
            failed[extractor.name] += each.error is not None
            write_row(file, {"set": name, "id": example.id, "text": text}, each.error)
        if count % PROGRESS_PAGES == 0:
            print(count, name, {key: round(value / count, 4) for key, value in sums.items()}, flush=True)
    print(f"{count:,} pages:", {key: round(value / max(count, 1), 4) for key, value in sums.items()}, dict(failed))


def list_pages(snapshots: Path) -> Iterator[tuple[str, Example]]:
    """Yield the test pages of all sets that were rendered."""
    for folder in sorted(path for path in snapshots.iterdir() if path.is_dir() and path.name not in LEFT_OUT):
        for example in read_dataset(find_set(folder.name)):
            stem = hashlib.sha1(f"{folder.name}/{example.id}".encode()).hexdigest()[:16]
            if is_tested(example) and (folder / f"{stem}{SNAPSHOT_SUFFIX}").exists():
                yield folder.name, example


def is_tested(example: Example) -> bool:
    """Whether a page is a test page; of English pages, which are many, only those of test sites are."""
    if example.text is None or example.lang is None or (example.cov is not None and example.cov < MIN_COVERED_SHARE):
        return False
    return example.lang != "en" or find_part(find_site(example)) == "test"


def read_done(file: Path) -> set[tuple[str, str]]:
    """Return the pages in a file of results, ignoring truncated lines."""
    done: set[tuple[str, str]] = set()
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
        try:
            row = json.loads(line)
        except ValueError:
            print(f"{file}: ignoring a truncated line.", file=sys.stderr)
            continue
        done.add((row["set"], row["id"]))
    return done


def write_row(file: Path, row: dict[str, str], error: str | None) -> None:
    """Append a row to a file of results."""
    text = json.dumps(
        row | ({"error": error} if error else {})
    )  # ASCII, because some texts have Unicode line separators
    with file.open("a", encoding="ascii") as lines:
        lines.write(f"{text}\n")


if __name__ == "__main__":
    main()
