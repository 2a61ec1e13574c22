"""Find the moments that a page names in short texts: dates, times of day, and ages such as "3 hours ago"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bonmun.kernel import load_kernel
from bonmun.metadata.dates.month_order import reads_month_first
from bonmun.metadata.dates.parse import find_day, find_short_day, read_program_day
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.page import Page

__all__ = ["Moment", "find_first_date", "find_moments", "read_clock"]

KERNEL = load_kernel("facts")
MOMENT_CHARS = 80  # maximum length of a text with a moment
CLOCK_CHARS = 30  # the same for a text with a time of day but no date
SHOWN_CHARS = 40  # characters of a moment that are written as the page shows it
CLASS_CHARS = 300  # characters of a class attribute that are read
ATTRIBUTE_CHARS = 60  # characters of an attribute that are read
YEAR_FIRST_LANGUAGES = ("ko", "ja", "zh", "hu")  # that write 26.03.04 for 4 March 2026
UNITS = (
    r"sec(?:ond)?s?|min(?:ute)?s?|h(?:ou)?rs?|days?|weeks?|months?|years?|mo|yr|[smhdwy]|"
    r"Sekunden?|Minuten?|Stunden?|Tag(?:en)?|Wochen?|Monat(?:en)?|Jahr(?:en)?|"
    r"secondes?|heures?|jours?|semaines?|mois|ans?|segundos?|minutos?|horas?|d[ií]as?|semanas?|mes(?:es)?|meses|años?|"
    r"ore?|minuti?|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|"
    r"секунд\w?|минут\w?|час\w{0,2}|д(?:ень|ня|ней)|недел\w|месяц\w{0,2}|год\w?|лет|"
    r"초|분|시간|일|주|주일|개월|달|년|秒|分|分钟|分鐘|小时|小時|時間|日|天|周|週間?|个月|個月|[かヶカケ]月|年"
)
# "3 hours ago", "vor 2 Tagen", "il y a un an", "5분 전", "3時間前", "yesterday at 10:15", "12h".
AGE = compile_later(
    rf"(?<!\w)(?:[0-9]{{1,4}}|an?|one)\s?(?:{UNITS})\s?(?:ago|назад|전|前|fa|atrás|temu)(?!\w)"
    rf"|(?<!\w)(?:vor|il y a|hace|há|przed|منذ)\s(?:[0-9]{{1,4}}|ein\w{{0,2}}|un[ae]?)\s?(?:{UNITS})(?!\w)"
    r"|\A\s?(?:yesterday|today|gestern|heute|hier|aujourd'hui|ayer|hoy|ieri|oggi|вчера|сегодня|어제|오늘|방금|昨日|今日|昨天|刚刚|"
    r"just now)(?!\w)"
    r"|\A\s?[0-9]{1,3}\s?(?:s|m|min|h|d|w|mo|y)\s?\Z",
    re.I,
)
# An age in ASCII without a digit has one of these words.
AGE_WORDS = (
    "ago",
    "fa",
    "temu",
    "vor",
    "il y a",
    "hace",
    "przed",
    "yesterday",
    "today",
    "gestern",
    "heute",
    "hier",
    "aujourd",
    "ayer",
    "hoy",
    "ieri",
    "oggi",
    "just now",
)
CLOCK = compile_later(
    r"(?<![0-9:.])([01]?[0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9]))?(?![0-9:])\s?([ap])?\.?(m)?", re.I
)
# The start of a line above a quotation: "Quote from: Sol on 4 March".
QUOTED = compile_later(
    r"\s?(?:quot(?:e|ing|ed)|zitat|citation|cita(?:zione|ção)?|citaat|cytat|цитата|alıntı|引用|인용)(?!\w)", re.I
)
AFTERNOON = compile_later(r"오후|午後|下午")
NOON = 12  # hours
DATE_WORD = compile_later(r"date|time|ago|posted|publish|stamp|created", re.I)
NUMBER = compile_later(r"[0-9]")
MOMENT_ATTRIBUTES = ("datetime", "title", "data-time", "data-timestamp", "data-utime", "content")


class Moment(NamedTuple):
    """A moment that the page names."""

    element: int
    leaf: int  # -1 if only an attribute names it
    date: str | None  # YYYY-MM-DD
    time: str | None  # HH:MM or HH:MM:SS
    shown: str
    strength: int  # 1 (weak) to 4


def find_moments(page: Page) -> Iterator[Moment]:
    """Yield the moments in short texts and in elements such as `<time>`, in document order."""
    tags, parents = page.tags, page.parents
    year_first = _has_year_first(page)
    timed = {tag for tag in page.tag_names if "time" in tag}
    seen: set[int] = set()
    possible = _list_possible(page, timed)
    american = reads_month_first((page.texts[leaf] for leaf in possible), False)
    for leaf in possible:
        text, element = page.texts[leaf], page.leaf_elements[leaf]
        holder = element if tags[element] in timed else parents[element]
        if holder >= 0 and tags[holder] in timed:
            seen.add(holder)
            date, time = _read_attributes(page, (holder,))
            if date is None:
                date, time = _read_text(text, year_first=year_first, american=american)
            yield Moment(element, leaf, date, time, " ".join(text.split())[:SHOWN_CHARS], 4)
            continue
        is_age = AGE.search(text) is not None
        if (not is_age and not NUMBER.search(text)) or QUOTED.match(text):
            continue
        date, time = _read_text(text, year_first=year_first, american=american)
        if is_age and date is None:
            above = [row for row in (element, parents[element]) if row >= 0]
            date, time = _read_attributes(page, above)
        if is_age or date or (time and len(text) <= CLOCK_CHARS):
            names = (page.attr(row, "class") or "" for row in (element, max(parents[element], 0)))
            is_named = any(DATE_WORD.search(name[:CLASS_CHARS]) for name in names)
            strength = 1 + (is_age or (date is not None and time is not None)) + is_named
            yield Moment(element, leaf, date, time, " ".join(text.split())[:SHOWN_CHARS], strength)
    for row, tag in enumerate(tags):
        if tag in timed and row not in seen:
            date, time = _read_attributes(page, (row,))
            if date:
                yield Moment(row, -1, date, time, date, 4)


def _list_possible(page: Page, timed: set[str]) -> list[int]:
    """Return the short leaves, but for some that hold no moment. `timed` are tags of elements that do."""
    texts, elements = page.texts, page.leaf_elements
    if KERNEL:
        found: list[int] = KERNEL.list_possible_moments(
            texts, elements, page.tags, page.parents, timed, MOMENT_CHARS, AGE_WORDS
        )
        return found
    return [leaf for leaf, text in enumerate(texts) if len(text) <= MOMENT_CHARS]


def find_first_date(page: Page, leaves: range) -> str | None:
    """Return the first date that `find_moments` finds in some leaves. This is faster than finding all moments."""
    tags, parents, year_first = page.tags, page.parents, _has_year_first(page)
    timed = {tag for tag in page.tag_names if "time" in tag}
    for leaf in leaves:
        text = page.texts[leaf]
        if len(text) > MOMENT_CHARS:
            continue
        element, date = page.leaf_elements[leaf], None
        above = (element, parents[element]) if parents[element] >= 0 else (element,)
        if timed and (holder := next((row for row in above if tags[row] in timed), None)) is not None:
            date = _read_attributes(page, (holder,))[0] or _read_text(text, year_first=year_first)[0]
        else:
            if NUMBER.search(text):
                date = _read_text(text, year_first=year_first)[0]
            if date is None and AGE.search(text):
                date = _read_text(text, year_first=year_first)[0] or _read_attributes(page, above)[0]
        if date:
            return date
    return None


def _has_year_first(page: Page) -> bool:
    return (page.attr(0, "lang") or "ko")[:2].lower() in YEAR_FIRST_LANGUAGES


def _read_attributes(page: Page, rows: Sequence[int]) -> tuple[str | None, str | None]:
    """Return the first date, and the time of day with it, that an attribute of some elements names."""
    for row in rows:
        for name in MOMENT_ATTRIBUTES:
            value = (page.attr(row, name) or "")[:ATTRIBUTE_CHARS].replace("T", " ")
            if value and NUMBER.search(value) and (day := find_day(value) or read_program_day(value)):
                return day.isoformat(), read_clock(value)
    return None, None


def _read_text(text: str, *, year_first: bool, american: bool = False) -> tuple[str | None, str | None]:
    """Return the date and the time of day that a text names."""
    day = find_day(text, american=american)
    if day is None and (short := find_short_day(text.replace(",", " "), year_first=year_first, american=american)):
        day = short.day
    return day.isoformat() if day else None, read_clock(text)


def read_clock(text: str) -> str | None:
    """Return the time of day in a text, as HH:MM or HH:MM:SS.

    >>> read_clock("4 March 2026, 9:15 pm"), read_clock("2026-03-04 21:15:09")
    ('21:15', '21:15:09')
    """
    match = CLOCK.search(text)
    if not match:
        return None
    hour = int(match[1])
    half = match[4].lower() if match[4] and match[5] else "p" if AFTERNOON.search(text) else ""
    if half and hour <= NOON:
        hour = hour % NOON + (NOON if half == "p" else 0)
    return f"{hour:02}:{match[2]}" + (f":{match[3]}" if match[3] else "")
