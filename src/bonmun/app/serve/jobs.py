"""What child processes do with a request: read its body, work on the page, write the answer.

All that a stranger's bytes can do happens here, within the limits of a child: decoding, JSON, parsing, downloading.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun.algorithms import make_method
from bonmun.app.serve.parameters import (
    ChunksParameters,
    CompareParameters,
    ExplainParameters,
    ExtractParameters,
    RenderParameters,
    read_parameters,
)
from bonmun.app.serve.workers import Workers
from bonmun.compare import compare
from bonmun.errors import BadConfig, BadInput, Refused
from bonmun.explain import explain, write_explanation
from bonmun.outputs.chunks.json_lines import write_chunks
from bonmun.page import Page
from bonmun.page.parse.decode import check_text, find_encoding
from bonmun.page.saved.decode_saved import decode_page
from bonmun.pipeline import extract
from bonmun.snapshots import read_snapshot

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.algorithms import Method
    from bonmun.app.serve.parameters import MethodParameters, PageParameters, Parameters
    from bonmun.app.serve.settings import Settings
    from bonmun.document import Document
    from bonmun.options import Options

__all__ = [
    "FETCHES_NOT",
    "FETCH_SHARE",
    "MEDIA_TYPES",
    "Answer",
    "Asked",
    "Rules",
    "Source",
    "chunks_job",
    "compare_job",
    "explain_job",
    "extract_job",
    "make_workers",
    "read_job",
    "read_json",
    "render_job",
]

MEDIA_TYPES = {
    "text": "text/plain; charset=utf-8",
    "markdown": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "xml": "application/tei+xml",
    "snapshot": "application/vnd.bonmun.snapshot",
}
ANY_PAGE = b"<title>A page</title><h1>A page</h1>" + b"<p>What can be said of any page can be said of this one.</p>" * 4
NEWLINE = "\n"  # JSON has none in its texts, though it may have others that str.splitlines knows
FETCHES_NOT = "This service downloads nothing: send the page's HTML, or start it with --fetch."
FETCH_SHARE = 0.8  # of a page's time that its download may take


@dataclass(frozen=True, slots=True)
class Rules:
    """What a service allows."""

    max_bytes: int
    seconds: float
    fetch: bool
    allow_private: bool
    model: Path | None

    @classmethod
    def of(cls, settings: Settings) -> Rules:
        """Those of a service with these settings."""
        return cls(settings.max_bytes, settings.seconds, settings.fetch, settings.allow_private, settings.model)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it came: its body, and what its query and headers say."""

    body: bytes
    is_json: bool = False
    charset: str | None = None  # that the header names, which may not exist
    query: str = ""
    accepts: str | None = None  # the format that the header asks for


class Source(NamedTuple):
    """What is to be laid out: a page, or the URL of one; and the parameters that were given."""

    url: str | None
    html: str | None
    given: dict[str, Any]


class Answer(NamedTuple):
    """What is sent back."""

    media_type: str
    body: bytes


def extract_job(asked: Asked, rules: Rules) -> Answer:
    """Extract a page."""
    parameters, page, options = _read_page(ExtractParameters, asked, rules)
    name = parameters.choose_format(asked.accepts)
    return _write_document(parameters, name, _extract(parameters, page, options, rules))


def chunks_job(asked: Asked, rules: Rules) -> Answer:
    """Cut a page into chunks."""
    parameters, page, options = _read_page(ChunksParameters, asked, rules)
    doc = _extract(parameters, page, options, rules)
    lines = write_chunks(doc, doc.chunks(parameters.words, parameters.overlap))
    name = parameters.format or asked.accepts or "json"
    return _answer(name, lines if name == "jsonl" else f"[{','.join(lines.split(NEWLINE)[:-1])}]")


def explain_job(asked: Asked, rules: Rules) -> Answer:
    """Explain what was made of a page."""
    parameters, page, options = _read_page(ExplainParameters, asked, rules)
    doc = _extract(parameters, page, options, rules)
    name = parameters.format or asked.accepts or "json"
    return _answer(name, write_explanation(doc) if name == "text" else _write_json(explain(doc)))


def compare_job(asked: Asked, rules: Rules) -> Answer:
    """Compare methods on a page."""
    parameters, page, _ = _read_page(CompareParameters, asked, rules)
    found = compare(page, parameters.methods, parameters.gold, parameters.title)
    name = parameters.format or asked.accepts or "json"
    return _answer(name, found.table() if name == "text" else _write_json(found.to_dict()))


def make_workers(settings: Settings) -> Workers:
    """The children of a service, not yet started; each loads the model, and all that a page needs, before its first."""
    return Workers(
        settings.workers,
        queue=settings.queue,
        wait=settings.wait,
        seconds=settings.seconds,
        memory=settings.memory,
        prepare=partial(_load, settings.model),
    )


def _load(model: Path | None) -> None:
    doc = extract(ANY_PAGE, model=model)
    for name in ("text", "markdown", "html", "json", "xml"):
        doc.render(name)
    doc.chunks()


def read_job(asked: Asked, rules: Rules) -> Source:
    """Read what is to be laid out, as far as that can be done without a browser."""
    parameters, html = _read_parameters(RenderParameters, asked)
    given = parameters.model_dump(exclude_unset=True)
    if not html and parameters.url is not None:
        if not rules.fetch:
            raise Refused(FETCHES_NOT)
        return Source(parameters.url, None, given)
    page = decode_page(html, _choose_encoding(parameters, asked), parameters.url)
    check_text(page.html)
    return Source(parameters.url, page.html, given)


def render_job(snapshot: bytes, given: dict[str, Any], accepts: str | None, rules: Rules) -> Answer:
    """Extract a page that a browser has laid out."""
    parameters = read_parameters(RenderParameters, "", given)
    name = parameters.format or accepts or "snapshot"
    if name == "snapshot":
        return Answer(MEDIA_TYPES[name], snapshot)
    options = parameters.make_options(max_bytes=rules.max_bytes)
    page = Page.from_snapshot(read_snapshot(snapshot), max_bytes=rules.max_bytes, ruby=options.ruby)
    return _write_document(parameters, parameters.choose_format(accepts), _extract(parameters, page, options, rules))


def _read_page(kind: type[Parameters], asked: Asked, rules: Rules) -> tuple[Parameters, Page, Options]:
    """The parameters and the page of a request."""
    parameters, html = _read_parameters(kind, asked)
    options = parameters.make_options(max_bytes=rules.max_bytes, allow_private=rules.allow_private)
    if not html and parameters.url is not None:
        return parameters, _fetch(parameters.url, options, rules), options
    encoding = _choose_encoding(parameters, asked)
    page = Page.parse(html, parameters.url, encoding, max_bytes=rules.max_bytes, ruby=options.ruby)
    return parameters, page, options


def _read_parameters(kind: type[Parameters], asked: Asked) -> tuple[Parameters, str | bytes]:
    """The parameters of a request, and its page, which may be empty."""
    if not asked.is_json:
        return read_parameters(kind, asked.query), asked.body
    values = read_json(asked.body)
    html = values.pop("html", "")
    if not isinstance(html, str):
        raise BadConfig("html: it is the page, as a text.")
    return read_parameters(kind, asked.query, values), html


def _choose_encoding(parameters: PageParameters, asked: Asked) -> str | None:
    """What the page is written in: as the caller says; else as the header does, if there is such an encoding."""
    if parameters.encoding is not None:
        return parameters.encoding
    return asked.charset if asked.charset and find_encoding(asked.charset) else None


def read_json(body: bytes) -> dict[str, Any]:
    """The object that a body is, as JSON."""
    try:
        values = json.loads(body)
    except (ValueError, RecursionError) as problem:  # UnicodeDecodeError is one
        raise BadInput(f"The body is not JSON, as its Content-Type says: {type(problem).__name__}.") from None
    if not isinstance(values, dict):
        raise BadConfig('The body is a JSON object, such as {"html": "<p>…"}.')
    return values


def _fetch(url: str, options: Options, rules: Rules) -> Page:
    from bonmun.scale.web.download import fetch

    if not rules.fetch:
        raise Refused(FETCHES_NOT)
    return fetch(url, replace(options, timeout=rules.seconds * FETCH_SHARE))


def _extract(parameters: MethodParameters, page: Page, options: Options, rules: Rules) -> Document:
    return extract(page, method=_make_method(parameters, rules), options=replace(options, favour="balanced"))


def _make_method(parameters: MethodParameters, rules: Rules) -> Method:
    favour = None if parameters.favour == "balanced" else parameters.favour
    model = rules.model if parameters.method == "auto" else None
    return make_method(parameters.method, title=parameters.title, model=model, favour=favour)


def _write_document(parameters: ExtractParameters, name: str, doc: Document) -> Answer:
    if parameters.front_matter or parameters.posts:
        return _answer(name, doc.to_markdown(front_matter=parameters.front_matter, posts=parameters.posts))
    return _answer(name, doc.render(name))


def _write_json(values: object) -> str:
    return json.dumps(values, ensure_ascii=False)


def _answer(name: str, text: str) -> Answer:
    return Answer(MEDIA_TYPES[name], text.encode("utf-8", "replace"))
