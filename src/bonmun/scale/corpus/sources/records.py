"""The record of one collected page, and how it is made from the values in a file."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import Any

from bonmun.bounds import MAX_FIELD_CHARS
from bonmun.errors import BadConfig
from bonmun.sites.domains import find_site_name

__all__ = ["COLUMNS", "Record", "RecordMaker"]

COLUMNS = ("id", "url", "site", "html", "charset", "crawled", "anchor")  # of a page in JSON Lines and Parquet


@dataclass(frozen=True, slots=True)
class Record:
    """One collected page."""

    id: str
    url: str | None
    site: str
    html: bytes  # one byte over the limit if the page is too big
    charset: str | None = None  # of the HTTP header
    crawled: str | None = None  # time of collection: 2026-03-04T09:00:00Z
    anchor: str | None = None  # text of a link to the page


class RecordMaker:
    """Makes records, and counts what is skipped.

    `site` is the site of all pages. Without it, the site of a page is its column `site`, the registered domain of its
    URL, or the name of the source, in this order. `html_column` and `url_column` are the names of these columns in JSON
    Lines and Parquet files [default: html, url].
    """

    def __init__(
        self, site: str | None, max_bytes: int, html_column: str | None = None, url_column: str | None = None
    ) -> None:
        self.site = site
        self.max_bytes = max_bytes
        self.skipped: Counter[str] = Counter()  # by reason
        self.unused: list[str] = []  # columns of the first line without a page
        given = {"html": html_column, "url": url_column}
        self.columns = {key: given.get(key) or key for key in COLUMNS}  # column names by standard name
        self.needed = {key: self.columns[key] for key in given if key == "html" or given[key]}

    def skip(self, reason: str, count: int = 1) -> None:
        """Count something that is skipped."""
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
        """Make a record; `name` is its id. Values that are too long are dropped."""
        url, site, charset, crawled, anchor = map(_drop_long, (url, site, charset, crawled, anchor))
        belongs_to = self.site or site
        if belongs_to is None:
            try:
                belongs_to = find_site_name(url) if url else source
            except BadConfig:  # not a valid URL
                belongs_to = source
        return Record(name[:MAX_FIELD_CHARS], url, belongs_to, html[: self.max_bytes + 1], charset, crawled, anchor)

    def make_from_columns(self, values: dict[str, Any], source: str, place: str) -> Record:
        """Make a record of values by standard column name. `place` is the id of a page without id and URL."""
        html = values["html"]
        data = html if isinstance(html, bytes) else html.encode("utf-8", "replace")
        url, site, charset, crawled, anchor = (
            values[key] if isinstance(values[key], str) and values[key] else None
            for key in ("url", "site", "charset", "crawled", "anchor")
        )
        if isinstance(values["crawled"], date):  # from Parquet
            crawled = values["crawled"].isoformat()
        known = str(values["id"]) if isinstance(values["id"], str | int) else ""
        name = _drop_long(known) or _drop_long(url) or place
        return self.make(name, source, data, url, site, charset, crawled, anchor)


def _drop_long(text: str | None) -> str | None:
    return text if text is None or len(text) <= MAX_FIELD_CHARS else None
