"""Durations: read in ISO 8601 ("PT1H30M") and in words of many languages ("1 hr 30 min"), written in ISO 8601."""

from __future__ import annotations

import re

from bonmun.text.patterns import compile_later

__all__ = ["read_duration", "read_minutes", "write_duration"]

DURATION_CHARS = 120  # characters of a text that are read
MAX_MINUTES = 60 * 24 * 60  # sixty days: nothing that is cooked or watched takes longer
UNIT_MINUTES = {
    1440: "d day days tag tage tagen jour jours dag dagen día días giorno giorni dia dias dygn dage dager päivä päivää "
    "dzień dni день дня дней 일 日 天 gün den dny deň nap",
    60: "h hr hrs hour hours std stunde stunden heure heures uur uren hora horas ora ore timme timmar tim time timer "
    "tunti tuntia godz godzina godziny godzin час часа часов ч 시간 時間 小时 小時 鐘頭 saat sa hod hodina hodiny "
    "hodin hodín óra u",
    1: "m min mins minute minutes mn minuten minuto minutos minuti minut minuty minuter minutter minuta minuuttia "
    "minuutti minuter мин минут минуты минута хв 분 分 分钟 分鐘 dakika dk dakka perc minút minúty minuut mínútur",
    1 / 60: "s sec secs second seconds sek sekunde sekunden secondes seconde segundo segundos secondi сек секунд 초 秒",
}
MINUTES_OF_UNIT = {unit: minutes for minutes, units in UNIT_MINUTES.items() for unit in units.split()}
NUMBER = r"([0-9]{1,6}(?:[.,][0-9]{1,6})?)"
ISO = compile_later(
    rf"P(?:{NUMBER}Y)?(?:{NUMBER}M)?(?:{NUMBER}W)?(?:{NUMBER}D)?(?:T(?:{NUMBER}H)?(?:{NUMBER}M)?(?:{NUMBER}S?)?)?", re.I
)
ISO_MINUTES = (525_600.0, 43_200.0, 10_080.0, 1440.0, 60.0, 1.0, 1 / 60)
FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "1/2": 0.5, "1/4": 0.25, "3/4": 0.75}
# A number, a fraction or both, then a unit; "1:30" and "1:30 h" are hours and minutes.
AMOUNT = compile_later(
    r"(?<![0-9.,:/])(?=[0-9½¼¾⅓⅔])([0-9]{1,4}(?:[.,][0-9]{1,2})?(?!/))?[^\S\n]?(?:and |& )?"
    r"(½|¼|¾|⅓|⅔|[13]/[24])?[^\S\n]?-?"
    "(" + "|".join(sorted(map(re.escape, MINUTES_OF_UNIT), key=len, reverse=True)) + r")(?![^\W\d_가-힣ぁ-ヿ一-鿿])",
    re.I,
)
CLOCK = compile_later(r"(?<![0-9:])([0-9]{1,2}):([0-5][0-9])(?::[0-5][0-9])?(?![0-9:])")


def read_duration(value: str | float) -> str:
    """Return a duration in ISO 8601, such as "PT1H30M"; "" if the value is none.

    >>> read_duration("1 hr 30 min"), read_duration("PT90M"), read_duration("1時間30分"), read_duration("soon")
    ('PT1H30M', 'PT1H30M', 'PT1H30M', '')
    """
    minutes = read_minutes(value)
    return write_duration(minutes) if minutes else ""


def read_minutes(value: str | float) -> float:
    """Return a duration in minutes; 0 if the value is none. A bare number counts as minutes."""
    if isinstance(value, (int, float)):
        return float(value) if 0 < value <= MAX_MINUTES else 0.0
    text = value[:DURATION_CHARS].strip()
    compact = text.replace(" ", "")
    if match := ISO.fullmatch(compact):
        numbers = [float(number.replace(",", ".")) if number else 0.0 for number in match.groups()]
        minutes = sum(number * unit for number, unit in zip(numbers, ISO_MINUTES, strict=True))
        if compact[-1:].isdigit():  # "PT30" means minutes
            minutes += numbers[-1] - numbers[-1] / 60
    elif match := CLOCK.search(text):
        minutes = float(match[1]) * 60 + float(match[2])
    elif compact.isascii() and compact.isdigit():
        minutes = float(compact)
    else:
        minutes = _sum_amounts(text)
    return minutes if minutes <= MAX_MINUTES else 0.0


def _sum_amounts(text: str) -> float:
    """Return the sum of "1 hr" and "30 min"; of "20 min (plus 1 hr)" or "20–30 min" one part only."""
    minutes, last = 0.0, 10_000.0
    for match in AMOUNT.finditer(text):
        number, fraction, unit = match.groups()
        each = MINUTES_OF_UNIT.get(unit.lower(), 0.0)
        if (number or fraction) and each < last:
            amount = float(number.replace(",", ".")) if number else 0.0
            minutes, last = minutes + (amount + FRACTIONS.get(fraction or "", 0.0)) * each, each
    return minutes


def write_duration(minutes: float) -> str:
    """Return minutes in ISO 8601: hours, minutes and seconds."""
    seconds = round(minutes * 60)
    hours, rest = divmod(seconds, 3600)
    parts = ((hours, "H"), (rest // 60, "M"), (rest % 60, "S"))
    return "PT" + ("".join(f"{number}{unit}" for number, unit in parts if number) or "0S")
