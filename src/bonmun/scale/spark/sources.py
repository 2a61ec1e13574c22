"""List the files of sources: local files and folders, or URIs of any file system that Spark supports."""

from __future__ import annotations

from collections import Counter
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun.errors import BadConfig
from bonmun.scale.corpus.sources.page_files import find_files
from bonmun.scale.corpus.sources.reader import (
    EXTENSIONS,
    drop_extension,
    find_crawl_pages,
    find_format,
    make_missing_error,
    make_unsupported_error,
    match_format,
)
from bonmun.scale.spark.hadoop import escape_glob, has_scheme

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["PARQUET", "PageFile", "list_files"]

PARQUET = "parquet"


class PageFile(NamedTuple):
    """A file of pages."""

    number: int  # position among all files
    path: str  # or URI
    format: str
    source: str  # site of pages without another
    name: str  # start of the id of pages without another


def list_files(session: Any, sources: Sequence[str]) -> list[PageFile]:
    """Return all files of some sources, in the order of the local engine."""
    found = (each for source in sources for each in _list_source(session, source))
    return [PageFile(number, *each) for number, each in enumerate(found)]


def _list_source(session: Any, source: str) -> Iterator[tuple[str, str, str, str]]:
    is_local = source.startswith("file:/") or not has_scheme(source)
    place = Path("/" + source.removeprefix("file:").lstrip("/") if source.startswith("file:/") else source)
    if not source or source == "-" or (is_local and not place.exists()):
        raise make_missing_error(source)
    known = _match_format(source)
    if known and not place.is_dir() and (is_local or known != PARQUET):  # its existence need not be checked
        yield _describe(str(place.absolute()) if is_local else source, PurePosixPath(place.name), None)
        return
    if is_local and not place.is_dir():
        raise make_unsupported_error(source)
    root = str(place.resolve()) if is_local else source.rstrip("/")
    files = list(_walk(place.resolve()) if is_local else _list_remote(session, root))
    if not files:
        raise BadConfig(f"{source}: there are no pages; no file ends in {EXTENSIONS}, or looks like a page.")
    for path in files:
        inside = path[path.index(root) + len(root) :].lstrip("/") if root in path else PurePosixPath(path).name
        if inside:
            yield _describe(path, PurePosixPath(inside), PurePosixPath(root).name)
        else:  # the source is one file
            yield _describe(path, PurePosixPath(PurePosixPath(path).name), None)


def _match_format(path: str) -> str | None:
    return match_format(PurePosixPath(path).name)


def _describe(path: str, name: PurePosixPath, folder: str | None) -> tuple[str, str, str, str]:
    return path, find_format(name.name), folder or drop_extension(name.name), str(name)


def _walk(folder: Path) -> Iterator[str]:
    """Yield the files of a local folder that the local engine reads, in its order."""
    files = find_files(find_crawl_pages(folder), Counter(), match_format)
    yield from (str(path) for path, is_read in files if is_read)


def _list_remote(session: Any, source: str) -> list[str]:
    """Return the files of a folder in a file system of Hadoop, without reading them."""
    from pyspark.errors import PySparkException

    reader = session.read.format("binaryFile").option("recursiveFileLookup", "true")
    try:
        rows = reader.load(escape_glob(source)).select("path").collect()
    except PySparkException as problem:
        raise BadConfig(f"{source}: Spark cannot list it: {str(problem).splitlines()[0][:300]}") from None
    return sorted((row.path for row in rows if _match_format(row.path)), key=_files_first)


def _files_first(path: str) -> list[tuple[bool, str]]:
    *folders, file = path.split("/")
    return [*((True, folder) for folder in folders), (False, file)]
