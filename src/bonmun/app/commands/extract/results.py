"""Write the results of many inputs, which finish in any order, to a stream, a file or a folder."""

from __future__ import annotations

import errno
import sys
from collections import Counter
from typing import TYPE_CHECKING, BinaryIO

from bonmun.app.commands.extract.writer import add_heading
from bonmun.app.commands.shared.failures import find_reason, name_once
from bonmun.app.commands.shared.shell import complain
from bonmun.scale.corpus.sources.page_files import format_counts
from bonmun.work.files import open_atomically, write_text
from bonmun.work.folders import ResultFolder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bonmun.app.commands.extract.presentation import Presentation
    from bonmun.app.commands.shared.sources import Source
    from bonmun.work.result_store import ResultStore, StoredResult

__all__ = ["FAILURES", "UNFINISHED", "FileSink", "FolderSink", "ResultSink", "StreamSink"]

UNFINISHED = "unfinished"  # suffix of the store next to a file, or its name in a folder
FAILURES = "failures.tsv"  # in a folder: each input that failed, and why


class ResultSink:
    """Where results go: `add` takes each result, `finish` writes the rest when all are there."""

    def __init__(self, sources: Sequence[Source], presentation: Presentation, store: ResultStore) -> None:
        self.sources, self.presentation, self.store = sources, presentation, store

    def add(self, result: StoredResult) -> None:
        """Add a result."""
        self.store.add(result)

    def finish(self) -> int:
        """Write the rest, report failures, and return the number of inputs that failed."""
        self._finish()
        reasons = Counter(
            find_reason(self.sources[failed.number].name, failed.error or "") for failed in self.store.list_errors()
        )
        if reasons:
            complain(f"{reasons.total():,} of {len(self.sources):,} failed: {format_counts(reasons)}.")
        self.store.remove()
        return reasons.total()

    def _finish(self) -> None:
        """Write the rest."""

    def _complain(self, result: StoredResult) -> None:
        if result.error is not None:
            complain(name_once(self.sources[result.number].name, result.error))


class StreamSink(ResultSink):
    """Standard output: results are written in order, each as soon as all before it are there."""

    def __init__(self, sources: Sequence[Source], presentation: Presentation, store: ResultStore) -> None:
        super().__init__(sources, presentation, store)
        if sys.stdout is None:  # the caller closed it
            raise OSError(errno.EBADF, "it is closed")
        self.turn = 0
        self.is_empty = True

    def add(self, result: StoredResult) -> None:
        """Add a result, and write those that are next in order."""
        super().add(result)
        while self.turn in self.store.done:
            stored = self.store.take(self.turn)
            self._complain(stored)
            if stored.data is not None:
                _write(sys.stdout.buffer, self, stored, is_first=self.is_empty)
                sys.stdout.buffer.flush()
                self.is_empty = False
            self.turn += 1


class FileSink(ResultSink):
    """One file, written when all results are there: a table, or all texts in order."""

    def __init__(self, sources: Sequence[Source], presentation: Presentation, store: ResultStore, path: Path) -> None:
        super().__init__(sources, presentation, store)
        self.path = path

    def _finish(self) -> None:
        if not self.presentation.table:
            for failed in self.store.list_errors():
                self._complain(failed)
            if sum(1 for _ in self.store.list_errors()) == len(self.sources):
                return  # nothing to write
        with open_atomically(self.path, sync=True) as file:
            if self.presentation.table == "parquet":
                self._write_parquet(file)
            else:
                self._write_all(file)

    def _write_all(self, file: BinaryIO) -> None:
        is_first = True
        for stored in self.store.list_all():
            if stored.data is not None:
                _write(file, self, stored, is_first=is_first)
                is_first = False
            elif self.presentation.table:
                name = self.sources[stored.number].name
                file.write(self.presentation.write_failure(name, stored.error or ""))

    def _write_parquet(self, file: BinaryIO) -> None:
        from bonmun.app.commands.extract.parquet_rows import RowWriter

        with RowWriter(file, self.presentation.format) as rows:
            for stored in self.store.list_all():
                failure = self.presentation.write_failure(self.sources[stored.number].name, stored.error or "")
                rows.add(stored.data or failure)


class FolderSink(ResultSink):
    """A folder with one file per document, and a list of failures."""

    def __init__(self, sources: Sequence[Source], presentation: Presentation, store: ResultStore, path: Path) -> None:
        super().__init__(sources, presentation, store)
        self.folder = ResultFolder(path)
        # all names at once, so that a resumed run chooses the same ones
        self.places = [self.folder.choose_path(source.stem, presentation.suffix) for source in sources]

    def add(self, result: StoredResult) -> None:
        """Write the file of a result, then mark it as finished."""
        if result.data is not None:
            self.folder.write_file(self.places[result.number], result.data)
        super().add(result._replace(data=None))

    def _finish(self) -> None:
        failed = [f"{self.sources[each.number].name}\t{each.error}\n" for each in self.store.list_errors()]
        if failed:
            write_text(self.folder.path / FAILURES, "".join(failed))
        else:
            (self.folder.path / FAILURES).unlink(missing_ok=True)


def _write(file: BinaryIO, results: ResultSink, stored: StoredResult, *, is_first: bool) -> None:
    data = stored.data or b""
    if len(results.sources) > 1 and not results.presentation.has_names:
        data = add_heading(results.sources[stored.number].name, data, is_first=is_first)
    file.write(data)
