"""Wait until a page has its text: for timers, requests and scripts; click and scroll as the user asked.

A page with main text is done when nothing changes, nothing loads and no timer is about to fire. A page without is
given more time: until nothing can happen any more, or until the limit. The figures behind the constants are in
docs/decisions/waiting.md.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from bonmun.empty_pages import MAX_SHELL_TEXT_BYTES, explain_empty, has_main_text
from bonmun.errors import BadConfig, BonmunError
from bonmun.page import Page
from bonmun.scale.browser.worlds import is_navigation, read_script
from bonmun.snapshots import make_snapshot
from bonmun.work.array_files import READ_ERRORS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bonmun.scale.browser.render_options import RenderOptions
    from bonmun.scale.browser.worlds import IsolatedWorld

__all__ = ["PageWaiter", "check_selectors"]

NEXT_TIMER = "globalThis[Symbol.for('bonmun')]?.()"  # see timers.js
MAX_NODES = 200_000  # of a page that are counted or searched
MAX_CLICKS = 20  # a page
MAX_SCREENS = 200  # a page, with --scroll
MIN_GROWTH_CHARS = 20  # less is a clock or a counter
ROUND_SECONDS = 1.0  # after which a page that never rests is looked at
PAUSE_SECONDS = 0.05
GRACE_SECONDS = 1.0  # for a page without main text on which nothing is pending: workers, animations, …
TIMER_SECONDS = 1.0  # since the text grew, in which timers of a page with main text are waited for
STILL_SECONDS = 3.0  # after which a page with main text is done, even if something loads
CLICK_SECONDS = 3.0  # for an element to click to appear
# Resolves when the page is parsed and nothing has changed for `quiet` milliseconds, or after `limit` milliseconds.
# Returns whether it is quiet.
WAIT_UNTIL_QUIET = """(quiet, limit) => new Promise((resolve) => {
  const start = () => {
    const last = setTimeout(() => done(false), limit);
    let timer = setTimeout(() => done(true), quiet);
    const observer = new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(() => done(true), quiet); });
    function done(isQuiet) { observer.disconnect(); clearTimeout(timer); clearTimeout(last); resolve(isQuiet); }
    observer.observe(document, { subtree: true, childList: true, characterData: true });
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start, { once: true });
  else start();
})"""


class PendingRequests(Protocol):
    """The requests of a page."""

    count: int

    @property
    def is_idle(self) -> bool:
        """Whether no request is pending that can change the text."""

    @property
    def is_silent(self) -> bool:
        """Whether in addition no frame is loading and no connection is open that can bring text later."""


class _Look(NamedTuple):
    """What probe.js has counted, and the seconds until the next timer is due; None if there is no timer."""

    changes: int
    chars: int
    plain: int  # visible and outside links
    may_grow: bool
    next_timer: float | None


@dataclass(slots=True)
class _Progress:
    """What happened on a page so far, and when."""

    chars: int = 0
    changes: int = -1
    requests: int = -1
    grown: float = 0.0
    active: float = 0.0

    def note(self, look: _Look, requests: int) -> None:
        """Compare a page with what it was."""
        now = monotonic()
        if look.chars >= self.chars + MIN_GROWTH_CHARS or not self.grown:
            self.chars, self.grown = look.chars, now
        if (look.changes, requests) != (self.changes, self.requests):
            self.changes, self.requests, self.active = look.changes, requests, now


async def check_selectors(world: IsolatedWorld, options: RenderOptions) -> None:
    """Raise BadConfig if the browser does not accept a selector."""
    named = [("click", each) for each in options.click]
    named += [("wait_for", options.wait_for)] if options.wait_for else []
    for name, selector in named:
        if await world.call(read_script("act.js"), "find", selector, False, MAX_NODES) is None:
            raise BadConfig(f"{name}: {selector!r} is not a CSS selector that the browser understands.")


class PageWaiter:
    """Waits for one page. `measure` measures it, `extend` adds seconds to its timeout, since waiting does not count."""

    def __init__(
        self,
        world: IsolatedWorld,
        requests: PendingRequests,
        options: RenderOptions,
        measure: Callable[[], Awaitable[dict[str, Any]]],
        extend: Callable[[float], None],
    ) -> None:
        self.world, self.requests, self.options = world, requests, options
        self.measure, self.extend = measure, extend
        self.notes: list[str] = []
        self._end = 0.0  # of all waiting, set when the page is parsed
        self._measured: tuple[_Look, dict[str, Any]] | None = None
        self._page: Page | None = None  # as measured
        self._has_text = False

    @property
    def _left(self) -> float:
        return self._end - monotonic()

    async def run(self) -> dict[str, Any]:
        """Wait, click and scroll, as the options say. Return the measurements of the page."""
        await self._settle()
        for selector in self.options.click:
            await self._click(selector)
        if self.options.scroll:
            await self._scroll()
        if self.options.wait_for:
            await self._wait_for(self.options.wait_for)
        return await self._finish()

    async def _finish(self) -> dict[str, Any]:
        """Measure the page, unless nothing has changed since it was; note why it is empty."""
        look = await self._look()
        if not self._measured or self._measured[0][:3] != look[:3]:
            await self._check(look)
        assert self._measured
        if look.may_grow and not self._has_text and self._page and (reason := explain_empty(self._page)):
            self.notes.append(reason)
        return self._measured[1]

    async def _settle(self) -> None:
        """Wait until the page has its text and rests."""
        progress = _Progress()
        while not self._end or self._left > 0:
            began = monotonic()
            seconds = min(ROUND_SECONDS, self._left) if self._end else ROUND_SECONDS
            is_quiet = await self.world.call(WAIT_UNTIL_QUIET, self.options.quiet * 1e3, seconds * 1e3)
            self._end = self._end or monotonic() + self.options.wait  # counted from when it was parsed
            look = await self._look()
            progress.note(look, self.requests.count)
            if await self._is_done(look, progress, is_quiet=is_quiet):
                return
            await asyncio.sleep(PAUSE_SECONDS)
            self.extend(monotonic() - began)

    async def _is_done(self, look: _Look, progress: _Progress, *, is_quiet: bool) -> bool:
        since_growth = monotonic() - progress.grown
        rests = self.requests.is_idle and (is_quiet or since_growth >= TIMER_SECONDS)
        if not look.may_grow and look.next_timer is None:  # a page without scripts
            return rests or since_growth >= STILL_SECONDS
        if look.plain <= MAX_SHELL_TEXT_BYTES:
            if not rests and since_growth < STILL_SECONDS:
                return False
            if not self._measured or self._measured[0][:3] != look[:3]:
                await self._check(look)
            if not self._has_text:
                return self._is_dead(look, progress)
        left = TIMER_SECONDS - since_growth
        may_go_on = left > 0 and (
            not self.requests.is_silent or (look.next_timer is not None and look.next_timer < left)
        )
        return (rests and not may_go_on) or since_growth >= STILL_SECONDS

    def _is_dead(self, look: _Look, progress: _Progress) -> bool:
        """Whether nothing can be expected of a page without main text."""
        if not self.requests.is_silent or (look.next_timer is not None and look.next_timer < self._left):
            progress.active = monotonic()
            return False
        return monotonic() - progress.active >= GRACE_SECONDS

    async def _look(self) -> _Look:
        changes, chars, plain, may_grow = await self.world.call(
            read_script("probe.js"), MAX_NODES, MAX_SHELL_TEXT_BYTES
        )
        return _Look(changes, chars, plain, may_grow, await self._find_next_timer())

    async def _find_next_timer(self) -> float | None:
        from playwright.async_api import Error

        try:
            got = await self.world.session.send("Runtime.evaluate", {"expression": NEXT_TIMER, "returnByValue": True})
        except Error as problem:
            if is_navigation(problem):
                return 0.0  # the next page may have timers
            raise
        due = got["result"].get("value")
        return due / 1e3 if isinstance(due, (int, float)) and due >= 0 else None  # the page could return anything

    async def _check(self, look: _Look) -> None:
        """Measure the page, and find out whether it has main text."""
        found = await self.measure()
        self._measured = look, found
        if look.may_grow and look.plain <= MAX_SHELL_TEXT_BYTES:
            self._page, self._has_text = await asyncio.to_thread(_read, found)
        else:
            self._has_text = True

    async def _act(self, action: str, selector: str = "", *, may_repeat: bool = False) -> Any:
        return await self.world.call(read_script("act.js"), action, selector, may_repeat, MAX_NODES)

    async def _appears(self, selector: str, seconds: float) -> bool:
        """Wait until a selector matches a visible element. Return whether it does."""
        end = monotonic() + min(seconds, self._left)
        while True:
            began = monotonic()
            if await self._act("find", selector):
                return True
            if monotonic() >= end:
                return False
            await asyncio.sleep(2 * PAUSE_SECONDS)
            self.extend(monotonic() - began)

    async def _click(self, selector: str) -> None:
        """Click the elements that a selector matches, one after the other, and again while that adds text."""
        if not await self._appears(selector, CLICK_SECONDS):
            self.notes.append(f"--click: no visible element matches {selector!r}.")
            return
        has_grown = False
        for count in range(MAX_CLICKS):
            before = await self._look()
            matches, left, has_clicked = await self._act("click", selector, may_repeat=has_grown)
            if not has_clicked:
                return
            await self._settle()
            has_grown = (await self._look()).chars >= before.chars + MIN_GROWTH_CHARS
            if self._left <= 0:
                if left > 1 or has_grown:
                    self.notes.append(f"--click: {count + 1} of {matches:,} elements were clicked; increase --wait.")
                return
        if left > 1 or has_grown:
            self.notes.append(f"--click: {selector!r} was clicked {MAX_CLICKS} times, which is the limit.")

    async def _scroll(self) -> None:
        """Scroll to the end of the page, as long as it gets longer."""
        height = 0
        for _ in range(MAX_SCREENS):
            began = monotonic()
            is_end, found = await self._act("scroll")
            self.extend(monotonic() - began)
            if is_end:
                await self._settle()
                is_end, found = await self._act("scroll")
                if is_end and found <= height:
                    break
                height = found
            if self._left <= 0:
                self.notes.append(f"--scroll: the page was still growing after {self.options.wait:g} seconds (--wait).")
                break
        else:
            self.notes.append(f"--scroll: stopped after {MAX_SCREENS} screens, which is the limit.")
        await self._act("top")

    async def _wait_for(self, selector: str) -> None:
        if await self._appears(selector, self._left):
            await self._settle()
        else:
            self.notes.append(
                f"--wait-for: no visible element matched {selector!r} within {self.options.wait:g} seconds (--wait)."
            )


def _read(measurements: dict[str, Any]) -> tuple[Page | None, bool]:
    """Return a measured page and whether it has main text."""
    try:
        page = Page.from_snapshot(make_snapshot(measurements, measurements["html"], measurements))
        return page, has_main_text(page)
    except (BonmunError, *READ_ERRORS):  # an empty page, or a broken one, which is reported later
        return None, False
