"""Many local web servers in one thread, a port each: ordinary, slow, failing, throttling, redirecting."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Answer", "ManyHosts", "Visit", "make_page"]

SENTENCE = (
    "The lamp of the old lighthouse was lit again this spring, and the whole village came to see it burn at night."
)


def make_page(title: str) -> bytes:
    """Return a page with a text of its own."""
    paragraphs = f"<p>{title}: {SENTENCE}</p><p>{SENTENCE} {title} was there, too.</p>"
    page = f"<!doctype html><html lang=en><title>{title}</title><body><article><h1>{title}</h1>{paragraphs}</article>"
    return page.encode()


class Answer(NamedTuple):
    """The response of a host; a status of 0 closes the connection."""

    body: bytes = b""
    status: int = 200
    headers: str = "Content-Type: text/html\r\n"
    delay: float = 0.0  # seconds


@dataclass(frozen=True)
class Visit:
    """A request, the time of its arrival, and the time when its response began."""

    host: str
    path: str
    status: int
    start: float
    end: float


class ManyHosts:
    """Servers by name; each responds with a function of the path and the number of earlier requests for it."""

    def __init__(self, hosts: Mapping[str, Callable[[str, int], Answer]]) -> None:
        self.hosts = dict(hosts)
        self.visits: list[Visit] = []
        self.most = 0  # maximum number of requests open at the same time
        self._open = 0
        self._times: Counter[tuple[str, str]] = Counter()
        self._sockets = {name: self._listen() for name in hosts}
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._ready = threading.Event()

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join()

    def make_url(self, name: str, path: str = "/") -> str:
        """Return the URL of a path on a host."""
        return f"http://127.0.0.1:{self._sockets[name].getsockname()[1]}{path}"

    def find_visits(self, name: str) -> list[Visit]:
        """Return all requests to a host so far."""
        return [visit for visit in self.visits if visit.host == name]

    @staticmethod
    def _listen() -> socket.socket:
        listening = socket.create_server(("127.0.0.1", 0))
        listening.setblocking(False)
        return listening

    async def _serve(self) -> None:
        self._loop, self._stopped = asyncio.get_running_loop(), asyncio.Event()
        handlers: set[asyncio.Task[None]] = set()

        def make_handler(name: str) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], None]:
            def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                task = asyncio.ensure_future(self._handle(name, reader, writer))
                handlers.add(task)
                task.add_done_callback(handlers.discard)

            return handle

        servers = [await asyncio.start_server(make_handler(name), sock=each) for name, each in self._sockets.items()]
        self._ready.set()
        await self._stopped.wait()
        for server in servers:
            server.close()
        for task in handlers:
            task.cancel()
        await asyncio.gather(*handlers, return_exceptions=True)

    async def _handle(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError, asyncio.IncompleteReadError):
                head = await reader.readuntil(b"\r\n\r\n")
                await self._answer(name, head.split()[1].decode(), writer)
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _answer(self, name: str, path: str, writer: asyncio.StreamWriter) -> None:
        start = time.monotonic()
        self._open += 1
        self.most = max(self.most, self._open)
        self._times[name, path] += 1
        try:
            answer = self.hosts[name](path, self._times[name, path])
            await asyncio.sleep(answer.delay)
            self.visits.append(Visit(name, path, answer.status, start, time.monotonic()))
            if answer.status:
                size = f"Content-Length: {len(answer.body)}\r\nConnection: close\r\n\r\n"
                writer.write(f"HTTP/1.1 {answer.status} X\r\n{answer.headers}{size}".encode() + answer.body)
                await writer.drain()
        finally:
            self._open -= 1
