"""Downloads that come in by themselves, from a thread of their own, while pages are worked on."""

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

WAITING = 16  # downloads that wait to be worked on, at most; no more are begun meanwhile
LOOK_SECONDS = 0.2  # between looks at whether the thread shall end


class Arrivals:
    """What comes of some URLs, each with its number: a task, or the result of one that failed.

    with Arrivals(urls, options, pause, hosts) as arrivals:
        while arrivals.left:
            arrived = arrivals.take()   # None if nothing has come yet: wait until arrivals.waker can be read
    """

    def __init__(self, urls: Sequence[tuple[int, str]], options: Options, pause: float, hosts: int) -> None:
        self.urls, self.options, self.pause, self.hosts = urls, options, pause, hosts
        self.left = len(urls)  # that nothing was taken for
        self.arrived: Queue[PageInput | StoredResult | BaseException] = Queue(WAITING)
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
            self.thread.join(2 * LOOK_SECONDS)  # it ends soon; requests under way are nobody's business any more
        self.waker.close()
        self.bell.close()

    def take(self, *, wait: bool = False) -> PageInput | StoredResult | None:
        """What has come, in the order of coming; None if nothing has. With `wait`, something will."""
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
        except BaseException as problem:  # whoever waits must know
            self._put(problem)

    async def _fetch(self) -> None:
        names = (url for _, url in self.urls)
        async for place, url, got in download_many(names, self.options, pause=self.pause, hosts=self.hosts):
            number = self.urls[place][0]
            if isinstance(got, BonmunError):
                self._put(StoredResult(number, None, str(got)))
            else:
                # servers send charsets that do not exist
                encoding = got.encoding if got.encoding and find_encoding(got.encoding) else None
                self._put(PageInput(number, url, got.body, got.url, encoding, datetime.now().astimezone()))
            if self.stopped.is_set():
                return

    def _put(self, arrived: PageInput | StoredResult | BaseException) -> None:
        """Put something where it is taken; meanwhile nothing else is begun."""
        while not self.stopped.is_set():
            with suppress(Full):
                self.arrived.put(arrived, timeout=LOOK_SECONDS)
                with suppress(OSError):  # it was closed in between
                    self.bell.send(b".")
                return
