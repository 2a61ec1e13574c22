"""A crawl from outside: its folder, the process that does it, and what is written when it ends."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, BinaryIO

from bonmun.errors import BadConfig, BonmunError, MissingExtra
from bonmun.scale.crawl.archive.cdxj import write_cdxj
from bonmun.scale.crawl.archive.log_file import write_log
from bonmun.scale.crawl.frontier.frontier import Frontier
from bonmun.scale.crawl.frontier.tables import FRONTIER_NAME
from bonmun.scale.crawl.locks import hold_folder
from bonmun.scale.crawl.plan import PLAN_NAME, CrawlPlan
from bonmun.scale.crawl.status import list_fetches

if find_spec("scrapy") is None:
    raise MissingExtra("A crawl runs on Scrapy: pip install 'bonmun[crawl]'.")

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["CrawlProcess", "begin", "hold_folder", "write_index"]

ERRORS_NAME, INDEX_NAME, LOG_NAME = "errors.log", "index.cdxj", "log.parquet"
STOP_SECONDS = 30.0  # that what is on its way may still take


def begin(folder: Path, plan: CrawlPlan, *, again: bool = False) -> bool:
    """Write down in a folder that is held what is asked for; gives whether a crawl goes on.

    Settings may change from one go to the next, the seeds may not. A browser that is needed and missing is said here.
    """
    if plan.needs_browser:
        from bonmun.scale.browser import check_browser

        check_browser()
    goes_on = (folder / PLAN_NAME).exists()
    if goes_on:
        earlier = CrawlPlan.load(folder)
        if (earlier.seeds, earlier.portal) != (plan.seeds, plan.portal):
            raise BadConfig(f"{folder}: a crawl of other seeds; give them again to go on, or give another folder.")
    folder.mkdir(parents=True, exist_ok=True)
    plan.save(folder)
    if again and goes_on:
        frontier = Frontier(folder, plan)
        frontier.begin_again()
        frontier.close()
    return goes_on


class CrawlProcess:
    """The process that crawls, while a `with` block watches it; at the end of the block it ends.

    with CrawlProcess(folder) as process:
        while process.is_alive:
            ...
        process.check()
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process: subprocess.Popen[bytes] | None = None
        self.errors: BinaryIO | None = None

    def __enter__(self) -> CrawlProcess:
        self.errors = (self.folder / ERRORS_NAME).open("ab")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bonmun.scale.crawl.process", str(self.folder), str(os.getpid())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self.errors,
            start_new_session=True,  # Ctrl-C is for us
        )
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        if self.errors:
            self.errors.close()

    @property
    def is_alive(self) -> bool:
        """Whether it still crawls."""
        return self.process is not None and self.process.poll() is None

    def stop(self) -> None:
        """Let it finish what is on its way, and end it."""
        process = self.process
        if process is None:
            return
        if process.poll() is None:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(STOP_SECONDS)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def check(self) -> None:
        """Raise if it ended badly."""
        assert self.process
        if self.process.poll() not in (0, -signal.SIGTERM, None):
            lines = (self.folder / ERRORS_NAME).read_text("utf-8", "replace").strip().splitlines()
            last = lines[-1].rstrip(".") if lines else f"status {self.process.returncode}"
            where = self.folder / ERRORS_NAME
            raise BonmunError(f"The crawl broke off: {last} (see {where}); the same command goes on.")

    def wait(self, seconds: float) -> None:
        """Wait until it ends, or for some time."""
        assert self.process
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)


def write_index(folder: Path) -> None:
    """The index of the WARC files and the log of all requests, from the frontier."""
    if not (folder / FRONTIER_NAME).exists():  # it was not begun
        return
    try:
        write_cdxj(list_fetches(folder), folder / INDEX_NAME)
        write_log(list_fetches(folder), folder / LOG_NAME)
    except sqlite3.Error as problem:
        raise BonmunError(f"{folder}: the list of the crawl cannot be read: {problem}.") from problem
