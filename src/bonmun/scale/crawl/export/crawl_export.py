"""Export the extracted pages of a crawl as Markdown files."""

from __future__ import annotations

import io
from contextlib import closing
from typing import TYPE_CHECKING

from bonmun.scale.crawl.archive.warc_files import WARC_FOLDER
from bonmun.scale.crawl.discover.urls import normalise_url
from bonmun.scale.crawl.export.markdown_folder import MARKDOWN_FOLDER, write_markdown_folder
from bonmun.scale.crawl.status import open_to_read

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bonmun.scale.crawl.export.page_store import PageStore
    from bonmun.scale.crawl.plan import CrawlPlan

__all__ = ["MARKDOWN_FOLDER", "export_markdown", "list_aliases"]

COPIES = """
    select u.url, c.url from fetches f join urls u on u.id = f.url
    join fetches o on o.id = f.copy_of join urls c on c.id = o.url
    where f.is_page and f.snapshot is null and u.id <> c.id"""
REDIRECTS = """
    select u.url, f.file, f.offset, f.length from fetches f join urls u on u.id = f.url
    where f.status between 301 and 308 and f.file is not null and u.kind <> 'robots' order by f.id"""


def export_markdown(folder: Path, plan: CrawlPlan, store: PageStore, *, tables_as_html: bool) -> int:
    """Write the pages of a crawl as Markdown files into `folder/markdown`. Return their number."""
    store.set_aliases(list_aliases(folder))
    seed = normalise_url(plan.seeds[0]) or plan.seeds[0]
    return write_markdown_folder(store, folder / MARKDOWN_FOLDER, seed, tables_as_html=tables_as_html)


def list_aliases(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the URLs of a crawl that lead to another one: copies and redirects."""
    with closing(open_to_read(folder)) as sql:
        yield from sql.execute(COPIES)
        for url, file, offset, length in sql.execute(REDIRECTS):
            location = _read_location(folder / WARC_FOLDER / file, offset, length)
            target = normalise_url(location, url) if location else None
            if target and target != url:
                yield url, target


def _read_location(path: Path, offset: int, length: int) -> str | None:
    """Return the target of the redirect in a WARC record."""
    from fastwarc.warc import ArchiveIterator

    with path.open("rb") as file:
        file.seek(offset)
        data = file.read(length)
    record = next(iter(ArchiveIterator(io.BytesIO(data), parse_http=True)), None)
    return record.http_headers.get("Location") if record is not None and record.http_headers is not None else None
