"""Run the commands of docs/how-to/annotate.md in order, from a folder of pages to a trained model."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

pytest.importorskip("fastapi")

from bonmun.lab.train.finetune_report import FinetuneReport, PageScores
from samples import ROOT, hear_signals

if TYPE_CHECKING:
    from samples import Bonmun

pytestmark = pytest.mark.slow

DOCUMENT = (ROOT / "docs" / "how-to" / "annotate.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^```sh\nbonmun (?!gold )(.+)\n```$", DOCUMENT, re.M)  # commands of `gold` have their own tests


def finetune_at_once(data: list[Path], output: Path, **_: Any) -> FinetuneReport:
    """Fine-tune without the minutes that it takes."""
    shutil.copy(ROOT / "src" / "bonmun" / "models" / "network" / "default.npz", output)
    return FinetuneReport((PageScores("a", "a", 0.8, 0.9),), "page", 0.8, 0.9, True, "It is kept.", output, 1.0)


def label_all(address: str) -> int:
    """Accept auto's answer for every page of the queue."""
    base, _, key = address.partition("/inspector/#key=")
    headers = {"X-Bonmun-Key": key}
    with httpx.Client(base_url=f"{base}/inspector/api/", headers=headers, trust_env=False, timeout=60) as screen:
        for done in range(1, 100):
            waiting = [page["number"] for page in screen.get("queue").json()["pages"]]
            if not waiting:
                break
            start = screen.get(f"labels/{waiting[0]}/start").json()["labels"]
            change = {"revision": 0, "labels": start, "whole": True, "seconds": 5}
            said = screen.post(f"labels/{waiting[0]}/finish", json=change).json()
            assert (said["state"], said["problem"], said["counts"]["done"]) == ("done", None, done)
        pages: int = screen.get("session").json()["counts"]["done"]
        return pages


def test_commands_of_the_guide(bonmun: Bonmun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inspect, bench, train, extract, agreement = [command.split() for command in COMMANDS]
    assert [
        each[0] for each in (inspect, bench, train, extract, agreement)
    ] == "inspect bench train extract agreement".split()
    shutil.copytree(ROOT / "examples" / "pages", tmp_path / "examples" / "pages")
    line = [sys.executable, "-m", "bonmun", *inspect]
    with subprocess.Popen(
        line,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"BROWSER": "true"},
        preexec_fn=hear_signals,
    ) as server:
        assert server.stdout is not None
        assert label_all(server.stdout.readline().strip()) == len(list(Path("examples/pages").iterdir()))
        server.send_signal(signal.SIGINT)
        assert server.wait(60) == 0
    assert not Path("kim.jsonl.journal").exists()
    result = bonmun(*bench)
    assert result.exit_code == 0, result.stderr
    assert re.search(r"^auto +1\.000 +1\.000 +1\.000", result.stdout, re.M)  # nothing was corrected
    monkeypatch.setattr("bonmun.lab.train.finetune.finetune_model", finetune_at_once)
    assert "It is kept." in bonmun(*train).stdout
    assert bonmun(*extract).stdout == bonmun(*extract[:2]).stdout != ""
    lines = Path("kim.jsonl").read_bytes().splitlines()
    Path("lee.jsonl").write_text(json.dumps(json.loads(lines[0])) + "\n", encoding="utf-8")
    result = bonmun(*agreement)
    assert re.search(r"all labels +1\.000", result.stdout)
    assert "kim, lee: 1 page in common" in result.stdout
