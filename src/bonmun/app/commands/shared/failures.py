"""What is said of inputs that failed: each is named once, and like reasons are counted together."""

from __future__ import annotations

import re

from bonmun.scale.web.download import shorten_url

__all__ = ["find_reason", "name_once"]

REDIRECTED = re.compile(r"(\S+) \(redirected from \S*\) ")  # how errors begin of what a redirect led to
REASON_CHARS = 120  # that are shown
NUMBERS = re.compile(r"[\d,]{4,}")  # of bytes, seconds: they part what belongs together


def name_once(name: str, error: str) -> str:
    """A line for an input that failed: its name, and then the error without it.

    >>> name_once("https://a.example/", "https://a.example/ answered with status 404.")
    'https://a.example/: answered with status 404.'
    """
    where, reason = _split(name, error)
    return f"{name}: redirected to {where}, which {reason}" if where else f"{name}: {reason}"


def find_reason(name: str, error: str) -> str:
    """Why an input failed, in the words that others like it fail with.

    >>> find_reason("https://a.example/", "https://a.example/ answered with status 404.")
    'answered with status 404'
    """
    reason = _split(name, error)[1].partition(";")[0]
    return NUMBERS.sub("…", reason)[:REASON_CHARS].rstrip(".")


def _split(name: str, error: str) -> tuple[str | None, str]:
    """Where a redirect led, if one did, and the error without addresses before it."""
    if found := REDIRECTED.match(error):
        return found[1], error[found.end() :]
    return None, error.removeprefix(f"{shorten_url(name)} ")
