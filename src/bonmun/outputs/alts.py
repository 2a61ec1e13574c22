"""Clean the descriptions of images: some contain HTML, and some are the name of the file."""

from __future__ import annotations

import re
from html import unescape

from bonmun.text.leftover_tags import drop_tags
from bonmun.text.patterns import compile_later
from bonmun.text.readable import make_readable

__all__ = ["clean_alt"]

FILE_NAME = compile_later(r"\A\S{1,300}\.(?:jpe?g|png|gif|webp|avif|bmp|svg)\Z", re.I)
NUMBER = compile_later(r"[\d_-]{5,100}")  # of an upload; shorter ones may be years or amounts
IDENTIFIER = compile_later(r"\w{1,100}(?::[\w-]{1,100}){2,9}")  # as of a picture in the source of a wiki or a blog


def clean_alt(alt: str | None) -> str:
    """Return a description without tags; empty if it is an "x" or a sign, a file name, a long number or an identifier.

    >>> clean_alt("<p>A <em>lamp</em></p>"), clean_alt("A lamp<br>is lit"), clean_alt("DSC_01.JPG")
    ('A lamp', 'A lamp is lit', '')
    >>> clean_alt("x"), clean_alt("f:id:ann:2020:image"), clean_alt("6723434234"), clean_alt("1969")
    ('', '', '', '1969')
    >>> clean_alt("The keeper&#39;s lamp")
    "The keeper's lamp"
    """
    if not alt:
        return ""
    if "&" in alt:  # escaped twice
        alt = unescape(alt)
    alt = make_readable(drop_tags(alt))
    is_mark = len(alt) == 1 and alt.isascii() and (alt in "xX" or not alt.isalnum())
    is_name = any(pattern.fullmatch(alt) for pattern in (FILE_NAME, NUMBER, IDENTIFIER))
    return "" if is_mark or is_name else alt
