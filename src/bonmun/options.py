"""Everything a user can set, in one frozen record that checks itself."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from datetime import date
from types import NoneType
from typing import Literal, get_args

from bonmun.errors import BadConfig

__all__ = ["DEFAULTS", "Favour", "Options", "Tables", "check_kind"]

Favour = Literal["precision", "balanced", "recall"]
Tables = Literal["gfm", "html"]
LONGEST_SECONDS = 86_400  # of a fetch; the system cannot wait for ever


def check_kind(name: str, value: object, kinds: type | tuple[type, ...], words: str) -> None:
    """Raise BadConfig if what was given under a name is of another kind."""
    if not isinstance(value, kinds):
        raise BadConfig(f"{name} is {words}, not {reprlib.repr(value)}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a page is read, fetched and shown; build one and use it for any number of pages.

    Options(links=True, images=True)     # Markdown, HTML and XML carry links and images
    Options(embeds=True)                 # players of videos and the like are links to what they play
    Options(tables="html")               # tables in Markdown are HTML, with their spans; "gfm" fills these in
    Options(comments=True)               # readers' comments stand after the main text
    Options(ruby=True)                   # 漢字(かんじ): readings stand in brackets after their characters
    Options(encoding="euc-kr")           # what the HTTP header said, if you know it
    Options(max_bytes=50_000_000)        # larger pages are refused with TooBig
    Options(allow_private=True)          # fetch() may call addresses of this network
    Options(crawled=datetime(2026, 3, 4, 9))  # when the page was fetched: "3 hours ago" is then a date
    Options(favour="precision")          # keep less, but surer; "recall" keeps more: for the method auto

    None but the last changes which blocks of the page are kept. A page that is given as text or already parsed has been
    read: `encoding`, `max_bytes` and `ruby` for a parsed one, and what is for fetching then say nothing, and are no
    error, so that one record serves pages of every form.
    """

    encoding: str | None = None
    max_bytes: int = 20_000_000
    links: bool = False
    images: bool = False
    embeds: bool = False
    tables: Tables = "gfm"  # in Markdown
    comments: bool = False
    ruby: bool = False
    allow_private: bool = False
    timeout: float = 30.0  # seconds for one fetch, redirects included
    favour: Favour = "balanced"
    crawled: date | None = None  # a day, or better a moment

    def __post_init__(self) -> None:
        check_kind("encoding", self.encoding, (str, NoneType), "the name of an encoding")
        check_kind("max_bytes", self.max_bytes, int, "a whole number")
        check_kind("timeout", self.timeout, (int, float), "a number of seconds")
        check_kind("crawled", self.crawled, (date, NoneType), "a date or a datetime")
        for name in ("links", "images", "embeds", "comments", "ruby", "allow_private"):
            check_kind(name, getattr(self, name), bool, "True or False")
        if self.max_bytes < 1:
            raise BadConfig(f"max_bytes must be at least 1, not {self.max_bytes}.")
        if self.tables not in get_args(Tables):
            raise BadConfig(f"tables is one of gfm, html, not {self.tables!r}.")
        if self.favour not in get_args(Favour):
            raise BadConfig(f"favour is one of precision, balanced, recall, not {self.favour!r}.")
        if not 0 < self.timeout <= LONGEST_SECONDS:
            raise BadConfig(f"timeout must be a positive number of seconds, up to a day, not {self.timeout}.")


DEFAULTS = Options()
