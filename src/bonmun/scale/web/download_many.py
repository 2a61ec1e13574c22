"""Many URLs → pages: hosts side by side, each of them asked gently.

A host gets one request at a time, and a pause after each. One that asks for patience (429, 503) is left alone for as
long as it says, within a bound, and so is one that breaks off; then the request is made again, a few times. A host that
does not answer several times in a row is not asked any more. Every request is made as in `bonmun.scale.web.download`,
with the same
checks.
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
from bonmun.options import DEFAULTS, Options, check_kind
from bonmun.scale.web.download import PageRequest, parse_download, shorten_url

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable

    from bonmun.page import Page
    from bonmun.scale.web.download import Download

__all__ = ["CONCURRENT_HOSTS", "PAUSE_SECONDS", "DownloadResult", "Fetched", "download_many", "fetch_many"]

PAUSE_SECONDS = 1.0  # after each request, before the next one to the same host
CONCURRENT_HOSTS = 32  # that are asked at the same time
RETRIES = 3  # times that a request is made again
RETRY_SECONDS = 1.0  # before the first of them, and twice as many before each next
LONGEST_WAIT = 60.0  # seconds that a host may ask for; one that asks for more is not asked again
SILENT = 5  # times in a row that a host may not answer
AHEAD = 20_000  # URLs that wait for their turn, at most: with those of other hosts among them, hosts go side by side
KNOWN_HOSTS = 10_000  # that are kept in mind, and more if they are busy
ARRIVED = 8  # downloads that wait to be taken, at most

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came of a URL: a page, or the error that says why there is none."""

    url: str
    page: Page | None = None
    error: BonmunError | None = None


class DownloadResult(NamedTuple):
    """What came of the URL with this number."""

    number: int
    url: str
    got: Download | BonmunError


async def fetch_many(
    urls: Iterable[str], options: Options | None = None, *, pause: float = PAUSE_SECONDS, hosts: int = CONCURRENT_HOSTS
) -> AsyncIterator[Fetched]:
    """Fetch many pages, and give each as soon as it is there; a URL that gives no page is one with an error.

    `pause` is how many seconds pass after each request before the same host is asked again, `hosts` how many hosts are
    asked at the same time. Requests that fail for a while are made again.

    async for fetched in bonmun.fetch_many(urls):
        print(fetched.url, fetched.error or bonmun.extract(fetched.page).title)
    """
    options = options or DEFAULTS
    async for _, url, got in download_many(urls, options, pause=pause, hosts=hosts):
        try:
            if isinstance(got, BonmunError):
                raise got
            page = await _run_in_thread(partial(parse_download, got, options))
        except BonmunError as problem:
            yield Fetched(url, error=problem)
        else:
            yield Fetched(url, page)


async def download_many(
    urls: Iterable[str], options: Options, *, pause: float = PAUSE_SECONDS, hosts: int = CONCURRENT_HOSTS
) -> AsyncIterator[DownloadResult]:
    """The same without parsing: each URL by its place among all, as they come."""
    check_kind("options", options, Options, "an Options record")
    check_kind("pause", pause, (int, float), "a number of seconds")
    check_kind("hosts", hosts, int, "a whole number")
    if isinstance(urls, (str, bytes)) or not 0 <= pause < float("inf") or hosts < 1:
        raise BadConfig("Give a list of URLs, a pause of 0 seconds or more, and at least one host at a time.")
    crew = _Crew(options, pause, hosts)
    feed = enumerate(urls)
    try:
        while True:
            while crew.waiting < AHEAD and (numbered := next(feed, None)):
                crew.add(*numbered)
            if not crew.waiting:
                return
            arrival = await crew.arrivals.get()
            crew.waiting -= 1
            yield arrival
    finally:
        await crew.stop()


class _Host:
    """A host: the URLs that wait for it, and when it may be asked again."""

    def __init__(self) -> None:
        self.urls: deque[tuple[int, str]] = deque()
        self.lock = asyncio.Lock()  # held by whoever asks it
        self.free_at = 0.0
        self.silent = 0  # times in a row that it did not answer

    def rest(self, seconds: float) -> None:
        """Leave it alone for some time."""
        self.free_at = max(self.free_at, monotonic() + seconds)

    async def wait(self, name: str) -> None:
        """Wait until it may be asked; raises where that would be in vain."""
        if self.silent >= SILENT:
            raise HostSilent(f"{name} was not asked for: its host did not answer {SILENT} times in a row.")
        if (seconds := self.free_at - monotonic()) > LONGEST_WAIT:
            raise HostBusy(f"{name} was not asked for: its host wants to be left alone for {seconds:,.0f} seconds.")
        await asyncio.sleep(max(0.0, seconds))


class _Crew:
    """One task for each host that has URLs; all of them together have so many requests under way."""

    def __init__(self, options: Options, pause: float, most: int) -> None:
        self.options, self.pause = options, pause
        self.room = asyncio.Semaphore(most)
        self.hosts: dict[str, _Host] = {}
        self.room_for_hosts = KNOWN_HOSTS
        self.tasks: set[asyncio.Task[None]] = set()
        self.arrivals: asyncio.Queue[DownloadResult] = asyncio.Queue(ARRIVED)
        self.waiting = 0  # URLs that nothing was given for yet

    def add(self, number: int, url: str) -> None:
        """Have a URL wait for its host."""
        self.waiting += 1
        if len(self.hosts) > self.room_for_hosts:
            self._forget_idle()
        try:
            name = PageRequest(url, self.options).host
        except BonmunError:  # it is told when it is asked for
            name = ""
        host = self.hosts.setdefault(name, _Host())
        host.urls.append((number, url))
        if len(host.urls) == 1:  # the one that is asked for stays first
            task = asyncio.create_task(self._serve(host))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    def _forget_idle(self) -> None:
        """Forget hosts that nothing is known of which matters any more: a list may have millions."""
        now = monotonic()
        self.hosts = {
            name: host
            for name, host in self.hosts.items()
            if host.urls or host.lock.locked() or host.free_at > now or host.silent
        }
        self.room_for_hosts = KNOWN_HOSTS + 2 * len(self.hosts)

    async def stop(self) -> None:
        """End all tasks; requests that are under way end by themselves."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def _serve(self, host: _Host) -> None:
        while host.urls:
            number, url = host.urls[0]
            await self.arrivals.put(DownloadResult(number, url, await self._visit(url)))
            host.urls.popleft()

    async def _visit(self, url: str) -> Download | BonmunError:
        try:
            visit = PageRequest(url, self.options)
            while (got := await self._ask(visit)) is None:
                pass
        except BonmunError as problem:
            return problem
        except Exception as problem:  # whatever one URL does, the others go on
            return FetchFailed(f"{shorten_url(str(url))} could not be fetched: {type(problem).__name__}: {problem}.")
        return got

    async def _ask(self, visit: PageRequest) -> Download | None:
        """Ask a host in its turn, also where it redirects to itself; None where it redirects to another."""
        name = visit.host
        host = self.hosts.setdefault(name, _Host())
        async with host.lock:
            try:
                while (got := await self._try(visit, host)) is None and visit.host == name:
                    pass
            except AddressRefused:  # nobody was asked
                raise
            except BonmunError:
                host.rest(self.pause)
                raise
            host.rest(self.pause)
        return got

    async def _try(self, visit: PageRequest, host: _Host) -> Download | None:
        """Ask once, and again where that may help."""
        for tried in range(RETRIES + 1):
            await host.wait(visit.name)
            try:
                async with self.room:
                    got = await _run_in_thread(visit.ask)
            except (HostBusy, AnswerBroken) as problem:
                asked = problem.seconds if isinstance(problem, HostBusy) else None
                host.rest(RETRY_SECONDS * 2**tried if asked is None else asked)
                if tried == RETRIES or (asked or 0) > LONGEST_WAIT:
                    raise
            except HostSilent:
                host.silent += 1
                raise
            else:
                host.silent = 0
                return got
        raise AssertionError("the last try returns or raises")


async def _run_in_thread(work: Callable[[], Result]) -> Result:
    """Do something in a thread that does not keep the process from ending, as those of a pool would."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def settle(result: Result | None, problem: BaseException | None) -> None:
        if future.cancelled():
            return
        if problem is not None:
            future.set_exception(problem)
        else:
            future.set_result(result)  # type: ignore[arg-type]  # None is a result, too

    def run() -> None:
        result, problem = None, None
        try:
            result = work()
        except Exception as found:  # for whoever waits
            problem = found
        with suppress(RuntimeError):  # nobody waits any more: the loop is closed
            loop.call_soon_threadsafe(settle, result, problem)

    threading.Thread(target=run, daemon=True).start()
    return await future
