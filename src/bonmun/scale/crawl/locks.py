"""Locks that allow one crawl at a time per folder. The system releases them when the process ends."""

from __future__ import annotations

import fcntl
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bonmun.errors import BadConfig
from bonmun.scale.crawl.plan import PLAN_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["CRAWLER_LOCK_NAME", "LOCK_NAME", "hold_file", "hold_folder"]

LOCK_NAME = "lock"  # held by the command
CRAWLER_LOCK_NAME = "crawler.lock"  # held by the crawling child process, which may outlive the command for a moment
WAIT_SECONDS = 5.0
POLL_SECONDS = 0.05


@contextmanager
def hold_folder(folder: Path) -> Iterator[None]:
    """Create the folder of a crawl if necessary, and lock it against other crawls."""
    if (
        folder.is_dir()
        and not (folder / PLAN_NAME).exists()
        and any(path.name != LOCK_NAME for path in folder.iterdir())
    ):
        raise BadConfig(f"{folder} is not empty and not the folder of a crawl; give another folder.")
    folder.mkdir(parents=True, exist_ok=True)
    with hold_file(folder / LOCK_NAME, folder, 0.0):
        if (folder / CRAWLER_LOCK_NAME).exists():
            with hold_file(folder / CRAWLER_LOCK_NAME, folder):  # a child process whose parent was killed exits soon
                pass
        yield


@contextmanager
def hold_file(path: Path, folder: Path, seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold a lock; raise BadConfig if another process does not release it in time."""
    end = time.monotonic() + seconds
    with path.open("ab") as lock:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > end:
                    raise BadConfig(
                        f"{folder} is in use by another crawl; wait until it ends, or give another folder."
                    ) from None
            time.sleep(POLL_SECONDS)
        yield
