"""Render many pages with one browser, several at a time.

The browser runs in a thread with its own event loop, so it can be used from any thread and be stopped when a page
hangs. A page that exceeds its timeout or memory limit, crashes or closes itself is loaded once more without scripts. A
browser that dies or hangs is restarted, and its pages are loaded again, one at a time: so the page that caused it is
found, and the others are not blamed.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import tempfile
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
from bonmun.scale.browser.jobs import UNKNOWN_URL, RenderJob
from bonmun.scale.browser.loading import LoadResult, PageCallback, load
from bonmun.scale.browser.proxy import FilteringProxy
from bonmun.scale.browser.render_options import RENDER_DEFAULTS, RenderOptions
from bonmun.snapshots import MAX_NOTE_CHARS, Snapshot, make_snapshot
from bonmun.work.array_files import READ_ERRORS

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable, Iterator
    from concurrent.futures import Future

    from playwright.async_api import Browser as PlaywrightBrowser
    from playwright.async_api import Playwright

    from bonmun.scale.browser.kept_responses import KeptResponse

__all__ = ["Browser", "Rendered", "check_browser"]

# No background traffic. All requests go through a proxy, also those to this machine. The browser itself resolves no
# host name, neither by DNS nor by mDNS. Older versions of Chromium call the switch for WebRTC --force-webrtc-….
FLAGS = (
    *(
        "--disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-sync "
        "--disable-component-update --disable-extensions --disable-default-apps --disable-domain-reliability "
        "--no-pings --mute-audio --js-flags=--max-old-space-size=1024 --proxy-bypass-list=<-loopback> "
        "--webrtc-ip-handling-policy=disable_non_proxied_udp --force-webrtc-ip-handling-policy=disable_non_proxied_udp"
    ).split(),
    # Every name has an address that nothing can connect to. With "~NOTFOUND", WebRTC would ask for that name by mDNS.
    "--host-resolver-rules=MAP * [ff00::], EXCLUDE 127.0.0.1",
)
# Switches that Playwright adds although they help hostile pages: pop-ups, and floods of navigations.
UNWANTED_FLAGS = ["--disable-popup-blocking", "--disable-ipc-flooding-protection"]
NO_SANDBOX = "BONMUN_NO_SANDBOX"  # environment variable
OPENER = "xdg-open"  # Chromium on Linux starts it for mailto: URLs, also if a script or a redirect opens one
START_SECONDS = 60.0
STOP_SECONDS = 10.0
WATCH_SECONDS = 0.25
PAUSE_SECONDS = 0.05
MAX_PAGES_PER_BROWSER = 250  # then it is restarted, since the driver of Playwright leaks .8 MB per page
CLOSE_SECONDS = 5.0
NO_PLAYWRIGHT = "Rendering needs Playwright: pip install 'bonmun[render]'."


@dataclass(frozen=True, slots=True)
class Rendered:
    """The result of rendering one page: a snapshot or a problem."""

    job: RenderJob
    snapshot: Snapshot | None = None
    problem: BonmunError | None = None  # why there is no snapshot
    value: Any = None  # returned by the callback `then`
    seconds: float = 0.0
    measuring_seconds: float = 0.0  # of these, for measure.js
    loaded: tuple[KeptResponse, ...] = ()  # from the network, if the job says to keep it


class Browser:
    """A browser that runs during a `with` block.

    with Browser() as browser:
        snapshot = browser.render("https://example.org/")
    """

    def __init__(self, options: RenderOptions | None = None) -> None:
        self.options = options or RENDER_DEFAULTS
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True, name="bonmun-browser")
        self._proxy = FilteringProxy(allow=True, allow_private=self.options.allow_private, resolve=self.options.resolve)
        self._closed_proxy = FilteringProxy(allow=False, allow_private=False)  # for all but pages with network access
        self._playwright: Playwright | None = None
        self._browser: PlaywrightBrowser | None = None
        self._programs = Path()  # a folder with programs that the browser finds first
        self.pid = 0  # of the main process of the browser
        self._version = ""
        self._pages = 0  # loaded since the browser was started
        self._running = 0  # pages that are loading now
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

    # --- public -------------------------------------------------------------------------------------------------

    def render(self, url: str | None = None, html: str | None = None) -> Snapshot:
        """Render a URL or, with `html`, a page that was downloaded from it. Raise a BonmunError if that fails."""
        [done] = self.render_all([RenderJob(url or "The page", url, html)])
        if done.problem:
            raise done.problem
        assert done.snapshot
        return done.snapshot

    def render_all(
        self, jobs: Iterable[RenderJob], workers: int = 2, then: PageCallback | None = None
    ) -> Iterator[Rendered]:
        """Render pages, `workers` at a time, and yield the results in the order of the jobs.

        `then` is called with each rendered page while it is loaded; its return value is the `value` of the result.
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
            for unfinished in waiting:
                unfinished.cancel()

    def submit(self, job: RenderJob, then: PageCallback | None = None) -> Future[Rendered]:
        """Start to render a page. The future never raises: failures are in the result."""
        return asyncio.run_coroutine_threadsafe(self._render(job, then), self._loop)

    @property
    def version(self) -> str:
        """The version of the running browser, such as 156.0.8078.79."""
        return self._version

    def find_program(self) -> Path:
        """Return the executable of the running browser; `find_browser` may return a script that starts it."""
        line: str = self._run(self._session.send("SystemInfo.getInfo"), START_SECONDS)["commandLine"]
        return Path(line.partition(" --")[0].strip('" '))

    def close(self) -> None:
        """Stop the browser and all its processes."""
        if not self._thread.is_alive():
            return
        with suppress(Exception):  # in any case, its processes are killed below
            self._run(self._stop(), STOP_SECONDS)
        self.kill()
        shutil.rmtree(self._programs, ignore_errors=True)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(STOP_SECONDS)
        if not self._thread.is_alive():
            self._loop.close()

    # --- event loop ---------------------------------------------------------------------------------------------

    def _run(self, task: Coroutine[Any, Any, Any], seconds: float) -> Any:
        return asyncio.run_coroutine_threadsafe(task, self._loop).result(seconds)

    async def _start(self) -> None:
        self._playwright = await _start_playwright()
        self._programs = Path(tempfile.mkdtemp(prefix="bonmun-browser-"))
        await self._proxy.start()
        await self._closed_proxy.start()
        await self._launch()
        self._watch = asyncio.ensure_future(self._watch_memory())

    async def _launch(self) -> None:
        from playwright.async_api import Error

        assert self._playwright
        path = find_browser(self._playwright.chromium.executable_path)
        try:
            self._browser = await self._playwright.chromium.launch(
                executable_path=path,
                args=[*FLAGS, f"--proxy-server={self._closed_proxy.address}"],
                ignore_default_args=UNWANTED_FLAGS,
                headless=True,
                chromium_sandbox=_has_sandbox(),
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
                env=self._make_environment(),
                timeout=START_SECONDS * 1e3,
            )
            session = await self._browser.new_browser_cdp_session()
            processes = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
        except Error as problem:
            hint = f"; in a container without sandbox support, set {NO_SANDBOX}=1" if _has_sandbox() else ""
            raise RenderFailed(f"{path} could not be started: {str(problem).splitlines()[0]}{hint}.") from problem
        self._session = session
        self._version = str(self._browser.version)
        self.pid = next(process["id"] for process in processes if process["type"] == "browser")
        self._pages = 0

    def _make_environment(self) -> dict[str, str | float | bool]:
        """Return the environment of the browser, in which `OPENER` is a program that does nothing."""
        opener = self._programs / OPENER
        opener.write_text("#!/bin/sh\n")
        opener.chmod(0o700)
        path = os.pathsep.join([str(self._programs), os.environ.get("PATH", os.defpath)])
        return {**os.environ, "PATH": path}

    async def _stop(self) -> None:
        if self._watch:
            self._watch.cancel()
        await self._stop_browser()
        await self._proxy.stop()
        await self._closed_proxy.stop()

    async def _stop_browser(self) -> None:
        """Stop the browser and the driver of Playwright, also if they no longer respond."""
        from playwright.async_api import Error

        browser, self._browser = self._browser, None
        playwright, self._playwright = self._playwright, None
        with suppress(Error, TimeoutError):
            if browser and self.pid:
                await asyncio.wait_for(browser.close(), CLOSE_SECONDS)
        with suppress(Error, TimeoutError):
            if playwright:
                await asyncio.wait_for(playwright.stop(), CLOSE_SECONDS)

    def kill(self) -> None:
        """Kill the process of the browser, and so its child processes."""
        pid, self.pid = self.pid, 0
        if pid:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)

    async def _get_browser(self) -> PlaywrightBrowser:
        """Return the browser. Restart it, and its driver, if one of them has died or hangs, or after many pages."""
        is_old = self._pages >= MAX_PAGES_PER_BROWSER
        if is_old:
            await self._wait_for_pages()
        if is_old or not self._browser or not self._browser.is_connected():
            if not is_old:
                self.kill()
            await self._stop_browser()
            self._playwright = await _start_playwright()
            await self._launch()
        self._pages += 1
        assert self._browser
        return self._browser

    async def _wait_for_pages(self) -> None:
        """Wait until no page is loading. New pages wait for the lock, which the caller holds."""
        while self._running:
            await asyncio.sleep(PAUSE_SECONDS)

    async def _render(self, job: RenderJob, then: PageCallback | None) -> Rendered:
        """Render a page with scripts or, if that fails, without. Never raises."""
        from playwright.async_api import Error

        problem: str | None = None
        attempts = [True, False] if self.options.scripts else [False]
        has_died = False
        while attempts:
            try:
                loaded = await self._load(job, then, scripts=attempts[0], alone=has_died)
                snapshot = self._make_snapshot(job, loaded, problem)
                seconds = (loaded.seconds, loaded.measuring_seconds)
                return Rendered(job, snapshot, None, loaded.value, *seconds, loaded.loaded)
            except TimeoutError:
                problem = f"it was not rendered within {(job.options or self.options).timeout:g} seconds"
            except (FetchFailed, BadInput) as exc:  # scripts make no difference
                return Rendered(job, problem=exc)
            except (RenderFailed, *READ_ERRORS) as exc:
                problem = _as_clause(str(exc)) if isinstance(exc, RenderFailed) else "it could not be measured"
            except BrowserDied:
                if not has_died:  # maybe because of another page
                    has_died = True
                    continue
                problem = "the browser died"
            except Error as exc:
                problem = _explain(exc)
            except BonmunError as exc:
                return Rendered(job, problem=exc)
            attempts.pop(0)
        return Rendered(job, problem=RenderFailed(f"The page could not be rendered: {problem}."))

    async def _load(self, job: RenderJob, then: PageCallback | None, *, scripts: bool, alone: bool) -> LoadResult:
        """Load a page: if `alone`, while no other page is loading. Raise BrowserDied if the browser dies meanwhile."""
        async with self._starting:
            if alone:
                await self._wait_for_pages()
            browser = await self._get_browser()
            self._running += 1
            if alone:
                return await self._load_in(browser, job, then, scripts=scripts)
        return await self._load_in(browser, job, then, scripts=scripts)

    async def _load_in(
        self, browser: PlaywrightBrowser, job: RenderJob, then: PageCallback | None, *, scripts: bool
    ) -> LoadResult:
        from playwright.async_api import Error

        try:
            return await load(browser, self._proxy.address, job, self.options, scripts=scripts, then=then)
        except (TimeoutError, Error) as problem:
            if not await self._is_alive(browser):
                raise BrowserDied from problem
            raise
        finally:
            self._running -= 1

    async def _is_alive(self, browser: PlaywrightBrowser) -> bool:
        """Return whether the browser responds. Kill it if it, or the driver of Playwright, does not."""
        from playwright.async_api import Error

        if browser.is_connected() and browser is self._browser:
            with suppress(TimeoutError, Error):
                await asyncio.wait_for(self._session.send("Browser.getVersion"), CLOSE_SECONDS)
                return True
        if browser is self._browser:
            self.kill()
            self._browser = None  # a driver that hangs or is dead does not notice
        return False

    def _make_snapshot(self, job: RenderJob, loaded: LoadResult, problem: str | None) -> Snapshot:
        measurements = loaded.measurements
        url = measurements["url"] if job.html is None else job.url
        head = {
            **measurements,
            "url": None if url == UNKNOWN_URL else url,
            "taken": datetime.now(UTC).isoformat(timespec="seconds"),
            "browser": f"Chromium {self._version}",
            "problem": problem and f"without its scripts: {problem}",
            "note": " ".join(loaded.notes)[:MAX_NOTE_CHARS] or None,
        }
        return make_snapshot(head, measurements["html"], measurements)

    async def _watch_memory(self) -> None:
        """Kill every process of the browser that exceeds the memory limit. Its page is then loaded without scripts."""
        while Path("/proc/self/statm").exists():
            await asyncio.sleep(WATCH_SECONDS)
            for pid in _list_processes(self.pid):
                with suppress(OSError, ValueError):
                    if _measure_memory(pid) > self.options.memory:
                        os.kill(pid, signal.SIGKILL)


class BrowserDied(Exception):
    """The browser died while it loaded a page."""


def check_browser() -> None:
    """Raise MissingExtra if pages cannot be rendered on this machine."""
    if find_spec("playwright") is None:
        raise MissingExtra(NO_PLAYWRIGHT)
    try:
        find_browser()
    except MissingExtra:
        with ThreadPoolExecutor(1) as pool:  # this thread may run an event loop
            find_browser(pool.submit(asyncio.run, _find_playwright_browser()).result())


async def _find_playwright_browser() -> str:
    """Return the path of the browser that Playwright installs."""
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
    """Return whether pages run in the sandbox of Chromium: not for root, and not if BONMUN_NO_SANDBOX is set."""
    return not os.environ.get(NO_SANDBOX) and not (hasattr(os, "geteuid") and os.geteuid() == 0)


def _list_processes(pid: int) -> list[int]:
    """Return a process and its descendants (Linux). Does not ask the browser, which may be too busy to answer."""
    found = [pid] if pid else []
    for each in found:
        with suppress(OSError):
            for thread in Path(f"/proc/{each}/task").iterdir():
                with suppress(OSError):
                    found += map(int, (thread / "children").read_text().split())
    return found


def _measure_memory(pid: int) -> int:
    """Return the resident memory of a process in bytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _explain(problem: Exception) -> str:
    text = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
    return "it closed itself" if "closed" in text else text.rstrip(".")[:80]


def _as_clause(sentence: str) -> str:
    """Return a sentence for use within another: lower case, without the full stop."""
    return (sentence[:1].lower() + sentence[1:]).rstrip(".")
