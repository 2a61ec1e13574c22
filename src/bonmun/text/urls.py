"""Resolve the URLs on a page, and keep only those that are safe to follow."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urljoin

from bonmun.bounds import MAX_URL_CHARS
from bonmun.text.readable import make_readable

__all__ = ["PAGE_SCHEMES", "find_scheme", "read_url"]

SAFE_SCHEMES = frozenset({"http", "https", "mailto", "tel"})
PAGE_SCHEMES = frozenset({"http", "https"})
# An absolute URL that urljoin would return unchanged. Most are, and urljoin is slow.
PLAIN_URL = re.compile(
    r"https?://[\w.-]+(?::[0-9]+)?(?:/[\w./%~@!$&'()*+,=:-]*)?"  # host and path
    r"(?:\?[\w./%~@!$&'()*+,=:-]+)?(?:#[\w./%-]+)?\Z",
    re.A,
)
# A relative URL that urljoin would only put after the start of a plain base; one with "//" or "/." it would change.
PLAIN_PATH = re.compile(r"/?\w[\w./%~@!$&'()*+,=-]*(?:\?[\w./%~@!$&'()*+,=:-]+)?(?:#[\w./%-]+)?\Z", re.A)
PLAIN_FRAGMENT = re.compile(r"#[\w./%-]+\Z", re.A)
KNOWN_BASES = 16  # bases whose parts are remembered; all links of a page have the same
IGNORED_CHARACTERS = dict.fromkeys(map(ord, "\t\n\r"))  # browsers ignore these anywhere in a URL
SCHEME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789+-.")


def read_url(url: str | None, base: str = "") -> str | None:
    """Return an absolute URL; None if it is missing, invalid, too long, or its scheme is not safe.

    A base that is not a web URL, such as that of a file, is ignored.

    >>> read_url("../b?c", "https://example.org/a/"), read_url("JavaScript:alert(1)"), read_url("b.html", "file:///a")
    ('https://example.org/b?c', None, 'b.html')
    """
    if not url or len(url) > MAX_URL_CHARS:
        return None
    if PLAIN_URL.match(url):
        return url
    if base and (joined := _join_plain(base, url)):
        return joined if len(joined) <= MAX_URL_CHARS else None
    url = make_readable(url if url.isprintable() else url.translate(IGNORED_CHARACTERS))
    scheme = find_scheme(url)
    if scheme not in SAFE_SCHEMES and scheme is not None:
        return None
    if scheme in PAGE_SCHEMES and PLAIN_URL.match(url):
        return url if len(url) <= MAX_URL_CHARS else None
    if url and base and scheme not in SAFE_SCHEMES - PAGE_SCHEMES and find_scheme(base) in PAGE_SCHEMES:
        try:
            url = urljoin(base, url)
        except ValueError:
            return None
    return url if 0 < len(url) <= MAX_URL_CHARS else None


def _join_plain(base: str, url: str) -> str:
    """Return what urljoin returns for a plain relative URL; "" for any other URL or base."""
    origin, folder, page = _split_base(base)
    if not origin:
        return ""
    if PLAIN_PATH.match(url) and "//" not in url and "/." not in url:
        return (origin if url[0] == "/" else folder) + url
    return page + url if PLAIN_FRAGMENT.match(url) else ""


@lru_cache(maxsize=KNOWN_BASES)
def _split_base(base: str) -> tuple[str, str, str]:
    """Return origin, folder and address without fragment of a plain base URL; empty for other bases."""
    if not PLAIN_URL.match(base) or "/." in base or "//" in base[len("https://") :]:
        return "", "", ""
    page = base.partition("#")[0]
    path = page.partition("?")[0]
    start = path.find("/", len("https://"))
    return (path[:start], path[: path.rfind("/") + 1], page) if start >= 0 else (path, f"{path}/", page)


def find_scheme(url: str) -> str | None:
    """Return the scheme of a URL in lower case; None for a relative URL."""
    start, colon, _ = url[:MAX_URL_CHARS].partition(":")
    start = start.lower()
    is_scheme = bool(colon and start) and start[0].isalpha() and SCHEME_CHARACTERS.issuperset(start)
    return start if is_scheme else None
