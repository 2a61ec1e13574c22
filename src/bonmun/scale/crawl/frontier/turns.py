"""Whose turn it is: each host in its time, and none before its robots.txt is known."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING

from bonmun.scale.crawl.fetch.robots import Robots

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Host", "Turns", "name_host"]


def name_host(url: str) -> str:
    """The host of a URL in its one spelling, with its port, if that is not the usual one."""
    return url.split("/", 3)[2].partition("?")[0]


class Host:
    """What is known of a host."""

    def __init__(
        self,
        name: str,
        robots: bytes | None = None,
        robots_status: int | None = None,
        ready: float = 0.0,
        pages: int = 0,
        failures: int = 0,
    ) -> None:
        self.name = name
        self.robots = None if robots_status is None else Robots.parse(robots or b"", robots_status)
        self.ready = ready  # no request before this moment
        self.pages = pages  # fetched
        self.failures = failures  # in a row, without an answer
        self.waiting = 0  # URLs, those on their way included
        self.busy: set[int] = set()  # those on their way
        self.is_listed = False  # whether its turn will come


class Turns:
    """The hosts that may be asked, the one that was ready first at the front."""

    def __init__(self, connections: int) -> None:
        self.connections = connections
        self.hosts: dict[str, Host] = {}
        self.listed: list[tuple[float, int, Host]] = []
        self.numbers = count()
        self.waiting = 0  # URLs of all hosts, those on their way included

    def find(self, name: str) -> Host | None:
        """A host, if it is known."""
        return self.hosts.get(name)

    def add(self, host: Host) -> None:
        """A host that was not known."""
        self.hosts[host.name] = host

    def wait(self, host: Host, urls: int = 1) -> None:
        """So many more URLs of a host wait."""
        host.waiting += urls
        self.waiting += urls
        self.free(host)

    def forget(self, host: Host, urls: int) -> None:
        """So many URLs of a host wait no longer."""
        host.waiting -= urls
        self.waiting -= urls

    def free(self, host: Host) -> None:
        """Let a host have its turn, if there is something left to ask it, and it is not busy."""
        if not host.is_listed and host.waiting > len(host.busy) and len(host.busy) < self.connections:
            host.is_listed = True
            heappush(self.listed, (host.ready, next(self.numbers), host))

    def take(self, before: float) -> Iterator[Host]:
        """The hosts that are ready before a moment, one by one; each leaves the list."""
        while self.listed and self.listed[0][0] <= before:
            host = heappop(self.listed)[2]
            host.is_listed = False
            if host.ready > before:  # it has asked for more time since it was listed
                self.free(host)
            else:
                yield host
