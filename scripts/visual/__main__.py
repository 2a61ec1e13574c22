"""The whole experiment, or some steps of it: see the package's docstring.

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
from scripts.visual.choose import hold, score
from scripts.visual.measure import measure, read_scores
from scripts.visual.pages import TAUGHT, find_language, is_usable, list_labelled, read_pages
from scripts.visual.pictures import draw_importances, draw_scores
from scripts.visual.rows import collect, join, load_table, make_rows
from scripts.visual.systems import SYSTEMS, use_models, use_texts, use_weights
from scripts.visual.tables import format_tables, format_valid
from scripts.visual.variants import LIKELIEST, REPORTED, ROOTS, VARIANTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bonmun.lab.gold.examples import Example
    from bonmun.lab.gold.folds import Part

STEPS = ("rows", "fit", "choose", "measure", "table")
EVERY_PAGE = 10**9  # no limit
MIN_PAGES = 20  # of a language that is reported


def make_table(snapshots: Path, out: Path) -> None:
    """Rows of all pages that teach or are chosen by, a file a set, then one file."""
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
    """Try every threshold and rule on the valid part; write the best into the weights of the mended forms."""
    wanted = read_pages(snapshots, lambda _, example, part: part == "valid" and find_language(example) == TAUGHT)
    held = [hold(one) for one in wanted]
    lines = []
    for name in filter(VARIANTS.__contains__, sorted(path.stem for path in (out / "weights").glob("*.npz"))):
        path = out / "weights" / f"{name}.npz"
        choices = score(load_tabnet(path), held, visible=VARIANTS[name].visible)
        lines.append((name, choices))
        if VARIANTS[name].mended:
            best = max(choices)
            weights = read_tabnet_weights(path)
            weights.about.update(threshold=best.threshold, rule=best.rule, valid_f1=round(best.f1, 4))
            save_tabnet(weights, path)
    for name, source in LIKELIEST.items():
        weights = read_tabnet_weights(out / "weights" / f"{source}.npz")
        weights.about["rule"] = "best"
        save_tabnet(weights, out / "weights" / f"{name}.npz")
    (out / "valid.md").write_text(format_valid(lines, len(held)), encoding="utf-8")


def count_groups() -> Counter[str]:
    """How many pages there are to be measured on, of each set in English and of each other language."""
    found: Counter[str] = Counter()
    for name in list_labelled():
        for example in filter(is_usable, read_dataset(find_set(name))):
            group = find_group(name, example, find_part(find_site(example)))
            found[group or "none"] += 1
    del found["none"]
    return found


def find_group(name: str, example: Example, part: Part) -> str | None:
    """The line of the table that a page belongs to: English ones of the test part by set, all of other languages."""
    lang = find_language(example)
    if lang == "?":
        return None
    return lang if lang != TAUGHT else f"{TAUGHT}: {name}" if part == "test" else None


def measure_all(snapshots: Path, out: Path, others: Mapping[str, Any], names: list[str] | None, limit: int) -> None:
    """Measure systems on all pages, or on so many of each group, drawn by their names."""
    groups = count_groups()

    def is_tested(name: str, example: Example, part: Part) -> bool:
        group = find_group(name, example, part)
        if group is None or (":" not in group and groups[group] < MIN_PAGES):
            return False
        return zlib.crc32(example.id.encode()) % 1000 < 1000 * limit * (2 if ":" in group else 1) / groups[group]

    path = out / "scores.jsonl"
    done = {(row["set"], row["id"], row["system"]) for row in read_scores(path)}
    systems: dict[str, Any] = {**SYSTEMS, **others, **use_weights(out / "weights")}
    chosen = names or [*SYSTEMS, *others, *REPORTED.values(), *ROOTS, *LIKELIEST]
    measure(read_pages(snapshots, is_tested), {name: systems[name] for name in chosen}, path, done)


def count_taught(out: Path) -> int:
    """The rows that taught the networks of English."""
    return int(read_tabnet_weights(out / "weights" / f"{REPORTED['TabNet_2']}.npz").about["rows"])


def name_options(given: argparse.Namespace) -> str:
    """The options that change what is measured, as they were given."""
    limit = f" --limit {given.limit}" if given.limit < EVERY_PAGE else ""
    return limit + (" --models MODELS" if given.models else "") + (" --texts TEXTS" if given.texts else "")


def main() -> None:
    """Do the steps that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("snapshots", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", default=",".join(STEPS))
    parser.add_argument("--models", type=Path, help="a folder of sequence-en.npz, web2text-en.npz and auto-en.npz")
    parser.add_argument("--texts", type=Path, help="a folder that scripts/visual/peers.py has written")
    parser.add_argument("--systems", help="those that are measured, separated by commas")
    parser.add_argument(
        "--limit", type=int, default=EVERY_PAGE, help="of pages: of each language, twice that of each English set"
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
            format_tables(rows, given.out / "valid.md", count_taught(given.out), name_options(given)), encoding="utf-8"
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
