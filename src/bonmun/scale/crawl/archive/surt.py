"""Make SURT keys, the keys of web archive indexes: the host is reversed, so pages of one site are adjacent.

    https://www.example.co.kr:8080/A/?b=2&a=1  →  kr,co,example:8080)/a?a=1&b=2

Scheme, `www.`, case, escapes, the order of parameters and a trailing slash are ignored, as in the keys of replay tools.
Unlike there, session ids are kept: a crawl has already removed them.
"""

from __future__ import annotations

import re
from urllib.parse import quote_from_bytes, unquote_to_bytes, urlsplit

__all__ = ["make_surt"]

WWW = re.compile(r"^www[0-9]*\.")
SAFE = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) not in "#%")
MAX_UNESCAPE_ROUNDS = 10  # a bound against hostile URLs
DEFAULT_PORTS = {"http": "80", "https": "443"}


def make_surt(url: str) -> str:
    """Return the SURT key of a URL: ASCII without spaces. If it is not a web URL, return it percent-encoded."""
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host:
        return _escape(url.strip().encode("utf-8", "replace"))
    name = WWW.sub("", _encode_host(host))
    labels = name if ":" in name else ",".join(reversed(name.split(".")))
    if port is not None and str(port) != DEFAULT_PORTS.get(parts.scheme):
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
    except UnicodeError:  # not a valid host name
        return _normalise(host)


def _normalise(text: str) -> str:
    """Return a part of a URL in lower case and with normalised escapes."""
    data = text.encode("utf-8", "replace")
    for _ in range(MAX_UNESCAPE_ROUNDS):
        plain = unquote_to_bytes(data)
        if plain == data:
            break
        data = plain
    return _escape(data).lower()


def _escape(data: bytes) -> str:
    return quote_from_bytes(data, safe=SAFE)


def _join_segments(path: str) -> str:
    """Return a path without empty and dot segments."""
    segments: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            del segments[-1:]
        elif segment not in ("", "."):
            segments.append(segment)
    return "/" + "/".join(segments)
