"""OpenAPI descriptions of requests and responses, which are not typed in FastAPI."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bonmun.app.serve.http.error_responses import ERROR_SCHEMA
from bonmun.app.serve.jobs import MEDIA_TYPES
from bonmun.app.serve.parameters import BATCH_PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.app.serve.parameters import Parameters

__all__ = ["describe_answers", "describe_batch", "describe_request", "describe_url_request"]

EXAMPLE = "<h1>Rivers</h1><p>The Han is the fourth longest river on the Korean peninsula.</p>"
PROBLEMS = {
    400: "Invalid HTTP: headers too long, a broken body, or a body in tiny pieces.",
    401: "The token is missing or wrong.",
    404: "The path is neither an endpoint nor a URL.",
    403: "Not allowed: another web site, a private address, or fetching is disabled.",
    408: "Timeout while receiving the body.",
    413: "The page is too large.",
    415: "Unsupported Content-Type, or a compressed body.",
    422: "The input is not a page, or a parameter is invalid.",
    500: "The child process died.",
    501: "A package is not installed, or rendering is disabled.",
    502: "The URL could not be downloaded.",
    503: "Too many requests are waiting; see Retry-After.",
    504: "The page exceeded its time limit.",
}


def describe_request(kind: type[Parameters]) -> dict[str, Any]:
    """Describe a request: parameters in the query, and a body that is the page, or JSON with page and parameters."""
    schema = kind.model_json_schema()
    schema.pop("title", None)
    parameters = _describe_query(schema)
    html = {"type": "string", "minLength": 1, "description": "The page.", "examples": [EXAMPLE]}
    schema["properties"] = {"html": html, **schema["properties"]}
    schema["anyOf"] = [{"required": ["html"]}, {"required": ["url"]}]
    page = {"schema": {"type": "string", "format": "binary", "minLength": 1}, "example": EXAMPLE}
    content = {"text/html": page, "application/json": {"schema": schema, "example": {"html": EXAMPLE}}}
    file = {"type": "string", "format": "binary", "minLength": 1, "description": "The page."}
    fields = {name: value for name, value in schema["properties"].items() if name != "html"}
    form = {"type": "object", "properties": {"file": file, **fields}, "required": ["file"]}
    return {"parameters": parameters, "requestBody": {"required": True, "content": content | _describe_form(form)}}


def _describe_form(schema: dict[str, Any]) -> dict[str, Any]:
    return {"multipart/form-data": {"schema": schema}}


def _describe_query(schema: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "query", "required": False, "schema": _leave_out_null(value)}
        | ({"description": value["description"]} if "description" in value else {})
        for name, value in schema["properties"].items()
    ]


def describe_url_request(kind: type[Parameters]) -> dict[str, Any]:
    """Describe a request with the URL in the path, and the other parameters in the query."""
    target = {
        "name": "url",
        "in": "path",
        "required": True,
        "description": "The URL as it is, not percent-encoded, such as https://example.org/page.",
        "schema": {"type": "string", "pattern": "^https?://"},
        "example": "https://example.org/page",
    }
    query = [each for each in _describe_query(kind.model_json_schema()) if each["name"] != "url"]
    return {"parameters": [target, *query]}


def describe_batch() -> dict[str, Any]:
    """Describe the endpoint for many URLs, as arguments of its route."""
    schema = BATCH_PARAMETERS.model_json_schema()
    schema["properties"].pop("url")
    schema["properties"]["urls"]["minItems"] = 1
    schema["required"] = ["urls"]
    example = {"urls": ["https://example.org/one", "https://example.org/two"], "format": "markdown"}
    content = {
        "application/json": {"schema": schema, "example": example},
        "text/plain": {"schema": {"type": "string", "minLength": 1}, "example": "\n".join(example["urls"])},
    }
    responses = describe_answers(("jsonl",))
    return {"responses": responses, "openapi_extra": {"requestBody": {"required": True, "content": content}}}


def _leave_out_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without null, which a query cannot express."""
    kinds = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    rest = {name: value for name, value in schema.items() if name not in ("anyOf", "default", "title", "description")}
    return rest | (kinds[0] if kinds else {})


def describe_answers(formats: Sequence[str]) -> dict[int | str, dict[str, Any]]:
    """Describe the responses: one per format, and the errors."""
    good = {MEDIA_TYPES[name].partition(";")[0]: _describe_format(name) for name in formats}
    bad: dict[int | str, dict[str, Any]] = {
        status: {"description": says, "content": {"application/json": {"schema": ERROR_SCHEMA}}}
        for status, says in PROBLEMS.items()
    }
    return {200: {"description": "Success.", "content": good}, **bad}


def _describe_format(name: str) -> dict[str, Any]:
    return {"schema": {} if name == "json" else {"type": "string"}}
