"""Normalise URLs: parse them as browsers do, and remove whatever does not select another page.

The order of query parameters is kept, because some servers depend on it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote_from_bytes

from bonmun.errors import MissingExtra
from bonmun.scale.crawl.discover.parameters import drop_parameters, drop_path_session

try:
    from ada_url import URL, join_url
except ImportError:
    raise MissingExtra("URLs are parsed with ada-url: pip install 'bonmun[crawl]'.") from None

__all__ = ["MAX_URL_CHARS", "normalise_escapes", "normalise_url"]

MAX_URL_CHARS = 2_000  # of a normalised URL; longer ones are not fetched
MAX_RAW_CHARS = 20_000  # of a URL as written; longer ones cannot become short enough
MAX_HOST_CHARS = 253  # the limit of DNS
HOST = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*|\[[0-9a-f:]+\]")  # a name that DNS accepts, or an address
# Browsers encode a query in the encoding of its page. Python codecs of these names lack characters browsers know.
CODECS = {"euc-kr": "cp949", "shift_jis": "cp932", "gbk": "gb18030", "big5": "big5hkscs"}
UNICODE_ENCODINGS = ("utf-8", "utf8", "utf-16", "utf-16-le", "utf-16-be")  # their queries are sent as UTF-8
NON_ASCII = re.compile(r"[^\x00-\x7f]+")
ESCAPE = re.compile(r"%(?:([0-9A-Fa-f]{2})|)")
UNRESERVED = {f"{ord(c):02X}": c for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"}
# Most links match this pattern (scheme, host, path, query) and need no parser. No path segment starts with a full stop.
SIMPLE_URL = re.compile(
    r"(?:(https?:)?//((?:[a-z0-9][a-z0-9-]{0,62}+\.)++[a-z][a-z-]{0,62}+))?+"
    r"((?:/[A-Za-z0-9_~-][A-Za-z0-9_.~-]*+)*+/?)(?:\?([A-Za-z0-9_.~=&+-]++))?+(?:#.*)?",
    re.DOTALL,
)


class _BaseUrl(NamedTuple):
    """The URL that relative URLs are resolved against, normalised."""

    url: str
    scheme: str  # with its colon
    origin: str


def normalise_url(url: str, base: str | None = None, encoding: str = "utf-8") -> str | None:
    """Return the normal form of a URL, or None if it cannot be fetched.

    `encoding` is the encoding of the page the link is on: like browsers, the query is encoded in it and the rest in
    UTF-8.

    >>> normalise_url("../글?utm_source=x&no=%3a1#c", "HTTPS://Example.org:443/a/b/")
    'https://example.org/a/%EA%B8%80?no=%3A1'
    >>> normalise_url("mailto:kim@example.org"), normalise_url("http://kim:secret@example.org/")
    (None, None)
    """
    if len(url) > MAX_RAW_CHARS:
        return None
    parsed_base = _parse_base(base) if base else None
    if simple := SIMPLE_URL.fullmatch(url):
        scheme, host, path, query = simple.groups()
        origin = parsed_base.origin if parsed_base and path else ""
        if host:
            scheme = scheme or (parsed_base.scheme if parsed_base else "")
            origin = f"{scheme}//{host}" if scheme and len(host) <= MAX_HOST_CHARS else ""
        if origin:
            return _join(origin, path or "/", drop_parameters(query) if query else "")
    if not url.isascii():
        url = _encode_query(url, encoding)
    return _normalise(url, parsed_base.url if parsed_base else None)


def _join(origin: str, path: str, query: str) -> str | None:
    url = f"{origin}{path}?{query}" if query else origin + path
    return url if len(url) <= MAX_URL_CHARS else None


def _normalise(url: str, base: str | None) -> str | None:
    try:
        href: str = join_url(base, url) if base else URL(url).href
    except ValueError:
        return None
    scheme, _, rest = href.partition("#")[0].partition("//")
    rest, _, query = rest.partition("?")
    authority, _, path = rest.partition("/")
    origin = _normalise_origin(scheme, authority)
    if origin is None:
        return None
    path = "/" + normalise_escapes(path)
    short_path = drop_path_session(path)
    if short_path != path and "/." in short_path:  # "..;sid=1" has become ".."
        return _normalise(f"{origin}{short_path}?{query}", None)
    query = normalise_escapes(query).replace("\\", "%5C")
    return _join(origin, short_path, drop_parameters(query))


@lru_cache(maxsize=256)
def _parse_base(base: str) -> _BaseUrl | None:
    url = _normalise(_encode_query(base, "utf-8"), None) if len(base) <= MAX_RAW_CHARS else None
    if url is None:
        return None
    scheme, _, rest = url.partition("//")
    return _BaseUrl(url, scheme, f"{scheme}//{rest.partition('/')[0]}")


@lru_cache(maxsize=4096)
def _normalise_origin(scheme: str, authority: str) -> str | None:
    """Return scheme, host and port; None for other schemes, for credentials, and for hosts that DNS does not accept."""
    host, colon, port = authority.rpartition(":")
    if not colon or port.endswith("]"):
        host, port = authority, ""
    host = host.removesuffix(".")
    if scheme not in ("http:", "https:") or port == "0" or "@" in authority:
        return None
    if len(host) > MAX_HOST_CHARS or not HOST.fullmatch(host):
        return None
    return f"{scheme}//{host}:{port}" if port else f"{scheme}//{host}"


def _encode_query(url: str, encoding: str) -> str:
    """Percent-encode a query in the encoding of the page; join surrogate pairs, and replace lone surrogates."""
    if not url.isprintable():
        url = url.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if encoding.lower() in UNICODE_ENCODINGS:
        return url  # the parser does it
    codec = CODECS.get(encoding.lower(), encoding)

    def encode_run(run: re.Match[str]) -> str:
        try:  # like browsers, send what the encoding lacks as a character reference
            return quote_from_bytes(run[0].encode(codec, "xmlcharrefreplace"), safe="")
        except (LookupError, UnicodeError):
            return quote_from_bytes(run[0].encode(), safe="")

    url, hash_mark, fragment = url.partition("#")
    url, mark, query = url.partition("?")
    return f"{url}{mark}{NON_ASCII.sub(encode_run, query)}{hash_mark}{fragment}"


def normalise_escapes(text: str) -> str:
    """Write escapes in upper case, and decode those of unreserved characters. Other encodings than UTF-8 are kept."""
    return ESCAPE.sub(_normalise_escape, text) if "%" in text else text


def _normalise_escape(escape: re.Match[str]) -> str:
    digits = (escape[1] or "25").upper()  # a percent sign without digits stands for itself
    return UNRESERVED.get(digits) or f"%{digits}"
