"""The parameters of requests, derived from the settings: for queries, and for bodies in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import parse_qsl

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from bonmun.algorithms import METHODS, PAGE_METHODS
from bonmun.errors import BadConfig
from bonmun.extraction import Extraction
from bonmun.options import PartOptions
from bonmun.outputs import FORMATS, SHORT_NAMES
from bonmun.scale.browser.render_options import RenderChoice
from bonmun.settings import list_settings, parse_setting
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.settings import Setting

__all__ = [
    "BATCH_PARAMETERS",
    "CHUNKS_PARAMETERS",
    "COMPARE_PARAMETERS",
    "EXPLAIN_PARAMETERS",
    "EXTRACT_PARAMETERS",
    "MAX_PARAMETERS",
    "RENDER_PARAMETERS",
    "TOO_MANY",
    "Parameters",
    "describe_errors",
    "read_parameters",
]

MAX_URL_CHARS = 4_000
MAX_TEXT_CHARS = 4_000
MAX_PARAMETERS = 100
TOO_MANY = f"There are more than {MAX_PARAMETERS} parameters."
TYPES = {"flag": bool, "integer": int, "number": float, "text": str, "date": str}
EXAMPLES: dict[str, list[str | None]] = {"encoding": ["euc-kr"], "crawled": ["2026-03-04"], "title": [None]}
READING = ("encoding", "title")
RENDER_SETTINGS = tuple(each for each in list_settings(RenderChoice) if each.is_remote)
MAX_LIST_ITEMS = 20
Selector = Annotated[str, Field(max_length=1_000)]
LABELLING = (*READING, "method", "favour", "ruby", "crawled")


class Parameters(BaseModel):
    """The parameters of a request; its subclasses add those that a path takes."""

    model_config = ConfigDict(extra="forbid")

    url: str | None = Field(
        None,
        max_length=MAX_URL_CHARS,
        description="URL of the page. Without HTML, the page is downloaded, if the service was started with --fetch.",
        examples=["https://example.org/article"],
    )
    format: str | None = None

    def make_extraction(self, format: str | None = None, **more: Any) -> Extraction:  # noqa: A002 - the setting
        """Return the settings of the extraction; `more` are those that the service decides."""
        known = {each.name: each for each in list_settings(Extraction) if each.is_remote}
        given = {name: parse_setting(known[name], value) for name, value in self if name in known}
        given.pop("format", None)
        return Extraction(**given | ({"format": format} if format else {}), **more)

    def make_part(self) -> PartOptions:
        """Return which part of the document is asked for."""
        names = [each.name for each in list_settings(PartOptions)]
        return PartOptions(**{name: value for name, value in self if name in names})

    def make_rendering(self) -> RenderChoice:
        """Return which pages are rendered, and how; the service decides about network, memory and timeout."""
        known = {each.name: each for each in RENDER_SETTINGS}
        return RenderChoice(**{name: parse_setting(known[name], value) for name, value in self if name in known})

    def choose_format(self, accepted: str | None, default: str) -> str:
        """Return the format of the response: as the parameter says, or else the Accept header, or else the default."""
        name = self.format or accepted or default
        return SHORT_NAMES.get(name, name)


def _make_field(declared: Setting, methods: Sequence[str]) -> tuple[Any, Any]:
    """Describe a setting to pydantic."""
    more: dict[str, Any] = {"description": declared.help, "ge": declared.minimum, "le": declared.maximum}
    kind: Any = Literal[declared.choices] if declared.choices else TYPES.get(declared.kind)
    if kind is str:
        more["max_length"] = MAX_TEXT_CHARS
        more["examples"] = EXAMPLES.get(declared.name)
    if declared.kind == "list":
        return list[Selector], Field(default_factory=list, max_length=MAX_LIST_ITEMS, description=declared.help)
    if declared.name == "method":
        more["json_schema_extra"] = {"enum": list(methods)}
        more["examples"] = [declared.default]
    elif declared.kind == "date":
        more["json_schema_extra"] = {"format": "date"}
    return (kind | None if declared.default is None else kind), Field(declared.default, **more)


def _make_parameters(
    name: str,
    doc: str,
    formats: Sequence[str],
    says: str,
    names: Sequence[str] = (),
    methods: Sequence[str] = tuple(PAGE_METHODS),
    more: dict[str, Any] | None = None,
    without: str = "",
) -> type[Parameters]:
    """Make a model with the named settings, by default all that clients may set, and those of rendering."""
    chosen = {
        each.name: _make_field(each, methods)
        for each in (*list_settings(Extraction), *list_settings(PartOptions))
        if each.is_remote and each.name != "format" and (not names or each.name in names)
    }
    chosen |= {each.name: _make_field(each, methods) for each in RENDER_SETTINGS if each.name != without}
    format_field = (Literal[tuple(formats)] | None, Field(None, description=says))
    fields: Any = {**chosen, "format": format_field, **(more or {})}
    made: type[Parameters] = create_model(name, __base__=Parameters, __doc__=doc, **fields)
    return made


DOCUMENT_FORMATS = (*FORMATS, *SHORT_NAMES)
DOCUMENT_FORMAT_HELP = f"{', '.join(FORMATS)}; by default as Accept says, or else text."
WITHOUT_CHUNKS = tuple(
    each.name
    for each in (*list_settings(Extraction), *list_settings(PartOptions))
    if each.is_remote and each.stage != "chunks" and each.name != "format"
)
MethodName = Annotated[str, Field(max_length=100, json_schema_extra={"enum": list(PAGE_METHODS)})]

EXTRACT_PARAMETERS = _make_parameters(
    "ExtractParameters",
    "How a page is extracted and written.",
    DOCUMENT_FORMATS,
    DOCUMENT_FORMAT_HELP,
    WITHOUT_CHUNKS,
)
RENDER_PARAMETERS = _make_parameters(
    "RenderParameters",
    "How a rendered page is extracted and written.",
    ("snapshot", *DOCUMENT_FORMATS),
    "snapshot: the rendered page, as `bonmun render` writes it; or a format of /extract.",
    WITHOUT_CHUNKS,
    tuple(name for name, info in METHODS.items() if not info.needs_site_model),
    without="render",
)
CHUNKS_PARAMETERS = _make_parameters(
    "ChunksParameters",
    "How a page is split into chunks.",
    ("json", "jsonl"),
    "json: a list; jsonl: one line per chunk.",
    (*LABELLING, "chunk_words", "chunk_overlap"),
)
EXPLAIN_PARAMETERS = _make_parameters(
    "ExplainParameters",
    "How the decisions on a page are explained.",
    ("json", "text"),
    "json: values; text: tables to read.",
    LABELLING,
)
COMPARE_PARAMETERS = _make_parameters(
    "CompareParameters",
    "Which methods are compared.",
    ("json", "text"),
    "json: values; text: tables to read.",
    READING,
    more={
        "methods": (
            list[MethodName],
            Field(
                default_factory=list, max_length=len(PAGE_METHODS), description="Methods to compare; by default all."
            ),
        ),
        "gold": (str | None, Field(None, description="Gold text; adds the F1 of each method.")),
    },
)


MAX_BATCH_URLS = 1_000
PageUrl = Annotated[str, Field(max_length=MAX_URL_CHARS)]
BATCH_PARAMETERS = _make_parameters(
    "BatchParameters",
    "Which pages are extracted, and how.",
    DOCUMENT_FORMATS,
    "Each line has the page in this format; json (the default): the values of the document.",
    WITHOUT_CHUNKS,
    more={
        "urls": (
            list[PageUrl],
            Field(default_factory=list, max_length=MAX_BATCH_URLS, description="URLs of the pages."),
        )
    },
)


def read_parameters(kind: type[Parameters], query: str, body: dict[str, Any] | None = None) -> Parameters:
    """Validate the parameters of a query and of a JSON body; the body takes precedence.

    Raises BadConfig with a sentence. Values in a query are strings, such as "true"; values in JSON have types.
    """
    if body is not None and len(body) > MAX_PARAMETERS:  # pydantic would report each of a million
        raise BadConfig(TOO_MANY)
    try:
        found = kind.model_validate(_split_query(kind, query))
        if body is not None:
            found = kind.model_validate(found.model_dump(exclude_unset=True) | body, strict=True)
    except ValidationError as problem:
        raise BadConfig(describe_errors(problem.errors(include_url=False, include_input=False))) from None
    return found


def _split_query(kind: type[Parameters], query: str) -> dict[str, Any]:
    try:
        pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=MAX_PARAMETERS)
    except ValueError:
        raise BadConfig(TOO_MANY) from None
    found: dict[str, Any] = {}
    for name, value in pairs:
        field = kind.model_fields.get(name)
        if field is not None and field.default_factory is list:
            found.setdefault(name, []).append(value)
        elif name in found:
            raise BadConfig(f"{make_readable(name)[:100]}: give it only once.")
        else:
            found[name] = value
    return found


def describe_errors(errors: Sequence[Any]) -> str:
    """Return the first error that pydantic found as a sentence."""
    first = errors[0]
    place = [str(part) for part in first["loc"] if part not in ("query", "body")]
    name = make_readable(".".join(place))[:100]
    says = "unknown parameter" if first["type"] == "extra_forbidden" else str(first["msg"])
    return f"{name or 'The body'}: {says[:1].lower()}{says[1:].rstrip('.')}."
