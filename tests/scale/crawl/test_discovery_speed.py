"""Pages, sitemaps, feeds and robots.txt are read in linear time."""

from __future__ import annotations

import pytest
from crawling import make_filter

from bonmun import Page
from bonmun.scale.crawl.discover.feeds import read_feed
from bonmun.scale.crawl.discover.keywords import Keywords
from bonmun.scale.crawl.discover.links import find_links
from bonmun.scale.crawl.discover.portal import Portal
from bonmun.scale.crawl.discover.sitemaps import read_sitemap
from bonmun.scale.crawl.discover.urls import normalise_url
from bonmun.scale.crawl.fetch.robots import Robots
from bonmun.scale.crawl.frontier.tickets import FoundUrl
from timing import assert_linear, assert_quick

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
}


@pytest.mark.slow
@pytest.mark.parametrize("part", XML.values(), ids=XML.keys())
def test_sitemaps_and_feeds(part: str) -> None:
    def make(count: int) -> bytes:
        return ("<urlset><loc>/0</loc>" + "".join(part.format(number) for number in range(count))).encode()

    assert assert_linear(make, lambda body: (read_sitemap(body, URL), read_feed(body, URL)), 8_000)


@pytest.mark.slow
def test_robots_rules() -> None:
    def make(count: int) -> bytes:
        return b"User-agent: *\n" + b"Disallow: /*a*b*c$\n" * count

    assert assert_linear(
        make, lambda body: Robots.parse(body, 200).allows("http://a.example/" + "ab" * 500, "x"), 8_000
    )


@pytest.mark.slow
def test_keywords_and_traps() -> None:
    assert not assert_linear(lambda n: "aa" * n, lambda text: Keywords(["a" * 20, "b"]).matches(text + "c"), 100_000)
    url_filter = make_filter()
    assert_linear(
        lambda n: [FoundUrl(f"http://a.example/{'a/' * 15}{i}?x={i}&y={i}&z=") for i in range(n)],
        lambda urls: [url_filter.find_rejection(url) for url in urls],
        2_000,
    )
