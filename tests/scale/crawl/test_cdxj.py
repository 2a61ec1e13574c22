"""The CDXJ index of a crawl: its keys, its order and its locations."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from archives import STARTED, make_exchange, read_fast, read_warcio
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun.scale.crawl.archive import cdxj
from bonmun.scale.crawl.archive.cdxj import write_cdxj
from bonmun.scale.crawl.archive.log_file import LogRow
from bonmun.scale.crawl.archive.surt import make_surt
from bonmun.scale.crawl.archive.warc_writer import Revisit, WarcMetadata, WarcWriter

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning")


@pytest.mark.parametrize(
    ("url", "key"),
    [  # the keys made by the package `surt` 0.3.1, which pywb uses
        ("http://example.com/", "com,example)/"),
        ("http://example.com", "com,example)/"),
        ("https://www.example.com/A/b.HTML?b=2&a=1", "com,example)/a/b.html?a=1&b=2"),
        ("http://www2.example.co.kr:8080/x/", "kr,co,example:8080)/x"),
        ("https://example.com:443/", "com,example)/"),
        ("http://example.com:443/", "com,example:443)/"),
        ("http://example.com:0080/", "com,example)/"),
        ("http://192.168.1.254/a", "254,1,168,192)/a"),
        ("http://[::1]:8080/a", "::1:8080)/a"),
        ("http://example.com./a", "com,example)/a"),
        ("http://EXAMPLE.com/a//b/../c/./d/", "com,example)/a/c/d"),
        ("http://example.com/../../a", "com,example)/a"),
        ("https://xn--3e0b707e.kr/%ED%95%9C?q=%ed%95%9c", "kr,xn--3e0b707e)/%ed%95%9c?q=%ed%95%9c"),
        ("https://한국.kr/한?q=한", "kr,xn--3e0b707e)/%ed%95%9c?q=%ed%95%9c"),
        ("http://example.com/?", "com,example)/"),
        ("http://example.com/a?", "com,example)/a"),
        ("http://example.com/a?b", "com,example)/a?b"),
        ("http://www.example.com/a/?x", "com,example)/a?x"),
        ("http://example.com/a?a=1&a=1&&b", "com,example)/a?&a=1&a=1&b"),
        ("http://example.com/a?b=2&B=1&a=3", "com,example)/a?a=3&b=1&b=2"),
        ("http://user:pw@example.com/a", "com,example)/a"),
        ("http://example.com/a b", "com,example)/a%20b"),
        ("http://example.com/a%20b", "com,example)/a%20b"),
        ("http://example.com/a%41b", "com,example)/aab"),
        ("http://example.com/#frag", "com,example)/"),
        ("http://example.com/a?x=%2f&y=/", "com,example)/a?x=/&y=/"),
        ("http://example.com/%7Efoo/~bar", "com,example)/~foo/~bar"),
        ("http://wwww.example.com/", "com,example,wwww)/"),
        ("http://a.b.example.com/p,q(r)", "com,example,b,a)/p,q(r)"),
        ("http://example.com/a?q=a+b&r=%2B", "com,example)/a?q=a+b&r=+"),
        ("http://example.com/%", "com,example)/%25"),
        ("http://example.com/%zz%e", "com,example)/%25zz%25e"),
        ("http://example.com/%25%32%35", "com,example)/%25"),
        ("http://ex_ample.com/", "com,ex_ample)/"),
    ],
)
def test_keys_are_those_of_other_tools(url: str, key: str) -> None:
    assert make_surt(url) == key


@pytest.mark.parametrize(
    "url",
    ["", "no url", "http://", "http://[::1/", "http://a:99999999/", "http://" + "한" * 99 + "/", "data:,\x00\ud800"],
)
def test_invalid_urls_have_a_key(url: str) -> None:
    key = make_surt(url)
    assert key.isascii()
    assert not set(key) & set(" \r\n\0")


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=40), st.text(max_size=20))
def test_any_key_fits_on_a_line(path: str, query: str) -> None:
    for url in (path, f"https://{path}/{query}", f"https://pier.example/{path}?{query}"):
        key = make_surt(url)
        assert key.isascii()
        assert key == key.strip()
        assert len(key.split()) <= 1


def make_row(url: str, **more: Any) -> LogRow:
    known: dict[str, Any] = {"file": "a.warc.gz", "offset": 0, "length": 1, "digest": "sha1:A", "status": 200}
    known |= {"fetched": STARTED, "mime": "text/html"} | more
    return LogRow(url=url, host="", **known)


def read_lines(path: Path) -> list[tuple[str, str, dict[str, str]]]:
    lines = path.read_bytes()
    assert lines.splitlines(keepends=True) == sorted(lines.splitlines(keepends=True))
    parts = [line.split(" ", 2) for line in lines.decode("ascii").splitlines()]
    return [(key, time, json.loads(values)) for key, time, values in parts]


def test_a_line_has_the_fields_of_a_replay_tool(tmp_path: Path) -> None:
    rows = [
        make_row("https://pier.example/등대"),
        make_row("https://pier.example/2", duplicate_of="https://pier.example/등대", status=304),
        make_row("https://pier.example/3", mime=None, status=None, digest=None),
        make_row("https://pier.example/4", file=None, offset=None, length=None),
    ]
    assert write_cdxj(rows, tmp_path / "index.cdxj") == 3
    first, second, third = read_lines(tmp_path / "index.cdxj")
    shared = {"digest": "sha1:A", "length": "1", "offset": "0", "filename": "a.warc.gz"}
    url = "https://pier.example/%EB%93%B1%EB%8C%80"
    assert first == (
        "example,pier)/%eb%93%b1%eb%8c%80",
        "20260304090007",
        {"url": url, "mime": "text/html", "status": "200"} | shared,
    )
    assert second[2] == {"url": "https://pier.example/2", "mime": "warc/revisit", "status": "304"} | shared
    assert third[2] == {"url": "https://pier.example/3", "mime": "unk", "status": "-"} | shared | {"digest": "-"}


def test_runs_are_merged_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cdxj, "RUN_LINES", 7)
    times = [datetime(2026, 3, day, tzinfo=UTC) for day in range(1, 11)]
    rows = [make_row(f"https://pier{number}.example/", fetched=time) for number in range(5) for time in times]
    random.Random(1).shuffle(rows)
    assert write_cdxj(iter(rows), tmp_path / "index.cdxj") == 50
    assert len(read_lines(tmp_path / "index.cdxj")) == 50
    assert write_cdxj([], tmp_path / "index.cdxj") == 0
    assert (tmp_path / "index.cdxj").read_bytes() == b""


def test_every_line_leads_to_its_record(tmp_path: Path) -> None:
    writer = WarcWriter(tmp_path, "pier", max_bytes=6000)
    rows = []
    for number in range(12):
        revisit = Revisit("https://pier.example/0", STARTED) if number % 4 == 3 else None
        exchange = make_exchange(f"https://pier{number % 5}.example/{number}", random.Random(number).randbytes(500))
        location = writer.write_exchange(exchange, WarcMetadata(), revisit)._asdict()
        rows.append(make_row(exchange.url, duplicate_of=revisit.url if revisit else None, **location))
    writer.close()
    write_cdxj(rows, tmp_path / "index.cdxj")
    for _, _, values in read_lines(tmp_path / "index.cdxj"):
        with (tmp_path / values["filename"]).open("rb") as file:
            file.seek(int(values["offset"]))
            data = file.read(int(values["length"]))
        for (record,) in (read_fast(data), read_warcio(data)):
            assert record.headers["WARC-Target-URI"] == values["url"]
            assert record.headers["WARC-Payload-Digest"] == values["digest"]
            assert record.kind == ("revisit" if values["mime"] == "warc/revisit" else "response")
