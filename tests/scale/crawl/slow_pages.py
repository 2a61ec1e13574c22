"""Responses that take long, much memory or the life of the process that reads them. Child processes import this module."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass

from bonmun.scale.crawl.fetch.exchange import Exchange

__all__ = ["DeadlyExchange", "HugeExchange", "SlowExchange"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowExchange(Exchange):
    """A response that takes a minute to read."""

    def decode_body(self, max_bytes: int) -> bytes:
        """Wait."""
        time.sleep(60)
        return b"<p>Late"


@dataclass(frozen=True, slots=True, kw_only=True)
class HugeExchange(Exchange):
    """A response that needs too much memory."""

    def decode_body(self, max_bytes: int) -> bytes:
        """Allocate ten gigabytes of address space."""
        return bytes(10**10)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadlyExchange(Exchange):
    """A response that kills the process that reads it."""

    def decode_body(self, max_bytes: int) -> bytes:
        """Kill this process."""
        os.kill(os.getpid(), signal.SIGKILL)
        return b""
