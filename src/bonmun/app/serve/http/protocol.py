"""How requests are read: as uvicorn does it, but nobody can keep the service busy with crumbs.

A body may come in chunks, and to read one takes the event loop as long for one byte as for a thousand. A client that
sends bodies byte by byte, as fast as it can, would leave no time for others; it is hung up on.
"""

from __future__ import annotations

import secrets
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from bonmun.app.serve.http.error_responses import describe_problem, name_status
from bonmun.app.serve.http.middleware import dress

if TYPE_CHECKING:
    from asyncio import Transport

__all__ = ["Protocol"]

HEADER_BYTES = 65_536  # of a request that are read, while it is not whole
READ_BYTES = 32_768  # at a time, before others have their turn
FEW_PIECES = 1_000  # of a body that may be as small as they like
LEAST_BYTES = 16  # of a piece, on average, if there are more
NO_REQUEST = "This is no request of HTTP, or its headers are over 64 kB, or its body comes in pieces of a few bytes."


class Protocol(H11Protocol):
    """One connection."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.conn = _Reader(h11.SERVER, HEADER_BYTES)

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Begin to read, a little at a time; what is sent is sent at once."""
        transport.max_size = READ_BYTES  # type: ignore[attr-defined] # of asyncio's own transports
        # Else the second part of an answer waits 40 ms until the client has said that it got the first.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().connection_made(transport)

    def send_400_response(self, msg: str) -> None:
        """Say that the request is none, as other problems are said; where its answer has begun already, hang up."""
        request = secrets.token_hex(8)
        body = describe_problem(name_status(400), NO_REQUEST, request)
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        with suppress(h11.LocalProtocolError):
            start = h11.Response(status_code=400, headers=dress(headers, request, is_last=True), reason=b"Bad Request")
            for event in (start, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


class _Reader(h11.Connection):
    """Reads requests, and counts the pieces in which the body of each comes."""

    pieces = 0
    size = 0  # of all of them, in bytes

    def next_event(self) -> Any:
        """What has come next; RemoteProtocolError where it is no request, or its body comes in crumbs."""
        event = super().next_event()
        if isinstance(event, h11.Request):
            self.pieces = self.size = 0
        elif isinstance(event, h11.Data):
            self.pieces += 1
            self.size += len(event.data)
            if self.pieces > FEW_PIECES and self.size < LEAST_BYTES * self.pieces:
                raise h11.RemoteProtocolError("A body must not come in pieces of a few bytes.")
        return event
