"""Sitemaps of all kinds are read, valid or broken."""

from __future__ import annotations

import gzip

import pytest

from bonmun.scale.crawl.discover.links import PageLink
from bonmun.scale.crawl.discover.sitemaps import MAX_SITEMAP_URLS, read_sitemap
from bonmun.scale.crawl.discover.xml_pieces import MAX_BODY_BYTES
from timing import assert_quick

URL = "http://a.example/maps/map.xml"
SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
TWO = f"<urlset {SPACE}><url><loc>http://a.example/1</loc></url><url><loc>http://a.example/2</loc></url></urlset>"
BOTH = ["http://a.example/1", "http://a.example/2"]


def list_urls(body: str | bytes) -> list[str]:
    return [link.url for link in read_sitemap(body if isinstance(body, bytes) else body.encode(), URL)]


def test_a_url_set() -> None:
    body = (
        f'<?xml version="1.0" encoding="UTF-8"?><urlset {SPACE}><url><loc>\n http://a.example/?a=1&amp;b=글 </loc>'
        "<lastmod>2026-03-04T09:00:00+09:00</lastmod><priority>.5</priority></url><url><loc><![CDATA[/2?c&d]]></loc></url></urlset>"
    )
    assert read_sitemap(body.encode(), URL) == [
        PageLink("http://a.example/?a=1&b=%EA%B8%80", "", "page", True, "2026-03-04T00:00:00+00:00"),
        PageLink("http://a.example/2?c&d", "", "page", True),
    ]


def test_an_index() -> None:
    body = f"<sitemapindex {SPACE}><sitemap><loc>one.xml.gz</loc><lastmod>2026-03-04</lastmod></sitemap></sitemapindex>"
    assert read_sitemap(body.encode(), URL) == [
        PageLink("http://a.example/maps/one.xml.gz", "", "sitemap", True, "2026-03-04")
    ]


def test_news_and_images() -> None:
    body = (
        "<urlset><url><loc>http://a.example/1</loc><image:image><image:loc>http://a.example/1.png</image:loc>"
        "<image:title>Picture</image:title></image:image><news:news><news:publication><news:name>Paper</news:name></news:publication>"
        "<news:publication_date>2026-03-04</news:publication_date><news:title>소식 &amp; 글</news:title></news:news>"
        "<video:video><video:title>Film</video:title></video:video></url></urlset>"
    )
    assert read_sitemap(body.encode(), URL) == [PageLink("http://a.example/1", "소식 & 글", "page", True, "2026-03-04")]


@pytest.mark.parametrize(
    "body",
    [
        TWO,
        TWO.replace("<", "<s:").replace("<s:/", "</s:"),
        TWO.upper().replace("HTTP://A.EXAMPLE", "http://a.example"),
        TWO.removesuffix("</loc></url></urlset>"),
        TWO.replace("</loc></url>", ""),
        TWO.replace("</url>", "&undefined; </url>"),
        TWO.replace("<url>", "<url a=<b>>"),
        TWO.replace("<urlset", "<!-- <loc>http://a.example/0</loc> --><urlset"),
        TWO + "<!-- never ended",
        "\ufeff\n" + TWO,
        TWO.encode("utf-16"),
        f'<?xml version="1.0" encoding="utf-16"?>{TWO}'.encode(),
        f'<?xml version="1.0" encoding="no-such"?>{TWO}<!-- 글 -->'.encode("cp949"),
        gzip.compress(TWO.encode()),
        gzip.compress(gzip.compress(TWO.encode())),
        gzip.compress(TWO[:80].encode()) + gzip.compress(TWO[80:].encode()),
        gzip.compress(TWO.encode())[:-8],
        gzip.compress(TWO.encode()) + b"\x1f\x8brubbish",
        "\n".join(["# a comment", *BOTH, "ftp://a.example/", "not an address", BOTH[0]]),
        "\r\n".join(BOTH).encode("utf-8-sig"),
        "<rss><channel><item><link>http://a.example/1</link></item><item><link>http://a.example/2</link></item></channel></rss>",
    ],
)
def test_variants_and_broken_sitemaps_are_read(body: str | bytes) -> None:
    assert list_urls(body) == BOTH


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\x1f\x8b",
        b"\x00\xff" * 1000,
        b"<!doctype html><title>404</title><a href=/1>Home</a><p>http://a.example/1</p>",
        b"<urlset><url><loc></loc></url><url><loc>file:///etc/passwd</loc></url><url><loc>javascript:x</loc></url></urlset>",
        b"<urlset><url>",
        b"<urlset><url><loc>&lol;</loc></url><url><loc>& <b>",
        b"<loc",
        b'{"error": "not found"}',
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 10,
    ],
)
def test_other_files_have_no_urls(body: bytes) -> None:
    assert list_urls(body) == []


def test_declared_entities_are_not_expanded() -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">{laughs}<!ENTITY f SYSTEM "file:///etc/passwd">]>'
    body = bomb + TWO.replace("/2", "/2&l9;&f;")
    found = assert_quick(lambda: list_urls(body), 1)
    assert found == ["http://a.example/1", "http://a.example/2&l9;&f;"]


def test_a_gzip_bomb_is_decompressed_up_to_the_limit() -> None:
    bomb = gzip.compress(TWO[:-9].encode() + bytes(3 * MAX_BODY_BYTES), 1)
    assert assert_quick(lambda: list_urls(gzip.compress(bomb)), 5) in (BOTH, [])


def test_the_number_of_urls_is_limited() -> None:
    body = "<urlset>" + "".join(f"<url><loc>/{n}</loc></url>" for n in range(MAX_SITEMAP_URLS + 10)) + "</urlset>"
    assert len(list_urls(body)) == MAX_SITEMAP_URLS


def test_urls_of_other_hosts_are_returned() -> None:
    assert list_urls("<urlset><url><loc>https://b.example/1</loc></url></urlset>") == ["https://b.example/1"]
