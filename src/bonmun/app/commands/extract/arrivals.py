"""Download URLs in a background thread while pages are extracted."""

from __future__ import annotations

import asyncio
import socket
import threading
from contextlib import suppress
from datetime import datetime
from queue import Empty, Full, Queue
from typing import TYPE_CHECKING

from bonmun.app.commands.extract.page_work import PageInput
from bonmun.errors import BonmunError
from bonmun.page.parse.decode import find_encoding
from bonmun.scale.web.download_many import download_many
from bonmun.work.result_store import StoredResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.options import Options

__all__ = ["Arrivals"]

MAX_WAITING = 16  # finished downloads in the queue; no more are started until one is taken
POLL_SECONDS = 0.2  # between checks whether the thread should end


class Arrivals:
    """The downloads of numbered URLs: each is an input to extract, or the result of a failure.

    with Arrivals(urls, options, pause, hosts) as arrivals:
        while arrivals.left:
            arrived = arrivals.take()   # None if nothing has arrived: wait for arrivals.waker
    """

    def __init__(self, urls: Sequence[tuple[int, str]], options: Options, pause: float, hosts: int) -> None:
        self.urls, self.options, self.pause, self.hosts = urls, options, pause, hosts
        self.left = len(urls)  # not taken yet
        self.arrived: Queue[PageInput | StoredResult | BaseException] = Queue(MAX_WAITING)
        self.waker, self.bell = socket.socketpair()
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Arrivals:
        if self.left:
            self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopped.set()
        if self.thread.ident is not None:
            self.thread.join(2 * POLL_SECONDS)  # open requests are abandoned
        self.waker.close()
        self.bell.close()

    def take(self, *, wait: bool = False) -> PageInput | StoredResult | None:
        """Return the next arrival, or None if there is none yet; with `wait`, wait for it."""
        try:
            arrived = self.arrived.get(block=wait)
        except Empty:
            return None
        self.waker.recv(1)
        if isinstance(arrived, BaseException):
            raise arrived
        self.left -= 1
        return arrived

    def _run(self) -> None:
        try:
            asyncio.run(self._fetch())
        except BaseException as problem:  # raised by take()
            self._put(problem)

    async def _fetch(self) -> None:
        names = (url for _, url in self.urls)
        async for place, url, got in download_many(names, self.options, pause=self.pause, hosts=self.hosts):
            number = self.urls[place][0]
            if isinstance(got, BonmunError):
                self._put(StoredResult(number, None, str(got)))
            else:
                # servers send unknown charsets
                encoding = got.encoding if got.encoding and find_encoding(got.encoding) else None
                self._put(PageInput(number, url, got.body, got.url, encoding, datetime.now().astimezone()))
            if self.stopped.is_set():
                return

    def _put(self, arrived: PageInput | StoredResult | BaseException) -> None:
        """Put an arrival into the queue; wait while it is full."""
        while not self.stopped.is_set():
            with suppress(Full):
                self.arrived.put(arrived, timeout=POLL_SECONDS)
                with suppress(OSError):  # closed in the meantime
                    self.bell.send(b".")
                return
