"""HTTP routes for rules by clicking under `/inspector/api/rules`: selectors, their effect, saving and undoing.

A client names pages by number, and never a file. The rule file is chosen when the inspector starts.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun.app.inspector.jobs import write_json
from bonmun.app.inspector.rule_jobs import find_source_host, preview_rule, suggest_rule
from bonmun.errors import BadConfig, BonmunError, MissingExtra
from bonmun.rules.edit import CLICKED_FIELDS

try:
    from fastapi import APIRouter, HTTPException, Request, Response
except ImportError:
    raise MissingExtra("The inspector needs FastAPI and uvicorn: pip install 'bonmun[serve]'.") from None

from bonmun.app.serve.http.bodies import read_json_object
from bonmun.sites.domains import find_host

if TYPE_CHECKING:
    from bonmun.app.inspector.clicked_rules import ClickedRules
    from bonmun.lab.annotate.open_pages import OpenPages
    from bonmun.lab.annotate.page_sources import PageSource
    from bonmun.work.workers import Workers

__all__ = ["make_rule_router"]

MAX_BODY_BYTES = 20_000
MAX_SITE_PAGES = 12  # on which a selector is tried
MAX_LOOKED_AT = 60  # pages near the open one whose host is looked up
MAX_SITE_BYTES = 40_000_000  # of these pages together
UNKNOWN_SITE = (
    "The site of this page is unknown, because it was opened without a URL and names none: "
    "give it with `bonmun inspect --url`."
)


class _SitePage(NamedTuple):
    """An open page of the site."""

    number: int
    source: PageSource


class _SitePages:
    """Finds the open pages of a page's site."""

    def __init__(self, open_pages: OpenPages) -> None:
        self.open_pages = open_pages
        self.hosts: dict[int, str] = {}  # by page number

    async def find(self, number: int, workers: Workers) -> tuple[str, list[_SitePage]]:
        """Return the host of a page, and the open pages of this host: the page itself, then those near it."""
        pages = self.open_pages
        if not 0 <= number < len(pages):
            raise HTTPException(404, f"Page {number} does not exist: {len(pages)} pages are open.")
        own = await asyncio.to_thread(pages.load, number)
        host = await self._find_host(number, own, workers)
        if not host:
            raise BadConfig(UNKNOWN_SITE)
        found, size = [_SitePage(number, own)], len(own.body)
        near = sorted(range(max(0, number - MAX_LOOKED_AT), min(len(pages), number + MAX_LOOKED_AT + 1)))
        for other in sorted(near, key=lambda each: abs(each - number))[1 : MAX_LOOKED_AT + 1]:
            if len(found) == MAX_SITE_PAGES or size > MAX_SITE_BYTES:
                break
            url_host = find_host(pages.pages[other].url).lower().removeprefix("www.")
            if url_host and url_host != host:
                continue
            try:
                source = await asyncio.to_thread(pages.load, other)
                if await self._find_host(other, source, workers) == host:
                    found.append(_SitePage(other, source))
                    size += len(source.body)
            except BonmunError:
                continue  # a page that cannot be read has no effect to show
        return host, found

    async def _find_host(self, number: int, source: PageSource, workers: Workers) -> str:
        if number not in self.hosts:
            self.hosts[number] = await workers.run(find_source_host, source)
        return self.hosts[number]


def make_rule_router(open_pages: OpenPages, clicked: ClickedRules) -> APIRouter:
    """Return the routes; saving changes the rules of `open_pages`."""
    router = APIRouter(prefix="/inspector/api/rules", include_in_schema=False)
    site_pages = _SitePages(open_pages)

    def describe() -> Response:
        return _respond({"file": str(clicked.path), "exists": clicked.path.exists(), "undo": clicked.last})

    @router.get("")
    def get_file() -> Response:
        return describe()

    @router.post("/suggest")
    async def suggest(request: Request) -> Response:
        """Return selectors for a block, or for an element in or around it."""
        values = await _read(request)
        block, leaf, element = (_read_number(values, name) for name in ("block", "leaf", "element"))
        workers = request.app.state.workers
        host, pages = await site_pages.find(_need_number(values, "page"), workers)
        sources = [page.source for page in pages]
        found = await workers.run(suggest_rule, sources, -1 if block is None else block, leaf, element, _field(values))
        return _respond(found | {"host": host, "pages": len(pages)})

    @router.post("/preview")
    async def preview(request: Request) -> Response:
        """Return what a selector does on each open page of the site."""
        values = await _read(request)
        field, selector = _field(values), _read_text(values, "selector")
        method = _read_text(values, "method") or "auto"
        workers = request.app.state.workers
        host, pages = await site_pages.find(_need_number(values, "page"), workers)
        plan = await asyncio.to_thread(clicked.plan, host, field, selector)

        async def measure(page: _SitePage) -> dict[str, Any]:
            shown = {"number": page.number, "name": page.source.name}
            try:
                arguments = (method, open_pages.model, plan.before, plan.after, field, selector)
                found: dict[str, Any] = await workers.run(preview_rule, page.source, *arguments)
            except BonmunError as problem:
                return shown | {"problem": str(problem)}
            return shown | found

        effects = await asyncio.gather(*(measure(page) for page in pages))
        return _respond({"host": host, "rule": plan.text, "digest": plan.digest, "pages": effects})

    @router.post("/save")
    async def save(request: Request) -> Response:
        """Add a selector to the rule file, and use it from now on."""
        values = await _read(request)
        if "digest" not in values:
            raise BadConfig("`digest` is missing: send the one of the preview.")
        host, _ = await site_pages.find(_need_number(values, "page"), request.app.state.workers)
        arguments = (host, _field(values), _read_text(values, "selector"), _read_text(values, "digest"))
        open_pages.rules = await asyncio.to_thread(clicked.save, *arguments)
        return describe()

    @router.post("/undo")
    async def undo(request: Request) -> Response:
        """Restore the rule file as it was before the last change."""
        await _read(request)
        open_pages.rules = await asyncio.to_thread(clicked.undo)
        return describe()

    return router


async def _read(request: Request) -> dict[str, Any]:
    return await read_json_object(request, MAX_BODY_BYTES, "request", BadConfig)


def _respond(values: object) -> Response:
    return Response(write_json(values), media_type="application/json")


def _read_number(values: dict[str, Any], name: str) -> int | None:
    value = values.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise BadConfig(f"`{name}` must be a whole number.")
    return value


def _need_number(values: dict[str, Any], name: str) -> int:
    value = _read_number(values, name)
    if value is None:
        raise BadConfig(f"`{name}` is missing: send a whole number.")
    return value


def _read_text(values: dict[str, Any], name: str) -> str:
    value = values.get(name, "")
    if not isinstance(value, str):
        raise BadConfig(f"`{name}` must be a text.")
    return value


def _field(values: dict[str, Any]) -> str:
    field = _read_text(values, "field")
    if field not in CLICKED_FIELDS:
        raise BadConfig(f"`field` must be one of {', '.join(CLICKED_FIELDS)}.")
    return field
