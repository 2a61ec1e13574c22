"""One address for one page: what links say, as browsers read it, without what makes no difference.

The order of the parameters of a query stays, since some servers go by it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, quote_from_bytes

from bonmun.scale.crawl.discover.hosts import HOST_CHARS, read_host
from bonmun.scale.crawl.discover.parameters import drop_parameters, drop_path_session

__all__ = ["URL_LIMIT_CHARS", "normalise_url"]

URL_LIMIT_CHARS = 2_000  # of an address; longer ones are not fetched
READ_CHARS = 20_000  # no address that is longer as it is written gets short enough by being normalised
# What browsers write queries in where a page is of such an encoding: Python's codecs of these names know fewer letters.
ENCODERS = {"euc-kr": "cp949", "shift_jis": "cp932", "gbk": "gb18030", "big5": "big5hkscs"}
UTF = ("utf-8", "utf8", "utf-16", "utf-16-le", "utf-16-be")  # whose queries are UTF-8
PORTS = {"http": "80", "https": "443"}
ENDS = "".join(map(chr, range(33)))  # what browsers take off both ends
UNSEEN = dict.fromkeys(map(ord, "\t\n\r"))  # what browsers read over wherever it stands
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
PORT = re.compile(r"0*([1-9][0-9]{0,4})")
# Most links are as simple as these, and are in order as they stand. No segment starts with a full stop.
SEGMENTS = r"(?:/[A-Za-z0-9_~-][A-Za-z0-9_.~-]*)+/?|/"
SIMPLE_PATH = re.compile(rf"({SEGMENTS})(?:\?([A-Za-z0-9_.~=&+-]+))?")
SIMPLE_URL = re.compile(
    rf"(https?://(?:[a-z0-9][a-z0-9-]{{0,62}}\.)+[a-z][a-z-]{{0,62}})({SEGMENTS})(?:\?([A-Za-z0-9_.~=&+-]+))?"
)
ESCAPE = re.compile(r"%(?:([0-9A-Fa-f]{2})|)")
UNRESERVED = {f"{ord(c):02X}": c for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"}
# What browsers write as it is in a path and in a query; all else is quoted.
PATH_QUOTED = re.compile(r"[^A-Za-z0-9_.%/:@!$&'()*+,;=\[\]|~-]+")
QUERY_QUOTED = re.compile(r"[^A-Za-z0-9_.%/?:@!$&()*+,;=\[\]|~{}^`-]+")


class _Base(NamedTuple):
    """The parts of the address that others are relative to."""

    scheme: str
    origin: str
    path: str
    query: str


def normalise_url(url: str, base: str | None = None, encoding: str = "utf-8") -> str | None:
    """The one spelling of an address; None if it leads to nothing that can be fetched.

    `encoding` is that of the page: browsers write the query of a link in it, and the rest in UTF-8.

    >>> normalise_url("../글?utm_source=x&no=%3a1#c", "HTTPS://Example.org:443/a/b/")
    'https://example.org/a/%EA%B8%80?no=%3A1'
    >>> normalise_url("mailto:kim@example.org"), normalise_url("http://kim:secret@example.org/")
    (None, None)
    """
    if len(url) > READ_CHARS:
        return None
    if (simple := SIMPLE_URL.fullmatch(url)) and simple.end(1) < HOST_CHARS:
        origin, path, query = simple.groups()
        return _put_together(origin, path, drop_parameters(query) if query else "")
    around = _read_base(base) if base else None
    if around and (simple := SIMPLE_PATH.fullmatch(url)):
        path, query = simple.groups()
        return _put_together(around.origin, path, drop_parameters(query) if query else "")
    return _normalise(url, around, encoding)


def _put_together(origin: str, path: str, query: str) -> str | None:
    url = f"{origin}{path}?{query}" if query else origin + path
    return url if len(url) <= URL_LIMIT_CHARS else None


def _normalise(url: str, base: _Base | None, encoding: str) -> str | None:
    url = url.strip(ENDS)
    if not url.isprintable():
        url = url.translate(UNSEEN)
    url = url.partition("#")[0]
    if not url.isascii():
        url = _mend(url)
    scheme = base.scheme if base else ""
    if found := SCHEME.match(url):
        named, url = found[1].lower(), url[found.end() :]
        if named not in PORTS:
            return None
        # on a page of the same scheme, "http:a" and "http:/a" are relative; elsewhere "a" is a host
        if named != scheme and not _has_slashes(url):
            url = "//" + url.lstrip("/\\")
        scheme = named
    rest, mark, query = url.partition("?")
    rest = rest.replace("\\", "/")
    if rest.startswith("//"):
        authority, slash, path = rest.lstrip("/").partition("/")
        origin = _read_origin(scheme, authority)
        path = slash + path
    elif not base:
        return None
    else:
        origin = base.origin
        path = rest if rest.startswith("/") else base.path.rpartition("/")[0] + "/" + rest
        if not rest:
            path, query = base.path, query if mark else base.query
    if not origin:
        return None
    return _put_together(origin, _normalise_path(path), drop_parameters(_normalise_query(query, encoding)))


def _has_slashes(url: str) -> bool:
    return url[:1] in ("/", "\\") and url[1:2] in ("/", "\\")


def _mend(url: str) -> str:
    """Halves of characters put together, or replaced where the other half is missing."""
    if url.isprintable():  # which no half is
        return url
    return url.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@lru_cache(maxsize=256)
def _read_base(base: str) -> _Base | None:
    """A page's address, taken apart; None if nothing can be relative to it."""
    url = _normalise(base, None, "utf-8") if len(base) <= READ_CHARS else None
    if url is None:
        return None
    scheme, _, rest = url.partition("://")
    rest, _, query = rest.partition("?")
    authority, _, path = rest.partition("/")
    return _Base(scheme, f"{scheme}://{authority}", f"/{path}", query)


@lru_cache(maxsize=4096)
def _read_origin(scheme: str, authority: str) -> str | None:
    """Scheme, host and port of an address; None if there is no such host, or a password is given."""
    if "@" in authority or not scheme:
        return None
    host, colon, port = authority.rpartition(":")
    if not colon or port.endswith("]"):
        host, port = authority, ""
    name = read_host(host)
    if name is None or (port and not PORT.fullmatch(port)):
        return None
    port = port.lstrip("0")
    if port and int(port) > 65535:
        return None
    return f"{scheme}://{name}" + (f":{port}" if port and port != PORTS[scheme] else "")


def _normalise_path(path: str) -> str:
    path = drop_path_session(_normalise_escapes(path))
    path = PATH_QUOTED.sub(_quote_run, path)
    if "/." in path:
        path = _remove_dots(path)
    return path or "/"


def _remove_dots(path: str) -> str:
    kept: list[str] = []
    *heads, last = path.split("/")[1:]
    for segment in heads:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if last == "..":
        del kept[-1:]
    kept.append("" if last in (".", "..") else last)
    return "/" + "/".join(kept)


def _quote_run(run: re.Match[str]) -> str:
    return _quote(run[0])


@lru_cache(maxsize=4096)
def _quote(text: str) -> str:
    return quote(text, safe="")


def _normalise_query(query: str, encoding: str) -> str:
    query = _normalise_escapes(query)
    if query.isascii() or encoding.lower() in UTF:
        return QUERY_QUOTED.sub(_quote_run, query)

    codec = ENCODERS.get(encoding.lower(), encoding)

    def quote_run(run: re.Match[str]) -> str:
        try:  # what an encoding lacks is sent as a character reference, as browsers do
            return quote_from_bytes(run[0].encode(codec, "xmlcharrefreplace"), safe="")
        except (LookupError, UnicodeError):
            return quote(run[0], safe="")

    return QUERY_QUOTED.sub(quote_run, query)


def _normalise_escapes(text: str) -> str:
    """Escapes in upper case, and only of what must be escaped; bytes of other encodings than UTF-8 stay as they are."""
    return ESCAPE.sub(_read_escape, text) if "%" in text else text


def _read_escape(escape: re.Match[str]) -> str:
    digits = (escape[1] or "25").upper()  # a lone percent sign means itself
    return UNRESERVED.get(digits) or f"%{digits}"
