"""Which files the pages are in: folders and files, of this machine or of any file system that Spark can list."""

from __future__ import annotations

from collections import Counter
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun.errors import BadConfig
from bonmun.scale.corpus.sources.page_files import find_files
from bonmun.scale.corpus.sources.reader import ENDINGS, FORMAT, find_crawl_pages, find_format
from bonmun.scale.spark.hadoop import escape_glob, has_scheme

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["PARQUET", "PageFile", "list_files"]

PARQUET = "parquet"


class PageFile(NamedTuple):
    """A file of pages."""

    number: int  # in the order of the sources
    path: str  # or URI
    format: str
    source: str  # the site of pages that have no other
    name: str  # the start of the id of pages that have no other


def list_files(session: Any, sources: Sequence[str]) -> list[PageFile]:
    """All files of some sources, in the order in which the local engine reads them."""
    found = (each for source in sources for each in _list_source(session, source))
    return [PageFile(number, *each) for number, each in enumerate(found)]


def _list_source(session: Any, source: str) -> Iterator[tuple[str, str, str, str]]:
    is_local = source.startswith("file:/") or not has_scheme(source)
    place = Path("/" + source.removeprefix("file:").lstrip("/") if source.startswith("file:/") else source)
    if not source or source == "-" or (is_local and not place.exists()):
        raise BadConfig(f"{source or 'An empty name'}: there is no such file or folder.")
    known = _find_format(source)
    if known and not place.is_dir() and (is_local or known != PARQUET):  # no need to ask whether it is there
        yield _describe(str(place.absolute()) if is_local else source, PurePosixPath(place.name), None)
        return
    if is_local and not place.is_dir():
        raise BadConfig(f"{source}: pages are read from folders and from files that end in {ENDINGS}.")
    root = str(place.resolve()) if is_local else source.rstrip("/")
    files = list(_walk(place.resolve()) if is_local else _list_remote(session, root))
    if not files:
        raise BadConfig(f"{source}: no file in it ends in {ENDINGS}, or looks like a page.")
    for path in files:
        inside = path[path.index(root) + len(root) :].lstrip("/") if root in path else PurePosixPath(path).name
        if inside:
            yield _describe(path, PurePosixPath(inside), PurePosixPath(root).name)
        else:  # the source is one file
            yield _describe(path, PurePosixPath(PurePosixPath(path).name), None)


def _find_format(path: str) -> str | None:
    found = FORMAT.search(PurePosixPath(path).name)
    return found.lastgroup if found else None


def _describe(path: str, name: PurePosixPath, folder: str | None) -> tuple[str, str, str, str]:
    return path, find_format(name.name), folder or FORMAT.sub("", name.name), str(name)


def _walk(folder: Path) -> Iterator[str]:
    """The files below a folder that the local engine reads, in its order."""
    files = find_files(find_crawl_pages(folder), Counter(), FORMAT.search)
    yield from (str(path) for path, is_read in files if is_read)


def _list_remote(session: Any, source: str) -> list[str]:
    """The same for a file system that Hadoop knows; nothing is read of the files."""
    from pyspark.errors import PySparkException

    reader = session.read.format("binaryFile").option("recursiveFileLookup", "true")
    try:
        rows = reader.load(escape_glob(source)).select("path").collect()
    except PySparkException as problem:
        raise BadConfig(f"{source}: Spark cannot list it: {str(problem).splitlines()[0][:300]}") from None
    return sorted((row.path for row in rows if _find_format(row.path)), key=_files_first)


def _files_first(path: str) -> list[tuple[bool, str]]:
    *folders, file = path.split("/")
    return [*((True, folder) for folder in folders), (False, file)]
