"""Open the pages that a command line names: files, folders, URLs, and files of many pages."""

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
    from bonmun.lab.annotate.open_pages import OpenPage, OpenPages
    from bonmun.lab.annotate.page_sources import PageSource
    from bonmun.options import Options

__all__ = ["check_names", "open_inputs"]

MANY = re.compile(r"\.(?:jsonl|ndjson|parquet|warc|wacz)(?:\.gz|\.xz|\.zst)?$", re.I)
ANY_SITE = "all"  # sites are not needed here


def check_names(names: Iterable[str]) -> None:
    """Raise BadConfig if a name does not lead to a page."""
    for source in find_sources(names):
        if source.problem:
            raise BadConfig(f"{source.name}: {source.problem}")
        if source.is_missing:
            raise BadConfig(f"{source.name}: no such file or folder.")


def open_inputs(
    names: Iterable[str], options: Options, url: str | None = None, passed: Counter[str] | None = None
) -> OpenPages:
    """Return the pages that the names lead to; nothing is downloaded or parsed yet.

    Files in folders that are not pages are counted in `passed`.
    """
    from bonmun.lab.annotate.open_pages import OpenPages

    open_pages = OpenPages(_find_pages(names, options, url, passed), options.max_bytes)
    if not len(open_pages):
        raise BadConfig("There are no pages: give HTML files, folders, URLs, or .jsonl, .warc, .parquet files.")
    return open_pages


def _find_pages(
    names: Iterable[str], options: Options, url: str | None, passed: Counter[str] | None
) -> Iterator[OpenPage]:
    from bonmun.lab.annotate.open_pages import OpenPage, open_records

    for name in names:
        if MANY.search(name):
            from bonmun.scale.corpus.sources.reader import Reader

            yield from open_records(Reader([name], ANY_SITE, options.max_bytes))
            continue
        folder = Path(name)
        for source in find_sources([name], passed):
            shown = source.name
            if not source.is_url and not source.problem and folder.is_dir():
                shown = Path(source.name).relative_to(folder).as_posix()
            yield OpenPage(0, shown, source.name if source.is_url else url, _make_reader(source, shown, options, url))


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
