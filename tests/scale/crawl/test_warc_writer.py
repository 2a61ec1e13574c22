"""WARC files are read by FastWARC, warcio and bonmun: unusual responses, rotation, and kills at every byte."""

from __future__ import annotations

import gzip
import io
import os
import re
import subprocess
import sys
from datetime import timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest
from archives import HTML, STARTED, Link, Read, make_exchange, read_all, read_fast, read_warcio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator as WarcioIterator

from bonmun.errors import BadConfig
from bonmun.scale.corpus.sources.reader import Reader
from bonmun.scale.crawl.archive.page_notes import MAX_ANCHOR_CHARS, MAX_OUTLINK_BYTES
from bonmun.scale.crawl.archive.warc_writer import RecordLocation, Revisit, WarcMetadata, WarcWriter
from bonmun.scale.crawl.fetch.http_heads import clean_url

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.scale.crawl.fetch.exchange import Exchange

pytestmark = pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning")
METADATA = WarcMetadata(
    "https://portal.example/?p=2", "등대에 다시\n 불이 켜지다", 2, [Link("https://pier.example/2", "Next")]
)


def write(folder: Path, *exchanges: Exchange, metadata: WarcMetadata = METADATA, **more: Any) -> list[RecordLocation]:
    writer = WarcWriter(folder, "pier", **more)
    locations = [writer.write_exchange(exchange, metadata) for exchange in exchanges]
    writer.close()
    return locations


def read_both(folder: Path) -> list[Read]:
    """Return the records as read by both tools, which must agree."""
    fast, slow = read_fast(read_all(folder)), read_warcio(read_all(folder))
    assert [(each.kind, each.id, each.payload) for each in fast] == [
        (each.kind, each.id, each.payload) for each in slow
    ]
    return fast


def check(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `warcio check`."""
    command = [sys.executable, "-m", "warcio.cli", "check", "-v", *map(str, sorted(folder.glob("*.warc.gz")))]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_an_exchange_is_three_records_that_refer_to_each_other(tmp_path: Path) -> None:
    (location,) = write(tmp_path, make_exchange())
    info, request, metadata, response = read_both(tmp_path)
    assert [each.kind for each in (info, request, metadata, response)] == [
        "warcinfo",
        "request",
        "metadata",
        "response",
    ]
    assert request.headers["WARC-Concurrent-To"] == metadata.headers["WARC-Concurrent-To"] == response.id
    assert response.headers["WARC-Concurrent-To"] == request.id
    assert len({each.id for each in (info, request, metadata, response)}) == 4
    for each in (request, metadata, response):
        assert each.headers["WARC-Target-URI"] == "https://pier.example/a?b=1"
        assert each.headers["WARC-Date"] == "2026-03-04T09:00:07Z"
        assert each.headers["WARC-IP-Address"] == "192.0.2.7"
    assert response.payload == HTML
    assert response.headers["WARC-Payload-Digest"] == location.digest == make_exchange().digest
    assert metadata.headers["Content-Type"] == "application/warc-fields"
    assert metadata.payload.decode().splitlines() == [
        "via: https://portal.example/?p=2",
        "anchor: 등대에 다시 불이 켜지다",
        "hopsFromSeed: 2",
        "fetchTimeMs: 84",
        "outlink: https://pier.example/2 page Next",
    ]


def test_the_bytes_of_both_heads_are_kept(tmp_path: Path) -> None:
    headers = ((b"x-b", b"1"), (b"X-B", b"2"), (b"Set-Cookie", "한".encode("euc-kr")), (b"content-LENGTH", b"2"))
    write(tmp_path, make_exchange(body=b"hi", response_headers=headers, reason=b"", http_version="1.0"))
    plain = gzip.decompress(read_all(tmp_path))
    assert b"\r\n\r\nGET /a?b=1 HTTP/1.0\r\nHost: pier.example\r\nuser-AGENT: bonmun\r\n\r\n\r\n\r\n" in plain
    head = b"x-b: 1\r\nX-B: 2\r\nSet-Cookie: %s\r\ncontent-LENGTH: 2\r\n\r\nhi\r\n\r\n" % "한".encode("euc-kr")
    assert plain.endswith(b"\r\n\r\nHTTP/1.0 200 \r\n" + head)


def test_the_first_record_has_the_software_and_robots_policy_but_no_host_name(tmp_path: Path) -> None:
    write(tmp_path, make_exchange(), info={"robots": "obey", "http-header-user-agent": "bonmun\r\nX: y"})
    info = read_both(tmp_path)[0]
    lines = info.payload.decode().splitlines()
    assert re.fullmatch(r"software: bonmun/\S+ \(\S+\)", lines[0])
    assert lines[1] == "format: WARC File Format 1.1"
    assert lines[3:] == ["robots: obey", "http-header-user-agent: bonmun X: y"]
    assert info.headers["WARC-Filename"] == "pier-000000.warc.gz"
    assert os.uname().nodename not in info.payload.decode()


@pytest.mark.parametrize(
    ("received", "kept"),
    [
        # chunks are joined
        ([("Transfer-Encoding", "chunked")], [("Content-Length", "2"), ("X-Crawler-Transfer-Encoding", "chunked")]),
        ([("content-length", "2"), ("A", "b")], [("content-length", "2"), ("A", "b")]),
        (
            [("Content-Length", "9"), ("Transfer-Encoding", "chunked")],
            [("Content-Length", "2"), ("X-Crawler-Content-Length", "9"), ("X-Crawler-Transfer-Encoding", "chunked")],
        ),
        (
            [("content-length", "2"), ("Transfer-Encoding", "chunked")],
            [("content-length", "2"), ("X-Crawler-Transfer-Encoding", "chunked")],
        ),
        (
            [("A", "b"), ("Content-Length", "-1")],
            [("A", "b"), ("Content-Length", "2"), ("X-Crawler-Content-Length", "-1")],
        ),
        (
            [("Content-Length", "2"), ("Content-Length", "2")],
            [("Content-Length", "2"), ("X-Crawler-Content-Length", "2"), ("X-Crawler-Content-Length", "2")],
        ),
        ([], []),
    ],
)
def test_headers_match_the_stored_body(
    tmp_path: Path, received: list[tuple[str, str]], kept: list[tuple[str, str]]
) -> None:
    headers = tuple((name.encode(), value.encode()) for name, value in received)
    write(tmp_path, make_exchange(body=b"hi", response_headers=headers))
    response = read_both(tmp_path)[-1]
    assert (response.http, response.payload) == (kept, b"hi")
    assert read_warcio(read_all(tmp_path), decoded=True)[-1].payload == b"hi"


@pytest.mark.parametrize("reason", ["length", "time", "disconnect"])
def test_a_truncated_body_is_marked(tmp_path: Path, reason: str) -> None:
    headers = ((b"Content-Length", b"5000"), (b"Content-Type", b"text/html"))
    write(tmp_path, make_exchange(body=HTML, response_headers=headers, truncated=reason))
    response = read_both(tmp_path)[-1]
    assert response.headers["WARC-Truncated"] == reason
    assert dict(response.http)["Content-Length"] == str(len(HTML))
    assert [record.html for record in Reader([str(tmp_path)])] == [HTML]


def test_headers_cannot_be_injected(tmp_path: Path) -> None:
    headers = ((b"A", b"1\r\nEvil: 2\r\n\r\n<p>"), (b"B: x\r\nEvil", b"3"), (b"", b"4"), (b" C", b"5\0\n6"))
    evil = make_exchange(
        "https://pier.example/a b\r\nWARC-Type: response\u2028x",
        response_headers=headers,
        request_headers=headers,
        reason=b"OK\r\nEvil: 7",
        method="GET /x HTTP/1.1\r\n",
        ip="1.2.3.4\r\nEvil: 8",
    )
    evil_metadata = WarcMetadata(
        "https://a/\r\nanchor: evil", "a\r\nvia: evil", 0, [Link("https://b/\nx", "x\x85\x1c\udfffy\x00")]
    )
    write(tmp_path, evil, metadata=evil_metadata)
    _, request, metadata, response = read_both(tmp_path)
    for each in (request, response):
        assert [name for name, _ in each.http] == ["A", "B__x__Evil", "_", "_C"]
        assert each.http[0] == ("A", "1 Evil: 2 <p>")
        assert each.headers["WARC-Target-URI"] == "https://pier.example/a%20b%0D%0AWARC-Type:%20response%E2%80%A8x"
        assert "WARC-IP-Address" not in each.headers
    assert response.payload == HTML
    assert metadata.payload.decode().splitlines() == [
        "via: https://a/%0D%0Aanchor:%20evil",
        "anchor: a via: evil",
        "hopsFromSeed: 0",
        "fetchTimeMs: 84",
        "outlink: https://b/%0Ax page x y",
    ]


@pytest.mark.parametrize(
    ("url", "wire"),
    [
        ("https://등대.example:81/한?q=한#x", "https://xn--vk1bv0b.example:81/%ED%95%9C?q=%ED%95%9C#x"),
        ("https://pier.example/%ED?a[]=|^`", "https://pier.example/%ED?a[]=|^`"),
        ("https://" + "한" * 80 + "/", "https://" + "%ED%95%9C" * 80 + "/"),
        (" <https://a/>\ud800\x7f", "%3Chttps://a/%3E%3F%7F"),
        ("", ""),
    ],
)
def test_urls_are_written_as_sent(url: str, wire: str) -> None:
    assert clean_url(url) == clean_url(wire) == wire


def test_outlinks_over_the_limit_are_omitted_and_counted(tmp_path: Path) -> None:
    links = [Link("https://pier.example/" + "x" * 7_000, "y" * 100_000, "feed", follow=False)] * 1000
    write(tmp_path, make_exchange(), metadata=WarcMetadata(links=links))
    lines = read_both(tmp_path)[2].payload.decode().splitlines()
    assert lines[2].split()[2:] == ["feed/nofollow", "y" * MAX_ANCHOR_CHARS]
    left_out = int(lines[-1].removeprefix("outlinksLeftOut: "))
    assert left_out == 1002 - (len(lines) - 1)
    assert 0.9 * MAX_OUTLINK_BYTES < sum(map(len, lines)) < 1.1 * MAX_OUTLINK_BYTES


@pytest.mark.parametrize("long", [1, 30_000], ids=["many", "long"])
def test_the_length_of_heads_is_limited(tmp_path: Path, long: int) -> None:
    headers = (
        *[(b"X-%d" % number, b"y" * long) for number in range(30_000 // long + 30)],
        (b"Content-Type", b"text/html"),
    )
    url = "https://pier.example/등" + "대" * 30_000
    odd = make_exchange(url, response_headers=headers, request_headers=headers, reason=b"x" * 40_000)
    writer = WarcWriter(tmp_path, "pier")
    writer.write_exchange(odd, METADATA, Revisit(url, STARTED))
    writer.write_exchange(odd, WarcMetadata(via=url))
    writer.close()
    records = read_both(tmp_path)
    assert [each.kind for each in records[1:]] == ["request", "metadata", "revisit", "request", "metadata", "response"]
    http = records[-1].http
    assert http[-2] == ("Content-Type", "text/html")
    assert http[-1] == ("X-Crawler-Headers-Left-Out", str(len(headers) - len(http) + 1))
    assert records[-1].headers["WARC-Target-URI"].startswith("https://pier.example/%EB%93%B1%EB%8C%80")
    assert [record.html for record in Reader([str(tmp_path)])] == [HTML]


NAMES = st.binary(max_size=12) | st.sampled_from([b"Content-Length", b"transfer-encoding", b"Content-Type", b"A"])
HEADERS = st.lists(st.tuples(NAMES, st.binary(max_size=20) | st.sampled_from([b"chunked", b"3"])), max_size=5)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    HEADERS, HEADERS, st.binary(max_size=60) | st.just(b"5\r\nhello\r\n0\r\n\r\n"), st.binary(max_size=9), st.text(),
    st.integers(100, 599), st.sampled_from(["1.0", "1.1", "2", "", "1.1\r\n"]),
)  # fmt: skip
def test_any_response_is_read_back(
    tmp_path_factory: pytest.TempPathFactory,
    sent: list[tuple[bytes, bytes]],
    received: list[tuple[bytes, bytes]],
    body: bytes,
    reason: bytes,
    text: str,
    status: int,
    version: str,
) -> None:
    folder = tmp_path_factory.mktemp("odd")
    more: dict[str, Any] = {"status": status, "reason": reason, "http_version": version}
    odd = make_exchange(
        "https://pier.example/" + text, body, request_headers=tuple(sent), response_headers=tuple(received), **more
    )
    write(folder, odd, make_exchange(), metadata=WarcMetadata(text, text, 1, [Link(text, text)]))
    records = read_both(folder)
    assert [each.kind for each in records] == ["warcinfo", *["request", "metadata", "response"] * 2]
    assert records[3].payload == body
    assert records[6].payload == HTML
    decoded = read_warcio(read_all(folder), decoded=True)[3].payload
    codings = {value.strip().lower() for name, value in received if name.strip().lower() == b"content-encoding"}
    assert decoded == body or codings
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()


def test_a_new_file_is_started_when_one_is_full(tmp_path: Path) -> None:
    bodies = [os.urandom(3000) for _ in range(9)]
    locations = write(tmp_path, *(make_exchange(body=body) for body in bodies), max_bytes=10_000)
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == [f"pier-00000{number}.warc.gz" for number in range(len(files))]
    assert len(files) > 3
    assert all(path.stat().st_size <= 10_000 for path in tmp_path.iterdir())
    for location, body in zip(locations, bodies, strict=True):
        data = (tmp_path / location.file).read_bytes()
        assert read_fast(data)[0].kind == "warcinfo"
        (alone,) = read_both_bytes(data[location.offset : location.end])
        assert (alone.kind, alone.payload) == ("response", body)


def read_both_bytes(data: bytes) -> list[Read]:
    fast, slow = read_fast(data), read_warcio(data)
    assert [each.payload for each in fast] == [each.payload for each in slow]
    return fast


def test_an_exchange_larger_than_the_limit_has_its_own_file(tmp_path: Path) -> None:
    locations = write(tmp_path, *(make_exchange(body=os.urandom(3000)) for _ in range(3)), max_bytes=100)
    assert [location.file for location in locations] == [f"pier-00000{number}.warc.gz" for number in range(3)]


def test_existing_files_are_not_changed(tmp_path: Path) -> None:
    write(tmp_path, make_exchange())
    before = read_all(tmp_path)
    (location,) = write(tmp_path, make_exchange())
    assert location.file == "pier-000001.warc.gz"
    assert read_all(tmp_path).startswith(before)
    assert WarcWriter(tmp_path, "pier-2")._number == 0  # another prefix, other numbers


@pytest.mark.parametrize("prefix", ["", "a/b", "..", "a b", "한", ".hidden"])
def test_invalid_prefixes_are_rejected(tmp_path: Path, prefix: str) -> None:
    with pytest.raises(BadConfig, match="not a valid file name prefix"):
        WarcWriter(tmp_path, prefix)


def test_revisits(tmp_path: Path) -> None:
    writer = WarcWriter(tmp_path, "pier")
    first = make_exchange()
    copy = make_exchange("https://pier.example/copy", started=STARTED.astimezone(timezone(timedelta(hours=9))))
    fresh = make_exchange(status=304, reason=b"Not Modified", body=b"", response_headers=((b"Content-Length", b"99"),))
    locations = [
        writer.write_exchange(first, METADATA),
        writer.write_exchange(copy, METADATA, Revisit(first.url, first.started)),
        writer.write_exchange(fresh, METADATA, Revisit(first.url, first.started, first.digest, "server-not-modified")),
        writer.write_exchange(fresh, METADATA, Revisit(first.url, first.started, kind="server-not-modified")),
    ]
    writer.close()
    revisits = [each for each in read_both(tmp_path) if each.kind == "revisit"]
    profiles = "http://netpreserve.org/warc/1.1/revisit/"
    kinds = ["identical-payload-digest", "server-not-modified", "server-not-modified"]
    assert [each.headers["WARC-Profile"] for each in revisits] == [profiles + kind for kind in kinds]
    for each in revisits:
        assert each.headers["WARC-Refers-To-Target-URI"] == first.url
        assert each.headers["WARC-Refers-To-Date"] == "2026-03-04T09:00:07Z"
        assert each.headers["WARC-Date"] == "2026-03-04T09:00:07Z"
        assert each.payload == b""
    assert [each.headers.get("WARC-Payload-Digest") for each in revisits] == [first.digest, first.digest, None]
    assert [location.digest for location in locations] == [first.digest, first.digest, first.digest, ""]
    assert [dict(each.http)["Content-Length"] for each in revisits] == [str(len(HTML)), "99", "99"]
    assert check(tmp_path).returncode == 0


def test_warcio_finds_nothing_wrong(tmp_path: Path) -> None:
    packed = ((b"Content-Encoding", b"gzip"), (b"Transfer-Encoding", b"chunked"), (b"X", b"\xff\xfe"))
    exchanges = [
        make_exchange(),
        make_exchange(body=gzip.compress(HTML), response_headers=packed),
        make_exchange(body=b"", status=404, reason=b""),
        make_exchange(body=b"3\r\nabc\r\n0\r\n\r\n", response_headers=packed[1:]),
        make_exchange(body=b"\r\n\r\nWARC/1.1\r\n\r\n"),
    ]
    write(tmp_path, *exchanges)
    done = check(tmp_path)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("digest pass") == 1 + 3 * len(exchanges)
    data = (tmp_path / "pier-000000.warc.gz").read_bytes()
    (tmp_path / "pier-000000.warc.gz").write_bytes(gzip.compress(gzip.decompress(data).replace(b"<title>", b"<tittle")))
    assert check(tmp_path).returncode == 1  # warcio does check


def test_pages_are_read_with_their_anchors(tmp_path: Path) -> None:
    gzipped = ((b"Content-Type", b"text/html; charset=utf-8"), (b"Content-Encoding", b"gzip"), (b"TE", b"x"))
    writer = WarcWriter(tmp_path, "pier")
    writer.write_exchange(make_exchange(), METADATA)
    writer.write_exchange(
        make_exchange("https://b.example/", gzip.compress(HTML), response_headers=gzipped), WarcMetadata()
    )
    writer.write_exchange(make_exchange(), METADATA, Revisit("https://b.example/", STARTED))
    writer.write_exchange(make_exchange(status=404), METADATA)
    writer.write_exchange(make_exchange("https://c.example/"), WarcMetadata(anchor="a title"))
    writer.close()
    reader = Reader([str(tmp_path)])
    found = list(reader)
    assert [record.url for record in found] == [
        "https://pier.example/a?b=1",
        "https://b.example/",
        "https://c.example/",
    ]
    assert [record.anchor for record in found] == ["등대에 다시 불이 켜지다", None, "a title"]
    assert {record.html for record in found} == {HTML}
    assert {(record.charset, record.crawled) for record in found} == {("utf-8", "2026-03-04T09:00:07Z")}
    assert reader.skipped == {"a copy of an earlier record": 1, "HTTP status 404": 1}
    assert not reader.damaged


def test_a_killed_writer_is_resumed_from_any_byte(tmp_path: Path) -> None:
    """The file may end anywhere after the last known exchange."""
    known = write(tmp_path, make_exchange("https://pier.example/1"), make_exchange("https://pier.example/2"))
    path = tmp_path / known[0].file
    whole = path.read_bytes()
    noted, (half,) = whole[: known[0].end], known[1:]
    for end in range(known[0].end, len(whole) + 1):
        path.write_bytes(whole[:end])
        writer, lost = WarcWriter.resume(tmp_path, "pier", known[:1])
        assert lost == []
        assert path.read_bytes() == noted, end
        writer.close()
        if end % 97 == 0 or end == len(whole):
            writer, _ = WarcWriter.resume(tmp_path, "pier", known[:1])
            again = writer.write_exchange(make_exchange("https://pier.example/2"), METADATA)
            writer.close()
            assert again.file == half.file
            assert again.offset > known[0].end
            assert [each.kind for each in read_both(tmp_path)] == ["warcinfo", *["request", "metadata", "response"] * 2]
    for end in range(0, known[0].end, 41):  # known records are missing on disk
        path.write_bytes(whole[:end])
        writer, lost = WarcWriter.resume(tmp_path, "pier", known)
        assert lost == known
        assert not path.exists()
        assert writer.write_exchange(make_exchange(), METADATA).file == path.name
        writer.close()
    path.write_bytes(whole[: half.end - 1])
    writer, lost = WarcWriter.resume(tmp_path, "pier", iter(known))
    writer.close()
    assert (lost, path.read_bytes()) == ([half], noted)


def test_only_damaged_files_are_truncated(tmp_path: Path) -> None:
    exchanges = [make_exchange(f"https://pier.example/{number}", os.urandom(900)) for number in range(8)]
    locations = write(tmp_path, *exchanges, max_bytes=5000)
    files = [path.read_bytes() for path in sorted(tmp_path.iterdir())]
    assert len(files) == 4
    (tmp_path / "pier-000001.warc.gz").write_bytes(files[1][:-1])
    (tmp_path / "pier-000002.warc.gz").unlink()
    writer, lost = WarcWriter.resume(
        tmp_path, "pier", locations[:-2], max_bytes=5000
    )  # nothing in the last file is known
    assert lost == locations[3:6]
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["pier-000000.warc.gz", "pier-000001.warc.gz"]
    assert (tmp_path / "pier-000000.warc.gz").read_bytes() == files[0]
    again = [writer.write_exchange(exchange, METADATA) for exchange in exchanges[3:]]
    writer.close()
    urls = [each.headers["WARC-Target-URI"] for each in read_both(tmp_path) if each.kind == "response"]
    assert urls == [exchange.url for exchange in exchanges]
    assert {location.file for location in again} >= {"pier-000001.warc.gz", "pier-000002.warc.gz"}


def test_a_writer_is_resumed_in_an_empty_folder(tmp_path: Path) -> None:
    writer, lost = WarcWriter.resume(tmp_path / "new", "pier", [])
    assert (writer.write_exchange(make_exchange(), METADATA).file, lost) == ("pier-000000.warc.gz", [])
    writer.close()


def test_a_full_disk_leaves_complete_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.FileIO):
        def write(self, data: Any) -> int:
            written = super().write(data[:100])  # as the system does when little space is left
            if len(data) > 100:
                raise OSError(28, "No space left on device")
            return written

    writer = WarcWriter(tmp_path, "pier")
    with monkeypatch.context() as patch:
        patch.setattr("bonmun.scale.crawl.archive.warc_writer.FileIO", Full)
        with pytest.raises(OSError, match="No space"):
            writer.write_exchange(make_exchange(), METADATA)
        assert (tmp_path / "pier-000000.warc.gz").read_bytes() == b""
        writer.close()
        assert list(tmp_path.iterdir()) == []
    writer.write_exchange(make_exchange(), METADATA)
    writer.flush()
    assert [each.kind for each in read_both(tmp_path)] == ["warcinfo", "request", "metadata", "response"]
    writer.close()


def test_every_exchange_is_visible_to_other_processes(tmp_path: Path) -> None:
    writer = WarcWriter(tmp_path, "pier")
    for number in range(3):
        location = writer.write_exchange(make_exchange(), METADATA)
        with (tmp_path / location.file).open("rb") as file:  # as another process sees it
            assert sum(record.rec_type == "response" for record in WarcioIterator(file)) == number + 1
        assert len(read_fast((tmp_path / location.file).read_bytes())) == 1 + 3 * (number + 1)
    writer.close()
    writer.close()
