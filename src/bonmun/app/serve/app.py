"""The ASGI application of the service: routes, child processes, middleware and error handlers."""

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
    raise MissingExtra("The service needs FastAPI and uvicorn: pip install 'bonmun[serve]'.") from None

from bonmun.app.serve.http.access import AccessControl
from bonmun.app.serve.http.bodies import BodyMemory
from bonmun.app.serve.http.error_responses import RETRY_SECONDS, choose_status, name_error, write_error
from bonmun.app.serve.http.metrics import Metrics
from bonmun.app.serve.http.middleware import ServiceMiddleware
from bonmun.app.serve.jobs import JobLimits, make_workers
from bonmun.app.serve.parameters import describe_errors
from bonmun.app.serve.people_routes import people_router
from bonmun.app.serve.rendering import ServiceRenderer
from bonmun.app.serve.routes import router
from bonmun.app.serve.url_routes import url_router
from bonmun.work.workers import RESERVE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from fastapi import APIRouter

    from bonmun.app.serve.settings import ServiceOptions

__all__ = ["make_app"]

KEY_BYTES = 24
CLIENT_CLOSED_REQUEST = 499  # only for the log: the client has disconnected
DESCRIPTION = "Extract the main text of web pages, with a reason, a location and a confidence for every decision."


def make_app(settings: ServiceOptions, routers: Sequence[APIRouter] = ()) -> FastAPI:
    """Return a service with these settings; `routers` are added to its own routes.

    `app.state` holds `settings`, `workers`, `metrics` and the `key` of the inspector.
    """
    app = FastAPI(
        title="bonmun",
        version=__version__,
        description=DESCRIPTION,
        docs_url=None,  # these pages load scripts from other sites; ours is in people_routes.py
        redoc_url=None,
        lifespan=_run_lifespan,
        redirect_slashes=False,
    )
    app.state.settings = settings
    app.state.key = secrets.token_urlsafe(KEY_BYTES)
    app.state.metrics = Metrics()
    app.state.is_stopping = False  # if true, the next response closes its connection
    app.state.body_memory = BodyMemory(settings.held_bytes)
    app.state.limits = JobLimits.of(settings)
    app.state.workers = make_workers(settings, reserve=RESERVE)
    app.state.renderer = ServiceRenderer(settings)
    app.state.has_inspector = any(
        getattr(route, "path", "") == "/inspector/" for each in routers for route in each.routes
    )
    for each in (router, people_router, *routers, url_router):  # a URL as a path comes last
        app.include_router(each)
    app.add_exception_handler(BonmunError, _handle_library_error)
    app.add_exception_handler(RequestValidationError, _handle_validation_error)
    app.add_exception_handler(StarletteHTTPException, _handle_http_error)
    app.add_exception_handler(ClientDisconnect, _handle_disconnect)
    app.add_exception_handler(Exception, _handle_unexpected_error)
    access = AccessControl(settings, app.state.key)
    app.add_middleware(ServiceMiddleware, access=access, metrics=app.state.metrics, log_level=settings.log_level)
    return app


@asynccontextmanager
async def _run_lifespan(app: FastAPI) -> AsyncIterator[None]:
    await app.state.workers.start()
    try:
        yield
    finally:
        await app.state.renderer.stop()
        await app.state.workers.stop()


async def _handle_library_error(request: Request, problem: Exception) -> Response:
    status = choose_status(cast("BonmunError", problem))
    return _respond(request, status, type(problem).__name__, str(problem))


async def _handle_validation_error(request: Request, problem: Exception) -> Response:
    return _respond(request, 422, "BadConfig", describe_errors(cast("RequestValidationError", problem).errors()))


async def _handle_http_error(request: Request, problem: Exception) -> Response:
    found = cast("HTTPException", problem)
    message = found.detail
    if found.status_code == 404 and message == "Not Found":
        message = "This path does not exist; /openapi.json lists all paths."
        if request.method == "GET":
            message += " To read a page, put its whole URL behind the slash, as in /https://example.org/page."
    elif found.status_code == 405:
        message = f"This path does not support {request.method}; /openapi.json lists the methods of each path."
    return _respond(request, found.status_code, name_error(found.status_code), message, found.headers)


async def _handle_disconnect(request: Request, problem: Exception) -> Response:
    return Response(status_code=CLIENT_CLOSED_REQUEST)


async def _handle_unexpected_error(request: Request, problem: Exception) -> Response:
    return _respond(
        request,
        500,
        "ServiceFailed",
        f"Unexpected error in the service: {type(problem).__name__}. The log has the details.",
    )


def _respond(
    request: Request, status: int, kind: str, message: str, headers: Mapping[str, str] | None = None
) -> Response:
    sent = dict(headers or {})
    if status == 503:
        sent["Retry-After"] = str(RETRY_SECONDS)
    body = write_error(kind, message, request.state.request_id)
    return Response(body, status, sent, "application/json")
