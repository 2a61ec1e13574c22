"""What a saved page gets when it asks for its style sheets and images: files of a folder, or records of a WARC."""

from __future__ import annotations

import mimetypes
from typing import TYPE_CHECKING, Protocol
from urllib.parse import unquote, urldefrag, urlsplit

from bonmun.errors import BadConfig, MissingExtra

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["FILES_HOST", "FolderResources", "Resources", "WarcResources", "open_resources"]

FILES_HOST = "files.invalid"  # the host of pages in a folder
ANSWER_BYTES = 20_000_000  # of one file; larger ones are not there
INDEX_NAMES = ("index.html", "index.htm")


class Resources(Protocol):
    """Something that has what URLs lead to."""

    def find(self, url: str) -> tuple[str, bytes] | None:
        """The content type and the bytes that a URL leads to; None if it is not there."""

    def locate(self, path: Path) -> str | None:
        """The URL of a page that is a file; None if it is not one of its own."""


class FolderResources:
    """A folder: `http://host/a/b.css` is a/b.css in it, or host/a/b.css, as mirrors store it. Nothing outside of it."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def find(self, url: str) -> tuple[str, bytes] | None:
        """The content type and the bytes of a file."""
        for place in self._list_places(url):
            try:
                found = place.resolve()
                if found.is_relative_to(self.root) and found.is_file() and found.stat().st_size <= ANSWER_BYTES:
                    kind = mimetypes.guess_type(found.name)[0] or "application/octet-stream"
                    return kind, found.read_bytes()
            except (OSError, ValueError, RuntimeError):  # names that no file can have; links in a circle
                continue
        return None

    def _list_places(self, url: str) -> list[Path]:
        try:
            parts = urlsplit(url)
            host = parts.hostname or ""
        except ValueError:
            return []
        names = [unquote(parts.path).lstrip("/")]
        if parts.query:
            names.insert(0, f"{names[0]}?{parts.query}")  # as wget names them
        roots = [self.root, *([self.root / host] if host and host not in (".", "..") else [])]
        files = [root / name for root in roots for name in names if "\0" not in name]
        return [*files, *(file / index for file in files for index in INDEX_NAMES)]

    def locate(self, path: Path) -> str | None:
        """The URL of a file in the folder."""
        place = path.resolve()
        return (
            f"http://{FILES_HOST}/{place.relative_to(self.root).as_posix()}"
            if place.is_relative_to(self.root)
            else None
        )


class WarcResources:
    """A WARC file: the responses with status 200 that it holds, by URL, read when they are asked for."""

    def __init__(self, path: Path) -> None:
        try:
            from fastwarc.warc import ArchiveIterator, WarcRecordType
        except ImportError:
            raise MissingExtra("WARC files are read with FastWARC: pip install 'bonmun[corpus]'.") from None
        self.path = path
        self._places: dict[str, int] = {}
        with path.open("rb") as file:
            for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True):
                if record.http_headers is not None and record.http_headers.status_code == 200:
                    url = _strip(record.headers.get("WARC-Target-URI") or "")
                    self._places.setdefault(url, record.stream_pos)

    def find(self, url: str) -> tuple[str, bytes] | None:
        """The content type and the bytes of a response."""
        from fastwarc.warc import ArchiveIterator

        place = self._places.get(_strip(url))
        if place is None:
            return None
        with self.path.open("rb") as file:
            file.seek(place)
            record = next(iter(ArchiveIterator(file, parse_http=True, auto_decode="all")), None)
            if record is None:
                return None
            body: bytes = record.reader.read(ANSWER_BYTES)
            headers = record.http_headers
            return (headers.get("Content-Type") if headers else None) or "application/octet-stream", body

    def locate(self, path: Path) -> str | None:
        """None: pages that are files are not in it."""
        return None


def _strip(url: str) -> str:
    return urldefrag(url.strip("<>"))[0]


def open_resources(path: Path) -> Resources:
    """A folder or a WARC file."""
    if path.is_dir():
        return FolderResources(path)
    if path.is_file() and ".warc" in path.name:
        return WarcResources(path)
    raise BadConfig(f"{path} is neither a folder nor a WARC file: what pages link to is taken from one of these.")
