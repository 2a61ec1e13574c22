"""Results that survive the process, for the run that made them only."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from bonmun.errors import BadConfig
from bonmun.work.result_store import ResultStore, StoredResult

if TYPE_CHECKING:
    from pathlib import Path

RUN = {"inputs": "abc", "settings": [1, None]}
RESULTS = [StoredResult(0, b"zero", None), StoredResult(2, None, "It failed."), StoredResult(1, b"\xff\0", None)]


def test_results_come_back_in_order(tmp_path: Path) -> None:
    with ResultStore(tmp_path / "a", RUN) as store:
        for result in RESULTS:
            store.add(result)
    with ResultStore(tmp_path / "a", RUN) as store:
        assert store.done == {0, 1, 2}
        assert list(store.list_all()) == sorted(RESULTS)
        assert list(store.list_errors()) == [RESULTS[1]]
        assert (store.take(1), store.take(1)) == (RESULTS[2], StoredResult(1, None, None))
        store.remove()
    assert list(tmp_path.iterdir()) == []


def test_results_survive_a_kill(tmp_path: Path) -> None:
    code = (
        "import os, sys, pathlib; from bonmun.work.result_store import *\n"
        "with ResultStore(pathlib.Path(sys.argv[1]), {}) as store:\n"
        "    for number in range(100): store.add(StoredResult(number, b'x' * 1000, None))\n"
        "    os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", code, tmp_path / "a"], check=False).returncode == -9
    with ResultStore(tmp_path / "a", {}) as store:
        assert store.done == set(range(100))
        assert {stored.data for stored in store.list_all()} == {b"x" * 1000}


def test_without_a_path_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with ResultStore(None, RUN) as store:
        store.add(RESULTS[0])
        assert list(store.list_all()) == RESULTS[:1]
        store.remove()
    assert list(tmp_path.iterdir()) == []


def test_another_run_cannot_be_resumed(tmp_path: Path) -> None:
    with ResultStore(tmp_path / "a", RUN):
        pass
    with pytest.raises(BadConfig, match="an unfinished run with different settings;"):
        ResultStore(tmp_path / "a", RUN | {"settings": [2, None]}).__enter__()
    with ResultStore(tmp_path / "a", RUN) as store:
        assert store.done == set()


def test_only_one_process_can_write(tmp_path: Path) -> None:
    with ResultStore(tmp_path / "a", RUN) as store:
        store.add(RESULTS[0])
        with pytest.raises(BadConfig, match="in use by another process"):
            ResultStore(tmp_path / "a", RUN).__enter__()


@pytest.mark.parametrize(
    "data", [b"something else, and long enough to be a file of SQLite" * 9, b"SQLite format 3\0" * 99]
)
def test_other_files_are_not_changed(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(BadConfig, match="delete the file"):
        ResultStore(tmp_path / "a", RUN).__enter__()
    assert (tmp_path / "a").read_bytes() == data
