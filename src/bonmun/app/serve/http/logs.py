"""Logs: lines of JSON on stderr. They tell what was done and what went wrong, never what was in a page."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

__all__ = ["catch_logs", "log", "log_mistake"]

LEVELS = {"info": logging.WARNING, "warning": logging.WARNING, "error": logging.ERROR}  # what others log of themselves


def log(**values: Any) -> None:
    """Write a line."""
    line = json.dumps({"time": datetime.now(UTC).isoformat(timespec="milliseconds")} | values)
    with suppress(OSError, ValueError, AttributeError):  # nobody reads it any more, the disk is full: the service lives
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


def log_mistake(says: str, problem: BaseException) -> None:
    """Tell of an error that nobody expected: where it was raised, but not its message, which may quote the page."""
    places = [line.strip() for line in traceback.format_tb(problem.__traceback__)]
    log(level="error", says=says, problem=type(problem).__name__, places=places)


def catch_logs(name: str, level: str) -> None:
    """Have what a package logs written in the same form."""
    logger = logging.getLogger(name)
    logger.handlers = [_Handler()]
    logger.propagate = False
    logger.setLevel(LEVELS[level])


class _Handler(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        """Write a line for a record."""
        says = record.getMessage().strip()
        if record.exc_info and record.exc_info[1]:
            log_mistake(says, record.exc_info[1])
        else:
            log(level=record.levelname.lower(), says=says)
