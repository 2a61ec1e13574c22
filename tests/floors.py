"""Minimum word F1 of every method on tests/pages, stored in floors.json.

    make bench-floors                  # raise the floors to the current results
    make bench-floors ACCEPT=--accept  # also lower floors, to accept a regression

Floors are only valid for the pages they were measured on: measure them again after changing a page or a gold.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from bonmun.algorithms import PAGE_METHODS
from bonmun.lab.evaluate.metrics.texts import Words
from bonmun.lab.evaluate.systems.systems import SYSTEMS
from bonmun.lab.gold.datasets import read_dataset
from bonmun.work.files import write_text

__all__ = ["FILE", "PAGES", "measure", "update_floors"]

PAGES = Path(__file__).parent / "pages"
FILE = Path(__file__).parent / "floors.json"
DIGITS = 4


def measure(names: list[str], pages: Path = PAGES) -> dict[str, Any]:
    """Return the mean word F1 of each method over all pages, and the hash of the pages."""
    dataset = read_dataset(pages)
    examples = list(dataset)
    floors = {}
    for name in names:
        values = [Words()(SYSTEMS[name].run(example).text, example.text or "")["f1"] for example in examples]
        floors[name] = round(sum(values) / len(values), DIGITS)
    return {"pages": dataset.summary.hash, "words.f1": floors}


def update_floors(old: dict[str, Any], new: dict[str, Any], *, accept: bool = False) -> dict[str, Any]:
    """Return the new floors; raise ValueError if a floor would fall, unless `accept` is set."""
    if old.get("pages") == new["pages"] and not accept:
        before, after = old["words.f1"], new["words.f1"]
        fallen = [
            f"{name} {before[name]} → {after.get(name, 'gone')}" for name in before if after.get(name, 0) < before[name]
        ]
        if fallen:
            raise ValueError(
                f"Floors would fall: {', '.join(fallen)}. To accept this: make bench-floors ACCEPT=--accept"
            )
    return new


def main() -> None:
    """Measure all methods, compare the results with the floors, and write the new floors."""
    old = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    new = measure(list(PAGE_METHODS))
    try:
        kept = update_floors(old, new, accept="--accept" in sys.argv[1:])
    except ValueError as problem:
        sys.exit(str(problem))
    write_text(FILE, json.dumps(kept, indent=2) + "\n")
    for name, value in kept["words.f1"].items():
        before = old.get("words.f1", {}).get(name)
        print(f"{name:16}{value:.4f}" + (f"  was {before:.4f}" if before not in (None, value) else ""))


if __name__ == "__main__":
    main()
