"""Runs that are killed at any time and runs over hostile records, by the scripts that make the published figures."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from samples import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="children and memory are found with /proc"),
]


def run_script(*args: str) -> str:
    run = subprocess.run(
        [sys.executable, "-m", *args], cwd=ROOT, capture_output=True, text=True, check=False, timeout=600
    )
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


@pytest.mark.long
def test_killed_runs_give_the_same_bytes() -> None:
    said = run_script("scripts.figures.kills", "--runs", "1", "--seed", "5", "--pages", "100")
    assert re.search(r"^all +1 runs, +\d+ kills, +0 different$", said, re.M)


@pytest.mark.long
def test_only_hostile_records_fail() -> None:
    said = run_script("scripts.figures.hostile_corpus", "--hostile", "36", "--formats", "warc")
    assert re.findall(r"^pages\.(\w+): 36 hostile records, (\d+) of 37 ordinary pages", said, re.M) == [
        ("warc", "37"),
    ]
    assert said.count("× The page is larger than 1,000,000 bytes; increase max_bytes to read it. (") == 1
    assert "The process died" not in said
    assert "seconds." not in said
    says = r"damaged, but read to the end: [\d,]+ bytes before or between its records do not belong to a record\."
    assert re.search(says, said)
