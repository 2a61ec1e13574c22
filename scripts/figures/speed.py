"""Measure the speed of bonmun, resiliparse, trafilatura and the bare parse on one core, in one process: `make bench`.

Uses the first 300 pages of wcxb-dev (web pages), hand-ml (many in Chinese, Japanese, Korean), deb-docs (small pages)
and accept-dev (all kinds, half in Korean, Japanese or Chinese) of ../shared/data, or examples/pages if those are
missing. A run passes every page through every system, in random order: whatever runs after trafilatura finds its data
gone from the caches of the processor. There are three runs. Only ratios of times are meaningful; those of means and
medians are printed for each run. Times are those of the processor, so that other programs count less. For the first
set, the stages of `extract`, also for each quarter of the pages by size, and the time of each method are printed, too.
BONMUN_PURE=1 measures the Python reference instead of the compiled kernel.
"""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from itertools import pairwise
from random import Random
from statistics import mean, median
from time import process_time
from typing import TYPE_CHECKING

import trafilatura
import turbohtml
from resiliparse.extract.html2text import extract_plain_text

import bonmun
from bonmun.algorithms import PAGE_METHODS, make_method
from bonmun.algorithms.auto import Auto
from bonmun.document import Document
from bonmun.options import DEFAULTS
from bonmun.page import Page
from scripts.labelled import ROOT, find_set, read_html, read_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    Times = dict[str, list[float]]  # seconds for each page

SETS = ("wcxb-dev", "hand-ml", "deb-docs", "accept-dev")
PAGES = 300
RUNS = 3
SEED = 43  # of the order of the systems
QUARTERS = 4  # of the pages, by size
PEER = "resiliparse main content"
SLOW = "trafilatura with metadata"


def extract_with_metadata(html: str) -> object:
    """Extract the text and the metadata."""
    doc = bonmun.extract(html)
    return doc.text, doc.metadata


def extract_everything(html: str) -> object:
    """Extract Markdown, metadata, posts and objects."""
    doc = bonmun.extract(html)
    return doc.markdown, doc.metadata, doc.posts, doc.objects


SYSTEMS: dict[str, Callable[[str], object]] = {
    PEER: lambda html: extract_plain_text(html, main_content=True),
    "turbohtml.parse, bare": turbohtml.parse,
    "Page.parse": Page.parse,
    "bonmun to text": lambda html: bonmun.extract(html).text,
    "bonmun to text, with metadata": extract_with_metadata,
    "bonmun to Markdown": lambda html: bonmun.extract(html).markdown,  # with links and images
    "bonmun, everything": extract_everything,
    SLOW: lambda html: trafilatura.bare_extraction(html, with_metadata=True),
}


def read_pages(name: str) -> list[str]:
    """Return the first pages of a set."""
    return [html for row in read_rows(name, covered=0, limit=PAGES) if (html := read_html(row))]


def time_systems(pages: list[str]) -> list[Times]:
    """Measure each system on each page, in random order, for each run."""
    for system in SYSTEMS.values():
        system(pages[0])  # loads its modules
    runs: list[Times] = []
    order, random = list(SYSTEMS), Random(SEED)
    for _ in range(RUNS):
        times: Times = defaultdict(list)
        for html in pages:
            random.shuffle(order)
            for name in order:
                system = SYSTEMS[name]
                start = process_time()
                system(html)
                times[name].append(process_time() - start)
        runs.append(times)
    return runs


def print_systems(runs: list[Times]) -> None:
    """Print one line per system: its time, and its ratios to the peer's for each run."""
    print(f"{'':28}{'mean ms':>9}{'median ms':>11}{'mean × resiliparse':>25}{'median × resiliparse':>25}")
    for name in SYSTEMS:
        best = [min(times) for times in zip(*(run[name] for run in runs), strict=True)]
        ratios = [
            "  ".join(f"{middle(run[name]) / middle(run[PEER]):.2f}" for run in runs) for middle in (mean, median)
        ]
        print(f"{name:28}{mean(best) * 1e3:>9.2f}{median(best) * 1e3:>11.2f}{ratios[0]:>25}{ratios[1]:>25}")
    faster = [mean(run[SLOW]) / mean(run["bonmun to text, with metadata"]) for run in runs]
    print(f"bonmun with metadata is {'  '.join(f'{each:.1f}' for each in faster)} times as fast as {SLOW}.")


def time_stages(pages: list[str]) -> Times:
    """Measure each stage on each page that has a block, the best of three; small pages come first."""
    best: dict[str, list[float]] = defaultdict(list)
    for html in sorted(pages, key=len):
        if not Page.parse(html).starts:
            continue
        rounds = [time_page(html) for _ in range(RUNS)]
        for name in rounds[0]:
            best[name].append(min(each[name] for each in rounds))
    return best


def time_page(html: str) -> dict[str, float]:
    """Measure each stage on one page; names that start with a space are parts of the stage above."""
    page = Page.parse(html)  # shared by the stages of labelling
    labels = Auto().label(page)
    doc = Document(page, labels, DEFAULTS)
    stages: dict[str, Callable[[], object]] = {
        PEER: lambda: extract_plain_text(html, main_content=True),
        "parse": lambda: turbohtml.parse(html, positions=False, allow_declarative_shadow_roots=False),
        "Page.parse": lambda: Page.parse(html),
        "label": partial(Auto().label, Page.parse(html)),
        **{f" {name}": step for name, step in list_steps(page).items()},
        "text": lambda: doc.text,
        "metadata": lambda: doc.metadata,
        "Markdown": lambda: doc.markdown,
    }
    times: dict[str, float] = {}
    for name, stage in stages.items():
        start = process_time()
        stage()
        times[name] = process_time() - start
    return times


def list_steps(page: Page) -> dict[str, Callable[[], object]]:
    """Return the steps of labelling, compiled or in Python."""
    if bonmun.accelerated:
        from bonmun.models.features.page_counts import count_compiled
        from bonmun.models.network.compiled import decide_compiled, number_units_compiled
        from bonmun.models.network.packed import open_default

        network = open_default()
        assert network is not None
        counts = count_compiled(page)
        scores, unit_rows = network.score(counts), number_units_compiled(page)
        return {
            "count": partial(count_compiled, page),
            "features and network": partial(network.score, counts),
            "units": partial(number_units_compiled, page),
            "decide": partial(decide_compiled, counts, scores, unit_rows, "balanced", network.habits),
        }
    from bonmun.models.features.count_page import count_page
    from bonmun.models.network.decide import decide
    from bonmun.models.network.labeller import default_network
    from bonmun.models.network.whole_units import number_units

    arrays = count_page(page)
    found, units = default_network().scores(arrays), number_units(page)
    return {
        "count": partial(count_page, page),
        "features and network": partial(default_network().scores, arrays),
        "units": partial(number_units, page),
        "decide": partial(decide, arrays, found, units),
    }


def print_stages(times: Times) -> None:
    """Print one line per stage: its ratio to the peer's time, for all pages and for each quarter by size."""
    print(f"{'':28}{'mean × resiliparse':>20}{'median × resiliparse':>22}   mean × resiliparse, small to large pages")
    count = len(times[PEER])
    bounds = [count * quarter // QUARTERS for quarter in range(QUARTERS + 1)]
    quarters = [slice(start, stop) for start, stop in pairwise(bounds) if start < stop]
    for name, seconds in times.items():
        ratios = [sum(seconds[each]) / sum(times[PEER][each]) for each in quarters]
        print(
            f"{name:28}{mean(seconds) / mean(times[PEER]):>20.3f}{median(seconds) / median(times[PEER]):>22.3f}   "
            + "".join(f"{ratio:>9.3f}" for ratio in ratios)
        )


def time_methods(pages: list[str]) -> Times:
    """Measure each method on each page, the best of three rounds."""
    methods = {info.name: make_method(info.name) for info in PAGE_METHODS.values()}
    times = {name: [float("inf")] * len(pages) for name in methods}
    for _ in range(RUNS):
        for number, html in enumerate(pages):
            for name, method in methods.items():
                page = Page.parse(html)
                start = process_time()
                method.label(page)
                times[name][number] = min(times[name][number], process_time() - start)
    return times


def main() -> None:
    """Print all tables."""
    sets = {name: read_pages(name) for name in SETS if find_set(name).exists()}
    if not sets:
        files = sorted((ROOT / "examples" / "pages").glob("*.html"))
        sets = {"examples/pages": [turbohtml.parse(file.read_bytes()).html for file in files]}
    print(f"bonmun {bonmun.__version__}, {'with its kernel' if bonmun.accelerated else 'the reference'}; {RUNS} runs")
    for name, pages in sets.items():
        print(f"\n{len(pages)} pages of {name}")
        print_systems(time_systems(pages))
    name, pages = next(iter(sets.items()))
    print(f"\nThe stages, {name}, the best of {RUNS} runs")
    print_stages(time_stages(pages))
    print(f"\n{'labelling, on top of Page.parse':34}{'median ms':>10}{'mean ms':>10}")
    for method, times in time_methods(pages).items():
        print(f"{method:34}{median(times) * 1e3:>10.2f}{mean(times) * 1e3:>10.2f}")


if __name__ == "__main__":
    main()
