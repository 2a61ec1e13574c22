"""Read when something takes place: "Tue, 09/17/2019 - 10:00 AM", "17.–18. října 2026", "2019年3月6日 13時～16時"."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from bonmun.metadata.dates.parse import find_days, find_short_day, make_day
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from bonmun.metadata.dates.parse import WrittenDay

__all__ = ["Period", "read_period", "read_times"]

TEXT_CHARS = 200  # of a text that are read
NOON, DAY_HOURS = 12, 24
BETWEEN_CHARS = 40  # at most from the first day of a range to the second
BEFORE_CHARS, AFTER_CHARS = 12, 16  # beside a date that may hold the other day of a range
RANGE = "-–—―~〜－"
# "13:00", "8:30 AM", "19h30", "20 h", "19 Uhr", "19.30 Uhr", "오후 2시 30분", "14時", "10 AM", the first of "2-4 pm".
TIME = compile_later(
    r"(?<![0-9:.,/])(?P<half>오전|오후|午前|午後|上午|下午|晚上)?\s?(?P<hour>[01]?[0-9]|2[0-4])(?:"
    r":(?P<minute>[0-5][0-9])(?::[0-5][0-9])?(?![0-9:])|\.(?P<point>[0-5][0-9])(?=\s?(?:uhr|[ap]\.?m\b))"
    r"|\s?[時시点點](?:\s?(?P<cjk>[0-5]?[0-9])\s?[分분])?|\s?h\s?(?P<french>[0-5][0-9])?(?![^\W_])"
    rf"|(?=\s?(?:[ap]\.?m\b|uhr))|(?=\s?[{RANGE}]\s?[0-9]{{1,2}}(?:[:.][0-9]{{2}})?\s?[ap]\.?m\b)"
    r")(?:\s?(?P<meridiem>[ap])\.?m\b\.?)?",
    re.I,
)
# What stands between the times of a range: "10:00 am - 11:00 am", "19:00 Uhr bis 21:00", "13시부터 15시".
TO = compile_later(
    rf"(?:\s?(?:uhr|h|hrs|[a-z]{{2,4}}))?\s?(?:[{RANGE}]|to|until|till|bis|à|a|al|do|до|から|부터)\s?", re.I
)
# What stands somewhere between the two days of a range.
JOINING = compile_later(
    rf"[{RANGE}]|\b(?:to|until|till|through|bis|au|jusqu'au|al?|do|до|по)\b|から|부터|까지|至|到", re.I
)
# The first day of a range: "17.–" before "18. října 2026", and "17 -" in "November 17 - 18, 2012".
DAY_BEFORE = compile_later(
    rf"(?<![0-9:./])([0-9]{{1,2}})(?:st|nd|rd|th|er)?\.?\s?(?:[{RANGE}]|to|bis|au|al|do|до|und|and|et|y|e|&)\s?$"
)
DAYS_AFTER_MONTH = compile_later(
    rf"(?<=[^\W\d_]\s)([0-9]{{1,2}})(?:st|nd|rd|th)?\s?(?:[{RANGE}]|to|and|&)\s?([0-9]{{1,2}})"
    r"(?=(?:st|nd|rd|th)?,?\s(?:19|20)[0-9]{2})"
)
# The last day of a range: "~ 3월 8일", "～8日", "~ 03.08".
DAY_AFTER = compile_later(
    rf"\.?\s?[日일]?\s?(?:\(.\))?\s?[{RANGE}]\s?(?:([0-9]{{1,2}})\s?[月월]\s?([0-9]{{1,2}})\s?[日일]|([0-9]{{1,2}})\s?[日일]"
    r"|([0-9]{1,2})\.\s?([0-9]{1,2})(?![0-9:]))"
)


class Period(NamedTuple):
    """When something takes place, in ISO 8601: days, or days with times of day."""

    start: str
    end: str = ""  # "" if the text does not say

    @property
    def has_time(self) -> bool:
        """Whether it has a time of day."""
        return "T" in self.start


def read_period(text: str, *, american: bool = False, year_first: bool = False) -> Period | None:
    """Return when a text says that something takes place, or None if it has no date with a year.

    >>> read_period("Date: November 13, 2018 2:30 pm – 3:30 pm")
    Period(start='2018-11-13T14:30', end='2018-11-13T15:30')
    """
    text = normalize("NFKC", text[:TEXT_CHARS])
    number = 0  # of the first day of a range
    if match := DAYS_AFTER_MONTH.search(text):
        number, text = int(match[1]), text[: match.start(1)] + text[match.start(2) :]
    days = list(islice(find_days(text, american=american), 2))
    if not days and (short := find_short_day(text, year_first=year_first, american=american)):
        days = [short]
    if not days:
        return None
    first, last = _find_range(text, days, number)
    is_range = len(days) > 1 and last == days[1].day
    start_times = read_times(_blank(text, days)[: days[1].start] if is_range else _blank(text, days))
    end_times = read_times(text[days[1].stop :]) if is_range else start_times[1:]
    start = _join(first, start_times)
    if last:
        return Period(start, _join(last, end_times))
    is_later = bool(end_times) and end_times[0] > start_times[0]
    return Period(start, _join(first, end_times) if is_later else "")


def read_times(text: str) -> list[str]:
    """Return the first time of day in a text as ["HH:MM"], with the second if both are a range.

    >>> read_times("2 - 4 pm"), read_times("19 Uhr, Einlass 18 Uhr"), read_times("오후 2시 30분")
    (['14:00', '16:00'], ['19:00'], ['14:30'])
    """
    text = normalize("NFKC", text[:TEXT_CHARS])
    matches = list(islice(TIME.finditer(text), 2))
    if len(matches) > 1 and not TO.fullmatch(text[matches[0].end() : matches[1].start()]):
        matches = matches[:1]
    hours = [int(match["hour"]) for match in matches]
    halves = [_find_half(match) for match in matches]
    if len(matches) > 1 and not halves[0] and halves[1] and hours[0] <= NOON:  # "2 - 4 pm", but not "11 - 1 pm"
        halves[0] = halves[1] if hours[0] % NOON <= hours[1] % NOON else "a"
    if len(matches) > 1 and halves[0] and not halves[1] and hours[0] < hours[1] < NOON:  # "오후 2시 ~ 4시"
        halves[1] = halves[0]
    times = []
    for match, hour, half in zip(matches, hours, halves, strict=True):
        if half and hour <= NOON:
            hour = hour % NOON + (NOON if half == "p" else 0)
        if hour == DAY_HOURS:
            break
        minute = next(filter(None, (match[name] for name in ("minute", "point", "cjk", "french"))), "0")
        times.append(f"{hour:02}:{int(minute):02}")
    return times


def _find_half(match: re.Match[str]) -> str:
    """Return "a" or "p" for the half of the day, or ""."""
    if match["meridiem"]:
        return match["meridiem"].lower()
    return {"": "", "오전": "a", "午前": "a", "上午": "a"}.get(match["half"] or "", "p")


def _find_range(text: str, days: Sequence[WrittenDay], number: int) -> tuple[date, date | None]:
    """Return the first and the last day that a text names; the last is None if there is only one."""
    found = days[0]
    before = DAY_BEFORE.search(text[max(0, found.start - BEFORE_CHARS) : found.start])
    if number or before:
        start = make_day(found.day.year, found.day.month, number or int(before[1] if before else 0))
        return (start, found.day) if start and start < found.day else (found.day, None)
    if len(days) > 1:
        between = text[found.stop : days[1].start]
        is_range = len(between) <= BETWEEN_CHARS and days[1].day > found.day and bool(JOINING.search(between))
        return found.day, days[1].day if is_range else None
    if match := DAY_AFTER.match(text[found.stop : found.stop + AFTER_CHARS]):
        end = make_day(found.day.year, match[1] or match[4] or found.day.month, match[2] or match[3] or match[5])
        return found.day, end if end and end > found.day else None
    return found.day, None


def _blank(text: str, days: Sequence[WrittenDay]) -> str:
    """Return a text with spaces in place of its dates, which may look like times."""
    for each in days:
        text = text[: each.start] + " " * (each.stop - each.start) + text[each.stop :]
    return text


def _join(day: date, times: Sequence[str]) -> str:
    return f"{day.isoformat()}T{times[0]}" if times else day.isoformat()
