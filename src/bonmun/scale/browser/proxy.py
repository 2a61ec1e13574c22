"""A local HTTP proxy for all requests of the browser. It connects to checked addresses only.

The browser does not resolve host names. The proxy resolves each name once, checks every address as `fetch` does, and
connects to a checked address. So a page cannot reach this machine or its network by a redirect, a script or a second
DNS answer. With `resolve`, all hosts are at one given address, which is not checked.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from bonmun.errors import BonmunError
from bonmun.scale.web.addresses import resolve_host

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter

__all__ = ["FilteringProxy"]

MAX_HEAD_BYTES = 100_000
HEAD_SECONDS = 20.0
CONNECT_SECONDS = 10.0
CHUNK_BYTES = 65_536
REQUEST = re.compile(rb"([A-Z]{1,20}) (\S{1,90000}) HTTP/1\.[01]\r\n")
HOST_AND_PORT = re.compile(r"(?:\[([0-9a-fA-F:.]{2,60})\]|([A-Za-z0-9._-]{1,255})):(\d{1,5})")
ABSOLUTE_URL = re.compile(r"http://(\[[0-9a-fA-F:.]{2,60}\]|[A-Za-z0-9._-]{1,255})(?::(\d{1,5}))?(/.*|\?.*)?")
PROXY_HEADERS = re.compile(rb"\r\n(?:proxy-connection|proxy-authorization|connection|keep-alive):[^\r\n]*", re.I)


class FilteringProxy:
    """A proxy that connects to public addresses only.

    `allow=False` refuses all requests, and `allow_private=True` permits private addresses. `resolve` is one address and
    port for all connections.
    """

    def __init__(self, *, allow: bool, allow_private: bool, resolve: str | None = None) -> None:
        self.allow = allow
        self.allow_private = allow_private
        self.resolve = resolve
        self.address = ""
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listen on a free local port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=MAX_HEAD_BYTES)
        host, port = self._server.sockets[0].getsockname()[:2]
        self.address = f"{host}:{port}"

    async def stop(self) -> None:
        """Stop listening, and close all connections."""
        if self._server:
            self._server.close()
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)
        # asyncio logs connections that are cancelled, so this one ends instead
        with suppress(OSError, EOFError, ValueError, TimeoutError, asyncio.LimitOverrunError, asyncio.CancelledError):
            try:
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), HEAD_SECONDS)
                await self._answer(head, reader, writer)
            finally:
                writer.close()

    async def _answer(self, head: bytes, reader: StreamReader, writer: StreamWriter) -> None:
        request = REQUEST.match(head)
        target = _parse_target(request[1], request[2].decode("ascii", "replace")) if request else None
        if target is None or not self.allow:
            return _refuse(writer, "403 Forbidden")
        host, port, path = target
        try:
            host_reader, host_writer = await self._connect(host, port)
        except (BonmunError, OSError, TimeoutError):
            return _refuse(writer, "502 Bad Gateway")
        try:
            if path is None:
                writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
            else:
                assert request
                request_line = request[1] + b" " + path.encode() + b" HTTP/1.1"
                headers = PROXY_HEADERS.sub(b"", head[request.end() - 2 : -4])
                host_writer.write(request_line + headers + b"\r\nConnection: close\r\n\r\n")
            await asyncio.gather(_forward(reader, host_writer), _forward(host_reader, writer))
        finally:
            host_writer.close()
        return None

    async def _connect(self, host: str, port: int) -> tuple[StreamReader, StreamWriter]:
        """Connect to the first address of a host that accepts, if all of them are allowed."""
        if self.resolve:
            fixed_host, _, fixed_port = self.resolve.rpartition(":")
            return await asyncio.wait_for(asyncio.open_connection(fixed_host, int(fixed_port)), CONNECT_SECONDS)
        addresses = await asyncio.to_thread(resolve_host, host, host, CONNECT_SECONDS, self.allow_private)
        *others, last = addresses
        for address in others:
            with suppress(OSError, TimeoutError):
                return await asyncio.wait_for(asyncio.open_connection(address, port), CONNECT_SECONDS)
        return await asyncio.wait_for(asyncio.open_connection(last, port), CONNECT_SECONDS)


def _parse_target(verb: bytes, target: str) -> tuple[str, int, str | None] | None:
    """Return the host, port and path of a request; the path is None for a tunnel. Return None if it is invalid."""
    if verb == b"CONNECT":
        found = HOST_AND_PORT.fullmatch(target)
        return (found[1] or found[2], int(found[3]), None) if found and 0 < int(found[3]) < 65536 else None
    found = ABSOLUTE_URL.fullmatch(target)
    if not found or not 0 < int(found[2] or 80) < 65536:
        return None
    path = found[3] or "/"
    return found[1].strip("[]"), int(found[2] or 80), path if path.startswith("/") else f"/{path}"


async def _forward(reader: StreamReader, writer: StreamWriter) -> None:
    try:
        while chunk := await reader.read(CHUNK_BYTES):
            writer.write(chunk)
            await writer.drain()
    except OSError:
        pass
    finally:
        with suppress(OSError, RuntimeError):
            writer.close()


def _refuse(writer: StreamWriter, status: str) -> None:
    writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
