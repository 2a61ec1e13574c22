"""Whole runs that mark copies: extracted pages in, the same rows out, each with the page that it is a copy of.

Texts are read once for their signatures, which stand in a file without a name until all are compared; then all rows are
read again and written.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from bonmun._version import __version__
from bonmun.errors import BadConfig
from bonmun.scale.corpus.duplicates import ALIKE, NO_COPY, Copies, find_copies
from bonmun.scale.corpus.engine import run
from bonmun.scale.corpus.signatures import DIGEST_BYTES, NUMBERS, SIGNED, Signing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from numpy.typing import NDArray

    from bonmun.scale.corpus.extracted import ExtractedPages
    from bonmun.scale.corpus.output import Output

__all__ = ["MARKS", "DedupeRun", "choose_text", "identify_dedupe", "make_marked_schema"]

TEXT_COLUMNS = ("text", "markdown")  # the first that is there is compared
NAME_COLUMNS = ("id", "url")  # the first that is there names pages
MARKS = pa.schema([("copy_of", pa.string()), ("copy_kind", pa.string()), ("similarity", pa.float32())])
EXACT, NEAR = "exact", "near"
SECONDS = 60.0  # for a text, however long


@dataclass(slots=True)
class DedupeRun:
    """Pages on their way to a file that marks copies."""

    pages: ExtractedPages
    output: Output
    rows: int = 0  # done in this pass
    exact: int = 0  # copies
    near: int = 0

    def steps(self, workers: int) -> Iterator[int]:
        """Mark and write all pages; gives how many are done in a pass over them, so that progress can be shown."""
        with tempfile.TemporaryFile(dir=self.output.folder) as file:
            parts = []
            texts = self.pages.read_batches([choose_text(self.pages.schema)])
            for results in run(Signing(), texts, workers, SECONDS):
                parts += [_keep(batch, file) for batch in results]
                self.rows += sum(batch.num_rows for batch in results)
                yield self.rows
            copies = self._compare(parts, file)
        self.exact = int(copies.exact.sum())
        self.near = int((copies.first != NO_COPY).sum()) - self.exact
        yield from self._write(copies)

    def _compare(self, parts: list[_BatchDigests], file: BinaryIO) -> Copies:
        if not self.rows:
            return find_copies(*NOTHING)
        file.flush()
        digests, has_text, has_signature = (np.concatenate(column) for column in zip(*parts, strict=True))
        signatures = np.memmap(file, np.dtype("<u2"), "r", shape=(self.rows, NUMBERS))
        return find_copies(digests, signatures, has_text, has_signature)

    def _write(self, copies: Copies) -> Iterator[int]:
        """Write the rows that are not written yet; the names of pages that have copies are remembered."""
        done, start = self.output.done, 0
        named = next((name for name in NAME_COLUMNS if name in self.pages.schema.names), None)
        originals = frozenset(np.unique(copies.first).tolist())
        names = {NO_COPY: ""}
        for batch in self.pages.read_batches():
            stop = start + batch.num_rows
            ids = batch.column(named).to_pylist() if named else [None] * batch.num_rows
            for row, name in enumerate(ids, start):
                if row in originals:
                    names[row] = f"row {row + 1}" if name is None else str(name)
            if stop > done:
                skipped = max(0, done - start)
                part = copies.cut(start + skipped, stop)
                self.output.write([_mark(batch.slice(skipped), part, names, self.output.schema)])
            start = stop
            yield start
        self.output.finish()


class _BatchDigests(NamedTuple):
    """What is kept in memory of some pages: their digests, and whether they have text, and enough of it."""

    digests: NDArray[np.uint64]
    has_text: NDArray[np.bool_]
    has_signature: NDArray[np.bool_]


NOTHING = (np.empty((0, 2), np.uint64), np.empty((0, NUMBERS), np.uint16), np.empty(0, bool), np.empty(0, bool))


def _keep(batch: pa.RecordBatch, file: BinaryIO) -> _BatchDigests:
    """Write signatures to a file, nothing but zeros where there are none; the rest is small."""
    digests = [digest or bytes(DIGEST_BYTES) for digest in batch.column("digest").to_pylist()]
    file.writelines(numbers or bytes(2 * NUMBERS) for numbers in batch.column("signature").to_pylist())
    has_text, has_signature = (batch.column(name).is_valid().to_numpy(zero_copy_only=False) for name in SIGNED.names)
    return _BatchDigests(np.frombuffer(b"".join(digests), np.uint64).reshape(-1, 2), has_text, has_signature)


def _mark(batch: pa.RecordBatch, copies: Copies, names: dict[int, str], schema: pa.Schema) -> pa.RecordBatch:
    """Rows with what they are copies of."""
    is_copy = copies.first != NO_COPY
    marks = (
        [names[row] for row in copies.first.tolist()],
        [EXACT if exact else NEAR for exact in copies.exact.tolist()],
        copies.similarity,
    )
    added = [pa.array(values, kind, mask=~is_copy) for values, kind in zip(marks, MARKS.types, strict=True)]
    kept = [batch.column(name) for name in schema.names[: -len(added)]]
    return pa.RecordBatch.from_arrays([*kept, *added], schema=schema)


def choose_text(schema: pa.Schema) -> str:
    """The column that is compared."""
    for name in TEXT_COLUMNS:
        if name in schema.names:
            return name
    raise BadConfig(f"Copies are told by the column text or markdown; there are only {', '.join(schema.names)}.")


def make_marked_schema(schema: pa.Schema) -> pa.Schema:
    """The columns that come out: those that are there, and the marks, which are made anew if there are some."""
    return pa.schema([*(part for part in schema if part.name not in MARKS.names), *MARKS])


def identify_dedupe(pages: ExtractedPages) -> dict[str, Any]:
    """What tells a run from others: one over the same files goes on where it was stopped."""
    return {"sources": pages.identify(), "settings": ["dedupe", ALIKE], "version": __version__}
