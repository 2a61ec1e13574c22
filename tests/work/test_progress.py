"""Progress bars, which are shown on a terminal only."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from contextlib import suppress

import pytest

from bonmun.work import progress as module
from bonmun.work.progress import Progress, is_terminal, show_line, show_progress

SCRIPT = """
from bonmun.work.progress import show_line, show_progress

with show_progress("Counting", 1000) as progress:
    progress.update(500, 12, "pages")
with show_progress("Measuring", 3) as progress:
    for _ in range(3):
        progress.advance()
with show_progress("Hidden", 3, shown=False) as progress:
    progress.advance()
with show_progress("Without end", 0) as progress:
    progress.update(7, 7000, "pages")
show_line("one")
show_line("two")
print("the result")
"""


def shown_on_a_terminal() -> tuple[str, str]:
    """Return what the script writes to stdout, and to a terminal on stderr."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    line = [sys.executable, "-c", SCRIPT]
    shown = b""
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=theirs, env=env) as process:
        os.close(theirs)
        with suppress(OSError):  # on Linux, raised when there are no more writers
            while part := os.read(ours, 10_000):
                shown += part
        stdout = process.communicate(timeout=300)[0]
    os.close(ours)
    return stdout.decode(), shown.decode()


@pytest.mark.slow
def test_a_bar_is_shown_on_a_terminal() -> None:
    stdout, shown = shown_on_a_terminal()
    assert stdout == "the result\n"
    for words in ("Counting", "12 pages, ", " a second", "Measuring", "3/3", "100%", "7,000 pages"):
        assert words in shown
    assert "Hidden" not in shown
    assert shown.endswith("\r\x1b[Kone\r\x1b[Ktwo")


@pytest.mark.slow
def test_nothing_is_shown_without_a_terminal() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=300, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("the result\n", "", 0)


def test_a_closed_stderr_is_not_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with show_progress("Counting", 2) as progress:
        progress.advance()
    show_line("one")
    assert not is_terminal(None)
    assert not is_terminal(io.StringIO())


def test_progress_is_counted_and_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    seen: list[tuple[int, str]] = []
    progress = Progress(2000, lambda done, note: seen.append((done, note)))
    progress.advance()
    progress.advance(1233)
    assert seen == [(1, "1/2,000"), (1234, "1,234/2,000")]
    now[0] += 10
    progress.update(1500, 20_010, "pages")
    assert seen[-1] == (1500, "20,010 pages, 2,001 a second")
