"""The Scrapy spider: requests come from the frontier, responses go to the processor. Scrapy runs the event loop."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from scrapy import Spider
from scrapy.exceptions import CloseSpider

from bonmun.errors import BonmunError, FetchFailed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from scrapy.http import Response

    from bonmun.scale.crawl.fetch.rendering import CrawlRenderer
    from bonmun.scale.crawl.frontier.frontier import Frontier
    from bonmun.scale.crawl.frontier.tickets import Claim
    from bonmun.scale.crawl.plan import CrawlPlan
    from bonmun.scale.crawl.visits import ResponseProcessor

__all__ = ["FrontierSpider", "make_settings"]

HANDLER = "bonmun.scale.crawl.fetch.handler.FetchHandler"
MAX_OPEN_REQUESTS = 1000  # including those waiting for the politeness delay of their host
MAX_THROTTLE_SECONDS = 60.0  # that AutoThrottle may put between two requests


class FrontierSpider(Spider):
    """Passes responses and failures to the processor; makes no requests itself."""

    name = "bonmun"

    def __init__(
        self,
        plan: CrawlPlan,
        frontier: Frontier,
        processor: ResponseProcessor,
        renderer: CrawlRenderer | None = None,
        **more: Any,
    ) -> None:
        super().__init__(**more)
        self.plan = plan
        self.frontier = frontier
        self.processor = processor
        self.renderer = renderer
        self.problem: Exception | None = None  # the error that ended the crawl

    async def start(self) -> AsyncIterator[Any]:
        """Yield nothing: the seeds are in the frontier."""
        return
        yield

    def parse(self, response: Response) -> None:
        """Process a response."""
        assert response.request
        meta = response.request.meta
        with self._stop_on_error():
            try:
                self.processor.handle_response(meta["claim"], meta["exchange"], meta.get("content"))
            except (OSError, sqlite3.Error):
                raise
            except Exception as problem:  # a bug: the page fails, the crawl continues
                self.fail(meta["claim"], problem, is_final=True)

    def handle_failure(self, failure: Any) -> None:
        """Process a failed request."""
        problem, claim = failure.value, failure.request.meta["claim"]
        if not isinstance(problem, BonmunError):  # a bug, here or in a library
            self.fail(claim, problem)
            return
        with self._stop_on_error():
            self.processor.handle_failure(claim, problem)

    def fail(self, claim: Claim, problem: Exception, *, is_final: bool = False) -> None:
        """Log an unexpected error and mark the URL as failed."""
        logging.getLogger(__name__).error("%s: %r", claim.url, problem, exc_info=problem)
        with self._stop_on_error():
            failure = FetchFailed(f"{claim.url} could not be processed: {problem!r}.")
            self.processor.handle_failure(claim, failure, is_final=is_final)

    @contextmanager
    def _stop_on_error(self) -> Iterator[None]:
        """End the crawl on an error, for example a full disk; otherwise claimed URLs would never be finished."""
        try:
            yield
        except Exception as problem:
            self.problem = self.problem or problem
            raise CloseSpider("error") from problem


def make_settings(plan: CrawlPlan) -> dict[str, Any]:
    """Return the Scrapy settings. Only its event loop, its slots per host and AutoThrottle are used."""
    return {
        "TWISTED_REACTOR_ENABLED": False,
        "SCHEDULER": "bonmun.scale.crawl.frontier.scheduler.FrontierScheduler",
        "DOWNLOAD_HANDLERS_BASE": {},
        "DOWNLOAD_HANDLERS": {"http": HANDLER, "https": HANDLER},
        "DOWNLOADER_MIDDLEWARES_BASE": {},
        "SPIDER_MIDDLEWARES_BASE": {},
        "CONCURRENT_REQUESTS": MAX_OPEN_REQUESTS,
        "CONCURRENT_REQUESTS_PER_DOMAIN": plan.connections,
        "DOWNLOAD_DELAY": plan.delay,
        "DOWNLOAD_DELAY_JITTER": 0.0,
        "AUTOTHROTTLE_ENABLED": plan.delay > 0,
        "AUTOTHROTTLE_START_DELAY": plan.delay,
        "AUTOTHROTTLE_MAX_DELAY": max(MAX_THROTTLE_SECONDS, plan.delay),
        "AUTOTHROTTLE_TARGET_CONCURRENCY": float(plan.connections),
        "CONCURRENT_ITEMS": 1,  # Scrapy starts this many tasks for every response, and the spider yields no items
        "LOG_LEVEL": "ERROR",
        "EXTENSIONS_BASE": {"scrapy.extensions.throttle.AutoThrottle": 0},
    }
