"""Write a crawl as one WACZ file (version 1.1.1): its WARC files, their index, and the list of pages.

Replay tools such as ReplayWeb.page open it. The WARC files are stored as they are, so that parts can be read by range.
"""

from __future__ import annotations

import gzip
import json
import zipfile
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from bonmun._version import __version__
from bonmun.errors import BadConfig
from bonmun.scale.crawl.archive.warc_files import WARC_FOLDER
from bonmun.scale.crawl.export.page_store import STORE_NAME, PageStore
from bonmun.scale.crawl.running import INDEX_NAME
from bonmun.scale.crawl.status import has_begun, open_to_read
from bonmun.work.files import open_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

__all__ = ["write_wacz"]

VERSION = "1.1.1"
COPY_BYTES = 1 << 20
PAGES_HEAD = {"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}
PAGES = "select u.url, f.fetched from fetches f join urls u on u.id = f.url where f.is_page order by f.id"


def write_wacz(folder: Path, path: Path) -> int:
    """Write the crawl in a folder as a WACZ file. Return the number of WARC files."""
    warcs = sorted((folder / WARC_FOLDER).glob("*.warc.gz"))
    if not has_begun(folder) or not warcs or not (folder / INDEX_NAME).is_file():
        raise BadConfig(f"{folder} is not the folder of a finished crawl; WACZ files are made of crawls.")
    with open_atomically(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        package = _Package(archive)
        for warc in warcs:
            package.add(f"archive/{warc.name}", _read_file(warc))
        package.add("indexes/index.cdx.gz", _compress(_read_file(folder / INDEX_NAME)))
        package.add("pages/pages.jsonl", _list_pages(folder))
        data = _dump(
            {
                "profile": "data-package",
                "wacz_version": VERSION,
                "software": f"bonmun {__version__}",
                "created": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
                "resources": package.resources,
            }
        )
        archive.writestr(zipfile.ZipInfo("datapackage.json"), data)
        digest = {"path": "datapackage.json", "hash": f"sha256:{sha256(data).hexdigest()}"}
        archive.writestr(zipfile.ZipInfo("datapackage-digest.json"), _dump(digest))
    return len(warcs)


class _Package:
    """The resources of a WACZ file, with their sizes and hashes."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        self.resources: list[dict[str, Any]] = []

    def add(self, path: str, pieces: Iterable[bytes]) -> None:
        """Add a file."""
        digest = sha256()
        size = 0
        with self.archive.open(zipfile.ZipInfo(path), "w", force_zip64=True) as file:
            for piece in pieces:
                file.write(piece)
                digest.update(piece)
                size += len(piece)
        name = path.rpartition("/")[2]
        self.resources.append({"name": name, "path": path, "hash": f"sha256:{digest.hexdigest()}", "bytes": size})


def _read_file(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(COPY_BYTES):
            yield piece


def _compress(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield pieces as members of a gzip file."""
    for piece in pieces:
        yield gzip.compress(piece, mtime=0)


def _list_pages(folder: Path) -> Iterator[bytes]:
    yield _dump(PAGES_HEAD)
    with closing(open_to_read(folder)) as sql, _open_titles(folder) as store:
        for number, (url, fetched) in enumerate(sql.execute(PAGES), 1):
            time = datetime.fromtimestamp(fetched, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            page = store.find_title(url) if store else None
            title = {"title": page.title} if page and page.title else {}
            yield _dump({"id": str(number), "url": url, "ts": time} | title)


@contextmanager
def _open_titles(folder: Path) -> Iterator[PageStore | None]:
    """Open the titles of the pages, if they were extracted as Markdown."""
    if (folder / STORE_NAME).is_file():
        with PageStore(folder / STORE_NAME) as store:
            yield store
    else:
        yield None


def _dump(values: dict[str, Any]) -> bytes:
    return f"{json.dumps(values, ensure_ascii=False)}\n".encode("utf-8", "replace")
