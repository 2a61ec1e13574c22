"""Pages, sitemaps, feeds and robots.txt are read in linear time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from archives import make_exchange
from crawling import make_filter

from bonmun import Page
from bonmun.scale.crawl.discover.feeds import clean_title, read_feed
from bonmun.scale.crawl.discover.keywords import Keywords
from bonmun.scale.crawl.discover.links import allows_following, find_canonical, find_links
from bonmun.scale.crawl.discover.portal import Portal
from bonmun.scale.crawl.discover.sitemaps import read_sitemap
from bonmun.scale.crawl.discover.timestamps import parse_time
from bonmun.scale.crawl.discover.urls import normalise_url
from bonmun.scale.crawl.discover.xml_pieces import read_attribute, read_tokens
from bonmun.scale.crawl.fetch.http_heads import format_request_head, format_response_head
from bonmun.scale.crawl.fetch.robots import Robots
from bonmun.scale.crawl.frontier.tickets import FoundUrl
from timing import assert_linear, assert_quick

if TYPE_CHECKING:
    from collections.abc import Callable

    from bonmun.scale.crawl.fetch.exchange import Exchange

URL = "http://a.example/b?c=1"

PAGES = {
    "links": ("<li><a href='/a/{0}?b={0}'>text <b>{0}</b></a>", 6_000),
    "one link": ("<a href=/1>text {0}</a>", 6_000),
    "links in links": ("<a href=/{0}>{0}<table><tr><td>", 4_000),
    "images": ("<a href=/1><img alt='{0}'></a>", 6_000),
    "frames": ("<iframe src=/{0}></iframe>", 6_000),
    "bases": ("<base href=/{0}/><a href=x>x</a>", 6_000),
    "noscript": ("<noscript><a href=/{0}>{0}</noscript>", 6_000),
    "heads": ("<link rel=next href=/{0}><meta http-equiv=refresh content=0;/{0}>", 6_000),
    "one long text": ("word {0} ", 50_000),
    "headings": ("<a href=/{0}><h3>아주 긴 제목 {0}번을 여기에 적어 둡니다</h3></a>", 6_000),
}


@pytest.mark.slow
@pytest.mark.parametrize(("part", "size"), PAGES.values(), ids=PAGES.keys())
def test_links_of_a_page(part: str, size: int) -> None:
    def make(count: int) -> Page:
        return Page.parse("<p>x<a href=/0>" + "".join(part.format(number) for number in range(count)))

    assert assert_linear(make, lambda page: (find_links(page, URL), Portal().sort_links(page, URL)), size)


def test_five_thousand_links_take_half_a_second_at_most() -> None:
    links = [f"/news/view.html?idxno={n}&utm_source=x" for n in range(2500)] + [
        f"../글/{n}?q=본문 {n}#c" for n in range(2500)
    ]
    assert len(assert_quick(lambda: [normalise_url(link, URL) for link in links], 0.5)) == 5000  # 50 ms, alone


URL_PARTS = ["../", "%", "%2e/", ";jsessionid=1", "&utm_a=1", "sid=a1&", "글", "a.", "//", "\t", "\ud800", "1."]


@pytest.mark.parametrize("part", URL_PARTS)
def test_urls(part: str) -> None:
    def normalise_all(parts: str) -> list[str | None]:
        return [normalise_url(head + parts, URL) for head in ("http://a.example/", "http://", "/", "?")]

    assert assert_linear(lambda count: part * count, normalise_all, 6_000, 0.01)


XML = {
    "urls": "<url><loc>/{0}</loc></url>",
    "starts": "<url>",
    "comments": "<!--",
    "texts": "<![CDATA[ x ",
    "less": "<",
    "attributes": "<loc a='{0}' ",
    "entities": "&amp;{0};",
    "spaces": "<loc          a   =   ",
    "items": "<item><link>/{0}</link><title>t{0}</title></item>",
    "descriptions": "<item><description><title>",
    "declarations": "<!ENTITY a{0} '&a;&a;'>",
    "quotes": "<item a='",
    "values": "<link rel='next' href='/{0}' a{0}='",
}


@pytest.mark.slow
@pytest.mark.parametrize("part", XML.values(), ids=XML.keys())
def test_sitemaps_and_feeds(part: str) -> None:
    def make(count: int) -> bytes:
        return ("<urlset><loc>/0</loc>" + "".join(part.format(number) for number in range(count))).encode()

    assert assert_linear(make, lambda body: (read_sitemap(body, URL), read_feed(body, URL)), 8_000)


# Texts in very many pieces: starts of documents, and a piece.
PIECES = {
    "location": ("<urlset><url><loc>http://a.example/", "some text<!>"),
    "title of a news page": ("<urlset><url><loc>/1</loc><title>", "some text<![CDATA[x]]>"),
    "title of an item": ("<rss><item><link>/1</link><title>", "some text<!>"),
    "link of an item": ("<rss><item><link>http://a.example/", "some text<!-- -->"),
    "references": ("<urlset><url><loc>", "&#99999999999999999999;<!>"),
    "digits": ("<urlset><url><loc>&#", "1234567890"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("start", "piece"), PIECES.values(), ids=PIECES.keys())
def test_texts_in_pieces(start: str, piece: str) -> None:
    def read(body: bytes) -> tuple[object, object]:
        return read_sitemap(body, URL), read_feed(body, URL)

    assert_linear(lambda count: (start + piece * count).encode(), read, 80_000)


def read_head(exchange: Exchange) -> object:
    return exchange.content_type, exchange.charset, format_response_head(exchange), format_request_head(exchange)


def make_heads(name: bytes, value: bytes) -> Callable[[int], Exchange]:
    """Return a maker of responses with half as many other headers, then many with a name."""

    def make(count: int) -> Exchange:
        headers = (*[(b"X", b"")] * (count // 2), *[(name, value)] * count)
        return make_exchange(URL, b"body", response_headers=headers, request_headers=headers)

    return make


# What else is read of a response: how to make it, how to read it, and its size.
READERS: dict[str, tuple[Callable[[int], Any], Callable[[Any], object], int]] = {
    "lines": (lambda n: b"http://a.example/1\n" * n, lambda body: read_sitemap(body, URL), 8_000),
    "long line": (lambda n: b"http://a.example/" + b"a" * n, lambda body: read_sitemap(body, URL), 400_000),
    "JSON": (
        lambda n: b'{"items": [' + b'{"url": "/1", "title": "&#65;"},' * n + b"{}]}",
        lambda body: read_feed(body, URL),
        8_000,
    ),
    "tokens": (lambda n: "<a:b c='d'>e&amp;f</a:b>" * n, lambda text: list(read_tokens(text)), 20_000),
    "attributes": (lambda n: "a='b' " * n, lambda text: read_attribute(text, "c"), 80_000),
    "titles": (lambda n: "<b &#65;" * n, clean_title, 80_000),
    "dates": (lambda n: "2026-" * n, parse_time, 400_000),
    "dates of emails": (lambda n: "Mon, 4 " * n, parse_time, 400_000),
    "dates without an end": (lambda n: " " * n + "1:" * n, parse_time, 400_000),
    "content types": (make_heads(b"Content-Type", b"text/html; charset=x"), read_head, 20_000),
    "lengths": (make_heads(b"Content-Length", b"1"), read_head, 20_000),
    "encodings": (make_heads(b"Transfer-Encoding", b"x"), read_head, 20_000),
    "one long header": (
        lambda n: make_exchange(URL, b"", response_headers=((b"Content-Type", b"a;charset =" * n),)),
        read_head,
        80_000,
    ),
    "canonical URLs": (
        lambda n: Page.parse("".join(f"<link rel=canonical href=/{number}>" for number in range(n))),
        lambda page: (find_canonical(page, URL), allows_following(page)),
        6_000,
    ),
    "robots.txt rules": (
        lambda n: b"User-agent: *\n" + b"Disallow: /*a*b*c$\n" * n,
        lambda body: Robots.parse(body, 200, "x").allows("http://a.example/" + "ab" * 500),
        8_000,
    ),
    "robots.txt agents": (
        lambda n: b"".join(b"User-agent: %d\nDisallow: /\n" % number for number in range(n)),
        lambda body: Robots.parse(body, 200, "x").allows(URL),
        8_000,
    ),
    "robots.txt sitemaps": (lambda n: b"Sitemap: /1\n" * n, lambda body: Robots.parse(body, 200, "x", URL), 8_000),
    "one long line of robots.txt": (
        lambda n: b"User-agent: *\nDisallow: /" + b"*a" * n,
        lambda body: Robots.parse(body, 200, "x").allows("http://a.example/" + "a" * 1900),
        80_000,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("make", "read", "size"), READERS.values(), ids=READERS.keys())
def test_other_readers(make: Callable[[int], Any], read: Callable[[Any], object], size: int) -> None:
    assert_linear(make, read, size)


@pytest.mark.slow
def test_keywords_and_traps() -> None:
    assert not assert_linear(lambda n: "aa" * n, lambda text: Keywords(["a" * 20, "b"]).matches(text + "c"), 100_000)
    url_filter = make_filter()
    assert_linear(
        lambda n: [FoundUrl(f"http://a.example/{'a/' * 15}{i}?x={i}&y={i}&z=") for i in range(n)],
        lambda urls: [url_filter.find_rejection(url) for url in urls],
        2_000,
    )
