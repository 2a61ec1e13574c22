"""The pages for people: `/` to try the service, and `/docs` with the reference of the API."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from fastapi import APIRouter, HTTPException, Request, Response

from bonmun.app.inspector.bundle import list_static
from bonmun.app.serve.inspector_routes import STATIC_TYPES
from bonmun.app.serve.jobs import show_job
from bonmun.app.serve.parameters import MAX_PARAMETERS, TOO_MANY
from bonmun.app.serve.routes import work
from bonmun.app.serve.url_routes import answer_url
from bonmun.errors import BadConfig

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable

__all__ = ["people_router"]

# Only our own files; no markup, script or style of a page can do anything even if it got into one of these pages.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {"Content-Security-Policy": POLICY, "Cross-Origin-Opener-Policy": "same-origin", "Cache-Control": "no-cache"}
INSPECTOR_PREFIX = "inspector/"

people_router = APIRouter(include_in_schema=False)


@cache
def _list_files() -> Mapping[str, Traversable]:
    """Return the files of these pages by name; those of the inspector start with `inspector/`."""
    own = {file.name: file for file in files("bonmun.app.serve").joinpath("static").iterdir() if file.is_file()}
    return own | {f"{INSPECTOR_PREFIX}{name}": file for name, file in list_static().items()}


@people_router.get("/")
async def get_home(request: Request) -> Response:
    """Return the page for people or, with `?url=`, the page at that URL."""
    query = request.scope["query_string"].decode("latin-1")
    if not query:
        return _get_home_page(request)
    try:
        pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=MAX_PARAMETERS)
    except ValueError:
        raise BadConfig(TOO_MANY) from None
    urls = [value for name, value in pairs if name == "url"]
    if not urls:
        return _get_home_page(request)
    return await answer_url(request, urls[0], [(name, value) for name, value in pairs if name != "url" or urls[1:]])


def _get_home_page(request: Request) -> Response:
    settings = request.app.state.settings
    text = _list_files()["index.html"].read_text(encoding="utf-8")
    shown = {"fetches": settings.fetch, "inspector": request.app.state.has_inspector, "renders": settings.render}
    for name, value in shown.items():
        text = text.replace(f'data-{name}="no"', f'data-{name}="{"yes" if value else "no"}"', 1)
    return Response(text, media_type="text/html", headers=HEADERS)


@people_router.get("/docs")
async def get_docs() -> Response:
    """Return the reference of the API."""
    return _get_file("docs.html")


@people_router.get("/static/{name:path}")
async def get_file(name: str) -> Response:
    """Return a file of these pages."""
    return _get_file(name)


def _get_file(name: str) -> Response:
    file = _list_files().get(name)  # only names from a fixed list, never a path from the request
    media_type = STATIC_TYPES.get(PurePosixPath(name).suffix)
    if file is None or media_type is None:
        raise HTTPException(404, "The service does not have this file.")
    return Response(file.read_bytes(), media_type=media_type, headers=HEADERS)


@people_router.post("/show")
async def show(request: Request) -> Response:
    """Return everything that the page for people shows."""
    return await work(request, ("json",), show_job)
