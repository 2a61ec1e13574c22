"""The HTTP protocol of uvicorn, protected against bodies in tiny chunks and against request smuggling.

Reading a chunk of one byte takes the event loop as long as a chunk of a thousand. A client that sends bodies byte by
byte would leave no time for others, so its connection is closed.

Request smuggling: if a proxy and the service disagree about where a request ends, a client can put a request in front
of that of another client. So the service refuses every request that a proxy might read differently, and closes the
connection (RFC 9112, sections 2.2, 5.2 and 6.1). h11 refuses the others: contradictory lengths, spaces before colons,
unknown encodings and invalid chunks.
"""

from __future__ import annotations

import secrets
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from bonmun.app.serve.http.error_responses import name_error, write_error
from bonmun.app.serve.http.middleware import add_headers

if TYPE_CHECKING:
    from asyncio import Transport

__all__ = ["ServiceProtocol"]

MAX_HEADER_BYTES = 65_536  # of an incomplete request that are buffered
READ_BYTES = 32_768  # per read, so that all connections get their turn
FREE_CHUNKS = 1_000  # of a body before their size is checked
MIN_CHUNK_BYTES = 16  # on average
INVALID_REQUEST = "Invalid HTTP request, headers over 64 kB, or a body in chunks of a few bytes."
HEAD_END = b"\r\n\r\n"
LINE_END = b"\r\n"
FOLDED_LINES = (b"\r\n ", b"\r\n\t")  # a line that continues a header


class ServiceProtocol(H11Protocol):
    """A connection."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn = _StrictConnection(h11.SERVER, MAX_HEADER_BYTES)

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override] # as in uvicorn
        """Start reading in small portions, and disable Nagle's algorithm."""
        transport.max_size = READ_BYTES  # type: ignore[attr-defined] # of the transports of asyncio
        # Otherwise the second part of a response waits 40 ms for the acknowledgement of the first.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().connection_made(transport)

    def send_400_response(self, msg: str) -> None:
        """Send an error response in our format, unless a response was already started, and close the connection."""
        request = secrets.token_hex(8)
        body = write_error(name_error(400), INVALID_REQUEST, request)
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        with suppress(h11.LocalProtocolError):
            headers = add_headers(headers, request, is_last=True)
            start = h11.Response(status_code=400, headers=headers, reason=b"Bad Request")
            for event in (start, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


class _StrictConnection(h11.Connection):
    """A parser that refuses ambiguous requests, and bodies in tiny chunks."""

    chunks = 0
    size = 0  # of all chunks, in bytes

    def next_event(self) -> Any:
        """Return the next event; raises RemoteProtocolError if a request is refused."""
        head = self.trailing_data[0] if self.their_state is h11.IDLE else b""
        event = super().next_event()
        if isinstance(event, h11.Request):
            _check_head(head)
            _check_length(event)
            self.chunks = self.size = 0
        elif isinstance(event, h11.Data):
            self.chunks += 1
            self.size += len(event.data)
            if self.chunks > FREE_CHUNKS and self.size < MIN_CHUNK_BYTES * self.chunks:
                raise h11.RemoteProtocolError("The chunks of the body are too small.")
        return event


def _check_head(data: bytes) -> None:
    """Refuse line breaks other than CR LF, and headers that continue on the next line."""
    end = data.find(HEAD_END)
    head = data[:end] if end >= 0 else b""
    if not head or not head.count(LINE_END) == head.count(b"\n") == head.count(b"\r"):
        raise h11.RemoteProtocolError("Lines must end with CR LF.")
    if any(fold in head for fold in FOLDED_LINES):
        raise h11.RemoteProtocolError("Headers must not continue on the next line.")


def _check_length(request: h11.Request) -> None:
    """Refuse a body with two lengths, and chunks in HTTP 1.0, which does not have them."""
    names = {name for name, _ in request.headers}
    if b"transfer-encoding" in names and (b"content-length" in names or request.http_version != b"1.1"):
        raise h11.RemoteProtocolError("The length of the body is ambiguous.")
