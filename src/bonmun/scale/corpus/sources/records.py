"""One page as it was collected, and how it is made of what a file holds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import Any

from bonmun.bounds import MAX_FIELD_CHARS
from bonmun.errors import BadConfig
from bonmun.sites.domains import find_site_name

__all__ = ["COLUMNS", "Record", "RecordMaker"]

COLUMNS = ("id", "url", "site", "html", "charset", "crawled", "anchor")  # what JSON lines and Parquet may say of a page


@dataclass(frozen=True, slots=True)
class Record:
    """One page as it was collected."""

    id: str
    url: str | None
    site: str
    html: bytes  # one byte over the limit, if it is too big
    charset: str | None = None  # what the HTTP header said
    crawled: str | None = None  # when it was collected: 2026-03-04T09:00:00Z
    anchor: str | None = None  # the text of the link that led to it


class RecordMaker:
    """Makes records, and counts what is no page.

    `site` is the name of the site that all pages belong to; else a record's own `site`, else the registered domain of
    its URL, else the name of the source. `html_column` and `url_column` are what JSON lines and Parquet call a page and
    its URL, if not `html` and `url`.
    """

    def __init__(
        self, site: str | None, max_bytes: int, html_column: str | None = None, url_column: str | None = None
    ) -> None:
        self.site = site
        self.max_bytes = max_bytes
        self.skipped: Counter[str] = Counter()  # by reason
        self.unused: list[str] = []  # the columns of the first line that held no page
        named = {"html": html_column, "url": url_column}
        self.columns = {key: named.get(key) or key for key in COLUMNS}  # what a source calls each
        self.needed = {key: self.columns[key] for key in named if key == "html" or named[key]}

    def skip(self, reason: str, count: int = 1) -> None:
        """Count something that is no page."""
        self.skipped[reason] += count

    def make(
        self,
        name: str,
        source: str,
        html: bytes,
        url: str | None = None,
        site: str | None = None,
        charset: str | None = None,
        crawled: str | None = None,
        anchor: str | None = None,
    ) -> Record:
        """A record of what is known of a page; `name` is its id. What is too long for a name is unknown."""
        url, site, charset, crawled, anchor = map(_drop_long, (url, site, charset, crawled, anchor))
        belongs_to = self.site or site
        if belongs_to is None:
            try:
                belongs_to = find_site_name(url) if url else source
            except BadConfig:  # no URL that a page could have
                belongs_to = source
        return Record(name[:MAX_FIELD_CHARS], url, belongs_to, html[: self.max_bytes + 1], charset, crawled, anchor)

    def make_from_columns(self, values: dict[str, Any], source: str, place: str) -> Record:
        """A record of values by our names; those that are no text are unknown, and a page without id is its place."""
        html = values["html"]
        data = html if isinstance(html, bytes) else html.encode("utf-8", "replace")
        url, site, charset, crawled, anchor = (
            values[key] if isinstance(values[key], str) and values[key] else None
            for key in ("url", "site", "charset", "crawled", "anchor")
        )
        if isinstance(values["crawled"], date):  # in Parquet
            crawled = values["crawled"].isoformat()
        known = str(values["id"]) if isinstance(values["id"], str | int) else ""
        name = _drop_long(known) or _drop_long(url) or place
        return self.make(name, source, data, url, site, charset, crawled, anchor)


def _drop_long(text: str | None) -> str | None:
    return text if text is None or len(text) <= MAX_FIELD_CHARS else None
