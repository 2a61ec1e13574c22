"""A process that is forked while threads extract pages can extract pages, too."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

FORKS = 8
CHILD_SECONDS = 30  # for one page
# Prints the exit status of each forked process.
PROGRAM = f"""
import os, signal, threading, warnings
import bonmun
from bonmun.work.programs import safe_path

PAGE = "<title>Rivers</title><article><h1>Rivers</h1>" + "<p>The river rises in a lake among the hills.</p>" * 300


def extract():
    doc = bonmun.extract(PAGE)
    doc.markdown, doc.html, doc.text, doc.chunks(), doc.metadata
    with safe_path():
        pass


def extract_on():
    while True:
        extract()


warnings.simplefilter("ignore")  # that Python 3.12 warns of forks
extract()  # forking while a thread imports a module is never safe
for _ in range(4):
    threading.Thread(target=extract_on, daemon=True).start()
statuses = []
for _ in range({FORKS}):
    child = os.fork()
    if not child:
        signal.alarm({CHILD_SECONDS})
        extract()
        os._exit(0)
    statuses.append(os.waitpid(child, 0)[1])
    if any(statuses):
        break
print(statuses, flush=True)
os._exit(0)
"""


def test_a_fork_while_threads_extract_can_extract() -> None:
    found = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert found.stdout.strip() == str([0] * FORKS), found.stderr
