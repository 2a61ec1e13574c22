"""Relative dates, which count from the day the page was fetched: "3시간 전", "2 days ago", "вчера"."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from bonmun.text.patterns import compile_later

__all__ = ["find_day_before", "read_relative_day"]

# Number and unit: "3 hours", "un jour". Weeks, months and years are too coarse for a date.
NUMBER = r"(?P<count>[0-9]{1,3}|an?|one|eine[mr]?|une?|una?|uma?)"
UNITS = r"""
(?P<second>초|秒鐘?|秒钟?|sec(?:ond)?s?|sekunden?|secondes?|segundos?|secondi?|секунд\w*|ثانية|ثوان)|
(?P<minute>분|分鐘|分钟|分|min(?:ute)?s?|minuten?|minutos?|minut[oi]|минут\w*|دقيقة|دقائق)|
(?P<hour>시간|時間|小时|小時|hours?|hrs?|stunden?|heures?|horas?|or[ae]|час\w*|ساعة|ساعات)|
(?P<day>일|日|天|days?|tag(?:en)?|jours?|d[ií]as?|giorn[oi]|дн\w+|день|يوم|أيام)
"""
AGO = [
    # "ago" after number and unit: "3시간 전", "2 days ago".
    compile_later(rf"(?<!\w){NUMBER}\s*(?:{UNITS})\s*(?:전(?![가-힣])|前|ago\b|fa\b|назад\b)", re.I | re.X),
    # "ago" before them: "vor 3 Tagen", "il y a 2 jours".
    compile_later(rf"(?<!\w)(?:vor|il\ y\ a|hace|há|منذ|قبل)\s+{NUMBER}\s+(?:{UNITS})(?!\w)", re.I | re.X),
]
# "Today", "yesterday" and the like: a date only if nothing but a time of day is around them.
NAMED_DAY = compile_later(
    r"^\W*+(?:(?P<today>오늘|방금(?:\s*+전)?|今天|刚刚|剛剛|たった今|today|just now|heute|aujourd[’']hui|hoy|hoje|oggi|"
    r"сегодня|اليوم)|(?P<yesterday>어제|昨天|昨日|yesterday|gestern|hier|ayer|ontem|ieri|вчера|أمس)|"
    r"(?P<before>그저께|그제|前天|一昨日|anteayer|позавчера))"
    r"\W*+(?:(?:at|um|à|a las|в)?\s*+\d{1,2}\s*+[:시時点h.]\s*+(?:\d{2})?\W*+(?:[ap]\.?m\.?|uhr|분|分)?)?\W*+$",
    re.I,
)


def read_relative_day(text: str, crawled: date) -> date | None:
    """Return the day that a relative date means. Hours count only if `crawled` is a datetime."""
    if match := NAMED_DAY.match(text):
        days = 0 if match["today"] else 1 if match["yesterday"] else 2
        return find_day_before(crawled, timedelta(days=days))
    match = next((match for pattern in AGO if (match := pattern.search(text))), None)
    if not match:
        return None
    count = int(match["count"]) if match["count"].isdigit() else 1
    parts = match.groupdict()
    unit = next(name for name in ("second", "minute", "hour", "day") if parts[name])
    return find_day_before(crawled, timedelta(**{f"{unit}s": count}))


def find_day_before(moment: date, delta: timedelta) -> date | None:
    """Return the day of `moment - delta`, or None if it is out of the range of the calendar."""
    try:
        found = moment - delta
    except OverflowError:
        return None
    return found.date() if isinstance(found, datetime) else found
