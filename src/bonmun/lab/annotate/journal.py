"""Every change of labels, on the disk before it counts: small lines of JSON beside a gold file.

A line without an end is what a crash has left of a change that was never said to be saved: it goes.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from stat import S_ISREG
from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun.errors import BadGold
from bonmun.lab.annotate.drafts import Change, Draft, is_revision, read_change
from bonmun.work.files import open_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

__all__ = ["Journal", "JournalLine", "read_journal"]

# No link that somebody has put there is followed, and no pipe waited for.
WRITING = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
READING = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
LINE_BYTES = 50_000_000  # of a change: all labels of the largest page take less


class JournalLine(NamedTuple):
    """A change of a page."""

    page: str
    revision: int  # that the change led to
    change: Change

    def write(self) -> bytes:
        """As a line of JSON."""
        values: dict[str, Any] = {"page": self.page, "revision": self.revision} | self.change.to_dict()
        return json.dumps(values, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


class Journal:
    """The changes beside a gold file; `append` returns when a change is on the disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, line: JournalLine) -> None:
        """Write a change; where that fails, nothing of it stays, and OSError says why."""
        descriptor = os.open(self.path, WRITING, 0o600)
        try:
            size = os.fstat(descriptor).st_size
            data = memoryview(line.write())
            try:
                while data:
                    data = data[os.write(descriptor, data) :]
                os.fsync(descriptor)
            except OSError:
                with suppress(OSError):  # what is torn would also go when the journal is read
                    os.ftruncate(descriptor, size)
                raise
        finally:
            os.close(descriptor)

    def size(self) -> int:
        """How many bytes it has."""
        try:
            return self.path.stat().st_size
        except OSError:
            return 0

    def rewrite(self, drafts: Mapping[str, Draft]) -> None:
        """Say all that is not yet in the gold file in one line a page; nothing at all if there is nothing to say."""
        if not drafts:
            self.path.unlink(missing_ok=True)
            return
        with open_atomically(self.path, sync=True) as file:
            for page, draft in drafts.items():
                file.write(JournalLine(page, draft.revision, draft.restate()).write())


def read_journal(path: Path, tell: Callable[[str], None]) -> Iterator[JournalLine]:
    """The changes in a journal, in order; `tell` hears a sentence for each line that cannot be used."""
    try:
        file = os.fdopen(os.open(path, READING), "rb")
    except FileNotFoundError:
        return
    except OSError as problem:
        raise BadGold(f"{path.name} cannot be read: {problem.strerror}.") from None
    number = 0
    with file:
        if not S_ISREG(os.fstat(file.fileno()).st_mode):
            raise BadGold(f"{path.name} cannot be read: it is no file.")
        while data := file.readline(LINE_BYTES):
            number += 1
            if not data.endswith(b"\n"):
                if len(data) == LINE_BYTES:
                    tell(f"{path.name}: line {number} is too long; what follows it is left out.")
                return  # torn: its change was never said to be saved
            line = _read_line(data)
            if isinstance(line, str):
                tell(f"{path.name}: line {number} is left out: {line}")
            else:
                yield line


def _read_line(data: bytes) -> JournalLine | str:
    """A line, or a sentence on what is wrong with it."""
    try:
        values = json.loads(data)
        change = read_change(values)
    except (ValueError, RecursionError):
        return "it is no JSON."
    except BadGold as problem:
        return str(problem)
    page, revision = values.get("page"), values.get("revision")
    if not isinstance(page, str) or not is_revision(revision):
        return "it names no page and revision."
    return JournalLine(page, revision, change)
