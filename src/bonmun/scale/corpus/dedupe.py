"""Mark duplicates among extracted pages: write all rows again, with the page that each is a copy of.

The texts are read once for their signatures, which are stored in a temporary file. After all signatures have been
compared, all rows are read again and written.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from bonmun._version import __version__
from bonmun.errors import BadConfig
from bonmun.scale.corpus.duplicates import MIN_SIMILARITY, NO_COPY, Copies, find_copies
from bonmun.scale.corpus.engine import run
from bonmun.scale.corpus.signatures import DIGEST_BYTES, SIGNATURE_SIZE, SIGNED, SignatureJob

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from numpy.typing import NDArray

    from bonmun.scale.corpus.extracted import ExtractedPages
    from bonmun.scale.corpus.output import Output

__all__ = ["MARKS", "DedupeRun", "choose_text", "identify_dedupe", "make_marked_schema"]

TEXT_COLUMNS = ("text", "markdown")  # the first that exists is compared
NAME_COLUMNS = ("id", "url")  # the first that exists identifies pages
MARKS = pa.schema([("copy_of", pa.string()), ("copy_kind", pa.string()), ("similarity", pa.float32())])
EXACT, NEAR = "exact", "near"
TEXT_SECONDS = 60.0  # time limit for one text


@dataclass(slots=True)
class DedupeRun:
    """A run that marks the duplicates in an output file."""

    pages: ExtractedPages
    output: Output
    rows: int = 0  # compared so far
    exact: int = 0  # exact copies
    near: int = 0  # near copies

    def steps(self, workers: int) -> Iterator[int]:
        """Mark and write all pages in two passes; yield the number of pages done in the current pass."""
        with tempfile.TemporaryFile(dir=self.output.folder) as file:
            parts = []
            texts = self.pages.read_batches([choose_text(self.pages.schema)])
            for results in run(SignatureJob(), texts, workers, TEXT_SECONDS):
                parts += [_store_signatures(batch, file) for batch in results]
                self.rows += sum(batch.num_rows for batch in results)
                yield self.rows
            copies = self._compare(parts, file)
        self.exact = int(copies.exact.sum())
        self.near = int((copies.original != NO_COPY).sum()) - self.exact
        yield from self._write(copies)

    def _compare(self, parts: list[_BatchDigests], file: BinaryIO) -> Copies:
        if not self.rows:
            return find_copies(*NO_PAGES)
        file.flush()
        digests, has_text, has_signature = (np.concatenate(column) for column in zip(*parts, strict=True))
        signatures = np.memmap(file, np.dtype("<u2"), "r", shape=(self.rows, SIGNATURE_SIZE))
        return find_copies(digests, signatures, has_text, has_signature)

    def _write(self, copies: Copies) -> Iterator[int]:
        """Write the rows that are not in the output yet."""
        done, start = self.output.done, 0
        name_column = next((name for name in NAME_COLUMNS if name in self.pages.schema.names), None)
        originals = frozenset(np.unique(copies.original).tolist())
        names = {NO_COPY: ""}  # of pages that have copies
        for batch in self.pages.read_batches():
            stop = start + batch.num_rows
            ids = batch.column(name_column).to_pylist() if name_column else [None] * batch.num_rows
            for row, name in enumerate(ids, start):
                if row in originals:
                    names[row] = f"row {row + 1}" if name is None else str(name)
            if stop > done:
                skipped = max(0, done - start)
                marks = copies.slice(start + skipped, stop)
                self.output.write([_mark(batch.slice(skipped), marks, names, self.output.schema)])
            start = stop
            yield start
        self.output.finish()


class _BatchDigests(NamedTuple):
    """Digests of the pages of a batch, and whether they have text and a signature."""

    digests: NDArray[np.uint64]
    has_text: NDArray[np.bool_]
    has_signature: NDArray[np.bool_]


NO_PAGES = (np.empty((0, 2), np.uint64), np.empty((0, SIGNATURE_SIZE), np.uint16), np.empty(0, bool), np.empty(0, bool))


def _store_signatures(batch: pa.RecordBatch, file: BinaryIO) -> _BatchDigests:
    """Write signatures to a file, and zeros for pages without one. Return the digests, which are small."""
    digests = [digest or bytes(DIGEST_BYTES) for digest in batch.column("digest").to_pylist()]
    file.writelines(numbers or bytes(2 * SIGNATURE_SIZE) for numbers in batch.column("signature").to_pylist())
    has_text, has_signature = (batch.column(name).is_valid().to_numpy(zero_copy_only=False) for name in SIGNED.names)
    return _BatchDigests(np.frombuffer(b"".join(digests), np.uint64).reshape(-1, 2), has_text, has_signature)


def _mark(batch: pa.RecordBatch, copies: Copies, names: dict[int, str], schema: pa.Schema) -> pa.RecordBatch:
    """Return rows with the columns that mark copies."""
    is_copy = copies.original != NO_COPY
    marks = (
        [names[row] for row in copies.original.tolist()],
        [EXACT if exact else NEAR for exact in copies.exact.tolist()],
        copies.similarity,
    )
    added = [pa.array(values, kind, mask=~is_copy) for values, kind in zip(marks, MARKS.types, strict=True)]
    unchanged = [batch.column(name) for name in schema.names[: -len(added)]]
    return pa.RecordBatch.from_arrays([*unchanged, *added], schema=schema)


def choose_text(schema: pa.Schema) -> str:
    """Return the name of the column that is compared."""
    for name in TEXT_COLUMNS:
        if name in schema.names:
            return name
    raise BadConfig(f"The column text or markdown is needed to find copies; there are only {', '.join(schema.names)}.")


def make_marked_schema(schema: pa.Schema) -> pa.Schema:
    """Return the schema of the output: all columns, with new columns that mark copies."""
    return pa.schema([*(part for part in schema if part.name not in MARKS.names), *MARKS])


def identify_dedupe(pages: ExtractedPages) -> dict[str, Any]:
    """Return what identifies a run: only a run over the same files can be resumed."""
    return {"sources": pages.identify(), "settings": ["dedupe", MIN_SIMILARITY], "version": __version__}
