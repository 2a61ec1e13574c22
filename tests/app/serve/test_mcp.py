"""The MCP server, called by the client of the SDK over stdio."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("mcp")

import mcp
from running import PAGE

from bonmun.options import Options
from bonmun.pipeline import extract
from bonmun.text.tokens import estimate_tokens
from samples import ROOT, served

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
            ("read", {"html": PAGE}),
            ("read", {"html": PAGE, "format": "text", "method": "all"}),
            ("compare", {"html": PAGE, "methods": ["auto", "all"]}),
            ("explain", {"html": PAGE}),
            ("outline", {"html": PAGE}),
            ("search_in_page", {"html": PAGE, "query": "snow hills"}),
            ("links", {"html": PAGE, "url": "https://atlas.example/"}),
            ("links", {"html": PAGE, "url": "https://atlas.example/", "whole_page": True}),
            ("objects", {"html": PAGE}),
            ("read", {"html": PAGE, "format": "html"}),
            ("read", {"html": ""}),
            ("read", {"url": "https://example.org/"}),
            ("read", {"html": "a" * 200_000}),
            ("read", {"html": PAGE, "method": "atuo"}),
            ("read", {"html": PAGE, "format": "pdf"}),
            ("read", {"html": PAGE, "render": "always"}),
            ("read", {"html": PAGE, "section": "Droughts"}),
            ("read", {}),
        )
    )
    names = ["read", "outline", "search_in_page", "links", "objects", "compare", "explain"]
    assert [tool.name for tool in tools.tools] == names  # crawl_site only with --fetch
    texts = [answer.content[0].text for answer in answers]
    failed = [answer.is_error for answer in answers]
    assert failed == [*[False] * 10, *[True] * 8], texts
    assert texts[0] == extract(PAGE.encode(), options=Options(front_matter=True)).markdown
    assert texts[1] == extract(PAGE, method="all").text
    assert "Word F1 between any two" in texts[2]
    assert texts[3].startswith("method")
    assert texts[4].startswith(f"Rivers of the north: {extract(PAGE).kind}, about ")
    assert "2. Floods (" in texts[4]
    assert "section 2 (Floods): Every spring the snow of the hills" in texts[5]
    assert texts[6].strip() == "- summer: https://atlas.example/summer"
    assert "- Maps: https://atlas.example/maps" in texts[7]
    assert "no objects" in texts[8]
    assert texts[9] == extract(PAGE).html
    assert "no page to read" in texts[10]
    assert "--fetch" in texts[11]
    assert "100,000" in texts[12]
    assert "did you mean auto" in texts[13]
    assert "--render" in texts[15]
    assert "There is no section" in texts[16]
    assert "give its url" in texts[17]


SENTENCE = "The boat number {} left the harbour before the storm, and its crew wrote down what the lamp keeper said. "
POST = """<div class="post" id="p{0}"><div class="author"><a href="/u/{0}">sailor{0}</a></div>
<time datetime="2024-05-0{1}T10:20">2024-05-0{1} 10:20</time><div class="body">{2}</div></div>"""


def make_thread(posts: int = 160) -> str:
    bodies = ("".join(f"<p>{SENTENCE.format(post * 10 + line) * 2}</p>" for line in range(3)) for post in range(posts))
    made = (POST.format(number, number % 9 + 1, body) for number, body in enumerate(bodies))
    return f"<title>Boats</title><h1>Boats</h1><div class='posts'>{''.join(made)}</div>"


async def read_thread(site: str) -> tuple[list[str], list[str]]:
    """Read a thread as an agent would: outline, search, then all parts. Return the answers, and the parts."""
    line = ["-m", "bonmun", "mcp", "--fetch", "--allow-private"]
    env = {name: value for name, value in os.environ.items() if name.startswith("PYTHON")}
    server = mcp.StdioServerParameters(command=sys.executable, args=line, cwd=ROOT, env=env)
    answers: list[str] = []

    async with mcp.Client(server) as client:

        async def call(name: str, **given: Any) -> str:
            answer: Any = await client.call_tool(name, {"url": f"{site}/thread"} | given)
            assert not answer.is_error, answer.content[0].text
            answers.append(answer.content[0].text)
            return answers[-1]

        await call("outline")
        found = await call("search_in_page", query="boat number 772")
        [cursor] = re.findall(r"- cursor=([0-9]+)", found)
        assert "boat number 772" in await call("read", cursor=int(cursor), max_tokens=400)
        assert "sailor99" in await call("read", section="sailor99", max_tokens=400)
        assert "sailor1" in await call("links", whole_page=True)
        parts, cursor = [], None
        while True:
            text = await call("read", **({"cursor": cursor} if cursor else {}))
            parts.append(text)
            more = re.search(r"To continue, set cursor=([0-9]+)\.\]\n?$", text)
            if not more:
                break
            cursor = int(more[1])
        crawled = await call("crawl_site", url=f"{site}/start", max_pages=3, max_tokens=2_000)
        assert crawled.count("# Rivers of the north\n") == 2
        assert "/secret" not in crawled
        await call("explain")
    return answers, parts


def test_a_long_thread_is_read_in_parts_within_the_budget() -> None:
    thread = make_thread()
    start = PAGE.replace("</nav>", "<a href='/page'>Page</a> <a href='/secret'>Secret</a></nav>")
    pages = {
        "/thread": (thread.encode(), "text/html"),
        "/start": (start.encode(), "text/html"),
        "/page": (PAGE.encode(), "text/html"),
        "/secret": (PAGE.encode(), "text/html"),
        "/robots.txt": (b"User-agent: *\nDisallow: /secret\n", "text/plain"),
    }
    whole = extract(thread).markdown
    assert len(whole) > 100_000
    with served(pages) as site:
        answers, parts = asyncio.run(read_thread(site))
    assert max(estimate_tokens(answer) for answer in answers) <= 4_000
    assert len(parts) > 5
    assert "".join(parts).count("The boat number") == whole.count("The boat number")
    for number in (0, 77, 159):
        assert sum(f"**sailor{number}**" in part for part in parts) == 1


def test_json_is_within_the_budget_including_its_metadata() -> None:
    thread = make_thread()[:90_000]  # within the limit of this server
    tokens = (4_000, 1_000, 200)
    calls = [("read", {"html": thread, "format": "json", "max_tokens": each}) for each in tokens]
    _, answers = asyncio.run(call_tools(*calls))
    assert all(estimate_tokens(answer.content[0].text) <= most for answer, most in zip(answers, tokens, strict=True))
    values = json.loads(answers[0].content[0].text)
    assert values["rest"]["cursor"] == len(values["markdown"]) + 2  # an empty line
    assert "read it as markdown" in answers[-1].content[0].text  # its metadata alone are more than 200 tokens


def test_every_tool_says_why_a_page_is_empty() -> None:
    shell = "<title>App</title><div id=app></div><script src=/app.js></script>"
    calls = [(name, {"html": shell}) for name in ("read", "outline", "links", "objects")]
    calls += [("search_in_page", {"html": shell, "query": "boat"}), ("read", {"html": shell, "format": "text"})]
    _, answers = asyncio.run(call_tools(*calls))
    assert all("without its scripts: render it" in answer.content[0].text for answer in answers)


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
    {"html": PAGE, "cursor": 10**15},
    {"html": PAGE, "cursor": -1},
    {"html": PAGE, "max_tokens": 0},
    {"html": PAGE, "max_tokens": 10**12},
    {"html": PAGE, "section": "x" * 100_000},
    {"html": PAGE, "outline": True, "section": "1"},
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
    odd = [("read", each) for each in HOSTILE_ARGUMENTS]
    odd += [("search_in_page", {"html": PAGE, "query": each}) for each in ("", "x" * 100_000, "\0", "(.*)*")]
    odd += [
        ("outline", {"html": "<h2>a</h2>" * 9_000, "max_tokens": 200}),
        ("crawl_site", {"url": "http://127.0.0.1/"}),
    ]
    odd += [("compare", {"html": PAGE, "methods": ["auto"] * 10_000}), ("compare", {"html": PAGE, "methods": "auto"})]
    with_url = [("read", {"url": "http://127.0.0.1:1/"} | each) for each in SERVER_SETTINGS]
    with_page = [("read", {"html": PAGE} | each) for each in SERVER_SETTINGS]
    _, answers = asyncio.run(call_tools(*odd, *with_url, *with_page, ("read", {"html": PAGE})))
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
