"""The browser of the service, started when the first page is rendered."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from bonmun.app.serve.jobs import JobResponse, RenderSource
from bonmun.errors import RenderFailed, TooBusy

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bonmun.app.serve.jobs import JobRequest
    from bonmun.app.serve.settings import ServiceOptions
    from bonmun.scale.browser import Browser

__all__ = ["ServiceRenderer", "run_with_browser"]

MAX_OPEN_PAGES = 2  # rendered at a time
MAX_WAITING_PAGES = 16
MAX_RENDER_SECONDS = 600.0  # the longest timeout that a browser accepts


class ServiceRenderer:
    """A browser that renders pages until it is stopped. It enforces limits on time, memory and network itself."""

    def __init__(self, settings: ServiceOptions) -> None:
        self.settings = settings
        self.open = 0  # pages that are being rendered or wait
        self._turn = asyncio.Semaphore(MAX_OPEN_PAGES)
        self._starting = asyncio.Lock()
        self._browser: Browser | None = None

    async def render(self, source: RenderSource) -> bytes:
        """Render a page and return its packed snapshot."""
        if self.open >= MAX_OPEN_PAGES + MAX_WAITING_PAGES:
            raise TooBusy(f"{self.open} pages are being rendered or waiting; try again later.")
        self.open += 1
        try:
            async with self._turn:
                browser = await self._start()
                return await asyncio.to_thread(_render, browser, source)
        finally:
            self.open -= 1

    async def stop(self) -> None:
        """Close the browser."""
        browser, self._browser = self._browser, None
        if browser:
            await asyncio.to_thread(browser.close)

    async def _start(self) -> Browser:
        from bonmun.scale.browser import Browser, RenderOptions

        async with self._starting:
            if self._browser is None:
                options = RenderOptions(
                    timeout=min(self.settings.seconds, MAX_RENDER_SECONDS),
                    network=self.settings.network,
                    allow_private=self.settings.allow_private,
                )
                self._browser = await asyncio.to_thread(Browser(options).__enter__)
            return self._browser


async def run_with_browser(
    run: Callable[[JobRequest], Awaitable[JobResponse | RenderSource]], request: JobRequest, renderer: ServiceRenderer
) -> JobResponse:
    """Run a job; if it needs the page as rendered, render it and run the job again."""
    answer = await run(request)
    if isinstance(answer, RenderSource):
        answer = await run(replace(request, snapshot=await renderer.render(answer)))
    assert isinstance(answer, JobResponse)
    return answer


def _render(browser: Browser, source: RenderSource) -> bytes:
    from bonmun.scale.browser import RenderJob
    from bonmun.snapshots import pack_snapshot

    asked, own = source.rendering, browser.options
    options = replace(
        own, wait=min(asked.wait, own.timeout), wait_for=asked.wait_for, scroll=asked.scroll, click=asked.click
    )
    name = "The page" if source.html else source.url or ""
    [done] = browser.render_all([RenderJob(name, source.url, source.html, options=options)])
    if done.snapshot is None:
        raise done.problem or RenderFailed("The page could not be rendered.")
    return pack_snapshot(done.snapshot)
