"""One person's gold file: JSON lines, one a finished page; their unfinished work in a journal beside it.

A change is in the journal, on the disk, before it counts. A page that is finished goes into the gold file, which is
written beside its place and renamed. So whatever ends the process, both files are whole, and together they hold all
that was ever said to be saved. A lock sees to it that one process at a time writes.

Lines of the file that are not ours (records without labels, or broken ones) stay as they are.
"""

from __future__ import annotations

import json
import os
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO

from bonmun.errors import BadGold, StaleLabels
from bonmun.lab.annotate.drafts import Change, Draft, mend_text
from bonmun.lab.annotate.entries import ENDING, Entry, copy_bytes, read_entries, write_record
from bonmun.lab.annotate.journal import Journal, JournalLine, read_journal
from bonmun.lab.annotate.lock_file import LockFile
from bonmun.lab.annotate.records import OWN_KEYS, read_draft
from bonmun.work.files import open_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["GoldFile"]

JOURNAL_BYTES = 1_000_000  # a longer journal is written anew when a page is finished
MAX_PROBLEMS = 20  # that are remembered


class GoldFile:
    """A gold file that is open for one annotator, whose name is that of the file.

    gold = GoldFile(Path("kim.jsonl"))
    draft = gold.save("page.html", 0, Change({"/html/body/p[1]": "keep"}))
    """

    def __init__(self, path: Path) -> None:
        self.path = _check_place(path)
        self.annotator = self.path.name.removesuffix(ENDING)
        self.problems: list[str] = []  # sentences on lines that cannot be used
        self.drafts: dict[str, Draft] = {}  # by the name of a page: what is finished, and what is not
        self.folded: dict[str, int] = {}  # the revision that is in the gold file
        self._entries: dict[str, Entry] = {}
        self._seen: tuple[int, int, int] | None = None  # what the file looked like when its entries were read
        self._guard = threading.RLock()
        self._lock = LockFile(self.path.with_name(f"{self.path.name}.lock"), self.path.name)
        self.journal = Journal(self.path.with_name(f"{self.path.name}.journal"))
        try:
            self._read()
        except BaseException:
            self._lock.release()
            raise

    def _read(self) -> None:
        self._read_entries()
        self.drafts = {name: entry.draft for name, entry in self._entries.items() if entry.draft}
        for line in read_journal(self.journal.path, self._tell):
            draft = self.drafts.get(line.page, Draft())
            if line.revision <= draft.revision:
                continue  # it is in the gold file
            if line.revision > draft.revision + 1 and not line.change.is_whole:
                self._tell(
                    f"{self.journal.path.name}: a change of {line.page} before revision {line.revision} is missing."
                )
            self.drafts[line.page] = replace(draft.apply(line.change), revision=line.revision)
        if self.journal.size():
            self._tidy_journal()

    def _read_entries(self) -> None:
        """Read where the records are, if the file has changed since."""
        seen = _look_at(self.path)
        if seen != self._seen:
            self._entries = {entry.name: entry for entry in read_entries(self.path, self._tell)}
            self.folded = {name: entry.draft.revision for name, entry in self._entries.items() if entry.draft}
            self._seen = seen

    def _tell(self, problem: str) -> None:
        problem = mend_text(problem)
        if len(self.problems) < MAX_PROBLEMS and problem not in self.problems:
            self.problems.append(problem)

    def find(self, name: str) -> Draft:
        """What is known of a page: an empty draft of revision 0 if nothing is."""
        return self.drafts.get(name) or Draft()

    def save(self, name: str, revision: int, change: Change) -> Draft:
        """Change the labels of a page that had a revision; StaleLabels if it has another by now."""
        with self._guard:
            draft = self.find(name)
            if draft.revision != revision:
                raise StaleLabels(
                    f"The labels of {name} have changed since: revision {revision} is now {draft.revision}."
                )
            changed = draft.apply(change)
            try:
                self.journal.append(JournalLine(name, changed.revision, change))
            except OSError as problem:
                raise self._explain(problem) from None
            self.drafts[name] = changed
            return changed

    @property
    def unfolded(self) -> dict[str, Draft]:
        """What is not in the gold file, or not as it is now."""
        return {name: draft for name, draft in self.drafts.items() if self.folded.get(name) != draft.revision}

    def fold(self, record: Mapping[str, Any]) -> None:
        """Put the record of a finished page into the gold file; what else a record of it said there stays."""
        with self._guard:
            self._read_entries()
            if record["revision"] < self.folded.get(record["id"], 0):
                return  # another window was faster, and what it finished is newer
            old = self._entries.get(record["id"])
            try:
                with open_atomically(self.path, sync=True) as file:
                    new = self._copy_with(file, old, record)
                self._move_entries(old, new)
                if self.journal.size() > JOURNAL_BYTES:
                    self._tidy_journal()
            except OSError as problem:
                raise self._explain(problem) from None

    def _copy_with(self, new: BinaryIO, entry: Entry | None, record: Mapping[str, Any]) -> Entry:
        """Copy the file with a record in the place of an entry, or at its end; gives the new entry."""
        draft, name = read_draft(record)[0], record["id"]
        if not self.path.exists():
            new.write(write_record(record))
            return Entry(name, 0, new.tell(), draft)
        with self.path.open("rb") as old:
            copy_bytes(old, new, 0, entry.start if entry else None)
            if entry is None:
                old.seek(max(new.tell() - 1, 0))
                new.write(b"" if old.read(1) in (b"\n", b"") else b"\n")
            else:
                old.seek(entry.start)
                before = json.loads(old.read(entry.stop - entry.start))
                record = {key: value for key, value in before.items() if key not in OWN_KEYS} | dict(record)
            start = new.tell()
            new.write(write_record(record))
            stop = new.tell()
            if entry:
                copy_bytes(old, new, entry.stop, None)
        return Entry(name, start, stop, draft)

    def _move_entries(self, old: Entry | None, new: Entry) -> None:
        """Know where all records are after one has taken another's place: to read a large file again takes seconds."""
        if old:
            shift = new.stop - old.stop
            for name, entry in self._entries.items():
                if entry.start >= old.stop:
                    self._entries[name] = replace(entry, start=entry.start + shift, stop=entry.stop + shift)
        self._entries[new.name] = new
        if new.draft:
            self.folded[new.name] = new.draft.revision
        self._seen = _look_at(self.path)

    def _tidy_journal(self) -> None:
        try:
            self.journal.rewrite(self.unfolded)
        except OSError as problem:
            raise self._explain(problem) from None

    def _explain(self, problem: OSError) -> BadGold:
        return BadGold(f"{self.path.name} cannot be written: {problem.strerror or problem}. Nothing of it has changed.")

    def close(self) -> None:
        """Leave a short journal, or none, and let others write."""
        with self._guard:
            try:
                if self._lock.descriptor >= 0 and self.journal.size():
                    self._tidy_journal()
            finally:
                self._lock.release()


def _look_at(path: Path) -> tuple[int, int, int] | None:
    """What a file looks like from outside; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _check_place(path: Path) -> Path:
    """Where a gold file is, or will be; BadGold if none can be there."""
    if not path.name.endswith(ENDING) or path.name == ENDING:
        raise BadGold(f"{path}: a gold file is named {ENDING}, such as kim{ENDING} for what Kim labels.")
    try:
        path = path.resolve()
        if not path.parent.is_dir():
            raise BadGold(f"{path}: there is no such folder.")
        if path.exists() and not path.is_file():
            raise BadGold(f"{path}: this is no file.")
        if path.is_file() and not os.access(path, os.R_OK | os.W_OK):
            raise BadGold(f"{path}: the file may not be read and written.")
    except (OSError, ValueError) as problem:
        raise BadGold(f"{path}: no file can have this name: {problem}.") from None
    return path
