"""Run both tutorials, English and Korean, from top to bottom: their Python code and commands print what they show."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from samples import ROOT, save

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("duckdb")

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
SIZE = re.compile(r"\b[0-9]{5,}\b")  # counts of characters change a little with the network


def check_output(shown: str, printed: str) -> None:
    """Compare output with what the tutorial shows, where `…` stands for anything and large counts may be 5 % off."""
    sizes, shown_sizes = (list(map(int, SIZE.findall(text))) for text in (printed, shown))
    assert sizes == pytest.approx(shown_sizes, rel=0.05), printed
    pattern = ".*".join(re.escape(piece) for piece in SIZE.sub("0", shown).split("…"))
    assert re.fullmatch(pattern, SIZE.sub("0", printed), re.S), printed


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tutorial.md", "tutorial.ko.md"])
def test_the_tutorial(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples", "examples")
    for program, module in (("bonmun", "-m bonmun"), ("python", "")):
        save(f"bin/{program}", f'#!/bin/sh\nexec "{sys.executable}" {module} "$@"\n')
        (tmp_path / "bin" / program).chmod(0o755)
    shell = {**os.environ, "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    names: dict[str, Any] = {"__name__": "__main__"}
    kinds = []
    for kind, code in BLOCK.findall(text):
        kinds.append(kind)
        if kind == "python":
            exec(code, names)
        elif kind == "text":
            check_output(code, capsys.readouterr().out)
        elif kind == "console":
            for part in re.split(r"^\$ ", code, flags=re.M)[1:]:
                command, shown = part.split("\n", 1)
                line = ["bash", "-c", f"exec 2>&1; {command}"]
                check_output(shown, subprocess.run(line, env=shell, stdout=subprocess.PIPE, text=True).stdout)
    assert {"python", "text", "console", "sh"} == set(kinds)
    assert kinds.count("console") > 3
