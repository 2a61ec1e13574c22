"""Output files: a run that was interrupted can be resumed, and the bytes are the same."""

from __future__ import annotations

import csv
import errno
import gzip
import io
import json
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bonmun.errors import BadConfig, BadInput
from bonmun.extraction import Extraction
from bonmun.scale.corpus import output
from bonmun.scale.corpus.batches import ExtractJob
from bonmun.scale.corpus.output import Output
from bonmun.scale.corpus.table_formats import WRITERS
from timing import becomes_true

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samples import Bonmun

SCHEMA = ExtractJob().schema
IDENTITY: dict[str, Any] = {
    "sources": [["/data/등대.jsonl", 12, 34]],
    "settings": ["auto", "text", None],
    "version": "1",
}
TEXTS = ["마을 끝의 낡은 등대가\n다시 불을 밝혔다. 😀", "", 'Light "again"\u2028\\', None]
BATCHES = 7
PAGES = 2 * BATCHES

on_every_ending = pytest.mark.parametrize("ending", WRITERS)


def row(number: int) -> dict[str, Any]:
    """Return a row; every fourth page has failed."""
    failed = number % 4 == 3
    known = {"id": f"쪽-{number}", "site": "example.org", "confidence": 0.1, "error": None}
    return dict.fromkeys(SCHEMA.names) | known | ({"error": "no luck"} if failed else {"text": TEXTS[number % 4]})


def batch(number: int) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist([row(2 * number), row(2 * number + 1)], schema=SCHEMA)


ROWS = [each for number in range(BATCHES) for each in batch(number).to_pylist()]


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use shards of four pages: two batches, or one for the last shard. Do not sync to disk."""
    monkeypatch.setattr(output, "SHARD_PAGES", 4)
    monkeypatch.setattr(os, "fsync", lambda _: None)


def write(path: Path, stop: int = BATCHES, **facts: Any) -> Output:
    """Resume a file and write it up to a batch; finish it after the last one."""
    with Output(path, SCHEMA, IDENTITY | facts) as written:
        for number in range(written.done // 2, stop):
            written.write([batch(number)])
        if stop == BATCHES:
            written.finish()
    return written


def read(path: Path) -> list[dict[str, Any]]:
    """Read the rows of a file with other libraries."""
    if path.name.endswith(".parquet"):
        rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
        return rows
    data = path.read_bytes()
    if path.name.endswith(".gz"):
        data = gzip.decompress(data)
    if path.name.endswith(".zst"):
        with pa.CompressedInputStream(pa.BufferReader(data), "zstd") as stream:
            data = stream.read()
    if ".csv" in path.name:
        return [read_cells(row) for row in csv.DictReader(io.StringIO(data.decode(), newline=""))]
    return [json.loads(line) for line in data.decode().split("\n")[:-1]]


def read_cells(row: dict[str, str]) -> dict[str, Any]:
    """Convert a row of CSV, which has no nulls and numbers."""
    known: dict[str, Any] = {name: cell or None for name, cell in row.items()}
    return known | {"confidence": float(row["confidence"]), "text": None if row["error"] else row["text"]}


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The bytes of an uninterrupted run, by extension."""
    folder = tmp_path_factory.mktemp("unbroken")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(output, "SHARD_PAGES", 4)
        for ending in WRITERS:
            write(folder / f"out{ending}")
    return {ending: (folder / f"out{ending}").read_bytes() for ending in WRITERS}


# --- contents -------------------------------------------------------------------------------------------------


@on_every_ending
def test_all_rows_are_written_in_order(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"out{ending}"
    written = write(path)
    assert read(path) == ROWS
    assert (written.done, written.failed) == (PAGES, 3)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_parquet_file_has_the_columns_and_a_row_group_for_every_shard(tmp_path: Path) -> None:
    write(tmp_path / "out.parquet")
    with pq.ParquetFile(tmp_path / "out.parquet") as file:
        assert file.schema_arrow.equals(SCHEMA)
        assert file.metadata.num_row_groups == 4


@on_every_ending
def test_the_bytes_do_not_depend_on_time_and_place(
    tmp_path: Path, unbroken: dict[str, bytes], ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: 1e9)
    path = tmp_path / "lang=ko" / "더 깊이" / f"other{ending}"
    path.parent.mkdir(parents=True)
    write(path)
    assert path.read_bytes() == unbroken[ending]


@on_every_ending
def test_how_results_are_split_into_batches_does_not_matter(
    tmp_path: Path, unbroken: dict[str, bytes], ending: str
) -> None:
    path = tmp_path / f"out{ending}"
    with Output(path, SCHEMA, IDENTITY) as written:
        for number in range(BATCHES):  # as the engine splits a batch after a failed page
            whole = batch(number)
            written.write([whole.slice(0, 1), whole.slice(1, 0), whole.slice(1, 1)])
        written.finish()
    assert read(path) == ROWS
    assert path.read_bytes() == unbroken[ending]


@on_every_ending
def test_without_pages_there_is_an_empty_file(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"out{ending}"
    with Output(path, SCHEMA, IDENTITY) as written:
        written.finish()
    assert read(path) == []
    assert (written.done, written.failed) == (0, 0)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    if ending == ".parquet":
        assert pq.read_schema(path).equals(SCHEMA)
    magic = {"parquet": b"PAR1", "gz": b"\x1f\x8b", "zst": b"\x28\xb5\x2f\xfd"}
    assert path.read_bytes()[:4].startswith(magic.get(ending.rpartition(".")[2], b""))  # compressed, but empty


def test_pages_are_in_shards_before_the_end(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    written = write(path, 5)
    assert not path.exists()
    assert [shard.name for shard in written.shards()] == ["000000-4-1", "000001-4-1"]
    assert [json.loads(line) for shard in written.shards() for line in shard.read_bytes().splitlines()] == ROWS[:8]
    assert (written.done, written.failed) == (8, 2)


def test_a_file_is_renamed_when_it_is_complete_and_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[set[str]] = []
    sync = os.fsync

    def fsync(number: int) -> None:
        sync(number)
        seen.append({name for name in files(tmp_path) if not name.endswith("lock")})

    monkeypatch.setattr(os, "fsync", fsync)
    write(tmp_path / "out.jsonl")
    names = [f"out.jsonl.parts/{name}" for name in ("run.json", "000000-4-1", "000001-4-1", "000002-4-1", "000003-2-0")]
    expected = [{*names[:number], f"{name}.part"} for number, name in enumerate(names)]
    finished = "out.jsonl.parts/finished.json"
    assert seen == [
        *expected,
        {*names, "out.jsonl.part", f"{finished}.part"},
        {*names, "out.jsonl.part", finished},
    ]


@pytest.mark.parametrize(
    ("pages", "size", "shards"),
    [
        (1, 10**9, [1] * 8),
        (3, 10**9, [3, 3]),
        (5, 10**9, [5]),
        (5, 1, [1] * 8),  # every page has more bytes
        (8, 100, [3, 3]),  # the pages have 76, 16, 33 and 23 bytes, repeatedly
        (8, 150, [5]),
        (2, 100, [2, 2, 2, 2]),
    ],
)
def test_a_shard_ends_with_the_page_that_fills_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pages: int, size: int, shards: list[int]
) -> None:
    monkeypatch.setattr(output, "SHARD_PAGES", pages)
    monkeypatch.setattr(output, "SHARD_BYTES", size)
    assert [int(shard.name.split("-")[1]) for shard in write(tmp_path / "out.jsonl", 4).shards()] == shards


def test_the_texts_of_chunks_count_for_the_size_of_a_shard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "SHARD_BYTES", 100)
    how = ExtractJob(Extraction(format="chunks"))
    chunk = {"text": "등대" * 10, "headings": ["A"], "kinds": []}  # 60 bytes
    lists = [[chunk], [chunk], [], None, [chunk, chunk], [chunk]]
    made = pa.RecordBatch.from_pylist([{"chunks": chunks} for chunks in lists], schema=how.schema)
    with Output(tmp_path / "out.parquet", how.schema, IDENTITY) as written:
        written.write([made.slice(1), made.slice(0, 2)])
        assert [int(shard.name.split("-")[1]) for shard in written.shards()] == [4, 2]


@pytest.mark.slow
@on_every_ending
@pytest.mark.parametrize("size", [1, 150, 10**9])
@pytest.mark.parametrize("stop", range(1, PAGES, 8))
def test_a_resumed_run_gives_the_same_bytes_for_any_shard_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, size: int, stop: int
) -> None:
    monkeypatch.setattr(output, "SHARD_BYTES", size)
    whole = pa.Table.from_batches([batch(number) for number in range(BATCHES)]).combine_chunks().to_batches()[0]

    def go_on(path: Path, stop: int, step: int) -> None:
        with Output(path, SCHEMA, IDENTITY) as written:
            for start in range(written.done, stop, step):
                written.write([whole.slice(start, min(step, stop - start))])
            if stop == PAGES:
                written.finish()

    go_on(tmp_path / f"one{ending}", PAGES, PAGES)
    go_on(tmp_path / f"two{ending}", stop, 3)
    go_on(tmp_path / f"two{ending}", PAGES, 2)
    assert (tmp_path / f"two{ending}").read_bytes() == (tmp_path / f"one{ending}").read_bytes()


# --- interrupted runs --------------------------------------------------------------------------------------------


@on_every_ending
@pytest.mark.parametrize("stop", range(BATCHES))
def test_a_resumed_run_gives_the_same_bytes(tmp_path: Path, unbroken: dict[str, bytes], ending: str, stop: int) -> None:
    path = tmp_path / f"out{ending}"
    assert write(path, stop).done == 4 * (stop // 2)
    written = write(path)
    assert path.read_bytes() == unbroken[ending]
    assert (written.done, written.failed) == (PAGES, 3)
    assert not written.folder.exists()


@on_every_ending
def test_a_run_resumed_many_times_gives_the_same_bytes(tmp_path: Path, unbroken: dict[str, bytes], ending: str) -> None:
    path = tmp_path / f"out{ending}"
    for stop in (0, 2, 2, 5, 6):
        write(path, stop)
    write(path)
    assert path.read_bytes() == unbroken[ending]


def test_an_error_keeps_complete_shards(tmp_path: Path, unbroken: dict[str, bytes]) -> None:
    path = tmp_path / "out.jsonl"
    with suppress(KeyboardInterrupt), Output(path, SCHEMA, IDENTITY) as written:
        for number in range(3):
            written.write([batch(number)])
        raise KeyboardInterrupt
    assert write(path, 2).done == 4
    write(path)
    assert path.read_bytes() == unbroken[".jsonl"]


@on_every_ending
def test_partial_files_are_ignored(tmp_path: Path, unbroken: dict[str, bytes], ending: str) -> None:
    path = tmp_path / f"out{ending}"
    folder = write(path, 3).folder
    for half in (folder / "000001-4-1.part", folder / "run.json.part", tmp_path / f"out{ending}.part"):
        half.write_bytes(b"half of")
    assert write(path, 2).done == 4
    write(path)
    assert path.read_bytes() == unbroken[ending]
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_run_killed_at_the_start_starts_again(tmp_path: Path, unbroken: dict[str, bytes]) -> None:
    path = tmp_path / "out.jsonl"
    folder = write(path, 0).folder
    (folder / "run.json").rename(folder / "run.json.part")
    write(path, settings="others")
    assert path.read_bytes() == unbroken[".jsonl"]


@on_every_ending
def test_a_run_with_all_shards_only_joins_them(tmp_path: Path, unbroken: dict[str, bytes], ending: str) -> None:
    path = tmp_path / f"out{ending}"
    with Output(path, SCHEMA, IDENTITY) as written:
        for number in range(BATCHES):
            written.write([batch(number)])
        written._write_shard()
    assert write(path).done == PAGES
    assert path.read_bytes() == unbroken[ending]


@pytest.mark.parametrize(
    ("facts", "named"),
    [
        ({"sources": [["/data/등대.jsonl", 13, 34]]}, ["sources"]),
        ({"settings": ["all", "text", None]}, ["settings"]),
        ({"version": "2"}, ["version"]),
        ({"counts": "abc"}, ["counts"]),
        ({"settings": [], "version": None}, ["settings", "version"]),
    ],
)
def test_another_run_is_refused_and_changes_nothing(
    tmp_path: Path, unbroken: dict[str, bytes], facts: dict[str, Any], named: list[str]
) -> None:
    path = tmp_path / "out.jsonl"
    folder = write(path, 5).folder
    before = files(tmp_path)
    with pytest.raises(BadConfig, match="an unfinished run with other") as found:
        write(path, **facts)
    assert str(folder) in str(found.value)
    assert f"other {' and '.join(named)};" in str(found.value)
    assert files(tmp_path) == before
    write(path)
    assert path.read_bytes() == unbroken[".jsonl"]


def test_lists_and_tuples_have_the_same_identity(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    write(path, 3, settings=["a", ("b", 1)])
    assert write(path, 3, settings=("a", ["b", 1])).done == 4


def test_a_run_with_an_undecodable_source_name_can_be_resumed(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    write(path, 3, sources=[["/data/\udcff.html", 1, 2]])
    assert write(path, 3, sources=[["/data/\udcff.html", 1, 2]]).done == 4


@pytest.mark.parametrize("lost", [0, 1])
def test_a_run_with_a_missing_shard_is_refused(tmp_path: Path, lost: int) -> None:
    path = tmp_path / "out.jsonl"
    written = write(path, 6)
    written.shards()[lost].unlink()
    before = files(tmp_path)
    with pytest.raises(BadConfig, match="shards are missing"):
        write(path)
    assert files(tmp_path) == before


def test_a_damaged_shard_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "out.parquet"
    shard = write(path, 6).shards()[1]
    shard.write_bytes(shard.read_bytes()[:-9])
    with pytest.raises(BadConfig, match=r"000001-4-1: the shard is damaged; delete the folder and start again\."):
        write(path)
    assert not path.exists()


def test_shards_without_an_identity_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    folder = write(path, 5).folder
    (folder / "run.json").unlink()  # as if the run was killed while it deleted the shards
    with pytest.raises(BadConfig):
        write(path, settings="others")


@pytest.mark.parametrize("said", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'"sources"'])
def test_a_damaged_identity_is_reported(tmp_path: Path, said: bytes) -> None:
    path = tmp_path / "out.jsonl"
    note = write(path, 3).folder / "run.json"
    note.write_bytes(said)
    with pytest.raises(BadConfig, match=r"out.jsonl.parts/run.json: damaged, so the run cannot be resumed"):
        write(path)


class KilledError(BaseException):
    """Raised to simulate a killed process."""


@on_every_ending
@pytest.mark.parametrize("removed", range(8))
def test_a_run_killed_while_it_deletes_shards_is_finished_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unbroken: dict[str, bytes], ending: str, removed: int
) -> None:
    path = tmp_path / f"out{ending}"
    left = [removed]
    unlink = Path.unlink

    def killed(self: Path, missing_ok: bool = False) -> None:
        if path.exists() and self.parent.name.endswith(".parts"):
            if not left[0]:
                raise KilledError
            left[0] -= 1
        unlink(self, missing_ok=missing_ok)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", killed)
        with suppress(KilledError):
            write(path)
    assert path.read_bytes() == unbroken[ending]
    if (tmp_path / f"out{ending}.parts").exists():
        with Output(path, SCHEMA, IDENTITY) as written:
            assert (written.finished, written.done, written.failed) == (True, PAGES, 3)
    assert path.read_bytes() == unbroken[ending]
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_file_of_another_run_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out.jsonl"
    with monkeypatch.context() as patch:
        patch.setattr(Output, "_delete_shards", lambda _: None)
        write(path)
    before = files(tmp_path)
    with pytest.raises(BadConfig, match="already exists"):
        write(path, settings="others")
    path.write_bytes(b"precious")
    with pytest.raises(BadConfig, match="already exists"):
        write(path)
    assert files(tmp_path) == before | {"out.jsonl": b"precious"}


# --- names and folders ------------------------------------------------------------------------------------------------


def nameless(name: str) -> Any:
    return name


@pytest.mark.parametrize(
    "name",
    [
        *WRITERS,
        "x.txt",
        "x",
        "x.parquet.gz",
        "x.jsonl.bz2",
        "x.json",
        "x.JSONL",
        "parquet",
        "jsonl.zst",
        "-",
        *map(nameless, ("", ".", "/")),
    ],
)
def test_a_name_without_a_known_extension_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadConfig, match=r"must end in \.parquet, \.jsonl, \.jsonl\.gz, \.jsonl\.zst"):
        Output(name, SCHEMA, IDENTITY)
    assert list(tmp_path.iterdir()) == []


@on_every_ending
def test_an_existing_file_is_refused_and_kept(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"out{ending}"
    folder = write(path, 3).folder
    path.write_bytes(b"precious")
    before = files(tmp_path)
    with pytest.raises(BadConfig, match="already exists"):
        write(path)
    assert files(tmp_path) == before
    assert folder.exists()


def test_a_file_that_another_process_has_just_finished_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    late = Output(path, SCHEMA, IDENTITY | {"settings": "others"})
    write(path)
    before = path.read_bytes()
    with pytest.raises(BadConfig, match="already exists"), late:
        late.finish()
    assert path.read_bytes() == before


def test_another_folder_is_refused_and_kept(tmp_path: Path) -> None:
    mine = tmp_path / "out.jsonl.parts" / "precious.txt"
    mine.parent.mkdir()
    mine.write_text("precious")
    with suppress(BadConfig):
        write(tmp_path / "out.jsonl")
    assert mine.read_text() == "precious"


def test_missing_folders_are_not_created(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match=r"a/b: this folder for out\.jsonl does not exist; create it first"):
        write(tmp_path / "a" / "b" / "out.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_a_run_without_results_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(BadInput), Output(tmp_path / "out.csv", SCHEMA, IDENTITY):
        raise BadInput("nothing can be read")
    assert list(tmp_path.iterdir()) == []
    write(tmp_path / "out.csv", 5)  # complete shards are retained
    with pytest.raises(BadInput), Output(tmp_path / "out.csv", SCHEMA, IDENTITY) as written:
        raise BadInput("the rest cannot be read")
    assert len(written.shards()) == 2


def test_a_missing_folder_is_reported(bonmun: Bonmun, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "a.html").write_text("<p>등대</p>")
    result = bonmun("corpus", "extract", "a.html", "-o", "file/out.jsonl")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("bonmun: file: this folder for out.jsonl does not exist")


# --- full disks ------------------------------------------------------------------------------------------------------


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Limit the size of files: writing more fails, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@on_every_ending
def test_a_full_disk_keeps_complete_shards_and_a_later_run_finishes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unbroken: dict[str, bytes], ending: str
) -> None:
    path = tmp_path / f"out{ending}"
    sync, calls = os.fsync, list[int]()

    def fsync(number: int) -> None:
        calls.append(number)
        if len(calls) == 3:  # after run.json and one shard
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(number)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(OSError, match="No space left"):
        write(path)
    folder = path.with_name(f"{path.name}.parts")
    assert {each.name for each in folder.iterdir()} == {"lock", "run.json", "000000-4-1"}
    assert not path.exists()
    assert write(path).done == PAGES
    assert path.read_bytes() == unbroken[ending]


@pytest.mark.parametrize(("share", "shards"), [(0.9, 4), (0.2, 0)], ids=["when joining", "at once"])
@on_every_ending
def test_a_file_that_cannot_be_written_leaves_complete_shards(
    tmp_path: Path, unbroken: dict[str, bytes], ending: str, share: float, shards: int
) -> None:
    path = tmp_path / f"out{ending}"
    with pytest.raises(OSError, match="File too large"), largest_file(int(share * len(unbroken[ending]))):
        write(path)
    written = write(path, 0)
    assert len(written.shards()) == shards
    assert [each.name for each in tmp_path.iterdir()] == [written.folder.name]
    assert not list(written.folder.glob("*.part"))
    write(path)
    assert path.read_bytes() == unbroken[ending]


# --- several processes -----------------------------------------------------------------------------------------------

SECOND = """
import sys, pyarrow
from bonmun.scale.corpus.output import Output
from bonmun.errors import BadConfig, BadInput
try:
    with Output(sys.argv[1], pyarrow.schema([("error", pyarrow.string())]), {}):
        print("in")
except BadConfig as problem:
    print(problem)
"""


@pytest.mark.slow
def test_only_one_process_may_write_a_file(tmp_path: Path, unbroken: dict[str, bytes]) -> None:
    path = tmp_path / "out.jsonl"

    def second() -> str:
        line = [sys.executable, "-c", SECOND, str(path)]
        return subprocess.run(line, capture_output=True, text=True, check=True, timeout=300).stdout

    with Output(path, SCHEMA, IDENTITY) as written:
        for number in range(BATCHES):
            written.write([batch(number)])
            if number == 2:
                before = files(tmp_path)
                assert (
                    second()
                    == f"{path}: another process is writing this file; wait until it ends, or use another name.\n"
                )
                assert files(tmp_path) == before
        written.finish()
    assert path.read_bytes() == unbroken[".jsonl"]


def test_the_lock_is_released_at_the_end_of_a_run(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with (
        pytest.raises(BadConfig, match="another process"),
        Output(path, SCHEMA, IDENTITY),
        Output(path, SCHEMA, IDENTITY),
    ):
        pass
    assert write(path, 3).done == 4


WRAPPER = """
import sys, time
from bonmun.scale.corpus import batches, output
from bonmun.app.cli import main

class Slow(output.Output):
    def write(self, results):
        super().write(results)
        time.sleep(0.1)

if __name__ == "__main__":
    output.SHARD_PAGES = 32
    batches.BATCH_PAGES = 16
    if sys.argv.pop(1) == "slow":
        output.Output = Slow
    main()
"""


def lines(number: int) -> str:
    """Return pages as JSON Lines; some are bad."""
    said = "마을 끝의 낡은 등대가 올봄 다시 불을 밝혔다. 등대지기는 그 불빛을 오래 바라보았다."
    bad = {7: "", 50: "%PDF-1.7 binary", 201: "{}"}
    pages = (
        {
            "id": str(each),
            "url": f"https://www{each % 3}.example.org/{each}",
            "html": bad.get(each, f"<title>글 {each}</title><p>{said} {each}번째.</p><p>{said}</p>"),
        }
        for each in range(number)
    )
    return "".join(f"{json.dumps(page, ensure_ascii=False)}\n" for page in pages)


@pytest.mark.long
@pytest.mark.slow
def test_a_killed_command_is_resumed_and_gives_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "wrapper.py").write_text(WRAPPER)
    (tmp_path / "pages.jsonl").write_text(lines(320))

    def command(speed: str, out: str, workers: int) -> subprocess.Popen[str]:
        line = f"wrapper.py {speed} corpus extract pages.jsonl -o {out} --workers {workers}"
        return subprocess.Popen([sys.executable, *line.split()], cwd=tmp_path, stderr=subprocess.PIPE, text=True)

    with command("slow", "out.parquet", 1) as killed:
        parts = tmp_path / "out.parquet.parts"
        becomes_true((parts / "000002-32-0").exists)
        killed.send_signal(signal.SIGKILL)
    assert killed.returncode == -signal.SIGKILL
    assert not (tmp_path / "out.parquet").exists()
    done = 32 * len(list(parts.glob("0*-0"))) + 32 * len(list(parts.glob("0*-1")))
    assert 96 <= done < 320

    with command("fast", "unbroken.parquet", 2) as unbroken, command("fast", "out.parquet", 1) as again:
        said = [process.communicate(timeout=300)[1] for process in (again, unbroken)]
    assert said[0].startswith(f"bonmun: Resuming after {done} finished pages.\n")
    assert said[0].endswith("bonmun: out.parquet: 320 pages, 3 failed (see the column `error`).\n")
    assert said[1] == "bonmun: unbroken.parquet: 320 pages, 3 failed (see the column `error`).\n"
    assert (tmp_path / "out.parquet").read_bytes() == (tmp_path / "unbroken.parquet").read_bytes()
    rows = read(tmp_path / "out.parquet")
    assert [each["id"] for each in rows] == [str(number) for number in range(320)]
    assert [each["id"] for each in rows if each["error"]] == ["7", "50", "201"]
    assert not parts.exists()
