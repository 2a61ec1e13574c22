"""Feeds of all kinds are read, valid or broken."""

from __future__ import annotations

import json

import pytest

from bonmun.scale.crawl.discover.feeds import MAX_FEED_ITEMS, read_feed
from bonmun.scale.crawl.discover.links import PageLink

URL = "http://a.example/feeds/feed.xml"
TIME = "2026-03-04T00:30:00+00:00"
NEWS = PageLink("http://a.example/1", "소식 & 글", "page", True, TIME)

FEEDS = {
    "rss 0.91": '<rss version="0.91"><channel><title>Paper</title><link>http://a.example/</link><image><title>Logo</title><link>/logo</link></image>'
    "<item><title>소식 &amp; 글</title><link>http://a.example/1</link><pubDate>Wed, 04 Mar 2026 09:30:00 +0900</pubDate></item></channel></rss>",
    "rss 2.0": '<rss version="2.0" xmlns:media="m"><channel><atom:link rel="self" href="/feed"/><item><media:title>Picture</media:title>'
    '<title><![CDATA[<b>소식</b> &amp; 글]]></title><description><title>No</title><link>/no</link></description><guid isPermaLink="false">17</guid>'
    '<media:content><media:link>/no</media:link></media:content><link>/1?utm_source=rss</link><source url="/s">S</source><pubDate>Wed, 04 Mar 2026 00:30 GMT</pubDate></item></channel></rss>',
    "rss 2.0 with ids alone": "<rss><channel><item><guid>http://a.example/1</guid><title>소식 &amp;amp; 글</title><dc:date>2026-03-04T00:30:00Z</dc:date></item></channel></rss>",
    "rdf": '<rdf:RDF><channel rdf:about="/"><title>Paper</title></channel><item rdf:about="http://a.example/1"><title>소식 &#38; 글</title>'
    "<dc:date>2026-03-04T09:30:00+09:00</dc:date></item></rdf:RDF>",
    "atom": '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://a.example/x/"><title>Paper</title><link href="/"/><entry xml:base="..">'
    '<title type="html">&lt;i&gt;소식&lt;/i&gt; &amp;amp; 글</title><link rel="edit" href="/edit"/><link rel="enclosure" href="/e.mp3"/><link rel="alternate" href="1"/>'
    '<id>tag:1</id><updated>2026-03-05T00:00:00Z</updated><published>2026-03-04T00:30:00.000Z</published><content type="xhtml"><div><title>No</title><link href="/no"/></div></content>'
    "<source><title>Other</title><link href='/other'/></source></entry></feed>",
    "json": json.dumps(
        {
            "version": "https://jsonfeed.org/version/1.1",
            "items": [{"id": 1, "url": "/1", "title": "소식 & 글", "date_published": "2026-03-04T09:30:00+09:00"}],
        }
    ),
}


@pytest.mark.parametrize("body", FEEDS.values(), ids=FEEDS.keys())
def test_every_kind_of_feed_is_read(body: str) -> None:
    assert read_feed(body.encode(), URL) == [NEWS]


@pytest.mark.parametrize("kind", [kind for kind in FEEDS if kind != "json"])
@pytest.mark.parametrize("encoding", ["cp949", "utf-16"])
def test_feeds_in_other_encodings_are_read(kind: str, encoding: str) -> None:
    body = '<?xml version="1.0" encoding="euc-kr"?><!-- 한국어로 쓴 소식입니다 -->' + FEEDS[kind]
    assert read_feed(body.encode(encoding), URL) == [NEWS]


@pytest.mark.parametrize(
    "body",
    [
        "<rss><item><title>A<link>/1</link></item><item><title>B</title><link>/2",
        "<rss><item><title>A</title><link>/1</link><item><title>B</title><link>/2</link></rss>",
        "<rss><item><description><p>no end <item><title>A</title><link>/1</link></item><item><link>/2</link><title>B & C</title>",
        "junk before <rss><item><link>/1</link><title>A</title><pubDate>someday</pubDate></item><item><link>/2</link></item>",
    ],
)
def test_broken_feeds_are_read_as_far_as_possible(body: str) -> None:
    assert [link.url for link in read_feed(body.encode(), URL)] == ["http://a.example/1", "http://a.example/2"]


def test_the_next_page_of_a_feed_is_found() -> None:
    atom = '<feed><link rel="next" href="?page=2"/><entry><link href="/1"/></entry></feed>'
    assert [(link.url, link.kind) for link in read_feed(atom.encode(), URL)] == [
        ("http://a.example/feeds/feed.xml?page=2", "feed"),
        ("http://a.example/1", "page"),
    ]
    assert read_feed(b'{"next_url": "/2", "items": []}', URL) == [PageLink("http://a.example/2", "", "feed", True)]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"items": 3}',
        b'{"items": [null, 3, {"url": 5}, {"url": "javascript:x", "title": []}]}',
        b"{" + b'"a":{' * 100_000,
        b'{"items": ' + b"9" * 100_000 + b"}",
        b"<html><p>Not found",
        b"<rss><item><title>A</title></item><item><link></link></item><item><link>mailto:a@b.c</link></item></rss>",
        b"<rss><item><guid isPermaLink='true'>17</guid></item></rss>",
    ],
)
def test_other_files_have_no_pages(body: bytes) -> None:
    assert read_feed(body, URL) == []


def test_the_number_of_items_is_limited() -> None:
    body = "".join(f"<item><link>/{number}</link></item>" for number in range(MAX_FEED_ITEMS + 10))
    assert len(read_feed(body.encode(), URL)) == MAX_FEED_ITEMS
