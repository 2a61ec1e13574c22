"""Write results to one file, shard by shard, so that a run can be resumed after its last complete shard.

Shards are stored in the folder `NAME.parts` beside the file. When all shards are complete, they are joined and the
folder is deleted. The limits of a shard depend on its pages alone, so a resumed run writes the same bytes as a run
without interruption.
"""

from __future__ import annotations

import fcntl
import json
import re
import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from bonmun.errors import BadConfig, BonmunError
from bonmun.scale.corpus.table_formats import HEADER_WRITERS, WRITERS, write_parquet
from bonmun.work.files import PART_SUFFIX, check_folder, open_atomically

if TYPE_CHECKING:
    from types import TracebackType
    from typing import BinaryIO

    from numpy.typing import NDArray

__all__ = ["Output"]

SHARD_PAGES = 2000
SHARD_BYTES = 32_000_000  # of text; the last page of a shard may exceed it
IDENTITY, FINISHED, LOCK = "run.json", "finished.json", "lock"  # files in the folder of shards
SHARD_NAME = re.compile(r"(\d{6})-(\d+)-(\d+)")  # number of the shard, pages, failed pages


class Output:
    """An output file that is written in shards. Only one process may enter its `with` block at a time.

    `identity` describes the run (its sources and settings): only a run with the same identity can resume.

    with Output("out.parquet", schema, identity) as output:
        for batches in ...:             # starting at page number `output.done`
            output.write(batches)
        output.finish()
    """

    def __init__(self, path: str | Path, schema: pa.Schema, identity: dict[str, Any]) -> None:
        self.path = Path(path)
        self.schema = schema
        self.identity = json.loads(json.dumps(identity))
        self.waiting: list[pa.RecordBatch] = []
        self.waiting_pages = self.waiting_bytes = 0
        self.done = self.failed = 0  # pages in complete shards
        self.is_new = False  # whether there was nothing to resume
        self.finished = False  # whether an earlier run has written the file, but not deleted its folder
        extension = next((each for each in WRITERS if self.path.name.endswith(each)), None)
        if extension is None or self.path.name == extension:
            raise BadConfig(f"{path}: not supported; the name of the output must end in {', '.join(WRITERS)}.")
        self.write_table, self.write_header = WRITERS[extension], HEADER_WRITERS.get(extension)
        check_folder(self.path)
        self.folder = self.path.with_name(f"{self.path.name}.parts")
        self._check_new()

    def _check_new(self) -> None:
        """Refuse an existing file, unless this run has written it and was killed before it deleted its folder."""
        if self.path.exists() and not self._read_finished():
            raise BadConfig(f"{self.path}: the file already exists; delete it or use another name.")

    def __enter__(self) -> Output:
        self.folder.mkdir(exist_ok=True)
        self.lock = (self.folder / LOCK).open("wb")
        try:
            self._take_lock()
            self._check_new()  # another process may have finished it in the meantime
            if self.path.exists():
                self._clean_up_finished()
            else:
                self._resume()
        except BaseException:
            self.lock.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if isinstance(error, BonmunError) and self.is_new and not self.shards():
                self._delete_shards()  # leave nothing behind
        finally:
            self.lock.close()

    def _take_lock(self) -> None:
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadConfig(
                f"{self.path}: another process is writing this file; wait until it ends, or use another name."
            ) from None

    def _resume(self) -> None:
        """Find the shards of an earlier run with the same identity."""
        for unfinished in self._find_own_files(PART_SUFFIX):
            unfinished.unlink()
        identity_file = self.folder / IDENTITY
        if identity_file.exists():
            earlier = _read_json(identity_file)
            if earlier is None:
                raise BadConfig(f"{identity_file}: damaged, so the run cannot be resumed; delete the folder.")
            different = [name for name in self.identity if earlier.get(name) != self.identity[name]]
            if different:
                raise BadConfig(
                    f"{self.folder}: an unfinished run with other {' and '.join(different)}; resume it with its first "
                    "command, or delete the folder."
                )
        else:
            if any(path.name != LOCK for path in self.folder.iterdir()):
                raise BadConfig(f"{self.folder}: the folder contains other files; move it, or use another name.")
            self.is_new = True
            with open_atomically(identity_file, sync=True) as file:
                file.write(json.dumps(self.identity, indent=1).encode())
        for number, shard in enumerate(self.shards()):
            found = SHARD_NAME.fullmatch(shard.name)
            if not found or int(found[1]) != number:
                raise BadConfig(f"{self.folder}: shards are missing or invalid; delete the folder and start again.")
            self.done += int(found[2])
            self.failed += int(found[3])

    def _read_finished(self) -> dict[str, Any] | None:
        """Return the summary of the run that wrote the file; None if it was another run."""
        summary = _read_json(self.folder / FINISHED) or {}
        is_same = summary.get("run") == self.identity and summary.get("bytes") == self.path.stat().st_size
        return summary if is_same else None

    def _clean_up_finished(self) -> None:
        """Delete the shards of an earlier run that has written the file."""
        summary = self._read_finished() or {}
        self.done, self.failed = summary.get("pages", 0), summary.get("failed", 0)
        self.finished = True
        self._delete_shards()

    def shards(self) -> list[Path]:
        """Return the complete shards in order."""
        return sorted(path for path in self._find_own_files() if path.name not in (IDENTITY, FINISHED))

    def _find_own_files(self, suffix: str = "") -> list[Path]:
        """Return the files in the folder that a run has written."""
        names = ((path, path.name.removesuffix(suffix)) for path in self.folder.iterdir() if path.name.endswith(suffix))
        return [path for path, name in names if name in (IDENTITY, FINISHED) or SHARD_NAME.fullmatch(name)]

    def write(self, batches: list[pa.RecordBatch]) -> None:
        """Add the results of some pages."""
        for batch in batches:
            start = 0
            while start < batch.num_rows:
                stop = start + self._count_fitting(batch.slice(start))
                self._append(batch.slice(start, stop - start))
                start = stop

    def _count_fitting(self, batch: pa.RecordBatch) -> int:
        """Return how many of the next pages belong to the current shard."""
        sums = self.waiting_bytes + np.cumsum(_measure_rows(batch))
        by_bytes = int(np.searchsorted(sums, SHARD_BYTES)) + 1
        return min(by_bytes, SHARD_PAGES - self.waiting_pages, int(batch.num_rows))

    def _append(self, batch: pa.RecordBatch) -> None:
        self.waiting.append(batch)
        self.waiting_pages += batch.num_rows
        self.waiting_bytes += int(_measure_rows(batch).sum())
        if self.waiting_pages >= SHARD_PAGES or self.waiting_bytes >= SHARD_BYTES:
            self._write_shard()

    def _write_shard(self) -> None:
        table = pa.Table.from_batches(self.waiting, schema=self.schema)
        failed = table.num_rows - table.column("error").null_count if "error" in table.column_names else 0
        number = len(self.shards())
        with open_atomically(self.folder / f"{number:06}-{table.num_rows}-{failed}", sync=True) as file:
            self.write_table(table, file)
        self.waiting.clear()
        self.waiting_pages = self.waiting_bytes = 0
        self.done += table.num_rows
        self.failed += failed

    def finish(self) -> None:
        """Write the last shard, join all shards, and delete them."""
        if self.waiting or not self.shards():
            self._write_shard()
        with open_atomically(self.path, sync=True) as file:
            self._join(file)
            summary = {"run": self.identity, "pages": self.done, "failed": self.failed, "bytes": file.tell()}
            with open_atomically(self.folder / FINISHED, sync=True) as summary_file:
                summary_file.write(json.dumps(summary, indent=1).encode())
        self._delete_shards()

    def _join(self, file: BinaryIO) -> None:
        if self.write_table is write_parquet:
            with pq.ParquetWriter(file, self.schema, compression="zstd") as writer:
                for shard in self.shards():
                    writer.write_table(_read_shard(shard))
        else:
            if self.write_header:
                self.write_header(self.schema, file)
            for shard in self.shards():
                with shard.open("rb") as part:
                    shutil.copyfileobj(part, file, 1 << 20)

    def _delete_shards(self) -> None:
        """Delete the shards. The summary is deleted last, so that a run that is killed here can be resumed."""
        for path in (*self.shards(), *(self.folder / name for name in (LOCK, IDENTITY, FINISHED))):
            path.unlink(missing_ok=True)
        with suppress(OSError):  # the folder contains other files
            self.folder.rmdir()


def _measure_rows(batch: pa.RecordBatch) -> NDArray[np.int64]:
    """Return the bytes of all texts of each row."""
    sizes = np.zeros(batch.num_rows, np.int64)
    for column in batch.columns:
        if pa.types.is_string(column.type):
            sizes += pc.fill_null(pc.binary_length(column), 0).to_numpy(zero_copy_only=False)
        elif pa.types.is_list(column.type):  # of tags or chunks
            items = column.flatten()
            texts = pc.struct_field(items, "text") if pa.types.is_struct(items.type) else items
            lengths = pc.fill_null(pc.binary_length(texts), 0).to_numpy(zero_copy_only=False)
            np.add.at(sizes, pc.list_parent_indices(column).to_numpy(), lengths)
    return sizes


def _read_shard(shard: Path) -> pa.Table:
    try:
        return pq.read_table(shard)
    except pa.ArrowInvalid:
        raise BadConfig(f"{shard}: the shard is damaged; delete the folder and start again.") from None


def _read_json(path: Path) -> dict[str, Any] | None:
    """Return the object in a JSON file; None if the file is missing or damaged."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
