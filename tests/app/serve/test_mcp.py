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


def test_the_error_without_the_sdk_names_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from bonmun.errors import MissingExtra

    for name in [
        name for name in sys.modules if name == "bonmun.app.serve.mcp" or name.startswith("mcp.server.mcpserver")
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    with pytest.raises(MissingExtra, match=r"pip install 'bonmun\[mcp\]'"):
        import bonmun.app.serve.mcp  # noqa: F401
