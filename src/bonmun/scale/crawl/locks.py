"""One crawl at a time into a folder: locks that end with the process that holds them, however it ends."""

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

LOCK_NAME = "lock"  # who watches a crawl has this one
CRAWLER_LOCK_NAME = "crawler.lock"  # and the process that crawls has this one, which outlives the other for a moment
WAIT_SECONDS = 5.0
LOOK_SECONDS = 0.05


@contextmanager
def hold_folder(folder: Path) -> Iterator[None]:
    """Make a folder for a crawl, or find the one that is there; no other process may crawl into it meanwhile."""
    if (
        folder.is_dir()
        and not (folder / PLAN_NAME).exists()
        and any(path.name != LOCK_NAME for path in folder.iterdir())
    ):
        raise BadConfig(f"{folder}: this folder holds something else; give a new one.")
    folder.mkdir(parents=True, exist_ok=True)
    with hold_file(folder / LOCK_NAME, folder, 0.0):
        if (folder / CRAWLER_LOCK_NAME).exists():
            with hold_file(folder / CRAWLER_LOCK_NAME, folder):  # a process whose parent was killed ends soon
                pass
        yield


@contextmanager
def hold_file(path: Path, folder: Path, seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold a lock, if no other process does, or it lets go in time."""
    end = time.monotonic() + seconds
    with path.open("ab") as lock:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > end:
                    raise BadConfig(
                        f"{folder}: another process crawls into it; wait for it, or give another folder."
                    ) from None
            time.sleep(LOOK_SECONDS)
        yield
