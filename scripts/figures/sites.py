"""Measure the benefit of site models: word F1 on sites with many labelled pages, by the number of pages counted.

    .venv/bin/python -m scripts.figures.sites        # writes corpus-figures.md and sites.svg under docs/

Sites are split in two halves by a hash of their names. The thresholds of sites/site.py were chosen on one half, "seen";
the other, "unseen", is only measured. `auto` has the network that was trained without the fold of the site
(scripts/folds). trafilatura is included if it is installed.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from itertools import groupby
from statistics import mean
from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun import Page, SiteModel, extract
from bonmun.algorithms.auto import Auto
from bonmun.errors import MissingExtra, TooFewPages
from bonmun.lab.evaluate.systems.peers import PEERS
from bonmun.lab.gold.examples import Example
from bonmun.lab.gold.folds import find_fold
from bonmun.options import Options
from bonmun.sites.keys import hash_bytes
from bonmun.text.words import compare_counts, count_words
from scripts.labelled import ROOT, load_fold_networks, read_rows

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator, Sequence

    from bonmun.models.network.labeller import Network

DOCS = ROOT / "docs"
SETS = ("wwwxmu-zh", "deb-docs", "dragnet", "daniel-waddle", "newton-news", "site-gold")
CRAWL = "crawl-sample"  # has the pages of site-gold, joined by id
FOLDS_FOLDER = ROOT / "scripts" / "folds"
MIN_PAGES = 5  # of a site
GROWTH = (3, 5, 10, 20, 40)  # number of pages of a site model
PAGE_METHODS = ("density", "sentence:M324", "xpath+", "rules", "auto")
GROWING = ("frequency", "frequency+", "xpath+", "rules", "auto")
MIN_CHANGE = 0.002  # in F1, of a site that is listed
HALVES = ("seen", "unseen")


class Labelled(NamedTuple):
    """A page of a site, its gold, and the network that has not seen the site."""

    page: Page
    row: dict[str, Any]
    gold: Counter[str]
    network: Network


Scores = dict[tuple[str, str, str], list[float]]  # by system, set and half: word F1 of each page


class MeasuredSite(NamedTuple):
    """The scores of a site, with a model of all its pages, and with models of increasing numbers of pages."""

    set_name: str
    name: str
    pages: int
    scores: Scores
    growth: Scores


def main() -> None:
    """Measure, and write the document and the image."""
    networks = load_fold_networks(FOLDS_FOLDER)
    measured: list[MeasuredSite] = []
    for name in SETS:
        for site, rows in read_sites(name):
            measured.append(measure_site(name, site, rows, networks[find_fold(site)]))
            print(f"\r{name}, {len(measured)} sites  ", end="", file=sys.stderr, flush=True)
    (DOCS / "explanation" / "corpus-figures.md").write_text("\n".join(compose_page(measured)), encoding="utf-8")
    growth, scores = (join_scores(getattr(each, column) for each in measured) for column in ("growth", "scores"))
    lines = {
        method: [float(cell) for cell in format_growth(scores, growth, method) if cell != "–"] for method in GROWING
    }
    (DOCS / "images" / "sites.svg").write_text(draw_lines(lines), encoding="utf-8")


def read_sites(name: str) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Return the sites of a set that have enough pages."""
    crawled = {row["id"]: row for row in read_rows(CRAWL)} if name == "site-gold" else {}
    rows = [row if row.get("html") else crawled[row["id"]] | row for row in read_rows(name) if row.get("site")]
    rows.sort(key=lambda row: str(row["site"]))
    for site, some in groupby(rows, key=lambda row: str(row["site"])):
        pages = list(some)
        if len(pages) >= MIN_PAGES:
            yield site, pages


def measure_site(name: str, site: str, rows: Sequence[dict[str, Any]], network: Network) -> MeasuredSite:
    """Measure all methods on a site."""
    pages = [Labelled(Page.parse(row["html"], row.get("url")), row, count_words(row["text"]), network) for row in rows]
    half = HALVES[hash_bytes(site.encode()) % 2]
    scores: Scores = defaultdict(list)
    growth: Scores = defaultdict(list)
    measure_methods(name, half, pages, scores)
    measure_growth(name, half, pages, growth)
    return MeasuredSite(name, site, len(pages), dict(scores), dict(growth))


def join_scores(parts: Iterable[Scores]) -> Scores:
    """Return the scores of several sites as one."""
    joined: Scores = defaultdict(list)
    for part in parts:
        for key, values in part.items():
            joined[key] += values
    return joined


def measure_methods(name: str, half: str, pages: Sequence[Labelled], scores: Scores) -> None:
    """Measure every method, without and with a site model of all pages."""
    site_model = SiteModel.fit((each.page for each in pages), site=name)
    for each in pages:
        for method in ("all", *PAGE_METHODS):
            scores[method, name, half].append(score_page(each, method))
        for method in ("frequency", "frequency+", *PAGE_METHODS):
            system = f"{method} + site" if method in PAGE_METHODS else method
            scores[system, name, half].append(score_page(each, method, site_model))
        try:
            row = each.row
            example = Example(row["id"], row["html"], row["text"], url=row.get("url"), lang=row.get("lang"))
            answer = PEERS["trafilatura"].run(example)
            scores["trafilatura", name, half].append(score_text(answer.text or "", each.gold))
        except MissingExtra:
            continue


def measure_growth(name: str, half: str, pages: Sequence[Labelled], scores: Scores) -> None:
    """Measure site models of randomly chosen pages on all pages of the site."""
    known: dict[tuple[str, int], list[float]] = {}  # by method and number of pages, of which a small site has few
    for count in GROWTH:
        size = min(count, len(pages))
        site_model = SiteModel.fit((each.page for each in random.Random(count).sample(pages, size)), site=name)
        for method in GROWING:
            if (method, size) not in known:
                known[method, size] = [score_page(each, method, site_model) for each in pages]
            scores[f"{method} {count}", name, half] = known[method, size]


def score_page(each: Labelled, method: str, site_model: SiteModel | None = None) -> float:
    """Return the word F1 of a page; 0 if the corpus is too small for the paper's rule."""
    try:
        if method == "auto":
            text = extract(each.page, method=Auto(model=each.network, site_model=site_model)).text
        else:
            text = extract(each.page, method=method, options=Options(site_model=site_model)).text
    except TooFewPages:
        text = ""
    return score_text(text, each.gold)


def score_text(text: str, gold: Counter[str]) -> float:
    """Return the word F1 of a text; without a gold, 1 for an empty text."""
    return compare_counts(count_words(text), gold).f1 if gold else float(not text.strip())


def average_scores(scores: Scores, system: str, name: str, half: str | None = None) -> float:
    """Return the mean over the pages of a set, for one half of its sites or all."""
    values = [value for part in ([half] if half else HALVES) for value in scores.get((system, name, part), ())]
    return mean(values) if values else float("nan")


def format_table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    yield from (f"| {' | '.join(line)} |" for line in lines)
    yield ""


def compose_page(measured: Sequence[MeasuredSite]) -> Iterator[str]:
    """Yield the lines of the document."""
    scores, growth = (join_scores(getattr(each, column) for each in measured) for column in ("scores", "growth"))
    yield "# Site models: the figures\n"
    yield "Generated by `.venv/bin/python -m scripts.figures.sites`; do not edit. Word F1, mean over pages; `mean`:"
    yield f"over sets. Sites with at least {MIN_PAGES} labelled pages, without pages whose gold is not on the page."
    yield "Each site model is made from all pages of its site. [How to use one](../how-to/corpus.md#site-models)."
    yield "`auto` has networks that were trained without the site. Pages without text score 1 if they stay empty.\n"
    sizes = {name: [each.pages for each in measured if each.set_name == name] for name in SETS}
    yield from format_table(
        ["set", "sites", "pages"], [[name, str(len(pages)), str(sum(pages))] for name, pages in sizes.items()]
    )
    systems = list(dict.fromkeys(system for system, _, _ in scores))
    for half in (None, "unseen"):
        yield f"## {'All sites' if half is None else 'Sites that were not used to choose thresholds'}\n"
        lines = []
        for system in systems:
            values = [average_scores(scores, system, name, half) for name in SETS]
            lines.append([f"`{system}`", *(f"{value:.3f}" for value in values), f"**{mean(values):.3f}**"])
        yield from format_table(["system", *SETS, "mean"], sorted(lines, key=lambda line: line[-1]))
    yield "## By number of pages counted\n"
    yield "Models of n randomly chosen pages of each site (all pages, if it has fewer), measured on all its pages.\n"
    yield "![F1 against pages](../images/sites.svg)\n"
    head = ["method", "no model", *(f"{count} pages" for count in GROWTH)]
    yield from format_table(head, [[f"`{method}`", *format_growth(scores, growth, method)] for method in GROWING])
    for name in SETS:
        yield f"### {name}\n"
        yield from format_table(
            head, [[f"`{method}`", *format_growth(scores, growth, method, [name])] for method in GROWING]
        )
    yield from compose_sites(measured)
    yield "## A crawl without labels\n"
    yield f"`{CRAWL}`, with a model of all pages of each site: the share of the visible text that each method keeps.\n"
    yield from format_table(*measure_crawl())


def compose_sites(measured: Sequence[MeasuredSite]) -> Iterator[str]:
    """Yield the lines about the sites on which `auto` is better or worse with a model."""
    lines = []
    for each in measured:
        values = [
            mean(find_values(each.scores, "auto")),
            *(mean(find_values(each.growth, f"auto {n}")) for n in GROWTH),
        ]
        if any(abs(value - values[0]) > MIN_CHANGE for value in values):
            other = mean(find_values(each.scores, "frequency+"))
            lines.append([each.name, each.set_name, str(each.pages), *(f"{value:.3f}" for value in (*values, other))])
    yield "## `auto`, by site\n"
    yield f"A model changes the F1 of `auto` by more than {MIN_CHANGE} on {len(lines)} of {len(measured)} sites:\n"
    head = ["site", "set", "pages", "no model", *(f"{count} pages" for count in GROWTH), "`frequency+`, all pages"]
    yield from format_table(head, lines)


def find_values(scores: Scores, system: str) -> list[float]:
    """Return the scores of a system on a single site."""
    return [value for (name, _, _), values in scores.items() if name == system for value in values]


def format_growth(scores: Scores, growth: Scores, method: str, sets: Sequence[str] = SETS) -> list[str]:
    """Return the F1 of a method without a model, and with models of increasing numbers of pages."""
    alone = f"{mean(average_scores(scores, method, name) for name in sets):.3f}" if method in PAGE_METHODS else "–"
    return [alone, *(f"{mean(average_scores(growth, f'{method} {n}', name) for name in sets):.3f}" for n in GROWTH)]


def measure_crawl() -> tuple[list[str], list[list[str]]]:
    """Return the sites and pages of an unlabelled crawl, and the share of text that each method keeps."""
    systems = ["frequency", "frequency+", "rules", "rules + site", "xpath+", "xpath+ + site"]
    kept: dict[tuple[str, str], int] = defaultdict(int)
    known: dict[str, list[int]] = {}
    found = sorted(read_rows(CRAWL), key=lambda row: str(row["site"]))
    for site, some in groupby(found, key=lambda row: str(row["site"])):
        pages = [Page.parse(row["html"], row.get("url")) for row in some]
        site_model = SiteModel.fit(pages, site=site)
        known[site] = [len(pages), site_model.sites[site].pages]
        for page in pages:
            kept[site, "all"] += len(extract(page, method="all").text)
            for system in systems:
                method, _, sited = system.partition(" + ")
                given = site_model if sited or method.startswith("frequency") else None
                try:
                    kept[site, system] += len(extract(page, method=method, options=Options(site_model=given)).text)
                except TooFewPages:
                    continue
    lines = []
    for site, (pages_, different) in known.items():
        whole = max(kept[site, "all"], 1)
        lines.append([site, str(pages_), str(different), *(f"{kept[site, each] / whole:.0%}" for each in systems)])
    return ["site", "pages", "that differ", *(f"`{system}`" for system in systems)], lines


COLOURS = {"frequency": "#999", "frequency+": "#d0021b", "xpath+": "#2e8b57", "rules": "#4a90d9", "auto": "#222"}


def draw_lines(lines: dict[str, list[float]]) -> str:
    """Draw F1 against pages, one line per method; methods that need no model start at zero pages."""
    wide, high, edge, low = 680, 380, 50, 0.64
    marks = ["none", *map(str, GROWTH)]

    def place(number: int, value: float) -> tuple[float, float]:
        across, up = number / (len(marks) - 1), (value - low) / (0.96 - low)
        return edge + across * (wide - 2 * edge - 60), high - edge - up * (high - 2 * edge)

    parts = []
    for value in (0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95):
        _, y = place(0, value)
        parts.append(f'<line x1="{edge}" x2="{wide - edge - 60}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{edge - 8}" y="{y + 4:.1f}" text-anchor="end">{value:.2f}</text>')
    for number, mark in enumerate(marks):
        parts.append(f'<text x="{place(number, low)[0]:.1f}" y="{high - edge + 18}" text-anchor="middle">{mark}</text>')
    beside = 0.0
    for method, values in sorted(lines.items(), key=lambda item: -item[1][-1]):
        points = [place(len(marks) - len(values) + number, value) for number, value in enumerate(values)]
        dots = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{dots}" fill="none" stroke="{COLOURS[method]}" stroke-width="2.5"/>')
        beside = max(points[-1][1] + 4, beside + 15)  # avoid overlapping labels
        parts.append(f'<text x="{points[-1][0] + 8:.1f}" y="{beside:.1f}" fill="{COLOURS[method]}">{method}</text>')
    parts.append(f'<text x="{wide / 2 - 30}" y="{high - 12}" text-anchor="middle">pages that were counted</text>')
    parts.append('<text x="12" y="24">Word F1 with a site model, mean over six sets</text>')
    style = "<style>text{font:12px sans-serif}</style>"
    box = f'<rect width="{wide}" height="{high}" fill="#fff"/>'
    size = f'viewBox="0 0 {wide} {high}" width="{wide}" height="{high}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{style}{box}{"".join(parts)}</svg>\n'


if __name__ == "__main__":
    main()
