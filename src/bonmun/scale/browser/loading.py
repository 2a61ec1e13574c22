"""Load one page in its own browser context, wait until it is rendered, and measure it.

interceptor.py decides about all requests of the page, waiting.py when it is rendered, measure.js measures it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

from bonmun.bounds import MAX_ELEMENTS
from bonmun.errors import RenderFailed
from bonmun.scale.browser.interceptor import END_COMMENT, RequestInterceptor
from bonmun.scale.browser.kept_responses import ResponseKeeper
from bonmun.scale.browser.waiting import PageWaiter, check_selectors
from bonmun.scale.browser.worlds import IsolatedWorld, read_script
from bonmun.scale.web.addresses import resolve_host
from bonmun.scale.web.download import check_response, check_url

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Page, Response

    from bonmun.scale.browser.jobs import RenderJob
    from bonmun.scale.browser.kept_responses import KeptResponse
    from bonmun.scale.browser.render_options import RenderOptions

__all__ = ["LoadResult", "PageCallback", "load"]

CLOSE_SECONDS = 5.0
RESOLVE_SECONDS = 10.0
MAX_HTML_CHARS = 100_000_000  # of the rendered page; later elements are left out
# WebRTC sends UDP packets past the proxy in some browsers, and no text depends on it. Workers do not have it.
NO_WEBRTC = "delete globalThis.RTCPeerConnection; delete globalThis.webkitRTCPeerConnection;"
# Called with a rendered page: its session, the number of an isolated world in it, and its measurements.
PageCallback = Callable[["CDPSession", int, dict[str, Any]], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class LoadResult:
    """The measurements of a rendered page."""

    measurements: dict[str, Any]  # the JSON object that measure.js returns
    value: Any  # returned by the callback
    seconds: float
    measuring_seconds: float  # of these, for measure.js
    loaded: tuple[KeptResponse, ...] = ()  # from the network, if the job says to keep it
    notes: tuple[str, ...] = ()  # what did not go as asked, or why the page stayed empty


class _Measurer:
    """Measures a page in its isolated world, and the time that takes."""

    def __init__(self, world: IsolatedWorld) -> None:
        self.world = world
        self.seconds = 0.0

    async def measure(self) -> dict[str, Any]:
        """Return the measurements of the page as it is now."""
        began = monotonic()
        text = await self.world.call(read_script("measure.js"), MAX_ELEMENTS, MAX_HTML_CHARS, END_COMMENT)
        measurements: dict[str, Any] = json.loads(text)
        self.seconds += monotonic() - began
        return measurements


async def load(
    browser: Browser,
    proxy: str,
    job: RenderJob,
    options: RenderOptions,
    *,
    scripts: bool,
    then: PageCallback | None = None,
) -> LoadResult:
    """Render and measure a page, and call `then` while it is still loaded. `proxy` is used if it has network access.

    Raise TimeoutError, RenderFailed or an error of Playwright if this fails.
    """
    start = monotonic()
    options = job.options or options
    is_open = options.network or job.html is None
    width, height = options.viewport
    closing: list[asyncio.Future[None]] = []  # references to the tasks that close pop-ups
    creating = browser.new_context(
        viewport={"width": width, "height": height},
        user_agent=options.user_agent,
        locale=options.language,
        java_script_enabled=scripts,
        service_workers="block",
        accept_downloads=False,
        offline=not is_open,  # also blocks web sockets, which cannot be intercepted
        reduced_motion="reduce",
        proxy={"server": proxy, "bypass": "<-loopback>"} if is_open else None,  # otherwise the proxy that refuses all
    )
    context = await asyncio.wait_for(creating, options.timeout)
    task = asyncio.current_task()
    crashes: list[bool] = []
    assert task

    def note_crash(_: object) -> None:  # pending commands would wait for ever
        crashes.append(True)
        task.cancel()

    try:
        async with asyncio.timeout(options.timeout) as limit:
            await context.add_init_script(NO_WEBRTC)
            if scripts:
                await context.add_init_script(read_script("timers.js"))
            page = await context.new_page()
            page.on("crash", note_crash)
            context.on("page", lambda popup: closing.append(asyncio.ensure_future(_close_quietly(popup))))
            session = await context.new_cdp_session(page)
            requests = await RequestInterceptor.attach(session, job, is_open=is_open)
            keeper = ResponseKeeper(session) if job.keep else None
            page.on("worker", requests.note_worker)
            await _open(page, job, options)
            world = IsolatedWorld(session)
            measurer = _Measurer(world)

            def extend(seconds: float) -> None:
                limit.reschedule((limit.when() or 0.0) + seconds)

            waiter = PageWaiter(world, requests, options, measurer.measure, extend)
            if scripts:
                await check_selectors(world, options)
                measurements = await waiter.run()
            else:
                await _wait_until_parsed(world)
                measurements = await measurer.measure()
            if requests.has_navigated and not measurements["isWhole"]:
                raise RenderFailed("It navigates to another page before it is loaded.")
            loaded = await keeper.finish() if keeper else ()
            if keeper and keeper.lost:
                waiter.notes.append(f"--warc: {keeper.lost:,} responses were too large or gone, and are missing.")
            value = await then(session, await world.find(), measurements) if then else None
        seconds = monotonic() - start
        return LoadResult(measurements, value, seconds, measurer.seconds, loaded, tuple(waiter.notes))
    except asyncio.CancelledError:
        if not crashes:
            raise
        task.uncancel()
        raise RenderFailed("Its process crashed, or took too much memory.") from None
    finally:
        await _close(context)


async def _close_quietly(page: Page) -> None:
    from playwright.async_api import Error

    with suppress(Error):
        await page.close()


async def _close(context: BrowserContext) -> None:
    """Close a context. Raise TimeoutError if it cannot be closed, because the browser hangs."""
    from playwright.async_api import Error

    closing = asyncio.ensure_future(context.close())
    closing.add_done_callback(
        lambda task: task.cancelled() or task.exception()
    )  # asyncio logs errors that nobody reads
    with suppress(Error):
        await asyncio.wait_for(asyncio.shield(closing), CLOSE_SECONDS)


async def _open(page: Page, job: RenderJob, options: RenderOptions) -> None:
    """Open the URL and wait for the first bytes. Refuse the same URLs and responses as `fetch`."""
    from playwright.async_api import Error

    if job.html is None:
        host = check_url(job.target, job.name).raw_host.decode("ascii")
        if not options.resolve:
            await asyncio.to_thread(resolve_host, host, job.name, RESOLVE_SECONDS, options.allow_private)
    responses: list[Response] = []  # goto() raises for some of them, such as a 404 without a body
    page.on("response", lambda each: responses.append(each) if each.request.is_navigation_request() else None)
    problem = None
    try:
        response = await page.goto(job.target, wait_until="commit", timeout=0)
    except Error as raised:
        problem = _shorten(raised)
        if "closed" in problem or "crash" in problem:
            raise
        response = responses[-1] if responses else None
    if job.html is None and response:
        check_response(response.status, response.headers.get("content-type", ""), job.name)
    if problem:
        raise RenderFailed(f"The browser could not load it: {problem}.")  # a file download, no connection, …


async def _wait_until_parsed(world: IsolatedWorld) -> None:
    """Wait until a page without scripts is parsed; it has no events or timers either."""
    while await world.call("() => document.readyState") == "loading":
        await asyncio.sleep(0.02)


def _shorten(problem: Exception) -> str:
    """Return the first line of an error message, without the additions of Playwright."""
    line = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
    return line.partition(" at ")[0].removeprefix("Page.goto: ").rstrip(".")[:200]
