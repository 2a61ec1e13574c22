"""A file lock that is released when its process ends, even by a crash."""

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
    """A lock on a file, held until `release`; raises BadGold if another process holds it.

    The file is written to, so symbolic links are not followed.
    """

    def __init__(self, path: Path, what: str) -> None:
        self.path = path
        self.descriptor = -1
        while self.descriptor < 0:
            self.descriptor = self._take(what)

    def _take(self, what: str) -> int:
        """Return the descriptor of the lock, or -1 if its file was removed meanwhile."""
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
            by = f" (PID {holder})" if holder.isdecimal() else ""
            raise BadGold(f"{what} is open in another bonmun process{by}: close it first.") from None
        except FileNotFoundError:
            pass
        except OSError as problem:
            os.close(descriptor)
            raise BadGold(f"{what} cannot be locked: {problem.strerror}.") from None
        os.close(descriptor)
        return -1

    def release(self) -> None:
        """Release the lock and remove its file."""
        if self.descriptor >= 0:
            with suppress(OSError):
                self.path.unlink()
            os.close(self.descriptor)
            self.descriptor = -1
