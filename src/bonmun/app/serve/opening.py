"""Open a page that is uploaded to the inspector or given by its URL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.app.serve.http.bodies import read_request
from bonmun.app.serve.jobs import FETCH_DISABLED, FETCH_SHARE, RenderSource, read_json
from bonmun.empty_pages import is_shell
from bonmun.errors import BadConfig, Refused
from bonmun.lab.annotate.page_sources import PageSource, parse_source
from bonmun.options import Options
from bonmun.page.parse.decode import find_encoding
from bonmun.scale.browser.render_options import RenderChoice
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from fastapi import Request

    from bonmun.app.serve.jobs import JobLimits, JobRequest

__all__ = ["read_opened", "read_source"]

MAX_NAME_CHARS = 200  # of the name of a page
RENDER_AUTO = RenderChoice(render="auto")


async def read_opened(request: Request, name: str) -> PageSource:
    """Return the page of a request: its HTML body, or the page at the `url` of its JSON body.

    A page at a URL that is empty without its scripts is rendered, if the service renders pages.
    """
    state = request.app.state
    with state.body_memory.reserve() as usage:
        job_request = await read_request(request, (), state.settings, usage)
        source: PageSource = await state.workers.run(read_source, job_request, state.limits, name)
        if source.url and state.settings.render and await state.workers.run(needs_browser, source):
            snapshot = await state.renderer.render(RenderSource(source.url, None, RENDER_AUTO, {}))
            source = source._replace(body=snapshot, encoding=None)
    return source


def needs_browser(source: PageSource) -> bool:
    """Return whether a page is empty without its scripts, in a child process."""
    page = parse_source(source)
    return page.boxes is None and is_shell(page)


def read_source(request: JobRequest, limits: JobLimits, name: str) -> PageSource:
    """Return the source of the page in a request, in a child process; raise an error if it cannot be parsed."""
    source = _find_source(request, limits, name)
    parse_source(source)
    return source


def _find_source(request: JobRequest, limits: JobLimits, name: str) -> PageSource:
    from bonmun.scale.web.download import download

    encoding = request.charset if request.charset and find_encoding(request.charset) else None
    if not request.is_json:
        name = make_readable(name)[:MAX_NAME_CHARS] or "page"
        return PageSource(name, None, request.body, encoding, limits.max_bytes)
    url = read_json(request.body).get("url")
    if not isinstance(url, str):
        raise BadConfig('Send the page as text/html, or its URL as {"url": "https://…"}.')
    if not limits.fetch:
        raise Refused(FETCH_DISABLED)
    timeout = limits.seconds * FETCH_SHARE
    response = download(url, Options(max_bytes=limits.max_bytes, allow_private=limits.allow_private, timeout=timeout))
    encoding = response.encoding if response.encoding and find_encoding(response.encoding) else None
    name = make_readable(response.url)[:MAX_NAME_CHARS]
    return PageSource(name, response.url, response.body, encoding, limits.max_bytes)
