"""Recognise crawler traps: endless calendars, combinations of filters, and paths that grow with every link.

`find_trap` judges a single URL. Other traps show only in numbers: `find_pattern` returns the pattern a URL is counted
under, and `check_limit` says whether there are too many of it. The caller stores the counts, so they survive a crash.

Sitemaps, feeds and result pages are counted by site, since one on a host may list any number on others.

Numbers in a path are not a trap: an archive may have any number of pages such as `/post/12345`.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import date

__all__ = ["check_limit", "find_pattern", "find_trap"]

MAX_PATH_SEGMENTS = 20  # legitimate URLs have at most ten
TRAP_CYCLES = 3  # repetitions of the same segments in a row, as in /a/b/a/b/a/b
TRAP_SAME_SEGMENTS = 4  # occurrences of one segment anywhere in a path
MAX_PARAMETERS = 20  # of a query
MAX_SAME_PARAMETERS = 2  # of one name, except lists such as `tag[]`
MAX_PAGE_NUMBER = 50_000  # a list of 500,000 items with ten per page
MAX_OFFSET = 1_000_000  # in lists numbered by item
MAX_FUTURE_YEARS = 2  # after this year; nothing is written about later dates
MAX_CALENDAR_YEARS = 30  # before this year, in a calendar
MAX_ARCHIVE_YEARS = 150  # before this year, in a list by day
MAX_CALENDAR_PAGES = 300  # of one pattern on a host: 25 years of months, or most of a year of days
MAX_DAY_PAGES = 10_000  # the same for lists by day without a calendar word, such as news
MAX_FACET_PAGES = 2_000  # of one path on a host, with three parameters or more
MAX_VARIANT_PAGES = 50  # of one id, with three parameters or more
MAX_SITE_LISTS = 10_000  # sitemaps, feeds or result pages of a site: a sitemap per day for 27 years

PAGE_NAMES = frozenset("page pageno page_no pagenum page_num pageindex page_index pageid pg paged cpage npage".split())
OFFSET_NAMES = frozenset("start offset from skip first begin".split())
# Names, and endings of names, of parameters that identify one item: each value is a separate page.
ID_NAMES = frozenset("t p topic post article key sn f".split())
ID_ENDS = ("id", "no", "idx", "seq", "num", "srl", "number")
CALENDAR_WORDS = r"calendars?|kalender|agenda|schedule|events?|diary|cal|ical|months?|days?|weeks?|%EC%9D%BC%EC%A0%95"
CALENDAR = re.compile(rf"/(?:[a-z]{{1,20}}[-_])?(?:{CALENDAR_WORDS})(?:\.[a-z]{{2,5}})?(?=/|$)", re.I)
DATE_NAMES = frozenset(
    "date day month year week ym ymd yyyymm yyyymmdd cal_date sdate edate start_date end_date tribe-bar-date "
    "eventdate displaydate curdate thisdate caldate smonth syear sday".split()
)
YEAR_NAMES = frozenset({"year", "syear", "yr"})
# A year and a month in any notation.
DATE = re.compile(r"(?<!\d)(\d{4})(?:[-/._](?:0?[1-9]|1[0-2])(?!\d)|(?:0[1-9]|1[0-2])(?:[0-3]\d)?(?!\d))")
FULL_DATE = re.compile(r"/(\d{4})/(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])(?=/|$)")
DIGITS = re.compile(r"\d+")


def find_trap(url: str, today: date | None = None) -> str | None:
    """Return why a normalised URL is most likely a crawler trap; None if it is not."""
    path, query = _split(url)
    segments = path.split("/")[1:]
    if len(segments) > MAX_PATH_SEGMENTS:
        return "path too deep"
    if _has_repeats(segments):
        return "repeating path"
    parameters = _read_parameters(query)
    if len(parameters) > MAX_PARAMETERS:
        return "too many parameters"
    names = Counter(name for name, _ in parameters if "[" not in name and "%5b" not in name)
    if max(names.values(), default=0) > MAX_SAME_PARAMETERS:
        return "repeated parameter"
    if _has_high_page_number(segments, parameters):
        return "page number too high"
    if _is_far_date(path, parameters, (today or date.today()).year):
        return "calendar date too far from today"
    return None


def _split(url: str) -> tuple[str, str]:
    """Return the path and the query of a URL."""
    rest, _, query = url.partition("://")[2].partition("?")
    return "/" + rest.partition("/")[2], query


def _read_parameters(query: str) -> list[tuple[str, str]]:
    parts = (part.partition("=") for part in query.split("&") if part)
    return [(name.lower(), value) for name, _, value in parts]


def _has_repeats(segments: list[str]) -> bool:
    """Return whether segments repeat in a row, or one occurs too often. Numbers may repeat, as in dates."""
    for size in range(1, len(segments) // TRAP_CYCLES + 1):
        for start in range(len(segments) - TRAP_CYCLES * size + 1):
            cycle = segments[start : start + size]
            if cycle * TRAP_CYCLES == segments[start : start + TRAP_CYCLES * size] and any(map(_is_name, cycle)):
                return True
    return any(count >= TRAP_SAME_SEGMENTS for segment, count in Counter(segments).items() if _is_name(segment))


def _is_name(segment: str) -> bool:
    return bool(segment) and not segment.isdigit()


def _has_high_page_number(segments: list[str], parameters: list[tuple[str, str]]) -> bool:
    named = [*parameters, *zip(map(str.lower, segments), segments[1:], strict=False)]
    for name, value in named:
        number = int(value[:12]) if value[:12].isdecimal() and value.isdecimal() else 0
        if (name in PAGE_NAMES and number > MAX_PAGE_NUMBER) or (name in OFFSET_NAMES and number > MAX_OFFSET):
            return True
    return False


def _is_far_date(path: str, parameters: list[tuple[str, str]], this_year: int) -> bool:
    """Return whether a URL shows a date too far from today.

    In a path without a calendar word only future dates count, because an archive may have a page for any past date.
    """
    last = this_year + MAX_FUTURE_YEARS
    if any(int(year) > last for year in FULL_DATE.findall(path)):
        return True
    is_calendar = CALENDAR.search(path) is not None
    first = this_year - (MAX_CALENDAR_YEARS if is_calendar else MAX_ARCHIVE_YEARS)
    years = DATE.findall(path) if is_calendar else []
    for name, value in parameters:
        if name in YEAR_NAMES and len(value) == 4 and value.isdecimal():
            years.append(value)
        elif name in DATE_NAMES:
            years += DATE.findall(value)
    return any(not first <= int(year) <= last for year in years)


def find_pattern(url: str) -> str | None:
    """Return the pattern that a URL is counted under on its host; None if such URLs need no limit.

    >>> find_pattern("http://a.example/shop?color=red&size=m&sort=price"), find_pattern("http://a.example/post/12345")
    ('facets /shop', None)
    >>> find_pattern("http://a.example/calendar/2024/05"), find_pattern("http://a.example/view.php?id=free&no=7&page=2")
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
    """Return the parameter that identifies the item a URL shows: of several, the one with the longest number."""
    found = [
        (-len(value), f"{name}={value}")
        for name, value in parameters
        if value.isdecimal() and (name in ID_NAMES or name.endswith(ID_ENDS)) and name not in PAGE_NAMES
    ]
    return min(found)[1] if found else ""


LIMITS = {
    "calendar": (MAX_CALENDAR_PAGES, "too many calendar pages"),
    "days": (MAX_DAY_PAGES, "too many calendar pages"),
    "facets": (MAX_FACET_PAGES, "too many combinations of parameters"),
    "variants": (MAX_VARIANT_PAGES, "too many URLs of one page"),
    "sitemap": (MAX_SITE_LISTS, "too many sitemaps"),
    "feed": (MAX_SITE_LISTS, "too many feeds"),
    "result": (MAX_SITE_LISTS, "too many result pages"),
}


def check_limit(pattern: str, count: int) -> str | None:
    """Return why a host or site that already has `count` URLs of a pattern may have no more; None if it may."""
    limit, reason = LIMITS[pattern.partition(" ")[0]]
    return reason if count >= limit else None
