"""Open a page that is uploaded to the inspector or given by its URL; a child process reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.app.serve.http.bodies import read_request
from bonmun.app.serve.jobs import FETCH_DISABLED, FETCH_SHARE, read_json
from bonmun.errors import BadConfig, Refused
from bonmun.lab.annotate.page_sources import PageSource, parse_source
from bonmun.options import Options
from bonmun.page.parse.decode import find_encoding
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from fastapi import Request

    from bonmun.app.serve.jobs import JobLimits, JobRequest

__all__ = ["read_opened", "read_source"]

NAME_CHARS = 200  # of what a page is called


async def read_opened(request: Request, name: str) -> PageSource:
    """The page of a request: the HTML that it sends or, where that is JSON, the page of its `url`."""
    state = request.app.state
    with state.held.count() as share:
        asked = await read_request(request, (), state.settings, share)
        source: PageSource = await state.workers.run(read_source, asked, state.rules, name)
    return source


def read_source(asked: JobRequest, rules: JobLimits, name: str) -> PageSource:
    """In a child: what was sent, as the bytes of a page; raises what is wrong with it."""
    source = _find_source(asked, rules, name)
    parse_source(source)
    return source


def _find_source(asked: JobRequest, rules: JobLimits, name: str) -> PageSource:
    from bonmun.scale.web.download import download

    encoding = asked.charset if asked.charset and find_encoding(asked.charset) else None
    if not asked.is_json:
        return PageSource(make_readable(name)[:NAME_CHARS] or "page", None, asked.body, encoding, rules.max_bytes)
    url = read_json(asked.body).get("url")
    if not isinstance(url, str):
        raise BadConfig('Send the page as text/html, or its address as {"url": "https://…"}.')
    if not rules.fetch:
        raise Refused(FETCH_DISABLED)
    options = Options(max_bytes=rules.max_bytes, allow_private=rules.allow_private, timeout=rules.seconds * FETCH_SHARE)
    got = download(url, options)
    encoding = got.encoding if got.encoding and find_encoding(got.encoding) else None
    return PageSource(make_readable(got.url)[:NAME_CHARS], got.url, got.body, encoding, rules.max_bytes)
