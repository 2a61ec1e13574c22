"""Measure the effect of layout: the same documentation pages with and without their style sheets.

.venv/bin/python -m scripts.visual.styled OUT

The pages of deb-docs come from Debian packages (debian-handbook, installation-guide-amd64, python3-doc, cmake-doc,
nodejs-doc, wireshark-doc, linux-doc-6.1, python-sqlalchemy-doc), which contain their style sheets. Each page is
rendered once with the files of its package and once without. Without style sheets a page is one column; with them,
menus are beside the text.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bonmun.errors import BonmunError
from bonmun.lab.evaluate.metrics.texts import Rouge
from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.folds import find_part, find_site
from bonmun.models.baselines.visual_columns import CENTRE, count_columns
from bonmun.page import Page
from bonmun.pipeline import extract
from bonmun.scale.browser import Browser, RenderJob
from bonmun.scale.browser.saved_files import FILES_HOST, FolderResources
from bonmun.snapshots import load_snapshot, save_snapshot
from scripts.labelled import find_set
from scripts.visual.pages import RenderedPage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.lab.gold.examples import Example

SHARE = Path("/usr/share")
DOCS = {  # folders of packages, by the prefix of the ids in the set
    "deb/debian-handbook/": "doc/debian-handbook/html/",
    "deb/installation-guide/": "doc/installation-guide-amd64/",
    "deb/python-doc/": "doc/python3.11/html/",
    "deb/cmake-doc/": "doc/cmake-data/html/",
    "deb/nodejs-doc/": "doc/nodejs/api/",
    "deb/wireshark-doc/": "doc/wireshark/wsdg_html_chunked/",
    "deb/linux-doc/": "doc/linux-doc-6.1/html/",
    "deb/sqlalchemy-doc/": "doc/python-sqlalchemy-doc/html/",
}
MAX_SITE_PAGES = 12
FORMS = ("without", "with")
METHODS = ("auto", "visual:basic", "visual:centre", "visual:centre+")
SEPARATING = ("text", "left", "width", "top", "d0", "d1")


def choose_pages() -> list[tuple[Example, str]]:
    """Return some pages of every package and language, each with its path below /usr/share."""
    taken: Counter[str] = Counter()
    chosen = []
    for example in read_dataset(find_set("deb-docs")):
        start = next((start for start in DOCS if example.id.startswith(start)), None)
        place = DOCS[start] + example.id.removeprefix(start) if start else ""
        if place and taken[find_site(example)] < MAX_SITE_PAGES and (SHARE / place).is_file():
            taken[find_site(example)] += 1
            chosen.append((example, place))
    return chosen


def find_file(out: Path, form: str, example: Example) -> Path:
    """Return the snapshot file of a page."""
    return out / form / f"{hashlib.sha1(example.id.encode()).hexdigest()[:16]}.snapshot"


def render(out: Path) -> None:
    """Render all pages in both forms, except those that exist."""
    resources = FolderResources(SHARE)
    for form in FORMS:
        (out / form).mkdir(parents=True, exist_ok=True)
        left = [pair for pair in choose_pages() if not find_file(out, form, pair[0]).exists()]
        with Browser() as browser:
            jobs = (
                RenderJob(
                    example.id, f"http://{FILES_HOST}/{place}", example.html, resources if form == "with" else None
                )
                for example, place in left
            )
            for (example, _), done in zip(left, browser.render_all(jobs), strict=True):
                if done.snapshot:
                    save_snapshot(done.snapshot, find_file(out, form, example))
                else:
                    print(f"{example.id}: {done.problem}", file=sys.stderr)


def read(out: Path, form: str) -> Iterator[RenderedPage]:
    """Return the pages that were rendered in both forms."""
    for example, _ in choose_pages():
        if all(find_file(out, each, example).exists() for each in FORMS):
            snapshot = load_snapshot(find_file(out, form, example))
            page = Page.from_snapshot(snapshot, example.url)
            yield RenderedPage("deb-docs", example, find_part(find_site(example)), page, snapshot.html)


def measure(one: RenderedPage) -> dict[str, Any]:
    """Return the measurements of one page."""
    table = count_columns(one.page, one.boxes)
    elements = np.array(one.page.leaf_elements)
    gold = np.array(one.gold, bool)
    shown = one.boxes.visible[elements]
    wide = table[elements, CENTRE.index("width")] / max(one.boxes.page_size[0], 1)
    row: dict[str, Any] = {
        "pages": 1.0,
        "hidden leaves": float(np.mean(~shown)) if len(shown) else 0.0,
        "page height in screens": one.boxes.page_size[1] / one.boxes.viewport[1],
        "width of gold": float(np.median(wide[gold & shown])) if (gold & shown).any() else np.nan,
        "width of the rest": float(np.median(wide[~gold & shown])) if (~gold & shown).any() else np.nan,
    }
    for name in SEPARATING:
        row[f"AUC of {name}"] = find_auc(table[elements[shown], CENTRE.index(name)], gold[shown])
    for name in METHODS:
        try:
            text = extract(one.page, method=name).text
        except BonmunError as problem:
            print(f"{one.example.id}: {name}: {problem}", file=sys.stderr)
            continue
        row[f"LCS F1 of {name}"] = Rouge()(text, one.example.text or "")["f1"]
    return row


def find_auc(values: Any, gold: Any) -> float:
    """Return how well a column separates gold leaves from others: 0.5 not at all, 0 or 1 completely."""
    if gold.all() or not gold.any():
        return float("nan")
    ranks = np.empty(len(values))
    ranks[np.argsort(values, kind="stable")] = np.arange(1, len(values) + 1)
    for value in np.unique(values):  # equal values share their ranks
        same = values == value
        ranks[same] = ranks[same].mean()
    right = int(gold.sum())
    area = (ranks[gold].sum() - right * (right + 1) / 2) / (right * (len(values) - right))
    return float(max(area, 1 - area))


def main() -> None:
    """Render the pages, measure them, and print a table."""
    out = Path(sys.argv[1])
    render(out)
    found = {form: [measure(one) for one in read(out, form)] for form in FORMS}
    print("| mean of pages | without style sheets | with them |\n|---|---:|---:|")
    for name in found["with"][0]:
        columns = [[row[name] for row in found[form] if name in row] for form in FORMS]
        means = [sum(values) if name == "pages" else np.nanmean(values) for values in columns]
        print(f"| {name} | {means[0]:.3g} | {means[1]:.3g} |")


if __name__ == "__main__":
    main()
