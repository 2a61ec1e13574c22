"""A browser for the service: started when the first page is to be laid out, two pages at a time, a few waiting."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bonmun.errors import RenderFailed, TooBusy

if TYPE_CHECKING:
    from bonmun.app.serve.settings import ServiceOptions
    from bonmun.scale.browser import Browser

__all__ = ["Renderer"]

PAGES = 2  # at a time
WAITING = 16  # pages
LONGEST_SECONDS = 600.0  # that a browser takes for a page


class Renderer:
    """Lays pages out, until it is stopped. The browser keeps limits on time, memory and network itself."""

    def __init__(self, settings: ServiceOptions) -> None:
        self.settings = settings
        self.open = 0  # pages that are laid out, or wait
        self._turn = asyncio.Semaphore(PAGES)
        self._starting = asyncio.Lock()
        self._browser: Browser | None = None

    async def render(self, url: str | None, html: str | None) -> bytes:
        """Lay a page out; gives its snapshot, packed."""
        if self.open >= PAGES + WAITING:
            raise TooBusy(f"{self.open} pages are laid out or wait already; ask again later.")
        self.open += 1
        try:
            async with self._turn:
                browser = await self._start()
                return await asyncio.to_thread(_render, browser, url, html)
        finally:
            self.open -= 1

    async def stop(self) -> None:
        """End the browser."""
        browser, self._browser = self._browser, None
        if browser:
            await asyncio.to_thread(browser.close)

    async def _start(self) -> Browser:
        from bonmun.scale.browser import Browser, RenderOptions

        async with self._starting:
            if self._browser is None:
                options = RenderOptions(
                    timeout=min(self.settings.seconds, LONGEST_SECONDS),
                    network=self.settings.network,
                    allow_private=self.settings.allow_private,
                )
                self._browser = await asyncio.to_thread(Browser(options).__enter__)
            return self._browser


def _render(browser: Browser, url: str | None, html: str | None) -> bytes:
    from bonmun.scale.browser import RenderJob
    from bonmun.snapshots import pack_snapshot

    [done] = browser.render_all([RenderJob("The page" if html else url or "", url, html)])
    if done.snapshot is None:
        raise done.problem or RenderFailed("The page could not be laid out.")
    return pack_snapshot(done.snapshot)
