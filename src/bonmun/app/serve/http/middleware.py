"""Middleware that every request passes first.

It gives the request an id, checks access, adds security headers to the response, and logs the result without any
content.
"""

from __future__ import annotations

import re
import secrets
from time import perf_counter
from typing import TYPE_CHECKING

from bonmun.app.serve.http.access import AccessDenied
from bonmun.app.serve.http.error_responses import name_error, write_error
from bonmun.app.serve.http.logs import log

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from bonmun.app.serve.http.access import AccessControl
    from bonmun.app.serve.http.metrics import Metrics

__all__ = ["ServiceMiddleware", "add_headers"]

REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")  # ids that are accepted from a header
OTHER_ROUTE = "other"  # for requests that match no route
HEADERS = [  # of every response; a route may override them
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'; sandbox"),
    (b"cache-control", b"no-store"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
LOGGED_STATUSES = {"info": 0, "warning": 400, "error": 500}  # lowest status that is logged, by log level


class ServiceMiddleware:
    """The middleware between the web server and the routes."""

    def __init__(self, app: ASGIApp, access: AccessControl, metrics: Metrics, log_level: str) -> None:
        self.app = app
        self.access = access
        self.metrics = metrics
        self.min_status = LOGGED_STATUSES[log_level]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1000})
            return
        await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = perf_counter()
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in reversed(scope["headers"])}
        request = _choose_id(headers.get("x-request-id", ""))
        scope["state"]["request_id"] = request
        status, taken, given = 0, 0, 0

        async def receive_counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            return message

        async def send_counted(message: Message) -> None:
            nonlocal status, given
            if message["type"] == "http.response.start":
                status = message["status"]
                is_last = scope["app"].state.is_stopping
                message["headers"] = add_headers(list(message.get("headers", ())), request, is_last=is_last)
            else:
                given += len(message.get("body", b""))
            await send(message)

        self.metrics.open += 1
        try:
            self.access.check(scope["path"], headers, scope["query_string"])
            await self.app(scope, receive_counted, send_counted)
        except AccessDenied as denied:
            await _refuse(send_counted, denied, request)
        finally:
            self.metrics.open -= 1
            seconds = perf_counter() - start
            route = getattr(scope.get("route"), "path", OTHER_ROUTE)
            self.metrics.add(route, status, seconds, taken, given)
            if status >= self.min_status or status == 0:
                log(
                    request=request,
                    method=scope["method"],
                    route=route,
                    status=status,
                    ms=round(seconds * 1e3, 1),
                    taken=taken,
                    given=given,
                )


def add_headers(headers: list[tuple[bytes, bytes]], request: str, *, is_last: bool) -> list[tuple[bytes, bytes]]:
    """Add the headers that every response has, unless it sets them itself; the last response closes the connection."""
    names = {name.lower() for name, _ in headers}
    headers += [(name, value) for name, value in HEADERS if name not in names]
    headers.append((b"x-request-id", request.encode()))
    return [*headers, (b"connection", b"close")] if is_last else headers


async def _refuse(send: Send, denied: AccessDenied, request: str) -> None:
    body = write_error(name_error(denied.status), denied.message, request)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if denied.status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": denied.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _choose_id(given: str) -> str:
    return given if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
