"""Parse and apply robots.txt, as RFC 9309 specifies.

Without the file (4xx) everything is allowed. If it is temporarily unavailable (5xx, 429, no response), nothing is.

The file is parsed in linear time, and only the rules for one agent are kept. The rules are applied in the event loop of
the crawl, so a URL that takes too many steps is not allowed.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_from_bytes

from bonmun.scale.crawl.discover.urls import MAX_URL_CHARS, normalise_escapes, normalise_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["MAX_ROBOTS_BYTES", "Robots"]

MAX_ROBOTS_BYTES = 500_000  # the rest is not read
MAX_SITEMAPS = 1_000  # of one robots.txt; the rest is ignored
# For one URL, in comparisons of two characters: some milliseconds. 4,000 rules with a `*` take less for a URL of 100
# characters, and 1,000 for one of 500.
MAX_STEPS = 10_000_000
RULE_STEPS = 500  # for each part of a rule, besides the comparisons
MAX_PATH_CHARS = 3 * MAX_URL_CHARS  # of a normalised URL with all characters escaped
TOO_MANY_REQUESTS = 429
HTML = re.compile(rb"\s*<(?:!doctype|html|head|body|\?xml|!--)", re.I)
NON_ASCII = re.compile(rb"[\x80-\xff]+")
STARS = re.compile(r"\*+")
RATE = re.compile(r"([0-9]{1,9})/([0-9]{1,9})([smhd]?)(?!\S)", re.I)
UNIT_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
ANY_AGENT = 0.5  # the rank of "*", below that of any name
# Fields by their spellings. Field and value may also be separated by a space instead of a colon.
FIELDS = {
    **dict.fromkeys(("user-agent", "useragent", "user agent"), "agent"),
    **dict.fromkeys(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), "disallow"),
    "allow": "allow",
    **dict.fromkeys(("sitemap", "sitemaps", "site-map"), "sitemap"),
    **dict.fromkeys(("crawl-delay", "crawl delay"), "delay"),
    **dict.fromkeys(("request-rate", "request rate"), "rate"),
    "host": "host",
}


@dataclass(frozen=True)
class Robots:
    """The rules of one host for one agent.

    Robots.parse(body, 200, "bonmun").allows("http://a.example/1")
    """

    plain: Mapping[str, bool] = field(default_factory=dict)  # whether the paths with this prefix are allowed
    wild: Sequence[tuple[str, bool]] = ()  # the same for rules with a `*`; the longest first
    delay: float | None = None  # seconds to wait between requests
    sitemaps: Sequence[str] = ()
    is_unavailable: bool = False  # temporarily; then nothing is allowed

    @classmethod
    def parse(cls, body: bytes, status: int, agent: str, url: str | None = None) -> Robots:
        """Parse the response to a request for robots.txt; status 0 means no response.

        `agent` is the name of the robot, such as "bonmun", or its whole User-Agent. `url` is the URL of the file, to
        resolve relative sitemap URLs.
        """
        if 200 <= status < 300:
            return _Parser(agent).parse(_decode(body[:MAX_ROBOTS_BYTES]), url)
        return cls(is_unavailable=not 300 <= status < 500 or status == TOO_MANY_REQUESTS)

    def allows(self, url: str) -> bool:
        """Return whether the robot may fetch a normalised URL: the longest rule decides, `Allow` if two are as long."""
        if self.is_unavailable:
            return False
        path = "/" + _normalise(url.partition("#")[0].partition("://")[2].partition("/")[2], "/%=")
        if path == "/robots.txt":
            return True
        chars, is_allowed = self._find_plain(path)
        steps = 0
        for pattern, is_pattern_allowed in self.wild:
            if len(pattern) < chars or (len(pattern) == chars and is_allowed):
                break
            parts = pattern.split("*")
            steps += RULE_STEPS * len(parts)
            if path.startswith(parts[0]):
                steps += len(path) * len(pattern)
                if _matches(path, parts):
                    return is_pattern_allowed
            if steps > MAX_STEPS:
                return False
        return is_allowed

    def _find_plain(self, path: str) -> tuple[int, bool]:
        """Return the length of the longest rule without a `*` for a path, and whether it allows the path."""
        for chars in self._lengths:
            # a rule for the whole path ends with "$", which is escaped in a path
            pattern = f"{path}$" if chars == len(path) + 1 else path[:chars]
            if len(pattern) == chars and pattern in self.plain:
                return chars, self.plain[pattern]
        return 0, True

    @cached_property
    def _lengths(self) -> list[int]:
        """The lengths of the rules without a `*`, longest first. There are at most 1,000, since all are in 500 kB."""
        return sorted({len(pattern) for pattern in self.plain}, reverse=True)


def _matches(path: str, parts: Sequence[str]) -> bool:
    """Return whether a path that starts with the first part contains the others in order, at its end those with "$"."""
    end = len(parts[0])
    *middle, last = parts[1:]
    for part in middle:
        start = path.find(part, end)
        if start < 0:
            return False
        end = start + len(part)
    if last.endswith("$"):
        return path.endswith(last[:-1], end)
    return path.find(last, end) >= 0


class _Parser:
    """Collects the rules of the group for an agent. Groups with the same rank are joined."""

    def __init__(self, agent: str) -> None:
        agent = agent.strip().lower()
        inside = [False, *(each.isalnum() or each in "-_" for each in agent)]
        self.names = tuple(agent[start:] for start in range(len(agent)) if not inside[start])  # from each word on
        self.rank = 0.0  # of the group that the rules are from; 0 if there is none
        self.rules: dict[str, bool] = {}
        self.delay: float | None = None
        self.rate: float | None = None

    def parse(self, text: str, url: str | None) -> Robots:
        rank = 0.0  # of the group that the line is in
        is_heading = False  # whether the last line was a user agent
        listed: list[str] = []
        for name, value in _read_lines(text):
            if name == "sitemap" and value and len(listed) < MAX_SITEMAPS:
                listed.append(value)
            if name in ("sitemap", "host"):  # they belong to no group
                continue
            if name == "agent":
                rank = max(rank if is_heading else 0.0, self._find_rank(value.lower()))
            is_heading = name == "agent"
            if not value or not rank or rank < self.rank:
                continue
            if rank > self.rank:
                self.rank, self.rules, self.delay, self.rate = rank, {}, None, None
            self._add(name, value)
        delays = [delay for delay in (self.delay, self.rate) if delay is not None]
        wild = sorted((len(key), is_allowed, key) for key, is_allowed in self.rules.items() if "*" in key)
        sitemaps = (normalise_url(each, url) for each in listed)
        return Robots(
            plain={key: is_allowed for key, is_allowed in self.rules.items() if "*" not in key},
            wild=[(key, is_allowed) for _, is_allowed, key in reversed(wild)],
            delay=max(delays, default=None),
            sitemaps=list(dict.fromkeys(each for each in sitemaps if each)),
        )

    def _find_rank(self, name: str) -> float:
        """Return how well the name of a group fits the agent: the length of the name if a word starts with it."""
        if name == "*":
            return ANY_AGENT
        name = name.replace("*", "")
        return len(name) if any(known.startswith(name) for known in self.names) else 0.0

    def _add(self, name: str | None, value: str) -> None:
        if name == "delay":
            self.delay = _read_delay(value, self.delay)
        elif name == "rate" and (found := RATE.match(value)) and int(found[1]) and int(found[2]):
            self.rate = int(found[2]) * UNIT_SECONDS[found[3].lower()] / int(found[1])
        elif name in ("allow", "disallow"):
            if "$" in value:  # at the end it may also stand for itself
                self._add_rule(value.replace("$", "%24"), name == "allow")
            self._add_rule(value, name == "allow")

    def _add_rule(self, value: str, is_allowed: bool) -> None:
        if value.startswith(("http://", "https://")):  # matches a path that contains the URL
            value = f"/{value}"
        end = "$" if value.endswith("$") else ""
        pattern = STARS.sub("*", _normalise(value.removesuffix("$"), "/%=*")) + end
        if len(pattern.replace("*", "")) > MAX_PATH_CHARS:  # matches no URL
            return
        self.rules[pattern] = is_allowed or self.rules.get(pattern, False)
        if is_allowed and pattern.endswith("/index.html"):  # the folder is the same page
            self.rules[pattern.removesuffix("index.html") + "$"] = True


def _read_lines(text: str) -> Iterator[tuple[str | None, str]]:
    """Yield the field and the value of each line; None for an unknown field."""
    for line in text.splitlines():
        line = line.partition("#")[0].strip()
        if not line:
            continue
        name, colon, value = line.partition(":")
        known = FIELDS.get(name.strip().lower()) if colon else None
        if known:
            yield known, value.strip()
            continue
        is_unknown = bool(colon) and (not value or value[0].isspace())
        words = line.split(maxsplit=2)
        for count in () if is_unknown else (1, 2):
            known = FIELDS.get(" ".join(words[:count]).lower())
            if known:
                yield known, " ".join(line.split(maxsplit=count)[count:])
                break
        else:
            if colon:
                yield None, ""


def _read_delay(value: str, known: float | None) -> float | None:
    try:
        delay = float(value)
    except ValueError:
        return known
    return delay if isfinite(delay) and delay >= 0 else known


def _normalise(text: str, safe: str) -> str:
    """Return a path with the same escapes for the same characters."""
    return normalise_escapes(quote(text, safe, errors="replace")).replace("%3D", "=")


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
