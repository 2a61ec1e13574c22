"""The inspector over HTTP: its static files, and under `/inspector/api/` the pages of a shelf."""

from __future__ import annotations

import asyncio
import mimetypes
import re
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from bonmun.errors import BonmunError, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi import APIRouter, Request

    from bonmun.inspector.jobs import PageSource
    from bonmun.inspector.shelf import Shelf

__all__ = ["make_inspector_router"]

STATIC_NAME = re.compile(r"[a-z][a-z0-9_-]*\.(?:html|css|js|svg)")
# Scripts and styles of our own alone. Styles may stand in the markup since the frame of a page inherits these rules.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'{more}; img-src 'self' data:{more}; "
    "font-src 'self' data:{more}; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
LISTED_PAGES = 500  # that one answer names at most
REMEMBERED = 24  # answers that are not made anew


def make_inspector_router(shelf: Shelf, *, network: bool = False, model: str | None = None) -> APIRouter:
    """The routes; `network` lets frames load images and style sheets, `model` is what `auto` decides with."""
    try:
        from fastapi import APIRouter, HTTPException
        from fastapi import Request as AnyRequest
        from fastapi.responses import JSONResponse, RedirectResponse, Response
    except ImportError:
        raise MissingExtra("The inspector needs FastAPI: pip install 'bonmun[serve]'.") from None

    router = APIRouter(include_in_schema=False)
    made: dict[tuple[object, ...], Any] = {}
    policy = POLICY.format(more=" http: https:" if network else "")

    @router.get("/inspector")
    def lead_to_page() -> Response:
        return RedirectResponse("/inspector/")

    @router.get("/inspector/")
    def give_page() -> Response:
        return give_file("index.html")

    @router.get("/inspector/static/{name}")
    def give_file(name: str) -> Response:
        place = files("bonmun.inspector").joinpath("static", name)
        if not STATIC_NAME.fullmatch(name) or not place.is_file():
            raise HTTPException(404, "There is no such file.")
        headers = {
            "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-cache",
        }
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        kind = "text/javascript" if name.endswith(".js") else kind
        return Response(place.read_bytes(), media_type=f"{kind}; charset=utf-8", headers=headers)

    @router.get("/inspector/api/pages")
    def list_pages(first: int = 0, count: int = LISTED_PAGES) -> dict[str, Any]:
        pages = shelf.list_pages(max(first, 0), min(max(count, 0), LISTED_PAGES))
        listed = [{"number": page.number, "name": page.name, "url": page.url} for page in pages]
        return {"count": len(shelf), "pages": listed}

    @router.get("/inspector/api/pages/{number}")
    async def give_opened(number: int, request: AnyRequest) -> Response:
        from bonmun.inspector.jobs import open_page

        return await reply(request, ("open", number), open_page, number, network=network)

    @router.get("/inspector/api/pages/{number}/answer")
    async def give_answer(number: int, request: AnyRequest, method: str = "auto") -> Response:
        from bonmun.inspector.jobs import answer_page

        return await reply(request, ("answer", number, method), answer_page, number, method, model)

    async def reply(
        request: Request, key: tuple[object, ...], job: Callable[..., Any], number: int, *args: object, **named: object
    ) -> Response:
        """What a job makes of a page, from memory if it was asked for lately."""
        if key not in made:
            if not 0 <= number < len(shelf):
                raise HTTPException(404, f"There is no page {number} on this shelf of {len(shelf)}.")
            try:
                source: PageSource = await asyncio.to_thread(shelf.load, number)
                made[key] = await run(request, job, source, *args, **named)
            except BonmunError as problem:
                return JSONResponse({"error": type(problem).__name__, "message": str(problem)}, 422)
            while len(made) > REMEMBERED:
                made.pop(next(iter(made)))
        return JSONResponse(made[key])

    return router


async def run(request: Request, job: Callable[..., Any], *args: object, **named: object) -> Any:
    """Run a job in a child process of the service; where there is none, in a thread."""
    from functools import partial

    workers = getattr(request.app.state, "workers", None)
    if workers is None:
        return await asyncio.to_thread(job, *args, **named)
    return await workers.run(partial(job, **named) if named else job, *args)
