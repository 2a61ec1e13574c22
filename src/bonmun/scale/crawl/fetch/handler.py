"""A Scrapy download handler that fetches with `Fetcher`."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from math import inf
from time import monotonic, time
from typing import TYPE_CHECKING, Any

from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.http import Response

from bonmun.scale.crawl.fetch.fetcher import Fetcher
from bonmun.scale.crawl.fetch.robots import MAX_ROBOTS_BYTES
from bonmun.scale.crawl.visits import is_body_wanted

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from bonmun.scale.crawl.fetch.rendering import CrawlRenderer
    from bonmun.scale.crawl.frontier.frontier import Frontier
    from bonmun.scale.crawl.frontier.tickets import Claim

__all__ = ["FetchHandler"]

MAX_DELAY_SECONDS = 60.0  # between two requests; a longer delay in robots.txt is reduced to this


class FetchHandler(BaseDownloadHandler):
    """Fetches claimed URLs. The exchange is put into the request's meta; the response serves only Scrapy's throttle."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        spider: Any = crawler.spider
        self.frontier: Frontier = spider.frontier
        self.fetcher = Fetcher(spider.plan)
        self.renderer: CrawlRenderer | None = spider.renderer
        self.last_active: dict[str, float] = {}  # time of the last request to or response from each host
        self.locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def download_request(self, request: Request) -> Response:
        """Wait until the host may receive a request, and send it."""
        claim: Claim = request.meta["claim"]
        await self._wait_for_host(claim)
        headers = {}
        if claim.etag:
            headers["If-None-Match"] = claim.etag
        if claim.modified:
            headers["If-Modified-Since"] = claim.modified
        started = monotonic()
        url = claim.url.partition("#")[0]
        first_bytes = MAX_ROBOTS_BYTES if claim.kind == "robots" else None
        try:
            exchange = await self.fetcher.fetch(
                url, headers, lambda status, kind: is_body_wanted(claim.kind, status, kind), first_bytes
            )
        finally:
            self.last_active[claim.host] = monotonic()
        await self.fetcher.close_idle()
        request.meta["download_latency"] = monotonic() - started
        request.meta["exchange"] = exchange
        if self.renderer:
            request.meta["versions"] = await self.renderer.render_page(claim, exchange)
            self.last_active[claim.host] = monotonic()  # rendering loads scripts and images from the host
        return Response(request.url, status=exchange.status, request=request)

    async def _wait_for_host(self, claim: Claim) -> None:
        """Wait as long as the politeness delay, Retry-After and Crawl-delay require."""
        name = claim.host
        host = self.frontier.queue.hosts[name]
        async with self.locks[name]:
            crawl_delay = host.robots.find_delay(self.fetcher.plan.agent) if host.robots else None
            delay = max(self.fetcher.plan.delay, min(crawl_delay or 0.0, MAX_DELAY_SECONDS))
            next_request = self.last_active.get(name, -inf) + delay
            wait = max(host.ready - time(), claim.ready - time(), next_request - monotonic())
            if wait > 0:
                await asyncio.sleep(wait)
            self.last_active[name] = monotonic()

    async def close(self) -> None:
        """Close all connections."""
        await self.fetcher.close()
