"""The crawl as Scrapy sees it: requests from the frontier, answers to the visits; Scrapy has the loop and the pace."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from scrapy import Spider

from bonmun.errors import BonmunError, FetchFailed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.http import Response

    from bonmun.crawl.frontier import Frontier
    from bonmun.crawl.plan import CrawlPlan
    from bonmun.crawl.visits import Visits

__all__ = ["FrontierSpider", "make_settings"]

HANDLER = "bonmun.crawl.handler.FetchHandler"
HANDED_OUT = 1000  # requests that wait for their host's turn, or are on their way
SLOWEST_SECONDS = 60.0  # that AutoThrottle may put between two requests


class FrontierSpider(Spider):
    """Hands answers on; it makes no request of its own."""

    name = "bonmun"

    def __init__(self, plan: CrawlPlan, frontier: Frontier, visits: Visits, **more: Any) -> None:
        super().__init__(**more)
        self.plan = plan
        self.frontier = frontier
        self.visits = visits

    async def start(self) -> AsyncIterator[Any]:
        """Nothing: the seeds are in the frontier."""
        return
        yield

    def parse(self, response: Response) -> None:
        """An answer."""
        assert response.request
        self.visits.take_answer(response.request.meta["ticket"], response.request.meta["exchange"])

    def take_failure(self, failure: Any) -> None:
        """No answer."""
        problem = failure.value
        if not isinstance(problem, BonmunError):  # a fault of ours, or of a library: the page fails, the crawl goes on
            logging.getLogger(__name__).error("%s: %r", failure.request.url, problem)
            problem = FetchFailed(f"{failure.request.url} could not be fetched: {problem!r}.")
        self.visits.take_failure(failure.request.meta["ticket"], problem)


def make_settings(plan: CrawlPlan) -> dict[str, Any]:
    """Scrapy's settings: its loop, its slots for each host, its AutoThrottle; all else is ours."""
    return {
        "TWISTED_REACTOR_ENABLED": False,
        "SCHEDULER": "bonmun.crawl.scheduler.FrontierScheduler",
        "DOWNLOAD_HANDLERS_BASE": {},
        "DOWNLOAD_HANDLERS": {"http": HANDLER, "https": HANDLER},
        "DOWNLOADER_MIDDLEWARES_BASE": {},
        "SPIDER_MIDDLEWARES_BASE": {},
        "CONCURRENT_REQUESTS": HANDED_OUT,
        "CONCURRENT_REQUESTS_PER_DOMAIN": plan.connections,
        "DOWNLOAD_DELAY": plan.delay,
        "DOWNLOAD_DELAY_JITTER": 0.0,
        "AUTOTHROTTLE_ENABLED": plan.delay > 0,
        "AUTOTHROTTLE_START_DELAY": plan.delay,
        "AUTOTHROTTLE_MAX_DELAY": max(SLOWEST_SECONDS, plan.delay),
        "AUTOTHROTTLE_TARGET_CONCURRENCY": float(plan.connections),
        "LOG_LEVEL": "ERROR",
        "EXTENSIONS_BASE": {"scrapy.extensions.throttle.AutoThrottle": 0},
    }
