"""Settings of rendering, in one frozen record that validates itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from bonmun.errors import BadConfig
from bonmun.settings import check_settings, setting

__all__ = ["RENDER_DEFAULTS", "RenderChoice", "RenderOptions", "Rendering"]

Rendering = Literal["never", "auto", "always"]  # auto: pages that are empty without their scripts

MAX_VIEWPORT_PIXELS = 10_000  # a side
MAX_SECONDS = 600
MAX_PORT = 65_535
MAX_SELECTORS = 20
MAX_SELECTOR_CHARS = 1_000
HOST_AND_PORT = re.compile(r"[0-9A-Za-z.:_-]{1,255}:[0-9]{1,5}")


@dataclass(frozen=True, kw_only=True)
class RenderOptions:
    """How pages are rendered. Create one and use it for any number of pages.

    RenderOptions(viewport=(390, 844))   # the window of a phone; width and height in pixels
    RenderOptions(language="ko-KR")      # Accept-Language
    RenderOptions(user_agent="…")        # User-Agent
    RenderOptions(timeout=60)            # seconds per page; after a timeout it is tried again without scripts
    RenderOptions(wait=30)               # maximum seconds to wait for the text of the page
    RenderOptions(wait_for="article p")  # and for an element
    RenderOptions(scroll=True)           # scroll to the end, for lists that load as one reads
    RenderOptions(click=("#accept",))    # click elements: consent, "show more"
    RenderOptions(quiet=0.5)             # seconds without a change after which the page counts as finished
    RenderOptions(scripts=False)         # do not run scripts
    RenderOptions(network=True)          # files may load resources from the network; URLs always may
    RenderOptions(allow_private=True)    # pages may access the local network
    RenderOptions(resolve="127.0.0.1:8080")  # connect to this address for every host: for mirrors and tests
    """

    viewport: tuple[int, int] = setting(
        (1280, 800), "Size of the browser window.", stage="render", kind="size", metavar="WxH", in_file=True
    )
    language: str | None = setting(
        None, "Preferred language, such as ko-KR.", stage="render", kind="text", metavar="TAG", in_file=True
    )
    user_agent: str | None = setting(None, "User-Agent of the browser.", stage="render", kind="text", metavar="TEXT")
    timeout: float = setting(
        20.0,
        "Timeout of a page in seconds, without --wait; it is then rendered without scripts.",
        stage="render",
        minimum=0.001,
        maximum=MAX_SECONDS,
    )
    wait: float = setting(
        10.0,
        "Maximum wait for the text of a page, in seconds.",
        stage="render",
        minimum=0.001,
        maximum=MAX_SECONDS,
        metavar="SECONDS",
        in_file=True,
        is_remote=True,
    )
    wait_for: str | None = setting(
        None,
        "Wait until this CSS selector matches a visible element.",
        stage="render",
        kind="text",
        metavar="SELECTOR",
        in_file=True,
        is_remote=True,
    )
    scroll: bool = setting(
        False, "Scroll to the end, for lists that load while reading.", stage="render", in_file=True, is_remote=True
    )
    click: tuple[str, ...] = setting(
        (),
        "Click what this CSS selector matches: consent, 'show more'.",
        stage="render",
        metavar="SELECTOR",
        in_file=True,
        is_remote=True,
    )
    quiet: float = setting(
        0.1,
        "End the wait after this many seconds without a change.",
        stage="render",
        minimum=0.001,
        maximum=MAX_SECONDS,
    )
    scripts: bool = setting(True, "Run the scripts of the page.", stage="render")
    network: bool = setting(False, "Let local files load resources from the network.", stage="render")
    allow_private: bool = setting(False, "Allow URLs that lead into the local network.", stage="render")
    resolve: str | None = setting(
        None,
        "Connect to this address for every host (tests, mirrors).",
        stage="render",
        kind="text",
        metavar="ADDRESS:PORT",
    )
    memory: int = setting(2_000_000_000, "Memory limit of a page in bytes (Linux).", stage="render", minimum=1)

    def __post_init__(self) -> None:
        check_settings(self)
        if max(self.viewport) > MAX_VIEWPORT_PIXELS:
            width, height = self.viewport
            raise BadConfig(f"viewport must be at most {MAX_VIEWPORT_PIXELS:,} pixels a side, not {width}x{height}.")
        selectors = (*self.click, *([self.wait_for] if self.wait_for is not None else []))
        if len(self.click) > MAX_SELECTORS or any(
            not 0 < len(each.strip()) <= MAX_SELECTOR_CHARS for each in selectors
        ):
            raise BadConfig(
                f"click and wait_for take CSS selectors of 1 to {MAX_SELECTOR_CHARS:,} characters, "
                f"and click at most {MAX_SELECTORS} of them."
            )
        if self.resolve is not None and not (
            HOST_AND_PORT.fullmatch(self.resolve) and 0 < int(self.resolve.rpartition(":")[2]) <= MAX_PORT
        ):
            raise BadConfig(f"resolve must be an address and a port such as 127.0.0.1:8080, not {self.resolve!r}.")


@dataclass(frozen=True, kw_only=True)
class RenderChoice(RenderOptions):
    """Which pages are rendered, and how.

    RenderChoice(render="auto", click=("#accept",))
    """

    render: Rendering = setting(
        "never",
        "Render no pages, those that are empty without scripts, or all.",
        stage="render",
        choices=get_args(Rendering),
        is_remote=True,
    )


RENDER_DEFAULTS = RenderOptions()
