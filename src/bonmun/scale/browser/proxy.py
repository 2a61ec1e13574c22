"""A proxy on this machine that all requests of the browser go through: it lets them out to checked addresses only.

The browser resolves no host itself. The proxy resolves each once, checks every address as `fetch` does, and connects to
a checked address: no page can reach this machine or its network, not by a redirect, a script or a second DNS answer.
With `resolve` all hosts are at one place, which is not checked, and no name is looked up.
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

HEAD_BYTES = 100_000
HEAD_SECONDS = 20.0
CONNECT_SECONDS = 10.0
PIECE_BYTES = 65_536
REQUEST = re.compile(rb"([A-Z]{1,20}) (\S{1,90000}) HTTP/1\.[01]\r\n")
PLACE = re.compile(r"(?:\[([0-9a-fA-F:.]{2,60})\]|([A-Za-z0-9._-]{1,255})):(\d{1,5})")
ABSOLUTE = re.compile(r"http://(\[[0-9a-fA-F:.]{2,60}\]|[A-Za-z0-9._-]{1,255})(?::(\d{1,5}))?(/.*|\?.*)?")
FOR_PROXIES = re.compile(rb"\r\n(?:proxy-connection|proxy-authorization|connection|keep-alive):[^\r\n]*", re.I)


class FilteringProxy:
    """The proxy; `allow` is whether anything is let out, `allow_private` whether this network is."""

    def __init__(self, *, allow: bool, allow_private: bool, resolve: str | None = None) -> None:
        self.allow = allow
        self.allow_private = allow_private
        self.resolve = resolve
        self.address = ""
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Listen on a free port of this machine."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=HEAD_BYTES)
        host, port = self._server.sockets[0].getsockname()[:2]
        self.address = f"{host}:{port}"

    def stop(self) -> None:
        """Listen no more."""
        if self._server:
            self._server.close()

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        with suppress(OSError, EOFError, ValueError, TimeoutError, asyncio.LimitOverrunError):
            try:
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), HEAD_SECONDS)
                await self._answer(head, reader, writer)
            finally:
                writer.close()

    async def _answer(self, head: bytes, reader: StreamReader, writer: StreamWriter) -> None:
        request = REQUEST.match(head)
        place = _read_place(request[1], request[2].decode("ascii", "replace")) if request else None
        if place is None or not self.allow:
            return _refuse(writer, "403 Forbidden")
        host, port, path = place
        try:
            there, back = await self._connect(host, port)
        except (BonmunError, OSError, TimeoutError):
            return _refuse(writer, "502 Bad Gateway")
        try:
            if path is None:
                writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
            else:
                assert request
                rest = FOR_PROXIES.sub(b"", head[request.end() - 2 : -4])
                back.write(request[1] + b" " + path.encode() + b" HTTP/1.1" + rest + b"\r\nConnection: close\r\n\r\n")
            await asyncio.gather(_pass_on(reader, back), _pass_on(there, writer))
        finally:
            back.close()
        return None

    async def _connect(self, host: str, port: int) -> tuple[StreamReader, StreamWriter]:
        """Connect to the first address of a host that answers, if all of them may be called."""
        if self.resolve:
            place, _, number = self.resolve.rpartition(":")
            return await asyncio.wait_for(asyncio.open_connection(place, int(number)), CONNECT_SECONDS)
        addresses = await asyncio.to_thread(resolve_host, host, host, CONNECT_SECONDS, self.allow_private)
        *others, last = addresses
        for address in others:
            with suppress(OSError, TimeoutError):
                return await asyncio.wait_for(asyncio.open_connection(address, port), CONNECT_SECONDS)
        return await asyncio.wait_for(asyncio.open_connection(last, port), CONNECT_SECONDS)


def _read_place(verb: bytes, target: str) -> tuple[str, int, str | None] | None:
    """The host and port that a request is for, and the path to ask for there; None for a tunnel."""
    if verb == b"CONNECT":
        found = PLACE.fullmatch(target)
        return (found[1] or found[2], int(found[3]), None) if found and 0 < int(found[3]) < 65536 else None
    found = ABSOLUTE.fullmatch(target)
    if not found or not 0 < int(found[2] or 80) < 65536:
        return None
    path = found[3] or "/"
    return found[1].strip("[]"), int(found[2] or 80), path if path.startswith("/") else f"/{path}"


async def _pass_on(reader: StreamReader, writer: StreamWriter) -> None:
    try:
        while piece := await reader.read(PIECE_BYTES):
            writer.write(piece)
            await writer.drain()
    except OSError:
        pass
    finally:
        with suppress(OSError, RuntimeError):
            writer.close()


def _refuse(writer: StreamWriter, status: str) -> None:
    writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
