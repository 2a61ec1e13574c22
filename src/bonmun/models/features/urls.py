"""Split and describe URLs: that of the page and those of its links."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import urlsplit

from bonmun.models.features.page_arrays import URL_FIELDS

__all__ = [
    "CONTACTS",
    "MAX_SCALED_VALUE",
    "MAX_URL_CHARACTERS",
    "NOWHERE",
    "TYPICAL_VALUES",
    "describe_url",
    "split_url",
]

MAX_URL_CHARACTERS = 300  # of a link that are read
CONTACTS = ("mailto:", "tel:", "sms:")
NOWHERE = ("#", "javascript:")
# Divisors that scale typical values of a link to about 1: the columns of TARGETS except the last two, which are
# logarithms. Scaled values are at most MAX_SCALED_VALUE.
TYPICAL_VALUES = (1.0, 1.0, 1.0, 1.0, 4.0, 40.0, 5.0, 8.0, 1.0, 1.0, 1.0)
MAX_SCALED_VALUE = 2.0


def split_url(url: str) -> tuple[str, str, str]:
    """Return the host (empty for a relative URL), the path without outer slashes, and the query."""
    url, _, query = url.partition("?")
    start = url.find("//", 0, len("https://"))
    if start < 0:
        return "", url.strip("/"), query
    host, _, path = url[start + 2 :].partition("/")
    return host.removeprefix("www.").lower(), path.strip("/"), query


@lru_cache(maxsize=64)
def describe_url(url: str) -> tuple[float, ...]:
    """Return the values of URL_FIELDS; typical counts are about 1, and the maximum is 2."""
    try:
        path, query = urlsplit(url)[2:4]
    except ValueError:
        return (0.0,) * len(URL_FIELDS)
    parts = [part for part in path.split("/") if part]
    last = parts[-1] if parts else ""
    return (
        1.0,
        _scale(len(parts), usual=4),
        float(not parts and not query),
        float(bool(query)),
        _scale(sum(map(str.isdigit, path)), usual=8),
        _scale(len(last), usual=40),
        _scale(last.count("-") + last.count("_"), usual=5),
        float("." in last),
    )


def _scale(count: int, usual: int) -> float:
    return min(count, 2 * usual) / usual
