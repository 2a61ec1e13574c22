"""Measure how well the next page is found: `python -m scripts.figures.pagers`.

The set `pagers` has the links to the next page as people marked them. Links without an address (`javascript:`) are left
out. For articles of other sets, all next pages that are found are printed, so that somebody can look at them.
"""

from __future__ import annotations

import json
import lzma
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import bonmun
from scripts.labelled import DATA, ENDING, read_html

if TYPE_CHECKING:
    from collections.abc import Iterator

SETS = ("accept-dev", "wcxb-dev")
MIN_PAGES = 4  # of a language; others are counted together


def main() -> None:
    """Print precision and recall by language, and false next pages; then the next pages of articles in other sets."""
    counts: dict[str, Counter[str]] = {}
    for row in _read("pagers"):
        doc = bonmun.extract(row["html"], row["url"])
        marked = row["pager"].get("next", ())
        right = {urljoin(doc.page.base_url, url) for url in marked if not url.startswith("javascript:")}
        found = doc.next_page
        count = counts.setdefault(doc.language or "-", Counter())
        count.update(pages=1, right=found in right, found=found is not None, marked=bool(right))
        count.update(without_pager=found is not None and not row["pager"])
        if found not in right and (found or right):
            print(f"{row['id']} {row['url'][:80]}: {found}, not {', '.join(right) or None}", file=sys.stderr)
    _print_table(counts)
    for name in sys.argv[1:] or SETS:
        found_pages = total = 0
        for row in _read(name):
            doc = bonmun.extract(read_html(row) or "", row.get("url"))
            if doc.kind not in ("article", "documentation"):
                continue
            total += 1
            if doc.next_page:
                found_pages += 1
                print(f"{row['id']} {doc.url} → {doc.next_page}", file=sys.stderr)
        print(f"{name}: {found_pages} of {total} articles and manual pages have a next page")


def _read(name: str) -> Iterator[dict[str, Any]]:
    with lzma.open(DATA / f"{name}{ENDING}", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _print_table(counts: dict[str, Counter[str]]) -> None:
    rest = sum((count for count in counts.values() if count["pages"] < MIN_PAGES), Counter())
    rows = [(name, count) for name, count in sorted(counts.items()) if count["pages"] >= MIN_PAGES]
    rows += [("others", rest), ("all", sum(counts.values(), Counter()))]
    print("| language | pages | next pages | precision | recall | false on pages without a pager |")
    print("|---|---|---|---|---|---|")
    for name, count in rows:
        precision, recall = (f"{count['right'] / count[of]:.2f}" if count[of] else "–" for of in ("found", "marked"))
        print(f"| {name} | {count['pages']} | {count['marked']} | {precision} | {recall} | {count['without_pager']} |")


if __name__ == "__main__":
    main()
