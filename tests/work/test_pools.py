"""Pools of child processes end, however soon, and nothing is said of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Literal

import pytest

from bonmun.work.pools import open_pool

pytestmark = pytest.mark.slow

METHODS: list[Literal["fork", "spawn"]] = ["fork", "spawn"]

# Children that are ended while they start, and whose parent does something of its own when it is to end.
SHORT_LIVED = """
import signal
from bonmun.work.pools import open_pool
signal.signal(signal.SIGTERM, signal.default_int_handler)
for _ in range(60):
    with open_pool(3, "fork"):
        pass
"""
# Children that work while Ctrl-C is pressed.
BUSY = """
import pathlib, time
from bonmun.work.pools import open_pool
def wait(name):
    pathlib.Path(name).touch()
    time.sleep(60)
if __name__ == "__main__":
    try:
        with open_pool(2, {method!r}) as pool:
            pool.map(wait, ["a", "b"], chunksize=1)
    except KeyboardInterrupt:
        print("stopped")
"""


def test_children_that_are_ended_while_they_start() -> None:
    done = subprocess.run([sys.executable, "-c", SHORT_LIVED], capture_output=True, timeout=120, check=False)
    assert (done.stdout, done.stderr, done.returncode) == (b"", b"", 0)


@pytest.mark.parametrize("method", METHODS)
def test_ctrl_c_ends_children_in_silence(method: str, tmp_path: Path) -> None:
    (tmp_path / "busy.py").write_text(BUSY.format(method=method), encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "busy.py"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # whatever it was where pytest was started
    ) as process:
        try:
            end = time.monotonic() + 60
            while not ((tmp_path / "a").exists() and (tmp_path / "b").exists()) and time.monotonic() < end:
                time.sleep(0.02)
            os.killpg(process.pid, signal.SIGINT)
            assert process.communicate(timeout=60) == (b"stopped\n", b"")
        finally:
            process.kill()


@pytest.mark.parametrize("method", METHODS)
def test_children_are_prepared(method: Literal["fork", "spawn"], tmp_path: Path) -> None:
    before = Path.cwd()
    with open_pool(1, method, os.chdir, tmp_path) as pool:
        assert pool.apply(os.getcwd) == str(tmp_path)
    assert Path.cwd() == before
