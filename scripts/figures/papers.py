"""The papers' methods on real pages: word precision, recall and F1 of each, and how often the title is right.

    .venv/bin/python -m scripts.figures.papers > docs/methods/figures.md

Reads the sets in ../shared/data that nothing of these methods was fitted on (scripts/labelled.py). Takes some minutes.
"""

from __future__ import annotations

import sys
from multiprocessing import Pool
from typing import Any

import bonmun
from bonmun.algorithms import Method, make_method
from bonmun.algorithms.sentence import Sentence
from bonmun.algorithms.title_table import TitleTable
from bonmun.algorithms.title_table_plus import TitleTablePlus
from bonmun.document import Document
from bonmun.metadata import guess_title
from bonmun.options import DEFAULTS
from bonmun.text.words import Overlap, compare_counts, count_words, is_same_title
from scripts.labelled import REPORTED, read_rows

VARIANTS = "M1 M2 M3 M4 MM M34 M43 M32 M42 M324 M423".split()
PAGE_KINDS = {"wcxb-dev": "article"}  # of the pages that are measured on, where a set has many
# What the paper says of M34 and M324, taken literally: the fullest block, if it is like the title at all.
LITERAL = {"M34": ("sentences", "fullest", "strict"), "M324": ("sentences", "unlinked", "fullest", "strict")}
# And with the filter as it stands in the specification: nothing is left where no block is like the title.
STRICT = {"M34": ("sentences", "strict"), "M324": ("sentences", "unlinked", "strict")}
SYSTEMS: dict[str, Method] = {f"sentence:{name}": make_method(f"sentence:{name}") for name in VARIANTS}
SYSTEMS |= {f"sentence:{name}, strict": Sentence(name, steps=steps) for name, steps in STRICT.items()}
SYSTEMS |= {f"sentence:{name}, literal": Sentence(name, steps=steps) for name, steps in LITERAL.items()}
SYSTEMS |= {name: make_method(name) for name in ("density", "xpath", "xpath+", "title-table", "title-table+", "rules")}

# Table 3 to 6 of paper 4: 498 Korean news pages, in percent. Micro precision, recall, F1, macro F1.
PAPER = """
M1 43.41 100 60.54 57.20 | M2 68.72 99.93 81.44 79.01 | M3 73.67 98.06 84.13 81.66 | M4 89.67 55.64 68.67 63.02 |
MM 91.37 71.90 80.47 64.62 | M34 79.42 87.48 83.26 79.40 | M43 78.52 56.29 65.57 58.89 | M32 86.37 91.96 89.08 88.20 |
M42 80.52 88.18 84.18 80.97 | M324 86.88 91.96 89.35 89.37 | M423 85.85 59.70 70.43 64.66
"""

HEAD = """# Figures

Written by `.venv/bin/python -m scripts.figures.papers > docs/methods/figures.md`; do not edit. The labelled sets
are not part of bonmun. Pages whose gold is not on the page (`cov` under 0.8) are left out. Words are counted as
multisets, a character of Han, Kana, Hangul or Thai as a word; *micro* adds up the words of all pages, *macro* is the
mean over pages. Nothing of the papers' methods was fitted on these sets or on their sites; `rules` is there to compare,
and was set on parts of them. `all` keeps what `sentence:M1` does.
"""
RECOGNITION = """Paper 5's measures, in percent: R, the share of pages whose text is found, and P, the precision on
those. A text counts as found here if more than half of its words are in the gold, or more than half of the gold's words
in it. Korean news: the 31 Korean pages of newton-news, of six broadcasters, whose gold was made with XPaths.
"""
TITLES = """Exact matches, without regard to case, blanks and punctuation. `doc.title` is what bonmun gives with any
other method: what the page declares, its headings and its `<title>` together.
"""
PAPERS_OWN = "### Paper 4: 498 pages of Korean news (published 2009; words are what stands between blanks)"

Scores = dict[str, Overlap]


def measure_page(row: dict[str, Any]) -> tuple[str, Scores, dict[str, bool]]:
    """One page: its language, the words that each system finds, and the ways of finding the title that are right."""
    try:
        page = bonmun.Page.parse(row["html"])
    except bonmun.BonmunError:
        return "", {}, {}
    gold = count_words(row["text"])
    scores = {
        name: compare_counts(count_words(Document(page, method.label(page), DEFAULTS).text), gold)
        for name, method in SYSTEMS.items()
    }
    return row.get("lang") or "?", scores, check_titles(page, row["title"]) if row.get("title") else {}


def check_titles(page: bonmun.Page, gold: str) -> dict[str, bool]:
    """Say which ways of finding the title give the right one, without regard to case, blanks and punctuation."""
    graph = page.select("meta[property='og:title']")
    headings = (text for text, owner in zip(page.block_texts, page.owners, strict=True) if page.tags[owner] == "h1")
    found = {
        "`<title>`": page.head_title or None,
        "`og:title`": graph[0].attr("content") if graph else None,
        "first `<h1>`": next(headings, None),
        "`title-table`": TitleTable().label(page).title,
        "`title-table+`": TitleTablePlus().label(page).title,
        "`doc.title`": guess_title(page),
    }
    return {name: is_same_title(text, gold) for name, text in found.items()} | {
        "pages with a table cell": "td" in page.tags
    }


def format_set(name: str, pages: list[Scores]) -> str:
    """The scores of a set, a row a system."""
    lines = [
        f"### {name}: {len(pages)} pages\n",
        "| method | micro P | R | F1 | macro P | R | F1 |",
        "|---|---|---|---|---|---|---|",
    ]
    for system in SYSTEMS:
        every = [page[system] for page in pages]
        micro = sum(every, Overlap(0, 0, 0))
        macro = [sum(getattr(each, name) for each in every) / len(every) for name in ("precision", "recall", "f1")]
        values = [micro.precision, micro.recall, micro.f1, *macro]
        lines.append(f"| `{system}` | " + " | ".join(_format(value) for value in values) + " |")
    return "\n".join(lines)


def format_overview(sets: dict[str, list[Scores]]) -> str:
    """The macro F1 of every system on every set, with the paper's."""
    said = {line.split()[0]: line.split()[4] for line in PAPER.split("|")}
    lines = ["| method | " + " | ".join(sets) + " | paper |", "|---" * (len(sets) + 2) + "|"]
    for system in SYSTEMS:
        means = [sum(page[system].f1 for page in pages) / len(pages) for pages in sets.values()]
        paper = said.get(system.removeprefix("sentence:"), "")
        values = [*map(_format, means), _format(float(paper) / 100) if paper else ""]
        lines.append(f"| `{system}` | " + " | ".join(values) + " |")
    return "\n".join(lines)


def format_recognition(sets: dict[str, list[Scores]]) -> str:
    """Paper 5's measures: how often the text is found, and how clean it is then."""
    lines = ["| method | " + " | ".join(sets) + " | paper |", "|---" * (len(sets) + 2) + "|"]
    for system, paper in (("xpath", "97.9 / 93.9"), ("xpath+", ""), ("rules", "")):
        cells = []
        for pages in sets.values():
            counts = [page[system] for page in pages]
            found = [each.precision for each in counts if 2 * each.shared > min(each.found, each.gold)]
            cells.append(f"{len(found) / len(pages):.1%} / {sum(found) / len(found):.1%}".replace("%", ""))
        lines.append(f"| `{system}` | " + " | ".join(cells) + f" | {paper} |")
    return "\n".join(lines)


def format_titles(sets: dict[str, list[dict[str, bool]]]) -> str:
    """How often each way of finding the title is right."""
    sets = {name: [page for page in pages if page] for name, pages in sets.items()}
    sets = {name: pages for name, pages in sets.items() if pages}
    lines = ["| | " + " | ".join(f"{name} ({len(pages)})" for name, pages in sets.items()) + " |"]
    lines.append("|---" * (len(sets) + 1) + "|")
    for way in next(iter(sets.values()))[0]:
        shares = [sum(page[way] for page in pages) / len(pages) for pages in sets.values()]
        lines.append(f"| {way} | " + " | ".join(map(_format, shares)) + " |")
    return "\n".join(lines)


def main() -> None:
    """Print the tables as Markdown."""
    scores: dict[str, list[Scores]] = {}
    right: dict[str, list[dict[str, bool]]] = {}
    korean: list[Scores] = []
    korean_titles: list[dict[str, bool]] = []
    with Pool() as pool:
        for name in REPORTED:
            label = f"{name} articles" if name in PAGE_KINDS else name
            found = [
                each for each in pool.imap(measure_page, read_rows(name, PAGE_KINDS.get(name)), chunksize=8) if each[1]
            ]
            scores[label] = [each[1] for each in found]
            right[label] = [each[2] for each in found]
            if name != "deb-docs":
                korean += [each[1] for each in found if each[0] == "ko"]
                korean_titles += [each[2] for each in found if each[0] == "ko"]
            print(f"{label}: {len(found)} pages", file=sys.stderr, flush=True)
    print(HEAD)
    print("## Macro F1\n")
    print(format_overview(scores), end="\n\n")
    print("## Recognition\n")
    print(RECOGNITION)
    print(format_recognition(scores | {"Korean news": korean}), end="\n\n")
    print("## Titles\n")
    print(TITLES)
    print(format_titles(right | {"Korean news": korean_titles}), end="\n\n")
    print("## Every set\n")
    for name, pages in scores.items():
        print(format_set(name, pages), end="\n\n")
    print(format_set("Korean news", korean), end="\n\n")
    print(PAPERS_OWN, end="\n\n")
    print("| method | micro P | R | F1 | macro F1 |\n|---|---|---|---|---|")
    for line in PAPER.split("|"):
        variant, *values = line.split()
        print(f"| `sentence:{variant}` | " + " | ".join(_format(float(value) / 100) for value in values) + " |")


def _format(share: float) -> str:
    return f"{share:.3f}".removeprefix("0")


if __name__ == "__main__":
    main()
