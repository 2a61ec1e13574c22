"""How long bonmun takes, beside the bare parse and resiliparse, in one run. Run it with `make bench`.

Over the first 300 pages of ../shared/data/wcxb-dev.jsonl.xz where that file is, else over examples/pages. Every page
goes through every stage in turn, the best of five rounds counts, and times are only good as ratios to each other. Then
every method on a page fresh from `Page.parse`: what it adds, on the median page and on all; the steps of auto; and the
facts, on top of the text, beside trafilatura (over the first 60 pages).
"""

from __future__ import annotations

from functools import partial
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

import trafilatura
import turbohtml
from resiliparse.extract.html2text import extract_plain_text

import bonmun
from bonmun.metadata import read_metadata
from bonmun.methods import PAGE_METHODS, make_method
from bonmun.models.arrays import count_page
from bonmun.models.decide import decide
from bonmun.models.features import compute_features
from bonmun.models.network import default_network
from bonmun.models.whole import number_units
from bonmun.page import Page
from scripts.labelled import ROOT, find_set, read_rows

if TYPE_CHECKING:
    from collections.abc import Callable

SET = "wcxb-dev"
PAGES = 300
PEER_PAGES = 60  # trafilatura takes long
ROUNDS = 5
STEP_ROUNDS = 3  # for a step, or for a method


def parse_with_blocks(html: str) -> object:
    """The page with all its leaves and blocks."""
    page = Page.parse(html)
    return page.leaves, page.blocks, page.block_texts


def extract_text(html: str) -> str:
    """The whole way: from HTML to the main text."""
    return bonmun.extract(html).text


STAGES: dict[str, Callable[[str], object]] = {
    "turbohtml.parse, bare": turbohtml.parse,
    "Page.parse with blocks": parse_with_blocks,
    "bonmun.extract to text": extract_text,
    "bonmun.extract to Markdown": lambda html: bonmun.extract(html).markdown,
    "resiliparse main content": lambda html: extract_plain_text(html, main_content=True),
}


def read_pages() -> tuple[str, list[str]]:
    """Where the pages come from, and the pages."""
    if find_set(SET).exists():
        rows = read_rows(SET, covered=0, limit=PAGES)
        return f"{PAGES} pages of {find_set(SET).name}", [row["html"] for row in rows]
    files = sorted((ROOT / "examples" / "pages").glob("*.html"))
    return f"{len(files)} pages of examples/pages", [turbohtml.parse(file.read_bytes()).html for file in files]


def main() -> None:
    """Print a line a stage."""
    source, texts = read_pages()
    best = dict.fromkeys(STAGES, float("inf"))
    for _ in range(ROUNDS):
        for name, stage in STAGES.items():
            start = perf_counter()
            for html in texts:
                stage(html)
            best[name] = min(best[name], perf_counter() - start)
    bare = best["turbohtml.parse, bare"]
    peer = best["resiliparse main content"]
    print(f"{source}, best of {ROUNDS} rounds")
    print(f"{'':28}{'ms a page':>10}{'× bare parse':>14}{'× resiliparse':>15}")
    for name, seconds in best.items():
        print(f"{name:28}{seconds / len(texts) * 1e3:>10.2f}{seconds / bare:>14.2f}{seconds / peer:>15.2f}")
    print(f"\n{'labelling, on top of it':31}{'median ms':>10}{'mean ms':>14}{'× Page.parse':>15}")
    parse = best["Page.parse with blocks"] / len(texts)
    for name, times in (time_methods(texts) | time_steps(texts)).items():
        mean = sum(times) / len(times)
        print(f"{name:31}{median(times) * 1e3:>10.2f}{mean * 1e3:>14.2f}{mean / parse:>15.2f}")


def time_steps(texts: list[str]) -> dict[str, list[float]]:
    """How long each step of auto takes, and the facts; the best of three rounds."""
    network = default_network()
    times: dict[str, list[float]] = {}
    for number, html in enumerate(texts):
        doc = bonmun.extract(html)
        if not doc.page.starts:
            continue
        arrays = count_page(doc.page)
        scores, text = network.scores(arrays), doc.text
        steps: dict[str, Callable[[], object]] = {
            "auto: arrays": partial(count_page, doc.page),
            "auto: features": partial(compute_features, arrays),
            "auto: features and network": partial(network.scores, arrays),
            "auto: decision": partial(decide, arrays, scores, number_units(doc.page)),
            "facts": partial(read_metadata, doc.page, text, doc.labels),
        }
        if number < PEER_PAGES:
            steps["trafilatura's facts"] = partial(trafilatura.extract_metadata, html)
            steps["trafilatura's text"] = partial(trafilatura.extract, html, include_comments=False)
            steps["bonmun's text, same pages"] = partial(extract_text, html)
        for name, step in steps.items():
            best = float("inf")
            for _ in range(STEP_ROUNDS):
                start = perf_counter()
                step()
                best = min(best, perf_counter() - start)
            times.setdefault(name, []).append(best)
    return times


def time_methods(texts: list[str]) -> dict[str, list[float]]:
    """How long each method takes for each page, the best of three rounds."""
    methods = {info.name: make_method(info.name) for info in PAGE_METHODS.values()}
    times = {name: [float("inf")] * len(texts) for name in methods}
    for _ in range(STEP_ROUNDS):
        for number, html in enumerate(texts):
            for name, method in methods.items():
                page = Page.parse(html)
                start = perf_counter()
                method.label(page)
                times[name][number] = min(times[name][number], perf_counter() - start)
    return times


if __name__ == "__main__":
    main()
