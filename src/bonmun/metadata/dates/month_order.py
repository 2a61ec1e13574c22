"""Find out whether the month or the day comes first in the numeric dates of a page, such as 03/04/2026."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["reads_month_first"]

# A date of which one number can only be the day: it tells the order of day and month on the whole page.
DAY_FIRST = compile_later(r"(?<![0-9/.-])(?:1[3-9]|2[0-9]|3[01])/(?:0?[1-9]|1[0-2])/(?:20)?[0-9]{2}(?![0-9/])")
MONTH_FIRST = compile_later(r"(?<![0-9/.-])(?:0?[1-9]|1[0-2])/(?:1[3-9]|2[0-9]|3[01])/(?:20)?[0-9]{2}(?![0-9/])")


def reads_month_first(texts: Iterable[str], expected: bool) -> bool:
    """Return whether the month comes first in the numeric dates of some texts, `expected` if they do not tell.

    >>> reads_month_first(["5/12/2021", "5/21/2021"], False), reads_month_first(["5/12/2021"], False)
    (True, False)
    """
    texts = [text for text in texts if text.count("/") > 1]
    is_day_first = any(DAY_FIRST.search(text) for text in texts)
    is_month_first = any(MONTH_FIRST.search(text) for text in texts)
    return expected if is_day_first == is_month_first else is_month_first
