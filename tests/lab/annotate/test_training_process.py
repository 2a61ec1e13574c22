"""The training process: it can be stopped, and reports what went wrong."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from bonmun.app.serve.training import TrainingProcess
from bonmun.errors import BadConfig
from timing import becomes_true

pytestmark = pytest.mark.slow


def make_training(folder: Path, *command: str) -> TrainingProcess:
    (folder / "kim.jsonl").write_text("{}\n")
    return TrainingProcess(folder / "kim.jsonl", folder / "kim.npz", command)


def test_stopping_ends_all_child_processes(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']); "
        "print(child.pid, file=sys.stderr, flush=True); child.wait()"
    )

    async def run() -> TrainingProcess:
        training = make_training(tmp_path, sys.executable, "-c", code)
        await training.start()
        with pytest.raises(BadConfig, match="already running"):
            await training.start()
        while not training.lines:
            await asyncio.sleep(0.01)
        await training.stop()
        return training

    training = asyncio.run(run())
    assert training.to_dict()["state"] == "stopped"
    assert training.lines[-1] == "Stopped; nothing was written."
    assert becomes_true(lambda: not is_running(training.lines[0]))


def test_a_training_started_while_another_stops_can_be_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bonmun.app.serve.training.STOP_SECONDS", 0.2)
    code = "import os, signal, sys, time; signal.signal(15, signal.SIG_IGN); print(os.getpid(), file=sys.stderr, flush=True)"

    async def read_pid(training: TrainingProcess) -> str:
        while not training.lines:
            await asyncio.sleep(0.01)
        return training.lines[0]

    async def run() -> list[str]:
        training = make_training(tmp_path, sys.executable, "-c", f"{code}; time.sleep(600)")
        await training.start()
        pids = [await read_pid(training)]
        stopping = asyncio.create_task(training.stop())
        await asyncio.sleep(0)
        await training.start()
        await stopping
        pids.append(await read_pid(training))
        assert training.to_dict()["state"] == "running"
        await training.stop()
        assert training.to_dict()["state"] == "stopped"
        return pids

    pids = asyncio.run(run())
    assert len(set(pids)) == 2
    assert becomes_true(lambda: not any(map(is_running, pids)))


def is_running(pid: str) -> bool:
    """Return whether a process is running, not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("/nowhere/python",), "could not be started: No such file"),
        ((sys.executable, "-c", "pass"), "ended with status 0 and no output"),
        ((sys.executable, "-c", "import sys; print('[' * 100_000); sys.exit('no torch')"), "no torch"),
        ((sys.executable, "-c", "import os; os.abort()"), "ended with status -6"),
    ],
)
def test_failures_are_reported(tmp_path: Path, command: tuple[str, ...], says: str) -> None:
    async def run() -> TrainingProcess:
        training = make_training(tmp_path, *command)
        await training.start()
        while training.state == "running":
            await asyncio.sleep(0.01)
        return training

    training = asyncio.run(run())
    assert training.state == "failed"
    assert says in training.lines[-1]
    assert training.to_dict()["model"] is None


def test_no_training_without_a_gold_file(tmp_path: Path) -> None:
    training = TrainingProcess(tmp_path / "kim.jsonl", tmp_path / "kim.npz", ("/nowhere",))
    with pytest.raises(BadConfig, match="finish some pages first"):
        asyncio.run(training.start())
