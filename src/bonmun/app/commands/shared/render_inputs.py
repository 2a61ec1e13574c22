"""Find the pages to render that a command line names: URLs, files, folders, and files of many pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bonmun.app.commands.shared.sources import find_sources
from bonmun.errors import BonmunError
from bonmun.page.saved.decode_saved import decode_page
from bonmun.scale.browser.jobs import RenderJob
from bonmun.snapshots import make_stem

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator

    from bonmun.app.commands.shared.sources import Source
    from bonmun.options import Options
    from bonmun.scale.browser.saved_files import Resources

__all__ = ["RenderInput", "find_tasks", "make_job"]

MANY = re.compile(r"\.(?:jsonl|ndjson|parquet|warc)(?:\.gz|\.xz|\.zst)?$", re.I)


class RenderInput(NamedTuple):
    """A page to render and the file name of its snapshot without suffix; or why it cannot be read."""

    stem: Path
    job: RenderJob
    problem: BonmunError | None = None


def find_tasks(
    names: Iterable[str], options: Options, resources: Resources | None, passed: Counter[str] | None = None
) -> Iterator[RenderInput]:
    """Yield the pages that the names lead to; one that cannot be read has a problem.

    Files in folders that are not pages are counted in `passed`.
    """
    for name in names:
        if MANY.search(name) and Path(name).is_file():
            yield from _read_records(name, options, resources)
            continue
        for source in find_sources([name], passed):
            try:
                yield RenderInput(source.stem, make_job(source, options, resources))
            except BonmunError as problem:
                yield RenderInput(source.stem, RenderJob(source.name), problem)


def make_job(
    source: Source, options: Options, resources: Resources | None, url: str | None = None, data: bytes | None = None
) -> RenderJob:
    """Return the render job of a source; `url` is the URL of a file, and `data` its bytes, if they have been read."""
    if source.is_url:
        return RenderJob(source.name, source.name, resources=resources)
    page = decode_page(source.read(options.max_bytes) if data is None else data, options.encoding, url)
    url = page.url
    if url is None and resources is not None and source.name != "-":
        url = resources.locate(Path(source.name))
    return RenderJob(source.name, url, page.html, resources)


def _read_records(name: str, options: Options, resources: Resources | None) -> Iterator[RenderInput]:
    from bonmun.scale.corpus.sources.reader import Reader

    for record in Reader([name], max_bytes=options.max_bytes):
        stem = Path(make_stem(record.id))
        try:
            page = decode_page(record.html, options.encoding or record.charset, record.url)
            yield RenderInput(stem, RenderJob(record.id, page.url, page.html, resources))
        except BonmunError as problem:
            yield RenderInput(stem, RenderJob(record.id), problem)
