"""What OpenAPI is told of bodies and answers, which are read and written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bonmun.app.serve.http.error_responses import PROBLEM_SCHEMA
from bonmun.app.serve.jobs import MEDIA_TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.app.serve.parameters import PageParameters

__all__ = ["describe_answers", "describe_request"]

EXAMPLE = "<h1>Rivers</h1><p>The Han is the fourth longest river on the Korean peninsula.</p>"
PROBLEMS = {
    400: "It is no request of HTTP: its headers are too long, its body is broken, or comes in pieces of a few bytes.",
    401: "The token is missing or wrong.",
    403: "Not from there, or not this: another web site, a private address, fetching that is off.",
    408: "The body did not come in time.",
    413: "The page is too big.",
    415: "The body is of another kind, or compressed.",
    422: "The input is no page, or a parameter is wrong.",
    500: "The process that worked on the page died.",
    501: "What is needed for it is not installed, or not allowed.",
    502: "The URL gave no page.",
    503: "Too many others wait; Retry-After says when to ask again.",
    504: "The page took too long.",
}


def describe_request(kind: type[PageParameters]) -> dict[str, Any]:
    """Parameters in the query, and a body: the page itself, or JSON with the page and the same parameters."""
    schema = kind.model_json_schema()
    schema.pop("title", None)
    parameters = [
        {"name": name, "in": "query", "required": False, "schema": _leave_out_null(value)}
        | ({"description": value["description"]} if "description" in value else {})
        for name, value in schema["properties"].items()
    ]
    html = {"type": "string", "minLength": 1, "description": "The page.", "examples": [EXAMPLE]}
    schema["properties"] = {"html": html, **schema["properties"]}
    schema["anyOf"] = [{"required": ["html"]}, {"required": ["url"]}]
    page = {"schema": {"type": "string", "format": "binary", "minLength": 1}, "example": EXAMPLE}
    content = {"text/html": page, "application/json": {"schema": schema, "example": {"html": EXAMPLE}}}
    return {"parameters": parameters, "requestBody": {"required": True, "content": content}}


def _leave_out_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The same without null, which no query can say."""
    kinds = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    rest = {name: value for name, value in schema.items() if name not in ("anyOf", "default", "title", "description")}
    return rest | (kinds[0] if kinds else {})


def describe_answers(formats: Sequence[str]) -> dict[int | str, dict[str, Any]]:
    """The answers: one in each format, and what can go wrong."""
    good = {MEDIA_TYPES[name].partition(";")[0]: _describe_format(name) for name in formats}
    bad: dict[int | str, dict[str, Any]] = {
        status: {"description": says, "content": {"application/json": {"schema": PROBLEM_SCHEMA}}}
        for status, says in PROBLEMS.items()
    }
    return {200: {"description": "The page was read.", "content": good}, **bad}


def _describe_format(name: str) -> dict[str, Any]:
    return {"schema": {} if name == "json" else {"type": "string"}}
