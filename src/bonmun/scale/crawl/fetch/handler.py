"""Scrapy's way to our fetcher: a download handler that keeps answers as they were received."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from math import inf
from time import monotonic, time
from typing import TYPE_CHECKING, Any

from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.http import Response

from bonmun.scale.crawl.fetch.fetcher import Fetcher
from bonmun.scale.crawl.fetch.robots import ROBOTS_BYTES
from bonmun.scale.crawl.visits import is_read

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from bonmun.scale.crawl.fetch.rendering import Renderer
    from bonmun.scale.crawl.frontier.frontier import Frontier
    from bonmun.scale.crawl.frontier.tickets import Ticket

__all__ = ["FetchHandler"]

LONGEST_DELAY_SECONDS = 60.0  # between two requests, whatever robots.txt asks for


class FetchHandler(BaseDownloadHandler):
    """Asks for what a ticket names; what came is in the request's meta, the response is for Scrapy's throttle."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        spider: Any = crawler.spider
        self.frontier: Frontier = spider.frontier
        self.fetcher = Fetcher(spider.plan)
        self.renderer: Renderer | None = spider.renderer
        self.asked: dict[str, float] = {}  # when each host was asked last, or has answered
        self.gates: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def download_request(self, request: Request) -> Response:
        """Wait for the host's time, and ask."""
        ticket: Ticket = request.meta["ticket"]
        await self._wait_for(ticket)
        headers = {}
        if ticket.etag:
            headers["If-None-Match"] = ticket.etag
        if ticket.modified:
            headers["If-Modified-Since"] = ticket.modified
        started = monotonic()
        url = ticket.url.partition("#")[0]
        first_bytes = ROBOTS_BYTES if ticket.kind == "robots" else None
        try:
            exchange = await self.fetcher.fetch(
                url, headers, lambda status, kind: is_read(ticket.kind, status, kind), first_bytes
            )
        finally:
            self.asked[ticket.host] = monotonic()
        await self.fetcher.tidy()
        request.meta["download_latency"] = monotonic() - started
        request.meta["exchange"] = exchange
        if self.renderer:
            request.meta["layout"] = await self.renderer.lay_out(ticket, exchange)
            self.asked[ticket.host] = monotonic()  # the page has asked for its own parts
        return Response(request.url, status=exchange.status, request=request)

    async def _wait_for(self, ticket: Ticket) -> None:
        """Until the host may be asked: it may have said when (Retry-After), and how often (Crawl-delay)."""
        name = ticket.host
        host = self.frontier.turns.hosts[name]
        async with self.gates[name]:
            delay = host.robots.delay(self.fetcher.plan.agent) if host.robots else None
            gap = max(self.fetcher.plan.delay, min(delay or 0.0, LONGEST_DELAY_SECONDS))
            next_turn = self.asked.get(name, -inf) + gap
            pause = max(host.ready - time(), ticket.ready - time(), next_turn - monotonic())
            if pause > 0:
                await asyncio.sleep(pause)
            self.asked[name] = monotonic()

    async def close(self) -> None:
        """Close all connections."""
        await self.fetcher.close()
