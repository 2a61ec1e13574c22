"""Error responses: a small JSON object with the message of the library."""

from __future__ import annotations

import json
from typing import Any

from bonmun import errors
from bonmun.errors import BonmunError

__all__ = ["ERROR_SCHEMA", "RETRY_SECONDS", "choose_status", "describe_error", "name_error", "write_error"]

RETRY_SECONDS = 1  # value of the Retry-After header
STATUSES: dict[type[BonmunError], int] = {  # also for subclasses that are not listed
    errors.BadInput: 422,
    errors.TooBig: 413,
    errors.MissingInput: 404,
    errors.MissingPart: 422,
    errors.FetchFailed: 502,
    errors.AddressRefused: 403,
    errors.RenderFailed: 422,
    errors.BadConfig: 422,
    errors.BadGold: 422,
    errors.StaleLabels: 409,
    errors.StaleRules: 409,
    errors.Refused: 403,
    errors.TooBusy: 503,
    errors.TooSlow: 504,
    errors.OutOfMemory: 422,
    errors.MissingExtra: 501,
    BonmunError: 500,
}
TYPES = {401: "Refused", 403: "Refused", 408: "TooSlow", 413: "TooBig", 500: "WorkerDied", 501: "MissingExtra"}
ERROR_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["type", "message", "request"],
            "properties": {
                "type": {"type": "string", "description": "Class of the error in bonmun.errors."},
                "message": {"type": "string", "description": "What went wrong, and what to do."},
                "request": {
                    "type": "string",
                    "description": "Id of the request, as in the X-Request-Id header and the log.",
                },
            },
        }
    },
}


def choose_status(problem: BonmunError) -> int:
    """Return the HTTP status for an error."""
    return next(STATUSES[kind] for kind in type(problem).__mro__ if kind in STATUSES)


def name_error(status: int) -> str:
    """Return the error class to report for an HTTP status if the library raised no error."""
    return TYPES.get(status, "BadConfig" if status < 500 else "ServiceFailed")


def write_error(kind: str, message: str, request: str) -> bytes:
    """Return the body of an error response."""
    return json.dumps({"error": {"type": kind, "message": message, "request": request}}, ensure_ascii=False).encode(
        "utf-8", "replace"
    )


def describe_error(url: str, problem: BonmunError) -> bytes:
    """Return the line of a page of many that failed."""
    values = {"url": url, "error": {"type": type(problem).__name__, "message": str(problem)}}
    return json.dumps(values, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
