"""URLs as the keys of web archives' indexes: hosts back to front, so that pages of one site stand together.

    https://www.example.co.kr:8080/A/?b=2&a=1  →  kr,co,example:8080)/a?a=1&b=2

Scheme, `www.`, case, escapes, the order of parameters and a slash at the end tell no two pages apart here, as in the
keys that replay tools look for. Parameters of sessions do, unlike there: a crawl has taken them out.
"""

from __future__ import annotations

import re
from urllib.parse import quote_from_bytes, unquote_to_bytes, urlsplit

__all__ = ["make_surt"]

WWW = re.compile(r"^www[0-9]*\.")
SAFE = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) not in "#%")
MOST_UNESCAPED = 10  # times; who escapes a percent sign more often wants to be looked at for long
PORTS = {"http": "80", "https": "443"}


def make_surt(url: str) -> str:
    """The key of a URL: ASCII without blanks. What is no web address is its own key, escaped."""
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host:
        return _escape(url.strip().encode("utf-8", "replace"))
    name = WWW.sub("", _encode_host(host))
    labels = name if ":" in name else ",".join(reversed(name.split(".")))
    if port is not None and str(port) != PORTS.get(parts.scheme):
        labels += f":{port}"
    path = _join_segments(_normalise(parts.path))
    query = _normalise(parts.query)
    if query:
        path += "?" + "&".join(sorted(query.split("&"), key=lambda parameter: parameter.partition("=")[::2]))
    return f"{labels}){path}"


def _encode_host(host: str) -> str:
    host = host.strip(".").lower()
    try:
        return _escape(host.encode("ascii") if host.isascii() else host.encode("idna"))
    except UnicodeError:  # no name that can be looked up
        return _normalise(host)


def _normalise(text: str) -> str:
    """A part of a URL with the same escapes whoever wrote it, in small letters."""
    data = text.encode("utf-8", "replace")
    for _ in range(MOST_UNESCAPED):
        plain = unquote_to_bytes(data)
        if plain == data:
            break
        data = plain
    return _escape(data).lower()


def _escape(data: bytes) -> str:
    return quote_from_bytes(data, safe=SAFE)


def _join_segments(path: str) -> str:
    """A path without empty segments, and without steps up or on the spot."""
    segments: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            del segments[-1:]
        elif segment not in ("", "."):
            segments.append(segment)
    return "/" + "/".join(segments)
