"""A window of Chromium or Firefox, with the same methods, for tests of the inspector in both."""

from __future__ import annotations

import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import pytest
from firefox import Firefox, find_firefox, open_firefox
from playwright.sync_api import Error
from screens import open_browser

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

__all__ = ["ChromiumWindow", "Window", "open_window", "wait_for"]

WAIT_SECONDS = 60.0  # on a machine that may be busy


class ChromiumWindow:
    """A window of Chromium."""

    name = "Chromium"

    def __init__(self, page: Page) -> None:
        self._page = page

    def goto(self, url: str) -> None:
        """Open a URL, and wait until it is loaded."""
        self._page.goto(url)

    def run(self, script: str, *values: Any) -> Any:
        """Run the body of an async function in the page; return what it returns."""
        return self._page.evaluate(f"async (values) => {{ {script} }}", list(values))

    def press(self, *keys: str) -> None:
        """Press keys one after another; "Shift+Tab" presses two at once."""
        for key in keys:
            self._page.keyboard.press(key)

    def resize(self, width: int, height: int) -> None:
        """Set the size of the page."""
        self._page.set_viewport_size({"width": width, "height": height})

    def picture(self, file: Path) -> None:
        """Save a screenshot."""
        self._page.screenshot(path=file)


Window = ChromiumWindow | Firefox


@contextmanager
def open_window(name: str) -> Iterator[Window]:
    """Run a browser; skip the test if it is Firefox and not on this machine."""
    if name == "Chromium":
        with open_browser() as browser:
            yield ChromiumWindow(browser.new_page())
    elif find_firefox() is None:
        pytest.skip("Firefox was not found: the package firefox-esr of Debian has it")
    else:
        with open_firefox() as window:
            yield window


def wait_for(window: Window, expression: str, *values: Any) -> Any:
    """Wait until an expression of the page is true; return its value."""
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        found: Any = None
        with suppress(Error, AssertionError):  # the page is being replaced by another
            found = window.run(f"return {expression}", *values)
        if found:
            return found
        assert time.monotonic() < deadline, f"{window.name}: never true: {expression} {values}"
        time.sleep(0.05)
