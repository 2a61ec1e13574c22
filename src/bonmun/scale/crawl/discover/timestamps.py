"""Parse the dates of sitemaps and feeds."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

__all__ = ["parse_time"]

DAY = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?", re.ASCII)
MAX_TIME_CHARS = 60


def parse_time(text: str) -> str | None:
    """Return a date or time as ISO 8601, in UTC if it has a time zone; None if it is not valid.

    >>> parse_time("Wed, 04 Mar 2026 09:30:00 +0900"), parse_time("2026-03-04"), parse_time("yesterday")
    ('2026-03-04T00:30:00+00:00', '2026-03-04', None)
    """
    text = text.strip()[:MAX_TIME_CHARS]
    try:
        if DAY.fullmatch(text):
            datetime.strptime(text, "%Y-%m-%d"[: {4: 2, 7: 5, 10: 8}[len(text)]])
            return text
        time = datetime.fromisoformat(text) if text[:4].isdigit() else parsedate_to_datetime(text)
        return (time.astimezone(UTC) if time.tzinfo else time).isoformat(timespec="seconds")
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
