"""No command runs code from the working directory, which may belong to somebody else.

The commands are started in a folder with a module for every name that can be imported: those of the standard library
and of all installed packages. Each of these modules leaves a mark when it is imported.
"""

from __future__ import annotations

import ast
import asyncio
import json
import os
import signal
import subprocess
import sys
from importlib.metadata import packages_distributions
from typing import TYPE_CHECKING, Any

import pytest

from bonmun.app.serve.training import TrainingProcess
from bonmun.work.processes import ChildLimits, run_in_children
from labelled import make_article
from samples import ROOT
from servers import serve_pages

if TYPE_CHECKING:
    from pathlib import Path

slow = pytest.mark.slow

SECONDS = 120
MARKS = "marks"  # file in the folder, with a line per import
MODULE = (
    "import os\nwith open({marks!r}, 'a') as file:\n    file.write(__name__ + ' in ' + str(os.getpid()) + chr(10))\n"
)
# The same as the script `bonmun` that pip installs; runs several commands, and prints their exit codes.
SCRIPT = """
import json, sys
from bonmun.app.cli import main
if __name__ == "__main__":
    codes = []
    for line in json.loads(sys.argv[1]):
        sys.argv = ["bonmun", *line]
        try:
            main()
        except SystemExit as end:
            codes.append(end.code)
    print("exit codes", codes)
"""
# What an assistant sends to the MCP server.
MCP_MESSAGES: list[dict[str, Any]] = [
    {
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
    },
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/call", "params": {"name": "read", "arguments": {"html": make_article()}}},
]
# Modules of bonmun that start programs. Each uses bonmun.work.programs.
STARTERS = {
    "app/serve/training.py",
    "lab/evaluate/systems/node_peers.py",
    "scale/crawl/running.py",
    "scale/spark/hadoop.py",
    "work/pools.py",
    "work/processes.py",
}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with malicious modules, and a page, a labelled set and a script next to it."""
    base = tmp_path_factory.mktemp("base")
    folder = base / "hostile"
    folder.mkdir()
    code = MODULE.format(marks=str(base / MARKS))
    for name in {*sys.stdlib_module_names, *packages_distributions(), "bonmun", "settings", "bin"}:
        if name.isidentifier():
            (folder / f"{name}.py").write_text(code)
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = settings\n")
    pages = folder.with_name("pages")
    pages.mkdir()
    for name in ("harbour", "library"):
        (pages / f"{name}.html").write_text(make_article(name))
    row = {"id": "a", "html": make_article(), "text": "Part 1 about the library."}
    folder.with_name("gold.jsonl").write_text(json.dumps(row) + "\n")
    folder.with_name("script.py").write_text(SCRIPT)
    return folder


def start(folder: Path, *lines: list[str]) -> subprocess.Popen[str]:
    """Start commands in the folder."""
    command = [sys.executable, str(folder.with_name("script.py")), json.dumps(lines)]
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONSAFEPATH")}
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=folder, env=env, text=True, **pipes)


def read_marks(folder: Path) -> list[str]:
    marks = folder.with_name(MARKS)
    found = marks.read_text().splitlines() if marks.exists() else []
    marks.unlink(missing_ok=True)
    return found


@pytest.fixture(autouse=True)
def no_marks(hostile: Path) -> None:
    read_marks(hostile)


@slow
def test_no_command_imports_from_the_working_directory(hostile: Path) -> None:
    with serve_pages({"/": ("text/html", make_article().encode())}) as site:
        lines = [
            ["extract", "../pages", "--jobs", "2", "-o", "../texts.jsonl"],
            ["compare", "../pages/library.html"],
            ["report", "../pages", "-o", "../report"],
            ["corpus", "count", "../pages", "-o", "../counts"],
            ["corpus", "extract", "../pages", "-o", "../rows.parquet"],
            ["corpus", "dedupe", "../rows.parquet", "-o", "../unique.parquet"],
            ["bench", "../gold.jsonl", "-m", "density", "--cache", "../cache.sqlite"],
            ["gold", "init", "../pages", "-o", "../drafts"],
            ["crawl", site.url, "-o", "../crawl", "--pages", "1", "--allow-private"],
        ]
        process = start(hostile, *lines)
        output, errors = process.communicate(timeout=SECONDS)
    assert read_marks(hostile) == []
    assert output.endswith(f"exit codes {[0] * len(lines)}\n"), errors


@slow
def test_no_service_imports_from_the_working_directory(hostile: Path) -> None:
    services = [
        start(hostile, ["serve", "--port", "0", "--workers", "1"]),
        start(hostile, ["inspect", "../pages", "--no-open", "--gold", "../labels.jsonl"]),
    ]
    try:
        assert services[0].stderr
        assert services[1].stdout
        assert "listening" in services[0].stderr.readline()
        assert "http" in services[1].stdout.readline()
    finally:
        for service in services:
            service.send_signal(signal.SIGTERM)
            service.communicate(timeout=SECONDS)
    assert read_marks(hostile) == []


@slow
def test_the_mcp_server_does_not_import_from_the_working_directory(hostile: Path) -> None:
    pytest.importorskip("mcp")
    process = start(hostile, ["mcp"])
    assert process.stdin
    assert process.stdout
    for message in MCP_MESSAGES:
        process.stdin.write(json.dumps({"jsonrpc": "2.0"} | message) + "\n")
    process.stdin.flush()
    answers = [process.stdout.readline() for _ in range(2)]
    process.communicate(timeout=SECONDS)
    assert read_marks(hostile) == []
    assert "the library" in answers[1]


@slow
def test_a_training_that_the_inspector_starts_does_not(hostile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(hostile)
    hostile.with_name("empty.jsonl").write_text("")

    async def train() -> TrainingProcess:
        training = TrainingProcess(hostile.with_name("empty.jsonl"), hostile.with_name("model.npz"))
        await training.start()
        assert training._watching
        await training._watching
        return training

    training = asyncio.run(train())
    assert read_marks(hostile) == []
    assert training.state == "failed"
    assert training.lines[-1].startswith("bonmun: ")  # it has started


class _Double:
    """A job for children."""

    def load(self) -> Any:
        return abs

    def fail(self, item: int, reason: str) -> int:
        raise AssertionError(reason)


@slow
def test_children_of_other_programs_do_not_import_from_the_working_directory(
    hostile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(hostile)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    assert sorted(run_in_children(_Double(), [-1, -2], ChildLimits(1, 60))) == [1, 2]
    assert read_marks(hostile) == []
    assert "PYTHONSAFEPATH" not in os.environ  # other children of this process are not affected


def test_python_is_started_only_with_a_safe_path() -> None:
    source = ROOT / "src" / "bonmun"
    found = {}
    for path in source.rglob("*.py"):
        names = {
            name
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Attribute | ast.Name)
            for name in [node.attr if isinstance(node, ast.Attribute) else node.id]
        }
        if names & {"Popen", "create_subprocess_exec", "create_subprocess_shell", "get_context", "execv", "popen"}:
            found[str(path.relative_to(source))] = names
    assert set(found) == STARTERS
    for name, names in found.items():
        assert names & {"python_command", "find_program", "safe_path", "hold_interrupts"}, name
        assert "executable" not in names, name
