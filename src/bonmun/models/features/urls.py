"""What is read of addresses, that of the page and those of its links, before any of it is a number in an array."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import urlsplit

from bonmun.models.features.page_arrays import ADDRESS_FACTS

__all__ = ["ADDRESS_CHARACTERS", "CONTACTS", "MOST", "NOWHERE", "USUAL", "describe_address", "split_address"]

ADDRESS_CHARACTERS = 300  # of a link are read
CONTACTS = ("mailto:", "tel:", "sms:")
NOWHERE = ("#", "javascript:")
# What counts of a link are divided by, so that usual values are about 1: the columns of TARGETS but the last two, which
# are logarithms. No value counts as more than MOST.
USUAL = (1.0, 1.0, 1.0, 1.0, 4.0, 40.0, 5.0, 8.0, 1.0, 1.0, 1.0)
MOST = 2.0


def split_address(address: str) -> tuple[str, str, str]:
    """The host, empty if the address is relative; the path, without slashes at its ends; the query."""
    address, _, query = address.partition("?")
    start = address.find("//", 0, len("https://"))
    if start < 0:
        return "", address.strip("/"), query
    host, _, path = address[start + 2 :].partition("/")
    return host.removeprefix("www.").lower(), path.strip("/"), query


@lru_cache(maxsize=64)
def describe_address(url: str) -> tuple[float, ...]:
    """Say what ADDRESS_FACTS lists; counts are about 1 if they are usual, and 2 at most."""
    try:
        path, query = urlsplit(url)[2:4]
    except ValueError:
        return (0.0,) * len(ADDRESS_FACTS)
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
