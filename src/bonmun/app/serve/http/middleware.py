"""The front of the service: every request passes here first, whatever it asks for.

It gets an id, the guard looks at it, its answer gets headers that keep browsers from doing anything with it, and a line
in the log tells what became of it: never what was in it.
"""

from __future__ import annotations

import re
import secrets
from time import perf_counter
from typing import TYPE_CHECKING

from bonmun.app.serve.http.access import Refusal
from bonmun.app.serve.http.error_responses import describe_problem, name_status
from bonmun.app.serve.http.logs import log

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from bonmun.app.serve.http.access import Guard
    from bonmun.app.serve.http.metrics import Metrics

__all__ = ["Front", "dress"]

ID = re.compile(r"[A-Za-z0-9._-]{1,64}")  # what is taken over from a header
OTHER = "other"  # the route of requests that have none
HEADERS = [  # of every answer; a route's own stand
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'; sandbox"),
    (b"cache-control", b"no-store"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
LEVELS = {"info": 0, "warning": 400, "error": 500}  # the lowest status that is logged


class Front:
    """What stands between the web server and the routes."""

    def __init__(self, app: ASGIApp, guard: Guard, metrics: Metrics, log_level: str) -> None:
        self.app = app
        self.guard = guard
        self.metrics = metrics
        self.lowest = LEVELS[log_level]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or not."""
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

        async def take() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            return message

        async def give(message: Message) -> None:
            nonlocal status, given
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = dress(list(message.get("headers", ())), request, scope["app"].state.is_stopping)
            else:
                given += len(message.get("body", b""))
            await send(message)

        self.metrics.open += 1
        try:
            self.guard.check(scope["path"], headers)
            await self.app(scope, take, give)
        except Refusal as refusal:
            await _refuse(give, refusal, request)
        finally:
            self.metrics.open -= 1
            seconds = perf_counter() - start
            route = getattr(scope.get("route"), "path", OTHER)
            self.metrics.add(route, status, seconds, taken, given)
            if status >= self.lowest or status == 0:
                log(
                    request=request,
                    method=scope["method"],
                    route=route,
                    status=status,
                    ms=round(seconds * 1e3, 1),
                    taken=taken,
                    given=given,
                )


def dress(headers: list[tuple[bytes, bytes]], request: str, is_last: bool) -> list[tuple[bytes, bytes]]:
    """Add the headers that every answer has, where it has none of its own; the last one of a connection closes it."""
    names = {name.lower() for name, _ in headers}
    headers += [(name, value) for name, value in HEADERS if name not in names]
    headers.append((b"x-request-id", request.encode()))
    return [*headers, (b"connection", b"close")] if is_last else headers


async def _refuse(send: Send, refusal: Refusal, request: str) -> None:
    body = describe_problem(name_status(refusal.status), refusal.says, request)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if refusal.status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _choose_id(given: str) -> str:
    return given if ID.fullmatch(given) else secrets.token_hex(8)
