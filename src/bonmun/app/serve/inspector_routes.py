"""HTTP routes of the inspector: its static files, and the open pages under `/inspector/api/`."""

from __future__ import annotations

import asyncio
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from bonmun.errors import MissingExtra

try:
    from fastapi import APIRouter, HTTPException, Request, Response
    from fastapi.responses import RedirectResponse
except ImportError:
    raise MissingExtra("The inspector needs FastAPI and uvicorn: pip install 'bonmun[serve]'.") from None

from bonmun.app.inspector.bundle import list_static
from bonmun.app.inspector.jobs import (
    answer_page,
    compare_answers,
    explain_block,
    find_model_time,
    open_page,
    write_json,
)
from bonmun.app.serve.opening import read_opened

if TYPE_CHECKING:
    from collections.abc import Callable

    from bonmun.app.inspector.site_jobs import SiteEvidence
    from bonmun.app.serve.site_routes import SiteStudies
    from bonmun.lab.annotate.open_pages import OpenPages

__all__ = ["make_inspector_router"]

STATIC_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
# Only our own scripts run. Inline styles are allowed because the frame that shows a page inherits this policy.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'{remote}; img-src 'self' data:{remote}; "
    "font-src 'self' data:{remote}; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
DEFAULT_AUTO = "auto (default)"  # `auto` without the chosen model, to compare the two
MAX_LISTED_PAGES = 500  # per response
MAX_CACHE_BYTES = 100_000_000  # of responses


class _ResponseCache:
    """A cache of the latest responses, up to MAX_CACHE_BYTES."""

    def __init__(self) -> None:
        self.responses: dict[tuple[object, ...], bytes] = {}
        self.size = 0

    def add(self, key: tuple[object, ...], response: bytes) -> None:
        """Add a response, and remove the oldest ones while the cache is too large."""
        self.size += len(response) - len(self.responses.pop(key, b""))
        self.responses[key] = response
        while self.size > MAX_CACHE_BYTES:
            self.size -= len(self.responses.pop(next(iter(self.responses))))


def make_inspector_router(
    open_pages: OpenPages,
    *,
    network: bool = False,
    is_labelled: bool = False,
    has_rules: bool = False,
    studies: SiteStudies | None = None,
) -> APIRouter:
    """Return the routes of the inspector.

    `network` lets frames load images and style sheets; `is_labelled` also lets users label the pages; with `has_rules`,
    clicks create rules; answers use the site models of `studies`.
    `auto` uses the model of `open_pages`, which may change while the service runs.
    """
    router = APIRouter(include_in_schema=False)
    cache = _ResponseCache()
    policy = POLICY.format(remote=" http: https:" if network else "")

    async def reply(request: Request, job: Callable[..., bytes], number: int, *args: object) -> Response:
        """Return the result of a job on a page, from the cache if possible."""
        key = (job.__name__, number, find_model_time(open_pages.model), *args)
        answer = cache.responses.get(key)
        if answer is None:
            if not 0 <= number < len(open_pages):
                raise HTTPException(404, f"Page {number} does not exist: {len(open_pages)} pages are open.")
            source = await asyncio.to_thread(open_pages.load, number)
            answer = await request.app.state.workers.run(job, source, *args)
            cache.add(key, answer)
        return Response(answer, media_type="application/json", headers={"Cache-Control": "no-store"})

    def choose_model(method: str) -> tuple[str, str | None]:
        """Return the method, and the model that it uses."""
        return ("auto", None) if method == DEFAULT_AUTO else (method, open_pages.model)

    def find_evidence(number: int, is_wanted: bool) -> SiteEvidence | None:
        """Return what the other open pages of a page's site say about it, if they were studied."""
        return studies.find_evidence(number) if studies and is_wanted else None

    @router.get("/inspector")
    def redirect_to_screen() -> Response:
        return RedirectResponse("/inspector/")

    @router.get("/inspector/")
    def get_screen() -> Response:
        return get_static("index.html")

    @router.get("/inspector/static/{name:path}")
    def get_static(name: str) -> Response:
        file = list_static().get(name)  # only names from a fixed list, never a path from the request
        media_type = STATIC_TYPES.get(PurePosixPath(name).suffix)
        if file is None or media_type is None:
            raise HTTPException(404, "The inspector does not have this file.")
        headers = {
            "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cache-Control": "no-cache",
        }
        return Response(file.read_bytes(), media_type=media_type, headers=headers)

    @router.get("/inspector/api/pages")
    def list_pages(request: Request, first: int = 0, count: int = MAX_LISTED_PAGES) -> Response:
        pages = open_pages.list_pages(max(first, 0), min(max(count, 0), MAX_LISTED_PAGES))
        listed = [{"number": page.number, "name": page.name, "url": page.url} for page in pages]
        values = {"count": len(open_pages), "pages": listed, "labelled": is_labelled, "rules": has_rules}
        values |= {"opens": not is_labelled, "fetches": request.app.state.settings.fetch, "sites": studies is not None}
        return Response(write_json(values), media_type="application/json")

    @router.post("/inspector/api/open")
    async def open_another(request: Request, name: str = "") -> Response:
        """Open a page; not possible while labelling, because the queue is fixed."""
        if is_labelled:
            raise HTTPException(409, "Pages cannot be opened while labelling: give them to `bonmun inspect` instead.")
        page = open_pages.add_source(await read_opened(request, name))
        return Response(write_json({"number": page.number, "name": page.name}), media_type="application/json")

    @router.get("/inspector/api/pages/{number}")
    async def get_page(number: int, request: Request) -> Response:
        return await reply(request, open_page, number, network)

    @router.get("/inspector/api/pages/{number}/answer")
    async def get_answer(
        number: int,
        request: Request,
        method: str = "auto",
        links: bool | None = None,
        images: bool | None = None,
        site: bool = True,
    ) -> Response:
        shown = (links, images, find_evidence(number, site))
        return await reply(request, answer_page, number, *choose_model(method), open_pages.rules, *shown)

    @router.get("/inspector/api/pages/{number}/agreement")
    async def get_agreement(number: int, request: Request, one: str, other: str, site: bool = True) -> Response:
        (one, model), (other, other_model) = choose_model(one), choose_model(other)
        evidence = find_evidence(number, site)
        return await reply(request, compare_answers, number, one, other, model, other_model, evidence)

    @router.get("/inspector/api/pages/{number}/features")
    async def get_features(number: int, request: Request, block: int) -> Response:
        return await reply(request, explain_block, number, block, open_pages.model)

    return router
