"""Keep the responses that a page loads from the network, for a WARC file."""

from __future__ import annotations

import asyncio
import base64
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

__all__ = ["MAX_KEPT_BYTES", "MAX_RESPONSE_BYTES", "KeptResponse", "ResponseKeeper"]

MAX_RESPONSE_BYTES = 20_000_000  # larger ones are not kept
MAX_KEPT_BYTES = 100_000_000  # a page
MAX_KEPT_RESPONSES = 2_000  # a page
CHARSET = re.compile(r"charset\s{0,9}=\s{0,9}[\"']?utf-?8\b", re.I)
STATUS_WITHOUT_BODY = frozenset({204, 205, 304})


@dataclass(frozen=True, slots=True)
class KeptResponse:
    """A request and its response. The body is decompressed, and text is encoded in UTF-8."""

    url: str
    method: str
    request_headers: tuple[tuple[str, str], ...]
    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    started: datetime
    seconds: float
    protocol: str  # of the connection, such as http/1.1 or h2
    ip: str | None


class ResponseKeeper:
    """Listens to the network events of a page and reads the body of each response when it has arrived."""

    def __init__(self, session: CDPSession) -> None:
        self.session = session
        self.lost = 0  # responses whose body was too large, or gone
        self._found: list[KeptResponse] = []
        self._bytes = 0
        self._requests: dict[str, dict[str, Any]] = {}  # events by request
        self._responses: dict[str, dict[str, Any]] = {}
        self._reading: set[asyncio.Task[None]] = set()
        session.on("Network.requestWillBeSent", self._note_request)
        session.on("Network.responseReceived", self._note_response)
        session.on("Network.loadingFinished", self._note_end)

    async def finish(self) -> tuple[KeptResponse, ...]:
        """Wait for the bodies that are being read, and return all responses."""
        await asyncio.gather(*self._reading, return_exceptions=True)
        return tuple(self._found)

    def _note_request(self, event: dict[str, Any]) -> None:
        number = event["requestId"]
        if "redirectResponse" in event and number in self._requests:
            self._keep(self._requests[number], event["redirectResponse"], b"", event["timestamp"])
        self._requests[number] = event

    def _note_response(self, event: dict[str, Any]) -> None:
        self._responses[event["requestId"]] = event["response"]

    def _note_end(self, event: dict[str, Any]) -> None:
        task = asyncio.ensure_future(self._read(event))
        self._reading.add(task)
        task.add_done_callback(self._reading.discard)

    async def _read(self, event: dict[str, Any]) -> None:
        from playwright.async_api import Error

        number = event["requestId"]
        request, response = self._requests.pop(number, None), self._responses.pop(number, None)
        if not request or not response or not response["url"].startswith(("http://", "https://")):
            return
        try:
            body = b""
            if response["status"] not in STATUS_WITHOUT_BODY:
                got = await self.session.send("Network.getResponseBody", {"requestId": number})
                is_text = not got["base64Encoded"]
                body = got["body"].encode("utf-8", "replace") if is_text else base64.b64decode(got["body"])
                response = _name_encoding(response) if is_text and body else response
        except Error:  # too large, or the page has navigated
            self.lost += 1
            return
        self._keep(request, response, body, event["timestamp"])

    def _keep(self, event: dict[str, Any], response: dict[str, Any], body: bytes, end: float) -> None:
        if self._bytes + len(body) > MAX_KEPT_BYTES or len(self._found) >= MAX_KEPT_RESPONSES:
            self.lost += 1
            return
        self._bytes += len(body)
        request = event["request"]
        self._found.append(
            KeptResponse(
                url=response["url"],
                method=request["method"],
                request_headers=_list_headers(response.get("requestHeaders") or request["headers"]),
                status=response["status"],
                reason=response.get("statusText") or "",
                headers=_list_headers(response["headers"]),
                body=body,
                started=datetime.fromtimestamp(event["wallTime"], UTC),
                seconds=max(end - event["timestamp"], 0.0),
                protocol=response.get("protocol") or "http/1.1",
                ip=response.get("remoteIPAddress"),
            )
        )


def _name_encoding(response: dict[str, Any]) -> dict[str, Any]:
    """Return a response whose Content-Type says that the text is UTF-8, as the browser returns it."""
    headers = {name.lower(): value for name, value in response["headers"].items()}
    if CHARSET.search(headers.get("content-type", "")):
        return response
    kind = headers.get("content-type", response.get("mimeType") or "text/plain").partition(";")[0].strip()
    others = {name: value for name, value in response["headers"].items() if name.lower() != "content-type"}
    return {**response, "headers": {"Content-Type": f"{kind}; charset=utf-8", **others}}


def _list_headers(headers: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """Return headers as pairs. The browser joins equal ones with line breaks, and has decompressed the body."""
    pairs = ((name, line) for name, value in headers.items() for line in str(value).split("\n"))
    return tuple(pair for pair in pairs if pair[0].lower() not in ("content-encoding", "transfer-encoding"))
