"""Metrics of metadata: compare a title, an author and a date with those of the gold.

Each has the interface of the metrics in lab/evaluate/metrics/texts.py: `exact` says whether the value is correct,
`given` whether there is a value, and `f1` is the F1 of its words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, ClassVar

from bonmun.text.words import compare_counts, count_words, is_same_title

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Author", "Date", "Title", "read_day"]

# Words of a byline that are not part of a name: "by", "and", a Korean reporter's rank.
BYLINE = re.compile(r"^\s*by\b:?|\band\b|\bund\b|(?:\s(?:기자|특파원|에디터|논설위원|앵커|PD)\b)", re.I)
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
YEAR = "((?:19|20)[0-9]{2})"
YEAR_FIRST = re.compile(rf"(?<![0-9]){YEAR}\s*[-./年년]\s*([0-9]{{1,2}})\s*[-./月월]\s*([0-9]{{1,2}})(?![0-9])")
YEAR_LAST = re.compile(rf"(?<![0-9])([0-9]{{1,2}})[-./]([0-9]{{1,2}})[-./]{YEAR}(?![0-9])")
COMPACT = re.compile(rf"(?<![0-9]){YEAR}([0-9]{{2}})([0-9]{{2}})(?![0-9])")
NUMBER = r"([0-9]{1,2})(?:st|nd|rd|th|\.)?"
NAME = rf"({'|'.join(MONTHS)})[a-z]*\.?"
DAY_FIRST = re.compile(rf"(?<![0-9]){NUMBER}(?:\s+of\s+|[\s-]+){NAME}(?:,?\s+|-){YEAR}(?![0-9])", re.I)
MONTH_FIRST = re.compile(rf"\b{NAME}\s+{NUMBER},?\s+{YEAR}(?![0-9])", re.I)


@dataclass(frozen=True)
class Title:
    """Whether the titles are equal, ignoring case, whitespace and punctuation; and the F1 of their words."""

    name: ClassVar[str] = "title"

    def __call__(self, found: str | None, gold: str) -> Mapping[str, float]:
        """Compare two titles."""
        return _compare_words(found, gold, is_same_title(found, gold))


@dataclass(frozen=True)
class Author:
    """Whether two bylines have the same words, in any order, without "by" and ranks; and the F1 of their words."""

    name: ClassVar[str] = "author"

    def __call__(self, found: str | None, gold: str) -> Mapping[str, float]:
        """Compare two bylines."""
        ours, theirs = (BYLINE.sub("", text or "") for text in (found, gold))
        names = set(count_words(ours))
        return _compare_words(ours, theirs, bool(names) and names == set(count_words(theirs)))


@dataclass(frozen=True)
class Date:
    """Whether the days are equal, each in the time zone that it was written in."""

    name: ClassVar[str] = "date"

    def __call__(self, found: str | None, gold: str) -> Mapping[str, float]:
        """Compare two dates; an empty result if the gold's date cannot be read."""
        ours, theirs = read_day(found), read_day(gold)
        return {"exact": float(ours == theirs), "given": float(bool(ours))} if theirs else {}


def _compare_words(found: str | None, gold: str, exact: bool) -> dict[str, float]:
    f1 = compare_counts(count_words(found or ""), count_words(gold)).f1 if found else 0.0
    return {"exact": float(exact), "f1": f1, "given": float(bool(found and found.strip()))}


def read_day(text: str | None) -> str | None:
    """Parse a date in any common notation and return its day as YYYY-MM-DD; None if there is none.

    Of two numbers before a year, the first is the day, unless only the second can be a day.

    >>> read_day("22-03-2023 at 10:50 IST"), read_day("April 3rd, 2024"), read_day("2025년 5월 1일")
    ('2023-03-22', '2024-04-03', '2025-05-01')
    """
    written = text or ""
    if found := YEAR_FIRST.search(written) or COMPACT.search(written):
        year, month, number = map(int, found.groups())
    elif found := YEAR_LAST.search(written):
        number, month, year = map(int, found.groups())
        month, number = (number, month) if month > 12 else (month, number)
    elif found := DAY_FIRST.search(written):
        year, month, number = int(found[3]), MONTHS.index(found[2].lower()) + 1, int(found[1])
    elif found := MONTH_FIRST.search(written):
        year, month, number = int(found[3]), MONTHS.index(found[1].lower()) + 1, int(found[2])
    else:
        return None
    try:
        return date(year, month, number).isoformat()
    except ValueError:
        return None
