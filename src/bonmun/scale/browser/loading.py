"""One page in a context of its own: load it, wait until it is laid out, measure it.

What loads is decided in one place, `_Gate`: the page itself, what it may fetch, and where it may go. A page that was
given as HTML stays where it is, and gets only what `resources` holds, unless the network is allowed.
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
    "NOWHERE",
    "IsolatedWorld",
    "LoadResult",
    "PageCallback",
    "RenderJob",
    "call_function",
    "create_isolated_world",
    "load",
]

NOWHERE = "http://page.invalid/"  # the address of pages that have none
MAX_NAVIGATIONS = 10  # of the page itself: redirects, and what its scripts do
END = "bonmun: the end of the page"  # a comment after the HTML of a page, which shows whether all of it was read
PAUSE_SECONDS = 0.1
CLOSE_SECONDS = 5.0
RESOLVE_SECONDS = 10.0
MOST_CHARS = 100_000_000  # of the HTML that is written; elements after them are left out
WAITED_FOR = (
    "Script",
    "XHR",
    "Fetch",
    "Stylesheet",
)  # requests that can change the text, but not images or ads' frames
# Resolves when the page is read and nothing has changed for some milliseconds, or after as many as it may take.
SETTLE = """(quiet, most) => new Promise((resolve) => {
  const start = () => {
    const last = setTimeout(done, most);
    let timer = setTimeout(done, quiet);
    const observer = new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(done, quiet); });
    function done() { observer.disconnect(); clearTimeout(timer); clearTimeout(last); resolve(1); }
    observer.observe(document, { subtree: true, childList: true, characterData: true });
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start, { once: true });
  else start();
})"""

# What is done with a page that is laid out: from its session, a world in it and what was measured to any value.
PageCallback = Callable[["CDPSession", int, dict[str, Any]], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class RenderJob:
    """A page to render: a URL to go to or, with `html`, a page that is there already."""

    name: str  # what messages call it
    url: str | None = None
    html: str | None = None
    resources: Resources | None = None  # what its links to style sheets and the like lead to
    may_load: Callable[[str], bool] | None = None  # says of each URL whether the page may load it; asked in any thread

    @property
    def address(self) -> str:
        """Where the browser goes."""
        return self.url or NOWHERE


@dataclass(frozen=True, slots=True)
class LoadResult:
    """What the page's own pass gave, as JSON; what `then` made of the page; how long both took, in seconds."""

    found: dict[str, Any]
    value: Any
    seconds: float
    measuring: float  # of these, in the page


@cache
def _read_script() -> str:
    return Path(__file__).with_name("measure.js").read_text(encoding="utf-8")


async def load(
    browser: Browser,
    job: RenderJob,
    options: RenderOptions,
    *,
    scripts: bool,
    then: PageCallback | None = None,
) -> LoadResult:
    """Render a page and, while it is loaded, let `then` make something of it.

    TimeoutError, Playwright's errors and RenderFailed say that it could not be done this way.
    """
    start = monotonic()
    is_open = options.network or job.html is None
    width, height = options.viewport
    popups: list[asyncio.Future[None]] = []  # that are being closed
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        user_agent=options.user_agent,
        locale=options.language,
        java_script_enabled=scripts,
        service_workers="block",
        accept_downloads=False,
        offline=not is_open,  # also for sockets, which no gate sees; what is answered here needs no network
        reduced_motion="reduce",
    )
    task = asyncio.current_task()
    crashes: list[bool] = []
    assert task

    def note_crash(_: object) -> None:  # commands that are under way get no answer
        crashes.append(True)
        task.cancel()

    try:
        async with asyncio.timeout(options.timeout):
            page = await context.new_page()
            page.on("crash", note_crash)
            context.on("page", lambda popup: popups.append(asyncio.ensure_future(_close_quietly(popup))))
            session = await context.new_cdp_session(page)
            gate = await _Gate.open(session, job, is_open=is_open)
            await _go(page, job, options)
            world = IsolatedWorld(session)
            await _settle(world, gate, options, scripts=scripts)
            began = monotonic()
            found = await _measure(world)
            measuring = monotonic() - began
            if gate.goes_elsewhere and not found["isWhole"]:
                raise RenderFailed("It goes to another page before it is loaded.")
            value = await then(session, await world.find(), found) if then else None
        return LoadResult(found, value, monotonic() - start, measuring)
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
    """Close a context; one that cannot be closed in time raises TimeoutError, and its browser is stuck."""
    from playwright.async_api import Error

    with suppress(Error):
        await asyncio.wait_for(asyncio.shield(asyncio.ensure_future(context.close())), CLOSE_SECONDS)


async def _go(page: Page, job: RenderJob, options: RenderOptions) -> None:
    """Go to the page, once its first bytes are there; what `fetch` refuses is refused here, too."""
    from playwright.async_api import Error

    if job.html is None:
        host = check_url(job.address, job.name).raw_host.decode("ascii")
        if not options.resolve:
            await asyncio.to_thread(resolve_host, host, job.name, RESOLVE_SECONDS, options.allow_private)
    responses: list[Response] = []  # to the request for the page, some of which a browser takes for none: a bare 404
    page.on("response", lambda each: responses.append(each) if each.request.is_navigation_request() else None)
    problem = None
    try:
        response = await page.goto(job.address, wait_until="commit", timeout=0)
    except Error as raised:
        problem = _shorten(raised)
        if "closed" in problem or "crash" in problem:
            raise
        response = responses[-1] if responses else None
    if job.html is None and response:
        check_response(response.status, response.headers.get("content-type", ""), job.name)
    if problem:
        raise RenderFailed(f"The browser could not load it: {problem}.")  # a download, no connection …


async def _settle(world: IsolatedWorld, gate: _Gate, options: RenderOptions, *, scripts: bool) -> None:
    """Wait until the page is read and stops changing, but for no longer than it may go on."""
    if not scripts:  # nor are there events or timers that could be waited for
        while await world.call("() => document.readyState") == "loading":
            await asyncio.sleep(0.02)
        return
    end = None
    while end is None or monotonic() < end:
        before = gate.count
        left = options.wait if end is None else end - monotonic()
        await world.call(SETTLE, options.quiet * 1e3, max(left, 0) * 1e3)
        end = end or monotonic() + options.wait  # from when it was read
        if gate.is_idle and gate.count == before:
            return
        await asyncio.sleep(PAUSE_SECONDS / 2)


class IsolatedWorld:
    """A world beside the page's own: the same tree, but nothing that the page's scripts have put in its way."""

    def __init__(self, session: CDPSession) -> None:
        self.session = session
        self._number: int | None = None

    async def find(self) -> int:
        """Its number, for those that call into it themselves."""
        if self._number is None:
            self._number = await create_isolated_world(self.session)
        return self._number

    async def call(self, function: str, *arguments: Any) -> Any:
        """Call a function in it, once more in another world if the page has gone on to the next meanwhile."""
        from playwright.async_api import Error

        for _ in range(MAX_NAVIGATIONS):
            try:
                return await call_function(self.session, await self.find(), function, *arguments)
            except Error as problem:
                if "context" not in str(problem):
                    raise
            self._number = None
            await asyncio.sleep(PAUSE_SECONDS)
        raise RenderFailed("It goes from page to page.")


async def _measure(world: IsolatedWorld) -> dict[str, Any]:
    found = await world.call(_read_script(), MAX_ELEMENTS, MOST_CHARS, END)
    result: dict[str, Any] = json.loads(found)
    return result


async def create_isolated_world(session: CDPSession) -> int:
    """A world beside the page's own: the same tree, but nothing that the page's scripts have put in its way."""
    tree = await session.send("Page.getFrameTree")
    world = await session.send("Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"]})
    number: int = world["executionContextId"]
    return number


async def call_function(session: CDPSession, world: int, function: str, *arguments: Any) -> Any:
    """Call a function in a world of the page and give what it returns."""
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
        raise RenderFailed("The page could not be measured: it breaks what every page has.")
    return got["result"].get("value")


class _Gate:
    """Decides what each request of a page gets, and knows how many are still to be answered."""

    def __init__(self, session: CDPSession, job: RenderJob, frame: str, *, is_open: bool) -> None:
        self.session, self.job, self.frame, self.is_open = session, job, frame, is_open
        self.count = 0  # of requests so far that can change the text
        self.navigations = 0
        self.goes_elsewhere = False  # whether the page has tried to, where it must not
        self._waiting: set[str] = set()

    @property
    def is_idle(self) -> bool:
        """Whether no request is on its way that can change the text."""
        return not self._waiting

    @classmethod
    async def open(cls, session: CDPSession, job: RenderJob, *, is_open: bool) -> _Gate:
        """Stand between the page and all that it loads."""
        tree = await session.send("Page.getFrameTree")
        gate = cls(session, job, tree["frameTree"]["frame"]["id"], is_open=is_open)
        session.on("Fetch.requestPaused", lambda event: asyncio.ensure_future(gate.answer(event)))
        if job.html is not None:
            session.on("Page.frameRequestedNavigation", gate._note_navigation)
            await session.send("Page.enable")
        documents = {"urlPattern": "*", "resourceType": "Document"}
        sees_all = job.resources or job.may_load
        await session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"} if sees_all else documents]})
        if is_open:
            session.on("Network.requestWillBeSent", gate._note_start)
            session.on("Network.loadingFinished", gate._note_end)
            session.on("Network.loadingFailed", gate._note_end)
            await session.send("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0})
        return gate

    def _note_start(self, event: dict[str, Any]) -> None:
        if event.get("type") in WAITED_FOR:
            self.count += 1
            self._waiting.add(event["requestId"])

    def _note_end(self, event: dict[str, Any]) -> None:
        self._waiting.discard(event["requestId"])

    def _note_navigation(self, event: dict[str, Any]) -> None:
        self.goes_elsewhere |= event["frameId"] == self.frame

    async def answer(self, event: dict[str, Any]) -> None:
        """Answer a request; that its page has gone in the meantime is no failure."""
        from playwright.async_api import Error

        with suppress(Error):
            await self._answer(event)

    async def _answer(self, event: dict[str, Any]) -> None:
        request, job = {"requestId": event["requestId"]}, self.job
        if event.get("frameId") == self.frame and event.get("resourceType") == "Document":
            self.navigations += 1
            if job.html is not None and self.navigations == 1:
                body = f"{job.html}<!--{END}-->".encode("utf-8", "replace")
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
        answer = {"responseCode": 200, "responseHeaders": headers, "body": base64.b64encode(body).decode()}
        await self.session.send("Fetch.fulfillRequest", request | answer)


def _shorten(problem: Exception) -> str:
    """The first line of a message, without what Playwright adds."""
    line = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
    return line.partition(" at ")[0].removeprefix("Page.goto: ").rstrip(".")[:200]
