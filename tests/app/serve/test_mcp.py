"""The MCP server, called by the client of the SDK over stdio."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("mcp")

import mcp
from running import PAGE

from bonmun.options import Options
from bonmun.pipeline import extract
from samples import ROOT

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow


async def call_tools(*calls: tuple[str, dict[str, Any]]) -> tuple[Any, list[Any]]:
    """Return the tools of a server and its responses to calls."""
    line = ["-m", "bonmun", "mcp", "--max-bytes", "100000"]
    env = {name: value for name, value in os.environ.items() if name.startswith("PYTHON")}
    server = mcp.StdioServerParameters(command=sys.executable, args=line, cwd=ROOT, env=env)
    async with mcp.Client(server) as client:
        tools = await client.list_tools()
        return tools, [await client.call_tool(name, given) for name, given in calls]


def test_tools_return_results_and_errors() -> None:
    tools, answers = asyncio.run(
        call_tools(
            ("extract", {"html": PAGE}),
            ("extract", {"html": PAGE, "format": "text", "method": "all"}),
            ("compare", {"html": PAGE, "methods": ["auto", "all"]}),
            ("explain", {"html": PAGE}),
            ("extract", {"html": ""}),
            ("extract", {"url": "https://example.org/"}),
            ("extract", {"html": "a" * 200_000}),
            ("extract", {"html": PAGE, "method": "atuo"}),
            ("extract", {"html": PAGE, "format": "pdf"}),
            ("extract", {"html": PAGE, "format": "html"}),
        )
    )
    assert [tool.name for tool in tools.tools] == ["extract", "compare", "explain"]
    texts = [answer.content[0].text for answer in answers]
    failed = [answer.is_error for answer in answers]
    assert texts[0] == extract(PAGE, options=Options(front_matter=True)).markdown
    assert texts[1] == extract(PAGE, method="all").text
    assert "Word F1 between any two" in texts[2]
    assert texts[3].startswith("method")
    assert failed == [*[False] * 4, *[True] * 5, False]
    assert "no page to read" in texts[4]
    assert "--fetch" in texts[5]
    assert "100,000" in texts[6]
    assert "did you mean auto" in texts[7]
    assert texts[9] == extract(PAGE).html


HOSTILE_ARGUMENTS: list[dict[str, Any]] = [
    {"html": None},
    {"html": 5},
    {"html": ["<p>"]},
    {"html": "\0" * 1_000},
    {"html": PAGE, "method": "../../etc/passwd"},
    {"html": PAGE, "format": {"a": 1}},
    {"html": PAGE, "encoding": "\0"},
    {"html": PAGE, "language": "x" * 100_000},
    {"url": "file:///etc/passwd"},
    {"url": "http://127.0.0.1:1/"},
]
# Settings of the server, which no argument changes.
SERVER_SETTINGS: list[dict[str, Any]] = [
    {"model": "/etc/passwd"},
    {"site_model": "/etc/passwd"},
    {"max_bytes": 10**12},
    {"allow_private": True},
    {"fetch": True},
    {"__class__": "x"},
]


def test_hostile_arguments_are_refused_or_ignored() -> None:
    odd = [("extract", each) for each in HOSTILE_ARGUMENTS]
    odd += [("compare", {"html": PAGE, "methods": ["auto"] * 10_000}), ("compare", {"html": PAGE, "methods": "auto"})]
    with_url = [("extract", {"url": "http://127.0.0.1:1/"} | each) for each in SERVER_SETTINGS]
    with_page = [("extract", {"html": PAGE} | each) for each in SERVER_SETTINGS]
    _, answers = asyncio.run(call_tools(*odd, *with_url, *with_page, ("extract", {"html": PAGE})))
    texts = [answer.content[0].text for answer in answers]
    assert not [text for text in texts if "root:" in text or "Traceback" in text]
    assert all(answer.is_error for answer in answers[len(odd) : len(odd) + len(with_url)])
    for answer, text in zip(answers[-len(with_page) - 1 :], texts[-len(with_page) - 1 :], strict=True):
        assert answer.is_error or text == texts[-1]
    assert texts[-1] == extract(PAGE, options=Options(front_matter=True)).markdown


def test_the_error_without_the_sdk_names_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from bonmun.errors import MissingExtra

    for name in [
        name for name in sys.modules if name == "bonmun.app.serve.mcp" or name.startswith("mcp.server.mcpserver")
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    with pytest.raises(MissingExtra, match=r"pip install 'bonmun\[mcp\]'"):
        import bonmun.app.serve.mcp  # noqa: F401
