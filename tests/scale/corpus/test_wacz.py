"""WACZ files: their pages are read like those of WARC files, and files made to do harm do none."""

from __future__ import annotations

import gzip
import io
import zipfile
from typing import TYPE_CHECKING

import pytest

from bonmun.errors import BadConfig
from bonmun.scale.corpus.sources.reader import Reader

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning")

PAGE = "<title>{0}</title><p>The page {0} is one of several pages in a web archive.</p>"


def make_record(url: str, body: str) -> bytes:
    http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    return (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-03-04T09:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:{url}>\r\nContent-Type: application/http;msgtype=response\r\n"
        f"Content-Length: {len(http)}\r\n\r\n{http}\r\n\r\n"
    ).encode()


def make_warc(*names: str) -> bytes:
    return b"".join(gzip.compress(make_record(f"http://a.example/{name}", PAGE.format(name))) for name in names)


def save(path: Path, files: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> Reader:
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return Reader([str(path)])


def test_the_pages_of_all_warc_files_are_read(tmp_path: Path) -> None:
    files = {
        "archive/b.warc.gz": make_warc("3"),
        "archive/a.warc.gz": make_warc("1", "2"),
        "archive/c.warc": gzip.decompress(make_warc("4")),
        "pages/pages.jsonl": b"{}",
        "indexes/index.cdx": b"",
        "datapackage.json": b"{}",
    }
    reader = save(tmp_path / "site.wacz", files, zipfile.ZIP_DEFLATED)
    records = list(reader)
    assert [record.url for record in records] == [f"http://a.example/{name}" for name in "1234"]
    assert records[0].html.decode() == PAGE.format("1")
    assert records[0].crawled == "2026-03-04T09:00:00Z"
    assert (reader.damaged, dict(reader.skipped)) == ([], {})


def test_names_that_lead_out_of_the_file_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    names = ("archive/../../evil.warc.gz", "/archive/evil.warc.gz", "archive/..\\evil.warc.gz", "../archive/e.warc.gz")
    files = dict.fromkeys(names, make_warc("evil")) | {"archive/good.warc.gz": make_warc("good")}
    assert [record.url for record in save(tmp_path / "in" / "site.wacz", files)] == ["http://a.example/good"]
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["in", "site.wacz"]


def test_a_bomb_is_skipped(tmp_path: Path) -> None:
    files = {"archive/a.warc": bytes(20_000_000), "archive/b.warc.gz": make_warc("1")}
    reader = save(tmp_path / "site.wacz", files, zipfile.ZIP_DEFLATED)
    assert [record.url for record in reader] == ["http://a.example/1"]
    assert reader.skipped == {"a WARC file that is packed too well to be true": 1}


def test_a_large_page_in_a_small_file_is_cut(tmp_path: Path) -> None:
    big = gzip.compress(make_record("http://a.example/big", PAGE.format("x" * 5_000_000)))
    path = tmp_path / "site.wacz"
    save(path, {"archive/a.warc.gz": big})
    (record,) = Reader([str(path)], max_bytes=1000)
    assert len(record.html) == 1001


def test_files_that_overlap_are_refused(tmp_path: Path) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in ("archive/a.warc.gz", "archive/b.warc.gz"):
            archive.writestr(name, make_warc(name))
        archive.filelist[1].header_offset = archive.filelist[0].header_offset
    (tmp_path / "site.wacz").write_bytes(data.getvalue())
    reader = Reader([str(tmp_path / "site.wacz")])
    assert list(reader) == []
    assert "its files overlap" in reader.damaged[0]


@pytest.mark.parametrize("cut", [0, 10, 100, -1, -30])
def test_a_damaged_file_is_reported(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "site.wacz"
    save(path, {"archive/a.warc.gz": make_warc("1", "2")})
    path.write_bytes(path.read_bytes()[:cut])
    reader = Reader([str(path)])
    assert list(reader) == []
    assert len(reader.damaged) == 1
    assert "damaged" in reader.damaged[0]


def test_a_file_without_warc_files_is_reported(tmp_path: Path) -> None:
    reader = save(tmp_path / "site.wacz", {"readme.txt": b"Hello"})
    assert list(reader) == []
    assert "no WARC files" in reader.damaged[0]


def test_other_files_name_wacz_among_what_is_supported(tmp_path: Path) -> None:
    (tmp_path / "a.doc").write_bytes(b"\0\1")
    with pytest.raises(BadConfig, match=r"or \.wacz"):
        Reader([str(tmp_path / "a.doc")])
