"""Read the pages, sitemaps, feeds and robots.txt files of a crawl in child processes.

Parsing untrusted bytes may take long or much memory, and the crawl has one event loop for all hosts. So everything in a
body is read in a child process with limits. A page that exceeds one fails; the others are not affected.
"""

from __future__ import annotations

import asyncio
import os
import sys
import traceback
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from bonmun.errors import BonmunError, OutOfMemory, TooSlow, WorkerDied
from bonmun.page import Page
from bonmun.page.parse.decode import decode
from bonmun.scale.crawl.discover.feeds import read_feed
from bonmun.scale.crawl.discover.keywords import Keywords
from bonmun.scale.crawl.discover.links import FEED_TYPES
from bonmun.scale.crawl.discover.portal import Portal
from bonmun.scale.crawl.discover.sitemaps import read_sitemap
from bonmun.scale.crawl.fetch.layouts import PageVersions
from bonmun.scale.crawl.fetch.robots import MAX_ROBOTS_BYTES, Robots
from bonmun.sites.domains import find_site_name
from bonmun.work.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.scale.crawl.discover.links import PageLink
    from bonmun.scale.crawl.fetch.exchange import Exchange
    from bonmun.scale.crawl.frontier.tickets import Claim
    from bonmun.scale.crawl.plan import CrawlPlan, Rendering

__all__ = [
    "LIMIT_ERRORS",
    "PAGE_TYPES",
    "PageContent",
    "ReadRequest",
    "ResponseReader",
    "is_body_wanted",
    "is_readable",
    "make_request",
    "read_response",
]

PAGE_TYPES = {"", "text/html", "application/xhtml+xml"}
XML_TYPES = {"application/xml", "text/xml", "text/plain", "application/json", "application/gzip", "application/x-gzip"}
LIMIT_ERRORS = (TooSlow, OutOfMemory, WorkerDied)  # of a page that exceeds a limit
MAX_PAGE_LINKS = 50_000  # of a page, as of a sitemap; the rest is ignored
MEMORY_BYTES = 4_000_000_000  # limit for the work of a child process, as for a corpus
SLOW_SECONDS = 1.0  # a site with a page that takes longer gets one child process at a time
MAX_QUEUE = 100_000  # more than there are requests


class ReadRequest(NamedTuple):
    """What a child process needs to read a response."""

    kind: str  # of the URL
    url: str  # as claimed, before redirects
    exchange: Exchange
    max_bytes: int
    keywords: tuple[str, ...]
    is_portal: bool
    articles: str | None  # pattern of their URLs
    render: Rendering  # which pages are to be rendered
    agent: str  # name of the crawler for robots.txt
    snapshot: bytes | None = None  # the page as rendered


@dataclass(frozen=True, slots=True)
class PageContent:
    """What was found in a response."""

    links: Sequence[PageLink] = ()
    is_page: bool = False
    allows_following: bool = True
    canonical: str | None = None
    has_keyword: bool = True
    results: Sequence[PageLink] = ()  # further pages of search results
    articles: Sequence[PageLink] = ()  # of a page of search results
    html: str | None = None  # if it is to be rendered
    robots: Robots | None = None  # the rules of a robots.txt
    robots_body: bytes = b""  # the file they are from
    seconds: float = 0.0  # that reading took
    snapshot: bytes | None = None  # of the page as rendered
    problem: str | None = None  # why it was not rendered, or rendered without its scripts


def is_body_wanted(kind: str, status: int, header: str) -> bool:
    """Return whether to read the body of a response, by the kind of URL, the status and the Content-Type header."""
    content_type = header.partition(";")[0].strip().lower()
    if kind in ("page", "result") and 200 <= status < 300:
        return content_type in PAGE_TYPES | FEED_TYPES | XML_TYPES
    return True


def is_readable(kind: str, exchange: Exchange) -> bool:
    """Return whether the body of a response has a page, a sitemap, a feed or a robots.txt to read."""
    is_good = 200 <= exchange.status < 300
    return is_good and is_body_wanted(kind, exchange.status, exchange.get_header("content-type"))


def make_request(plan: CrawlPlan, claim: Claim, exchange: Exchange) -> ReadRequest:
    """Return the request to read a response."""
    render = "always" if plan.is_rendered(exchange.url) else plan.render
    kinds = (plan.keywords, plan.portal, plan.articles, render, plan.agent)
    return ReadRequest(claim.kind, claim.url, exchange, plan.max_bytes, *kinds)


def read_response(request: ReadRequest) -> PageContent:
    """Return the content of a response. Raise TooBig or another BonmunError if it cannot be read."""
    start = monotonic()
    exchange = request.exchange
    body = exchange.decode_body(request.max_bytes)
    if request.kind == "robots":
        body = body[:MAX_ROBOTS_BYTES]
        robots = Robots.parse(body, exchange.status, request.agent, exchange.url)
        content = PageContent(robots=robots, robots_body=body)
    elif request.kind in ("sitemap", "feed"):
        read = read_sitemap if request.kind == "sitemap" else read_feed
        content = PageContent(read(body, exchange.url))
    elif exchange.content_type not in PAGE_TYPES and exchange.content_type != "text/plain":
        content = PageContent(read_feed(body, exchange.url) or read_sitemap(body, exchange.url))
    else:
        content = _read_page(request, body)
    return replace(content, seconds=monotonic() - start)


def _read_page(request: ReadRequest, body: bytes) -> PageContent:
    exchange = request.exchange
    page = Page.parse(body, exchange.url, exchange.charset, max_bytes=request.max_bytes)
    if request.snapshot is None and exchange.content_type in PAGE_TYPES and _needs_browser(request, page):
        html = decode(body, exchange.charset, exchange.url)[0]
        return replace(_read_versions(request, PageVersions(page)), html=html)
    if request.snapshot is None:
        return _read_versions(request, PageVersions(page))
    from bonmun.snapshots import read_snapshot  # loads numpy

    rendered = Page.from_snapshot(read_snapshot(request.snapshot), exchange.url, max_bytes=request.max_bytes)
    return _read_versions(request, PageVersions(page, rendered))


def _needs_browser(request: ReadRequest, page: Page) -> bool:
    if request.render == "auto":
        from bonmun.empty_pages import is_shell  # loads the default method

        return is_shell(page)
    return request.render == "always"


def _read_versions(request: ReadRequest, versions: PageVersions) -> PageContent:
    url = request.exchange.url
    links = versions.find_links(url)[:MAX_PAGE_LINKS]
    if request.is_portal and request.kind != "result":  # from an article, no links are followed
        return PageContent(links, is_page=True)
    if request.is_portal:
        further, articles = Portal(articles=request.articles).sort_links(versions.best, request.url)
        return PageContent(links, results=further[:MAX_PAGE_LINKS], articles=articles[:MAX_PAGE_LINKS])
    keywords = _make_keywords(request.keywords) if request.keywords else None
    return PageContent(
        links,
        is_page=True,
        allows_following=versions.allows_following,
        canonical=versions.find_canonical(url),
        has_keyword=keywords is None or keywords.matches("\n".join(versions.list_texts())),
    )


@lru_cache(maxsize=1)
def _make_keywords(words: tuple[str, ...]) -> Keywords:
    return Keywords(words)


class ResponseReader:
    """Reads responses in child processes: the first is started with the first response, others while responses wait."""

    def __init__(self, plan: CrawlPlan) -> None:
        self.plan = plan
        self.workers: Workers | None = None
        self.slow_sites: dict[str, asyncio.Lock] = {}

    async def read(self, request: ReadRequest) -> PageContent | BonmunError:
        """Return the content of a response, or the error if it cannot be read."""
        workers = await self._start()
        site = find_site_name(request.exchange.url)
        try:
            async with self.slow_sites.get(site, nullcontext()):
                content = await workers.run(read_response, request)
        except BonmunError as problem:
            if isinstance(problem, LIMIT_ERRORS):
                self.slow_sites.setdefault(site, asyncio.Lock())
            return problem
        if content.seconds > SLOW_SECONDS:
            self.slow_sites.setdefault(site, asyncio.Lock())
        return content

    async def _start(self) -> Workers:
        if self.workers is None:
            self.workers = Workers(
                max(2, os.cpu_count() or 1),
                first=1,
                queue=MAX_QUEUE,
                wait=float("inf"),
                seconds=self.plan.reading,
                memory=MEMORY_BYTES,
                log_error=_log_error,
            )
            await self.workers.start()
        return self.workers

    async def close(self) -> None:
        """End the child processes."""
        if self.workers:
            await self.workers.stop()


def _log_error(message: str, problem: BaseException) -> None:
    """Write an unexpected error to stderr, which is the file errors.log."""
    print(message, "".join(traceback.format_exception(problem)), file=sys.stderr)
