"""No child process outlives its parent, whether that ends by SIGTERM, Ctrl-C or kill -9."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scripts.watching import list_process_tree

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc to list processes"),
]
SPINNING = "<p>Text.</p><script>while (true);</script>"


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.long
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_no_process_is_left_behind(tmp_path: Path, ending: signal.Signals) -> None:
    (tmp_path / "page.html").write_text(SPINNING)
    line = [sys.executable, "-m", "bonmun", "render", "page.html", "-o", "out", "--timeout", "60"]
    process = subprocess.Popen(line, cwd=tmp_path, stderr=subprocess.PIPE, start_new_session=True)
    try:
        children: set[int] = set()
        end = time.monotonic() + 60
        while time.monotonic() < end and len(children) < 6:  # Playwright's driver, the browser, its helpers, the page
            time.sleep(0.2)
            children |= set(list_process_tree(process.pid)) - {process.pid}
        time.sleep(1)
        children |= set(list_process_tree(process.pid)) - {process.pid}
        assert len(children) >= 4
        os.kill(process.pid, ending)
        process.wait(40)
        end = time.monotonic() + 30
        while time.monotonic() < end and any(map(is_running, children)):
            time.sleep(0.2)
        assert [pid for pid in children if is_running(pid)] == []
        assert not list((tmp_path / "out").glob("*"))
    finally:
        process.kill()
        process.communicate()
