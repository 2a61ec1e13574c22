"""Measure the trained methods over leaves on unseen sites: word F1 by set, all measures by language.

    .venv/bin/python -m scripts.figures.leaves test FOLDER
    .venv/bin/python -m scripts.figures.leaves languages FOLDER --most 40

FOLDER has sequence-en.npz and web2text-en.npz, trained on English pages only (scripts/fit). `test` measures these and
the shipped networks on the sites of the part `test`. `languages` measures only the English networks, on the pages of
all parts in other languages, which they have not seen. Sets with weak labels are left out, and so are pages with less
than 0.8 of the gold on them. All of it takes about ten minutes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import bonmun
from bonmun.algorithms import Method, make_method
from bonmun.document import Document
from bonmun.lab.evaluate.metrics.texts import Lcs, TextBlocks, Words
from bonmun.lab.gold.folds import find_part, find_site
from bonmun.options import DEFAULTS
from scripts.labelled import read_examples

if TYPE_CHECKING:
    from bonmun.lab.gold.examples import Example

MIN_PAGES = 20  # of a language
MIN_COVERED_SHARE = 0.8  # of the gold that must be on the page
WEAK = frozenset({"silver"})
TRANSLATED = frozenset({"deb-docs"})  # the same books in many languages, each a separate site
NAMES = ("sequence", "web2text")
ENGLISH = "en"
MEASURES = (("word F1", Words()), ("LCS F1", Lcs()), ("Block F1", TextBlocks()))

Rows = list[tuple[str, Sequence[float]]]  # a group of a page, and its scores


def measure(example: Example, systems: dict[str, Method]) -> list[float]:
    """Return all scores of all systems on a page."""
    try:
        page = bonmun.Page.parse(example.html, example.url)
    except bonmun.BonmunError:
        return [0.0] * len(systems) * len(MEASURES)
    values = []
    for method in systems.values():
        text = Document(page, method.label(page), DEFAULTS).text
        values += [metric(text, example.text or "")["f1"] for _, metric in MEASURES]
    return values


def read_pages(wanted: Callable[[Example], bool]) -> list[tuple[str, Example]]:
    """Yield the pages whose gold is on the page, each with its set."""
    return [
        (name, example)
        for name, example in read_examples()
        if name not in WEAK
        and example.text is not None
        and (example.cov is None or example.cov >= MIN_COVERED_SHARE)
        and wanted(example)
    ]


def format_table(rows: Rows, columns: list[str]) -> str:
    """Return the means of each group and of all pages."""
    groups: dict[str, list[Sequence[float]]] = {}
    for group, figures in rows:
        groups.setdefault(group, []).append(figures)
    lines = ["| | pages | " + " | ".join(columns) + " |", "|---" * (len(columns) + 2) + "|"]
    shown = [(group, groups[group]) for group in sorted(groups, key=lambda each: -len(groups[each]))]
    for group, values in [*shown, ("all", [figures for _, figures in rows])]:
        means = [sum(column) / len(values) for column in zip(*values, strict=True)]
        cells = [f"{mean:.3f}".removeprefix("0") for mean in means]
        lines.append(f"| {group} | {len(values)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def print_test_part(systems: dict[str, Method]) -> None:
    """Print the scores of all systems on sites that none of them has seen."""
    names = [f"{name} {label}" for name in systems for label, _ in MEASURES]
    test = read_pages(lambda example: find_part(find_site(example)) == "test")
    found = [(name, example, measure(example, systems)) for name, example in test]
    print("## Test part, by set\n")
    print(format_table([(name, values) for name, _, values in found], names), end="\n\n")
    print("## Test part, by language\n")
    print(format_table([(str(example.lang), values) for _, example, values in found], names))


def print_languages(systems: dict[str, Method], most: int) -> None:
    """Print the scores of the English networks on a number of pages of each other language, evenly spread."""
    names = [f"{name} {label}" for name in systems for label, _ in MEASURES]
    groups: dict[str, list[tuple[str, Example]]] = {}
    for source, example in read_pages(lambda example: example.lang not in (ENGLISH, None)):
        groups.setdefault(str(example.lang), []).append((source, example))
    rows = []
    for lang, pages in groups.items():
        if len(pages) >= MIN_PAGES:
            some = pages[:: -(-len(pages) // most)]
            rows += [(source in TRANSLATED, lang, measure(example, systems)) for source, example in some]
            print(f"{lang}: {len(some)} of {len(pages)} pages", file=sys.stderr, flush=True)
    print("## Trained on English only: pages in other languages\n")
    print(format_table([each[1:] for each in rows], names), end="\n\n")
    print("## The same without sets of translations, whose templates were seen in English\n")
    print(format_table([each[1:] for each in rows if not each[0]], names))


def main() -> None:
    """Print the tables as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("test", "languages"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--most", type=int, default=10_000, help="pages of a language")
    given = parser.parse_args()
    english = {f"{name}-en": make_method(name, model=given.folder / f"{name}-en.npz") for name in NAMES}
    if given.what == "test":
        print_test_part({name: make_method(name) for name in NAMES} | english)
    else:
        print_languages(english, given.most)


if __name__ == "__main__":
    main()
