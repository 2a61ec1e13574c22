"""Render pages that scripts fill in 24 different ways, and print how much of its text each has, and after how long.

.venv/bin/python -m scripts.figures.waiting [NAME…]

A page counts as found if the extracted text has at least nine of ten sentences. Plain pages are rendered five times,
and their median time is given. Settings that this version does not have are left out, so this measures earlier
versions too: copy it, and scripted_pages.py, into a checkout of one.
"""

from __future__ import annotations

import argparse
from dataclasses import fields, replace
from statistics import median
from time import monotonic
from typing import Any

from bonmun.page import Page
from bonmun.pipeline import extract
from bonmun.scale.browser import Browser, RenderOptions
from scripts.figures.scripted_pages import PAGES, STATIC_PAGES, ScriptedPage, serve_scripted_pages, write_sentence

NEEDED_SHARE = 0.9  # of the sentences of a page
REPEATS = 5  # of plain pages


def measure_share(page: ScriptedPage, snapshot: Any) -> float:
    """Return the share of the sentences that the extracted text has."""
    text = extract(Page.from_snapshot(snapshot)).text
    return sum(write_sentence(number) in text for number in page.sentences) / len(page.sentences)


def main() -> None:
    """Render all pages and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="pages to render; all by default")
    names = parser.parse_args().names
    known = {each.name for each in fields(RenderOptions)}
    found, total = 0, 0.0
    print("| page | settings | sentences | seconds |\n|---|---|---:|---:|")
    with serve_scripted_pages() as urls, Browser(RenderOptions(allow_private=True)) as browser:
        browser.render(urls["plain page"])  # the first page of a browser is slower
        for name, page in (PAGES | STATIC_PAGES).items():
            if names and name not in names:
                continue
            given = {key: value for key, value in page.settings.items() if key in known}
            browser.options = replace(browser.options, **given)
            times = []
            for _ in range(REPEATS if name in STATIC_PAGES else 1):
                start = monotonic()
                snapshot = browser.render(urls[name])
                times.append(monotonic() - start)
            browser.options = RenderOptions(allow_private=True)
            share = measure_share(page, snapshot)
            if name in PAGES:
                found += share >= NEEDED_SHARE
                total += times[0]
            shown = " ".join(f"`--{key.replace('_', '-')}`" for key in given)
            print(f"| {name} | {shown} | {share:.0%} | {median(times):.2f} |", flush=True)
            if note := getattr(snapshot, "note", None):
                print(f"  {note}")
    print(f"\n{found} of {len(PAGES)} pages have their text; {total:.1f} s together.")


if __name__ == "__main__":
    main()
