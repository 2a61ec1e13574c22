"""The queue of hosts, ordered by the time at which each may receive its next request."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.scale.crawl.fetch.robots import Robots

__all__ = ["HostQueue", "HostState", "get_netloc"]


def get_netloc(url: str) -> str:
    """Return the host of a normalised URL, with its port unless it is the default."""
    return url.split("/", 3)[2].partition("?")[0]


class HostState:
    """The state of a host."""

    def __init__(
        self,
        name: str,
        robots: Robots | None = None,
        ready: float = 0.0,
        pages: int = 0,
        failures: int = 0,
    ) -> None:
        self.name = name
        self.robots = robots  # None until they are fetched
        self.ready = ready  # earliest time of the next request
        self.pages = pages  # fetched
        self.failures = failures  # weighted number of consecutive requests without a response
        self.waiting = 0  # URLs not fetched yet, including those claimed
        self.busy: set[int] = set()  # ids of the URLs claimed
        self.is_queued = False
        self.is_page_turn = False  # whether the last URL claimed was a sitemap, a feed or a result page


class HostQueue:
    """All known hosts, and a heap of those with a URL to fetch and a free connection, earliest first."""

    def __init__(self, connections: int) -> None:
        self.connections = connections  # to one host at a time
        self.hosts: dict[str, HostState] = {}
        self.heap: list[tuple[float, int, HostState]] = []
        self.numbers = count()
        self.waiting = 0  # URLs of all hosts not fetched yet, including those claimed

    def find(self, name: str) -> HostState | None:
        """Return a host, or None if it is not known."""
        return self.hosts.get(name)

    def add(self, host: HostState) -> None:
        """Add a new host."""
        self.hosts[host.name] = host

    def add_waiting(self, host: HostState, urls: int = 1) -> None:
        """Add to the number of waiting URLs of a host."""
        host.waiting += urls
        self.waiting += urls
        self.schedule(host)

    def remove_waiting(self, host: HostState, urls: int) -> None:
        """Subtract from the number of waiting URLs of a host."""
        host.waiting -= urls
        self.waiting -= urls

    def schedule(self, host: HostState, not_before: float = 0.0) -> None:
        """Queue a host that has a URL to fetch and a free connection, for the time when it is ready or a later one."""
        if not host.is_queued and host.waiting > len(host.busy) and len(host.busy) < self.connections:
            host.is_queued = True
            heappush(self.heap, (max(host.ready, not_before), next(self.numbers), host))

    def pop_ready(self, before: float) -> Iterator[HostState]:
        """Remove the hosts that are ready before a given time from the queue, and yield them."""
        while self.heap and self.heap[0][0] <= before:
            host = heappop(self.heap)[2]
            host.is_queued = False
            if host.ready > before:  # postponed since it was queued
                self.schedule(host)
            else:
                yield host
