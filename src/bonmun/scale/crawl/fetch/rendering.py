"""Pages of a crawl in a browser: which of them, and in the turn of their host, so that nobody else is asked meanwhile.

The page itself is not fetched again: the browser is given what came, and loads what that asks for (scripts, data,
style sheets, images) through its guard. What a robots.txt that is known does not allow is not loaded.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bonmun._version import __version__
from bonmun.errors import BonmunError, RenderFailed
from bonmun.page import Page
from bonmun.page.parse.decode import decode
from bonmun.scale.browser import Browser, RenderJob, RenderOptions
from bonmun.scale.browser.render_options import RENDER_DEFAULTS
from bonmun.scale.crawl.discover.urls import normalise_url
from bonmun.scale.crawl.fetch.empty_shells import is_shell
from bonmun.scale.crawl.fetch.layouts import Layout
from bonmun.scale.crawl.frontier.turns import name_host
from bonmun.scale.crawl.visits import PAGE_TYPES
from bonmun.scale.web.download import shorten_url
from bonmun.snapshots import pack_snapshot

if TYPE_CHECKING:
    from bonmun.scale.crawl.fetch.exchange import Exchange
    from bonmun.scale.crawl.frontier.frontier import Frontier
    from bonmun.scale.crawl.frontier.tickets import Ticket
    from bonmun.scale.crawl.plan import CrawlPlan
    from bonmun.snapshots import Snapshot

__all__ = ["Renderer"]

PAGES_AT_A_TIME = 2
ALL_TRIES = 6  # so often the time limit of a page: it is tried with and without scripts, and with a browser anew
START_SECONDS = 90.0
QUIET_SECONDS = 0.5  # without a change: shells often wait a little before they fill themselves


class Renderer:
    """One browser for a crawl, started when the first page needs it."""

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
        self.room = asyncio.Semaphore(PAGES_AT_A_TIME)
        self.starting = asyncio.Lock()
        self.browser: Browser | None = None
        self.failure: BonmunError | None = None  # why there is no browser

    async def lay_out(self, ticket: Ticket, exchange: Exchange) -> Layout | None:
        """The page of an answer, rendered if it is to be; None where there is no page. Nothing here fails."""
        is_page = 200 <= exchange.status < 300 and exchange.content_type in PAGE_TYPES
        if ticket.kind not in ("page", "result") or not is_page:
            return None
        try:
            body = exchange.decode_body(self.plan.max_bytes)
            page = Page.parse(body, exchange.url, exchange.charset, max_bytes=self.plan.max_bytes)
            if not self._needs_browser(exchange.url, page):
                return Layout(page)
            html = decode(body, exchange.charset, exchange.url)[0]
        except BonmunError:  # whoever reads the answer after us says the same
            return None
        try:
            snapshot = await self._render(exchange.url, html)
            shown = Page.from_snapshot(snapshot, exchange.url, max_bytes=self.plan.max_bytes)
            data = await asyncio.to_thread(pack_snapshot, snapshot)
        except BonmunError as problem:
            return Layout(page, problem=f"not rendered: {problem}")
        return Layout(page, shown, data, snapshot.problem and f"rendered {snapshot.problem}")

    def _needs_browser(self, url: str, page: Page) -> bool:
        if self.plan.render == "always" or self.plan.is_rendered(url):
            return True
        return self.plan.render == "auto" and is_shell(page)

    async def _render(self, url: str, html: str) -> Snapshot:
        name = shorten_url(url)
        async with self.room:
            browser = await self._start()
            job = RenderJob(name, url, html, may_load=self._may_load)
            try:
                async with asyncio.timeout(ALL_TRIES * self.options.timeout + START_SECONDS):
                    done = await asyncio.wrap_future(browser.submit(job))
            except TimeoutError:
                raise RenderFailed(f"{name} was given to a browser that gave no answer.") from None
        if done.problem:
            raise done.problem
        assert done.snapshot
        return done.snapshot

    async def _start(self) -> Browser:
        async with self.starting:
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
                    self.failure = RenderFailed(f"The browser does not start: {problem!r}.")
                    raise self.failure from problem
                self.browser = browser
        return self.browser

    def _may_load(self, url: str) -> bool:
        """Whether the robots.txt of a host, if it is known, lets a page load something from it."""
        address = normalise_url(url)
        host = self.frontier.turns.find(name_host(address)) if address else None
        return host is None or host.robots is None or host.robots.allows(address or "", self.plan.agent)

    def close(self) -> None:
        """End the browser."""
        if self.browser:
            self.browser.close()
            self.browser = None
