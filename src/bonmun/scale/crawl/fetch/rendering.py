"""Render pages of a crawl in a browser.

The browser is given the fetched HTML and loads only subresources (scripts, data, style sheets, images), through its
guard and within the politeness slot of the host. What a known robots.txt disallows is not loaded.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from bonmun._version import __version__
from bonmun.errors import BonmunError, RenderFailed
from bonmun.scale.browser import Browser, RenderJob, RenderOptions
from bonmun.scale.browser.render_options import RENDER_DEFAULTS
from bonmun.scale.crawl.discover.urls import normalise_url
from bonmun.scale.crawl.frontier.turns import get_netloc
from bonmun.scale.web.download import shorten_url
from bonmun.snapshots import pack_snapshot

if TYPE_CHECKING:
    from bonmun.scale.crawl.frontier.frontier import Frontier
    from bonmun.scale.crawl.plan import CrawlPlan
    from bonmun.snapshots import Snapshot

__all__ = ["CrawlRenderer", "RenderedPage"]

MAX_PARALLEL_PAGES = 2
TIMEOUT_FACTOR = 6  # times the page timeout: a page is tried with and without scripts, and in a restarted browser
START_SECONDS = 90.0
QUIET_SECONDS = 0.5  # without a change: shells often wait a little before they load their content


class RenderedPage(NamedTuple):
    """The snapshot of a page; None, and the reason, if it could not be rendered."""

    snapshot: bytes | None = None
    problem: str | None = None  # also why it was rendered without its scripts


class CrawlRenderer:
    """The browser of a crawl, started when the first page needs it."""

    def __init__(self, plan: CrawlPlan, frontier: Frontier) -> None:
        self.plan = plan
        self.frontier = frontier
        self.options = RenderOptions(
            user_agent=f"Mozilla/5.0 (compatible; {plan.agent}/{__version__}; +https://pypi.org/project/bonmun/)",
            timeout=min(RENDER_DEFAULTS.timeout, plan.timeout),
            quiet=QUIET_SECONDS,
            network=True,
            allow_private=plan.allow_private,
            resolve=plan.resolve,
        )
        self.semaphore = asyncio.Semaphore(MAX_PARALLEL_PAGES)
        self.start_lock = asyncio.Lock()
        self.browser: Browser | None = None
        self.failure: BonmunError | None = None  # why the browser could not be started

    async def render(self, url: str, html: str) -> RenderedPage:
        """Render a page that was fetched. Never raises."""
        try:
            snapshot = await self._render(url, html)
            data = await asyncio.to_thread(pack_snapshot, snapshot)
        except BonmunError as problem:
            return RenderedPage(problem=f"not rendered: {problem}")
        return RenderedPage(data, snapshot.problem and f"rendered {snapshot.problem}")

    async def _render(self, url: str, html: str) -> Snapshot:
        name = shorten_url(url)
        async with self.semaphore:
            browser = await self._start()
            job = RenderJob(name, url, html, may_load=self._may_load)
            try:
                async with asyncio.timeout(TIMEOUT_FACTOR * self.options.timeout + START_SECONDS):
                    done = await asyncio.wrap_future(browser.submit(job))
            except TimeoutError:
                raise RenderFailed(f"The browser did not respond while rendering {name}.") from None
        if done.problem:
            raise done.problem
        assert done.snapshot
        return done.snapshot

    async def _start(self) -> Browser:
        async with self.start_lock:
            if self.failure:
                raise self.failure
            if self.browser is None:
                browser = Browser(self.options)
                try:
                    await asyncio.to_thread(browser.__enter__)
                except BonmunError as problem:
                    self.failure = problem
                    raise
                except (OSError, TimeoutError) as problem:
                    self.failure = RenderFailed(f"The browser could not be started: {problem!r}.")
                    raise self.failure from problem
                self.browser = browser
        return self.browser

    def _may_load(self, url: str) -> bool:
        """Return whether the robots.txt of the host, if known, allows a subresource to be loaded."""
        target = normalise_url(url)
        host = self.frontier.queue.find(get_netloc(target)) if target else None
        return host is None or host.robots is None or host.robots.allows(target or "")

    def close(self) -> None:
        """Close the browser."""
        if self.browser:
            self.browser.close()
            self.browser = None
