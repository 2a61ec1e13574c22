"""Load one page in its own browser context, wait until it is rendered, and measure it.

`_RequestInterceptor` decides about all requests: the page itself, its resources, and navigations to other pages. A page
that is given as HTML cannot navigate, and loads only files from `resources`, unless the network is allowed.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from bonmun.bounds import MAX_ELEMENTS
from bonmun.errors import RenderFailed
from bonmun.scale.web.addresses import resolve_host
from bonmun.scale.web.download import check_response, check_url

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Page, Response

    from bonmun.scale.browser.render_options import RenderOptions
    from bonmun.scale.browser.saved_files import Resources

__all__ = [
    "UNKNOWN_URL",
    "IsolatedWorld",
    "LoadResult",
    "PageCallback",
    "RenderJob",
    "call_function",
    "create_isolated_world",
    "load",
]

UNKNOWN_URL = "http://page.invalid/"  # for pages without a URL
MAX_NAVIGATIONS = 10  # of the page itself: redirects, and navigations by scripts
END_COMMENT = "bonmun: the end of the page"  # after the HTML of a page; shows whether all of it was parsed
PAUSE_SECONDS = 0.1
CLOSE_SECONDS = 5.0
RESOLVE_SECONDS = 10.0
MAX_HTML_CHARS = 100_000_000  # of the rendered page; later elements are left out
# WebRTC sends UDP packets past the proxy in some browsers, and no text depends on it. Workers do not have it.
NO_WEBRTC = "delete globalThis.RTCPeerConnection; delete globalThis.webkitRTCPeerConnection;"
AWAITED_TYPES = ("Script", "XHR", "Fetch", "Stylesheet")  # requests that can change the text, unlike images and frames
# Resolves when the page is parsed and nothing has changed for `quiet` milliseconds, or after `limit` milliseconds.
WAIT_UNTIL_QUIET = """(quiet, limit) => new Promise((resolve) => {
  const start = () => {
    const last = setTimeout(done, limit);
    let timer = setTimeout(done, quiet);
    const observer = new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(done, quiet); });
    function done() { observer.disconnect(); clearTimeout(timer); clearTimeout(last); resolve(1); }
    observer.observe(document, { subtree: true, childList: true, characterData: true });
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start, { once: true });
  else start();
})"""

# Called with a rendered page: its session, the number of an isolated world in it, and its measurements.
PageCallback = Callable[["CDPSession", int, dict[str, Any]], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class RenderJob:
    """A page to render: a URL or, with `html`, a page that is already downloaded."""

    name: str  # for error messages
    url: str | None = None
    html: str | None = None
    resources: Resources | None = None  # style sheets, images and other files that it links to
    may_load: Callable[[str], bool] | None = None  # whether the page may load a URL; called from any thread

    @property
    def target(self) -> str:
        """The URL that the browser opens."""
        return self.url or UNKNOWN_URL


@dataclass(frozen=True, slots=True)
class LoadResult:
    """The measurements of a rendered page."""

    measurements: dict[str, Any]  # the JSON object that measure.js returns
    value: Any  # returned by the callback
    seconds: float
    measuring_seconds: float  # of these, for measure.js


@cache
def _read_script() -> str:
    return Path(__file__).with_name("measure.js").read_text(encoding="utf-8")


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
        async with asyncio.timeout(options.timeout):
            await context.add_init_script(NO_WEBRTC)
            page = await context.new_page()
            page.on("crash", note_crash)
            context.on("page", lambda popup: closing.append(asyncio.ensure_future(_close_quietly(popup))))
            session = await context.new_cdp_session(page)
            requests = await _RequestInterceptor.attach(session, job, is_open=is_open)
            await _open(page, job, options)
            world = IsolatedWorld(session)
            await _wait_until_quiet(world, requests, options, scripts=scripts)
            began = monotonic()
            measurements = await _measure(world)
            measuring_seconds = monotonic() - began
            if requests.has_navigated and not measurements["isWhole"]:
                raise RenderFailed("It navigates to another page before it is loaded.")
            value = await then(session, await world.find(), measurements) if then else None
        return LoadResult(measurements, value, monotonic() - start, measuring_seconds)
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


async def _wait_until_quiet(
    world: IsolatedWorld, requests: _RequestInterceptor, options: RenderOptions, *, scripts: bool
) -> None:
    """Wait until the page is parsed and stops changing, for `options.wait` seconds at most."""
    if not scripts:  # then there are no events or timers either
        while await world.call("() => document.readyState") == "loading":
            await asyncio.sleep(0.02)
        return
    end = None
    while end is None or monotonic() < end:
        before = requests.count
        left = options.wait if end is None else end - monotonic()
        await world.call(WAIT_UNTIL_QUIET, options.quiet * 1e3, max(left, 0) * 1e3)
        end = end or monotonic() + options.wait  # counted from when it was parsed
        if requests.is_idle and requests.count == before:
            return
        await asyncio.sleep(PAUSE_SECONDS / 2)


class IsolatedWorld:
    """An isolated world of a page (a term of Chromium): the same DOM, but separate from the scripts of the page."""

    def __init__(self, session: CDPSession) -> None:
        self.session = session
        self._number: int | None = None

    async def find(self) -> int:
        """Return the number of the world, for use with `call_function`."""
        if self._number is None:
            self._number = await create_isolated_world(self.session)
        return self._number

    async def call(self, function: str, *arguments: Any) -> Any:
        """Call a function in the world. If the page has navigated in the meantime, try again in a new world."""
        from playwright.async_api import Error

        for _ in range(MAX_NAVIGATIONS):
            try:
                return await call_function(self.session, await self.find(), function, *arguments)
            except Error as problem:
                if "context" not in str(problem) or "closed" in str(problem):  # something else than a navigation
                    raise
            self._number = None
            await asyncio.sleep(PAUSE_SECONDS)
        raise RenderFailed("It keeps navigating to other pages.")


async def _measure(world: IsolatedWorld) -> dict[str, Any]:
    measurements: dict[str, Any] = json.loads(
        await world.call(_read_script(), MAX_ELEMENTS, MAX_HTML_CHARS, END_COMMENT)
    )
    return measurements


async def create_isolated_world(session: CDPSession) -> int:
    """Create an isolated world in the page (see `IsolatedWorld`) and return its number."""
    tree = await session.send("Page.getFrameTree")
    world = await session.send("Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"]})
    number: int = world["executionContextId"]
    return number


async def call_function(session: CDPSession, world: int, function: str, *arguments: Any) -> Any:
    """Call a JavaScript function in an isolated world and return its result."""
    got = await session.send(
        "Runtime.callFunctionOn",
        {
            "functionDeclaration": function,
            "executionContextId": world,
            "arguments": [{"value": value} for value in arguments],
            "awaitPromise": True,
            "returnByValue": True,
        },
    )
    if "exceptionDetails" in got:
        raise RenderFailed("The page could not be measured: its document is broken.")
    return got["result"].get("value")


class _RequestInterceptor:
    """Answers, continues or blocks each request of a page, and counts those that are pending."""

    def __init__(self, session: CDPSession, job: RenderJob, frame: str, *, is_open: bool) -> None:
        self.session, self.job, self.frame, self.is_open = session, job, frame, is_open
        self.count = 0  # requests so far that can change the text
        self.navigations = 0
        self.has_navigated = False  # whether a page given as HTML has tried to navigate
        self._pending: set[str] = set()
        self._tasks: set[asyncio.Future[None]] = set()  # references, since the event loop keeps none

    @property
    def is_idle(self) -> bool:
        """Whether no request is pending that can change the text."""
        return not self._pending

    @classmethod
    async def attach(cls, session: CDPSession, job: RenderJob, *, is_open: bool) -> _RequestInterceptor:
        """Start to intercept the requests of a page."""
        tree = await session.send("Page.getFrameTree")
        interceptor = cls(session, job, tree["frameTree"]["frame"]["id"], is_open=is_open)
        session.on("Fetch.requestPaused", interceptor._start_handling)
        if job.html is not None:
            session.on("Page.frameRequestedNavigation", interceptor._note_navigation)
            await session.send("Page.enable")
        documents = {"urlPattern": "*", "resourceType": "Document"}
        intercepts_all = job.resources or job.may_load
        await session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"} if intercepts_all else documents]})
        if is_open:
            session.on("Network.requestWillBeSent", interceptor._note_start)
            session.on("Network.loadingFinished", interceptor._note_end)
            session.on("Network.loadingFailed", interceptor._note_end)
            await session.send("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0})
        return interceptor

    def _note_start(self, event: dict[str, Any]) -> None:
        if event.get("type") in AWAITED_TYPES:
            self.count += 1
            self._pending.add(event["requestId"])

    def _note_end(self, event: dict[str, Any]) -> None:
        self._pending.discard(event["requestId"])

    def _note_navigation(self, event: dict[str, Any]) -> None:
        self.has_navigated |= event["frameId"] == self.frame

    def _start_handling(self, event: dict[str, Any]) -> None:
        task = asyncio.ensure_future(self.handle(event))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def handle(self, event: dict[str, Any]) -> None:
        """Handle a request. Ignore errors, since the page may be closed by now."""
        from playwright.async_api import Error

        with suppress(Error):
            await self._handle(event)

    async def _handle(self, event: dict[str, Any]) -> None:
        request, job = {"requestId": event["requestId"]}, self.job
        if event.get("frameId") == self.frame and event.get("resourceType") == "Document":
            self.navigations += 1
            if job.html is not None and self.navigations == 1:
                body = f"{job.html}<!--{END_COMMENT}-->".encode("utf-8", "replace")
                return await self._fulfil(request, "text/html; charset=utf-8", body)
            if job.html is not None or self.navigations > MAX_NAVIGATIONS:
                await self.session.send("Fetch.fulfillRequest", request | {"responseCode": 204})
                return None
        found = job.resources.find(event["request"]["url"]) if job.resources else None
        if found:
            return await self._fulfil(request, *found)
        if self.is_open and (job.may_load is None or job.may_load(event["request"]["url"])):
            await self.session.send("Fetch.continueRequest", request)
        else:
            await self.session.send("Fetch.failRequest", request | {"errorReason": "BlockedByClient"})
        return None

    async def _fulfil(self, request: dict[str, Any], content_type: str, body: bytes) -> None:
        headers = [
            {"name": "Content-Type", "value": content_type},
            {"name": "Access-Control-Allow-Origin", "value": "*"},
        ]
        response = {"responseCode": 200, "responseHeaders": headers, "body": base64.b64encode(body).decode()}
        await self.session.send("Fetch.fulfillRequest", request | response)


def _shorten(problem: Exception) -> str:
    """Return the first line of an error message, without the additions of Playwright."""
    line = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
    return line.partition(" at ")[0].removeprefix("Page.goto: ").rstrip(".")[:200]
