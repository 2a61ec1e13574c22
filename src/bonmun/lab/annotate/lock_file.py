"""One process at a time: a lock that goes with the process that holds it, however that ends."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from bonmun.errors import BadGold

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["LockFile"]

PID_BYTES = 20


class LockFile:
    """A lock on a file, held until it is let go; BadGold where another process holds it.

    The file is written, so a link that somebody has put in its place is not followed.
    """

    def __init__(self, path: Path, what: str) -> None:
        self.path = path
        self.descriptor = -1
        while self.descriptor < 0:
            self.descriptor = self._take(what)

    def _take(self, what: str) -> int:
        """The lock, or -1 where its file was taken away in between."""
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except OSError as problem:
            raise BadGold(f"{what} cannot be written: {self.path.name}: {problem.strerror}.") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(descriptor).st_ino == self.path.stat().st_ino:
                os.truncate(descriptor, 0)
                os.pwrite(descriptor, str(os.getpid()).encode(), 0)
                return descriptor
        except BlockingIOError:
            holder = os.pread(descriptor, PID_BYTES, 0).decode("ascii", "replace").strip()
            os.close(descriptor)
            by = f" (process {holder})" if holder.isdecimal() else ""
            raise BadGold(f"{what} is open in another bonmun{by}: close that one first.") from None
        except FileNotFoundError:
            pass
        except OSError as problem:
            os.close(descriptor)
            raise BadGold(f"{what} cannot be locked: {problem.strerror}.") from None
        os.close(descriptor)
        return -1

    def release(self) -> None:
        """Let it go, and take its file away."""
        if self.descriptor >= 0:
            with suppress(OSError):
                self.path.unlink()
            os.close(self.descriptor)
            self.descriptor = -1
