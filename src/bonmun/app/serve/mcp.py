"""The service for assistants: the same work and the same limits, as tools of the Model Context Protocol over stdio."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Literal

from bonmun._version import __version__
from bonmun.errors import BonmunError, MissingExtra

try:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
except ImportError:
    raise MissingExtra("Assistants are answered with the SDK of MCP: pip install 'bonmun[mcp]'.") from None

from bonmun.app.serve.jobs import Asked, Rules, compare_job, explain_job, extract_job, make_workers

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from bonmun.app.serve.jobs import Answer
    from bonmun.app.serve.settings import Settings

__all__ = ["make_mcp_server", "run_mcp_server"]

INSTRUCTIONS = "Tools that read web pages: the main text without menus and advertisements, and why it is that."
FETCHES = "Give the page as `html`, or its address as `url`, which is then downloaded."
FETCHES_NOT = "Give the page as `html`; `url` is where it came from, and nothing is downloaded."

Format = Literal["text", "markdown", "md", "html", "json", "xml"]


def make_mcp_server(settings: Settings) -> MCPServer[Any]:
    """A server with the tools extract, compare and explain."""
    workers, rules = make_workers(settings), Rules.of(settings)
    says = FETCHES if settings.fetch else FETCHES_NOT

    @asynccontextmanager
    async def live(_: MCPServer[Any]) -> AsyncIterator[None]:
        await workers.start()
        try:
            yield
        finally:
            await workers.stop()

    async def work(job: Callable[[Asked, Rules], Answer], html: str | None, given: dict[str, Any]) -> str:
        body = json.dumps({"html": html or ""} | {name: value for name, value in given.items() if value is not None})
        try:
            answer = await workers.run(job, Asked(body.encode(), is_json=True), rules)
        except BonmunError as problem:
            raise ToolError(str(problem)) from None
        return answer.body.decode()

    server: MCPServer[Any] = MCPServer(
        "bonmun", instructions=f"{INSTRUCTIONS} {says}", version=__version__, lifespan=live, log_level="WARNING"
    )

    @server.tool(description=f"The main text of a web page, with title, author and date in front matter. {says}")
    async def extract(
        html: str | None = None,
        url: str | None = None,
        format: Format = "markdown",  # noqa: A002 - what assistants are told
        method: str = "auto",
        links: bool = False,
        images: bool = False,
        comments: bool = False,
    ) -> str:
        given = {"url": url, "format": format, "method": method, "links": links, "images": images, "comments": comments}
        return await work(extract_job, html, given | ({"front_matter": True} if format in ("markdown", "md") else {}))

    @server.tool(description=f"What each method makes of a web page, and how far any two agree, as tables. {says}")
    async def compare(html: str | None = None, url: str | None = None, methods: list[str] | None = None) -> str:
        return await work(compare_job, html, {"url": url, "methods": methods, "format": "text"})

    @server.tool(
        description=f"Why parts of a web page were kept or dropped: score, reason and place of each, as tables. {says}"
    )
    async def explain(html: str | None = None, url: str | None = None, method: str = "auto") -> str:
        return await work(explain_job, html, {"url": url, "method": method, "format": "text"})

    return server


def run_mcp_server(settings: Settings) -> None:
    """Answer an assistant on stdin and stdout until it leaves."""
    asyncio.run(make_mcp_server(settings).run_stdio_async())
