"""When pages were written or changed, as sitemaps and feeds say it: in one form, or not at all."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

__all__ = ["read_time"]

DAY = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
TIME_CHARS = 60


def read_time(text: str) -> str | None:
    """A time as ISO 8601, in UTC where a zone is given; None if it is none.

    >>> read_time("Wed, 04 Mar 2026 09:30:00 +0900"), read_time("2026-03-04"), read_time("yesterday")
    ('2026-03-04T00:30:00+00:00', '2026-03-04', None)
    """
    text = text.strip()[:TIME_CHARS]
    try:
        if DAY.fullmatch(text):
            datetime.strptime(text, "%Y-%m-%d"[: {4: 2, 7: 5, 10: 8}[len(text)]])
            return text
        time = datetime.fromisoformat(text) if text[:4].isdigit() else parsedate_to_datetime(text)
        return (time.astimezone(UTC) if time.tzinfo else time).isoformat(timespec="seconds")
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
