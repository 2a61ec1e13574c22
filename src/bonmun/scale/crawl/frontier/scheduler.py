"""The frontier as a Scrapy scheduler. Scrapy itself stores no requests."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.core.scheduler import BaseScheduler

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from bonmun.scale.crawl.frontier.frontier import Frontier

__all__ = ["FrontierScheduler"]

LOOKAHEAD_SECONDS = 6.0  # requests are handed out this early, because an idle Scrapy asks only every five seconds


class FrontierScheduler(BaseScheduler):
    """Hands out the requests of the spider's frontier."""

    def __init__(self, spider: Any) -> None:
        self.spider = spider
        self.frontier: Frontier = spider.frontier

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> FrontierScheduler:
        """Create the scheduler, as Scrapy requires."""
        return cls(crawler.spider)

    def has_pending_requests(self) -> bool:
        """Return whether the crawl continues."""
        return self.spider.problem is None and self.frontier.has_waiting

    def enqueue_request(self, request: Request) -> bool:
        """Reject all requests: links are added to the frontier together with their page."""
        return False

    def next_request(self) -> Request | None:
        """Return a request that is due within LOOKAHEAD_SECONDS; the download handler waits for the rest."""
        while self.spider.problem is None:
            try:
                claim = self.frontier.take(time() + LOOKAHEAD_SECONDS, time())
            except Exception as problem:  # the frontier cannot be read or written; Scrapy would ask forever
                self.spider.problem = problem
                return None
            if claim is None:
                return None
            meta = {"claim": claim, "download_slot": claim.host}
            try:
                return Request(claim.url, meta=meta, errback=self.spider.handle_failure, dont_filter=True)
            except ValueError as problem:  # Scrapy does not accept the URL
                self.spider.fail(claim, problem, is_final=True)
        return None
