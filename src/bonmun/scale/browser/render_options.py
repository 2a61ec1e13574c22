"""What can be set of a rendering, in one frozen record that checks itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import NoneType

from bonmun.errors import BadConfig
from bonmun.options import check_kind

__all__ = ["RENDER_DEFAULTS", "RenderOptions"]

LARGEST_PIXELS = 10_000  # of a side of a window
LONGEST_SECONDS = 600
LAST_PORT = 65_535
PLACE = re.compile(r"[0-9A-Za-z.:_-]{1,255}:[0-9]{1,5}")


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderOptions:
    """How pages are laid out; build one and use it for any number of pages.

    RenderOptions(viewport=(390, 844))   # the window of a phone; width and height in pixels
    RenderOptions(language="ko-KR")      # what the browser asks sites for
    RenderOptions(user_agent="…")        # what it says that it is
    RenderOptions(timeout=60)            # seconds for one page; after them it is tried once more without its scripts
    RenderOptions(wait=10)               # seconds at most that a page's scripts may go on changing it
    RenderOptions(quiet=0.5)             # seconds without a change after which a page counts as laid out
    RenderOptions(scripts=False)         # run none
    RenderOptions(network=True)          # files, too, may load what they link to; URLs always may
    RenderOptions(allow_private=True)    # pages may call addresses of this network
    RenderOptions(resolve="127.0.0.1:8080")  # where all hosts are: for mirrors and tests
    """

    viewport: tuple[int, int] = (1280, 800)
    language: str | None = None
    user_agent: str | None = None
    timeout: float = 20.0
    wait: float = 3.0
    quiet: float = 0.1
    scripts: bool = True
    network: bool = False
    allow_private: bool = False
    resolve: str | None = None
    memory: int = 2_000_000_000  # bytes that a page may take; Linux only

    def __post_init__(self) -> None:
        check_kind("viewport", self.viewport, tuple, "a width and a height")
        if len(self.viewport) != 2 or not all(
            isinstance(side, int) and 0 < side <= LARGEST_PIXELS for side in self.viewport
        ):
            raise BadConfig(
                f"viewport is a width and a height in pixels, each from 1 to {LARGEST_PIXELS:,}, not {self.viewport}."
            )
        for name in ("language", "user_agent", "resolve"):
            check_kind(name, getattr(self, name), (str, NoneType), "a text")
        for name in ("scripts", "network", "allow_private"):
            check_kind(name, getattr(self, name), bool, "True or False")
        for name in ("timeout", "wait", "quiet"):
            check_kind(name, getattr(self, name), (int, float), "a number of seconds")
            if not 0 < getattr(self, name) <= LONGEST_SECONDS:
                raise BadConfig(
                    f"{name} is a number of seconds from 0 to {LONGEST_SECONDS}, not {getattr(self, name)}."
                )
        if self.resolve is not None and not (
            PLACE.fullmatch(self.resolve) and 0 < int(self.resolve.rpartition(":")[2]) <= LAST_PORT
        ):
            raise BadConfig(f"resolve is an address and a port such as 127.0.0.1:8080, not {self.resolve!r}.")
        check_kind("memory", self.memory, int, "a number of bytes")


RENDER_DEFAULTS = RenderOptions()
