"""What all commands share: a run can be stopped however it was started, and leaves the handlers as they were."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
import typer

from bonmun.app.commands.shared.shell import corpus_errors, stoppable
from bonmun.errors import BadConfig, BadInput
from timing import becomes_true

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
WAITING = """
import pathlib, time
from bonmun.app.commands.shared.shell import stoppable

with stoppable("nothing was written."):
    pathlib.Path("waiting").touch()
    time.sleep(600)
"""


def start(folder: Path, ignored: str) -> subprocess.Popen[bytes]:
    """A run that waits, in a process that was started with some signals ignored."""
    line = ["sh", "-c", f"trap '' {ignored}; exec \"$@\"", "sh", sys.executable, "-c", WAITING]
    process = subprocess.Popen(line, cwd=folder, stderr=subprocess.PIPE)
    assert becomes_true((folder / "waiting").exists)
    return process


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_run_in_the_background_can_be_stopped(tmp_path: Path, sent: signal.Signals) -> None:
    with start(tmp_path, "INT") as process:
        process.send_signal(sent)
        stderr = process.communicate(timeout=60)[1]
    assert b"bonmun: Stopped; nothing was written.\n" in stderr
    assert process.returncode == 1


@pytest.mark.parametrize("sent", ["HUP", "TERM"])
def test_what_is_ignored_by_others_than_control_c_stays_ignored(tmp_path: Path, sent: str) -> None:
    with start(tmp_path, sent) as process:
        process.send_signal(getattr(signal, f"SIG{sent}"))
        time.sleep(0.3)
        running = process.poll() is None
        process.kill()
    assert running


@pytest.mark.parametrize("handler", [signal.SIG_IGN, signal.SIG_DFL, signal.default_int_handler])
def test_handlers_are_as_before_afterwards(handler: signal._HANDLER) -> None:
    def stop_myself() -> None:
        with stoppable("it was a test."):
            assert signal.getsignal(signal.SIGINT) == signal.default_int_handler
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(10)

    before = [signal.signal(each, handler) for each in STOPS]
    try:
        with pytest.raises(typer.Exit):
            stop_myself()
        assert [signal.getsignal(each) for each in STOPS] == [handler] * 3
    finally:
        for each, old in zip(STOPS, before, strict=True):
            signal.signal(each, old)


@pytest.mark.parametrize(("problem", "status"), [(BadConfig("Wrong."), 2), (BadInput("Bad."), 1), (OSError("Full"), 1)])
def test_what_goes_wrong_with_a_corpus_has_its_status(
    problem: Exception, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit) as caught, corpus_errors(None, "nothing was written."):
        raise problem
    assert caught.value.exit_code == status
    assert capsys.readouterr().err.startswith("bonmun: ")
