"""Pages by URL: `GET /https://example.org/page`, and many of them with `POST /batch`.

The service must have been started with --fetch. Limits and refusals are those of POST: downloads happen in the child
processes, from public addresses only unless --allow-private was given.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import StreamingResponse
from starlette.convertors import Convertor, register_url_convertor

from bonmun.app.serve.descriptions import describe_answers, describe_batch, describe_url_request
from bonmun.app.serve.http.bodies import read_request
from bonmun.app.serve.http.error_responses import describe_error
from bonmun.app.serve.jobs import MEDIA_TYPES, JobRequest, batch_job, extract_job, read_batch_job
from bonmun.app.serve.parameters import EXTRACT_PARAMETERS, MAX_PARAMETERS, TOO_MANY
from bonmun.app.serve.routes import respond, run_for
from bonmun.errors import BadConfig, BonmunError, TooBusy
from bonmun.outputs import FORMATS, SHORT_NAMES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from fastapi import FastAPI

__all__ = ["answer_url", "url_router"]

DEFAULT_FORMAT = "markdown"
PREFIXES = (*FORMATS, *SHORT_NAMES)
SLASHES = re.compile(r"(https?):/+", re.I)  # proxies turn // into /
RETRY_SECONDS = 0.5  # before a page of a batch is tried again if the service is busy
MAX_TRIES = 60


class _PageUrlConvertor(Convertor[str]):
    """A part of a path that is the URL of a page."""

    regex = "[Hh][Tt][Tt][Pp][Ss]?:/.*"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("page_url", _PageUrlConvertor())
url_router = APIRouter()


@url_router.get(
    "/{url:page_url}",
    response_class=Response,
    responses=describe_answers(tuple(FORMATS)),
    openapi_extra=describe_url_request(EXTRACT_PARAMETERS),
)
async def read_url(request: Request) -> Response:
    """Download a page and extract it, as Markdown unless `Accept` or `format` says otherwise.

    Parameters with the names below are options; all others belong to the URL of the page. If the page has a parameter
    of such a name, use `GET /?url=…` with the URL percent-encoded. `GET /text/https://…` and so on choose a format.
    """
    return await answer_url(request, *_split_target(request, ""))


@url_router.get("/{name}/{url:page_url}", include_in_schema=False)
async def read_url_as(request: Request, name: str) -> Response:
    """Do the same in the format that the path names."""
    if name not in PREFIXES:
        raise HTTPException(404)
    url, options = _split_target(request, name)
    return await answer_url(request, url, [("format", name), *options])


async def answer_url(request: Request, url: str, options: Sequence[tuple[str, str]]) -> Response:
    """Return the page at a URL. The body of the request is read, as for all requests, and ignored."""
    state = request.app.state
    with state.body_memory.reserve() as usage:
        given = await read_request(request, tuple(FORMATS), state.settings, usage)
    query = urlencode([("url", url), *options])
    answer = await run_for(request, extract_job, JobRequest(b"", query=query, accepts=given.accepts or DEFAULT_FORMAT))
    state.metrics.pages += 1
    return respond(answer)


def _split_target(request: Request, name: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the URL that a path names, with the parameters that are not options, and the options."""
    raw: bytes = request.scope.get("raw_path") or request.scope["path"].encode()
    target = raw.decode("latin-1").removeprefix(f"/{name}/" if name else "/")
    if "://" not in target[:10] and "%3a" in target[:10].lower():  # the whole URL is percent-encoded
        target = unquote(target)
    target = SLASHES.sub(r"\1://", target, count=1)
    query = request.scope["query_string"].decode("latin-1")
    pieces = query.split("&", MAX_PARAMETERS) if query else []
    if len(pieces) > MAX_PARAMETERS:
        raise BadConfig(TOO_MANY)
    options: list[tuple[str, str]] = []
    rest: list[str] = []
    for piece in pieces:
        [*pairs] = parse_qsl(piece, keep_blank_values=True)
        if pairs and pairs[0][0] in EXTRACT_PARAMETERS.model_fields and pairs[0][0] != "url":
            options += pairs
        else:
            rest.append(piece)
    if rest:
        target += f"{'&' if '?' in target else '?'}{'&'.join(rest)}"
    return target, options


@url_router.post("/batch", response_class=StreamingResponse, **describe_batch())
async def batch(request: Request) -> Response:
    """Download and extract many pages. The response has one line of JSON per page, as soon as it is done.

    Send a JSON object with `urls` and the parameters of /extract, or the URLs as plain text, one per line. A line has
    `url` and the values of the page, or `url` and `error`. Pages of the same host are downloaded one by one.
    """
    state = request.app.state
    with state.body_memory.reserve() as usage:
        job_request = await read_request(request, (), state.settings, usage)
        urls, given = await state.workers.run(read_batch_job, job_request, state.limits)
    return StreamingResponse(_write_lines(request.app, urls, given), media_type=MEDIA_TYPES["jsonl"])


async def _write_lines(app: FastAPI, urls: list[str], given: dict[str, Any]) -> AsyncIterator[bytes]:
    """Yield a line for each page as it is done, from as many hosts at a time as there are child processes."""
    hosts: dict[str, list[str]] = {}
    for url in urls:
        hosts.setdefault(_find_host(url), []).append(url)
    waiting = iter(list(hosts.values()))
    done: asyncio.Queue[bytes] = asyncio.Queue(maxsize=app.state.settings.workers)

    async def work() -> None:
        for group in waiting:  # each worker takes the next host
            for url in group:
                await done.put(await _read_one(app, url, given))

    tasks = [asyncio.create_task(work()) for _ in range(min(len(hosts), app.state.settings.workers))]
    try:
        for _ in urls:
            yield await done.get()
    finally:  # also if the client has disconnected
        for task in tasks:
            task.cancel()


async def _read_one(app: FastAPI, url: str, given: dict[str, Any]) -> bytes:
    for left in range(MAX_TRIES, 0, -1):
        try:
            line: bytes = await app.state.workers.run(batch_job, url, given, app.state.limits)
            app.state.metrics.pages += 1
            return line
        except TooBusy as problem:
            if left == 1 or app.state.is_stopping:
                return describe_error(url, problem)
            await asyncio.sleep(RETRY_SECONDS)
        except BonmunError as problem:
            return describe_error(url, problem)
    raise AssertionError


def _find_host(url: str) -> str:
    try:
        return urlsplit(url).netloc.lower()
    except ValueError:
        return ""
