"""Atomic writes: whatever goes wrong, the old file stays and nothing half-written is left."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from bonmun.work.files import PART_SUFFIX, open_atomically, part_path, write_atomically, write_bytes, write_text

if TYPE_CHECKING:
    from pathlib import Path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_takes_its_place_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("old")
    with open_atomically(path) as file:
        file.write(b"new")
        file.flush()
        assert names(tmp_path) == ["out.txt", f"out.txt{PART_SUFFIX}"]
        assert path.read_text() == "old"
    assert (path.read_text(), names(tmp_path)) == ("new", ["out.txt"])


def test_another_program_may_write_it(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    with write_atomically(path) as part:
        assert part == part_path(path)
        part.write_text("made by others")
    assert (path.read_text(), names(tmp_path)) == ("made by others", ["out.txt"])


@pytest.mark.parametrize("error", [OSError, ValueError, KeyboardInterrupt])
def test_an_error_leaves_the_old_file_and_no_temporary_one(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "out.txt"
    path.write_text("old")

    def write() -> None:
        with open_atomically(path) as file:
            file.write(b"half of")
            raise error

    with pytest.raises(error):
        write()
    assert (path.read_text(), names(tmp_path)) == ("old", ["out.txt"])


def test_writing_nothing_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("old")
    with write_atomically(path):
        pass
    assert (path.read_text(), names(tmp_path)) == ("old", ["out.txt"])


def test_the_leftovers_of_a_killed_process_are_never_used(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    part_path(path).write_text("half of")
    with write_atomically(path):
        pass
    assert names(tmp_path) == []


@pytest.mark.parametrize("place", ["missing/out.txt", "file/out.txt", "folder"])
def test_a_path_that_cannot_be_written_raises_and_leaves_nothing(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError) as caught:  # noqa: PT011 - the class depends on the path
        write_bytes(tmp_path / place, b"data")
    assert str(caught.value.filename).removesuffix(PART_SUFFIX) == str(tmp_path / place)
    assert names(tmp_path) == ["file", "folder"]


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        found = pool.submit(pipe.read_bytes)
        write_bytes(pipe, b"text")
        assert found.result(10) == b"text"
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    device = tmp_path / "null"
    try:
        os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        device.write_bytes(b"")
    except PermissionError:
        pytest.skip("only root may make devices")
    write_bytes(device, b"text")
    with suppress(ValueError), open_atomically(device) as file:
        file.write(b"text")
        raise ValueError
    assert stat.S_ISCHR(device.stat().st_mode)
    assert [path.name for path in tmp_path.iterdir()] == ["null"]


def test_a_file_has_the_mode_of_any_new_file(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_bytes(tmp_path / "out", b"")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o640


@pytest.mark.parametrize("sync", [True, False])
def test_a_file_is_synced_before_it_takes_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sync: bool
) -> None:
    seen: list[tuple[list[str], bytes]] = []
    monkeypatch.setattr(os, "fsync", lambda _: seen.append((names(tmp_path), part_path(tmp_path / "a").read_bytes())))
    with open_atomically(tmp_path / "a", sync=sync) as file:
        file.write(b"data")
    assert seen == [([f"a{PART_SUFFIX}"], b"data")] * sync


def test_text_is_utf_8_and_surrogates_are_replaced(tmp_path: Path) -> None:
    write_text(tmp_path / "out.txt", "본문\n\ud800")
    assert (tmp_path / "out.txt").read_bytes() == "본문\n?".encode()
