"""Messages about inputs that failed: each is named once, and equal reasons are counted."""

from __future__ import annotations

import re

from bonmun.scale.web.download import shorten_url

__all__ = ["find_reason", "name_once"]

REDIRECTED = re.compile(r"(\S+) \(redirected from \S*\) ")  # the start of errors after a redirect
MAX_REASON_CHARS = 120
NUMBERS = re.compile(r"[\d,]{4,}")  # bytes, seconds: would split equal reasons


def name_once(name: str, error: str) -> str:
    """Return a line for an input that failed: its name, then the error without the name.

    >>> name_once("https://a.example/", "https://a.example/ answered with status 404.")
    'https://a.example/: answered with status 404.'
    """
    where, reason = _split(name, error)
    return f"{name}: redirected to {where}, which {reason}" if where else f"{name}: {reason}"


def find_reason(name: str, error: str) -> str:
    """Return why an input failed, without details, so that equal reasons can be counted.

    >>> find_reason("https://a.example/", "https://a.example/ answered with status 404.")
    'answered with status 404'
    """
    reason = _split(name, error)[1].partition(";")[0]
    return NUMBERS.sub("…", reason)[:MAX_REASON_CHARS].rstrip(".")


def _split(name: str, error: str) -> tuple[str | None, str]:
    """Return the target of a redirect, if there was one, and the error without the URLs."""
    if found := REDIRECTED.match(error):
        return found[1], error[found.end() :]
    return None, error.removeprefix(f"{shorten_url(name)} ")
