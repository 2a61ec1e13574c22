"""Results in, one file out, shard by shard: a run that was killed goes on after its last whole shard.

Shards stand in a folder beside the file, `NAME.parts`, until all are there; then they are joined, and the folder goes.
A shard ends with the page that fills it, so the same pages make the same shards, and a run in two goes gives the same
bytes as one in one.
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
from bonmun.scale.corpus.table_formats import HEADS, PACKERS, pack_parquet
from bonmun.work.files import PART_SUFFIX, check_folder, open_atomically

if TYPE_CHECKING:
    from types import TracebackType
    from typing import BinaryIO

    from numpy.typing import NDArray

__all__ = ["Output"]

SHARD_PAGES = 2000  # at most
SHARD_BYTES = 32_000_000  # of text, at most, and one page more
ABOUT, FINISHED, LOCK = "run.json", "finished.json", "lock"  # whose shards these are; that the file is whole
SHARD_NAME = re.compile(r"(\d{6})-(\d+)-(\d+)")  # its number, its pages, those of them that failed


class Output:
    """A file that grows by shards; a context manager that only one process may be in.

    `identity` tells this run from others, by names of what it holds: only the same run goes on with its shards.

    with Output("out.parquet", schema, identity) as output:
        for batches in ...:             # from page number `output.done` on
            output.write(batches)
        output.finish()
    """

    def __init__(self, path: str | Path, schema: pa.Schema, identity: dict[str, Any]) -> None:
        self.path = Path(path)
        self.schema = schema
        self.identity = json.loads(json.dumps(identity))
        self.waiting: list[pa.RecordBatch] = []
        self.waiting_pages = self.waiting_bytes = 0
        self.done = self.failed = 0  # pages in whole shards
        self.began = False  # whether this is the first go
        self.finished = False  # whether an earlier run has written the file, and had only to clear away
        ending = next((each for each in PACKERS if self.path.name.endswith(each)), None)
        if ending is None or self.path.name == ending:
            raise BadConfig(f"{path}: results are written to files that end in {', '.join(PACKERS)}.")
        self.pack, self.head = PACKERS[ending], HEADS.get(ending)
        check_folder(self.path)
        self.folder = self.path.with_name(f"{self.path.name}.parts")
        self._check_new()

    def _check_new(self) -> None:
        """Refuse a file that is there, unless it is ours, and the run that wrote it was killed when it cleared away."""
        if self.path.exists() and not self._read_finished():
            raise BadConfig(f"{self.path}: it is there already, and nothing was done; delete it or give another name.")

    def __enter__(self) -> Output:
        self.folder.mkdir(exist_ok=True)
        self.lock = (self.folder / LOCK).open("wb")
        try:
            self._take_lock()
            self._check_new()  # another process may have finished it
            if self.path.exists():
                self._end_finished()
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
            if isinstance(error, BonmunError) and self.began and not self.shards():
                self._clear_away()  # nothing was done, and nothing is left behind
        finally:
            self.lock.close()

    def _take_lock(self) -> None:
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadConfig(f"{self.path}: another process is writing it; wait for it, or give another name.") from None

    def _resume(self) -> None:
        """Find what an earlier run has left, if it was one with the same sources and settings."""
        for half in self._find_ours(PART_SUFFIX):
            half.unlink()
        about = self.folder / ABOUT
        if about.exists():
            earlier = _read_note(about)
            if earlier is None:
                raise BadConfig(f"{about}: damaged, so nobody knows whose shards these are; delete the folder.")
            other = [name for name in self.identity if earlier.get(name) != self.identity[name]]
            if other:
                raise BadConfig(
                    f"{self.folder}: an unfinished run with other {' and '.join(other)}; finish it with the command "
                    "that began it, or delete the folder."
                )
        else:
            if any(path.name != LOCK for path in self.folder.iterdir()):
                raise BadConfig(f"{self.folder}: this folder holds something else; move it away, or give another name.")
            self.began = True
            with open_atomically(about, sync=True) as file:
                file.write(json.dumps(self.identity, indent=1).encode())
        for number, shard in enumerate(self.shards()):
            found = SHARD_NAME.fullmatch(shard.name)
            if not found or int(found[1]) != number:
                raise BadConfig(f"{self.folder}: shards are missing or strange; delete the folder and begin anew.")
            self.done += int(found[2])
            self.failed += int(found[3])

    def _read_finished(self) -> dict[str, Any] | None:
        """What the run says that has written the file; None if it was another one."""
        note = _read_note(self.folder / FINISHED) or {}
        is_ours = note.get("run") == self.identity and note.get("bytes") == self.path.stat().st_size
        return note if is_ours else None

    def _end_finished(self) -> None:
        """Do what is left to do where an earlier run has written the file."""
        note = self._read_finished() or {}
        self.done, self.failed = note.get("pages", 0), note.get("failed", 0)
        self.finished = True
        self._clear_away()

    def shards(self) -> list[Path]:
        """The whole shards, in order."""
        return sorted(path for path in self._find_ours() if path.name not in (ABOUT, FINISHED))

    def _find_ours(self, ending: str = "") -> list[Path]:
        """The files in the folder that are ours."""
        names = ((path, path.name.removesuffix(ending)) for path in self.folder.iterdir() if path.name.endswith(ending))
        return [path for path, name in names if name in (ABOUT, FINISHED) or SHARD_NAME.fullmatch(name)]

    def write(self, batches: list[pa.RecordBatch]) -> None:
        """Add what has become of some pages."""
        for batch in batches:
            start = 0
            while start < batch.num_rows:
                stop = start + self._find_room(batch.slice(start))
                self._wait(batch.slice(start, stop - start))
                start = stop

    def _find_room(self, batch: pa.RecordBatch) -> int:
        """How many of the next pages belong to the shard: the last of them fills it, if there are enough."""
        sums = self.waiting_bytes + np.cumsum(_measure_rows(batch))
        by_bytes = int(np.searchsorted(sums, SHARD_BYTES)) + 1
        return min(by_bytes, SHARD_PAGES - self.waiting_pages, int(batch.num_rows))

    def _wait(self, batch: pa.RecordBatch) -> None:
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
            self.pack(table, file)
        self.waiting.clear()
        self.waiting_pages = self.waiting_bytes = 0
        self.done += table.num_rows
        self.failed += failed

    def finish(self) -> None:
        """Write the last shard, join all, and clear away."""
        if self.waiting or not self.shards():
            self._write_shard()
        with open_atomically(self.path, sync=True) as file:
            self._join(file)
            note = {"run": self.identity, "pages": self.done, "failed": self.failed, "bytes": file.tell()}
            with open_atomically(self.folder / FINISHED, sync=True) as about:
                about.write(json.dumps(note, indent=1).encode())
        self._clear_away()

    def _join(self, file: BinaryIO) -> None:
        if self.pack is pack_parquet:
            with pq.ParquetWriter(file, self.schema, compression="zstd") as writer:
                for shard in self.shards():
                    writer.write_table(_read_shard(shard))
        else:
            if self.head:
                self.head(self.schema, file)
            for shard in self.shards():
                with shard.open("rb") as part:
                    shutil.copyfileobj(part, file, 1 << 20)

    def _clear_away(self) -> None:
        """Remove the shards; the note that the file is whole goes last, so that whoever is killed here can go on."""
        for path in (*self.shards(), *(self.folder / name for name in (LOCK, ABOUT, FINISHED))):
            path.unlink(missing_ok=True)
        with suppress(OSError):  # something of somebody else is in it
            self.folder.rmdir()


def _measure_rows(batch: pa.RecordBatch) -> NDArray[np.int64]:
    """The bytes of all texts of each row: they depend on the row alone."""
    sizes = np.zeros(batch.num_rows, np.int64)
    for column in batch.columns:
        if pa.types.is_string(column.type):
            sizes += pc.fill_null(pc.binary_length(column), 0).to_numpy(zero_copy_only=False)
        elif pa.types.is_list(column.type):  # tags, or chunks
            items = column.flatten()
            texts = pc.struct_field(items, "text") if pa.types.is_struct(items.type) else items
            lengths = pc.fill_null(pc.binary_length(texts), 0).to_numpy(zero_copy_only=False)
            np.add.at(sizes, pc.list_parent_indices(column).to_numpy(), lengths)
    return sizes


def _read_shard(shard: Path) -> pa.Table:
    try:
        return pq.read_table(shard)
    except pa.ArrowInvalid:
        raise BadConfig(f"{shard}: a damaged shard; delete the folder and begin anew.") from None


def _read_note(path: Path) -> dict[str, Any] | None:
    """What a file of ours says; None if it is missing or damaged."""
    try:
        note = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return note if isinstance(note, dict) else None
