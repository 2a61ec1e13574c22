"""A new setting is one declaration and the code that uses it; a new format is one row and one writer.

Both are added to a copy of the package, which every interface is then asked about.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from samples import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = ROOT / "src" / "bonmun"
DECLARATION = (
    '    shout: bool = setting(False, "Write the text in capitals.", stage="output", in_file=True, is_remote=True)\n'
)
ROW = '        Format("words", ".words", "text/x-words", "bonmun.outputs.words"),\n'
WRITER = '''"""Words: one a line."""


def write(doc):
    """Write the words of the text."""
    return "\\n".join(word for block in doc.shown for word in block.text.split())
'''
PAGE = (
    "<title>Light</title><h1>Light</h1>" + "<p>The old lamp of the pier was lit again last night, after years.</p>" * 3
)

# Run in a process of its own, by the changed package.
ASK = """
import asyncio, json, sys
from pathlib import Path
from fastapi.testclient import TestClient
from typer.testing import CliRunner
import bonmun
from bonmun.app.cli import app
from bonmun.app.serve.app import make_app
from bonmun.app.serve.jobs import JobLimits, JobRequest, extract_job
from bonmun.app.serve.mcp import make_mcp_server
from bonmun.app.serve.settings import ServiceOptions
from scripts.make.settings_reference import write_commands, write_configuration

page = Path("page.html").read_bytes()
run = lambda *args: CliRunner().invoke(app, [*args]).stdout
limits = JobLimits.of(ServiceOptions())
post = lambda query: extract_job(JobRequest(page, query=query), limits)
tools = asyncio.run(make_mcp_server(ServiceOptions(workers=1)).list_tools())
schema = next(tool for tool in tools if tool.name == "read").input_schema["properties"]
openapi = make_app(ServiceOptions()).openapi()["paths"]["/extract"]["post"]
Path("pages.jsonl").write_text(json.dumps({"id": "1", "url": "https://a.example/", "html": page.decode()}))
"""
ASK_SETTING = """
corpus = run("corpus", "extract", "pages.jsonl", "-o", "out.jsonl", "--shout", "--workers", "1")
Path("bonmun.toml").write_text("shout = true")
toml = run("extract", "page.html")
Path("bonmun.toml").unlink()
print(json.dumps({
    "python": bonmun.extract(page, options=bonmun.Options(shout=True)).text,
    "command": run("extract", "page.html", "--shout"),
    "toml": toml,
    "corpus": Path("out.jsonl").read_text(),
    "http": post("shout=true").body.decode(),
    "without": run("extract", "page.html"),
    "help": {name: "--shout" in run(*name.split(), "-h") for name in ("crawl", "spark extract", "corpus extract")},
    "mcp": schema["shout"],
    "openapi": [each for each in openapi["parameters"] if each["name"] == "shout"],
    "reference": [page.count("`shout`") for page in (write_configuration(""),)] + [write_commands().count("--shout")],
}))
"""
ASK_FORMAT = """
corpus = run("corpus", "extract", "pages.jsonl", "-o", "out.jsonl", "-f", "words", "--workers", "1")
answer = post("format=words")
print(json.dumps({
    "python": bonmun.extract(page).render("words"),
    "command": run("extract", "page.html", "-f", "words"),
    "folder": run("extract", "page.html", "-f", "words", "-o", "out/") or [path.name for path in Path("out").iterdir()],
    "corpus": json.loads(Path("out.jsonl").read_text())["words"],
    "http": [answer.media_type, answer.body.decode()],
    "mcp": json.dumps(schema["format"]),
    "openapi": [*openapi["responses"]["200"]["content"]],
}))
"""


def change(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1
    path.write_text(text.replace(before, after), encoding="utf-8")


def ask(folder: Path, code: str) -> dict[str, Any]:
    """Run code with the package in a folder."""
    (folder / "page.html").write_text(PAGE, encoding="utf-8")
    paths = os.pathsep.join(map(str, (folder, ROOT)))
    done = subprocess.run(
        [sys.executable, "-c", ASK + code],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package that can be changed."""
    pytest.importorskip("mcp")
    shutil.copytree(PACKAGE, tmp_path / "bonmun", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "bonmun"


@pytest.mark.slow
def test_a_setting_is_declared_once(package: Path) -> None:
    line = '    comments: bool = setting(False, "Append readers\' comments.", stage="output", in_file=True, is_remote=True)\n'
    change(package / "options.py", line, line + DECLARATION)
    writer = package / "outputs" / "text.py"
    change(
        writer,
        "def write(doc: Writable) -> str:",
        "def write(doc):\n    return _write(doc).upper() if doc.options.shout else _write(doc)\n\n\ndef _write(doc):",
    )
    found = ask(package.parent, ASK_SETTING)
    loud = "THE OLD LAMP OF THE PIER"
    for interface in ("python", "command", "toml", "corpus", "http"):
        assert loud in found[interface], interface
    assert loud not in found["without"]
    assert found["help"] == dict.fromkeys(found["help"], True)
    assert (found["mcp"]["type"], found["mcp"]["default"]) == ("boolean", False)
    assert found["mcp"]["description"] == found["openapi"][0]["description"] == "Write the text in capitals."
    assert found["reference"][0] == 1
    assert found["reference"][1] >= 4


@pytest.mark.slow
def test_a_format_is_one_row_and_one_writer(package: Path) -> None:
    table = package / "outputs" / "__init__.py"
    line = '        Format("json", ".json", "application/json", "bonmun.outputs.json"),\n'
    change(table, line, line + ROW)
    (package / "outputs" / "words.py").write_text(WRITER, encoding="utf-8")
    found = ask(package.parent, ASK_FORMAT)
    words = found["python"]
    assert words.startswith("The\nold\nlamp\n")
    assert found["command"] == words + "\n"
    assert found["corpus"] == words
    assert found["folder"] == ["page.words"]
    assert found["http"] == ["text/x-words", words]
    assert '"words"' in found["mcp"]
    assert "text/x-words" in found["openapi"]
