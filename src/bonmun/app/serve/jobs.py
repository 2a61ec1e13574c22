"""The work of child processes: read a request, process the page, write the response.

Everything that untrusted bytes can trigger happens here, within the limits of a child process: decoding, JSON, parsing
and downloading.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun.app.serve.forms import read_form
from bonmun.app.serve.http.logs import log_error
from bonmun.app.serve.parameters import (
    BATCH_PARAMETERS,
    CHUNKS_PARAMETERS,
    COMPARE_PARAMETERS,
    EXPLAIN_PARAMETERS,
    EXTRACT_PARAMETERS,
    RENDER_PARAMETERS,
    read_parameters,
)
from bonmun.compare import compare
from bonmun.empty_pages import is_shell
from bonmun.errors import BadConfig, BadInput, Refused
from bonmun.explain import explain, write_explanation
from bonmun.options import Options
from bonmun.outputs import FORMATS
from bonmun.outputs.chunks.json_lines import write_chunks
from bonmun.outputs.chunks.pieces import measure_words
from bonmun.outputs.parts.write import check_part_format, write_part
from bonmun.page import Page
from bonmun.page.parse.decode import check_text, find_encoding
from bonmun.page.saved.decode_saved import decode_page
from bonmun.pipeline import extract
from bonmun.snapshots import read_snapshot
from bonmun.text.tokens import estimate_tokens
from bonmun.work.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bonmun.app.serve.parameters import Parameters
    from bonmun.app.serve.settings import ServiceOptions
    from bonmun.document import Document
    from bonmun.extraction import Extraction
    from bonmun.scale.browser.render_options import RenderChoice

__all__ = [
    "FETCH_DISABLED",
    "FETCH_SHARE",
    "MEDIA_TYPES",
    "RENDER_DISABLED",
    "JobLimits",
    "JobRequest",
    "JobResponse",
    "RenderSource",
    "batch_job",
    "chunks_job",
    "compare_job",
    "explain_job",
    "extract_job",
    "load_extraction",
    "make_workers",
    "read_batch_job",
    "read_job",
    "read_json",
    "render_job",
    "run_job",
    "show_job",
]

MEDIA_TYPES = {each.name: each.media_type for each in FORMATS.values()} | {
    "jsonl": "application/x-ndjson",
    "snapshot": "application/vnd.bonmun.snapshot",
}
ANY_PAGE = b"<title>A page</title><h1>A page</h1>" + b"<p>What can be said of any page can be said of this one.</p>" * 4
NEWLINE = "\n"  # the only line break in JSON lines; str.splitlines knows others
FETCH_DISABLED = "This service does not download pages: send the HTML, or start it with --fetch."
RENDER_DISABLED = "This service does not render pages: start it with --render."
FETCH_SHARE = 0.8  # of the time limit of a page that its download may take


@dataclass(frozen=True, slots=True)
class JobLimits:
    """What a service allows its jobs to do."""

    max_bytes: int
    seconds: float
    fetch: bool
    allow_private: bool
    model: Path | None
    rules: Path | None = None
    render: bool = False

    @classmethod
    def of(cls, settings: ServiceOptions) -> JobLimits:
        """Return the limits of a service."""
        return cls(
            settings.max_bytes,
            settings.seconds,
            settings.fetch,
            settings.allow_private,
            settings.model,
            settings.rules,
            settings.render,
        )


@dataclass(frozen=True, slots=True)
class JobRequest:
    """A request as it was received: its body, its query and what its headers say."""

    body: bytes
    is_json: bool = False
    form: str = ""  # Content-Type of a form: its fields are the page and the parameters
    charset: str | None = None  # of the Content-Type header; it may not exist
    query: str = ""
    accepts: str | None = None  # the format that the Accept header prefers
    snapshot: bytes | None = None  # the page as rendered, if the job has asked for it


class RenderSource(NamedTuple):
    """A page to render: its URL or its HTML, and how."""

    url: str | None
    html: str | None
    rendering: RenderChoice
    given: dict[str, Any]  # the parameters of a request to /render


class JobResponse(NamedTuple):
    """What is sent back."""

    media_type: str
    body: bytes
    hint: str | None = None  # why the document is empty, and what to try


class NeedsBrowser(Exception):
    """The page of a job has to be rendered first."""

    def __init__(self, source: RenderSource) -> None:
        super().__init__()
        self.source = source


def run_job(
    job: Callable[[JobRequest, JobLimits], JobResponse], request: JobRequest, limits: JobLimits
) -> JobResponse | RenderSource:
    """Run a job. Return its response, or the page that has to be rendered before the job is run again."""
    try:
        return job(request, limits)
    except NeedsBrowser as needed:
        return needed.source


def extract_job(request: JobRequest, limits: JobLimits) -> JobResponse:
    """Extract a page."""
    parameters, html = _read_parameters(EXTRACT_PARAMETERS, request)
    name = parameters.choose_format(request.accepts, "text")
    doc = _extract(parameters, html, request, limits, name)
    return _respond(name, _write(parameters, doc, name), doc.hint)


def chunks_job(request: JobRequest, limits: JobLimits) -> JobResponse:
    """Split a page into chunks."""
    parameters, html = _read_parameters(CHUNKS_PARAMETERS, request)
    doc = _extract(parameters, html, request, limits)
    lines = write_chunks(doc, doc.chunks())
    name = parameters.choose_format(request.accepts, "json")
    return _respond(name, lines if name == "jsonl" else f"[{','.join(lines.split(NEWLINE)[:-1])}]")


def explain_job(request: JobRequest, limits: JobLimits) -> JobResponse:
    """Explain the decisions on a page."""
    parameters, html = _read_parameters(EXPLAIN_PARAMETERS, request)
    doc = _extract(parameters, html, request, limits)
    name = parameters.choose_format(request.accepts, "json")
    return _respond(name, write_explanation(doc) if name == "text" else _write_json(explain(doc)))


def show_job(request: JobRequest, limits: JobLimits) -> JobResponse:
    """Extract a page for people: the document with its objects, as HTML, and its size and sections."""
    parameters, html = _read_parameters(EXTRACT_PARAMETERS, request)
    doc = _extract(parameters, html, request, limits)
    doc = replace(doc, options=replace(doc.options, objects=True))
    values = {
        "document": doc.summary(),
        "html": doc.html,
        "words": measure_words(doc.text),
        "tokens": estimate_tokens(doc.markdown),
        "sections": [section.to_dict() for section in doc.sections()],
    }
    return _respond("json", _write_json(values))


def read_batch_job(request: JobRequest, limits: JobLimits) -> tuple[list[str], dict[str, Any]]:
    """Return the URLs of a batch, and the parameters for each of them."""
    if not limits.fetch:
        raise Refused(FETCH_DISABLED)
    if request.is_json:
        parameters = read_parameters(BATCH_PARAMETERS, request.query, read_json(request.body))
    else:
        lines = [line.strip() for line in request.body.decode("utf-8", "replace").split("\n")]
        listed = {"urls": [line for line in lines if line and not line.startswith("#")]}
        parameters = read_parameters(BATCH_PARAMETERS, request.query, listed)
    given = parameters.model_dump(exclude_unset=True)
    urls: list[str] = given.pop("urls", [])
    if not urls or parameters.url is not None:
        raise BadConfig('Send the URLs as {"urls": ["https://…"]}, or as plain text with one URL per line.')
    check = read_parameters(EXTRACT_PARAMETERS, "", given)  # raises now what would fail for each page
    if check.make_rendering().render != "never":
        raise BadConfig("The pages of a batch are not rendered: send those that need a browser to /extract.")
    load_extraction(check, limits, check.choose_format(None, "json")).make_method()
    if not check.make_part().is_whole:
        check_part_format(check.choose_format(None, "json"))
    return urls, given


def batch_job(url: str, given: dict[str, Any], limits: JobLimits) -> bytes:
    """Return the line of a page of a batch: its URL, and its values or its text in a format."""
    parameters = read_parameters(EXTRACT_PARAMETERS, "", given | {"url": url})
    name = parameters.choose_format(None, "json")
    doc = _extract(parameters, b"", JobRequest(b""), limits, name)
    text = _write(parameters, doc, name)
    if name == "json":
        return f'{{"url": {_write_json(url)}, "document": {text}}}\n'.encode("utf-8", "replace")
    values = {"url": url, "title": doc.title, name: text} | ({"hint": doc.hint} if doc.hint else {})
    return f"{_write_json(values)}\n".encode("utf-8", "replace")


def compare_job(request: JobRequest, limits: JobLimits) -> JobResponse:
    """Compare methods on a page."""
    parameters, html = _read_parameters(COMPARE_PARAMETERS, request)
    options = parameters.make_extraction(max_bytes=limits.max_bytes, allow_private=limits.allow_private)
    page = _load_page(parameters, html, request, options, limits)
    found = compare(page, getattr(parameters, "methods", ()), getattr(parameters, "gold", None), options)
    name = parameters.choose_format(request.accepts, "json")
    return _respond(name, found.table() if name == "text" else _write_json(found.to_dict()))


def make_workers(settings: ServiceOptions, *, reserve: int = 0) -> Workers:
    """Return the child processes of a service, not started; each loads the model before its first page."""
    return Workers(
        settings.workers,
        reserve=reserve,
        queue=settings.queue,
        wait=settings.wait,
        seconds=settings.seconds,
        memory=settings.memory,
        prepare=partial(_load, settings.model),
        log_error=log_error,
    )


def _load(model: Path | None) -> None:
    doc = extract(ANY_PAGE, options=Options(model=model))
    for name in FORMATS:
        doc.render(name)
    doc.chunks()


def read_job(request: JobRequest, limits: JobLimits) -> RenderSource:
    """Read the page that is to be rendered, as far as this is possible without a browser."""
    parameters, html = _read_parameters(RENDER_PARAMETERS, request)
    given = parameters.model_dump(exclude_unset=True)
    if not html and parameters.url is not None:
        if not limits.fetch:
            raise Refused(FETCH_DISABLED)
        return RenderSource(parameters.url, None, parameters.make_rendering(), given)
    page = decode_page(html, _choose_encoding(parameters, request), parameters.url)
    check_text(page.html)
    return RenderSource(parameters.url, page.html, parameters.make_rendering(), given)


def render_job(snapshot: bytes, given: dict[str, Any], accepts: str | None, limits: JobLimits) -> JobResponse:
    """Extract a rendered page."""
    parameters = read_parameters(RENDER_PARAMETERS, "", given)
    name = parameters.choose_format(accepts, "snapshot")
    if name == "snapshot":
        return JobResponse(MEDIA_TYPES[name], snapshot)
    options = load_extraction(parameters, limits, name)
    page = Page.from_snapshot(read_snapshot(snapshot), max_bytes=limits.max_bytes, ruby=options.ruby)
    doc = extract(page, method=options.method, options=options)
    return _respond(name, _write(parameters, doc, name), doc.hint)


def _read_parameters(kind: type[Parameters], request: JobRequest) -> tuple[Parameters, str | bytes]:
    """Return the parameters of a request, and its page, which may be empty."""
    if request.form:
        query, page = read_form(request.form, request.body)
        return read_parameters(kind, "&".join(filter(None, (request.query, query)))), page
    if not request.is_json:
        return read_parameters(kind, request.query), request.body
    values = read_json(request.body)
    html = values.pop("html", "")
    if not isinstance(html, str):
        raise BadConfig("html must be the page as a string.")
    return read_parameters(kind, request.query, values), html


def load_extraction(parameters: Parameters, limits: JobLimits, format_: str | None = None) -> Extraction:
    """Return the settings of a request within the limits of the service."""
    extraction = parameters.make_extraction(
        format_, max_bytes=limits.max_bytes, allow_private=limits.allow_private, timeout=limits.seconds * FETCH_SHARE
    )
    extraction = replace(extraction, rules=limits.rules)
    return replace(extraction, model=limits.model) if extraction.method == "auto" else extraction


def _extract(
    parameters: Parameters, html: str | bytes, request: JobRequest, limits: JobLimits, format_: str | None = None
) -> Document:
    options = load_extraction(parameters, limits, format_)
    page = _load_page(parameters, html, request, options, limits)
    return extract(page, method=options.method, options=options)


def _write(parameters: Parameters, doc: Document, format_: str) -> str:
    """Return a document, or the part of it that is asked for."""
    part = parameters.make_part()
    return doc.render(format_) if part.is_whole else write_part(doc, format_, part)


def _load_page(
    parameters: Parameters, html: str | bytes, request: JobRequest, options: Extraction, limits: JobLimits
) -> Page:
    """Parse the page of a request, or download it. Raise NeedsBrowser if it has to be rendered."""
    if request.snapshot is not None:
        return Page.from_snapshot(read_snapshot(request.snapshot), max_bytes=options.max_bytes, ruby=options.ruby)
    rendering = parameters.make_rendering()
    if rendering.render != "never" and not limits.render:
        raise Refused(RENDER_DISABLED)
    encoding = _choose_encoding(parameters, request)
    is_given = bool(html) or parameters.url is None
    if not is_given and not limits.fetch:
        raise Refused(FETCH_DISABLED)
    if rendering.render != "always":
        page = _read_page(parameters.url, html if is_given else None, encoding, options)
        if rendering.render == "never" or page.boxes is not None or not is_shell(page):
            return page
    text = decode_page(html, encoding, parameters.url).html if is_given else None
    if text is not None:
        check_text(text)
    raise NeedsBrowser(RenderSource(parameters.url, text, rendering, {}))


def _read_page(url: str | None, html: str | bytes | None, encoding: str | None, options: Extraction) -> Page:
    if html is not None:
        return Page.parse(html, url, encoding, max_bytes=options.max_bytes, ruby=options.ruby)
    from bonmun.scale.web.download import fetch

    assert url is not None
    return fetch(url, options)


def _choose_encoding(parameters: Parameters, request: JobRequest) -> str | None:
    """Return the encoding of the page: the parameter, or else that of the header, if it exists."""
    encoding: str | None = getattr(parameters, "encoding", None)
    if encoding is not None:
        return encoding
    return request.charset if request.charset and find_encoding(request.charset) else None


def read_json(body: bytes) -> dict[str, Any]:
    """Return the JSON object in a body."""
    try:
        values = json.loads(body)
    except (ValueError, RecursionError) as problem:  # such as UnicodeDecodeError
        raise BadInput(f"The body is not JSON, although its Content-Type says so: {type(problem).__name__}.") from None
    if not isinstance(values, dict):
        raise BadConfig('The body must be a JSON object, such as {"html": "<p>…"}.')
    return values


def _write_json(values: object) -> str:
    return json.dumps(values, ensure_ascii=False)


def _respond(name: str, text: str, hint: str | None = None) -> JobResponse:
    return JobResponse(MEDIA_TYPES[name], text.encode("utf-8", "replace"), hint)
