"""Clients that are too slow: those that send no request, never end one, or never read their answer, are hung up on.

The web server has a time limit for connections that are idle between two requests only. So from time to time all its
connections are looked at, and one that has been at the same thing for too long is closed. Bodies have a time limit of
their own (see bodies.py), since they can be answered with a sentence.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

__all__ = ["HEADER_SECONDS", "Watch"]

HEADER_SECONDS = 10.0  # in which the headers of a request must have come
LOOK_SECONDS = 1.0


class Watch:
    """Looks at connections, which are those of uvicorn, and may have `seconds` to take an answer."""

    def __init__(self, connections: Collection[Any], seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self.connections = connections
        self.seconds = seconds
        self.clock = clock
        self.seen: dict[Any, tuple[object, float]] = {}  # what each is at, and since when

    async def run(self) -> None:
        """Look, again and again."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self.look()

    def look(self) -> None:
        """Hang up on those that are too slow."""
        now = self.clock()
        before, self.seen = self.seen, {}
        for connection in list(self.connections):
            cycle = connection.cycle  # of a request and its answer: a new one for each request
            if cycle is not None and not cycle.response_started:
                continue  # the service works on it
            is_sending = connection.transport.get_write_buffer_size() > 0
            at = (cycle, is_sending)
            known, since = before.get(connection, (None, now))
            if known != at:
                since = now
            self.seen[connection] = (at, since)
            if now - since > (self.seconds if is_sending else HEADER_SECONDS):
                connection.transport.abort()
