"""An HTTP/1.1 server on 127.0.0.1 for many generated hosts, selected by the Host header.

A host is an object with `answer(request)`, which returns a `Reply`. A reply can be wrong in any way: too long, too
slow, endless. Every request is recorded before the reply is sent, with its time and connection. The server also works
as a proxy, so that browsers find all hosts at one address.
"""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Protocol
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["Host", "Loopback", "Reply", "Request", "link_pages", "send_to"]

HTML = "text/html; charset=utf-8"
REASONS = {status.value: status.phrase for status in HTTPStatus}
MAX_HEAD_BYTES = 1 << 18
SECONDS_TO_STOP = 10.0


@dataclass(frozen=True, slots=True)
class Request:
    """A request."""

    method: str
    host: str  # without its port
    target: str  # the path and the query, as sent
    headers: tuple[tuple[str, str], ...]  # as sent, in order
    connection: int  # number of the connection, from 1
    time: float  # of the monotonic clock, in seconds
    body: bytes = b""

    @property
    def path(self) -> str:
        """The target without its query."""
        return self.target.partition("?")[0]

    @property
    def query(self) -> dict[str, str]:
        """The last value of each name in the query."""
        return {name: values[-1] for name, values in parse_qs(self.target.partition("?")[2]).items()}

    @property
    def url(self) -> str:
        """The URL as the client sees it."""
        return f"http://{self.host}{self.target}"

    def find_header(self, name: str) -> str:
        """Return the first header of this name, or an empty string."""
        return next((value for each, value in self.headers if each.lower() == name), "")


@dataclass(frozen=True, slots=True)
class Reply:
    """The response of a host."""

    body: bytes | str = b""
    kind: str = HTML  # the Content-Type; not sent if empty
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    length: int | None = None  # a wrong Content-Length
    stream: Iterable[bytes | float] | None = None  # instead of a body; a number is a pause in seconds
    chunked: bool = False
    delay: float = 0.0  # seconds before anything is sent
    drip: float = 0.0  # seconds between the bytes of the head


class Host(Protocol):
    """A generated host."""

    def answer(self, request: Request) -> Reply:
        """Return the reply to a request; must not block."""
        ...


class Loopback:
    """A server in a thread."""

    def __init__(self, hosts: Mapping[str, Host], note: Callable[[Request], object], port: int = 0) -> None:
        self.hosts = dict(hosts)
        self.port = port
        self.problems: list[BaseException] = []  # exceptions raised by hosts
        self._note = note
        self._connections = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._run(),), daemon=True)

    def start(self) -> None:
        """Start the server and wait until clients can connect."""
        self._thread.start()
        if not self._ready.wait(SECONDS_TO_STOP):
            raise RuntimeError("The loopback web did not start.")

    def stop(self) -> None:
        """Close all connections and wait until the thread has ended."""
        self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join(SECONDS_TO_STOP)
        self._loop.close()

    async def _run(self) -> None:
        self._stopped = asyncio.Event()
        server = await asyncio.start_server(
            self._handle_connection, "127.0.0.1", self.port, limit=MAX_HEAD_BYTES, backlog=1000
        )
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stopped.wait()
        server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.sleep(0)  # transports that were aborted close their sockets now

    async def _handle_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Reply to all requests of a connection."""
        task = asyncio.current_task()
        assert task
        self._tasks.add(task)
        self._connections += 1
        number = self._connections
        try:
            while (request := await _read_request(reader, number)) and await self._serve(request, writer):
                pass
            await writer.drain()
            writer.close()
        except (asyncio.CancelledError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
            writer.transport.abort()  # the client has disconnected, or the server stops
        finally:
            self._tasks.discard(task)

    async def _serve(self, request: Request, writer: asyncio.StreamWriter) -> bool:
        """Reply to a request. Return whether the connection can be used again."""
        self._note(request)
        host = self.hosts.get(request.host)
        try:
            reply = host.answer(request) if host else Reply(f"There is no host {request.host}.", status=421)
        except Exception as problem:  # reported to the test by `problems`
            self.problems.append(problem)
            reply = Reply(repr(problem), status=500)
        await asyncio.sleep(reply.delay)
        body = reply.body.encode() if isinstance(reply.body, str) else reply.body
        head = _write_head(reply, len(body))
        body = b"" if request.method == "HEAD" else body
        if reply.drip:
            for byte in head:
                writer.write(bytes([byte]))
                await asyncio.sleep(reply.drip)
            head = b""
        writer.write(head + (b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if reply.chunked and body else body))
        await writer.drain()
        if reply.stream is None:
            return reply.length is None and request.find_header("connection").lower() != "close"
        for piece in () if request.method == "HEAD" else reply.stream:
            if isinstance(piece, float):
                await asyncio.sleep(piece)
            else:
                writer.write(b"%x\r\n%b\r\n" % (len(piece), piece) if reply.chunked else piece)
                await writer.drain()
                await asyncio.sleep(0)  # let other connections proceed
        if reply.chunked:
            writer.write(b"0\r\n\r\n")
        return reply.chunked


async def _read_request(reader: asyncio.StreamReader, connection: int) -> Request | None:
    """Return the next request of a connection, or None at its end."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as error:
        if error.partial:
            raise
        return None
    first, *lines = head[:-4].decode("latin-1").split("\r\n")
    method, _, rest = first.partition(" ")
    target = rest.rpartition(" ")[0]
    headers = tuple((name, value.strip()) for name, _, value in (line.partition(":") for line in lines))
    names = {name.lower(): value for name, value in headers}
    host = names.get("host", "")
    if not target.startswith("/"):  # a proxy request
        parts = urlsplit(target)
        host, target = parts.netloc, (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    body = await reader.readexactly(int(names.get("content-length", 0)))
    host = host.partition(":")[0].lower()
    return Request(method, host, target, headers, connection, time.monotonic(), body)


def _write_head(reply: Reply, length: int) -> bytes:
    """Return the status line and the headers, including the length of the body."""
    lines = [f"HTTP/1.1 {reply.status} {REASONS.get(reply.status, 'Unknown')}"]
    if reply.kind:
        lines.append(f"Content-Type: {reply.kind}")
    lines += [f"{name}: {value}" for name, value in reply.headers]
    if reply.chunked and (reply.stream is not None or length):
        lines.append("Transfer-Encoding: chunked")
    elif reply.length is not None:
        lines.append(f"Content-Length: {reply.length}")
    elif reply.stream is None and reply.status != 304:
        lines.append(f"Content-Length: {length}")
    if reply.length is not None or (reply.stream is not None and not reply.chunked):
        lines.append("Connection: close")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def send_to(location: str, status: int = 302) -> Reply:
    """Return a redirect."""
    return Reply(status=status, headers=(("Location", location),))


def link_pages(title: str, paths: Iterable[str], text: str = "") -> str:
    """Return a small page with links."""
    items = "".join(f'<li><a href="{path}">{path.strip("/") or "start"}</a></li>' for path in paths)
    return f"<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1><p>{text}</p><ul>{items}</ul></html>"
