"""Everything that can be set of a service, in one frozen record that checks itself."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING

from bonmun.errors import BadConfig
from bonmun.options import DEFAULTS, check_kind

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["LOG_LEVELS", "Settings", "is_loopback"]

LOG_LEVELS = ("info", "warning", "error")  # every request; those that failed; those that failed by our fault
LOCALHOST = "localhost"
SHORTEST_TOKEN = 16  # characters; what is shorter can be guessed
LARGEST_PORT = 65_535
LONGEST_SECONDS = 3_600
HELD_BYTES = 500_000_000
HELD_PAGES = 4  # of the largest that there may be, at least
LEAST_MEMORY = 50_000_000  # bytes that a child needs for an ordinary page


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a service runs.

    Settings(port=9000, workers=4)           # four child processes work on pages
    Settings(host="0.0.0.0", token="…")      # others may call it, with this token
    Settings(fetch=True)                     # it downloads URLs, from public addresses only
    Settings(render=True)                    # it lays pages out in a browser
    Settings(model=Path("mine.npz"))         # weights that `bonmun train` made
    """

    host: str = "127.0.0.1"
    port: int = 8000  # 0: any that is free
    token: str | None = None  # whoever calls must have it
    allowed_hosts: tuple[str, ...] = ()  # names that the service is called by, besides those of loopback
    workers: int = os.cpu_count() or 1  # child processes
    queue: int = 256  # requests that may wait for one
    wait: float = 60.0  # seconds that one may wait at most
    seconds: float = 30.0  # for one page
    memory: int = 2_000_000_000  # bytes that a child may take for its pages
    max_bytes: int = DEFAULTS.max_bytes  # of a page
    body_seconds: float = 30.0  # in which a body must have come
    stop_seconds: float = 60.0  # in which requests must be answered once the service is to stop
    fetch: bool = False  # whether URLs are downloaded
    allow_private: bool = False  # whether they may lead into this network
    render: bool = False  # whether pages are laid out in a browser
    network: bool = False  # whether pages that are shown or laid out may load what they link to
    model: Path | None = None
    log_level: str = "info"

    def __post_init__(self) -> None:
        check_kind("host", self.host, str, "a name or an address")
        check_kind("token", self.token, (str, NoneType), "a text")
        check_kind("model", self.model, (Path, NoneType), "the path of a file")
        for name, least, most in (
            ("port", 0, LARGEST_PORT),
            ("workers", 1, 1_000),
            ("queue", 0, 1_000_000),
            ("memory", LEAST_MEMORY, None),
            ("max_bytes", 1, None),
        ):
            check_kind(name, getattr(self, name), int, "a whole number")
            _check_range(name, getattr(self, name), least, most)
        for name in ("seconds", "wait", "body_seconds", "stop_seconds"):
            check_kind(name, getattr(self, name), (int, float), "a number of seconds")
            _check_range(name, getattr(self, name), 0.1, LONGEST_SECONDS)
        if self.log_level not in LOG_LEVELS:
            raise BadConfig(f"log_level is one of {', '.join(LOG_LEVELS)}, not {self.log_level!r}.")
        if self.token is not None and not (len(self.token) >= SHORTEST_TOKEN and self.token.isascii()):
            raise BadConfig(
                f"A token has {SHORTEST_TOKEN} characters or more, all of them ASCII: others can be guessed."
            )
        if self.token is None and not self.is_local:
            raise BadConfig(
                f"On {self.host} everybody in the network could use the service: give a token (--token, BONMUN_TOKEN), "
                "or bind to 127.0.0.1."
            )
        if self.allow_private and not (self.fetch or self.render):
            raise BadConfig("allow_private is for services that fetch or render: add fetch (--fetch).")

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.host)

    @property
    def held_bytes(self) -> int:
        """How many bytes of all bodies that are read, or wait, are held at a time."""
        return max(HELD_BYTES, HELD_PAGES * self.max_bytes)

    @property
    def url(self) -> str:
        """Where the service is found from this machine."""
        host = self.host if self.is_local else "127.0.0.1"
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    def to_dict(self) -> Mapping[str, object]:
        """What may be shown of it: all but the token."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "token"}


def is_loopback(host: str) -> bool:
    """Whether a name or an address is of this machine alone."""
    if host == LOCALHOST:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _check_range(name: str, value: float, least: float, most: float | None) -> None:
    if value < least or (most is not None and value > most):
        upper = f" to {most:,}" if most is not None else " or more"
        raise BadConfig(f"{name} is {least:,}{upper}, not {value:,}.")
