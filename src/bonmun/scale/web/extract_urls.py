"""Download and extract pages from an event loop, without blocking it: extraction runs in child processes."""

from __future__ import annotations

import asyncio
import os
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from bonmun.errors import BonmunError
from bonmun.options import DEFAULTS
from bonmun.pipeline import extract
from bonmun.scale.web.download import parse_download
from bonmun.scale.web.download_many import CONCURRENT_HOSTS, PAUSE_SECONDS, download_many
from bonmun.settings import check_type
from bonmun.work.workers import Workers

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable

    from bonmun.document import Document
    from bonmun.options import Options
    from bonmun.scale.web.download import Download

__all__ = ["Extracted", "extract_url", "extract_urls"]

PAGE_SECONDS = 60.0  # time limit of a page
MEMORY_BYTES = 4_000_000_000  # of a child process: the largest pages of 20 MB take 3.3 GB
MAX_WAIT_SECONDS = 86_400.0  # until a child process is free; the number of waiting pages is limited instead
MAX_WAITING_PAGES = 1_000_000
PAGES_PER_WORKER = 2  # that are extracted or wait for the caller at a time

_workers: WeakKeyDictionary[asyncio.AbstractEventLoop, tuple[Workers, asyncio.Task[None]]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Extracted:
    """The result of extracting one URL: a document or an error.

    `url` is the URL that was given to `extract_urls`. `document` is None if the page could not be fetched or extracted;
    `error` is the reason, or None.
    """

    url: str
    document: Document | None = None
    error: BonmunError | None = None


async def extract_url(url: str, method: str = "auto", options: Options | None = None) -> Document:
    """Download a page and extract its main text.

    The same as `extract(fetch(url))`, without blocking the event loop: the page is extracted in a child process, which
    is started with the first page and stops with the event loop.

        doc = await bonmun.extract_url("https://example.org/news")

    Args:
        url: An http or https URL.
        method: A name from `methods()`.
        options: Settings, as in `fetch` and `extract`.

    Raises:
        BonmunError: As in `fetch` and `extract`; `TooSlow` if the page takes more than a minute to extract.
    """
    check_type("url", url, str, "a URL as str")
    async with aclosing(extract_urls([url], method, options, pause=0)) as results:
        async for result in results:
            if result.document is not None:
                return result.document
            raise result.error or AssertionError
    raise AssertionError("every URL has a result")


async def extract_urls(
    urls: Iterable[str],
    method: str = "auto",
    options: Options | None = None,
    *,
    pause: float = PAUSE_SECONDS,
    hosts: int = CONCURRENT_HOSTS,
) -> AsyncGenerator[Extracted, None]:
    """Download and extract many pages, and yield an `Extracted` for each URL as soon as it is done.

    The order is that of completion. A URL that fails does not raise: its result has an `error` instead of a `document`.
    Pages are downloaded as by `fetch_many`, and extracted in as many child processes as there are cores.

        async for result in bonmun.extract_urls(urls):
            print(result.url, result.error or result.document.title)

    Args:
        urls: http or https URLs; read lazily.
        method: A name from `methods()`.
        options: Settings, as in `fetch` and `extract`.
        pause: Seconds between two requests to the same host.
        hosts: Number of hosts that are contacted at the same time.

    Raises:
        BadConfig: If an argument is invalid.
    """
    options = options or DEFAULTS
    check_type("method", method, str, "the name of a method")
    workers = await _find_workers()
    done: asyncio.Queue[Extracted | None] = asyncio.Queue()
    slots = asyncio.Semaphore(PAGES_PER_WORKER * workers.count)
    tasks: set[asyncio.Task[None]] = set()

    async def work(url: str, outcome: Download | BonmunError) -> None:
        try:
            if isinstance(outcome, BonmunError):
                raise outcome
            result = Extracted(url, await workers.run(_extract, outcome, method, options))
        except BonmunError as problem:
            result = Extracted(url, error=problem)
        done.put_nowait(result)

    async def work_all() -> None:
        try:
            async with aclosing(download_many(urls, options, pause=pause, hosts=hosts)) as downloads:
                async for _, url, outcome in downloads:
                    await slots.acquire()
                    tasks.add(task := asyncio.create_task(work(url, outcome)))
                    task.add_done_callback(tasks.discard)
            await asyncio.gather(*tasks)
        finally:
            done.put_nowait(None)

    producer = asyncio.create_task(work_all())
    try:
        while (result := await done.get()) is not None:
            slots.release()
            yield result
        await producer  # raises BadConfig
    finally:
        for task in (producer, *tasks):
            task.cancel()
        await asyncio.gather(producer, *tasks, return_exceptions=True)


def _extract(downloaded: Download, method: str, options: Options) -> Document:
    """Extract a downloaded page, in a child process."""
    return extract(parse_download(downloaded, options), method=method, options=options)


async def _find_workers() -> Workers:
    """Return the child processes of the event loop; they are started with the first call."""
    loop = asyncio.get_running_loop()
    if loop not in _workers:
        workers = Workers(
            os.cpu_count() or 1,
            first=1,
            queue=MAX_WAITING_PAGES,
            wait=MAX_WAIT_SECONDS,
            seconds=PAGE_SECONDS,
            memory=MEMORY_BYTES,
            has_main=False,
        )
        await workers.start()
        _workers[loop] = (workers, loop.create_task(_stop_at_end(workers)))
    return _workers[loop][0]


async def _stop_at_end(workers: Workers) -> None:
    """Stop the child processes when the event loop ends: `asyncio.run` cancels all tasks."""
    try:
        await asyncio.Event().wait()
    finally:
        await workers.stop()
