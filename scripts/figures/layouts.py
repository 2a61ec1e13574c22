"""Measure the layouts of sites: pairs of pages that are found to have the same layout, and those that have it.

.venv/bin/python -m scripts.figures.layouts
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from statistics import mean

from bonmun import Page
from bonmun.sites.layouts import find_layouts, read_skeleton
from scripts.labelled import read_rows

SET, PAGES = "site-gold", "crawl-sample"  # most pages of the set are those of the crawl, joined by id


def measure_site(pages: list[tuple[Page, str]]) -> tuple[int, int, int, int]:
    """Return the number of layouts found, and of pairs: of the same layout and found so, found so, of the same."""
    skeletons = [read_skeleton(page) for page, _ in pages]
    layouts = find_layouts(skeletons)
    numbers = [layouts.find(skeleton) for skeleton in skeletons]
    pairs = list(combinations(zip(numbers, (layout for _, layout in pages), strict=True), 2))
    found = [a[0] == b[0] >= 0 for a, b in pairs]
    true = [a[1] == b[1] for a, b in pairs]
    return len(layouts), sum(map(bool.__and__, found, true)), sum(found), sum(true)


def main() -> None:
    """Print precision and recall of each site, their means, and those of all pairs."""
    sites: dict[str, list[tuple[Page, str]]] = defaultdict(list)
    pages = {row["id"]: row["html"] for row in read_rows(PAGES)}
    for row in read_rows(SET):
        html = row.get("html") or pages[row["id"]]
        sites[row["site"]].append((Page.parse(html, row.get("url")), row["layout"]))
    shares = []
    whole = [0, 0, 0]
    print("| site | pages | layouts | found | precision | recall |\n|---|---|---|---|---|---|")
    for site, labelled in sorted(sites.items()):
        layouts, *counts = measure_site(labelled)
        both, found, true = counts
        shares.append((both / found if found else 1.0, both / true if true else 1.0))
        whole = [a + b for a, b in zip(whole, counts, strict=True)]
        known = len({layout for _, layout in labelled})
        print(f"| {site} | {len(labelled)} | {known} | {layouts} | {shares[-1][0]:.3f} | {shares[-1][1]:.3f} |")
    precisions, recalls = zip(*shares, strict=True)
    print(f"| mean | | | | {mean(precisions):.3f} | {mean(recalls):.3f} |")
    print(f"| all pairs | | | | {whole[0] / whole[1]:.3f} | {whole[0] / whole[2]:.3f} |")


if __name__ == "__main__":
    main()
