"""The service for assistants: the same work and limits, as tools of the Model Context Protocol over stdio."""

from __future__ import annotations

import asyncio
import inspect
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from bonmun._version import __version__
from bonmun.errors import BonmunError, MissingExtra

try:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
except ImportError:
    raise MissingExtra("The mcp package is not installed: pip install 'bonmun[mcp]'.") from None

from bonmun.app.serve.jobs import JobLimits, JobRequest, compare_job, explain_job, extract_job, make_workers
from bonmun.app.serve.parameters import EXPLAIN_PARAMETERS, EXTRACT_PARAMETERS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from bonmun.app.serve.jobs import JobResponse
    from bonmun.app.serve.parameters import Parameters
    from bonmun.app.serve.settings import ServiceOptions

__all__ = ["make_mcp_server", "run_mcp_server"]

INSTRUCTIONS = "Tools that read web pages: the main text without menus and advertisements, and why it was chosen."
WITH_FETCH = "Give the page as `html`, or its `url`, which is then downloaded."
WITHOUT_FETCH = "Give the page as `html`; `url` says where it came from, but is not downloaded."
MARKDOWN_NAMES = ("markdown", "md")


def make_mcp_server(settings: ServiceOptions) -> MCPServer[Any]:
    """Return a server with the tools extract, compare and explain."""
    workers, limits = make_workers(settings), JobLimits.of(settings)
    says = WITH_FETCH if settings.fetch else WITHOUT_FETCH

    @asynccontextmanager
    async def live(_: MCPServer[Any]) -> AsyncIterator[None]:
        await workers.start()
        try:
            yield
        finally:
            await workers.stop()

    async def work(job: Callable[[JobRequest, JobLimits], JobResponse], given: dict[str, Any]) -> str:
        known = {name: value for name, value in given.items() if value is not None}
        try:
            body = json.dumps({"html": ""} | known).encode()
            answer = await workers.run(job, JobRequest(body, is_json=True), limits)
        except BonmunError as problem:
            raise ToolError(str(problem)) from None
        return answer.body.decode()

    async def extract(**given: Any) -> str:
        if given.get("format") in MARKDOWN_NAMES:
            given["front_matter"] = True
        return await work(extract_job, given)

    async def explain(**given: Any) -> str:
        return await work(explain_job, given)

    async def compare(html: str | None = None, url: str | None = None, methods: list[str] | None = None) -> str:
        return await work(compare_job, {"html": html, "url": url, "methods": methods, "format": "text"})

    server: MCPServer[Any] = MCPServer(
        "bonmun", instructions=f"{INSTRUCTIONS} {says}", version=__version__, lifespan=live, log_level="WARNING"
    )
    server.tool(
        "extract",
        description=f"Extract the main text of a web page, with title, author and date as front matter. {says}",
    )(_sign(extract, EXTRACT_PARAMETERS, "markdown", without=("front_matter",)))
    server.tool("compare", description=f"Compare the methods on a web page, as tables. {says}")(compare)
    server.tool(
        "explain", description=f"Explain what was kept or dropped: score, reason and location, as tables. {says}"
    )(_sign(explain, EXPLAIN_PARAMETERS, "text"))
    return server


def _sign(
    tool: Callable[..., Awaitable[str]],
    parameters: type[Parameters],
    default_format: str,
    without: tuple[str, ...] = (),
) -> Callable[..., Awaitable[str]]:
    """Give a tool the signature of the parameters, from which its schema is made."""
    html = inspect.Parameter("html", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=str | None)
    made = [html]
    for name, field in parameters.model_fields.items():
        if name not in without:
            default = default_format if name == "format" else field.default
            kind: Any = Annotated[field.annotation, Field(description=field.description)]
            made.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind))
    tool.__signature__ = inspect.Signature(made, return_annotation=str)  # type: ignore[attr-defined]
    tool.__annotations__ = {each.name: each.annotation for each in made} | {"return": str}
    return tool


def run_mcp_server(settings: ServiceOptions) -> None:
    """Answer an assistant on stdin and stdout until it disconnects."""
    asyncio.run(make_mcp_server(settings).run_stdio_async())
