"""What can be asked of the service, described once: for the query of a request, and for its body as JSON.

Names, meanings and defaults are those of `Options` and of the command line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar
from urllib.parse import parse_qsl

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bonmun.algorithms import METHODS, PAGE_METHODS
from bonmun.errors import BadConfig
from bonmun.metadata.dates.relative import read_moment
from bonmun.options import Favour, Options, Tables
from bonmun.outputs import DEFAULT_WORDS, FORMATS, SHORT_NAMES
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "ChunksParameters",
    "CompareParameters",
    "ExplainParameters",
    "ExtractParameters",
    "PageParameters",
    "RenderParameters",
    "describe_errors",
    "read_parameters",
]

Format = Literal["text", "markdown", "md", "html", "json", "xml"]
MethodName = Annotated[
    str,
    Field(
        description="A name from GET /methods.",
        max_length=100,
        examples=["auto"],
        json_schema_extra={"enum": list(PAGE_METHODS)},
    ),
]
LaidOutMethodName = Annotated[
    str,
    Field(
        description="A name from GET /methods; those that need a page laid out by a browser, too.",
        max_length=100,
        json_schema_extra={"enum": [name for name, info in METHODS.items() if not info.needs_site]},
    ),
]
LONGEST_URL = 4_000  # characters
LONGEST_TITLE = 4_000
MOST_WORDS = 100_000
MOST_PARAMETERS = 100
TOO_MANY = f"There are more than {MOST_PARAMETERS} parameters."

Parameters = TypeVar("Parameters", bound="PageParameters")


class PageParameters(BaseModel):
    """How a page is read."""

    model_config = ConfigDict(extra="forbid")

    url: str | None = Field(
        None,
        max_length=LONGEST_URL,
        description="Where the page came from; without any HTML, what is to be downloaded, if the service does that.",
        examples=["https://example.org/article"],
    )
    encoding: str | None = Field(
        None, max_length=100, description="What the page is written in, if you know.", examples=["euc-kr"]
    )
    title: str | None = Field(
        None, max_length=LONGEST_TITLE, description="The headline, for the methods that take one.", examples=[None]
    )

    def make_options(self, **more: Any) -> Options:
        """The options of the library."""
        given = self.model_dump(include=set(Options.__slots__) & set(type(self).model_fields))
        crawled = given.pop("crawled", None)
        if crawled is not None and (given.setdefault("crawled", read_moment(crawled)) is None):
            raise BadConfig(
                f"crawled is a day or a moment such as 2026-03-04 or 2026-03-04T09:00, not {make_readable(crawled)!r}."
            )
        return Options(**given, **more)


class MethodParameters(PageParameters):
    """How a page is read, and by which method."""

    method: MethodName = "auto"
    favour: Favour = Field("balanced", description="Keep less but surer, or more, with auto.")
    ruby: bool = Field(False, description="Keep readings: 漢字(かんじ).")
    crawled: str | None = Field(
        None,
        max_length=40,
        description="When the page was fetched, for dates such as “2 days ago”.",
        examples=["2026-03-04"],
        json_schema_extra={"format": "date"},
    )


class ExtractParameters(MethodParameters):
    """How a page is extracted and written."""

    format: Format | None = Field(
        None, description="text, markdown, html, json or xml (TEI); else what Accept asks for; else text."
    )
    links: bool = Field(False, description="Keep links.")
    images: bool = Field(False, description="Keep images.")
    embeds: bool = Field(False, description="Keep players of videos and the like, as links.")
    tables: Tables = Field("gfm", description="How Markdown has tables.")
    comments: bool = Field(False, description="Add the readers' comments.")
    front_matter: bool = Field(False, description="Title, author and the like as YAML over the Markdown.")
    posts: bool = Field(False, description="Say in Markdown who wrote each post of a thread.")

    def choose_format(self, preferred: str | None) -> str:
        """The format that was asked for, by its whole name; `preferred` is what Accept asks for."""
        name = self.format or preferred or "text"
        name = SHORT_NAMES.get(name, name)
        for option in ("front_matter", "posts"):
            if getattr(self, option) and name != "markdown":
                raise BadConfig(f"{option} is for Markdown: add format=markdown.")
        assert name in FORMATS
        return name


class RenderParameters(ExtractParameters):
    """How a page is extracted that a browser has laid out."""

    method: LaidOutMethodName = "auto"
    format: Literal["snapshot", "text", "markdown", "md", "html", "json", "xml"] | None = Field(  # type: ignore[assignment] # one more
        None, description="snapshot: all that the browser shows, as `bonmun render` writes it; else as /extract."
    )


class ChunksParameters(MethodParameters):
    """How a page is cut into chunks."""

    words: int = Field(DEFAULT_WORDS, ge=1, le=MOST_WORDS, description="Words of a chunk, at most.")
    overlap: int = Field(0, ge=0, le=MOST_WORDS, description="Words of a chunk that the next says again.")
    format: Literal["json", "jsonl"] | None = Field(None, description="A list, or a line for each chunk.")


class ExplainParameters(MethodParameters):
    """How a page is explained."""

    format: Literal["json", "text"] | None = Field(None, description="Values, or tables to read.")


class CompareParameters(PageParameters):
    """Which methods are compared."""

    methods: list[MethodName] = Field(
        default_factory=list, max_length=len(PAGE_METHODS), description="Those to compare; else all."
    )
    gold: str | None = Field(None, description="The right text, for the F1 of each.")
    format: Literal["json", "text"] | None = Field(None, description="Values, or tables to read.")


def read_parameters(kind: type[Parameters], query: str, body: dict[str, Any] | None = None) -> Parameters:
    """Check what a query, and a body in JSON, ask for; where both say something, the body counts.

    Raises BadConfig with a sentence. What a query says are texts, such as "true"; JSON has kinds of its own.
    """
    if body is not None and len(body) > MOST_PARAMETERS:  # pydantic would name each of a million
        raise BadConfig(TOO_MANY)
    try:
        found = kind.model_validate(_split_query(kind, query))
        if body is not None:
            found = kind.model_validate(found.model_dump(exclude_unset=True) | body, strict=True)
    except ValidationError as problem:
        raise BadConfig(describe_errors(problem.errors(include_url=False, include_input=False))) from None
    return found


def _split_query(kind: type[PageParameters], query: str) -> dict[str, Any]:
    try:
        pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=MOST_PARAMETERS)
    except ValueError:
        raise BadConfig(TOO_MANY) from None
    found: dict[str, Any] = {}
    for name, value in pairs:
        field = kind.model_fields.get(name)
        if field is not None and field.default_factory is list:
            found.setdefault(name, []).append(value)
        elif name in found:
            raise BadConfig(f"{make_readable(name)[:100]}: give it once.")
        else:
            found[name] = value
    return found


def describe_errors(errors: Sequence[Any]) -> str:
    """What pydantic found, in a sentence."""
    first = errors[0]
    place = [str(part) for part in first["loc"] if part not in ("query", "body")]
    name = make_readable(".".join(place))[:100]
    says = "there is no such parameter" if first["type"] == "extra_forbidden" else str(first["msg"])
    return f"{name or 'The body'}: {says[:1].lower()}{says[1:].rstrip('.')}."
