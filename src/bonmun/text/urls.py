"""Addresses that pages give: only those that a reader can follow without harm are kept, for links and facts alike."""

from __future__ import annotations

import re
from urllib.parse import urljoin

from bonmun.bounds import MAX_URL_CHARS
from bonmun.text.readable import make_readable

__all__ = ["find_scheme", "read_url"]

SAFE_SCHEMES = frozenset({"http", "https", "mailto", "tel"})
PAGE_SCHEMES = frozenset({"http", "https"})
# An address that is whole, and that joining it to another would leave as it is: most are, and joining takes long.
PLAIN = re.compile(
    r"https?://[\w.-]+(?::[0-9]+)?(?:/[\w./%~@!$&'()*+,=:-]*)?"  # host and path
    r"(?:\?[\w./%~@!$&'()*+,=:-]+)?(?:#[\w./%-]+)?\Z",
    re.A,
)
UNSEEN = dict.fromkeys(map(ord, "\t\n\r"))  # browsers read over these wherever they stand in an address
SCHEME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789+-.")


def read_url(url: str | None, base: str = "") -> str | None:
    """An address made absolute; None if there is none, or it is broken, too long, or of a scheme that is not safe.

    A base that is no web address, such as that of a file, is not used.

    >>> read_url("../b?c", "https://example.org/a/"), read_url("JavaScript:alert(1)"), read_url("b.html", "file:///a")
    ('https://example.org/b?c', None, 'b.html')
    """
    if not url or len(url) > MAX_URL_CHARS:
        return None
    if PLAIN.match(url):
        return url
    url = make_readable(url if url.isprintable() else url.translate(UNSEEN))
    scheme = find_scheme(url)
    if scheme not in SAFE_SCHEMES and scheme is not None:
        return None
    if scheme in PAGE_SCHEMES and PLAIN.match(url):
        return url if len(url) <= MAX_URL_CHARS else None
    if url and base and scheme not in SAFE_SCHEMES - PAGE_SCHEMES and find_scheme(base) in PAGE_SCHEMES:
        try:
            url = urljoin(base, url)
        except ValueError:
            return None
    return url if 0 < len(url) <= MAX_URL_CHARS else None


def find_scheme(url: str) -> str | None:
    """What stands before the first colon, in lower case, if it can be a scheme; None for a relative address."""
    start, colon, _ = url[:MAX_URL_CHARS].partition(":")
    start = start.lower()
    is_scheme = bool(colon and start) and start[0].isalpha() and SCHEME_CHARACTERS.issuperset(start)
    return start if is_scheme else None
