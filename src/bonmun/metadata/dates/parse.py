"""Parse dates as people and programs write them, in some forty languages and several calendars."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from bonmun.metadata.dates.months import MONTHS
from bonmun.metadata.scans import compile_char_test
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

__all__ = ["YEAR", "WrittenDay", "find_day", "find_days", "find_short_day", "make_day", "read_program_day"]

THAI_YEARS_AHEAD = 543  # difference between the Thai (Buddhist) and the Gregorian calendar
FIRST_THAI_YEAR = 2500  # later years are Thai
YEAR_BEFORE_ERA = {"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911}  # of Japan, and of Taiwan
SEARCHED_CHARS = 400  # characters at the start of a text that are searched
CHARS_BEFORE_YEAR = 40  # that are searched
PROGRAM_CHARS = 100  # characters of a machine-written date that are read
CENTURY = 2000  # of two-digit years
# Arabic and Persian digits to ASCII.
DIGITS = {first + number: str(number) for first in (0x660, 0x6F0) for number in range(10)}
holds_other_digit = compile_char_test(compile_later("[\u0660-\u0669\u06f0-\u06f9]"))
# A Gregorian year from 1980 on, or a Thai year.
YEAR = compile_later(r"(?:1(?<![0-9].)9[89]|2(?<![0-9].)(?:0[0-9]|5[4-7]))[0-9](?![0-9])")
MONTH = r"(?P<name>[^\W\d_][\w.ก-๛\u0900-\u09ff]{1,24})"
DAY = r"(?P<day>[0-9]{1,2})"
# Two numbers before a year: "4.3.", "03/04/". Only here may the month come first.
TWO_NUMBERS = compile_later(rf"(?<![0-9.]){DAY}\s?[-./]\s?(?P<month>[0-9]{{1,2}})\s?[-./]\s?$")
BEFORE_YEAR = [
    TWO_NUMBERS,
    # Day and name of the month: "4 March", "4. März", "4 de marzo de", "11 كانون الثاني/يناير".
    compile_later(
        rf"(?<![0-9]){DAY}(?:st|nd|rd|th|er|º|\.|ος|α)?(?:\s+(?:of|de|del|d’|d'|ngày))?"
        rf"[\s\-/,]+(?:(?:كانون|تشرين)\s+\w{{1,8}}\s?[/-]\s?)?{MONTH}\.?(?:\s+(?:de|del|of))?[\s,\-/]+$"
    ),
    # Name of the month and day: "March 4th,", also joined to another word: "HealthMARCH 4,".
    compile_later(rf"(?<!\w){MONTH}[.,]?\s+{DAY}(?:st|nd|rd|th)?[,.]?\s+$"),
    # The day of the week, a time and a time zone around them, as in mails: "Wed Mar  4 06:12:55 CST".
    compile_later(
        rf"(?<!\w){MONTH}\s{{1,3}}{DAY}\s[0-9]{{1,2}}:[0-9]{{2}}(?::[0-9]{{2}})?(?:\s[A-Z]{{2,5}}|\s[+-][0-9]{{4}})?\s$"
    ),
    # Vietnamese: "4 tháng 3, năm".
    compile_later(rf"(?<![0-9]){DAY}\s+[Tt]h[aá]ng\s+(?P<month>[0-9]{{1,2}})[,\s]+(?:năm\s+)?$"),
]
DAY_ENDS = ("-", ".", "/", ",")  # last characters before a year, other than spaces
DIGIT = compile_later("[0-9]")
AFTER_YEAR = [
    # Two numbers: "-03-04", "년 3월 4일", "年3月4日".
    compile_later(rf"\s?[-./年년]\s?(?P<month>[0-9]{{1,2}})\s?[-./月월]\s?{DAY}(?![0-9])"),
    # Name of the month and day: ", March 4", ". március 4", "m. kovo 4".
    compile_later(rf"(?<![\s,])(?:\.|\sm\.)?[\s,]++{MONTH}\.?[\s,]++{DAY}(?![0-9])"),
]
# A word that is joined to a month: "Health" of "HealthMARCH".
JOINED = compile_later(r"^.*[a-z](?=[A-Z])")
# A date with the year of an era: "令和8年3月4日", "民國115年3月4日".
ERA_DAY = compile_later(
    r"(?P<era>令和|平成|昭和|民國|民国)\s?(?P<year>元|[0-9]{1,3})\s?年\s?(?P<month>[0-9]{1,2})\s?月\s?(?P<day>[0-9]{1,2})\s?日"
)
# A date with a two-digit year: "26.03.04", "3/4/26", "4.3.26".
SHORT_DAY = compile_later(
    r"(?<![\w.,:/-])(?:’|')?([0-9]{1,2})(?:\.\s?([0-9]{1,2})\.\s?|/([0-9]{1,2})/|-([0-9]{2})-)([0-9]{2})(?![\w:/-]|[.,][0-9])"
)
# The same with the name of the month: "4 marzo 26", at the end of a line or before punctuation or a time of day.
SHORT_NAMED_DAY = compile_later(
    rf"(?<![\w.,:/-]){DAY}\.? {MONTH} (?:’|')?(?P<year>[0-9]{{2}})(?=\s?(?:$|[),;|–—-]|[0-9]{{1,2}}[:.h][0-9]{{2}}))"
)
# Eight digits, possibly followed by a time of day: "20260304", "20260304123000".
COMPACT = compile_later(
    r"(?<![0-9])(20[0-2][0-9])(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])(?:[01][0-9]|2[0-3])?(?:[0-5][0-9]){0,2}(?![0-9])"
)
# A Unix time in seconds or milliseconds, from 2001 on.
UTC_TIME = compile_later(r"\dT([0-9]{2}):[0-9]{2}[0-9:.]{0,20}(?:Z|\+00:?00)")
HOURS_PER_DAY, SECONDS_PER_HOUR = 24, 3600
EPOCH = compile_later(r"\s*+(1[0-9]{9})(?:[0-9]{3})?(?:\.[0-9]{1,6})?\s*+")


class WrittenDay(NamedTuple):
    """A date in a text, with its position."""

    day: date
    start: int
    stop: int


def find_day(text: str, *, american: bool = False) -> date | None:
    """Return the first date in a text, or None; with `american`, the month comes first in numeric dates."""
    if day := _read_plain_day(text):
        return day
    found = next(find_days(text, american=american), None)
    return found.day if found else None


def find_days(text: str, *, american: bool = False) -> Iterator[WrittenDay]:
    """Yield the dates with a year in the first `SEARCHED_CHARS` of a text."""
    text = text[:SEARCHED_CHARS]
    if not text.isascii():
        if holds_other_digit(text):
            text = text.translate(DIGITS)  # one character for one, so positions do not change
        for match in ERA_DAY.finditer(text) if "年" in text else ():
            if day := _read_era_day(match):
                yield WrittenDay(day, match.start(), match.end())
    last = 0
    for year in YEAR.finditer(text):
        if found := _read_around(text, year, last, american=american):
            last = found.stop
            yield found


def _read_around(text: str, year: re.Match[str], last: int, *, american: bool) -> WrittenDay | None:
    """Return the date that a year belongs to, if day and month are before or after it."""
    start = year.start()
    if start and not text[start - 1].isalpha():
        first = max(start - CHARS_BEFORE_YEAR, last)
        before = text[first:start]
        may_end_day = before[-1:].isspace() or before[-1:] in DAY_ENDS
        for pattern in BEFORE_YEAR if may_end_day and DIGIT.search(before) else ():
            if (match := pattern.search(before)) and (day := _read_day(year[0], match, american=american)):
                return WrittenDay(day, first + match.start(), year.end())
    for pattern in AFTER_YEAR:
        if (match := pattern.match(text, year.end())) and (day := _read_day(year[0], match)):
            return WrittenDay(day, start, match.end())
    return None


def find_short_day(text: str, *, year_first: bool, american: bool) -> WrittenDay | None:
    """Return the first date with a two-digit year; with `year_first`, the year comes before month and day."""
    for match in SHORT_DAY.finditer(text):
        first, *middles, last = match.groups()
        numbers = [int(first), int(next(filter(None, middles))), int(last)]
        if year_first and len(first) == 2:
            year, month, number = numbers
        else:
            number, month, year = numbers
            if month > 12 or (american and match[3] and number <= 12):
                month, number = number, month
        if day := make_day(CENTURY + year, month, number):
            return WrittenDay(day, match.start(), match.end())
    for match in SHORT_NAMED_DAY.finditer(text):
        if day := _read_day(str(CENTURY + int(match["year"])), match):
            return WrittenDay(day, match.start(), match.end())
    return None


def read_program_day(text: str, hours: int = 0) -> date | None:
    """Return a machine-written date: as people write it, as "20260304" or "20260304123000", or as a Unix time.

    Times in UTC are converted to the time zone that is `hours` ahead.
    """
    text = text[:PROGRAM_CHARS]
    if day := find_day(text):
        is_next = hours and (match := UTC_TIME.search(text)) and int(match[1]) + hours >= HOURS_PER_DAY
        return day + timedelta(days=1) if is_next and day < date.max else day
    if match := EPOCH.fullmatch(text):
        return datetime.fromtimestamp(int(match[1]) + hours * SECONDS_PER_HOUR, UTC).date()
    match = COMPACT.search(text)
    return make_day(*match.groups()) if match else None


def _read_plain_day(text: str) -> date | None:
    """Return the date at the start of a text if it has the form 2026-03-04, else None."""
    if text[4:8:3] != "--" or not text.startswith("20") or text[10:11].isdigit() or not text.isascii():
        return None
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def make_day(year: str | int, month: str | int, day: str | int) -> date | None:
    """Return the date of three numbers, or None if there is no such date."""
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def _read_day(year: str, match: re.Match[str], *, american: bool = False) -> date | None:
    """Return the date of a year and of the match beside it, or None if there is no such date."""
    parts = match.groupdict()
    day, year_number = int(parts["day"]), int(year)
    if "name" in parts:
        name = parts["name"].rstrip(".")
        month = MONTHS.get(name.lower(), 0) or MONTHS.get(JOINED.sub("", name).lower(), 0)
    else:
        month = int(parts["month"])
        if match.re.pattern == TWO_NUMBERS.pattern and (month > 12 or (american and "." not in match[0] and day <= 12)):
            month, day = day, month
    return make_day(year_number - THAI_YEARS_AHEAD if year_number > FIRST_THAI_YEAR else year_number, month, day)


def _read_era_day(match: re.Match[str]) -> date | None:
    number = 1 if match["year"] == "元" else int(match["year"])
    return make_day(YEAR_BEFORE_ERA[match["era"]] + number, match["month"], match["day"])
