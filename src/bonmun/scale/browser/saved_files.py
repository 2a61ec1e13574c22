"""Style sheets, images and scripts of saved pages, read from a folder or from a WARC file."""

from __future__ import annotations

import mimetypes
from typing import TYPE_CHECKING, Protocol
from urllib.parse import unquote, urldefrag, urlsplit

from bonmun.errors import BadConfig, MissingExtra

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["FILES_HOST", "FolderResources", "Resources", "WarcResources", "open_resources"]

FILES_HOST = "files.invalid"  # host in the URLs of pages in a folder
MAX_RESOURCE_BYTES = 20_000_000  # larger files are not found
INDEX_NAMES = ("index.html", "index.htm")


class Resources(Protocol):
    """A source of the files that saved pages link to."""

    def find(self, url: str) -> tuple[str, bytes] | None:
        """Return the content type and the bytes of a URL, or None if it is missing."""

    def locate(self, path: Path) -> str | None:
        """Return the URL of a saved page, or None if the file does not belong to this source."""


class FolderResources:
    """The files of a folder, and nothing outside of it.

    `http://host/a/b.css` is the file a/b.css, or host/a/b.css, as website mirrors store it.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def find(self, url: str) -> tuple[str, bytes] | None:
        """Return the content type and the bytes of a file, or None if there is no such file."""
        for path in self._list_paths(url):
            try:
                found = path.resolve()
                if found.is_relative_to(self.root) and found.is_file() and found.stat().st_size <= MAX_RESOURCE_BYTES:
                    kind = mimetypes.guess_type(found.name)[0] or "application/octet-stream"
                    return kind, found.read_bytes()
            except (OSError, ValueError, RuntimeError):  # names that no file can have; circular links
                continue
        return None

    def _list_paths(self, url: str) -> list[Path]:
        try:
            parts = urlsplit(url)
            host = parts.hostname or ""
        except ValueError:
            return []
        names = [unquote(parts.path).lstrip("/")]
        if parts.query:
            names.insert(0, f"{names[0]}?{parts.query}")  # the file name that wget uses
        roots = [self.root, *([self.root / host] if host and host not in (".", "..") else [])]
        files = [root / name for root in roots for name in names if "\0" not in name]
        return [*files, *(file / index for file in files for index in INDEX_NAMES)]

    def locate(self, path: Path) -> str | None:
        """Return the URL of a file, or None if it is outside of the folder."""
        found = path.resolve()
        return (
            f"http://{FILES_HOST}/{found.relative_to(self.root).as_posix()}"
            if found.is_relative_to(self.root)
            else None
        )


class WarcResources:
    """The responses with status 200 in a WARC file, read on demand."""

    def __init__(self, path: Path) -> None:
        try:
            from fastwarc.warc import ArchiveIterator, WarcRecordType
        except ImportError:
            raise MissingExtra("WARC files are read with FastWARC: pip install 'bonmun[corpus]'.") from None
        self.path = path
        self._offsets: dict[str, int] = {}  # by URL
        with path.open("rb") as file:
            for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True):
                if record.http_headers is not None and record.http_headers.status_code == 200:
                    url = _strip(record.headers.get("WARC-Target-URI") or "")
                    self._offsets.setdefault(url, record.stream_pos)

    def find(self, url: str) -> tuple[str, bytes] | None:
        """Return the content type and the bytes of a response, or None if there is none for this URL."""
        from fastwarc.warc import ArchiveIterator

        offset = self._offsets.get(_strip(url))
        if offset is None:
            return None
        with self.path.open("rb") as file:
            file.seek(offset)
            record = next(iter(ArchiveIterator(file, parse_http=True, auto_decode="all")), None)
            if record is None:
                return None
            body: bytes = record.reader.read(MAX_RESOURCE_BYTES)
            headers = record.http_headers
            return (headers.get("Content-Type") if headers else None) or "application/octet-stream", body

    def locate(self, path: Path) -> str | None:
        """Return None: no file belongs to a WARC."""
        return None


def _strip(url: str) -> str:
    return urldefrag(url.strip("<>"))[0]


def open_resources(path: Path) -> Resources:
    """Open a folder or a WARC file."""
    if path.is_dir():
        return FolderResources(path)
    if path.is_file() and ".warc" in path.name:
        return WarcResources(path)
    raise BadConfig(f"{path} is neither a folder nor a WARC file, so it has no files that pages could link to.")
