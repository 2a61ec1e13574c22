"""The service as an application: its routes, its children, its front, and what becomes of errors."""

from __future__ import annotations

import secrets
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, cast

from bonmun._version import __version__
from bonmun.errors import BonmunError, MissingExtra

try:
    from fastapi import FastAPI, HTTPException, Request, Response
    from fastapi.exceptions import RequestValidationError
    from starlette.exceptions import HTTPException as StarletteHTTPException
    from starlette.requests import ClientDisconnect
except ImportError:
    raise MissingExtra("The service runs on FastAPI and uvicorn: pip install 'bonmun[serve]'.") from None

from bonmun.app.serve.http.access import Guard
from bonmun.app.serve.http.bodies import Held
from bonmun.app.serve.http.error_responses import RETRY_SECONDS, choose_status, describe_problem, name_status
from bonmun.app.serve.http.metrics import Metrics
from bonmun.app.serve.http.middleware import Front
from bonmun.app.serve.jobs import JobLimits, make_workers
from bonmun.app.serve.parameters import describe_errors
from bonmun.app.serve.rendering import Renderer
from bonmun.app.serve.routes import router

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from fastapi import APIRouter

    from bonmun.app.serve.settings import ServiceOptions

__all__ = ["make_app"]

KEY_BYTES = 24
GONE = 499  # what logs say of a client that has left; nobody reads the answer
DESCRIPTION = "The main text of web pages, with a reason, a place and a confidence for every decision."


def make_app(settings: ServiceOptions, routers: Sequence[APIRouter] = ()) -> FastAPI:
    """A service with these settings; `routers` are added to its own routes.

    `app.state` has its `settings`, `workers`, `metrics`, and the `key` of the inspector.
    """
    app = FastAPI(
        title="bonmun",
        version=__version__,
        description=DESCRIPTION,
        docs_url=None,  # these pages load scripts from elsewhere
        redoc_url=None,
        lifespan=_live,
        redirect_slashes=False,
    )
    app.state.settings = settings
    app.state.key = secrets.token_urlsafe(KEY_BYTES)
    app.state.metrics = Metrics()
    app.state.is_stopping = False  # then connections are closed with their next answer
    app.state.held = Held(settings.held_bytes)
    app.state.rules = JobLimits.of(settings)
    app.state.workers = make_workers(settings)
    app.state.renderer = Renderer(settings)
    for each in (router, *routers):
        app.include_router(each)
    app.add_exception_handler(BonmunError, _tell_problem)
    app.add_exception_handler(RequestValidationError, _tell_validation)
    app.add_exception_handler(StarletteHTTPException, _tell_status)
    app.add_exception_handler(ClientDisconnect, _tell_nobody)
    app.add_exception_handler(Exception, _tell_mistake)
    app.add_middleware(
        Front, guard=Guard(settings, app.state.key), metrics=app.state.metrics, log_level=settings.log_level
    )
    return app


@asynccontextmanager
async def _live(app: FastAPI) -> AsyncIterator[None]:
    await app.state.workers.start()
    try:
        yield
    finally:
        await app.state.renderer.stop()
        await app.state.workers.stop()


async def _tell_problem(request: Request, problem: Exception) -> Response:
    status = choose_status(cast("BonmunError", problem))
    return _tell(request, status, type(problem).__name__, str(problem))


async def _tell_validation(request: Request, problem: Exception) -> Response:
    return _tell(request, 422, "BadConfig", describe_errors(cast("RequestValidationError", problem).errors()))


async def _tell_status(request: Request, problem: Exception) -> Response:
    found = cast("HTTPException", problem)
    says = found.detail
    if found.status_code == 404 and says == "Not Found":
        says = "There is no such path; /openapi.json tells which there are."
    elif found.status_code == 405:
        says = f"This path does not answer to {request.method}; /openapi.json tells what does."
    return _tell(request, found.status_code, name_status(found.status_code), says, found.headers)


async def _tell_nobody(request: Request, problem: Exception) -> Response:
    return Response(status_code=GONE)


async def _tell_mistake(request: Request, problem: Exception) -> Response:
    return _tell(request, 500, "ServiceFailed", f"The service made a mistake: {type(problem).__name__}.")


def _tell(request: Request, status: int, kind: str, says: str, headers: Mapping[str, str] | None = None) -> Response:
    more = dict(headers or {})
    if status == 503:
        more["Retry-After"] = str(RETRY_SECONDS)
    body = describe_problem(kind, says, request.state.request_id)
    return Response(body, status, more, "application/json")
