"""What went wrong, as a small JSON answer with the library's own sentence."""

from __future__ import annotations

import json
from typing import Any

from bonmun import errors
from bonmun.errors import BonmunError

__all__ = ["PROBLEM_SCHEMA", "RETRY_SECONDS", "choose_status", "describe_problem", "name_status"]

RETRY_SECONDS = 1  # that whoever is told to come back is told to wait
STATUSES: dict[type[BonmunError], int] = {  # of a class, and of those below it that are not here
    errors.BadInput: 422,
    errors.TooBig: 413,
    errors.MissingInput: 404,
    errors.FetchFailed: 502,
    errors.AddressRefused: 403,
    errors.RenderFailed: 422,
    errors.BadConfig: 422,
    errors.BadGold: 422,
    errors.StaleLabels: 409,
    errors.Refused: 403,
    errors.TooBusy: 503,
    errors.TooSlow: 504,
    errors.OutOfMemory: 422,
    errors.MissingExtra: 501,
    BonmunError: 500,
}
TYPES = {401: "Refused", 403: "Refused", 408: "TooSlow", 413: "TooBig", 500: "WorkerDied", 501: "MissingExtra"}
PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["type", "message", "request"],
            "properties": {
                "type": {"type": "string", "description": "The class of the error in bonmun.errors."},
                "message": {"type": "string", "description": "What went wrong and what to do, in a sentence."},
                "request": {"type": "string", "description": "The id of the request, as in X-Request-Id and the logs."},
            },
        }
    },
}


def choose_status(problem: BonmunError) -> int:
    """The status of HTTP that says what kind of error it is."""
    return next(STATUSES[kind] for kind in type(problem).__mro__ if kind in STATUSES)


def name_status(status: int) -> str:
    """The name of the error that stands for a status, where no error of the library was raised."""
    return TYPES.get(status, "BadConfig" if status < 500 else "ServiceFailed")


def describe_problem(kind: str, says: str, request: str) -> bytes:
    """The body of an answer."""
    return json.dumps({"error": {"type": kind, "message": says, "request": request}}, ensure_ascii=False).encode(
        "utf-8", "replace"
    )
