"""What can be asked: one short function for each path, which has a child process do the work."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.requests import ClientDisconnect

from bonmun._version import __version__
from bonmun.algorithms import methods
from bonmun.app.serve.descriptions import describe_answers, describe_request
from bonmun.app.serve.http.bodies import read_request
from bonmun.app.serve.jobs import chunks_job, compare_job, explain_job, extract_job, read_job, render_job
from bonmun.app.serve.parameters import (
    ChunksParameters,
    CompareParameters,
    ExplainParameters,
    ExtractParameters,
    RenderParameters,
)
from bonmun.errors import Refused
from bonmun.outputs import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bonmun.app.serve.jobs import Answer, Asked, Rules

__all__ = ["router"]

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
TABLE_FORMATS = ("json", "text")
CHUNK_FORMATS = ("json", "jsonl")

router = APIRouter()


@router.post(
    "/extract",
    response_class=Response,
    responses=describe_answers(tuple(FORMATS)),
    openapi_extra=describe_request(ExtractParameters),
)
async def extract(request: Request) -> Response:
    """The main text of a page, as text, Markdown, HTML, JSON or TEI."""
    return await _work(request, tuple(FORMATS), extract_job)


@router.post(
    "/chunks",
    response_class=Response,
    responses=describe_answers(CHUNK_FORMATS),
    openapi_extra=describe_request(ChunksParameters),
)
async def chunks(request: Request) -> Response:
    """The main text in parts that are small enough to be searched or embedded."""
    return await _work(request, CHUNK_FORMATS, chunks_job)


@router.post(
    "/explain",
    response_class=Response,
    responses=describe_answers(TABLE_FORMATS),
    openapi_extra=describe_request(ExplainParameters),
)
async def explain(request: Request) -> Response:
    """Every decision on a page: what was kept or dropped, with its score, its reason and its place."""
    return await _work(request, TABLE_FORMATS, explain_job)


@router.post(
    "/compare",
    response_class=Response,
    responses=describe_answers(TABLE_FORMATS),
    openapi_extra=describe_request(CompareParameters),
)
async def compare(request: Request) -> Response:
    """What each method makes of a page, and how far any two agree."""
    return await _work(request, TABLE_FORMATS, compare_job)


@router.post(
    "/render",
    response_class=Response,
    responses=describe_answers(("snapshot", *FORMATS)),
    openapi_extra=describe_request(RenderParameters),
)
async def render(request: Request) -> Response:
    """A page laid out by a browser, if the service has one: its snapshot, or what is extracted from that."""
    state = request.app.state
    if not state.settings.render:
        raise Refused("This service lays no pages out: start it with --render.")
    with state.held.count() as share:
        asked = await read_request(request, tuple(FORMATS), state.settings, share)
        source = await state.workers.run(read_job, asked, state.rules)
        snapshot = await state.renderer.render(source.url, source.html)
        answer = await state.workers.run(render_job, snapshot, source.given, asked.accepts, state.rules)
    state.metrics.pages += 1
    return Response(answer.body, media_type=answer.media_type)


@router.get("/methods", name="methods")
async def list_methods() -> list[dict[str, Any]]:
    """The methods: their names, what each needs, and one line on each."""
    return [{"name": each.name, "needs": each.needs, "says": each.says} for each in methods()]


@router.get("/health")
async def health() -> dict[str, str]:
    """Whether the service answers."""
    return {"status": "ok", "version": __version__}


@router.get("/ready", responses={503: {"description": "Its child processes load."}})
async def ready(request: Request) -> Response:
    """Whether the service has loaded all it needs for pages."""
    is_ready = request.app.state.workers.is_ready
    return JSONResponse({"status": "ready" if is_ready else "loading"}, 200 if is_ready else 503)


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(request: Request) -> Response:
    """What it has done so far, for Prometheus."""
    state = request.app.state
    return Response(state.metrics.write(state.workers), media_type=METRICS_TYPE)


async def _work(
    request: Request,
    formats: Sequence[str],
    job: Callable[[Asked, Rules], Answer],
) -> Response:
    """Have a child do a job on what was sent."""
    state = request.app.state
    with state.held.count() as share:
        asked = await read_request(request, formats, state.settings, share)
        answer = await _run_for(request, job, asked)
    state.metrics.pages += 1
    return Response(answer.body, media_type=answer.media_type)


async def _run_for(request: Request, job: Callable[[Asked, Rules], Answer], asked: Asked) -> Answer:
    """Do a job for whoever asked; if they go away before it is begun, it is not."""
    state = request.app.state
    future = state.workers.ask(job, asked, state.rules)
    left = asyncio.ensure_future(request.receive())  # the body was read: what comes next is that they have left
    left.add_done_callback(lambda left: None if left.cancelled() else state.workers.forget(future))
    try:
        answer: Answer = await future
        return answer
    except asyncio.CancelledError:
        if left.done():
            raise ClientDisconnect from None
        raise
    finally:
        left.cancel()
