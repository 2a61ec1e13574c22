"""Settings of the service, validated when they are created."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, fields
from pathlib import Path  # noqa: TC003 - a field of the record
from typing import TYPE_CHECKING

from bonmun.errors import BadConfig
from bonmun.rules.rule_set import load_rules
from bonmun.scale.corpus.corpus_options import LimitOptions
from bonmun.settings import check_settings, setting

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["LOG_LEVELS", "ServiceOptions", "is_loopback"]

LOG_LEVELS = ("info", "warning", "error")  # every request; failed requests; failures of the service
LOCALHOST = "localhost"
MIN_TOKEN_CHARS = 16  # a shorter token can be guessed
MAX_PORT = 65_535
MAX_SECONDS = 3_600
MEGABYTE = 1_000_000
HELD_BYTES = 500_000_000
HELD_PAGES = 4  # of maximum size, at least
MIN_MEMORY_MB = 50  # that a child process needs for an ordinary page


@dataclass(frozen=True, kw_only=True)
class ServiceOptions(LimitOptions):
    """How a service runs.

    ServiceOptions(port=9000, workers=4)           # four child processes
    ServiceOptions(host="0.0.0.0", token="…")      # other machines may call it with this token
    ServiceOptions(fetch=True)                     # it downloads URLs, from public addresses only
    ServiceOptions(render=True)                    # it renders pages in a browser
    ServiceOptions(model=Path("mine.npz"))         # weights made by `bonmun train`
    ServiceOptions(rules=Path("rules"))            # rules for single sites
    """

    host: str = setting(
        "127.0.0.1",
        "Address to listen on; anything but loopback needs a token.",
        stage="access",
        metavar="ADDRESS",
    )
    port: int = setting(8000, "Port to listen on; 0 picks a free one.", stage="access", minimum=0, maximum=MAX_PORT)
    token: str | None = setting(
        None,
        "Token that clients must send. BONMUN_TOKEN is safer: other users can see command lines.",
        stage="access",
        kind="text",
        metavar="TEXT",
        variable="BONMUN_TOKEN",
    )
    allowed_hosts: tuple[str, ...] = setting(
        (),
        "Host name under which clients may call the service; * allows any.",
        stage="access",
        flags=("--allow-host",),
        metavar="NAME",
    )
    log_level: str = setting(
        "info", "Log all requests, failed ones, or failures of the service.", stage="access", choices=LOG_LEVELS
    )
    fetch: bool = setting(False, "Download URLs, from public addresses only.", stage="fetch")
    allow_private: bool = setting(False, "Allow URLs that lead into the local network.", stage="fetch")
    render: bool = setting(False, "Render pages in a browser if a request asks for it.", stage="render")
    network: bool = setting(False, "Let pages load resources from the network when rendered or shown.", stage="render")
    model: Path | None = setting(
        None, "Model file with weights, made by `bonmun train`.", stage="method", kind="path", metavar="FILE"
    )
    rules: Path | None = setting(
        None,
        "Rule file or folder with rules for sites; none: no rules.",
        stage="method",
        kind="path",
        metavar="PATH",
    )
    max_bytes: int = setting(20_000_000, "Maximum page size in bytes.", stage="limits", minimum=1)
    memory_mb: int = setting(
        2_000, "Memory limit of a child process in megabytes.", stage="limits", minimum=MIN_MEMORY_MB
    )
    queue: int = setting(
        256, "Maximum number of waiting requests; more get status 503.", stage="limits", minimum=0, maximum=1_000_000
    )
    wait: float = 60.0  # maximum seconds that a request waits for a child process
    body_seconds: float = 30.0  # timeout for receiving a body
    stop_seconds: float = 60.0  # timeout for answering open requests during shutdown

    def __post_init__(self) -> None:
        check_settings(self)
        load_rules(self.rules)  # raises BadRule before anything starts
        for name in ("wait", "body_seconds", "stop_seconds"):
            if not 0.1 <= getattr(self, name) <= MAX_SECONDS:
                raise BadConfig(f"{name} must be from 0.1 to {MAX_SECONDS:,} seconds, not {getattr(self, name)}.")
        if self.token is not None and not (len(self.token) >= MIN_TOKEN_CHARS and self.token.isascii()):
            raise BadConfig(f"The token must have at least {MIN_TOKEN_CHARS} characters, all of them ASCII.")
        if self.token is None and not self.is_local:
            raise BadConfig(
                f"On {self.host} every machine in the network could use the service: set a token (--token, "
                "BONMUN_TOKEN), or listen on 127.0.0.1."
            )
        if self.allow_private and not (self.fetch or self.render):
            raise BadConfig("allow_private only applies to a service that fetches or renders: add --fetch.")

    @property
    def memory(self) -> int:
        """Memory limit of a child process in bytes."""
        return self.memory_mb * MEGABYTE

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the service."""
        return is_loopback(self.host)

    @property
    def held_bytes(self) -> int:
        """Maximum number of bytes of request bodies that are held in memory at a time."""
        return max(HELD_BYTES, HELD_PAGES * self.max_bytes)

    @property
    def url(self) -> str:
        """URL of the service on this machine."""
        host = self.host if self.is_local else "127.0.0.1"
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    def to_dict(self) -> Mapping[str, object]:
        """Return the settings that may be shown: all but the token."""
        return {name: getattr(self, name) for name in (each.name for each in fields(self)) if name != "token"}


def is_loopback(host: str) -> bool:
    """Whether a name or an address is a loopback address."""
    if host == LOCALHOST:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
