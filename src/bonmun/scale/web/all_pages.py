"""Download all pages of an article."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from bonmun.joined import collect_pages
from bonmun.options import DEFAULTS
from bonmun.pipeline import extract
from bonmun.scale.web.download import fetch

if TYPE_CHECKING:
    from bonmun.document import Document
    from bonmun.options import Options
    from bonmun.page import Page

__all__ = ["PAUSE_SECONDS", "fetch_pages"]

PAUSE_SECONDS = 1.0  # between two requests to a host


def fetch_pages(url: str, options: Options | None = None, *, pause: float = PAUSE_SECONDS) -> list[Page]:
    """Download a page and the pages after it (`Document.next_page`), up to 20 pages of the same host.

    It stops at a page that was there before and at one without new text. `options` is as in `fetch`; `options.rules`
    may tell where the link to the next page is. `pause` is the time between two requests, in seconds.

        doc = bonmun.extract_pages(bonmun.fetch_pages("https://example.org/long-read"))

    Raise the errors of `fetch`, also if only one of the later pages cannot be fetched.
    """
    options = options or DEFAULTS

    def load(address: str) -> Document:
        time.sleep(pause)
        return extract(fetch(address, options), options=options)

    return [document.page for document in collect_pages(extract(fetch(url, options), options=options), load)]
