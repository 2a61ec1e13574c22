"""The routes of the service: each passes the request to a child process."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.requests import ClientDisconnect

from bonmun._version import __version__
from bonmun.algorithms import methods
from bonmun.app.serve.descriptions import describe_answers, describe_request
from bonmun.app.serve.http.bodies import read_request
from bonmun.app.serve.jobs import (
    RENDER_DISABLED,
    chunks_job,
    compare_job,
    explain_job,
    extract_job,
    read_job,
    render_job,
    run_job,
)
from bonmun.app.serve.parameters import (
    CHUNKS_PARAMETERS,
    COMPARE_PARAMETERS,
    EXPLAIN_PARAMETERS,
    EXTRACT_PARAMETERS,
    RENDER_PARAMETERS,
)
from bonmun.app.serve.rendering import run_with_browser
from bonmun.errors import Refused
from bonmun.outputs import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bonmun.app.serve.jobs import JobLimits, JobRequest, JobResponse, RenderSource

__all__ = ["respond", "router", "run_for", "work"]

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
TABLE_FORMATS = ("json", "text")
CHUNK_FORMATS = ("json", "jsonl")
HINT_HEADER = "X-Bonmun-Hint"
MAX_HINT_CHARS = 1_000
UNSAFE_IN_HEADER = re.compile(r"[^ -~]")

router = APIRouter()


@router.post(
    "/extract",
    response_class=Response,
    responses=describe_answers(tuple(FORMATS)),
    openapi_extra=describe_request(EXTRACT_PARAMETERS),
)
async def extract(request: Request) -> Response:
    """Extract the main text of a page as text, Markdown, HTML, JSON or TEI."""
    return await work(request, tuple(FORMATS), extract_job)


@router.post(
    "/chunks",
    response_class=Response,
    responses=describe_answers(CHUNK_FORMATS),
    openapi_extra=describe_request(CHUNKS_PARAMETERS),
)
async def chunks(request: Request) -> Response:
    """Split the main text of a page into chunks for search or embedding."""
    return await work(request, CHUNK_FORMATS, chunks_job)


@router.post(
    "/explain",
    response_class=Response,
    responses=describe_answers(TABLE_FORMATS),
    openapi_extra=describe_request(EXPLAIN_PARAMETERS),
)
async def explain(request: Request) -> Response:
    """Explain every decision on a page: what was kept or dropped, with score, reason and location."""
    return await work(request, TABLE_FORMATS, explain_job)


@router.post(
    "/compare",
    response_class=Response,
    responses=describe_answers(TABLE_FORMATS),
    openapi_extra=describe_request(COMPARE_PARAMETERS),
)
async def compare(request: Request) -> Response:
    """Compare methods on a page, and how far any two agree."""
    return await work(request, TABLE_FORMATS, compare_job)


@router.post(
    "/render",
    response_class=Response,
    responses=describe_answers(("snapshot", *FORMATS)),
    openapi_extra=describe_request(RENDER_PARAMETERS),
)
async def render(request: Request) -> Response:
    """Render a page in a browser and return the snapshot, or the document extracted from it."""
    state = request.app.state
    if not state.settings.render:
        raise Refused(RENDER_DISABLED)
    with state.body_memory.reserve() as usage:
        job_request = await read_request(request, tuple(FORMATS), state.settings, usage)
        source = await state.workers.run(read_job, job_request, state.limits)
        snapshot = await state.renderer.render(source)
        answer = await state.workers.run(render_job, snapshot, source.given, job_request.accepts, state.limits)
    state.metrics.pages += 1
    return respond(answer)


@router.get("/methods", name="methods")
async def list_methods() -> list[dict[str, Any]]:
    """List the methods: the name of each, what it needs, and one line about it."""
    return [{"name": each.name, "needs": each.needs, "says": each.says} for each in methods()]


@router.get("/health")
async def health() -> dict[str, str]:
    """Return whether the service is up."""
    return {"status": "ok", "version": __version__}


@router.get("/ready", responses={503: {"description": "The child processes are loading."}})
async def ready(request: Request) -> Response:
    """Return whether the service can process pages."""
    is_ready = request.app.state.workers.is_ready
    return JSONResponse({"status": "ready" if is_ready else "loading"}, 200 if is_ready else 503)


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(request: Request) -> Response:
    """Return metrics for Prometheus."""
    state = request.app.state
    return Response(state.metrics.write(state.workers), media_type=METRICS_TYPE)


async def work(
    request: Request,
    formats: Sequence[str],
    job: Callable[[JobRequest, JobLimits], JobResponse],
) -> Response:
    """Run a job on the request in a child process."""
    state = request.app.state
    with state.body_memory.reserve() as usage:
        job_request = await read_request(request, formats, state.settings, usage)
        answer = await run_for(request, job, job_request)
    state.metrics.pages += 1
    return respond(answer)


def respond(answer: JobResponse) -> Response:
    """Return the response to a request. The hint is a header, because text and Markdown have no place for it."""
    headers = {HINT_HEADER: UNSAFE_IN_HEADER.sub("?", answer.hint)[:MAX_HINT_CHARS]} if answer.hint else None
    return Response(answer.body, media_type=answer.media_type, headers=headers)


async def run_for(
    request: Request, job: Callable[[JobRequest, JobLimits], JobResponse], job_request: JobRequest
) -> JobResponse:
    """Run a job, unless the client disconnects before it starts; render the page first if the job needs it."""
    return await run_with_browser(partial(_run_once, request, job), job_request, request.app.state.renderer)


async def _run_once(
    request: Request, job: Callable[[JobRequest, JobLimits], JobResponse], job_request: JobRequest
) -> JobResponse | RenderSource:
    state = request.app.state
    future = state.workers.submit(run_job, job, job_request, state.limits)
    left = asyncio.ensure_future(request.receive())  # the body was read, so the next message is a disconnect
    left.add_done_callback(lambda left: None if left.cancelled() else state.workers.cancel(future))
    try:
        answer: JobResponse | RenderSource = await future
        return answer
    except asyncio.CancelledError:
        if left.done():
            raise ClientDisconnect from None
        raise
    finally:
        left.cancel()
