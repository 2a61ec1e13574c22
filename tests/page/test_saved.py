"""Pages saved as MHTML, Safari web archives or by SingleFile, including damaged and hostile files."""

from __future__ import annotations

import plistlib
import random
import struct
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from bonmun import extract
from bonmun.errors import BonmunError, NotHtml, TooBig
from bonmun.options import Options
from bonmun.page import Page
from bonmun.page.parse.sniff import looks_like_page
from saved_pages import PAGE, TEXT, URL, make_mhtml, make_single_file, make_webarchive
from timing import assert_linear, assert_quick

if TYPE_CHECKING:
    from collections.abc import Callable

SAVED = datetime(2026, 3, 4, 9, tzinfo=UTC)
LEGACY = PAGE.encode("cp949")

FORMS: dict[str, tuple[str | bytes, datetime | None]] = {
    "MHTML": (make_mhtml(), SAVED),
    "MHTML with plain ends of lines": (make_mhtml(newline=b"\n"), SAVED),
    "MHTML after blank lines": (b"\r\n\r\n" + make_mhtml(), SAVED),
    "MHTML in base64": (make_mhtml(coding="base64"), SAVED),
    "MHTML as it is": (make_mhtml(coding="8bit"), SAVED),
    "MHTML in another encoding": (make_mhtml(LEGACY, charset="euc-kr"), SAVED),
    "MHTML with a charset that is none": (make_mhtml(charset="no-such"), SAVED),
    "MHTML cut short": (make_mhtml().partition(b"------MultipartBoundary--x----\r\nContent-Type: image")[0], SAVED),
    "MHTML of one part": (
        b"From: <Saved by Windows Internet Explorer 8>\r\nDate: Wed, 4 Mar 2026 18:00:00 +0900\r\nMIME-Version: 1.0\r\n"
        b'Content-Type: text/html; charset="utf-8"\r\nContent-Transfer-Encoding: 8bit\r\nContent-Location: '
        + f"{URL}\r\n\r\n{PAGE}".encode(),
        SAVED,
    ),
    "MHTML with its root elsewhere": (
        make_mhtml()
        .replace(b'type="text/html";', b'type="text/html"; start="<root@x>";')
        .replace(b"Content-Type: image/png\r\n", b"Content-Type: text/html\r\nContent-ID: <root@x>\r\n")
        .replace(b"iVBORw0KGgo=", make_mhtml(coding="base64").split(b"\r\n\r\n")[2].partition(b"\r\n---")[0]),
        SAVED,
    ),
    "web archive": (make_webarchive(), None),
    "web archive in XML": (make_webarchive(binary=False), None),
    "web archive in another encoding": (make_webarchive(LEGACY, "EUC-KR"), None),
    "SingleFile": (make_single_file(), SAVED),
    "SingleFile as bytes": (make_single_file().encode(), SAVED),
}


@pytest.mark.parametrize(("data", "saved"), FORMS.values(), ids=FORMS.keys())
def test_a_saved_page_is_read(data: str | bytes, saved: datetime | None) -> None:
    doc = extract(data)
    assert (doc.title, doc.page.url, doc.page.saved) == ("등대", URL, saved)
    assert doc.text.endswith(TEXT)
    assert "iVBOR" not in doc.text + doc.markdown
    assert doc.date == ("2026-03-02" if saved else None)


def test_arguments_take_precedence_over_the_file() -> None:
    doc = extract(make_mhtml(), url="https://other.example/", options=Options(crawled=datetime(2026, 1, 10)))
    assert (doc.page.url, doc.date) == ("https://other.example/", "2026-01-08")


@pytest.mark.parametrize(("data", "_"), FORMS.values(), ids=FORMS.keys())
def test_a_saved_page_looks_like_one(data: str | bytes, _: object) -> None:
    assert looks_like_page(data if isinstance(data, bytes) else data.encode())


@pytest.mark.parametrize(
    ("head", "is_page"),
    [
        (b"<!DOCTYPE html>", True),
        (b"\xef\xbb\xbf\n\t <HTML lang=ko>", True),
        ("<html>".encode("utf-16"), True),
        ("\n<table border=1>".encode("utf-16-be"), True),
        (b"<!-- saved from url --><!-- and more -->\n<body>", True),
        (b"<!-- " + b"long " * 9000, True),
        (b"<?xml version='1.0'?><!DOCTYPE html PUBLIC 'x'><html xmlns='y'>", True),
        (b"<?xml version='1.0'?>\n<html>", True),
        (b"<br />\n<b>Warning</b>: no such file", True),
        (b"<p>x", True),
        (b"", False),
        (b"\xff\xfe", False),
        (b"<", False),
        (b"<pre", False),
        (b"<?php echo 1;", False),
        (b"<?xml version='1.0'?><rss>", False),
        (b"<!-- Generator --><svg width=1>", False),
        (b"<!DOCTYPE svg><svg>", False),
        (b"body { margin: 0 }", False),
        (b"var a = '<html>';", False),
        (b"User-agent: *\nDisallow: /", False),
        (b"Content-Type: text/html\n\n<p>", False),
        (b'{"html": "<p>"}', False),
        (b"bplist00 of something else", False),
        (b"\x89PNG\r\n\x1a\n<html>", False),
        (bytes(range(256)), False),
    ],
)
def test_pages_are_recognised_by_their_first_bytes(head: bytes, is_page: bool) -> None:
    assert looks_like_page(head) == is_page


HEAD = b"MIME-Version: 1.0\r\nContent-Type: multipart/related"
BOMB = {"a": "x" * 9} | {name: f"&{'ab'[number % 2]};" * 9 for number, name in enumerate("bcdefghi")}
ENTITIES = "".join(f'<!ENTITY {name} "{value}">' for name, value in BOMB.items())
BROKEN = {
    "no boundary": HEAD + b"\r\n\r\n--x\r\nContent-Type: text/html\r\n\r\n<p>x",
    "an empty boundary": HEAD + b'; boundary=""\r\n\r\n--\r\nContent-Type: text/html\r\n\r\n<p>x',
    "no part": HEAD + b"; boundary=x\r\n\r\n--y\r\n",
    "no HTML": HEAD + b"; boundary=x\r\n\r\n--x\r\nContent-Type: image/png\r\n\r\nPNG\r\n--x--",
    "nothing after the headers": HEAD + b"; boundary=x",
    "parts in parts without end": b"".join(
        HEAD + b"; boundary=x%d\r\n\r\n--x%d\r\n" % (number, number) for number in range(2000)
    ),
    "a boundary again and again": HEAD + b"; boundary=x\r\n\r\n" + b"--x\r\n\r\n" * 100_000,
    "a boundary of odd letters": HEAD + b'; boundary="\xff\xfe\\""\r\n\r\n--\xff\xfe\r\n',
    "a parameter without end": HEAD + b"; boundary*0*=x" + b";" * 60_000,
    "parts with parameters without end": HEAD
    + b"; boundary=x\r\n\r\n"
    + (b"--x\r\nContent-Type: multipart/related; boundary=y" + b";" * 15_000 + b"\r\n\r\n--y\r\n\r\n") * 1000,
    "a page that is none": make_mhtml(b"\x89PNG\r\n\x1a\n", coding="base64"),
    "a web archive cut short": make_webarchive()[:-40],
    "a web archive without a page": plistlib.dumps({"WebMainResource": {}}, fmt=plistlib.FMT_BINARY),
    "a page that is no data": plistlib.dumps({"WebMainResource": {"WebResourceData": 1}}, fmt=plistlib.FMT_BINARY),
    "a main resource that is none": plistlib.dumps({"WebMainResource": [1]}, fmt=plistlib.FMT_XML),
    "entities": f"<?xml version='1.0'?><!DOCTYPE plist [{ENTITIES}]><plist><dict><key>WebMainResource</key>"
    "<string>&i;</string></dict></plist>".encode(),
    "dictionaries without end": b"<plist>" + b"<dict><key>WebMainResource</key>" * 50_000,
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN.keys())
def test_broken_files_raise(data: bytes) -> None:
    def fail() -> None:
        with pytest.raises(BonmunError, match=r"^[A-Z].*\.$"):
            extract(data)

    assert_quick(fail, 1.0)


def test_a_recursive_property_list_takes_no_time() -> None:
    """Every object is the one list, whose items are all objects: reading all of them would never end."""
    count = 60_000
    listed = b"\xaf\x12" + struct.pack(">I", count) + b"".join(struct.pack(">I", n) for n in range(count))
    top = b"\xd2" + struct.pack(">4I", 2, 3, 1, 1)  # two keys, both for the list
    key, other = b"\x5fWebMainResource".replace(b"_", b"\x5f\x10\x0f", 1), b"\x51x"
    objects, places = b"bplist00", []
    for each in (top, listed, key, other):
        places.append(len(objects))
        objects += each
    table = b"".join(struct.pack(">I", places[n] if n < 4 else places[1]) for n in range(count))
    data = objects + table + struct.pack(">6xBBQQQ", 4, 4, count, 0, len(objects))

    def fail() -> None:
        with pytest.raises(NotHtml, match="web archive"):
            extract(data)

    assert_quick(fail, 0.5)


def test_an_invalid_url_is_ignored() -> None:
    note = make_single_file()
    assert extract(note.replace(URL, "javascript:alert(1)")).page.url is None
    assert extract(make_mhtml().replace(URL.encode(), b"file:///etc/passwd")).page.url is None
    assert extract(make_webarchive().replace(b"https://news", b"httpx://news")).page.url is None
    assert extract("<p>text</p>" + " " * 9000 + note).page.url is None


def test_base64_with_invalid_letters_is_decoded() -> None:
    data = make_mhtml(coding="base64")
    start = data.index(b"\r\n\r\n", data.index(b"base64")) + 4
    spoiled = data[:start] + b"\xff!\x00 " + data[start : start + 80] + b"-_*\r\n" + data[start + 80 :]
    assert extract(spoiled).text.endswith(TEXT)


def test_time_is_linear_in_the_size_of_what_is_saved() -> None:
    def make(size: int) -> bytes:
        return make_mhtml(b"<p>x" * size, coding="base64") + b"--x\r\n" * size

    def make_data_urls(size: int) -> str:
        return make_single_file().replace("</h1>", '</h1><img src="data:image/png;base64,' + "iVBO" * size * 40 + '">')

    page = assert_linear(make, Page.parse, 40_000)
    assert len(page.blocks) == 40_000
    assert assert_linear(make_data_urls, Page.parse, 40_000).url == URL


def test_the_limit_applies_to_the_file() -> None:
    with pytest.raises(TooBig):
        extract(make_mhtml(), options=Options(max_bytes=500))


@pytest.mark.parametrize("make", [make_mhtml, make_webarchive, lambda: make_webarchive(binary=False)])
def test_a_damaged_file_gives_a_page_or_a_bonmun_error(make: Callable[[], bytes]) -> None:
    chance = random.Random(23)
    whole, said = make(), []
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 9)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            Page.parse(bytes(data[: chance.randrange(1, 2 * len(data))]))
        except BonmunError as problem:
            said.append(str(problem))
    assert 10 < len(said) < 300
    assert all(sentence.endswith(".") for sentence in said)
