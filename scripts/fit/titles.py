"""Fit the table and e of the method `title-table+` on the fitting sets (labelled.py).

    .venv/bin/python -m scripts.fit.titles

Prints them; copy them to algorithms/title_table_plus.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import bonmun
from bonmun.algorithms.title_table_plus import TitleTablePlus
from bonmun.text.words import is_same_title
from scripts.labelled import FITTED, read_fitted

if TYPE_CHECKING:
    from collections.abc import Iterator


def read_pages() -> Iterator[tuple[bonmun.Page, str]]:
    """Yield pages with their titles."""
    for name in FITTED:
        for row in read_fitted(name):
            if row.get("title"):
                yield bonmun.Page.parse(row["html"]), row["title"]


def main() -> None:
    """Print the fitted table."""
    pages = list(read_pages())
    method = TitleTablePlus().fit(pages)
    print(f"{len(pages)} pages, e = {method.e_}")
    for count, mains in method.table_.mains.items():
        print(f"{count} main candidates: P(main) {[round(p, 2) for p in mains]}")
        for number, titles in enumerate(method.table_.titles[count], 1):
            print(f"    P(title | main {number}) {[round(p, 2) for p in titles]}")
    for e in (tenth / 10 for tenth in range(11)):
        tried = TitleTablePlus(method.table_, e)
        right = [is_same_title(tried.label(page).title, title) for page, title in pages]
        print(f"e = {e}: {sum(right) / len(right):.3f} of the titles found")


if __name__ == "__main__":
    main()
