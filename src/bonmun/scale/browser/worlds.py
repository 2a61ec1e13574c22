"""Isolated worlds of Chromium: our functions read the DOM of a page there, out of reach of its scripts."""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bonmun.errors import RenderFailed

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

__all__ = ["MAX_NAVIGATIONS", "IsolatedWorld", "call_function", "create_isolated_world", "is_navigation", "read_script"]

MAX_NAVIGATIONS = 10  # of the page itself: redirects, and navigations by scripts
PAUSE_SECONDS = 0.1


@cache
def read_script(name: str) -> str:
    """Return the JavaScript function in a file of this package."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


class IsolatedWorld:
    """An isolated world of a page (a term of Chromium): the same DOM, but separate from the scripts of the page."""

    def __init__(self, session: CDPSession) -> None:
        self.session = session
        self._number: int | None = None

    async def find(self) -> int:
        """Return the number of the world, for use with `call_function`."""
        if self._number is None:
            self._number = await create_isolated_world(self.session)
        return self._number

    async def call(self, function: str, *arguments: Any) -> Any:
        """Call a function in the world. If the page has navigated in the meantime, try again in a new world."""
        from playwright.async_api import Error

        for _ in range(MAX_NAVIGATIONS):
            try:
                return await call_function(self.session, await self.find(), function, *arguments)
            except Error as problem:
                if not is_navigation(problem):
                    raise
            self._number = None
            await asyncio.sleep(PAUSE_SECONDS)
        raise RenderFailed("It keeps navigating to other pages.")


def is_navigation(problem: Exception) -> bool:
    """Return whether a call failed because the page navigated in the meantime."""
    text = str(problem)
    return "navigated or closed" in text or ("context" in text and "closed" not in text)


async def create_isolated_world(session: CDPSession) -> int:
    """Create an isolated world in the page (see `IsolatedWorld`) and return its number."""
    tree = await session.send("Page.getFrameTree")
    world = await session.send("Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"]})
    number: int = world["executionContextId"]
    return number


async def call_function(session: CDPSession, world: int, function: str, *arguments: Any) -> Any:
    """Call a JavaScript function in an isolated world and return its result."""
    got = await session.send(
        "Runtime.callFunctionOn",
        {
            "functionDeclaration": function,
            "executionContextId": world,
            "arguments": [{"value": value} for value in arguments],
            "awaitPromise": True,
            "returnByValue": True,
        },
    )
    if "exceptionDetails" in got:
        raise RenderFailed("The page could not be measured: its document is broken.")
    return got["result"].get("value")
