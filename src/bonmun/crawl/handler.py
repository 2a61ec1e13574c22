"""Scrapy's way to our fetcher: a download handler that keeps answers as they were received."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from time import monotonic, time
from typing import TYPE_CHECKING, Any

from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.http import Response

from bonmun.crawl.fetcher import Fetcher
from bonmun.crawl.visits import is_read

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from bonmun.crawl.frontier import Frontier, Ticket

__all__ = ["FetchHandler"]


class FetchHandler(BaseDownloadHandler):
    """Asks for what a ticket names; the exchange is in the request's meta, the response is for Scrapy's throttle."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        spider: Any = crawler.spider
        self.frontier: Frontier = spider.frontier
        self.fetcher = Fetcher(spider.plan)
        self.asked: dict[str, float] = {}  # when each host was asked last
        self.gates: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def download_request(self, request: Request) -> Response:
        """Wait for the host's time, and ask."""
        ticket: Ticket = request.meta["ticket"]
        await self._wait_for(ticket.host)
        headers = {}
        if ticket.etag:
            headers["If-None-Match"] = ticket.etag
        if ticket.modified:
            headers["If-Modified-Since"] = ticket.modified
        started = monotonic()
        url = ticket.url.partition("#")[0]
        exchange = await self.fetcher.fetch(url, headers, lambda status, kind: is_read(ticket.kind, status, kind))
        await self.fetcher.tidy()
        request.meta["download_latency"] = monotonic() - started
        request.meta["exchange"] = exchange
        return Response(request.url, status=exchange.status, request=request)

    async def _wait_for(self, name: str) -> None:
        """Until the host may be asked: it may have said when (Retry-After), and how often (Crawl-delay)."""
        host = self.frontier.turns.hosts[name]
        async with self.gates[name]:
            delay = host.robots.delay(self.fetcher.plan.agent) if host.robots else None
            pause = max(host.ready - time(), self.asked.get(name, 0.0) + (delay or 0.0) - monotonic())
            if pause > 0:
                await asyncio.sleep(pause)
            self.asked[name] = monotonic()

    async def close(self) -> None:
        """Close all connections."""
        await self.fetcher.close()
