"""Decide about the requests of a page: which are answered by us, continued or blocked, and which are pending.

A page that is given as HTML cannot navigate, and loads only files from `resources`, unless the network is allowed.
"""

from __future__ import annotations

import asyncio
import base64
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from bonmun.scale.browser.kept_responses import MAX_KEPT_BYTES, MAX_RESPONSE_BYTES
from bonmun.scale.browser.worlds import MAX_NAVIGATIONS

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

    from bonmun.scale.browser.jobs import RenderJob

__all__ = ["END_COMMENT", "RequestInterceptor"]

END_COMMENT = "bonmun: the end of the page"  # after the HTML of a page; shows whether all of it was parsed
AWAITED_TYPES = ("Script", "XHR", "Fetch", "Stylesheet")  # requests that can change the text, unlike images and frames
LATE_TYPES = ("Document", "EventSource")  # navigations and frames; what a server sends when it likes


class RequestInterceptor:
    """Answers, continues or blocks each request of a page, and counts those that are pending."""

    def __init__(self, session: CDPSession, job: RenderJob, frame: str, *, is_open: bool) -> None:
        self.session, self.job, self.frame, self.is_open = session, job, frame, is_open
        self.count = 0  # requests so far that can change the text
        self.navigations = 0
        self.has_navigated = False  # whether a page given as HTML has tried to navigate
        self._pending: dict[str, str] = {}  # URLs by request
        self._late: set[object] = set()  # documents that load, open connections and workers
        self._tasks: set[asyncio.Future[None]] = set()  # references, since the event loop keeps none

    @property
    def is_idle(self) -> bool:
        """Whether no request is pending that can change the text."""
        return not self._pending

    @property
    def is_silent(self) -> bool:
        """Whether in addition no document is loading, and no connection or worker is open that can bring text later."""
        return not self._pending and not self._late

    def note_worker(self, worker: Any) -> None:
        """Count a worker until it is closed. The end of the request for its script is not reported to the page."""
        self._pending = {number: url for number, url in self._pending.items() if url != worker.url}
        self._late.add(worker)
        worker.on("close", lambda closed: self._late.discard(closed))  # Playwright takes no built-in functions

    @classmethod
    async def attach(cls, session: CDPSession, job: RenderJob, *, is_open: bool) -> RequestInterceptor:
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
            session.on("Network.webSocketCreated", interceptor._note_socket)
            session.on("Network.webSocketClosed", interceptor._note_end)
            total, largest = (MAX_KEPT_BYTES, MAX_RESPONSE_BYTES) if job.keep else (0, 0)
            await session.send("Network.enable", {"maxTotalBufferSize": total, "maxResourceBufferSize": largest})
        return interceptor

    def _note_start(self, event: dict[str, Any]) -> None:
        if event.get("type") in AWAITED_TYPES:
            self.count += 1
            self._pending[event["requestId"]] = event["request"]["url"]
        elif event.get("type") in LATE_TYPES:
            self._late.add(event["requestId"])

    def _note_socket(self, event: dict[str, Any]) -> None:
        self._late.add(event["requestId"])

    def _note_end(self, event: dict[str, Any]) -> None:
        self._pending.pop(event["requestId"], None)
        self._late.discard(event["requestId"])

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
