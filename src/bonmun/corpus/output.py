"""Results in, one file out, shard by shard: a run that was killed goes on after its last whole shard.

Shards stand in a folder beside the file, `NAME.parts`, until all are there; then they are joined, and the folder goes.
The same pages make the same shards, so a run in two goes gives the same bytes as one in one.
"""

from __future__ import annotations

import fcntl
import gzip
import io
import json
import re
import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from bonmun.errors import BadConfig
from bonmun.work.files import PART, open_beside

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

__all__ = ["Output"]

SHARD_PAGES = 2000  # at least; a shard ends where a batch ends
ABOUT, LOCK = "run.json", "lock"
SHARD_NAME = re.compile(r"(\d{6})-(\d+)-(\d+)")  # its number, its pages, those of them that failed


def _pack_parquet(table: pa.Table) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table, stream, compression="zstd")
    return stream.getvalue()


def _pack_lines(table: pa.Table) -> bytes:
    lines = (json.dumps(row, ensure_ascii=False) for batch in table.to_batches() for row in batch.to_pylist())
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def _pack_gzip(table: pa.Table) -> bytes:
    return gzip.compress(_pack_lines(table), mtime=0)  # no clock: the same bytes, whenever


def _pack_zstd(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(_pack_lines(table))
    data: bytes = sink.getvalue().to_pybytes()
    return data


PACKERS: dict[str, Callable[[pa.Table], bytes]] = {  # by how the name of the file ends
    ".parquet": _pack_parquet,
    ".jsonl": _pack_lines,
    ".jsonl.gz": _pack_gzip,
    ".jsonl.zst": _pack_zstd,
}


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
        self.done = self.failed = 0  # pages in whole shards
        ending = next((each for each in PACKERS if self.path.name.endswith(each)), None)
        if ending is None or self.path.name == ending:
            raise BadConfig(f"{path}: results are written to files that end in {', '.join(PACKERS)}.")
        self.pack = PACKERS[ending]
        self.folder = self.path.with_name(f"{self.path.name}.parts")
        self._check_new()

    def _check_new(self) -> None:
        if self.path.exists():
            raise BadConfig(f"{self.path}: it is there already, and nothing was done; delete it or give another name.")

    def __enter__(self) -> Output:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lock = (self.folder / LOCK).open("wb")
        try:
            self._take_lock()
            self._check_new()  # another process may have finished it
            self._resume()
        except BaseException:
            self.lock.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.lock.close()

    def _take_lock(self) -> None:
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadConfig(f"{self.path}: another process is writing it; wait for it, or give another name.") from None

    def _resume(self) -> None:
        """Find what an earlier run has left, if it was one with the same sources and settings."""
        for half in self._find_ours(PART):
            half.unlink()
        about = self.folder / ABOUT
        if about.exists():
            earlier = json.loads(about.read_bytes())
            other = [name for name in self.identity if earlier.get(name) != self.identity[name]]
            if other:
                raise BadConfig(
                    f"{self.folder}: an unfinished run with other {' and '.join(other)}; finish it with the command "
                    "that began it, or delete the folder."
                )
        else:
            if any(path.name != LOCK for path in self.folder.iterdir()):
                raise BadConfig(f"{self.folder}: this folder holds something else; move it away, or give another name.")
            with open_beside(about, sync=True) as file:
                file.write(json.dumps(self.identity, indent=1).encode())
        for number, shard in enumerate(self.shards()):
            found = SHARD_NAME.fullmatch(shard.name)
            if not found or int(found[1]) != number:
                raise BadConfig(f"{self.folder}: shards are missing or strange; delete the folder and begin anew.")
            self.done += int(found[2])
            self.failed += int(found[3])

    def shards(self) -> list[Path]:
        """The whole shards, in order."""
        return sorted(path for path in self._find_ours() if path.name != ABOUT)

    def _find_ours(self, ending: str = "") -> list[Path]:
        """The files in the folder that are ours."""
        names = ((path, path.name.removesuffix(ending)) for path in self.folder.iterdir() if path.name.endswith(ending))
        return [path for path, name in names if name == ABOUT or SHARD_NAME.fullmatch(name)]

    def write(self, batches: list[pa.RecordBatch]) -> None:
        """Add what has become of a batch of pages."""
        self.waiting += batches
        if sum(batch.num_rows for batch in self.waiting) >= SHARD_PAGES:
            self._write_shard()

    def _write_shard(self) -> None:
        table = pa.Table.from_batches(self.waiting, schema=self.schema)
        failed = table.num_rows - table.column("error").null_count
        number = len(self.shards())
        with open_beside(self.folder / f"{number:06}-{table.num_rows}-{failed}", sync=True) as file:
            file.write(self.pack(table))
        self.waiting.clear()
        self.done += table.num_rows
        self.failed += failed

    def finish(self) -> None:
        """Write the last shard, join all, and clear away."""
        if self.waiting or not self.shards():
            self._write_shard()
        with open_beside(self.path, sync=True) as file:
            if self.pack is _pack_parquet:
                with pq.ParquetWriter(file, self.schema, compression="zstd") as writer:
                    for shard in self.shards():
                        writer.write_table(pq.read_table(shard))
            else:
                for shard in self.shards():
                    with shard.open("rb") as part:
                        shutil.copyfileobj(part, file, 1 << 20)
        for path in (*self.shards(), self.folder / ABOUT, self.folder / LOCK):
            path.unlink(missing_ok=True)
        with suppress(OSError):  # something of somebody else is in it
            self.folder.rmdir()
