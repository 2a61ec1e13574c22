"""Names on a command line in, a shelf of pages out: files, folders, URLs, and files of many pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from bonmun.app.commands.shared.sources import find_sources
from bonmun.errors import BadConfig

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Iterator

    from bonmun.app.commands.shared.sources import Source
    from bonmun.lab.annotate.open_pages import Shelf, ShelfPage
    from bonmun.lab.annotate.page_sources import PageSource
    from bonmun.options import Options

__all__ = ["check_names", "open_shelf"]

MANY = re.compile(r"\.(?:jsonl|ndjson|parquet|warc)(?:\.gz|\.xz|\.zst)?$", re.I)
ANY_SITE = "all"  # sites matter to nobody here, and to find them takes another package


def check_names(names: Iterable[str]) -> None:
    """Raise BadConfig if a name leads to no page, before anything is shown."""
    for source in find_sources(names):
        if source.problem:
            raise BadConfig(f"{source.name}: {source.problem}")
        if source.is_missing:
            raise BadConfig(f"{source.name}: there is no such file or folder.")


def open_shelf(
    names: Iterable[str], options: Options, url: str | None = None, passed: Counter[str] | None = None
) -> Shelf:
    """A shelf with the pages that the names lead to; nothing is fetched or parsed yet.

    What is passed over in folders is counted in `passed`.
    """
    from bonmun.lab.annotate.open_pages import Shelf

    shelf = Shelf(_find_pages(names, options, url, passed), options.max_bytes)
    if not len(shelf):
        raise BadConfig("There is no page to show: give HTML files, folders of them, URLs, or .jsonl, .warc, .parquet.")
    return shelf


def _find_pages(
    names: Iterable[str], options: Options, url: str | None, passed: Counter[str] | None
) -> Iterator[ShelfPage]:
    from bonmun.lab.annotate.open_pages import ShelfPage, keep_records

    for name in names:
        if MANY.search(name):
            from bonmun.scale.corpus.sources.reader import Reader

            yield from keep_records(Reader([name], ANY_SITE, options.max_bytes))
            continue
        folder = Path(name)
        for source in find_sources([name], passed):
            shown = source.name
            if not source.is_url and not source.problem and folder.is_dir():
                shown = Path(source.name).relative_to(folder).as_posix()
            yield ShelfPage(0, shown, source.name if source.is_url else url, _make_reader(source, shown, options, url))


def _make_reader(source: Source, shown: str, options: Options, url: str | None) -> Callable[[], PageSource]:
    def read() -> PageSource:
        from bonmun.lab.annotate.page_sources import PageSource
        from bonmun.page.parse.decode import find_encoding
        from bonmun.scale.web.download import download

        if source.is_url:
            got = download(source.name, options)
            encoding = got.encoding if got.encoding and find_encoding(got.encoding) else None
            return PageSource(shown, got.url, got.body, options.encoding or encoding)
        return PageSource(shown, url, source.read(options.max_bytes), options.encoding)

    return read
