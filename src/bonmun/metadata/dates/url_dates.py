"""Find the date, or at least the month, in the URL of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bonmun.metadata.dates.months import MONTHS
from bonmun.metadata.dates.parse import make_day
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from datetime import date

__all__ = ["UrlDay", "find_url_day", "is_american_url"]

URL_CHARS = 1000  # characters of a URL that are searched
# A date with separators: "/2026/03/04/", "/2026-3-4-", "/2026/mar/04/".
WITH_SEPARATORS = compile_later(
    r"[/_-](20[0-2][0-9])[-/_](0?[1-9]|1[0-2]|[a-zA-Z]{3,9})[-/_](0?[1-9]|[12][0-9]|3[01])(?![0-9A-Za-z])"
)
# Eight digits, possibly followed by others: "/20260304.", "AKR20260304012300004".
EIGHT_DIGITS = compile_later(r"(?<![0-9])(20[0-2][0-9])(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])([0-9]{0,12})(?![0-9])")
# A month: "/2026/03/".
MONTH = compile_later(r"[/_-](20[0-2][0-9])[-/_](0?[1-9]|1[0-2])(?![0-9A-Za-z])")
BRITISH_DOMAINS = (".uk", ".au", ".nz", ".in", ".ie", ".za", ".sg", ".my", ".eu", ".pk")  # 3/4 is 3 April


class UrlDay(NamedTuple):
    """The date in a URL."""

    day: date | None = None
    is_plain: bool = False  # whether the date stands alone, not within a longer number
    month: tuple[int, int] | None = None  # year and month


def find_url_day(url: str | None) -> UrlDay:
    """Return the date or month in the path of a URL."""
    path = (url or "")[:URL_CHARS].partition("//")[2].partition("/")[2]
    if "20" not in path:
        return UrlDay()
    path = f"/{path}"
    for match in WITH_SEPARATORS.finditer(path):
        month = match[2] if match[2].isdigit() else MONTHS.get(match[2].lower(), 0)
        if day := make_day(match[1], month, match[3]):
            return UrlDay(day, True, (day.year, day.month))
    for match in EIGHT_DIGITS.finditer(path):
        if day := make_day(*match.groups()[:3]):
            return UrlDay(day, not match[4], (day.year, day.month))
    found = MONTH.search(path)
    return UrlDay(month=(int(found[1]), int(found[2]))) if found else UrlDay()


def is_american_url(url: str | None) -> bool:
    """Whether numeric dates may be American (month first): the host is not in a British domain."""
    host = (url or "")[:URL_CHARS].partition("//")[2].partition("/")[0]
    return not host.endswith(BRITISH_DOMAINS)
