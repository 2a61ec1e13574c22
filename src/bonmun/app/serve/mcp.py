"""The service for assistants: the same work and limits, as tools of the Model Context Protocol over stdio.

No answer is longer than `max_tokens`, 4,000 tokens by default; the end of an answer says how to continue. Pages are
kept for some minutes, so reading one in parts downloads it once.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from contextlib import asynccontextmanager
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from bonmun._version import __version__
from bonmun.errors import BadConfig, BonmunError, MissingExtra, Refused

try:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
except ImportError:
    raise MissingExtra("The mcp package is not installed: pip install 'bonmun[mcp]'.") from None

from bonmun.app.serve.jobs import (
    JobLimits,
    JobRequest,
    RenderSource,
    compare_job,
    explain_job,
    make_workers,
    run_job,
)
from bonmun.app.serve.parameters import EXPLAIN_PARAMETERS, EXTRACT_PARAMETERS, RENDER_SETTINGS
from bonmun.app.serve.rendering import ServiceRenderer, run_with_browser
from bonmun.app.serve.site_tool import crawl_site
from bonmun.app.serve.tool_jobs import (
    StoredPage,
    download_job,
    find_job,
    links_job,
    objects_job,
    outline_job,
    read_part_job,
    shell_job,
)
from bonmun.options import MIN_PART, PartOptions
from bonmun.outputs.parts.write import cut_lines
from bonmun.scale.browser.render_options import RenderChoice, Rendering
from bonmun.settings import parse_setting

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from bonmun.app.serve.jobs import JobResponse
    from bonmun.app.serve.parameters import Parameters
    from bonmun.app.serve.settings import ServiceOptions

__all__ = ["make_mcp_server", "run_mcp_server"]

INSTRUCTIONS = (
    "Tools that read web pages: the main text without menus and advertisements. Answers are cut at max_tokens; to go "
    "on, call the tool again with the cursor that the end of the answer gives. For long pages, use outline or "
    "search_in_page first."
)
WITH_FETCH = "Give the page as `html`, or its `url`, which is then downloaded."
WITHOUT_FETCH = "Give the page as `html`; `url` says where it came from, but is not downloaded."
DEFAULT_TOKENS = 4_000
MARKDOWN_NAMES = ("markdown", "md")
KEPT_SECONDS = 600.0  # that pages are kept
KEPT_BYTES = 50_000_000
KEPT_PAGES = 50
NOT_RENDERED = RenderChoice()

Html = Annotated[str | None, Field(description="The page.")]
Url = Annotated[str | None, Field(description="URL of the page.", max_length=4_000)]
Render = Annotated[
    Rendering, Field(description="Render the page in a browser: never, if it is empty without its scripts, or always.")
]
Tokens = Annotated[int, Field(description="Maximum length of the answer in tokens.", ge=MIN_PART, le=1_000_000)]
Cursor = Annotated[int | None, Field(description="Where to continue, as the previous answer says.", ge=0)]


class _PageStore:
    """The pages that were read last."""

    def __init__(self, load: Callable[[str, RenderChoice], Awaitable[StoredPage]]) -> None:
        self.load = load
        self.pages: dict[tuple[str, RenderChoice], tuple[float, StoredPage]] = {}

    async def get(self, url: str, rendering: RenderChoice = NOT_RENDERED) -> StoredPage:
        """Return a page, from the store if it is not too old."""
        key = (url, rendering)
        since, page = self.pages.get(key, (0.0, None))
        if page is None or monotonic() - since > KEPT_SECONDS:
            self.pages.pop(key, None)
            page = await self.load(url, rendering)
            self.pages[key] = (monotonic(), page)
            self._forget()
        return page

    def _forget(self) -> None:
        size = sum(len(page.body) for _, page in self.pages.values())
        while len(self.pages) > 1 and (size > KEPT_BYTES or len(self.pages) > KEPT_PAGES):
            size -= len(self.pages.pop(next(iter(self.pages)))[1].body)


class _Tools:
    """The tools, and what they share: child processes, a browser, and the pages that were read last."""

    def __init__(self, settings: ServiceOptions) -> None:
        self.settings = settings
        self.workers, self.limits = make_workers(settings), JobLimits.of(settings)
        self.renderer = ServiceRenderer(settings)
        self.store = _PageStore(self.load)

    async def load(self, url: str, rendering: RenderChoice) -> StoredPage:
        """Download or render a page."""
        if rendering.render == "always":
            if not self.settings.fetch:
                raise Refused("This server does not download pages: start it with --fetch.")
            return await self.render(url, None, rendering)
        page = await self.workers.run(download_job, url, self.limits)
        return await self.render(url, None, rendering) if await self.needs_browser(page, rendering) else page

    async def needs_browser(self, page: StoredPage, rendering: RenderChoice) -> bool:
        """Return whether a page is to be rendered because it is empty without its scripts."""
        return rendering.render == "auto" and await self.workers.run(shell_job, page, self.limits)

    async def render(self, url: str | None, html: str | None, rendering: RenderChoice) -> StoredPage:
        """Render a page."""
        if not self.settings.render:
            raise Refused("This server does not render pages: start it with --render.")
        source = RenderSource(url, html, rendering, {})
        return StoredPage(url, await self.renderer.render(source), is_snapshot=True)

    async def find_page(self, html: str | None, url: str | None, rendering: RenderChoice) -> StoredPage:
        """Return the page that a tool was asked about."""
        if html is not None:
            page = StoredPage(url, html.encode("utf-8", "replace"), "utf-8")
            if rendering.render == "always" or await self.needs_browser(page, rendering):
                return await self.render(url, html, rendering)
            return page
        if url is None:
            raise BadConfig("There is no page to read: give its url, or its html.")
        return await self.store.get(url, rendering)

    async def ask(
        self,
        job: Callable[..., str],
        html: str | None,
        url: str | None,
        render: Rendering | RenderChoice,
        *args: object,
    ) -> str:
        """Run a job on a page; its last argument are the limits."""
        try:
            rendering = render if isinstance(render, RenderChoice) else RenderChoice(render=render)
            page = await self.find_page(html, url, rendering)
            return await self.workers.run(job, page, *args, self.limits)
        except BonmunError as problem:
            raise ToolError(str(problem)) from None

    async def ask_whole(self, job: Callable[..., Any], given: dict[str, Any]) -> str:
        """Run a job of the service, and cut its answer."""
        known = {name: value for name, value in given.items() if value is not None}
        try:
            body = json.dumps({"html": ""} | known).encode()

            async def run(request: JobRequest) -> JobResponse | RenderSource:
                answer: JobResponse | RenderSource = await self.workers.run(run_job, job, request, self.limits)
                return answer

            answer = await run_with_browser(run, JobRequest(body, is_json=True), self.renderer)
        except BonmunError as problem:
            raise ToolError(str(problem)) from None
        return cut_lines(answer.body.decode() + "\n", PartOptions(max_tokens=DEFAULT_TOKENS))


def make_mcp_server(settings: ServiceOptions) -> MCPServer[Any]:
    """Return a server with its tools."""
    tools = _Tools(settings)
    says = WITH_FETCH if settings.fetch else WITHOUT_FETCH

    @asynccontextmanager
    async def live(_: MCPServer[Any]) -> AsyncIterator[None]:
        await tools.workers.start()
        try:
            yield
        finally:
            await tools.renderer.stop()
            await tools.workers.stop()

    server: MCPServer[Any] = MCPServer(
        "bonmun", instructions=f"{INSTRUCTIONS} {says}", version=__version__, lifespan=live, log_level="WARNING"
    )
    _add_reading_tools(server, tools, says)
    _add_other_tools(server, tools, says)
    return server


def _add_reading_tools(server: MCPServer[Any], tools: _Tools, says: str) -> None:
    async def read(html: str | None = None, url: str | None = None, **given: Any) -> str:
        given = {name: value for name, value in given.items() if value is not None}
        rendering = RenderChoice(
            **{each.name: parse_setting(each, given.pop(each.name)) for each in RENDER_SETTINGS if each.name in given}
        )
        if given.get("format") in MARKDOWN_NAMES:
            given["front_matter"] = True
        return await tools.ask(read_part_job, html, url, rendering, given)

    async def outline(
        html: Html = None,
        url: Url = None,
        render: Render = "never",
        max_tokens: Tokens = DEFAULT_TOKENS,
        cursor: Cursor = None,
    ) -> str:
        return await tools.ask(outline_job, html, url, render, _limit(max_tokens, cursor))

    async def search_in_page(
        query: Annotated[str, Field(description="Words to look for.")],
        html: Html = None,
        url: Url = None,
        render: Render = "never",
        max_tokens: Tokens = DEFAULT_TOKENS,
        cursor: Cursor = None,
    ) -> str:
        return await tools.ask(find_job, html, url, render, query, _limit(max_tokens, cursor))

    reading = f"Read the main text of a web page, with title, author and date as front matter. {says}"
    parameters = _sign(
        read,
        EXTRACT_PARAMETERS,
        {"format": "markdown", "max_tokens": DEFAULT_TOKENS},
        without=("front_matter",),
    )
    server.tool("read", description=reading)(parameters)
    server.tool("outline", description=f"List the headings of a page, or the posts of a thread, with sizes. {says}")(
        outline
    )
    server.tool("search_in_page", description=f"Find the paragraphs of a page that contain some words. {says}")(
        search_in_page
    )


def _add_other_tools(server: MCPServer[Any], tools: _Tools, says: str) -> None:
    async def links(
        html: Html = None,
        url: Url = None,
        render: Render = "never",
        whole_page: Annotated[bool, Field(description="Also links outside of the main text, such as menus.")] = False,
        max_tokens: Tokens = DEFAULT_TOKENS,
        cursor: Cursor = None,
    ) -> str:
        return await tools.ask(links_job, html, url, render, whole_page, _limit(max_tokens, cursor))

    async def objects(
        html: Html = None,
        url: Url = None,
        render: Render = "never",
        max_tokens: Tokens = DEFAULT_TOKENS,
        cursor: Cursor = None,
    ) -> str:
        return await tools.ask(objects_job, html, url, render, _limit(max_tokens, cursor))

    async def crawl(
        url: Annotated[str, Field(description="URL of the first page.", max_length=4_000)],
        max_pages: Annotated[int, Field(description="Maximum number of pages.", ge=1, le=20)] = 5,
        max_tokens: Tokens = DEFAULT_TOKENS,
    ) -> str:
        try:
            return await crawl_site(tools.workers, tools.limits, tools.store.get, url, max_pages, max_tokens)
        except BonmunError as problem:
            raise ToolError(str(problem)) from None

    async def explain(**given: Any) -> str:
        return await tools.ask_whole(explain_job, given)

    async def compare(html: str | None = None, url: str | None = None, methods: list[str] | None = None) -> str:
        return await tools.ask_whole(compare_job, {"html": html, "url": url, "methods": methods, "format": "text"})

    server.tool("links", description=f"List the links in the main text of a page. {says}")(links)
    server.tool(
        "objects", description=f"Get what a page is about as typed data: recipe, product, event, job, paper. {says}"
    )(objects)
    if tools.settings.fetch:
        server.tool(
            "crawl_site",
            description="Read the first pages of a site, following links on the same host, with the beginning of each.",
        )(crawl)
    server.tool("compare", description=f"Compare the extraction methods on a web page, as tables. {says}")(compare)
    server.tool(
        "explain", description=f"Explain what was kept or dropped: score, reason and location, as tables. {says}"
    )(_sign(explain, EXPLAIN_PARAMETERS, {"format": "text"}))


def _limit(max_tokens: int, cursor: int | None) -> dict[str, Any]:
    return {"max_tokens": max_tokens} | ({"cursor": cursor} if cursor is not None else {})


def _sign(
    tool: Callable[..., Awaitable[str]],
    parameters: type[Parameters],
    defaults: dict[str, Any],
    without: tuple[str, ...] = (),
) -> Callable[..., Awaitable[str]]:
    """Give a tool the signature of the parameters, from which its schema is made."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    made = [inspect.Parameter("html", keyword, default=None, annotation=str | None)]
    for name, field in parameters.model_fields.items():
        if name not in without:
            default = defaults.get(name, field.get_default(call_default_factory=True))
            kind: Any = Annotated[field.annotation, Field(description=field.description)]
            made.append(inspect.Parameter(name, keyword, default=default, annotation=kind))
    tool.__signature__ = inspect.Signature(made, return_annotation=str)  # type: ignore[attr-defined]
    tool.__annotations__ = {each.name: each.annotation for each in made} | {"return": str}
    return tool


def run_mcp_server(settings: ServiceOptions) -> None:
    """Answer an assistant on stdin and stdout until it disconnects."""
    asyncio.run(make_mcp_server(settings).run_stdio_async())
