"""The inspector over HTTP: its static files, and under `/inspector/api/` the open pages."""

from __future__ import annotations

import asyncio
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from bonmun.errors import MissingExtra

try:
    from fastapi import APIRouter, HTTPException, Request, Response
    from fastapi.responses import RedirectResponse
except ImportError:
    raise MissingExtra("The inspector runs on FastAPI and uvicorn: pip install 'bonmun[serve]'.") from None

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

    from bonmun.lab.annotate.open_pages import OpenPages

__all__ = ["make_inspector_router"]

STATIC_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
# Scripts of our own alone. Styles may stand in the markup, since the frame of a page inherits these rules.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'{more}; img-src 'self' data:{more}; "
    "font-src 'self' data:{more}; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
DEFAULT_AUTO = "auto (default)"  # `auto` without the chosen model, to compare the two
LISTED_PAGES = 500  # that one answer names at most
REMEMBERED_BYTES = 100_000_000  # of answers that are not made anew


class _Memory:
    """The last answers, up to so many bytes."""

    def __init__(self) -> None:
        self.answers: dict[tuple[object, ...], bytes] = {}
        self.size = 0

    def keep(self, key: tuple[object, ...], answer: bytes) -> None:
        """Remember an answer, and forget the oldest if there are too many."""
        self.size += len(answer) - len(self.answers.pop(key, b""))
        self.answers[key] = answer
        while self.size > REMEMBERED_BYTES:
            self.size -= len(self.answers.pop(next(iter(self.answers))))


def make_inspector_router(open_pages: OpenPages, *, network: bool = False, is_labelled: bool = False) -> APIRouter:
    """The routes; `network` lets frames load images and style sheets; with `is_labelled` the screen labels pages, too.

    `auto` uses the model of `open_pages`, which may change while the service runs.
    """
    router = APIRouter(include_in_schema=False)
    memory = _Memory()
    policy = POLICY.format(more=" http: https:" if network else "")

    async def reply(request: Request, job: Callable[..., bytes], number: int, *args: object) -> Response:
        """What a job makes of a page, from memory if it was asked for lately."""
        key = (job.__name__, number, find_model_time(open_pages.model), *args)
        answer = memory.answers.get(key)
        if answer is None:
            if not 0 <= number < len(open_pages):
                raise HTTPException(404, f"There is no page {number}: {len(open_pages)} are open.")
            source = await asyncio.to_thread(open_pages.load, number)
            answer = await request.app.state.workers.run(job, source, *args)
            memory.keep(key, answer)
        return Response(answer, media_type="application/json", headers={"Cache-Control": "no-store"})

    def choose_model(method: str) -> tuple[str, str | None]:
        """The method that is meant, and the model it decides with."""
        return ("auto", None) if method == DEFAULT_AUTO else (method, open_pages.model)

    @router.get("/inspector")
    def lead_to_screen() -> Response:
        return RedirectResponse("/inspector/")

    @router.get("/inspector/")
    def give_screen() -> Response:
        return give_static("index.html")

    @router.get("/inspector/static/{name:path}")
    def give_static(name: str) -> Response:
        file = list_static().get(name)  # names of a fixed list only, never a path from the request
        media_type = STATIC_TYPES.get(PurePosixPath(name).suffix)
        if file is None or media_type is None:
            raise HTTPException(404, "The inspector has no such file.")
        headers = {
            "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cache-Control": "no-cache",
        }
        return Response(file.read_bytes(), media_type=media_type, headers=headers)

    @router.get("/inspector/api/pages")
    def list_pages(request: Request, first: int = 0, count: int = LISTED_PAGES) -> Response:
        pages = open_pages.list_pages(max(first, 0), min(max(count, 0), LISTED_PAGES))
        listed = [{"number": page.number, "name": page.name, "url": page.url} for page in pages]
        values = {"count": len(open_pages), "pages": listed, "labelled": is_labelled}
        values |= {"opens": not is_labelled, "fetches": request.app.state.settings.fetch}
        return Response(write_json(values), media_type="application/json")

    @router.post("/inspector/api/open")
    async def open_another(request: Request, name: str = "") -> Response:
        """Open a page; refused while labelling, since the queue of pages is fixed."""
        if is_labelled:
            raise HTTPException(409, "Pages that are labelled are given when bonmun starts.")
        page = open_pages.add_source(await read_opened(request, name))
        return Response(write_json({"number": page.number, "name": page.name}), media_type="application/json")

    @router.get("/inspector/api/pages/{number}")
    async def give_opened(number: int, request: Request) -> Response:
        return await reply(request, open_page, number, network)

    @router.get("/inspector/api/pages/{number}/answer")
    async def give_answer(number: int, request: Request, method: str = "auto") -> Response:
        return await reply(request, answer_page, number, *choose_model(method))

    @router.get("/inspector/api/pages/{number}/agreement")
    async def give_agreement(number: int, request: Request, one: str, other: str) -> Response:
        (one, model), (other, other_model) = choose_model(one), choose_model(other)
        return await reply(request, compare_answers, number, one, other, model, other_model)

    @router.get("/inspector/api/pages/{number}/features")
    async def give_features(number: int, request: Request, block: int) -> Response:
        return await reply(request, explain_block, number, block, open_pages.model)

    return router
