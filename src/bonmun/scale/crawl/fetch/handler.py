"""A Scrapy download handler that fetches with `Fetcher`."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import replace
from math import inf
from time import monotonic, time
from typing import TYPE_CHECKING, Any

from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.http import Response

from bonmun.scale.crawl.fetch.fetcher import Fetcher
from bonmun.scale.crawl.fetch.reading import PageContent, ResponseReader, is_body_wanted, is_readable, make_request
from bonmun.scale.crawl.fetch.robots import MAX_ROBOTS_BYTES

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from bonmun.errors import BonmunError
    from bonmun.scale.crawl.fetch.exchange import Exchange
    from bonmun.scale.crawl.fetch.reading import ReadRequest
    from bonmun.scale.crawl.fetch.rendering import CrawlRenderer
    from bonmun.scale.crawl.frontier.frontier import Frontier
    from bonmun.scale.crawl.frontier.tickets import Claim

__all__ = ["FetchHandler"]

BODIES_PER_REQUEST = 2  # responses in memory, received or being read, for each request that may be in flight
MAX_DELAY_SECONDS = 60.0  # between two requests; a longer delay in robots.txt is reduced to this


class FetchHandler(BaseDownloadHandler):
    """Fetches and reads claimed URLs.

    The exchange and its content are put into the request's meta; the response serves only Scrapy's throttle.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        spider: Any = crawler.spider
        self.frontier: Frontier = spider.frontier
        self.fetcher = Fetcher(spider.plan)
        self.reader = ResponseReader(spider.plan)
        self.bodies = asyncio.Semaphore(BODIES_PER_REQUEST * spider.plan.requests)
        self.renderer: CrawlRenderer | None = spider.renderer
        self.last_active: dict[str, float] = {}  # time of the last request to or response from each host
        self.locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def download_request(self, request: Request) -> Response:
        """Wait until the host may receive a request, and send it."""
        claim: Claim = request.meta["claim"]
        await self._wait_for_host(claim)
        async with self.bodies:
            started = monotonic()
            try:
                exchange = await self._fetch(claim)
            finally:
                self.last_active[claim.host] = monotonic()
            request.meta["download_latency"] = monotonic() - started
            request.meta["exchange"] = exchange
            to_read = make_request(self.fetcher.plan, claim, exchange)
            content = await self.reader.read(to_read) if is_readable(claim.kind, exchange) else None
        await self.fetcher.close_idle()
        if self.renderer and isinstance(content, PageContent) and content.html is not None:
            content = await self._render(self.renderer, to_read, content)
            self.last_active[claim.host] = monotonic()  # rendering loads scripts and images from the host
        request.meta["content"] = content
        return Response(request.url, status=exchange.status, request=request)

    async def _fetch(self, claim: Claim) -> Exchange:
        headers = {}
        if claim.etag:
            headers["If-None-Match"] = claim.etag
        if claim.modified:
            headers["If-Modified-Since"] = claim.modified
        url = claim.url.partition("#")[0]
        first_bytes = MAX_ROBOTS_BYTES if claim.kind == "robots" else None
        return await self.fetcher.fetch(
            url, headers, lambda status, kind: is_body_wanted(claim.kind, status, kind), first_bytes
        )

    async def _render(
        self, renderer: CrawlRenderer, to_read: ReadRequest, content: PageContent
    ) -> PageContent | BonmunError:
        """Render a page, and return the content of both versions; without a browser, that of the fetched one."""
        assert content.html is not None
        rendered = await renderer.render(to_read.exchange.url, content.html)
        content = replace(content, html=None, problem=rendered.problem)
        if rendered.snapshot is None:
            return content
        both = await self.reader.read(to_read._replace(snapshot=rendered.snapshot))
        if not isinstance(both, PageContent):
            return replace(content, problem=f"not rendered: {both}")
        return replace(both, snapshot=rendered.snapshot, problem=rendered.problem)

    async def _wait_for_host(self, claim: Claim) -> None:
        """Wait as long as the politeness delay, Retry-After and Crawl-delay require."""
        name = claim.host
        host = self.frontier.queue.hosts[name]
        async with self.locks[name]:
            crawl_delay = host.robots.delay if host.robots else None
            delay = max(self.fetcher.plan.delay, min(crawl_delay or 0.0, MAX_DELAY_SECONDS))
            next_request = self.last_active.get(name, -inf) + delay
            wait = max(host.ready - time(), claim.ready - time(), next_request - monotonic())
            if wait > 0:
                await asyncio.sleep(wait)
            self.last_active[name] = monotonic()

    async def close(self) -> None:
        """Close all connections, and end the child processes."""
        await self.fetcher.close()
        await self.reader.close()
