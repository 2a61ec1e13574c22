"""Every source format: the same records from each, counts of what is skipped, and reports of damage."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import os
import random
import re
import subprocess
import sys
import threading
import tracemalloc
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bonmun.errors import BadConfig, MissingInput
from bonmun.scale.corpus.batches import extract_batch, make_batches
from bonmun.scale.corpus.sources.compression import decode_body
from bonmun.scale.corpus.sources.reader import Reader
from bonmun.scale.corpus.sources.records import Record
from samples import save, save_nameless

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

SENTENCE = "마을 끝의 낡은 등대가 올봄 다시 불을 밝혔다. 똠방각하는 그 불빛을 오래 바라보았다."
HTML = "<p>The lamp was lit at six.</p>"
LAMP = HTML.encode()
KOREAN = f"<!doctype html><title>등대</title><p>{SENTENCE}</p>"
EUC_KR = f"<!doctype html><title>등대</title><p>{SENTENCE.replace('똠', '박')}</p>".encode("euc-kr")
pytestmark = [
    pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning"),  # raised by FastWARC on import
    # a bug, see test_a_reader_closes_what_it_opens; to go with it
    pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning"),
]

START = 6  # bytes that show the compression of any file


def bug(*values: Any, reason: str, **more: Any) -> ParameterSet:
    """Return a case of a test that is known to fail."""
    return pytest.param(*values, marks=pytest.mark.xfail(strict=True, reason=reason, **more))


def noise(seed: int, size: int) -> str:
    """Return text that does not compress well, so that a truncated file lacks some of it."""
    return random.Random(seed).randbytes(size // 2).hex()


# --- formats ---------------------------------------------------------------------------------------------------------


def zstd(data: bytes) -> bytes:
    packed: bytes = pa.compress(data, "zstd", asbytes=True)
    return packed


def brotli(data: bytes) -> bytes:
    """Return a valid stream with one uncompressed block, which needs no library."""
    return (len(data) - 1 << 4 | 1 << 20).to_bytes(3, "little") + data + b"\3"


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def chunked(data: bytes, size: int = 5) -> bytes:
    parts = [data[start : start + size] for start in range(0, len(data), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def line(row: Mapping[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def lines(*rows: Mapping[str, Any] | bytes) -> bytes:
    """Return rows as JSON Lines; bytes are inserted unchanged."""
    return b"".join(row + b"\n" if isinstance(row, bytes) else line(row) for row in rows)


CRAWLED = "2025-05-01T06:00:00Z"


def warc(
    body: bytes = LAMP,
    *head: str,
    name: str | None = "urn:1",
    url: str | None = "https://news.example.co.kr/a",
    status: str = "HTTP/1.1 200 OK",
    mime: str | None = "text/html",
    kind: str = "response",
) -> bytes:
    """Return a WARC record; headers that are None are left out."""
    http = [status, *([f"Content-Type: {mime}"] if mime is not None else []), *head]
    block = "\r\n".join(http).encode() + b"\r\n\r\n" + body
    headers = {
        "WARC-Type": kind,
        "WARC-Record-ID": name and f"<{name}>",
        "WARC-Target-URI": url,
        "WARC-Date": CRAWLED,
        "Content-Type": "application/http; msgtype=response",
        "Content-Length": str(len(block)),
    }
    shown = "".join(f"{key}: {value}\r\n" for key, value in headers.items() if value is not None)
    return f"WARC/1.0\r\n{shown}\r\n".encode() + block + b"\r\n\r\n"


def parquet(columns: Mapping[str, Any], **how: Any) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table(dict(columns)), file, **how)
    return file.getvalue()


# Every format can represent all of these.
RECORDS = [
    Record("urn:1", "https://news.lamp.co.kr/1?q=등대", "lamp.co.kr", KOREAN.encode(), "utf-8", CRAWLED),
    Record(
        "urn:2", "http://www.example.org:8080/2", "example.org", f"{HTML}<p>{noise(2, 400)}".encode(), None, CRAWLED
    ),
    Record("urn:3", "http://127.0.0.1/3", "127.0.0.1", f"{KOREAN}<p>{noise(3, 300)}".encode(), "euc-kr", CRAWLED),
    Record(
        "urn:4",
        "http://뉴스.등대.한국/",
        "등대.한국",
        f"<p>{noise(4, 500)}\u2028{noise(5, 100)}".encode(),
        None,
        CRAWLED,
    ),
]


def as_line(record: Record) -> bytes:
    return line(
        {key: getattr(record, key) for key in ("id", "url", "charset", "crawled")} | {"html": record.html.decode()}
    )


def as_response(record: Record) -> bytes:
    kind = f"text/html; charset={record.charset}" if record.charset else "text/html"
    return warc(record.html, name=record.id, url=record.url, mime=kind)


def as_parquet(html: list[Any], **how: Any) -> bytes:
    columns = {name: [getattr(record, name) for record in RECORDS] for name in ("id", "url", "charset", "crawled")}
    return parquet(columns | {"html": html}, **how)


PACK: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".xz": partial(lzma.compress, preset=0),
    ".zst": zstd,
}
LINES = [as_line(record) for record in RECORDS]
RESPONSES = [as_response(record) for record in RECORDS]
# by name: parts of a file; a file that ends after one of them looks complete
FORMATS: dict[str, list[bytes]] = {
    "plain.jsonl": LINES,
    "plain.ndjson": LINES,
    **{f"whole.jsonl{end}": [pack(b"".join(LINES))] for end, pack in PACK.items() if end},
    **{f"parts.jsonl{end}": [pack(part) for part in LINES] for end, pack in PACK.items() if end},
    "plain.warc": RESPONSES,
    **{f"whole.warc{end}": [PACK[end](b"".join(RESPONSES))] for end in (".gz", ".zst")},
    **{f"parts.warc{end}": [PACK[end](part) for part in RESPONSES] for end in (".gz", ".zst")},
    "text.parquet": [as_parquet([record.html.decode() for record in RECORDS])],
    "bytes.parquet": [as_parquet([record.html for record in RECORDS], row_group_size=3, compression="gzip")],
}
ONCE = [name for name in FORMATS if not name.endswith(".ndjson")]  # equal to .jsonl
every_form = pytest.mark.parametrize("name", FORMATS)


def put(path: Path, content: str | bytes) -> Path:
    return Path(save(str(path), content))


def reader_of(path: Path, content: str | bytes, **more: Any) -> Reader:
    return Reader([str(put(path, content))], **more)


def ids(reader: Reader) -> list[str]:
    return [record.id for record in reader]


@every_form
def test_every_format_gives_the_same_records(tmp_path: Path, name: str) -> None:
    reader = reader_of(tmp_path / name, b"".join(FORMATS[name]))
    assert list(reader) == RECORDS
    assert (reader.skipped, reader.damaged) == ({}, [])


@every_form
def test_reading_twice_gives_the_same_records_and_counts(tmp_path: Path, name: str) -> None:
    broken = put(tmp_path / "broken.jsonl", lines(b"no JSON", {"id": "a"}))
    cut = put(tmp_path / "cut.jsonl.gz", gzip.compress(LINES[0])[:-9])
    reader = Reader([str(put(tmp_path / name, b"".join(FORMATS[name]))), str(broken), str(cut)])
    first, skipped, damaged, read = list(reader), dict(reader.skipped), list(reader.damaged), reader.read
    assert (sum(skipped.values()), len(damaged)) == (2, 1)
    assert list(reader) == first
    assert (dict(reader.skipped), reader.damaged, reader.read) == (skipped, damaged, read)


def test_the_compression_is_detected_by_the_first_bytes(tmp_path: Path) -> None:
    packed = reader_of(tmp_path / "packed.jsonl", zstd(b"".join(LINES)))
    plain = reader_of(tmp_path / "plain.jsonl.gz", b"".join(LINES))
    responses = reader_of(tmp_path / "plain.warc.gz", b"".join(RESPONSES))
    assert list(packed) == list(plain) == list(responses) == RECORDS


def test_a_zstd_file_may_begin_with_a_skippable_frame(tmp_path: Path) -> None:
    skipped = b"\x50\x2a\x4d\x18\x04\x00\x00\x00size"
    assert list(reader_of(tmp_path / "a.jsonl.zst", skipped + zstd(b"".join(LINES)))) == RECORDS


def test_zeros_after_a_gzip_file_are_ignored(tmp_path: Path) -> None:
    reader = reader_of(tmp_path / "a.jsonl.gz", gzip.compress(b"".join(LINES)) + bytes(512))
    assert list(reader) == RECORDS
    assert not reader.damaged


def test_sources_are_read_in_the_given_order(tmp_path: Path) -> None:
    two = [str(put(tmp_path / name, b"".join(FORMATS[name]))) for name in ("plain.warc", "text.parquet")]
    page = str(put(tmp_path / "a.html", KOREAN))
    four = [record.id for record in RECORDS]
    assert ids(Reader([two[1], page, two[0]])) == [*four, "a.html", *four]


def test_no_sources() -> None:
    reader = Reader([])
    assert list(reader) == []
    assert reader.total == 0


# --- folders ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with files of all kinds on three levels."""
    place = tmp_path / "lamps"
    put(place / "b.html", KOREAN)
    put(place / "a.htm", EUC_KR)
    put(place / "z" / "c.XHTML", LAMP)
    put(place / "z" / "d.html.gz", gzip.compress(EUC_KR))
    put(place / "z" / "e" / "two.jsonl", lines({"html": HTML}, b"", {"html": KOREAN, "url": "https://a.co.kr/"}))
    put(place / "m" / "three.warc.gz", gzip.compress(warc(name=None) + warc(EUC_KR, name="urn:9", url=None)))
    for other in ("c.txt", "html", "d.html.bak", "e.xml", "f.gz", "m/g.json", "z/e/h.warc.xz", "shtml", "i.css?v=3"):
        put(place / other, "The lamp was lit at six.")
    return place


def test_a_folder_gives_every_page_below_it_and_no_other_file(folder: Path) -> None:
    reader = Reader([str(folder)])
    assert list(reader) == [
        Record("a.htm", None, "lamps", EUC_KR),
        Record("b.html", None, "lamps", KOREAN.encode()),
        Record("m/three.warc.gz:1", "https://news.example.co.kr/a", "example.co.kr", LAMP, None, CRAWLED),
        Record("urn:9", None, "lamps", EUC_KR, None, CRAWLED),
        Record("z/c.XHTML", None, "lamps", LAMP),
        Record("z/d.html.gz", None, "lamps", EUC_KR),
        Record("z/e/two.jsonl:1", None, "lamps", LAMP),
        Record("https://a.co.kr/", "https://a.co.kr/", "a.co.kr", KOREAN.encode()),
    ]
    endings = [".txt", ".bak", ".xml", ".gz", ".json", ".xz", ".css"]
    assert (reader.skipped, reader.damaged) == (dict.fromkeys(endings, 1) | {"no extension": 2}, [])
    assert reader.read == reader.total


def test_files_that_look_like_a_page_are_read(tmp_path: Path) -> None:
    names = ["a.php", "b.asp?id=3", "c", "d.shtml", "index.html@p=3", "packed.jsp"]
    for name in names:
        put(tmp_path / name, gzip.compress(LAMP) if name == "packed.jsp" else LAMP)
    assert list(Reader([str(tmp_path)])) == [Record(name, None, tmp_path.name, LAMP) for name in names]
    assert list(Reader([str(tmp_path / "a.php")])) == [Record("a.php", None, "a.php", LAMP)]


def test_the_order_of_a_folder_is_not_that_of_the_file_system(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = ids(Reader([str(folder)]))
    walk = os.walk

    def backwards(top: Path, **how: Any) -> Iterator[tuple[str, list[str], list[str]]]:
        for place, folders, files in walk(top, **how):
            folders.sort(reverse=True)
            files.sort(reverse=True)
            yield place, folders, files

    monkeypatch.setattr(os, "walk", backwards)
    assert ids(Reader([str(folder)])) == before


def test_the_records_of_a_folder_do_not_depend_on_its_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = list(Reader([str(folder)]))
    monkeypatch.chdir(folder)
    assert list(Reader(["."])) == list(Reader(["../lamps/"])) == list(Reader(["m/.."])) == records


def test_a_folder_may_have_the_name_of_a_page(tmp_path: Path) -> None:
    put(tmp_path / "set.html" / "b.jsonl" / "a.html", LAMP)
    assert list(Reader([str(tmp_path / "set.html")])) == [Record("b.jsonl/a.html", None, "set.html", LAMP)]


def test_an_empty_folder_has_no_record(tmp_path: Path) -> None:
    reader = Reader([str(tmp_path)])
    assert list(reader) == []
    assert (reader.total, reader.read, reader.damaged) == (0, 0, [])


def test_a_page_with_an_undecodable_name_is_read(tmp_path: Path) -> None:
    if not save_nameless(tmp_path, HTML):
        pytest.skip("all names are text on this file system")
    assert [record.html for record in Reader([str(tmp_path)])] == [LAMP]


@pytest.mark.parametrize(
    "ending",
    [
        ".jsonl",
        ".warc",
        ".parquet",
    ],
)
def test_files_of_one_name_in_two_folders_give_different_ids(tmp_path: Path, ending: str) -> None:
    made = {".jsonl": lines({"html": HTML}), ".warc": warc(name=None, url=None), ".parquet": parquet({"html": [HTML]})}
    for name in ("a", "b"):
        put(tmp_path / name / f"pages{ending}", made[ending])
    assert ids(Reader([str(tmp_path)])) == [f"a/pages{ending}:1", f"b/pages{ending}:1"]


def test_a_damaged_file_in_a_folder_is_reported_and_the_others_are_read(folder: Path) -> None:
    bad = put(folder / "z" / "d.html.gz", gzip.compress(EUC_KR)[:-20])
    loop = folder / "z" / "loop.html"
    loop.symlink_to("loop.html")
    reader = Reader([str(folder)])
    found = ids(reader)
    assert "z/d.html.gz" not in found
    assert len(found) == 7
    assert [sentence.partition(": ")[0] for sentence in reader.damaged] == [str(bad), str(loop)]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_reported_and_the_others_are_read(folder: Path) -> None:
    (folder / "b.html").chmod(0)
    reader = Reader([str(folder)])
    assert len(ids(reader)) == 7
    assert reader.damaged == [f"{folder}/b.html: damaged or truncated at the start: Permission denied."]


def test_a_folder_that_cannot_be_listed_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scandir = os.scandir

    def refusing(path: str) -> Any:
        if Path(path).name == "m":
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    reader = Reader([str(folder)])
    assert len(ids(reader)) == 6
    assert len(reader.damaged) == 1
    assert str(folder / "m") in reader.damaged[0]


# --- ids and sites ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "known"),
    [
        ({"id": "등대", "url": "https://a.kr/"}, "등대"),
        ({"id": 7}, "7"),
        ({"id": 0}, "0"),
        ({"id": -3, "url": "https://a.kr/"}, "-3"),
        ({"id": None, "url": "https://a.kr/"}, "https://a.kr/"),
        ({"id": "", "url": "https://a.kr/"}, "https://a.kr/"),
        ({"url": "no address"}, "no address"),
        ({"id": [1], "url": ""}, "pages.jsonl:3"),
        ({"id": 1.5, "url": 5}, "pages.jsonl:3"),
        ({}, "pages.jsonl:3"),
    ],
)
def test_the_id_is_the_column_or_the_url_or_file_and_line(tmp_path: Path, row: dict[str, Any], known: str) -> None:
    reader = reader_of(tmp_path / "pages.jsonl", lines(b"", b"no JSON", row | {"html": HTML}))
    assert ids(reader) == [known]


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://news.example.co.kr/a", "example.co.kr"),
        ("https://EXAMPLE.Co.Kr:8080/a?b#c", "example.co.kr"),
        ("https://a.b.c.example.org/", "example.org"),
        ("https://user:word@www.example.org./", "example.org"),
        ("//www.example.org/a", "example.org"),
        ("https://blog.blogspot.com/", "blogspot.com"),
        ("http://192.168.0.1:80/", "192.168.0.1"),
        ("http://[2001:db8::1]:8080/a", "2001:db8::1"),
        ("http://localhost:8000/", "localhost"),
        ("http://co.kr/", "co.kr"),
        ("http://뉴스.등대.한국/", "등대.한국"),
        ("https://www.xn--bj0bj06e.xn--3e0b707e/", "xn--bj0bj06e.xn--3e0b707e"),
        ("https://example.org:port/", "example.org"),
        ("http://", "pages"),
        ("http:///a", "pages"),
        ("http://[2001:db8/", "pages"),
        ("http://a.℀.kr/", "pages"),
        ("example.org/a", "pages"),
        ("mailto:kim@example.org", "pages"),
        ("\ud800", "pages"),
        ("", "pages"),
        (5, "pages"),
    ],
)
def test_a_site_is_the_registered_domain_of_a_url_or_the_name_of_the_source(
    tmp_path: Path, url: str, site: str
) -> None:
    row = json.dumps({"html": HTML, "url": url}).encode()
    reader = reader_of(tmp_path / "pages.jsonl", lines(row, {"html": HTML, "id": "after"}))
    assert [(record.site, record.url) for record in reader] == [
        (site, url if isinstance(url, str) and url else None),
        ("pages", None),
    ]


def test_a_given_site_overrides_the_column_site(tmp_path: Path) -> None:
    url = "https://news.example.co.kr/"
    rows: list[dict[str, Any]] = [{"site": "등대", "url": url}, {"site": "", "url": url}, {"site": 5}]
    columns = {"html": [HTML] * 3, "url": [url, url, None], "site": ["등대", "", None]}
    sources = [
        str(put(tmp_path / "pages.jsonl", lines(*(row | {"html": HTML} for row in rows)))),
        str(put(tmp_path / "pages.parquet", parquet(columns))),
    ]
    for source in sources:
        assert [record.site for record in Reader([source])] == ["등대", "example.co.kr", "pages"]
    assert {record.site for record in Reader([*sources, str(put(tmp_path / "a.warc", warc()))], "all")} == {"all"}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("my.set.html", LAMP),
        ("my.set.htm.gz", gzip.compress(LAMP, mtime=0)),  # so that the id of the test is constant
        ("my.set.JSONL.GZ", gzip.compress(lines({"html": HTML}), mtime=0)),
        ("my.set.ndjson.xz", lzma.compress(lines({"html": HTML}))),
        ("my.set.parquet", parquet({"html": [HTML]})),
        ("my.set.warc.zst", zstd(warc(url=None))),
    ],
)
def test_the_name_of_a_source_is_its_file_name_without_extension(tmp_path: Path, name: str, content: bytes) -> None:
    assert [(record.site, record.html) for record in reader_of(tmp_path / name, content)] == [("my.set", LAMP)]


# --- JSON lines ------------------------------------------------------------------------------------------------------

LAST = {"id": "last", "html": HTML}


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b"", None),
        (b" \t\r", None),
        (b"no JSON", "a line that is not JSON"),
        (b'{"html": "<p>"', "a line that is not JSON"),
        (b'{"html": "\xff"}', "a line that is not JSON"),
        ('{"html": "등대"}'.encode("euc-kr"), "a line that is not JSON"),
        ('{"html": "a"}'.encode("utf-16"), "a line that is not JSON"),
        (b'{"html": "a", "id": ' + b"1" * 5000 + b"}", "a line that is not JSON"),
        (b"[" * 100_000, "a line that is not JSON"),
        (b"[]", "a line without html"),
        (b"null", "a line without html"),
        (b'"<p>"', "a line without html"),
        (b'{"id": "a"}', "a line without html"),
        (b'{"html": null}', "a line without html"),
        (b'{"html": 5}', "a line without html"),
        (b'{"html": ["<p>"]}', "a line without html"),
        (b'{"HTML": "<p>"}', "a line without html"),
    ],
)
def test_a_line_without_a_page_is_skipped_and_counted(tmp_path: Path, bad: bytes, reason: str | None) -> None:
    reader = reader_of(tmp_path / "a.jsonl", lines({"id": "first", "html": HTML}, bad, bad, LAST))
    assert ids(reader) == ["first", "last"]
    assert reader.skipped == ({reason: 2 * (1 + bad.count(b"\n"))} if reason else {})
    assert not reader.damaged


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n\n"])
def test_a_line_ends_at_a_line_feed_and_nowhere_else(tmp_path: Path, end: str) -> None:
    text = "등대\u2028불빛\u2029바다\x85배\x0b섬\x0c달"
    row = json.dumps({"html": text}, ensure_ascii=False).replace("\\u000b", "\\u000B")
    reader = reader_of(tmp_path / "a.jsonl", f"{row}{end}{row}{end}{row}")
    assert [record.html.decode() for record in reader] == [text] * 3


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    reader = reader_of(tmp_path / "a.jsonl", b"\xef\xbb\xbf" + b"".join(LINES))
    assert list(reader) == RECORDS
    assert not reader.skipped


def test_lone_surrogates_are_replaced(tmp_path: Path) -> None:
    half = rb'{"id": "\ud800", "url": "http://\udfff.kr/\ud800", "charset": "\ud800", "html": "<p>\ud83d lamp \udca1 \ud83d\udca1"}'
    reader = reader_of(tmp_path / "a.jsonl", lines(half, LAST))
    records = list(reader)
    assert [record.html.decode() for record in records] == ["<p>? lamp ? 💡", HTML]
    assert [batch.num_rows for batch in make_batches(records)] == [2]
    assert (reader.skipped, reader.damaged) == ({}, [])


def test_unknown_columns_are_ignored(tmp_path: Path) -> None:
    row = {"text": "등대", "lang": "ko", "html": KOREAN, "meta": {"html": "no"}, "charset": 5, "site": ["a"], "url": {}}
    assert list(reader_of(tmp_path / "a.jsonl", lines(row))) == [Record("a.jsonl:1", None, "a", KOREAN.encode())]


@pytest.mark.parametrize("size", [590, 600, 601, 1200, 1201, 5000])
@pytest.mark.parametrize("pack", PACK.values(), ids=list(PACK))
def test_a_line_over_the_limit_is_skipped(tmp_path: Path, size: int, pack: Callable[[bytes], bytes]) -> None:
    long = {"id": "long", "html": "a" * size}
    for rows in ([long, LAST], [LAST, long], [LAST, long, long, b"", LAST]):
        reader = reader_of(tmp_path / "a.jsonl", pack(lines(*rows)), max_bytes=100)
        assert ids(reader) == ["last"] * rows.count(LAST)
        assert reader.skipped == {"a line over the limit": rows.count(long)}
    endless = reader_of(tmp_path / "a.jsonl", pack(line(long)[:-1]), max_bytes=100)
    assert ids(endless) == []
    assert endless.skipped == {"a line over the limit": 1}


def test_a_page_within_the_limit_is_read_however_it_is_escaped(tmp_path: Path) -> None:
    page = "등" * 33
    escaped = json.dumps({"html": page}).encode()
    assert [record.html.decode() for record in reader_of(tmp_path / "a.jsonl", escaped, max_bytes=99)] == [page]


def over_limit() -> dict[str, bytes]:
    html = "<p>" + "등대" * 40
    return {
        "a.html": html.encode(),
        "a.html.gz": gzip.compress(html.encode()),
        "a.jsonl": lines({"html": html}),
        "a.jsonl.zst": zstd(lines({"html": html})),
        "text.parquet": parquet({"html": [html]}),
        "bytes.parquet": parquet({"html": [html.encode()]}),
        "a.warc": warc(html.encode()),
        "a.warc.gz": gzip.compress(warc(html.encode())),
        "gzip.warc": warc(gzip.compress(html.encode()), "Content-Encoding: gzip"),
        "deflate.warc": warc(zlib.compress(html.encode()), "Content-Encoding: deflate"),
    }


@pytest.mark.parametrize("name", over_limit())
def test_a_page_over_the_limit_is_cut_one_byte_after_it(tmp_path: Path, name: str) -> None:
    (record,) = reader_of(tmp_path / name, over_limit()[name], max_bytes=100)
    assert record.html == ("<p>" + "등대" * 40).encode()[:101]


# --- Parquet ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(len(EUC_KR))], ids=str)
def test_bytes_of_parquet_are_unchanged(tmp_path: Path, kind: Any) -> None:
    made = parquet({"html": pa.array([EUC_KR], kind), "charset": ["euc-kr"]})
    assert list(reader_of(tmp_path / "a.parquet", made)) == [Record("a.parquet:1", None, "a", EUC_KR, "euc-kr")]


def test_the_time_of_a_crawl_may_be_a_timestamp(tmp_path: Path) -> None:
    moments = pa.array([datetime(2025, 5, 1, 6, tzinfo=UTC)], pa.timestamp("s", "UTC"))
    (record,) = reader_of(tmp_path / "a.parquet", parquet({"html": [KOREAN], "crawled": moments}))
    assert record.crawled == "2025-05-01T06:00:00+00:00"


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())], ids=str
)
def test_text_of_parquet_is_encoded_as_utf_8(tmp_path: Path, kind: Any) -> None:
    made = parquet({"html": pa.array([KOREAN], kind)})
    assert list(reader_of(tmp_path / "a.parquet", made)) == [Record("a.parquet:1", None, "a", KOREAN.encode())]


@pytest.mark.parametrize("size", [1, 7, 16, 50])
def test_row_groups_come_one_after_the_other_and_rows_without_html_are_counted(tmp_path: Path, size: int) -> None:
    html = [None if number % 10 == 9 else f"<p>{number}" for number in range(50)]
    columns = {"id": list(range(100, 150)), "html": html, "extra": [{"a": [1]}] * 50, "score": [0.5] * 50}
    reader = reader_of(tmp_path / "a.parquet", parquet(columns, row_group_size=size))
    kept = [number for number in range(50) if number % 10 != 9]
    assert [(record.id, record.html) for record in reader] == [
        (str(100 + number), b"<p>%d" % number) for number in kept
    ]
    assert reader.skipped == {"a row without html": 5}


def test_the_id_of_a_row_is_its_url_or_file_and_number(tmp_path: Path) -> None:
    columns = {"id": [None, "", None], "url": ["https://a.kr/", None, ""], "html": [HTML] * 3}
    reader = reader_of(tmp_path / "a.parquet", parquet(columns, row_group_size=1))
    assert ids(reader) == ["https://a.kr/", "a.parquet:2", "a.parquet:3"]


@pytest.mark.parametrize("html", [[["<p>"]], [{"a": "<p>"}], [5], [None]])
def test_html_that_is_neither_text_nor_bytes_is_skipped(tmp_path: Path, html: list[Any]) -> None:
    reader = reader_of(tmp_path / "a.parquet", parquet({"html": html}))
    assert ids(reader) == []
    assert reader.skipped == {"a row without html": 1}


def test_a_parquet_file_without_html_is_reported_with_its_columns(tmp_path: Path) -> None:
    path = put(tmp_path / "a.parquet", parquet({"HTML": [HTML], "text": ["등대"]}))
    after = put(tmp_path / "b.html", LAMP)
    reader = Reader([str(path), str(after)])
    assert ids(reader) == ["b.html"]
    assert len(reader.damaged) == 1
    assert reader.damaged[0].startswith(f"{path}: ")
    assert reader.damaged[0].endswith("there is no column html, only HTML, text.")


def test_a_parquet_file_without_rows_has_no_record(tmp_path: Path) -> None:
    reader = reader_of(tmp_path / "a.parquet", parquet({"html": pa.array([], pa.string())}))
    assert list(reader) == []
    assert (reader.read, reader.damaged) == (reader.total, [])


BOMB = """
import resource, sys
from bonmun.scale.corpus.sources.reader import Reader
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
reader = Reader(sys.argv[1:], max_bytes=1000)
print([len(record.html) for record in reader], dict(reader.skipped), reader.damaged)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def read_bomb(path: Path, table: pa.Table, **how: Any) -> tuple[str, int]:
    """What a reader says of a table, and how many MiB it took."""
    pq.write_table(table, path, compression="zstd", **how)
    assert path.stat().st_size < 100_000
    run = subprocess.run([sys.executable, "-c", BOMB, path], capture_output=True, text=True, check=True, timeout=300)
    said, grown = run.stdout.splitlines()
    return said, int(grown)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [pa.string(), pa.large_binary(), pa.dictionary(pa.int32(), pa.string())], ids=str)
def test_a_large_dictionary_value_takes_memory_once(tmp_path: Path, kind: Any) -> None:
    html = pa.DictionaryArray.from_arrays(pa.array([0] * 20, pa.int32()), pa.array(["a" * 30_000_000]))
    table = pa.table({"html": html if pa.types.is_dictionary(kind) else html.cast(kind)})
    said, grown = read_bomb(tmp_path / "a.parquet", table, dictionary_pagesize_limit=1 << 30)
    assert said == f"{[1001] * 20} {{}} []"
    assert grown < 300  # MiB; all values together have 570


@pytest.mark.slow
def test_lists_are_not_read(tmp_path: Path) -> None:
    zeros = np.zeros(60_000_000, np.int64)
    endless = pa.ListArray.from_arrays(pa.array(np.arange(21) * 3_000_000, pa.int32()), zeros)
    table = pa.table({"html": ["<p>a"] * 20, "id": endless, "url": endless})
    said, grown = read_bomb(tmp_path / "a.parquet", table)
    assert said == f"{[4] * 20} {{}} []"
    assert grown < 150
    said, grown = read_bomb(tmp_path / "b.parquet", pa.table({"html": endless}))
    assert said == "[] {'a row without html': 20} []"
    assert grown < 150


def test_values_that_are_too_long_are_dropped(tmp_path: Path) -> None:
    long = "x" * 10_001
    row = {"html": "<p>a</p>", "id": long, "url": f"https://{long}", "site": long, "charset": long, "crawled": long}
    said = [Record("a.jsonl:1", None, "a", b"<p>a</p>")]
    assert list(reader_of(tmp_path / "a.jsonl", line(row))) == said
    assert list(reader_of(tmp_path / "a.parquet", parquet({key: [each] for key, each in row.items()}))) == [
        Record("a.parquet:1", None, "a", b"<p>a</p>")
    ]


def test_invalid_utf_8_in_parquet_is_read(tmp_path: Path) -> None:
    columns = {each: pa.array([b"\xff\xfe<p>a"]).cast(pa.string(), safe=False) for each in ("html", "id", "url")}
    (record,) = reader_of(tmp_path / "a.parquet", parquet(columns))
    assert (record.html, record.id) == (b"\xff\xfe<p>a", "\ufffd\ufffd<p>a")


def test_a_time_out_of_range_is_dropped(tmp_path: Path) -> None:
    times = [2**62, -(2**62), 0]
    made = parquet({"html": ["<p>a"] * 3, "crawled": pa.array(times, pa.timestamp("us"))})
    found = list(reader_of(tmp_path / "a.parquet", made))
    assert [record.crawled for record in found] == [None, None, "1970-01-01T00:00:00"]


# --- WARC ------------------------------------------------------------------------------------------------------------


def bodies(path: Path, *records: bytes, **more: Any) -> list[bytes]:
    """Return the pages of an undamaged WARC file with these records."""
    reader = reader_of(path / "a.warc", b"".join(records), **more)
    found = [record.html for record in reader]
    assert reader.damaged == []
    return found


def test_the_anchor_is_read_from_every_format(tmp_path: Path) -> None:
    rows = {"html": ["<p>a", "<p>b", "<p>c"], "anchor": ["등대", "", None]}
    lines = [{"html": html, "anchor": anchor} for html, anchor in zip(*rows.values(), strict=True)]
    lines += [{"html": "<p>d", "anchor": 7}, {"html": "<p>e", "anchor": "x" * 20_000}, {"html": "<p>f"}]
    data = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
    assert [record.anchor for record in reader_of(tmp_path / "a.jsonl", data)] == ["등대", *[None] * 5]
    assert [record.anchor for record in reader_of(tmp_path / "a.parquet", parquet(rows))] == ["등대", None, None]


@pytest.mark.parametrize(
    ("notes", "anchor"),
    [
        ("via: https://a.example/\r\nanchor: 등대 이야기 \r\noutlink: x", "등대 이야기"),
        ("ANCHOR:a\nanchor: b", "a"),
        ("via: x\r\nanchor: \r\nanchor2: b", None),
        ("via: anchor: b", None),
        ("", None),
        ("x" * 100_000 + "\nanchor: too far down", None),
    ],
)
def test_anchors_are_read_from_the_metadata_of_the_same_page(tmp_path: Path, notes: str, anchor: str | None) -> None:
    def note(page: str) -> bytes:
        head = f"WARC/1.1\r\nWARC-Type: metadata\r\nWARC-Record-ID: <n>\r\nWARC-Concurrent-To: <{page}>\r\n"
        return f"{head}Content-Type: application/warc-fields\r\nContent-Length: {len(notes.encode())}\r\n\r\n{notes}\r\n\r\n".encode()

    data = note("a") + warc(name="a") + warc(name="b") + note("a") + warc(name="c")
    reader = reader_of(tmp_path / "a.warc", data)
    assert [record.anchor for record in reader] == [anchor, None, None]
    assert (dict(reader.skipped), reader.damaged) == ({}, [])


def test_only_responses_are_pages(tmp_path: Path) -> None:
    others = ["warcinfo", "request", "resource", "metadata", "revisit", "conversion", "continuation", "other"]
    reader = reader_of(tmp_path / "a.warc", b"".join(warc(name=kind, kind=kind) for kind in [*others, "response"]))
    assert ids(reader) == ["response"]
    assert reader.skipped == {"a copy of an earlier record": 1}


@pytest.mark.parametrize(
    ("mime", "charset"),
    [
        ("text/html; charset=euc-kr", "euc-kr"),
        ("Text/HTML;CHARSET=EUC-KR", "euc-kr"),
        ("text/html;charset=euc-kr;", "euc-kr"),
        ("text/html; boundary=a; charset=euc-kr", "euc-kr"),
        ("application/xhtml+xml; charset=euc-kr", "euc-kr"),
        ("text/html", None),
        ("text/html;", None),
        ("", None),
        (None, None),
        ('text/html; charset="euc-kr"', "euc-kr"),
        ("text/html; charset='euc-kr'", "euc-kr"),
        ("text/html; charset = euc-kr", "euc-kr"),
    ],
)
def test_the_charset_of_the_http_header_is_read(tmp_path: Path, mime: str | None, charset: str | None) -> None:
    assert list(reader_of(tmp_path / "a.warc", warc(EUC_KR, mime=mime))) == [
        Record("urn:1", "https://news.example.co.kr/a", "example.co.kr", EUC_KR, charset, CRAWLED)
    ]


@pytest.mark.parametrize("charset", ["euc-kr", "none", '"euc-kr"', "ansi949"])
def test_a_page_with_an_unknown_charset_is_extracted(tmp_path: Path, charset: str) -> None:
    kind = "text/html" if charset == "none" else f"text/html; charset={charset}"
    page = EUC_KR.replace(b"</p>", b"</p><p>" + SENTENCE.replace("똠", "박").encode("euc-kr") * 3 + b"</p>")
    (batch,) = make_batches(reader_of(tmp_path / "a.warc", warc(page, mime=kind)))
    (row,) = extract_batch(batch).to_pylist()
    assert row["error"] is None
    assert "등대가" in row["text"]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (warc(status="HTTP/1.1 404 Not Found"), "HTTP status 404"),
        (warc(status="HTTP/1.1 301 Moved"), "HTTP status 301"),
        (warc(status="HTTP/1.0 500"), "HTTP status 500"),
        (warc(status="HTTP/1.1 199 Odd"), "HTTP status 199"),
        (warc(mime="application/pdf"), "not HTML"),
        (warc(mime="text/plain; charset=utf-8"), "not HTML"),
        (warc(mime="application/json"), "not HTML"),
        (warc(status="20250501 lamp.kr 192.0.2.1", url="dns:lamp.kr", mime=None), "a response that is not HTTP"),
        (warc(status="", mime=None), "a response that is not HTTP"),
        (warc(status="HTTP/1.1 OK"), "a response that is not HTTP"),
    ],
)
def test_a_response_without_a_page_is_skipped_and_counted(tmp_path: Path, record: bytes, reason: str) -> None:
    reader = reader_of(tmp_path / "a.warc.gz", b"".join(map(gzip.compress, [warc(), record, record, warc(EUC_KR)])))
    assert [page.html for page in reader] == [LAMP, EUC_KR]
    assert (reader.skipped, reader.damaged) == ({reason: 2}, [])


@pytest.mark.parametrize(
    "status", ["HTTP/1.1 200 OK", "HTTP/1.0 200", "HTTP/2 200", "HTTP/1.1 203 Non-Authoritative", "HTTP/1.1 206 좋다"]
)
def test_every_2xx_status_gives_a_page(tmp_path: Path, status: str) -> None:
    assert bodies(tmp_path, warc(status=status), warc(EUC_KR)) == [LAMP, EUC_KR]


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        (["Content-Encoding: gzip"], gzip.compress(EUC_KR)),
        (["content-ENCODING:  GZip "], gzip.compress(EUC_KR)),
        (["Content-Encoding: x-gzip"], gzip.compress(EUC_KR)),
        (["Content-Encoding: gzip"], gzip.compress(EUC_KR[:50]) + gzip.compress(EUC_KR[50:])),
        (["Content-Encoding: deflate"], zlib.compress(EUC_KR)),
        (["Content-Encoding: deflate"], raw_deflate(EUC_KR)),
        (["Content-Encoding: br"], brotli(EUC_KR)),
        (["Content-Encoding: zstd"], zstd(EUC_KR)),
        (["Transfer-Encoding: chunked"], chunked(EUC_KR)),
        (["Transfer-Encoding: chunked"], chunked(EUC_KR, 1000)),
        (["Content-Encoding: gzip", "Transfer-Encoding: chunked"], chunked(gzip.compress(EUC_KR))),
        (["Transfer-Encoding: gzip, chunked"], chunked(gzip.compress(EUC_KR))),
        (["Content-Encoding: deflate, br"], brotli(zlib.compress(EUC_KR))),
        (["Content-Encoding: identity"], EUC_KR),
        (["Content-Encoding: gzip", "Content-Encoding: br"], brotli(gzip.compress(EUC_KR))),
        (["Transfer-Encoding: chunked"], b"%x;a=b\r\n%b\r\n0\r\n\r\n" % (len(EUC_KR), EUC_KR)),
    ],
)
def test_http_encodings_are_decoded(tmp_path: Path, headers: list[str], body: bytes) -> None:
    assert bodies(tmp_path, warc(body, *headers), warc()) == [EUC_KR, LAMP]


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        *((["Content-Encoding: " + coding], EUC_KR) for coding in ("gzip", "x-gzip", "deflate", "br", "zstd")),
        *((["Content-Encoding: " + coding], EUC_KR) for coding in ("compress", "dcb", "utf-8", "gzip, none", "")),
        (["Transfer-Encoding: chunked"], EUC_KR),
        (["Content-Encoding: gzip", "Transfer-Encoding: chunked"], gzip.compress(EUC_KR)),
        (["Content-Encoding: gzip", "Transfer-Encoding: chunked"], EUC_KR),
    ],
)
def test_wrong_and_unknown_http_encodings_are_ignored(tmp_path: Path, headers: list[str], body: bytes) -> None:
    assert bodies(tmp_path, warc(body, *headers), warc()) == [EUC_KR, LAMP]


@pytest.mark.parametrize(
    ("header", "body"),
    [
        ("Content-Encoding: gzip", b""),
        ("Transfer-Encoding: chunked", b""),
        ("Content-Encoding: gzip", gzip.compress(b"", mtime=0)),
        ("Transfer-Encoding: chunked", b"0\r\n\r\n"),
    ],
)
def test_an_empty_page_with_any_encoding_is_empty(tmp_path: Path, header: str, body: bytes) -> None:
    assert bodies(tmp_path, warc(body, header), warc()) == [b"", LAMP]


@pytest.mark.parametrize(
    ("header", "body"),
    [
        ("Content-Encoding: gzip", gzip.compress(EUC_KR)[:-12]),
        ("Transfer-Encoding: chunked", chunked(EUC_KR)[:-12]),
    ],
)
def test_a_truncated_body_is_decoded_up_to_its_end(tmp_path: Path, header: str, body: bytes) -> None:
    found, after = bodies(tmp_path, warc(body, header), warc())
    assert len(found) > 50
    assert EUC_KR.startswith(found)
    assert after == LAMP


@pytest.mark.parametrize(
    ("header", "pack"),
    [
        ("X-Packed: no", bytes),
        ("Content-Encoding: gzip", gzip.compress),
        ("Transfer-Encoding: chunked", chunked),
    ],
)
def test_a_page_is_complete_or_over_the_limit(tmp_path: Path, header: str, pack: Callable[[bytes], bytes]) -> None:
    """A page that exceeds the limit while it is compressed is also too big."""
    page = random.Random(1).randbytes(1000)
    for limit in (500, 999, 1000, 1010, 1100):
        (body,) = bodies(tmp_path, warc(pack(page), header), max_bytes=limit)
        assert body == page if len(pack(page)) <= limit else len(body) == limit + 1


def test_a_high_limit_applies_to_deflate() -> None:
    page = bytes(20_100_000)
    assert len(decode_body(zlib.compress(page, 1), {"content-encoding": "deflate"}, 30_000_001)) == len(page)


def test_the_id_of_a_record_without_id_is_file_and_number(tmp_path: Path) -> None:
    made = [
        warc(kind="request", name=None),
        warc(name=None),
        warc(mime="image/png", name=None),
        warc(name=None, url=None),
    ]
    assert list(reader_of(tmp_path / "lamp.warc", b"".join(made))) == [
        Record("lamp.warc:1", "https://news.example.co.kr/a", "example.co.kr", LAMP, None, CRAWLED),
        Record("lamp.warc:3", None, "lamp", LAMP, None, CRAWLED),
    ]


def test_a_url_may_have_angle_brackets_and_invalid_bytes(tmp_path: Path) -> None:
    made = warc(url="<https://news.example.co.kr/a>") + warc(url="https://news.example.co.kr/LAMP").replace(
        b"LAMP", "등대".encode("euc-kr")
    )
    first, second = reader_of(tmp_path / "a.warc", made.replace(b"WARC/1.0", b"WARC/1.1"))
    assert (first.url, first.site) == ("https://news.example.co.kr/a", "example.co.kr")
    assert ((second.url or "")[:27], second.site) == ("https://news.example.co.kr/", "example.co.kr")


def test_headers_may_contain_invalid_bytes(tmp_path: Path) -> None:
    assert bodies(
        tmp_path, warc(LAMP, "X-Title: LAMP").replace(b": LAMP", b": " + "등대".encode("euc-kr")), warc(EUC_KR)
    ) == [LAMP, EUC_KR]


def test_blank_lines_between_records_are_ignored(tmp_path: Path) -> None:
    assert bodies(tmp_path, b"\r\n", warc(), b"\r\n\n\r\n", warc(EUC_KR), b"\r\n") == [LAMP, EUC_KR]


JUNK = b"<p>This is no record.</p>\r\n\r\n"


@pytest.mark.parametrize("place", range(2))
@pytest.mark.parametrize(
    ("junk", "size"),
    [
        (JUNK, len(JUNK) - 2),  # a blank line does not count
        (bytes(1000), 1000),
        (bytes(1 << 20), 1 << 20),
        (b"\xff" * 65_530, 65_530),  # a piece ends within the start of the next record
        (b"no record\n" * 10_000, 100_000),
        (b"WARC/1.0 is how a record begins\r\n", 33),
        (b"\0WARC/1.0\r\nX: " + b"a" * (1 << 20) + b"\r\n\r\n", (1 << 20) + 18),  # an endless header
    ],
    ids=["html", "nul", "much", "edge", "lines", "start", "header"],
)
def test_junk_between_records_is_skipped_and_reported(tmp_path: Path, junk: bytes, size: int, place: int) -> None:
    parts = [warc(), warc(EUC_KR)]
    parts.insert(place, junk)
    reader = reader_of(tmp_path / "a.warc", b"".join(parts))
    assert [record.html for record in reader] == [LAMP, EUC_KR]
    (said,) = reader.damaged
    found = re.fullmatch(r".*a.warc: damaged, but read to the end: ([\d,]+) bytes .* do not belong to a record\.", said)
    assert found
    assert abs(int(found[1].replace(",", "")) - size) <= 4


def test_junk_after_the_last_record_is_reported(tmp_path: Path) -> None:
    for junk in (JUNK, bytes(1000)):
        reader = reader_of(tmp_path / "a.warc", warc() + junk)
        assert [record.html for record in reader] == [LAMP]
        assert reader.damaged == [
            f"{tmp_path}/a.warc: damaged or truncated after 1 pages: its last bytes do not belong to a record."
        ]


@pytest.mark.parametrize("length", [b"0", b"5", b"-7", b"x", b"", b"250", b"400", b"9" * 17, b"9" * 40])
def test_a_record_with_a_wrong_length_is_reported_and_the_others_are_read(tmp_path: Path, length: bytes) -> None:
    lying = re.sub(rb"(Content-Length: )\d+", lambda found: found[1] + length, warc(KOREAN.encode()), count=1)
    assert lying != warc(KOREAN.encode())
    whole = [noise(number, 300).encode() for number in range(5)]
    reader = reader_of(tmp_path / "a.warc", warc() + lying + b"".join(map(warc, whole)))
    found = [record.html for record in reader]
    assert found[0] == LAMP
    assert len(reader.damaged) == 1
    if len(length) < 17:  # otherwise the rest of the file belongs to it
        assert found[-3:] == whole[-3:]


@pytest.mark.parametrize(
    "broken",
    [
        warc().replace(b"Content-Length", b"Content-Breadth"),
        warc().replace(b"WARC/1.0", b"WARK/1.0"),
    ],
    ids=["length", "start"],
)
def test_a_broken_record_is_reported_or_counted(tmp_path: Path, broken: bytes) -> None:
    reader = reader_of(tmp_path / "a.warc", warc() + broken + warc(EUC_KR))
    assert [record.html for record in reader][:1] == [LAMP]
    assert reader.damaged or reader.skipped


@pytest.mark.parametrize(
    ("ending", "count"),
    [
        (".gz", 20),
        (".zst", 20),
        (".gz", 1),
    ],
)
def test_junk_between_compressed_records_is_reported_and_earlier_records_are_read(
    tmp_path: Path, ending: str, count: int
) -> None:
    pages = [noise(number, 20_000).encode() for number in range(count)]
    packed = [PACK[ending](warc(page)) for page in pages]
    path = put(tmp_path / f"a.warc{ending}", b"".join([*packed, JUNK, packed[0]]))
    reader = Reader([str(path)])
    found = [record.html for record in reader]
    assert found == pages[: len(found)]
    assert len(found) >= max(1, count - 5)
    assert len(reader.damaged) == 1
    assert reader.damaged[0].startswith(f"{path}: damaged or truncated after {len(found)} pages: ")


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz", ".jsonl.xz", ".jsonl.zst", ".warc", ".warc.gz", ".warc.zst"])
def test_an_empty_file_has_no_record(tmp_path: Path, ending: str) -> None:
    reader = reader_of(tmp_path / f"a{ending}", b"")
    assert list(reader) == []
    assert (reader.skipped, reader.damaged) == ({}, [])


def test_a_file_that_is_not_warc_is_reported(tmp_path: Path) -> None:
    reader = reader_of(tmp_path / "a.warc", KOREAN)
    assert list(reader) == []
    assert reader.damaged[0].startswith(f"{tmp_path}/a.warc: damaged or truncated at the start: ")


def test_a_warc_file_with_line_feeds_is_read_or_reported(tmp_path: Path) -> None:
    block = b"HTTP/1.1 200 OK\nContent-Type: text/html\n\n" + LAMP
    record = b"WARC/1.0\nWARC-Type: response\nContent-Type: application/http\nContent-Length: %d\n\n%b\n\n" % (
        len(block),
        block,
    )
    reader = reader_of(tmp_path / "a.warc", record * 2)
    assert [record.html for record in reader] == [LAMP, LAMP] or reader.damaged


def test_http_headers_may_end_with_line_feeds(tmp_path: Path) -> None:
    block = b"HTTP/1.1 200 OK\nContent-Type: text/html\n\n" + EUC_KR
    head = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n" % len(
        block
    )
    assert bodies(tmp_path, head + block + b"\r\n\r\n", warc()) == [EUC_KR, LAMP]


@pytest.mark.parametrize(
    "record",
    [warc(LAMP, "X-Long: " + "a" * 40_000), warc(kind="metadata", url="data:" + "a" * 40_000)],
    ids=["http", "metadata"],
)
def test_a_long_header_is_skipped(tmp_path: Path, record: bytes) -> None:
    assert bodies(tmp_path, record, warc(EUC_KR))[-1:] == [EUC_KR]


# --- damage ----------------------------------------------------------------------------------------------------------

some = settings(max_examples=75, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


ENDS_OF_HEADERS = [
    start + part.index(b"\r\n\r\n") + 4
    for start, part in zip(accumulate(map(len, RESPONSES), initial=0), RESPONSES, strict=False)
]


def test_a_file_that_ends_after_a_header_is_reported(tmp_path: Path) -> None:
    for cut in ENDS_OF_HEADERS:
        reader = reader_of(tmp_path / "a.warc", b"".join(RESPONSES)[:cut])
        assert list(reader) == RECORDS[: ENDS_OF_HEADERS.index(cut)]
        assert len(reader.damaged) == 1


def is_compressed(name: str) -> bool:
    return name.endswith((".gz", ".xz", ".zst"))


def find_silent_ends(name: str) -> set[int]:
    """Return the positions where a truncated file looks complete."""
    ends = [0, *accumulate(map(len, FORMATS[name]))]
    if name.endswith(".warc"):  # blank lines end a record
        return {end - blank for end in ends for blank in range(5)}
    return set(ends)


@pytest.mark.slow
@pytest.mark.parametrize("name", ONCE)
@some
@given(data=st.data())
def test_a_truncated_file_gives_complete_records_and_is_reported(
    tmp_path: Path, name: str, data: st.DataObject
) -> None:
    whole = b"".join(FORMATS[name])
    cut = data.draw(st.integers(START if is_compressed(name) else 0, len(whole) - 1))
    path = put(tmp_path / name, whole[:cut])
    reader = Reader([str(path)])
    found = list(reader)
    assert found == RECORDS[: len(found)]
    assert all(sentence.startswith(f"{path}: damaged or truncated ") for sentence in reader.damaged)
    if name == "plain.jsonl":
        assert reader.damaged == []
        inside = whole[:cut] and len(found) == whole[:cut].count(b"\n")
        assert reader.skipped == ({"a line that is not JSON": 1} if inside and not whole[:cut].endswith(b"\n") else {})
    elif len(found) < len(RECORDS) and cut not in find_silent_ends(name):
        assert len(reader.damaged) == 1
    assert reader.read == reader.total == cut


@pytest.mark.parametrize(
    ("name", "size"), [("whole.jsonl.gz", 1), ("whole.jsonl.xz", 5), ("whole.jsonl.zst", 1), ("page.html.gz", 1)]
)
def test_a_compressed_file_that_ends_in_its_first_bytes_is_reported(tmp_path: Path, name: str, size: int) -> None:
    whole = b"".join(FORMATS.get(name, [gzip.compress(LAMP)]))
    reader = reader_of(tmp_path / name, whole[:size])
    assert list(reader) == []
    assert len(reader.damaged) == 1


@some
@given(cut=st.integers(START, len(gzip.compress(EUC_KR)) - 1))
def test_a_truncated_compressed_page_is_skipped(tmp_path: Path, cut: int) -> None:
    reader = reader_of(tmp_path / "a.html.gz", gzip.compress(EUC_KR, mtime=0)[:cut])
    assert list(reader) == []
    assert len(reader.damaged) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ONCE)
@settings(some, max_examples=40)
@given(places=st.lists(st.tuples(st.integers(0, 1 << 16), st.integers(0, 255)), min_size=1, max_size=4))
def test_no_damage_raises(tmp_path: Path, name: str, places: list[tuple[int, int]]) -> None:
    changed = bytearray(b"".join(FORMATS[name]))
    for place, value in places:
        changed[place % len(changed)] = value
    reader = reader_of(tmp_path / name, bytes(changed), max_bytes=100_000)
    assert all(isinstance(record, Record) for record in reader)
    assert reader.read == reader.total


@pytest.mark.parametrize(
    "name",
    [
        "warc.gz",
        "warc.zst",
        *(f"jsonl{end}" for end in (".gz", ".zst")),
    ],
)
def test_a_damaged_file_gives_the_records_before_the_damage(tmp_path: Path, name: str) -> None:
    pages = [noise(number, 20_000) for number in range(40)]
    made = b"".join(line({"html": page}) if "jsonl" in name else warc(page.encode()) for page in pages)
    packed = PACK["." + name.partition(".")[2]](made)
    reader = reader_of(tmp_path / f"a.{name}", packed[: len(packed) * 3 // 4])
    found = [record.html.decode() for record in reader]
    assert found[:20] == pages[:20]


def test_the_report_of_damage_names_the_file_and_the_position(tmp_path: Path) -> None:
    reader = reader_of(tmp_path / "a.jsonl.gz", gzip.compress(LINES[0] * 8000)[:-9])
    found = len(ids(reader))
    assert found > 1000
    start = f"{tmp_path}/a.jsonl.gz: damaged or truncated after {found:,} pages: "
    assert reader.damaged == [f"{start}Compressed file ended before the end-of-stream marker was reached."]


# --- limits of memory ------------------------------------------------------------------------------------------------

MEASURE = """
import sys
from pathlib import Path
from bonmun.scale.corpus.sources.reader import Reader

def highest():
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024

list(Reader([sys.argv[1]]))  # loads the modules
before = highest()
for name in sys.argv[2:]:
    reader = Reader([name], max_bytes=100_000)
    print([len(record.html) for record in reader], sum(reader.skipped.values()), len(reader.damaged))
print(highest() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is measured with /proc")
def test_decompression_bombs_take_no_memory(tmp_path: Path) -> None:
    million, times = b"a" * 1_000_000, 100
    first = b'{"html": "'
    body = gzip.compress(million) * times
    whole = warc(million * times)
    bombs = {
        "a.html.gz": (body, "[100001] 0 0"),
        "a.jsonl.gz": (gzip.compress(first) + body + gzip.compress(b'"}\n' + line(LAST)), f"[{len(LAMP)}] 1 0"),
        "a.jsonl.xz": (lzma.compress(first) + lzma.compress(million) * times, "[] 1 0"),
        "a.jsonl.zst": (zstd(first) + zstd(million) * times + zstd(b'"}\n' + line(LAST)), f"[{len(LAMP)}] 1 0"),
        "a.warc.zst": (zstd(whole + warc()), f"[100001, {len(LAMP)}] 0 0"),
        "gzip.warc": (warc(body, "Content-Encoding: gzip"), "[100001] 0 0"),
        "zstd.warc": (warc(zstd(million * times), "Content-Encoding: zstd"), "[100001] 0 0"),
    }
    put(tmp_path / "small" / "a.warc", warc()), put(tmp_path / "small" / "a.jsonl.zst", zstd(LINES[0]))
    paths = [put(tmp_path / name, content) for name, (content, _) in bombs.items()]
    run = subprocess.run(
        [sys.executable, "-c", MEASURE, tmp_path / "small", *paths],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.stderr == ""
    *said, grown = run.stdout.splitlines()
    assert said == [expected for _, expected in bombs.values()]
    assert int(grown) < 40  # MiB; each of them contains 100


def test_a_low_limit_applies_during_decompression_of_deflate() -> None:
    packed = zlib.compress(bytes(20_000_000), 1)
    tracemalloc.start()
    decode_body(packed, {"content-encoding": "deflate"}, 101)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.jsonl", "a.warc.gz"])
def test_memory_is_constant_over_many_records(tmp_path: Path, name: str) -> None:
    page = "lamp " * 10_000
    part = gzip.compress(warc(page.encode())) if "warc" in name else line({"html": page})
    with (tmp_path / name).open("wb") as file:
        for _ in range(2000):
            file.write(part)
    reader = Reader([str(tmp_path / name)])
    tracemalloc.start()
    count = sum(len(record.html) == 50_000 for record in reader)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 2000
    assert peak < 20_000_000


def test_memory_is_constant_over_a_large_row_group(tmp_path: Path) -> None:
    made = parquet(
        {"html": [noise(number, 50_000) for number in range(800)]}, use_dictionary=False, write_batch_size=16
    )
    reader = reader_of(tmp_path / "a.parquet", made)
    before = pa.total_allocated_bytes()
    assert max(pa.total_allocated_bytes() - before for _ in reader) < 20_000_000


# --- invalid sources -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "An empty name: no such file or folder."),
        ("nope", "nope: no such file or folder."),
        ("nope.jsonl", "nope.jsonl: no such file or folder."),
        ("등대.warc.gz", "등대.warc.gz: no such file or folder."),
        ("a\0.html", "a\0.html: no such file or folder."),
        ("a" * 5000 + ".html", "a" * 5000 + ".html: no such file or folder."),
        *(
            (name, f"{name}: not supported; pages are read from folders and from files that end in ")
            for name in ("a.txt", "a.html.bz2", "jsonl", "a.warc.xz", "a.jsonl.bz2", "a.parquet.gz", "a.json")
        ),
    ],
)
def test_an_invalid_source_is_refused_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    good = save("good.html", HTML)
    if "end in" in said:
        save(name, "The lamp was lit at six.")
    with pytest.raises(BadConfig) as problem:
        Reader([good, name])
    assert str(problem.value).startswith(said)
    assert str(problem.value).endswith(".")


def test_the_documented_extensions_are_read(tmp_path: Path) -> None:
    with pytest.raises(BadConfig) as problem:
        Reader([str(put(tmp_path / "a.txt", "The lamp was lit at six."))])
    for ending in (".html", ".jsonl", ".gz", ".xz", ".zst", ".parquet", ".warc"):
        assert ending in str(problem.value)


def test_the_identity_changes_with_the_source(tmp_path: Path) -> None:
    page, folder = put(tmp_path / "a.html", HTML), tmp_path / "pages"
    put(folder / "sub" / "a.html", HTML)
    reader = Reader([str(page), str(folder), "-"])
    before = reader.identify()
    assert reader.identify() == before
    put(folder / "sub" / "b.html", "")
    assert [now == then for now, then in zip(reader.identify(), before, strict=True)] == [True, False, True]
    put(page, HTML + " ")
    assert reader.identify()[0] != before[0]
    json.dumps(before)


# --- progress --------------------------------------------------------------------------------------------------------


@every_form
def test_the_bytes_read_grow_to_the_total(tmp_path: Path, name: str) -> None:
    whole = b"".join(FORMATS[name])
    put(tmp_path / "set" / name, whole)
    page = put(tmp_path / "a.html", HTML)
    reader = Reader([str(tmp_path / "set"), str(page)])
    assert (reader.read, reader.total) == (0, len(whole) + len(HTML))
    steps = [reader.read for _ in reader]
    assert steps == sorted(steps)
    assert steps[-2] <= len(whole)
    assert reader.read == reader.total


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["a.jsonl", "a.jsonl.gz", "a.jsonl.xz", "a.jsonl.zst", "a.warc", "a.warc.gz", "a.parquet"]
)
def test_the_bytes_read_grow_within_a_file(tmp_path: Path, name: str) -> None:
    pages = [noise(number, 40_000) for number in range(80)]
    if name.endswith("parquet"):
        made = parquet({"html": pages})
    else:
        pack = PACK.get(Path(name).suffix, bytes)
        made = pack(b"".join(line({"html": page}) if "jsonl" in name else warc(page.encode()) for page in pages))
    reader = reader_of(tmp_path / name, made)
    steps = [reader.read / reader.total for _ in reader]
    assert steps == sorted(steps)
    assert steps[0] < 0.5
    assert 0.3 < steps[len(steps) // 2] < 0.9
    assert steps[-1] <= 1


def test_a_damaged_file_is_read_to_its_end(tmp_path: Path) -> None:
    reader = reader_of(tmp_path / "a.parquet", b"PAR1" + bytes(1000))
    assert list(reader) == []
    assert reader.read == reader.total == 1004


def test_links_to_pages_count_in_the_bytes_read_and_the_total(tmp_path: Path) -> None:
    page = put(tmp_path / "far" / "a.html", KOREAN)
    (tmp_path / "near").mkdir()
    (tmp_path / "near" / "b.html").symlink_to(page)
    reader = Reader([str(tmp_path / "near")])
    assert ids(reader) == ["b.html"]
    assert reader.read == reader.total


@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("name", ONCE)
def test_a_reader_closes_what_it_opens(tmp_path: Path, name: str, early: bool) -> None:
    reader = reader_of(tmp_path / name, b"".join(FORMATS[name]))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        records = iter(reader)
        assert next(records) == RECORDS[0]
        if not early:
            list(records)
        del records
    assert [str(warning.message) for warning in said] == []


# --- standard input --------------------------------------------------------------------------------------------------

Feed = Callable[[bytes, str], None]


@pytest.fixture
def feed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Feed]:
    """Replace standard input by a pipe, which is not seekable, or a file."""
    opened = []

    def put_in(content: bytes, way: str = "pipe") -> None:
        if way == "pipe":
            end, start = os.pipe()
            assert len(content) < 60_000  # the buffer of a pipe is not larger
            with os.fdopen(start, "wb") as file:
                file.write(content)
        else:
            end = os.open(put(tmp_path / "stdin", content), os.O_RDONLY)
        opened.append(os.fdopen(end, encoding="utf-8"))
        monkeypatch.setattr(sys, "stdin", opened[-1])

    yield put_in
    for file in opened:
        file.close()


@pytest.mark.parametrize("way", ["pipe", "file"])
@pytest.mark.parametrize("name", [name for name in ONCE if not name.endswith(".parquet")])
def test_standard_input_gives_the_same_records_as_a_file(feed: Feed, way: str, name: str) -> None:
    feed(b"".join(FORMATS[name]), way)
    reader = Reader(["-"])
    assert list(reader) == RECORDS
    assert (reader.skipped, reader.damaged) == ({}, [])


def test_a_warc_file_may_be_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(b"".join(RESPONSES),), daemon=True)
    writer.start()
    assert list(Reader([str(path)])) == RECORDS
    writer.join(timeout=60)


@pytest.mark.parametrize("way", ["pipe", "file"])
@pytest.mark.parametrize("pack", PACK.values(), ids=list(PACK))
def test_other_standard_input_is_one_page(feed: Feed, pack: Callable[[bytes], bytes], way: str) -> None:
    for page in (KOREAN.encode(), EUC_KR, b"\xef\xbb\xbf" + LAMP, "<p>등대".encode("utf-16"), b""):
        feed(pack(page), way)
        assert list(Reader(["-"])) == [Record("stdin", None, "stdin", page)]


def test_the_ids_of_json_lines_from_standard_input(feed: Feed) -> None:
    feed(b"\r\n \n" + lines({"html": HTML}, b"no JSON", {"html": KOREAN}), "pipe")
    reader = Reader(["-"])
    assert [(record.id, record.site) for record in reader] == [("stdin:3", "stdin"), ("stdin:5", "stdin")]
    assert reader.skipped == {"a line that is not JSON": 1}


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_parquet_from_standard_input_is_refused(feed: Feed, pack: Callable[[bytes], bytes]) -> None:
    feed(pack(b"".join(FORMATS["text.parquet"])), "pipe")
    with pytest.raises(BadConfig, match=r"^Parquet cannot be read from standard input; give the file\.$"):
        list(Reader(["-"]))


def test_damage_in_standard_input_is_reported(feed: Feed) -> None:
    feed(gzip.compress(b"".join(LINES))[:-9], "pipe")
    reader = Reader(["-"])
    found = list(reader)
    assert found == RECORDS[: len(found)]
    assert len(reader.damaged) == 1
    assert reader.damaged[0].startswith("standard input: damaged or truncated ")


def test_the_limit_applies_to_standard_input(feed: Feed) -> None:
    feed(gzip.compress(bytes(1_000_000)), "pipe")
    assert [len(record.html) for record in Reader(["-"], max_bytes=100)] == [101]


def test_a_site_may_be_given_for_standard_input(feed: Feed) -> None:
    feed(LAMP, "pipe")
    assert [record.site for record in Reader(["-"], "등대")] == ["등대"]


def test_standard_input_may_be_combined_with_files(feed: Feed, tmp_path: Path) -> None:
    feed(lines({"html": HTML}), "pipe")
    page = str(put(tmp_path / "a.html", HTML))
    reader = Reader([page, "-", page])
    assert ids(reader) == ["a.html", "stdin:1", "a.html"]
    assert reader.total == 2 * len(HTML)


def test_the_bytes_read_never_exceed_the_total(feed: Feed, tmp_path: Path) -> None:
    feed(gzip.compress(b"".join(LINES)), "pipe")
    reader = Reader(["-", str(put(tmp_path / "a.html", HTML))])
    assert len(ids(reader)) == 5
    assert reader.read == reader.total


def test_standard_input_given_twice_is_refused() -> None:
    with pytest.raises(BadConfig, match=r"^Standard input can be read only once; give - once\.$"):
        Reader(["-", "-"])


def test_closed_standard_input_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(MissingInput, match=r"^Standard input is closed\.$"):
        list(Reader(["-"]))
