"""Run the whole experiment, or some of its steps; see the docstring of the package.

.venv/bin/python -m scripts.visual SNAPSHOTS OUT [--steps rows,fit,choose,measure,table]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import zlib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.folds import find_part, find_site
from bonmun.models.baselines.tabnet import load_tabnet, read_tabnet_weights, save_tabnet
from scripts.labelled import ROOT, find_set
from scripts.visual.choose import make_valid_page, score
from scripts.visual.measure import measure, read_scores
from scripts.visual.pages import TRAINING_LANGUAGE, find_language, is_usable, list_labelled, read_pages
from scripts.visual.pictures import draw_importances, draw_scores
from scripts.visual.rows import collect, join, load_table, make_rows
from scripts.visual.systems import SYSTEMS, use_models, use_texts, use_weights
from scripts.visual.tables import format_tables, format_valid
from scripts.visual.variants import BEST_ELEMENT, REPORTED, ROOTS, VARIANTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bonmun.lab.gold.examples import Example
    from bonmun.lab.gold.folds import Part

STEPS = ("rows", "fit", "choose", "measure", "table")
NO_LIMIT = 10**9  # no limit
MIN_PAGES = 20  # of a reported language


def make_table(snapshots: Path, out: Path) -> None:
    """Collect the rows of all training and validation pages, first in one file per set, then in one file."""
    parts: list[Path] = []
    for name in list_labelled():
        path = out / "rows" / f"{name}.npz"
        if not path.is_file():
            pages = list(map(make_rows, read_pages(snapshots, lambda _, __, part: part != "test", [name])))
            print(f"rows of {name}: {len(pages)} pages", file=sys.stderr, flush=True)
            if not pages:
                continue
            collect(pages, path)
        parts.append(path)
    join(parts, out / "rows.npz")


def choose_all(snapshots: Path, out: Path) -> None:
    """Try every threshold and rule on the valid part; write the best into the weights of the tuned variants."""
    wanted = read_pages(
        snapshots, lambda _, example, part: part == "valid" and find_language(example) == TRAINING_LANGUAGE
    )
    held = [make_valid_page(one) for one in wanted]
    lines = []
    for name in filter(VARIANTS.__contains__, sorted(path.stem for path in (out / "weights").glob("*.npz"))):
        path = out / "weights" / f"{name}.npz"
        choices = score(load_tabnet(path), held, visible=VARIANTS[name].visible)
        lines.append((name, choices))
        if VARIANTS[name].tuned:
            best = max(choices)
            weights = read_tabnet_weights(path)
            weights.about.update(threshold=best.threshold, rule=best.rule, valid_f1=round(best.f1, 4))
            save_tabnet(weights, path)
    for name, source in BEST_ELEMENT.items():
        weights = read_tabnet_weights(out / "weights" / f"{source}.npz")
        weights.about["rule"] = "best"
        save_tabnet(weights, out / "weights" / f"{name}.npz")
    (out / "valid.md").write_text(format_valid(lines, len(held)), encoding="utf-8")


def count_groups() -> Counter[str]:
    """Return the number of test pages of each English set and of each other language."""
    found: Counter[str] = Counter()
    for name in list_labelled():
        for example in filter(is_usable, read_dataset(find_set(name))):
            group = find_group(name, example, find_part(find_site(example)))
            found[group or "none"] += 1
    del found["none"]
    return found


def find_group(name: str, example: Example, part: Part) -> str | None:
    """Return the table row of a page: the set for English pages of the test part, else the language."""
    lang = find_language(example)
    if lang == "?":
        return None
    return lang if lang != TRAINING_LANGUAGE else f"{TRAINING_LANGUAGE}: {name}" if part == "test" else None


def measure_all(snapshots: Path, out: Path, others: Mapping[str, Any], names: list[str] | None, limit: int) -> None:
    """Measure systems on all pages, or on a number of each group, sampled by hashes of their names."""
    groups = count_groups()

    def is_tested(name: str, example: Example, part: Part) -> bool:
        group = find_group(name, example, part)
        if group is None or (":" not in group and groups[group] < MIN_PAGES):
            return False
        return zlib.crc32(example.id.encode()) % 1000 < 1000 * limit * (2 if ":" in group else 1) / groups[group]

    path = out / "scores.jsonl"
    done = {(row["set"], row["id"], row["system"]) for row in read_scores(path)}
    systems: dict[str, Any] = {**SYSTEMS, **others, **use_weights(out / "weights")}
    chosen = names or [*SYSTEMS, *others, *REPORTED.values(), *ROOTS, *BEST_ELEMENT]
    measure(read_pages(snapshots, is_tested), {name: systems[name] for name in chosen}, path, done)


def count_training_rows(out: Path) -> int:
    """Return the number of rows that the English networks were trained on."""
    return int(read_tabnet_weights(out / "weights" / f"{REPORTED['TabNet_2']}.npz").about["rows"])


def name_options(given: argparse.Namespace) -> str:
    """Return the given options that affect the measurement."""
    limit = f" --limit {given.limit}" if given.limit < NO_LIMIT else ""
    return limit + (" --models MODELS" if given.models else "") + (" --texts TEXTS" if given.texts else "")


def main() -> None:
    """Run the requested steps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("snapshots", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", default=",".join(STEPS))
    parser.add_argument("--models", type=Path, help="folder with sequence-en.npz, web2text-en.npz and auto-en.npz")
    parser.add_argument("--texts", type=Path, help="folder written by scripts/visual/peers.py")
    parser.add_argument("--systems", help="systems to measure, separated by commas")
    parser.add_argument(
        "--limit",
        type=int,
        default=NO_LIMIT,
        help="maximum number of pages per language, and twice that per English set",
    )
    given = parser.parse_args()
    steps = given.steps.split(",")
    given.out.mkdir(parents=True, exist_ok=True)
    if "rows" in steps:
        make_table(given.snapshots, given.out)
    if "fit" in steps:
        line = [sys.executable, "-m", "scripts.visual.fit", str(given.out / "rows.npz"), str(given.out / "weights")]
        subprocess.run(line, check=True)
    if "choose" in steps:
        choose_all(given.snapshots, given.out)
    if "measure" in steps:
        others = (use_models(given.models) if given.models else {}) | (use_texts(given.texts) if given.texts else {})
        names = given.systems.split(",") if given.systems else None
        measure_all(given.snapshots, given.out, others, names, given.limit)
    if "table" in steps:
        rows = read_scores(given.out / "scores.jsonl")
        (ROOT / "docs" / "explanation" / "visual-figures.md").write_text(
            format_tables(rows, given.out / "valid.md", count_training_rows(given.out), name_options(given)),
            encoding="utf-8",
        )
        images = ROOT / "docs" / "images"
        for measure_name in ("lcs", "block"):
            (images / f"visual-{measure_name}.svg").write_text(draw_scores(rows, measure_name), encoding="utf-8")
        table = load_table(given.out / "rows.npz")
        for name, file in zip(REPORTED, ("basic", "centre", "centre-plus"), strict=True):
            network = load_tabnet(given.out / "weights" / f"{REPORTED[name]}.npz")
            picture = draw_importances(name, network, table)
            (images / f"visual-importances-{file}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
