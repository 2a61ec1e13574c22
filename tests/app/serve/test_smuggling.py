"""Requests that a proxy might read differently get status 400, and their connection is closed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("uvicorn")

import uvicorn
from uvicorn.server import ServerState

from bonmun.app.serve.http.protocol import ServiceProtocol

SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: a\r\n"
AMBIGUOUS = {
    "two lengths": POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "two lengths in the other order": POST + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    "two lengths in capitals": POST + b"CONTENT-LENGTH: 0\r\nTRANSFER-ENCODING: CHUNKED\r\n\r\n0\r\n\r\n",
    "contradictory lengths": POST + b"Content-Length: 5\r\nContent-Length: 0\r\n\r\n",
    "a list of contradictory lengths": POST + b"Content-Length: 0, 5\r\n\r\n",
    "a length with a sign": POST + b"Content-Length: +0\r\n\r\n",
    "a hexadecimal length": POST + b"Content-Length: 0x0\r\n\r\n",
    "a negative length": POST + b"Content-Length: -1\r\n\r\n",
    "an empty length": POST + b"Content-Length:\r\n\r\n",
    "a length in other digits": POST + "Content-Length: ٠\r\n\r\n".encode(),
    "a space before the colon": POST + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "a tab before the colon": POST + b"Content-Length\t: 0\r\n\r\n",
    "a folded header": POST + b"Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
    "a header folded with a tab": POST + b"X: a\r\n\tTransfer-Encoding: chunked\r\n\r\n",
    "a folded first header": b"POST / HTTP/1.1\r\n Host: a\r\n\r\n",
    "an unknown encoding": POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "two encodings": POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "chunks twice": POST + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    "the header twice": POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    "a vertical tab": POST + b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
    "chunks in HTTP 1.0": b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "line feeds only": b"POST / HTTP/1.1\nHost: a\nContent-Length: 0\n\n",
    "one line feed": POST + b"X: a\nContent-Length: 0\r\n\r\n",
    "an empty line of a line feed": POST + b"Content-Length: 0\r\n\n",
    "a carriage return": POST + b"X: a\rContent-Length: 0\r\n\r\n",
    "a null": POST + b"X: a\0b\r\n\r\n",
    "an empty line first": b"\r\n" + POST + b"Content-Length: 0\r\n\r\n",
    "a chunk that ends with a line feed": POST + b"Transfer-Encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n",
    "a line feed in a chunk extension": POST + b"Transfer-Encoding: chunked\r\n\r\n1;\nx\r\na\r\n0\r\n\r\n",
    "a chunk longer than it says": POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n",
    "a chunk size with a sign": POST + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
    "a chunk size with a prefix": POST + b"Transfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n",
    "a chunk size that overflows": POST + b"Transfer-Encoding: chunked\r\n\r\n100000000000000000000\r\na\r\n",
    "a space before a chunk size": POST + b"Transfer-Encoding: chunked\r\n\r\n 1\r\na\r\n0\r\n\r\n",
}
PLAIN = {
    "no body": POST + b"Content-Length: 0\r\n\r\n",
    "the same length twice": POST + b"Content-Length: 1\r\nContent-Length: 1\r\n\r\na",
    "chunks": POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
    "chunks with an extension": POST + b"Transfer-Encoding: Chunked\r\n\r\n1;x=y\r\na\r\n0\r\n\r\n",
}


async def answer(scope: Any, receive: Any, send: Any) -> None:
    """An application that reads the body, and sends the path back."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


async def exchange(data: bytes) -> bytes:
    """Return what a server sends until it closes the connection, or has answered a last request."""
    config = uvicorn.Config(answer, http=ServiceProtocol, ws="none", log_config=None, lifespan="off")
    config.load()
    state = ServerState()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: ServiceProtocol(config=config, server_state=state, app_state={}), "127.0.0.1", 0
    )
    async with server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(data + SMUGGLED)
        writer.write_eof()
        received = await asyncio.wait_for(reader.read(), 30)
        writer.close()
        return received


@pytest.mark.parametrize("data", AMBIGUOUS.values(), ids=list(AMBIGUOUS))
def test_ambiguous_requests_are_refused(data: bytes) -> None:
    received = asyncio.run(exchange(data))
    assert received.count(b"HTTP/1.1 ") == 1  # the second request is never read
    assert received.startswith(b"HTTP/1.1 400 ")
    assert b"\r\nconnection: close\r\n" in received.lower()


@pytest.mark.parametrize("data", PLAIN.values(), ids=list(PLAIN))
def test_other_requests_are_answered(data: bytes) -> None:
    assert asyncio.run(exchange(data)).count(b"HTTP/1.1 200 ") == 2
