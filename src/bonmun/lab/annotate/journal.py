"""Journal of label changes: JSON lines beside a gold file, written to disk before a change is acknowledged.

A line without a newline is left from a crash, before its change was acknowledged; it is ignored.
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

# Neither follow symbolic links nor wait for pipes.
WRITING = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
READING = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
LINE_BYTES = 50_000_000  # per change; all labels of the largest page take less


class JournalLine(NamedTuple):
    """A change to a page."""

    page: str
    revision: int  # after the change
    change: Change

    def write(self) -> bytes:
        """Return the change as a line of JSON."""
        values: dict[str, Any] = {"page": self.page, "revision": self.revision} | self.change.to_dict()
        return json.dumps(values, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


class Journal:
    """The journal of a gold file; `append` returns when the change is on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, line: JournalLine) -> None:
        """Append a change; on failure, remove what was written and raise OSError."""
        descriptor = os.open(self.path, WRITING, 0o600)
        try:
            size = os.fstat(descriptor).st_size
            data = memoryview(line.write())
            try:
                while data:
                    data = data[os.write(descriptor, data) :]
                os.fsync(descriptor)
            except OSError:
                with suppress(OSError):  # a torn line is also ignored when the journal is read
                    os.ftruncate(descriptor, size)
                raise
        finally:
            os.close(descriptor)

    def size(self) -> int:
        """Return the size in bytes."""
        try:
            return self.path.stat().st_size
        except OSError:
            return 0

    def rewrite(self, drafts: Mapping[str, Draft]) -> None:
        """Rewrite the journal with one line per unmerged page; remove it if there are none."""
        if not drafts:
            self.path.unlink(missing_ok=True)
            return
        with open_atomically(self.path, sync=True) as file:
            for page, draft in drafts.items():
                file.write(JournalLine(page, draft.revision, draft.to_change()).write())


def read_journal(path: Path, report_problem: Callable[[str], None]) -> Iterator[JournalLine]:
    """Yield the changes of a journal in order; report lines that cannot be used."""
    try:
        file = os.fdopen(os.open(path, READING), "rb")
    except FileNotFoundError:
        return
    except OSError as problem:
        raise BadGold(f"{path.name} cannot be read: {problem.strerror}.") from None
    number = 0
    with file:
        if not S_ISREG(os.fstat(file.fileno()).st_mode):
            raise BadGold(f"{path.name} cannot be read: not a file.")
        while data := file.readline(LINE_BYTES):
            number += 1
            if not data.endswith(b"\n"):
                if len(data) == LINE_BYTES:
                    report_problem(f"{path.name}: line {number} is too long; the rest is ignored.")
                return  # torn: the change was never acknowledged
            line = _read_line(data)
            if isinstance(line, str):
                report_problem(f"{path.name}: line {number} is ignored: {line}")
            else:
                yield line


def _read_line(data: bytes) -> JournalLine | str:
    """Return the change on a line, or why it cannot be used."""
    try:
        values = json.loads(data)
        change = read_change(values)
    except (ValueError, RecursionError):
        return "not JSON."
    except BadGold as problem:
        return str(problem)
    page, revision = values.get("page"), values.get("revision")
    if not isinstance(page, str) or not is_revision(revision):
        return "no page or revision."
    return JournalLine(page, revision, change)
