"""What a host lets robots fetch: its robots.txt, read by protego as RFC 9309 has it.

Nothing is forbidden where a host has no such file (4xx), and everything, for now, where it cannot be asked (5xx, no
answer) or asks for patience (429).
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

__all__ = ["ROBOTS_BYTES", "Robots"]

ROBOTS_BYTES = 500_000  # of a robots.txt; what comes after is not read
SITEMAPS = 1_000  # of a robots.txt; further ones are not read
TOO_MANY_REQUESTS = 429
HTML = re.compile(rb"\s*<(?:!doctype|html|head|body|\?xml|!--)", re.I)
HIGH = re.compile(rb"[\x80-\xff]+")


class Robots:
    """The rules of one host."""

    def __init__(self, rules: Protego | None, *, is_silent: bool = False, url: str | None = None) -> None:
        self._rules = rules  # None: there are none
        self.is_silent = is_silent  # whether the host gave no answer, so that it should be asked again later
        self._url = url

    @classmethod
    def parse(cls, body: bytes, status: int, url: str | None = None) -> Robots:
        """What a host answered when it was asked for its robots.txt; status 0 if it gave no answer.

        `url` is where the file is; it is needed only for sitemaps whose addresses are relative.
        """
        if 200 <= status < 300:
            return cls(_load(_decode(body[:ROBOTS_BYTES])), url=url)
        if 300 <= status < 500 and status != TOO_MANY_REQUESTS:
            return cls(None, url=url)
        return cls(None, is_silent=True, url=url)

    def allows(self, url: str, agent: str) -> bool:
        """Whether a robot may fetch an address. `agent` is its name, such as "bonmun", or all of its User-Agent."""
        if self._rules is None:
            return not self.is_silent
        try:
            return self._rules.can_fetch(url, agent)
        except ValueError:  # no address that could be fetched
            return False

    def delay(self, agent: str) -> float | None:
        """The seconds that the host wants between two requests of a robot; None if it does not say."""
        if self._rules is None:
            return None
        rate = self._rules.request_rate(agent)
        delays = [self._rules.crawl_delay(agent), rate.seconds / rate.requests if rate else None]
        return max((delay for delay in delays if delay is not None), default=None)

    @property
    def sitemaps(self) -> list[str]:
        """The addresses of the sitemaps that the file names."""
        written = list(self._rules.sitemaps)[:SITEMAPS] if self._rules else []
        found = (normalise_url(each, self._url) for each in written)
        return list(dict.fromkeys(each for each in found if each))


def _load(text: str) -> Protego:
    try:
        from protego import Protego
    except ImportError:
        raise MissingExtra("robots.txt is read with protego: pip install 'bonmun[crawl]'.") from None
    return Protego.parse(text)


def _decode(body: bytes) -> str:
    """The text of a robots.txt; empty where it is a web page, as many hosts send for every address."""
    for mark, name in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if body.startswith(mark):
            return body[2:].decode(name, "replace")
    body = body.removeprefix(codecs.BOM_UTF8)
    if HTML.match(body):
        return ""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as exc:
        if exc.reason == "unexpected end of data":  # cut at the limit
            return body[: exc.start].decode("utf-8")
        # an old encoding: addresses are quoted in it, too
        text = HIGH.sub(lambda run: quote_from_bytes(run[0]).encode("ascii"), body).decode("ascii")
    return text.replace("\0", "")
