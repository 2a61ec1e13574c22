"""One browser, many pages: pages in, snapshots out, several at a time.

The browser lives in a thread with an event loop of its own, so that it can be used from anywhere, and stopped when a
page hangs. A page that does not end, crashes, closes itself or eats memory is tried once more without its scripts; a
browser that has died is started anew, and pages that were in it through no fault of their own are loaded again.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bonmun.errors import BadInput, BonmunError, FetchFailed, MissingExtra, RenderFailed
from bonmun.scale.browser.find import find_browser
from bonmun.scale.browser.loading import NOWHERE, PageCallback, RenderJob, load
from bonmun.scale.browser.proxy import FilteringProxy
from bonmun.scale.browser.render_options import RENDER_DEFAULTS, RenderOptions
from bonmun.snapshots import Snapshot, make_snapshot
from bonmun.work.array_files import READ_ERRORS

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable, Iterator
    from concurrent.futures import Future

    from playwright.async_api import Browser as Playing
    from playwright.async_api import Playwright

__all__ = ["Browser", "Rendered", "check_browser"]

# No traffic of its own, everything through the guard.
FLAGS = (
    "--disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-sync "
    "--disable-component-update --disable-extensions --disable-default-apps --disable-domain-reliability --no-pings "
    "--mute-audio --force-webrtc-ip-handling-policy=disable_non_proxied_udp --js-flags=--max-old-space-size=1024 "
    "--proxy-bypass-list=<-loopback>"
).split()
NO_SANDBOX = "BONMUN_NO_SANDBOX"  # an environment variable
START_SECONDS = 60.0
STOP_SECONDS = 10.0
WATCH_SECONDS = 0.5
PAUSE_SECONDS = 0.05
PAGES_OF_A_BROWSER = 250  # then it is started anew, and Playwright's driver, which holds ever more (.8 MB a page)
CLOSE_SECONDS = 5.0
NO_PLAYWRIGHT = "Pages are rendered with Playwright: pip install 'bonmun[render]'."
LIVES = 3  # how often a page is loaded again when its browser dies


@dataclass(frozen=True, slots=True)
class Rendered:
    """What came of a page: a snapshot, with what `then` made of the page, or the reason that there is none."""

    job: RenderJob
    snapshot: Snapshot | None = None
    problem: BonmunError | None = None
    value: Any = None
    seconds: float = 0.0
    measuring: float = 0.0  # seconds of these that the pass in the page took


class Browser:
    """A browser for as long as a `with` block runs.

    with Browser() as browser:
        snapshot = browser.render("https://example.org/")
    """

    def __init__(self, options: RenderOptions | None = None) -> None:
        self.options = options or RENDER_DEFAULTS
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True, name="bonmun-browser")
        self._guard: FilteringProxy | None = None
        self._playwright: Playwright | None = None
        self._playing: Playing | None = None
        self.pid = 0  # of the browser's own process
        self._pages = 0  # that this browser has had
        self._running = 0  # pages in it now
        self._starting = asyncio.Lock()
        self._watch: asyncio.Task[None] | None = None

    def __enter__(self) -> Browser:
        self._thread.start()
        try:
            self._run(self._start(), START_SECONDS)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- for users ----------------------------------------------------------------------------------------------

    def render(self, url: str | None = None, html: str | None = None) -> Snapshot:
        """Render a URL, or a page that is given; `url` is then where it came from. RenderFailed says why not."""
        [done] = self.render_all([RenderJob(url or "The page", url, html)])
        if done.problem:
            raise done.problem
        assert done.snapshot
        return done.snapshot

    def render_all(
        self, jobs: Iterable[RenderJob], workers: int = 2, then: PageCallback | None = None
    ) -> Iterator[Rendered]:
        """Render pages, `workers` at a time, and give what came of each in the order of the jobs.

        `then` is called with each page while it is loaded (see `loading.load`), and what it returns is the `value`.
        """
        waiting: deque[Future[Rendered]] = deque()
        try:
            for job in jobs:
                waiting.append(self.submit(job, then))
                if len(waiting) >= workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for left in waiting:
                left.cancel()

    def submit(self, job: RenderJob, then: PageCallback | None = None) -> Future[Rendered]:
        """Begin to render a page; whatever happens, the result says what came of it."""
        return asyncio.run_coroutine_threadsafe(self._render(job, then), self._loop)

    @property
    def version(self) -> str:
        """The version of the browser that runs, such as 156.0.8078.79."""
        assert self._playing
        return str(self._playing.version)

    def find_program(self) -> Path:
        """The file of the browser that runs: what `find_browser` found may be a script that starts it."""
        line: str = self._run(self._session.send("SystemInfo.getInfo"), START_SECONDS)["commandLine"]
        return Path(line.partition(" --")[0].strip('" '))

    def close(self) -> None:
        """End the browser and all its processes."""
        if not self._thread.is_alive():
            return
        with suppress(Exception):  # whatever state it is in, its processes end below
            self._run(self._stop(), STOP_SECONDS)
        self.kill()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(STOP_SECONDS)
        if not self._thread.is_alive():
            self._loop.close()

    # --- in the loop --------------------------------------------------------------------------------------------

    def _run(self, task: Coroutine[Any, Any, Any], seconds: float) -> Any:
        return asyncio.run_coroutine_threadsafe(task, self._loop).result(seconds)

    async def _start(self) -> None:
        self._playwright = await _start_playwright()
        self._guard = FilteringProxy(allow=True, allow_private=self.options.allow_private, resolve=self.options.resolve)
        await self._guard.start()
        await self._launch()
        self._watch = asyncio.ensure_future(self._watch_memory())

    async def _launch(self) -> None:
        from playwright.async_api import Error

        assert self._playwright
        assert self._guard
        path = find_browser(self._playwright.chromium.executable_path)
        try:
            self._playing = await self._playwright.chromium.launch(
                executable_path=path,
                args=[*FLAGS, f"--proxy-server={self._guard.address}"],
                headless=True,
                chromium_sandbox=_has_sandbox(),
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
                timeout=START_SECONDS * 1e3,
            )
            session = await self._playing.new_browser_cdp_session()
            processes = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
        except Error as problem:
            hint = f"; where there is no sandbox, as in some containers, set {NO_SANDBOX}=1" if _has_sandbox() else ""
            raise RenderFailed(f"{path} does not start: {str(problem).splitlines()[0]}{hint}.") from problem
        self._session = session
        self.pid = next(process["id"] for process in processes if process["type"] == "browser")
        self._pages = 0

    async def _stop(self) -> None:
        if self._watch:
            self._watch.cancel()
        await self._stop_playing()
        if self._guard:
            self._guard.stop()

    async def _stop_playing(self) -> None:
        """End the browser, and the process that drives it."""
        if self._playing:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._playing.close(), CLOSE_SECONDS)
            self._playing = None
        if self._playwright:
            await self._playwright.stop()
            self._playwright = None

    def kill(self) -> None:
        """End the browser's process; its children end with it."""
        pid, self.pid = self.pid, 0
        if pid:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)

    async def _get_browser(self) -> Playing:
        """The browser, started anew if it has died or has had many pages."""
        async with self._starting:
            is_old = self._pages >= PAGES_OF_A_BROWSER
            while is_old and self._running:  # no other page is let in meanwhile
                await asyncio.sleep(PAUSE_SECONDS)
            if is_old:
                await self._stop_playing()
                self._playwright = await _start_playwright()
            if not self._playing or not self._playing.is_connected():
                self.kill()
                await self._launch()
            self._pages += 1
            assert self._playing
            return self._playing

    async def _render(self, job: RenderJob, then: PageCallback | None) -> Rendered:
        """Render a page with its scripts or, if that fails, without them; whatever happens, say what came of it."""
        from playwright.async_api import Error

        problem: str | None = None
        attempts = [True, False] if self.options.scripts else [False]
        lives = LIVES
        while attempts:
            browser = None
            try:
                browser = await self._get_browser()
                self._running += 1
                try:
                    found = await load(browser, job, self.options, scripts=attempts[0], then=then)
                finally:
                    self._running -= 1
                snapshot = self._make_snapshot(job, found.found, problem)
                return Rendered(job, snapshot, None, found.value, found.seconds, found.measuring)
            except TimeoutError:
                problem = f"it was not laid out within {self.options.timeout:g} seconds"
                await self._check_alive(browser)
            except (FetchFailed, BadInput) as exc:  # there is no page, with or without scripts
                return Rendered(job, problem=exc)
            except (RenderFailed, *READ_ERRORS) as exc:
                problem = _lower(str(exc)) if isinstance(exc, RenderFailed) else "it could not be measured"
            except Error as exc:
                died = browser is not None and not browser.is_connected()
                problem = "the browser died" if died else _explain(exc)
                lives -= died
                if died and lives > 0:
                    continue
            except BonmunError as exc:
                return Rendered(job, problem=exc)
            attempts.pop(0)
        return Rendered(job, problem=RenderFailed(f"The page could not be rendered: {problem}."))

    async def _check_alive(self, browser: Playing | None) -> None:
        """End a browser that no longer answers."""
        from playwright.async_api import Error

        if browser is None or browser is not self._playing:
            return
        try:
            await asyncio.wait_for(self._session.send("Browser.getVersion"), CLOSE_SECONDS)
        except (TimeoutError, Error):
            self.kill()

    def _make_snapshot(self, job: RenderJob, found: dict[str, Any], problem: str | None) -> Snapshot:
        assert self._playing
        url = found["url"] if job.html is None else job.url
        head = {
            **found,
            "url": None if url == NOWHERE else url,
            "taken": datetime.now(UTC).isoformat(timespec="seconds"),
            "browser": f"Chromium {self._playing.version}",
            "problem": problem and f"without its scripts: {problem}",
        }
        return make_snapshot(head, found["html"], found)

    async def _watch_memory(self) -> None:
        """End the process of a page that takes more than it may; only its page is lost, and tried without scripts."""
        from playwright.async_api import Error

        while Path("/proc/self/statm").exists():
            await asyncio.sleep(WATCH_SECONDS)
            with suppress(Error, OSError, ValueError):
                for process in (await self._session.send("SystemInfo.getProcessInfo"))["processInfo"]:
                    if process["type"] == "renderer" and _measure_memory(process["id"]) > self.options.memory:
                        os.kill(process["id"], signal.SIGKILL)


def check_browser() -> None:
    """Raise MissingExtra, which says what to do, if no page can be rendered on this machine."""
    if find_spec("playwright") is None:
        raise MissingExtra(NO_PLAYWRIGHT)
    try:
        find_browser()
    except MissingExtra:
        with ThreadPoolExecutor(1) as pool:  # there may be a loop in this thread
            find_browser(pool.submit(asyncio.run, _find_own()).result())


async def _find_own() -> str:
    """Where Playwright's own browser would be."""
    playwright = await _start_playwright()
    try:
        return str(playwright.chromium.executable_path)
    finally:
        await playwright.stop()


async def _start_playwright() -> Playwright:
    try:
        from playwright.async_api import async_playwright
    except ImportError:
        raise MissingExtra(NO_PLAYWRIGHT) from None
    return await async_playwright().start()


def _has_sandbox() -> bool:
    """Whether pages run in Chromium's sandbox: always, but for root, for whom it has none, and where that is set."""
    return not os.environ.get(NO_SANDBOX) and not (hasattr(os, "geteuid") and os.geteuid() == 0)


def _measure_memory(pid: int) -> int:
    """How much memory a process holds, in bytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _explain(problem: Exception) -> str:
    text = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
    return "it closed itself" if "closed" in text else text.rstrip(".")[:80]


def _lower(sentence: str) -> str:
    """A sentence as a part of another."""
    return (sentence[:1].lower() + sentence[1:]).rstrip(".")
