"""Parse robots.txt with protego, as RFC 9309 specifies.

Without the file (4xx) everything is allowed. If it is temporarily unavailable (5xx, 429, no response), nothing is.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes

from bonmun.errors import MissingExtra
from bonmun.scale.crawl.discover.urls import normalise_url

if TYPE_CHECKING:
    from protego import Protego

__all__ = ["MAX_ROBOTS_BYTES", "Robots"]

MAX_ROBOTS_BYTES = 500_000  # the rest is not read
MAX_SITEMAPS = 1_000  # of one robots.txt; the rest is ignored
TOO_MANY_REQUESTS = 429
HTML = re.compile(rb"\s*<(?:!doctype|html|head|body|\?xml|!--)", re.I)
NON_ASCII = re.compile(rb"[\x80-\xff]+")


class Robots:
    """The rules of one host."""

    def __init__(self, rules: Protego | None, *, is_unavailable: bool = False, url: str | None = None) -> None:
        self._rules = rules  # None: no rules
        self.is_unavailable = is_unavailable  # temporarily; then nothing is allowed
        self._url = url

    @classmethod
    def parse(cls, body: bytes, status: int, url: str | None = None) -> Robots:
        """Parse the response to a request for robots.txt; status 0 means no response.

        `url` is the URL of the file, needed only to resolve relative sitemap URLs.
        """
        if 200 <= status < 300:
            return cls(_load(_decode(body[:MAX_ROBOTS_BYTES])), url=url)
        if 300 <= status < 500 and status != TOO_MANY_REQUESTS:
            return cls(None, url=url)
        return cls(None, is_unavailable=True, url=url)

    def allows(self, url: str, agent: str) -> bool:
        """Return whether a robot may fetch a URL. `agent` is its name, such as "bonmun", or its whole User-Agent."""
        if self._rules is None:
            return not self.is_unavailable
        try:
            return self._rules.can_fetch(url, agent)
        except ValueError:  # not a valid URL
            return False

    def find_delay(self, agent: str) -> float | None:
        """Return the delay in seconds that a robot must keep between requests; None if unspecified."""
        if self._rules is None:
            return None
        rate = self._rules.request_rate(agent)
        delays = [self._rules.crawl_delay(agent), rate.seconds / rate.requests if rate else None]
        return max((delay for delay in delays if delay is not None), default=None)

    @property
    def sitemaps(self) -> list[str]:
        """The URLs of the sitemaps listed in the file."""
        listed = list(self._rules.sitemaps)[:MAX_SITEMAPS] if self._rules else []
        urls = (normalise_url(each, self._url) for each in listed)
        return list(dict.fromkeys(url for url in urls if url))


def _load(text: str) -> Protego:
    try:
        from protego import Protego
    except ImportError:
        raise MissingExtra("robots.txt is parsed with protego: pip install 'bonmun[crawl]'.") from None
    return Protego.parse(text)


def _decode(body: bytes) -> str:
    """Return the text of a robots.txt; empty if it is an HTML page, which many hosts send for every URL."""
    for mark, name in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if body.startswith(mark):
            return body[2:].decode(name, "replace")
    body = body.removeprefix(codecs.BOM_UTF8)
    if HTML.match(body):
        return ""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as exc:
        if exc.reason == "unexpected end of data":  # truncated at the limit
            return body[: exc.start].decode("utf-8")
        # a legacy encoding: its URLs are percent-encoded in it
        text = NON_ASCII.sub(lambda run: quote_from_bytes(run[0]).encode("ascii"), body).decode("ascii")
    return text.replace("\0", "")
