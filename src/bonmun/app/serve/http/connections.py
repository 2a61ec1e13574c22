"""Close the connections of slow clients: those that send no complete request, or do not read the response.

uvicorn only has a timeout for connections that are idle between two requests. So all connections are checked at regular
intervals, and one that has made no progress for too long is closed. Bodies have their own timeout (see bodies.py),
which sends an error response.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

__all__ = ["HEADER_SECONDS", "ConnectionMonitor"]

HEADER_SECONDS = 10.0  # timeout for receiving the headers of a request
CHECK_SECONDS = 1.0


class ConnectionMonitor:
    """A monitor of the connections of uvicorn; `seconds` is the timeout for sending a response."""

    def __init__(self, connections: Collection[Any], seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self.connections = connections
        self.seconds = seconds
        self.clock = clock
        self.seen: dict[Any, tuple[object, float]] = {}  # state of each connection, and since when

    async def run(self) -> None:
        """Check the connections until cancelled."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            self.close_slow()

    def close_slow(self) -> None:
        """Close the connections that are too slow."""
        now = self.clock()
        before, self.seen = self.seen, {}
        for connection in list(self.connections):
            cycle = connection.cycle  # one request and its response
            is_sending = connection.transport.get_write_buffer_size() > 0
            if cycle is not None and not (cycle.response_complete or is_sending):
                continue  # the service is processing the request, or the next line of its response
            state = (cycle, is_sending)
            old_state, since = before.get(connection, (None, now))
            if old_state != state:
                since = now
            self.seen[connection] = (state, since)
            if now - since > (self.seconds if is_sending else HEADER_SECONDS):
                connection.transport.abort()
