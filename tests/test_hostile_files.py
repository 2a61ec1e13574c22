"""Every reader of files and responses: any bytes give a result or a BonmunError, and small files take little memory."""

from __future__ import annotations

import contextlib
import gzip
import io
import lzma
import os
import plistlib
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.app.commands.shared.config_file import find_config_file
from bonmun.errors import BonmunError
from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.records import read_gold, read_record
from bonmun.scale.corpus.sources.reader import STREAM_READERS, read_until_damage
from bonmun.scale.corpus.sources.records import RecordMaker
from bonmun.scale.crawl.discover.feeds import read_feed
from bonmun.scale.crawl.discover.sitemaps import read_sitemap
from bonmun.scale.crawl.fetch.robots import Robots
from bonmun.snapshots import COLUMNS, make_snapshot, pack_snapshot, read_snapshot
from saved_pages import make_mhtml, make_webarchive

pytestmark = pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning")

Read = Callable[[bytes], object]
URL = "http://a.example/b"
MEGABYTE = 1_000_000


def read_stream(format_: str) -> Read:
    """Return a function that reads all records of a corpus file, up to its damage."""

    def read(data: bytes) -> object:
        maker = RecordMaker(None, 2 * MEGABYTE)
        records = STREAM_READERS[format_](io.BufferedReader(io.BytesIO(data)), "x", "x", maker)
        return list(read_until_damage("x", records, []))

    return read


def read_robots(data: bytes) -> object:
    robots = Robots.parse(data, 200, "bonmun", URL)
    return robots, robots.allows(URL)


def read_config(data: bytes) -> object:
    Path("bonmun.toml").write_bytes(data)
    return find_config_file(Path.cwd())


def make_zip(name: str, data: bytes) -> bytes:
    """Return a file of arrays, one of them with arbitrary bytes."""
    file = io.BytesIO()
    arrays: dict[str, Any] = {name: np.frombuffer(data, np.uint8)}
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def make_small_snapshot() -> bytes:
    head = {"viewport": [1280, 800], "page": [1280, 3000], "looks": [["block", "static", 16, 400, "", ""]]}
    columns = {name: np.zeros(2, np.int32) for name in COLUMNS}
    return pack_snapshot(make_snapshot(head, "<p data-bonmun=0>A page of words</p>", columns))


# --- any bytes -------------------------------------------------------------------------------------------------------

WARC = (
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Target-URI: http://a.example/\r\n"
    b"Content-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n"
)
HTTP = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=x\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(
    b"<p>x"
)
ODD = [
    *(
        b"\0",
        b"\xff",
        b"\n",
        b"\r\n\r\n",
        b"&#" + b"9" * 5000 + b";",
        b"9" * 5000,
        b"-1",
        b"''",
        b"*=",
        b"*0*=",
        b"%00",
    ),
    *("\ud800".encode("utf-8", "surrogatepass"), b"\xef\xbb\xbf", b"\xff\xfe", b"=?utf-8?b?//?=", b"[" * 2000, b"NaN"),
]

# A reader, a file that it reads, and what its files consist of.
READERS: dict[str, tuple[Read, bytes, list[bytes]]] = {
    "MHTML": (
        Page.parse,
        make_mhtml(),
        [
            b"; boundary*=a\0b'en'x",
            b"; charset*=a\0b'en'x",
            b"; charset=\0",
            b"; boundary*0*=utf-16'en'%d8%00",
            b"--x--",
        ],
    ),
    "web archive": (
        Page.parse,
        make_webarchive(),
        [b"WebMainResource", b"bplist00", b"\xdf\x1f", b"\x5f\x13", b"\xd1\1\2"],
    ),
    "web archive in XML": (
        Page.parse,
        make_webarchive(binary=False),
        [
            b"<integer>",
            b"<data>",
            b"<date>9999-99-99T99:99:99Z</date>",
            b"<key>",
            b"<dict>",
            b"<!ENTITY a 'b'>",
            b"&a;",
        ],
    ),
    "WARC": (
        read_stream("warc"),
        WARC % (len(HTTP), HTTP),
        [b"WARC/1.0\r\n", b"Content-Length: 99999999999\r\n", b": br\r\n"],
    ),
    "JSON lines": (
        read_stream("jsonl"),
        b'{"html": "<p>x", "url": "http://a.example/", "id": 1}\n',
        [b'{"html":', b"1e999"],
    ),
    "sitemap": (
        lambda data: read_sitemap(data, URL),
        b"<urlset><url><loc>/1</loc><lastmod>2026-03-04</lastmod><title>x &amp; y</title></url></urlset>",
        [
            b"<loc>",
            b"<sitemapindex>",
            b"<lastmod>",
            b"<title>",
            b"&#x",
            b"<![CDATA[",
            b"http://[",
            b"http://a:99999999/",
        ],
    ),
    "feed": (
        lambda data: read_feed(data, URL),
        b"<feed xml:base='/x'><entry><title>a</title><link href='/1'/><updated>2026-03-04T00:00:00Z</updated></entry></feed>",
        [
            b"<item>",
            b"<link rel='next' href='",
            b"<guid>http://[</guid>",
            b"<pubDate>",
            b"xml:base='http://['",
            b"<title>",
        ],
    ),
    "JSON feed": (
        lambda data: read_feed(data, URL),
        b'{"items": [{"url": "/1", "title": "x"}]}',
        [b'"items"', b'"url"'],
    ),
    "robots.txt": (
        read_robots,
        b"User-agent: *\nDisallow: /x\nCrawl-delay: 1\nRequest-rate: 1/5\nSitemap: /map.xml\n",
        [
            b"Request-rate: 0/0",
            b"Crawl-delay: ",
            b"Sitemap: http://[",
            b"Disallow: *$*",
            b"Visit-time: 9999-1",
            b"User-agent:",
        ],
    ),
    "snapshot": (
        read_snapshot,
        make_small_snapshot(),
        [b"PK\3\4", b"snapshot.npy", b"\x93NUMPY"],
    ),
    "snapshot head": (
        lambda data: read_snapshot(make_zip("snapshot", data)),
        b'{"version": 1, "url": null, "viewport": [1, 2], "page": [1, 2], "looks": []}',
        [b'"looks"', b'"viewport"', b"[[]]", b"{}", b"1e999", b"[1, [2]]"],
    ),
    "gold record": (
        lambda data: read_record("line 1", data),
        b'{"id": "1", "html": "<p>x", "markdown": "a *b* &amp; c", "labels": [1, 2]}',
        [b'"markdown"', b'"labels"', b'"track_id": {}', b'"id": []', b'"wanted": [1]', b'"cov": "x"'],
    ),
    "TOML": (
        read_config,
        b"[extract]\nformat = 'text'\n",
        [b"a.b.c = 1\n", b"[[x]]\n", b"= 0x", b"9999-99-99", b"{a={a="],
    ),
}


def test_the_files_of_this_test_are_readable(tmp_path: Path) -> None:
    os.chdir(tmp_path)
    for name, (read, data, _) in READERS.items():
        if name != "snapshot head":
            assert read(data)


@pytest.mark.slow
@pytest.mark.parametrize(("read", "whole", "parts"), READERS.values(), ids=READERS.keys())
def test_any_bytes_give_a_result_or_a_bonmun_error(
    read: Read, whole: bytes, parts: list[bytes], tmp_path: Path
) -> None:
    os.chdir(tmp_path)

    @given(
        st.lists(
            st.tuples(st.integers(0, len(whole)), st.integers(0, 9), st.sampled_from([*parts, *ODD]) | st.binary())
        ),
        st.integers(1, 2 * len(whole)),
    )
    @example([(len(whole), 0, part) for part in (*parts, *ODD)], 10**9)
    def mutate(changes: list[tuple[int, int, bytes]], stop: int) -> None:
        data = whole
        for start, cut, new in changes:
            data = data[:start] + new + data[start + cut :]
        with contextlib.suppress(BonmunError):
            read(data[:stop])

    mutate()


@pytest.mark.parametrize(
    "parameter", ["charset*=a%00b'en'x", "charset*=utf-16'en'%D8%00", "charset*0*=\0''x", "charset=\0"]
)
def test_a_charset_that_is_none_is_ignored(parameter: str) -> None:
    data = make_mhtml().replace(b"charset=utf-8", parameter.encode())
    assert Page.parse(data).texts == Page.parse(make_mhtml()).texts


@pytest.mark.parametrize(
    "parameter", [b"boundary*=a\0b'en'x", b"boundary*=utf-16'en'%D8%00", b"boundary*0*=no-such'en'x"]
)
def test_a_damaged_boundary_is_no_other_error(parameter: bytes) -> None:
    data = b"MIME-Version: 1.0\r\nContent-Type: multipart/related; " + parameter + b"\r\n\r\n--x\r\n\r\n"
    with pytest.raises(BonmunError):
        Page.parse(data)


@pytest.mark.parametrize("digits", ["9" * 5000, "0" * 5000 + "65"])
def test_a_huge_reference_or_number_loses_no_links(digits: str) -> None:
    entry = "<url><loc>/1</loc><title>a &#{0}; b</title></url><url a='&#{0};'><loc>/2</loc></url>"
    links = read_sitemap(f"<urlset>{entry.format(digits)}</urlset>".encode(), URL)
    assert [link.url for link in links] == ["http://a.example/1", "http://a.example/2"]
    assert links[0].anchor.startswith("a ")
    item = "<item><title>a &amp;#{0}; b</title><link a='&#{0};' href='/1'/></item>"
    assert [link.anchor[:2] for link in read_feed(f"<rss>{item.format(digits)}</rss>".encode(), URL)] == ["a "]
    assert read_feed(f'{{"n": 1{digits}, "items": [{{"url": "/1", "n": 1{digits}}}]}}'.encode(), URL)


# --- memory ----------------------------------------------------------------------------------------------------------


def make_shared_keys(size: int) -> bytes:
    """Return a web archive whose thousand keys are all the same long string."""
    key = b"\x5f\x12" + struct.pack(">I", size) + b"k" * size
    main = b"\x5f\x10\x0fWebMainResource"
    numbers = struct.pack(">H", 1) + struct.pack(">H", 2) * 998
    top = b"\xdf\x11" + struct.pack(">H", 999) + numbers + struct.pack(">H", 0) * 999
    objects, places = b"bplist00", []
    for each in (top, main, key):
        places.append(len(objects))
        objects += each
    table = b"".join(struct.pack(">I", place) for place in places)
    return objects + table + struct.pack(">6xBBQQQ", 4, 2, len(places), 0, len(objects))


def make_shared_values(size: int) -> bytes:
    """Return a web archive whose page, URL and encoding are the same long string."""
    main = {"WebResourceData": "x" * size, "WebResourceURL": "x" * size, "WebResourceTextEncodingName": "x" * size}
    return plistlib.dumps({"WebMainResource": main}, fmt=plistlib.FMT_BINARY)


def make_huge_xz() -> bytes:
    """Return an xz file that declares a dictionary of 1.5 GB."""
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 20}]
    data = bytearray(lzma.compress(b"<p>x</p>" * 100, filters=filters))
    header = data[12 : 12 + (data[12] + 1) * 4 - 4]
    header[header.index(b"\x21\x01") + 2] = 37  # 1.5 GB
    return bytes(data[:12]) + header + struct.pack("<I", zlib.crc32(header)) + bytes(data[12 + len(header) + 4 :])


def make_record(encoding: bytes, body: bytes) -> bytes:
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: " + encoding + b"\r\n\r\n" + body
    return WARC % (len(http), http)


def compress(data: bytes, codec: str) -> bytes:
    return bytes(pa.compress(data, codec, asbytes=True))


def read_gold_file(name: str) -> Read:
    """Return a function that reads a gold file, or a labelled set in JSON lines."""

    def read(data: bytes) -> object:
        path = Path(name)
        path.write_bytes(data)
        return list(read_dataset(path)) if ".jsonl" in name else read_gold(path)

    return read


def make_bomb_of_arrays() -> bytes:
    """Return a snapshot that declares less than it contains."""
    data = make_zip("snapshot", bytes(2 * BIG))
    entry = zipfile.ZipFile(io.BytesIO(data)).infolist()[0]
    return data.replace(struct.pack("<I", entry.file_size), struct.pack("<I", 1000))


BIG = 60 * MEGABYTE
LISTS = b'{"html": [' + b"[]," * (10 * MEGABYTE) + b"[]]}"
# How to make a file of at most about a megabyte, a reader, and the megabytes that it may take: a small multiple of the
# file, or of the limit of the reader.
BOMBS: dict[str, tuple[Callable[[], bytes], Read, int]] = {
    "keys of a web archive": (lambda: make_shared_keys(MEGABYTE), Page.parse, 20),
    "values of a web archive": (lambda: make_shared_values(MEGABYTE), Page.parse, 20),
    "web archive in XML": (
        lambda: b"<plist><dict><key>WebMainResource</key><dict>" + b"<key>k</key><dict>" * 50_000,
        Page.parse,
        60,
    ),
    "parts of MHTML": (
        lambda: b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=x\r\n\r\n" + b"--x\r\n\r\n" * 120_000,
        Page.parse,
        20,
    ),
    "headers of MHTML": (
        lambda: b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=x\r\n" + b"a: b\r\n" * 160_000,
        Page.parse,
        20,
    ),
    "gzip page": (lambda: gzip.compress(bytes(BIG)), read_stream("page"), 20),
    "xz page": (lambda: lzma.compress(bytes(BIG)), read_stream("page"), 30),
    "xz dictionary": (make_huge_xz, read_stream("page"), 20),
    "zstd page": (lambda: compress(bytes(BIG), "zstd"), read_stream("page"), 20),
    "gzip JSON line": (lambda: gzip.compress(LISTS[: 10 * MEGABYTE] + b"[]]}"), read_stream("jsonl"), 100),
    "gzip WARC": (lambda: gzip.compress(WARC % (BIG, bytes(BIG))), read_stream("warc"), 30),
    "gzip in WARC": (lambda: make_record(b"gzip", gzip.compress(bytes(BIG))), read_stream("warc"), 30),
    "deflate in WARC": (lambda: make_record(b"deflate", zlib.compress(bytes(BIG))), read_stream("warc"), 30),
    "brotli in WARC": (lambda: make_record(b"br", compress(bytes(BIG), "brotli")), read_stream("warc"), 30),
    "zstd in WARC": (lambda: make_record(b"zstd", compress(bytes(BIG), "zstd")), read_stream("warc"), 30),
    "length in WARC": (lambda: WARC % (10**17, b"HTTP/1.1 200 OK\r\n\r\n"), read_stream("warc"), 20),
    "sitemap": (lambda: gzip.compress(bytes(BIG)), lambda data: read_sitemap(data, URL), 250),
    "JSON feed": (lambda: gzip.compress(LISTS.replace(b"html", b"items")), lambda data: read_feed(data, URL), 150),
    "arrays of a snapshot": (lambda: make_zip("snapshot", bytes(2 * BIG)), read_snapshot, 20),
    "wrong size in a snapshot": (make_bomb_of_arrays, read_snapshot, 20),
    "lists of a snapshot": (
        lambda: make_zip("snapshot", b'{"version": 1, "looks": [' + b"[]," * (10 * MEGABYTE) + b"[]]}"),
        read_snapshot,
        150,
    ),
    "gzip gold text": (lambda: gzip.compress(bytes(BIG)), read_gold_file("gold.txt.gz"), 20),
    "gzip labelled set": (lambda: gzip.compress(bytes(BIG)), read_gold_file("set.jsonl.gz"), 20),
    "TOML": (lambda: b"a=[" + b"[],\n" * 24_000 + b"]", read_config, 60),
}


@pytest.mark.slow
@pytest.mark.parametrize(("make", "read", "most"), BOMBS.values(), ids=BOMBS.keys())
def test_small_files_take_little_memory(
    make: Callable[[], bytes], read: Read, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.chdir(tmp_path)
    for name in ("MAX_FILE_BYTES", "MAX_LINE_BYTES"):
        monkeypatch.setattr(f"bonmun.lab.gold.records.{name}", 5 * MEGABYTE)
    data = make()
    assert len(data) < 1.3 * MEGABYTE
    tracemalloc.start()
    try:
        read(data)
    except BonmunError:
        pass
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < most * MEGABYTE, f"{peak / MEGABYTE:.0f} MB"


def test_repeated_headers_and_encodings_take_linear_time() -> None:
    """In a WARC file: headers that are repeated, and a body with very many encodings."""
    from timing import assert_linear

    def make(count: int) -> bytes:
        http = b"HTTP/1.1 200 OK\r\n" + b"Content-Encoding: gzip, br, deflate\r\n" * count + b"\r\n" + b"x" * MEGABYTE
        return WARC % (len(http), http)

    assert assert_linear(make, read_stream("warc"), 20_000)
