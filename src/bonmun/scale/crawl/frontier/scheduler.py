"""The frontier as Scrapy's scheduler: requests come from it alone, and it is not Scrapy that remembers them."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.core.scheduler import BaseScheduler

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from bonmun.scale.crawl.frontier.frontier import Frontier

__all__ = ["FrontierScheduler"]

AHEAD_SECONDS = (
    6.0  # that a request may be given out before its time: Scrapy asks every five seconds, if nothing happens
)


class FrontierScheduler(BaseScheduler):
    """Gives out what the frontier says; the frontier is the spider's."""

    def __init__(self, spider: Any) -> None:
        self.spider = spider
        self.frontier: Frontier = spider.frontier

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> FrontierScheduler:
        """As Scrapy makes it."""
        return cls(crawler.spider)

    def has_pending_requests(self) -> bool:
        """Whether the crawl goes on."""
        return self.spider.problem is None and self.frontier.has_waiting

    def enqueue_request(self, request: Request) -> bool:
        """Nothing comes this way: links go into the frontier with the page that they stand on."""
        return False

    def next_request(self) -> Request | None:
        """A request whose host may be asked within some seconds; the handler waits for the rest of them."""
        while self.spider.problem is None:
            try:
                ticket = self.frontier.take(time() + AHEAD_SECONDS, time())
            except Exception as problem:  # the list cannot be read or written: Scrapy would only ask again, for ever
                self.spider.problem = problem
                return None
            if ticket is None:
                return None
            meta = {"ticket": ticket, "download_slot": ticket.host}
            try:
                return Request(ticket.url, meta=meta, errback=self.spider.take_failure, dont_filter=True)
            except ValueError as problem:  # no address, in the eyes of Scrapy
                self.spider.fail(ticket, problem, is_final=True)
        return None
