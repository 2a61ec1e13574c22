"""Download many pages: several hosts at a time, one request at a time for each host.

There is a pause between two requests to the same host. A request is retried a few times if the host is busy (status 429
or 503; its Retry-After header is respected up to a maximum) or if the connection breaks. A host that cannot be reached
several times in a row is given up. Every request is checked as in `bonmun.scale.web.download`.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from bonmun.errors import AddressRefused, AnswerBroken, BadConfig, BonmunError, FetchFailed, HostBusy, HostSilent
from bonmun.options import DEFAULTS, Options
from bonmun.scale.web.download import PageRequest, parse_download, shorten_url
from bonmun.settings import check_type

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable

    from bonmun.page import Page
    from bonmun.scale.web.download import Download

__all__ = ["CONCURRENT_HOSTS", "PAUSE_SECONDS", "DownloadResult", "Fetched", "download_many", "fetch_many"]

PAUSE_SECONDS = 1.0  # between two requests to the same host
CONCURRENT_HOSTS = 32
MAX_RETRIES = 3
RETRY_SECONDS = 1.0  # before the first retry; doubled for each further retry
MAX_WAIT_SECONDS = 60.0  # a host that asks for a longer delay is given up
MAX_CONNECT_FAILURES = 5  # in a row; then the host is given up
MAX_QUEUED_URLS = 20_000  # read ahead, so that the queue holds URLs of several hosts
MAX_IDLE_HOSTS = 10_000  # remembered between requests
MAX_UNREAD_RESULTS = 8  # finished downloads that wait for the caller

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Fetched:
    """The result of fetching one URL: a page or an error.

    `url` is the URL that was given to `fetch_many`. `page` is the parsed page, or None if it could not be fetched;
    `page.url` is the URL after redirects. `error` is the reason why there is no page, or None.
    """

    url: str
    page: Page | None = None
    error: BonmunError | None = None


class DownloadResult(NamedTuple):
    """The result of downloading one URL."""

    number: int  # position of the URL in the input
    url: str
    outcome: Download | BonmunError


async def fetch_many(
    urls: Iterable[str], options: Options | None = None, *, pause: float = PAUSE_SECONDS, hosts: int = CONCURRENT_HOSTS
) -> AsyncIterator[Fetched]:
    """Download and parse many web pages, and yield a `Fetched` for each URL as soon as it is done.

    The order is that of completion. A URL that fails does not raise: its result has an `error` instead of a `page`.

    `urls` may be any iterable; it is read lazily. `options` apply to each page as in `fetch`. `pause` is the number of
    seconds between two requests to the same host. `hosts` is the number of hosts that are contacted at the same time;
    each gets one request at a time. A request is retried up to 3 times if the host is busy or the connection breaks. A
    host that cannot be reached 5 times in a row is given up.

        async for fetched in bonmun.fetch_many(urls):
            if fetched.error:
                print(fetched.url, fetched.error)
            else:
                print(fetched.url, bonmun.extract(fetched.page).title)

    Raise `BadConfig` if an argument is invalid.
    """
    options = options or DEFAULTS
    async for _, url, outcome in download_many(urls, options, pause=pause, hosts=hosts):
        try:
            if isinstance(outcome, BonmunError):
                raise outcome
            page = await _run_in_thread(partial(parse_download, outcome, options))
        except BonmunError as problem:
            yield Fetched(url, error=problem)
        else:
            yield Fetched(url, page)


async def download_many(
    urls: Iterable[str], options: Options, *, pause: float = PAUSE_SECONDS, hosts: int = CONCURRENT_HOSTS
) -> AsyncGenerator[DownloadResult, None]:
    """Download many URLs without parsing, and yield each result as soon as it is there."""
    check_type("options", options, Options, "an Options record")
    check_type("pause", pause, (int, float), "a number of seconds")
    check_type("hosts", hosts, int, "a whole number")
    if isinstance(urls, (str, bytes)) or not 0 <= pause < float("inf") or hosts < 1:
        raise BadConfig("Give a list of URLs, a pause of at least 0 seconds, and at least 1 host.")
    downloader = _Downloader(options, pause, hosts)
    numbered_urls = enumerate(urls)
    try:
        while True:
            while downloader.queued < MAX_QUEUED_URLS and (numbered := next(numbered_urls, None)):
                downloader.add(*numbered)
            if not downloader.queued:
                return
            result = await downloader.results.get()
            downloader.queued -= 1
            yield result
    finally:
        await downloader.stop()


class _Host:
    """A host: its queued URLs, and the time of the next request."""

    def __init__(self) -> None:
        self.urls: deque[tuple[int, str]] = deque()
        self.lock = asyncio.Lock()  # held during requests to the host
        self.free_at = 0.0
        self.connect_failures = 0  # in a row

    def pause(self, seconds: float) -> None:
        """Delay the next request."""
        self.free_at = max(self.free_at, monotonic() + seconds)

    async def wait(self, name: str) -> None:
        """Wait until the next request is allowed. Raise if the host was given up."""
        if self.connect_failures >= MAX_CONNECT_FAILURES:
            raise HostSilent(
                f"{name} was not requested: its host could not be reached {MAX_CONNECT_FAILURES} times in a row."
            )
        if (seconds := self.free_at - monotonic()) > MAX_WAIT_SECONDS:
            raise HostBusy(f"{name} was not requested: its host asked for a delay of {seconds:,.0f} seconds.")
        await asyncio.sleep(max(0.0, seconds))


class _Downloader:
    """Runs one task for each host that has URLs, with a limit on the number of simultaneous requests."""

    def __init__(self, options: Options, pause: float, max_requests: int) -> None:
        self.options, self.pause = options, pause
        self.semaphore = asyncio.Semaphore(max_requests)
        self.hosts: dict[str, _Host] = {}
        self.max_hosts = MAX_IDLE_HOSTS
        self.tasks: set[asyncio.Task[None]] = set()
        self.results: asyncio.Queue[DownloadResult] = asyncio.Queue(MAX_UNREAD_RESULTS)
        self.queued = 0  # URLs without a result

    def add(self, number: int, url: str) -> None:
        """Add a URL to the queue of its host."""
        self.queued += 1
        if len(self.hosts) > self.max_hosts:
            self._forget_idle_hosts()
        try:
            name = PageRequest(url, self.options).host
        except BonmunError:  # reported when the URL is requested
            name = ""
        host = self.hosts.setdefault(name, _Host())
        host.urls.append((number, url))
        if len(host.urls) == 1:  # otherwise its task is running: a URL stays in the queue until it is done
            task = asyncio.create_task(self._download_all(host))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    def _forget_idle_hosts(self) -> None:
        """Drop hosts without URLs, delays or failures: a list of URLs may have millions of hosts."""
        now = monotonic()
        self.hosts = {
            name: host
            for name, host in self.hosts.items()
            if host.urls or host.lock.locked() or host.free_at > now or host.connect_failures
        }
        self.max_hosts = MAX_IDLE_HOSTS + 2 * len(self.hosts)

    async def stop(self) -> None:
        """Cancel all tasks. Requests that are in progress finish in their threads."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def _download_all(self, host: _Host) -> None:
        while host.urls:
            number, url = host.urls[0]
            await self.results.put(DownloadResult(number, url, await self._download(url)))
            host.urls.popleft()

    async def _download(self, url: str) -> Download | BonmunError:
        try:
            request = PageRequest(url, self.options)
            while (downloaded := await self._send(request)) is None:
                pass
        except BonmunError as problem:
            return problem
        except Exception as problem:  # an unexpected error must not stop the other URLs
            return FetchFailed(f"{shorten_url(str(url))} could not be fetched: {type(problem).__name__}: {problem}.")
        return downloaded

    async def _send(self, request: PageRequest) -> Download | None:
        """Send a request, and follow redirects on the same host. Return None for a redirect to another host."""
        name = request.host
        host = self.hosts.setdefault(name, _Host())
        async with host.lock:
            try:
                while (downloaded := await self._send_with_retries(request, host)) is None and request.host == name:
                    pass
            except AddressRefused:  # no request was sent
                raise
            except BonmunError:
                host.pause(self.pause)
                raise
            host.pause(self.pause)
        return downloaded

    async def _send_with_retries(self, request: PageRequest, host: _Host) -> Download | None:
        for attempt in range(MAX_RETRIES + 1):
            await host.wait(request.name)
            try:
                async with self.semaphore:
                    downloaded = await _run_in_thread(request.send)
            except (HostBusy, AnswerBroken) as problem:
                delay = problem.seconds if isinstance(problem, HostBusy) else None
                host.pause(RETRY_SECONDS * 2**attempt if delay is None else delay)
                if attempt == MAX_RETRIES or (delay or 0) > MAX_WAIT_SECONDS:
                    raise
            except HostSilent:
                host.connect_failures += 1
                raise
            else:
                host.connect_failures = 0
                return downloaded
        raise AssertionError("the last attempt returns or raises")


async def _run_in_thread(work: Callable[[], Result]) -> Result:
    """Run a function in a daemon thread: unlike a thread pool, it does not delay the end of the process."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def settle(result: Result | None, problem: BaseException | None) -> None:
        if future.cancelled():
            return
        if problem is not None:
            future.set_exception(problem)
        else:
            future.set_result(result)  # type: ignore[arg-type]  # None is a valid result

    def run() -> None:
        result, problem = None, None
        try:
            result = work()
        except Exception as found:  # raised again by the awaiting task
            problem = found
        with suppress(RuntimeError):  # the loop is closed, so no task awaits the result
            loop.call_soon_threadsafe(settle, result, problem)

    threading.Thread(target=run, daemon=True).start()
    return await future
