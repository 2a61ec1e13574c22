"""Recognise dates, times and numbers of sections that are all of a text: "07-31", "[2020-07-31]", "20:50", "1.2"."""

from __future__ import annotations

from bonmun.text.patterns import compile_later

__all__ = ["DATE_ENDS", "DATE_STARTS", "is_short_date"]

DATE = compile_later(r"[\[(（【]?[0-9]{1,4}[-./:年][0-9]{1,2}(?:[-./:月][0-9]{1,4})?日?[\])）】]?")
MAX_CHARS = 14
DATE_STARTS, DATE_ENDS = frozenset("0123456789[(（【"), frozenset("0123456789日])）】")


def is_short_date(text: str) -> bool:
    """Return whether a text is a date, a time or the number of a section.

    >>> is_short_date("[07-31]"), is_short_date("2020"), is_short_date("1.2 kg")
    (True, False, False)
    """
    return len(text) <= MAX_CHARS and text[0] in DATE_STARTS and DATE.fullmatch(text) is not None
