"""The crawl as Scrapy sees it: requests from the frontier, answers to the visits; Scrapy has the loop and the pace."""

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

    from bonmun.scale.crawl.fetch.rendering import Renderer
    from bonmun.scale.crawl.frontier.frontier import Frontier
    from bonmun.scale.crawl.frontier.tickets import Ticket
    from bonmun.scale.crawl.plan import CrawlPlan
    from bonmun.scale.crawl.visits import Visits

__all__ = ["FrontierSpider", "make_settings"]

HANDLER = "bonmun.scale.crawl.fetch.handler.FetchHandler"
HANDED_OUT = 1000  # requests that wait for their host's turn, or are on their way
SLOWEST_SECONDS = 60.0  # that AutoThrottle may put between two requests


class FrontierSpider(Spider):
    """Hands answers on; it makes no request of its own."""

    name = "bonmun"

    def __init__(
        self, plan: CrawlPlan, frontier: Frontier, visits: Visits, renderer: Renderer | None = None, **more: Any
    ) -> None:
        super().__init__(**more)
        self.plan = plan
        self.frontier = frontier
        self.visits = visits
        self.renderer = renderer
        self.problem: Exception | None = None  # that no request can be made after

    async def start(self) -> AsyncIterator[Any]:
        """Nothing: the seeds are in the frontier."""
        return
        yield

    def parse(self, response: Response) -> None:
        """An answer."""
        assert response.request
        meta = response.request.meta
        with self._breaking_off():
            try:
                self.visits.take_answer(meta["ticket"], meta["exchange"], meta.get("layout"))
            except (OSError, sqlite3.Error):
                raise
            except Exception as problem:  # a fault of ours: the page fails, the crawl goes on
                self.fail(meta["ticket"], problem, is_final=True)

    def take_failure(self, failure: Any) -> None:
        """No answer."""
        problem, ticket = failure.value, failure.request.meta["ticket"]
        if not isinstance(problem, BonmunError):  # a fault of ours, or of a library
            self.fail(ticket, problem)
            return
        with self._breaking_off():
            self.visits.take_failure(ticket, problem)

    def fail(self, ticket: Ticket, problem: Exception, *, is_final: bool = False) -> None:
        """A page cannot be worked on, though no one knows why."""
        logging.getLogger(__name__).error("%s: %r", ticket.url, problem, exc_info=problem)
        with self._breaking_off():
            what = FetchFailed(f"{ticket.url} could not be worked on: {problem!r}.")
            self.visits.take_failure(ticket, what, is_final=is_final)

    @contextmanager
    def _breaking_off(self) -> Iterator[None]:
        """What cannot be written ends the crawl: else URLs would stay on their way, and it would never end."""
        try:
            yield
        except Exception as problem:  # raised again, as what ends a crawl
            self.problem = self.problem or problem
            raise CloseSpider("broken off") from problem


def make_settings(plan: CrawlPlan) -> dict[str, Any]:
    """Scrapy's settings: its loop, its slots for each host, its AutoThrottle; all else is ours."""
    return {
        "TWISTED_REACTOR_ENABLED": False,
        "SCHEDULER": "bonmun.scale.crawl.frontier.scheduler.FrontierScheduler",
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
        "CONCURRENT_ITEMS": 1,  # it starts as many tasks for every answer, and we yield none
        "LOG_LEVEL": "ERROR",
        "EXTENSIONS_BASE": {"scrapy.extensions.throttle.AutoThrottle": 0},
    }
