"""Start, watch and stop the child process of a crawl, and write the index and the log."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
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
from bonmun.work.programs import python_command

if find_spec("scrapy") is None:
    raise MissingExtra("A crawl runs on Scrapy: pip install 'bonmun[crawl]'.")

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["CrawlProcess", "begin", "hold_folder", "write_index"]

ERRORS_NAME, INDEX_NAME, LOG_NAME = "errors.log", "index.cdxj", "log.parquet"
REFUSING_SETTINGS = ("allow_private", "resolve", "max_bytes", "host_pages", "timeout")
STOP_SECONDS = 30.0  # for open requests to finish


def begin(folder: Path, plan: CrawlPlan, *, again: bool = False) -> bool:
    """Save the plan in a locked folder. Return whether a crawl is resumed.

    Settings may change between runs, but not the seeds. URLs that a setting has refused are fetched again if it has
    changed. Raise if a browser is needed and missing.
    """
    if plan.needs_browser:
        from bonmun.scale.browser import check_browser

        check_browser()
    is_resumed = (folder / PLAN_NAME).exists()
    if is_resumed:
        earlier = CrawlPlan.load(folder)
        if (earlier.seeds, earlier.portal) != (plan.seeds, plan.portal):
            raise BadConfig(f"{folder} has a crawl with other seeds; give the same seeds to resume, or another folder.")
    folder.mkdir(parents=True, exist_ok=True)
    if is_resumed and (again or _allows_more(earlier, plan)):
        frontier = Frontier(folder, plan)
        if again:
            frontier.restart()
        else:
            frontier.requeue_refused()
        frontier.close()
    plan.save(folder)  # last: if this is interrupted, the next run does the same
    return is_resumed


def _allows_more(earlier: CrawlPlan, plan: CrawlPlan) -> bool:
    """Return whether a URL that was refused before may be accepted by the new plan."""
    return any(getattr(earlier, name) != getattr(plan, name) for name in REFUSING_SETTINGS)


class CrawlProcess:
    """The child process that crawls. It runs for the duration of a `with` block.

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
            [*python_command("bonmun.scale.crawl.process"), str(self.folder), str(os.getpid())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self.errors,
            start_new_session=True,  # Ctrl-C goes to this process only
        )
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        if self.errors:
            self.errors.close()

    @property
    def is_alive(self) -> bool:
        """Whether the process is running."""
        return self.process is not None and self.process.poll() is None

    def stop(self) -> None:
        """Let open requests finish, then end the process."""
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
        """Raise BonmunError if the process failed."""
        assert self.process
        if self.process.poll() not in (0, -signal.SIGTERM, None):
            lines = (self.folder / ERRORS_NAME).read_text("utf-8", "replace").strip().splitlines()
            last = lines[-1].rstrip(".") if lines else f"status {self.process.returncode}"
            where = self.folder / ERRORS_NAME
            raise BonmunError(f"The crawl failed: {last} (see {where}). Run the same command again to resume it.")

    def wait(self, seconds: float) -> None:
        """Wait until the process ends, at most for some seconds."""
        assert self.process
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)


def write_index(folder: Path) -> None:
    """Write the index of the WARC files and the log of all requests."""
    if not (folder / FRONTIER_NAME).exists():  # not started
        return
    try:
        write_cdxj(list_fetches(folder), folder / INDEX_NAME)
        write_log(list_fetches(folder), folder / LOG_NAME)
    except sqlite3.Error as problem:
        raise BonmunError(f"The frontier in {folder} cannot be read: {problem}.") from problem
