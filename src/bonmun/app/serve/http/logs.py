"""Logs: lines of JSON on stderr, never with the content of a page."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

__all__ = ["log", "log_error", "redirect_logs"]

LEVELS = {"info": logging.WARNING, "warning": logging.WARNING, "error": logging.ERROR}  # of other packages


def log(**values: Any) -> None:
    """Write a line to the log."""
    line = json.dumps({"time": datetime.now(UTC).isoformat(timespec="milliseconds")} | values)
    with suppress(OSError, ValueError, AttributeError):  # a closed pipe or a full disk must not stop the service
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


def log_error(message: str, problem: BaseException) -> None:
    """Log an unexpected error with its traceback, but without its message, which may quote the page."""
    places = [line.strip() for line in traceback.format_tb(problem.__traceback__)]
    log(level="error", says=message, problem=type(problem).__name__, places=places)


def redirect_logs(name: str, level: str) -> None:
    """Write the log messages of another package in the same format."""
    logger = logging.getLogger(name)
    logger.handlers = [_Handler()]
    logger.propagate = False
    logger.setLevel(LEVELS[level])


class _Handler(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        """Write a record to the log."""
        message = record.getMessage().strip()
        if record.exc_info and record.exc_info[1]:
            log_error(message, record.exc_info[1])
        else:
            log(level=record.levelname.lower(), says=message)
