"""The day, or at least the month, that stands in a page's URL."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bonmun.metadata.dates.months import MONTHS
from bonmun.metadata.dates.parse import make_day
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from datetime import date

__all__ = ["UrlDay", "find_url_day", "is_american_url"]

URL_CHARS = 1000  # of a URL, from its start
# A day on its own: "/2026/03/04/", "/2026-3-4-", "/2026/mar/04/".
WITH_BREAKS = compile_later(
    r"[/_-](20[0-2][0-9])[-/_](0?[1-9]|1[0-2]|[a-zA-Z]{3,9})[-/_](0?[1-9]|[12][0-9]|3[01])(?![0-9A-Za-z])"
)
# Eight digits, which other digits may follow: "/20260304.", "AKR20260304012300004".
EIGHT_DIGITS = compile_later(r"(?<![0-9])(20[0-2][0-9])(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])([0-9]{0,12})(?![0-9])")
# A month: "/2026/03/".
MONTH = compile_later(r"[/_-](20[0-2][0-9])[-/_](0?[1-9]|1[0-2])(?![0-9A-Za-z])")
BRITISH_DOMAINS = (".uk", ".au", ".nz", ".in", ".ie", ".za", ".sg", ".my", ".eu", ".pk")  # where 3/4 is in April


class UrlDay(NamedTuple):
    """What a URL says of when a page was published."""

    day: date | None = None
    is_plain: bool = False  # whether the day stands apart, rather than in a long number
    month: tuple[int, int] | None = None  # with its year, which comes first


def find_url_day(url: str | None) -> UrlDay:
    """The day or month in a URL's path; the host says nothing of it."""
    path = (url or "")[:URL_CHARS].partition("//")[2].partition("/")[2]
    if "20" not in path:
        return UrlDay()
    path = f"/{path}"
    for match in WITH_BREAKS.finditer(path):
        month = match[2] if match[2].isdigit() else MONTHS.get(match[2].lower(), 0)
        if day := make_day(match[1], month, match[3]):
            return UrlDay(day, True, (day.year, day.month))
    for match in EIGHT_DIGITS.finditer(path):
        if day := make_day(*match.groups()[:3]):
            return UrlDay(day, not match[4], (day.year, day.month))
    found = MONTH.search(path)
    return UrlDay(month=(int(found[1]), int(found[2]))) if found else UrlDay()


def is_american_url(url: str | None) -> bool:
    """Whether nothing in the host says that days are written before months."""
    host = (url or "")[:URL_CHARS].partition("//")[2].partition("/")[0]
    return not host.endswith(BRITISH_DOMAINS)
