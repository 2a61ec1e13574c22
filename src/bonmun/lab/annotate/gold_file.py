"""Gold file of one annotator: JSON lines, one per finished page, with unfinished work in a journal beside it.

A change is on disk, in the journal, before it is acknowledged. A finished page is merged into the gold file, which is
written to a temporary file and renamed. So both files stay intact if the process dies, and together they hold every
acknowledged change. A lock ensures that only one process writes.

Lines without labels and broken lines are kept unchanged.
"""

from __future__ import annotations

import json
import os
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO

from bonmun.errors import BadGold, StaleLabels
from bonmun.lab.annotate.drafts import Change, Draft, replace_surrogates
from bonmun.lab.annotate.entries import GOLD_SUFFIX, Entry, copy_bytes, read_entries, write_record
from bonmun.lab.annotate.journal import Journal, JournalLine, read_journal
from bonmun.lab.annotate.lock_file import LockFile
from bonmun.lab.annotate.records import OWN_KEYS, read_draft
from bonmun.work.files import open_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["GoldFile"]

JOURNAL_BYTES = 1_000_000  # a longer journal is compacted when a page is finished
MAX_PROBLEMS = 20  # reported


class GoldFile:
    """An open gold file; the annotator's name is the file's.

    gold = GoldFile(Path("kim.jsonl"))
    draft = gold.save("page.html", 0, Change({"/html/body/p[1]": "keep"}))
    """

    def __init__(self, path: Path) -> None:
        self.path = _check_path(path)
        self.annotator = self.path.name.removesuffix(GOLD_SUFFIX)
        self.problems: list[str] = []  # with lines that cannot be used
        self.drafts: dict[str, Draft] = {}  # by page name, finished or not
        self.merged: dict[str, int] = {}  # revision in the gold file, by page name
        self._entries: dict[str, Entry] = {}
        self._seen: tuple[int, int, int] | None = None  # file status when the entries were read
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
        for line in read_journal(self.journal.path, self._add_problem):
            draft = self.drafts.get(line.page, Draft())
            if line.revision <= draft.revision:
                continue  # already in the gold file
            if line.revision > draft.revision + 1 and not line.change.is_whole:
                self._add_problem(
                    f"{self.journal.path.name}: a change to {line.page} before revision {line.revision} is missing."
                )
            self.drafts[line.page] = replace(draft.apply(line.change), revision=line.revision)
        if self.journal.size():
            self._tidy_journal()

    def _read_entries(self) -> None:
        """Index the records, if the file has changed."""
        seen = _read_status(self.path)
        if seen != self._seen:
            self._entries = {entry.name: entry for entry in read_entries(self.path, self._add_problem)}
            self.merged = {name: entry.draft.revision for name, entry in self._entries.items() if entry.draft}
            self._seen = seen

    def _add_problem(self, problem: str) -> None:
        problem = replace_surrogates(problem)
        if len(self.problems) < MAX_PROBLEMS and problem not in self.problems:
            self.problems.append(problem)

    def find(self, name: str) -> Draft:
        """Return the draft of a page; an empty one of revision 0 if there is none."""
        return self.drafts.get(name) or Draft()

    def save(self, name: str, revision: int, change: Change) -> Draft:
        """Change the labels of a page; raise StaleLabels if `revision` is not the current one."""
        with self._guard:
            draft = self.find(name)
            if draft.revision != revision:
                raise StaleLabels(f"The labels of {name} have changed: revision {revision} is now {draft.revision}.")
            changed = draft.apply(change)
            try:
                self.journal.append(JournalLine(name, changed.revision, change))
            except OSError as problem:
                raise self._explain(problem) from None
            self.drafts[name] = changed
            return changed

    @property
    def unmerged(self) -> dict[str, Draft]:
        """Return the drafts whose current revision is not in the gold file."""
        return {name: draft for name, draft in self.drafts.items() if self.merged.get(name) != draft.revision}

    def merge_record(self, record: Mapping[str, Any]) -> None:
        """Merge the record of a finished page into the gold file; keep other keys of an existing record."""
        with self._guard:
            self._read_entries()
            if record["revision"] < self.merged.get(record["id"], 0):
                return  # another window has merged a newer revision
            old = self._entries.get(record["id"])
            try:
                with open_atomically(self.path, sync=True) as file:
                    new = self._copy_replacing(file, old, record)
                self._update_entries(old, new)
                if self.journal.size() > JOURNAL_BYTES:
                    self._tidy_journal()
            except OSError as problem:
                raise self._explain(problem) from None

    def _copy_replacing(self, new: BinaryIO, entry: Entry | None, record: Mapping[str, Any]) -> Entry:
        """Copy the file with a record in place of an entry, or at the end; return the new entry."""
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

    def _update_entries(self, old: Entry | None, new: Entry) -> None:
        """Update the index after a record was replaced: reading a large file again takes seconds."""
        if old:
            shift = new.stop - old.stop
            for name, entry in self._entries.items():
                if entry.start >= old.stop:
                    self._entries[name] = replace(entry, start=entry.start + shift, stop=entry.stop + shift)
        self._entries[new.name] = new
        if new.draft:
            self.merged[new.name] = new.draft.revision
        self._seen = _read_status(self.path)

    def _tidy_journal(self) -> None:
        try:
            self.journal.rewrite(self.unmerged)
        except OSError as problem:
            raise self._explain(problem) from None

    def _explain(self, problem: OSError) -> BadGold:
        return BadGold(f"{self.path.name} cannot be written: {problem.strerror or problem}. The file is unchanged.")

    def close(self) -> None:
        """Compact or remove the journal, and release the lock."""
        with self._guard:
            try:
                if self._lock.descriptor >= 0 and self.journal.size():
                    self._tidy_journal()
            finally:
                self._lock.release()


def _read_status(path: Path) -> tuple[int, int, int] | None:
    """Return inode, size and modification time of a file; None if it does not exist."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _check_path(path: Path) -> Path:
    """Return the resolved path of a gold file; raise BadGold if it cannot be used."""
    if not path.name.endswith(GOLD_SUFFIX) or path.name == GOLD_SUFFIX:
        raise BadGold(f"{path}: the file name must end in {GOLD_SUFFIX}, as in kim{GOLD_SUFFIX} for the annotator kim.")
    try:
        path = path.resolve()
        if not path.parent.is_dir():
            raise BadGold(f"{path}: there is no such folder.")
        if path.exists() and not path.is_file():
            raise BadGold(f"{path}: not a file.")
        if path.is_file() and not os.access(path, os.R_OK | os.W_OK):
            raise BadGold(f"{path}: no permission to read and write the file.")
    except (OSError, ValueError) as problem:
        raise BadGold(f"{path}: invalid file name: {problem}.") from None
    return path
