"""Hosts that are busy, redirect in circles, send wrong headers, or have endless pages."""

from __future__ import annotations

import gzip
import zlib
from collections import Counter
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import ClassVar

from loopback import Reply, Request, link_pages, send_to
from made_text import make_paragraphs

__all__ = ["BusyHost", "CircleHost", "LyingHost", "TrapHost"]

KOREAN = "".join(f"<p>{paragraph}</p>" for paragraph in make_paragraphs("ko", 7, 6))
PAGE = f'<!doctype html><html lang="ko"><title>등대 이야기</title><body><h1>등대 이야기</h1>{KOREAN}</body></html>'


class BusyHost:
    """busy.example: sends 429 or 503 with Retry-After first, and the page later."""

    STATUSES: ClassVar = {
        "/seconds": 429,
        "/date": 503,
        "/silent": 503,
        "/nonsense": 429,
        "/never": 429,
        "/tomorrow": 429,
    }
    HOPELESS = frozenset({"/never", "/tomorrow"})  # the page is never sent

    def __init__(self, refusals: int = 2, seconds: int = 1) -> None:
        self.refusals = refusals  # number of refusals before a page is sent
        self.seconds = seconds  # in Retry-After
        self.asked: Counter[str] = Counter()

    def answer(self, request: Request) -> Reply:
        """Return the page, or a refusal with Retry-After."""
        path = request.path
        if path == "/":
            return Reply(link_pages("Busy", self.STATUSES))
        if path not in self.STATUSES:
            return Reply("There is nothing here.", status=404)
        self.asked[path] += 1
        if path not in self.HOPELESS and self.asked[path] > self.refusals:
            return Reply(PAGE)
        later = format_datetime(datetime.now(UTC) + timedelta(seconds=self.seconds), usegmt=True)
        waits = {"/date": later, "/nonsense": "soon", "/tomorrow": "86400"}
        headers = () if path == "/silent" else (("Retry-After", waits.get(path, str(self.seconds))),)
        return Reply("Busy.", status=self.STATUSES[path], headers=headers)


class CircleHost:
    """circle.example: redirects in circles, in long chains, to other hosts, and to forbidden addresses."""

    LEADS: ClassVar = {
        "/a": "/b",
        "/b": "/c",
        "/c": "/a",
        "/self": "/self",
        "/out": "http://docs.example/",
        "/relative": "chain/0",
        "/private": "http://10.0.0.1/",
        "/loopback": "http://127.0.0.1:1/",
        "/mapped": "http://[::ffff:127.0.0.1]/",
        "/decimal": "http://2130706433/",
        "/metadata": "http://169.254.169.254/latest/meta-data/",
        "/file": "file:///etc/passwd",
        "/script": "javascript:alert(1)",
        "/empty": "",
        "/broken": "http://[::1/",
        "/bytes": "/chain/\xc3\xa9\xff",
    }
    STATUSES = (301, 302, 303, 307, 308)
    CHAINS = (1, 5, 15)  # number of redirects before the page

    def answer(self, request: Request) -> Reply:
        """Return a redirect, or the page at the end of a chain."""
        path = request.path
        if path == "/":
            chains = [f"/chain/{steps}" for steps in self.CHAINS]
            return Reply(link_pages("Circles", [*self.LEADS, *chains, "/longer/x", "/none"]))
        if path in self.LEADS:
            return send_to(self.LEADS[path], self.STATUSES[len(path) % 5])
        if path == "/none":
            return Reply(status=302)  # without a Location
        if path.startswith("/longer/"):
            return send_to(path + "x")
        steps = path.removeprefix("/chain/")
        if steps == "0":
            return Reply(PAGE)
        return send_to(f"/chain/{int(steps) - 1}") if steps.isdecimal() else Reply("No such page.", status=404)


class LyingHost:
    """lies.example: headers that do not match the body."""

    def __init__(self) -> None:
        utf8, euckr = PAGE.encode(), PAGE.encode("euc-kr")
        packed = gzip.compress(utf8, mtime=0)
        encoded = (("Content-Encoding", "gzip"),)
        self.replies = {
            "/charset-latin": Reply(utf8, "text/html; charset=iso-8859-1"),
            "/charset-utf8": Reply(euckr, "text/html; charset=utf-8"),
            "/charset-none": Reply(euckr, "text/html"),
            "/charset-nonsense": Reply(utf8, "text/html; charset=klingon"),
            "/length-long": Reply(utf8, length=len(utf8) + 1000),
            "/length-short": Reply(utf8, length=len(utf8) // 2),
            "/length-negative": Reply(utf8, length=-5),
            "/chunks-cut": Reply(
                stream=[b"%x\r\n" % len(utf8) + utf8[:300]], headers=(("Transfer-Encoding", "chunked"),)
            ),
            "/html-as-png": Reply(utf8, "image/png"),
            "/png-as-html": Reply(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8),
            "/no-type": Reply(utf8, ""),
            "/pdf": Reply(b"%PDF-1.7\n" + bytes(range(256)) * 8, "application/pdf"),
            "/gzip-plain": Reply(utf8, headers=encoded),
            "/gzip-cut": Reply(packed[: len(packed) // 2], headers=encoded),
            "/gzip-broken": Reply(packed[:40] + bytes(40) + packed[80:], headers=encoded),
            "/gzip-sum": Reply(packed[:-8] + bytes(8), headers=encoded),
            "/deflate": Reply(zlib.compress(utf8), headers=(("Content-Encoding", "deflate"),)),
            "/encoding-unknown": Reply(utf8, headers=(("Content-Encoding", "squeeze"),)),
            "/empty": Reply(b""),
            "/nothing": Reply(b"", "", 204),
            "/not-found": Reply(utf8, status=404),
            "/soft-error": Reply("<title>Not found</title><h1>404</h1><p>This page does not exist.</p>"),
            "/strange-status": Reply(utf8, status=799),
        }

    def answer(self, request: Request) -> Reply:
        """Return one of the responses; the front page links to all of them."""
        if request.path == "/":
            return Reply(link_pages("Lies", self.replies))
        return self.replies.get(request.path, Reply("No such page.", status=404))


class TrapHost:
    """trap.example: five real pages and several crawler traps."""

    REAL = tuple(f"/real/{number}" for number in range(1, 6))
    COLOURS = ("red", "green", "blue", "white", "black")

    def __init__(self) -> None:
        self.sessions = 0

    @property
    def urls(self) -> set[str]:
        """The URLs of the real pages."""
        return {f"http://trap.example{path}" for path in self.REAL}

    def answer(self, request: Request) -> Reply:
        """Return a page with links further into its trap."""
        first, _, rest = request.path.strip("/").partition("/")
        text = " ".join(make_paragraphs("en", zlib.crc32(request.target.encode()), 2))
        links = {
            "": [*self.REAL, "/calendar/2026/01", "/session", "/shop", "/paths/a/"],
            "calendar": self._list_months(rest),
            "session": self._open_sessions(),
            "shop": self._refine(request),
            "paths": ["a/", "b/", "./c/../a/"],
        }
        if first not in links and request.path not in self.REAL:
            return Reply("No such page.", status=404)
        return Reply(link_pages(f"Trap {request.path}", links.get(first, ["/"]), text))

    def _list_months(self, rest: str) -> list[str]:
        """Return the previous and the next month, and the days of a month."""
        year, _, month = rest.partition("/")
        if not (year.isdecimal() and month.isdecimal()):
            return ["/calendar/2026/01"]
        count = int(year) * 12 + int(month) - 1
        months = [f"/calendar/{each // 12}/{each % 12 + 1:02}" for each in (count - 1, count + 1)]
        return months + [f"/calendar?day={year}-{month}-{day:02}" for day in range(1, 29)]

    def _open_sessions(self) -> list[str]:
        """Return the same three pages with a new session id each time."""
        self.sessions += 1
        session = f"{self.sessions * 2654435761 % 2**64:016x}{self.sessions:016x}"
        return [f"/session?PHPSESSID={session}", f"/session;jsessionid={session}", f"/session?page=2&sid={session}"]

    def _refine(self, request: Request) -> list[str]:
        """Return the chosen facets with one more."""
        chosen = request.target.partition("?")[2]
        facets = [f"color={colour}" for colour in self.COLOURS] + ["sort=price", "sort=name", "size=l", "page=2"]
        return [f"/shop?{chosen + '&' if chosen else ''}{facet}" for facet in facets]
