"""A crawl from outside: its folder, the process that does it, and what is written when it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO

from bonmun.crawl.cdxj import write_cdxj
from bonmun.crawl.frontier import Frontier
from bonmun.crawl.locks import LOCK_NAME, hold_folder
from bonmun.crawl.log_file import write_log
from bonmun.crawl.plan import PLAN_NAME, CrawlPlan
from bonmun.crawl.status import list_fetches
from bonmun.errors import BadConfig, BonmunError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["CrawlProcess", "begin", "hold_folder", "write_index"]

ERRORS_NAME, INDEX_NAME, LOG_NAME = "errors.log", "index.cdxj", "log.parquet"
STOP_SECONDS = 30.0  # that what is on its way may still take


def begin(folder: Path, plan: CrawlPlan, *, again: bool = False) -> bool:
    """Make a folder for a crawl, or find the one that is there; gives whether it goes on.

    Settings may change from one go to the next, the seeds may not. A browser that is needed and missing is said here.
    """
    if plan.needs_browser:
        from bonmun.browser import check_browser

        check_browser()
    goes_on = (folder / PLAN_NAME).exists()
    if goes_on:
        earlier = CrawlPlan.load(folder)
        if (earlier.seeds, earlier.portal) != (plan.seeds, plan.portal):
            raise BadConfig(f"{folder}: a crawl of other seeds; give them again to go on, or give another folder.")
    elif folder.exists() and any(path.name != LOCK_NAME for path in folder.iterdir()):
        raise BadConfig(f"{folder}: this folder holds something else; give a new one.")
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
            [sys.executable, "-m", "bonmun.crawl.process", str(self.folder), str(os.getpid())],
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
            last = lines[-1] if lines else f"status {self.process.returncode}"
            where = self.folder / ERRORS_NAME
            raise BonmunError(f"The crawl broke off: {last} (see {where}); the same command goes on.")

    def wait(self, seconds: float) -> None:
        """Wait until it ends, or for some time."""
        assert self.process
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)


def write_index(folder: Path) -> None:
    """The index of the WARC files and the log of all requests, from the frontier."""
    write_cdxj(list_fetches(folder), folder / INDEX_NAME)
    write_log(list_fetches(folder), folder / LOG_NAME)
