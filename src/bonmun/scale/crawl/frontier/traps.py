"""Addresses that programs make without end: calendars, filters that can be combined, links that grow by themselves.

`find_trap` looks at one address. What only shows in numbers is counted by pattern: `pattern_of` says what an address
counts for, and `is_endless` how many of it are too many, so that whoever crawls can keep the counts and go on with
them after a crash. `TrapLimits` keeps them in memory.

Numbers in a path are no trap by themselves: an archive may have any number of pages such as `/post/12345`.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from typing import TYPE_CHECKING

from bonmun.sites.domains import find_host

if TYPE_CHECKING:
    from collections.abc import MutableMapping

__all__ = ["TrapLimits", "find_trap", "is_endless", "pattern_of"]

PATH_SEGMENTS = 20  # of an address; honest ones have ten at most
CYCLES = 3  # so many times the same segments in a row, as in /a/b/a/b/a/b
SAME_SEGMENTS = 4  # of one name, anywhere in a path
PARAMETERS = 20  # of a query
SAME_PARAMETERS = 2  # of one name, but for lists such as `tag[]`
PAGE_NUMBER = 50_000  # a list of 500,000 pages, ten at a time
OFFSET_NUMBER = 1_000_000  # where lists are numbered by their items
COMING_YEARS = 2  # from today; what is dated later, nobody has written
CALENDAR_YEARS = 30  # before today that a calendar may show
ARCHIVE_YEARS = 150  # before today that a list by days may go back
CALENDAR_PAGES = 300  # of one pattern on a host: 25 years of months, or most of a year of days
DAY_PAGES = 10_000  # the same, where nothing but a parameter says that it is a calendar: lists of news, by days
FACET_PAGES = 2_000  # of one path on a host, with three parameters or more
VARIANT_PAGES = 50  # of what one id names, with three parameters or more

PAGE_NAMES = frozenset("page pageno page_no pagenum page_num pageindex page_index pageid pg paged cpage npage".split())
OFFSET_NAMES = frozenset("start offset from skip first begin".split())
# What numbers one thing of many has such a name, or ends so: each is a page of its own, however many there are.
ID_NAMES = frozenset("t p topic post article key sn f".split())
ID_ENDS = ("id", "no", "idx", "seq", "num", "srl", "number")
CALENDAR_WORDS = r"calendars?|kalender|agenda|schedule|events?|diary|cal|ical|months?|days?|weeks?|%EC%9D%BC%EC%A0%95"
CALENDAR = re.compile(rf"/(?:[a-z]{{1,20}}[-_])?(?:{CALENDAR_WORDS})(?:\.[a-z]{{2,5}})?(?=/|$)", re.I)
DATE_NAMES = frozenset(
    "date day month year week ym ymd yyyymm yyyymmdd cal_date sdate edate start_date end_date tribe-bar-date "
    "eventdate displaydate curdate thisdate caldate smonth syear sday".split()
)
YEAR_NAMES = frozenset({"year", "syear", "yr"})
# A year with its month, however it is written.
DATE = re.compile(r"(?<!\d)(\d{4})(?:[-/._](?:0?[1-9]|1[0-2])(?!\d)|(?:0[1-9]|1[0-2])(?:[0-3]\d)?(?!\d))")
FULL_DATE = re.compile(r"/(\d{4})/(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])(?=/|$)")
DIGITS = re.compile(r"\d+")


def find_trap(url: str, today: date | None = None) -> str | None:
    """Why an address, in its one spelling, is most likely made by a program without end; None if it is not."""
    path, query = _split(url)
    segments = path.split("/")[1:]
    if len(segments) > PATH_SEGMENTS:
        return "a path that is too deep"
    if _repeats(segments):
        return "a path that repeats itself"
    parameters = _read_parameters(query)
    if len(parameters) > PARAMETERS:
        return "too many parameters"
    if (
        max(Counter(name for name, _ in parameters if "[" not in name and "%5b" not in name).values(), default=0)
        > SAME_PARAMETERS
    ):
        return "a parameter that comes again and again"
    if _counts_on(segments, parameters):
        return "a page number that is too high"
    if _is_far(path, parameters, (today or date.today()).year):
        return "a day of a calendar that is too far from today"
    return None


def _split(url: str) -> tuple[str, str]:
    """Path and query of an address."""
    rest, _, query = url.partition("://")[2].partition("?")
    return "/" + rest.partition("/")[2], query


def _read_parameters(query: str) -> list[tuple[str, str]]:
    parts = (part.partition("=") for part in query.split("&") if part)
    return [(name.lower(), value) for name, _, value in parts]


def _repeats(segments: list[str]) -> bool:
    """Whether segments come again in a row, or one comes again and again; numbers may, since days do."""
    for size in range(1, len(segments) // CYCLES + 1):
        for start in range(len(segments) - CYCLES * size + 1):
            cycle = segments[start : start + size]
            if cycle * CYCLES == segments[start : start + CYCLES * size] and any(map(_is_name, cycle)):
                return True
    return any(count >= SAME_SEGMENTS for segment, count in Counter(segments).items() if _is_name(segment))


def _is_name(segment: str) -> bool:
    return bool(segment) and not segment.isdigit()


def _counts_on(segments: list[str], parameters: list[tuple[str, str]]) -> bool:
    """Whether a list would have more pages than any has."""
    named = [*parameters, *zip(map(str.lower, segments), segments[1:], strict=False)]
    for name, value in named:
        number = int(value[:12]) if value[:12].isdecimal() and value.isdecimal() else 0
        if (name in PAGE_NAMES and number > PAGE_NUMBER) or (name in OFFSET_NAMES and number > OFFSET_NUMBER):
            return True
    return False


def _is_far(path: str, parameters: list[tuple[str, str]], this_year: int) -> bool:
    """Whether an address is that of a day that a calendar shows and nobody has written about.

    In a path without the word, only days to come tell: an archive may have pages of any day that was.
    """
    last = this_year + COMING_YEARS
    if any(int(year) > last for year in FULL_DATE.findall(path)):
        return True
    is_calendar = CALENDAR.search(path) is not None
    first = this_year - (CALENDAR_YEARS if is_calendar else ARCHIVE_YEARS)
    years = DATE.findall(path) if is_calendar else []
    for name, value in parameters:
        if name in YEAR_NAMES and len(value) == 4 and value.isdecimal():
            years.append(value)
        elif name in DATE_NAMES:
            years += DATE.findall(value)
    return any(not first <= int(year) <= last for year in years)


def pattern_of(url: str) -> str | None:
    """What an address counts for, together with its host; None if any number of such addresses may be honest.

    >>> pattern_of("http://a.example/shop?color=red&size=m&sort=price"), pattern_of("http://a.example/post/12345")
    ('facets /shop', None)
    >>> pattern_of("http://a.example/calendar/2024/05"), pattern_of("http://a.example/view.php?id=free&no=7&page=2")
    ('calendar /calendar/0/0', 'variants /view.php?no=7')
    """
    path, query = _split(url)
    parameters = _read_parameters(query)
    identity = _find_identity(parameters)
    dated = sorted({name for name, value in parameters if name in DATE_NAMES and DIGITS.search(value)})
    folded = DIGITS.sub("0", path)
    if not identity and (dated or DATE.search(path)):
        kind = "calendar" if CALENDAR.search(path) else "days"
        if dated or kind == "calendar":
            return f"{kind} {folded}" + ("?" + "&".join(dated) if dated else "")
    if len(parameters) < 3:
        return None
    return f"variants {path}?{identity}" if identity else f"facets {folded}"


def _find_identity(parameters: list[tuple[str, str]]) -> str:
    """The parameter that says which thing of many an address shows: of several, the one with the longest number."""
    found = [
        (-len(value), f"{name}={value}")
        for name, value in parameters
        if value.isdecimal() and (name in ID_NAMES or name.endswith(ID_ENDS)) and name not in PAGE_NAMES
    ]
    return min(found)[1] if found else ""


LIMITS = {
    "calendar": (CALENDAR_PAGES, "a calendar with too many pages"),
    "days": (DAY_PAGES, "a calendar with too many pages"),
    "facets": (FACET_PAGES, "too many combinations of parameters"),
    "variants": (VARIANT_PAGES, "too many addresses of one page"),
}


def is_endless(pattern: str, count: int) -> str | None:
    """Why one address more of a pattern is too many, if a host has so many already; None if it is not."""
    limit, reason = LIMITS[pattern.partition(" ")[0]]
    return reason if count >= limit else None


class TrapLimits:
    """Counts addresses by host and pattern; `counts` may be those of an earlier run."""

    def __init__(self, counts: MutableMapping[tuple[str, str], int] | None = None) -> None:
        self.counts: MutableMapping[tuple[str, str], int] = {} if counts is None else counts

    def find_trap(self, url: str) -> str | None:
        """Why an address that is new is a trap; if it is none, it is counted."""
        if reason := find_trap(url):
            return reason
        pattern = pattern_of(url)
        if pattern is None:
            return None
        key = (find_host(url), pattern)
        if reason := is_endless(pattern, self.counts.get(key, 0)):
            return reason
        self.counts[key] = self.counts.get(key, 0) + 1
        return None
