"""Read amounts of money from text: "1.234,56 €", "39,800원", "￥1,980(税込)", "12 345,00 руб."."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from unicodedata import decimal

from bonmun.objects.currencies import (
    EITHER_SIGNS,
    NO_DECIMALS,
    PREFIX_SIGNS,
    SUFFIX_SIGNS,
    THREE_DECIMALS,
    resolve_sign,
)
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Money", "find_money", "fold_digits", "read_amount"]

MAX_WHOLE_DIGITS = 12  # of an amount: a trillion; longer numbers are identifiers
AFTER_CHARS, BEFORE_CHARS = 14, 10  # beside a number that are searched for a currency
GROUP = r"[.,'’٬ \u00a0\u2009\u202f]"
# A number: with groups of three digits, with Indian groups, or without groups; then decimals. Digits are folded.
NUMBER = compile_later(
    r"(?<![0-9])(?:"
    r"[0-9]{1,2}(?:,[0-9]{2}(?=,)){1,4}+,[0-9]{3}(?![0-9])(?:\.[0-9]{1,2}(?![0-9]))?"
    rf"|[0-9]{{1,3}}({GROUP})[0-9]{{3}}(?:\1[0-9]{{3}}){{0,4}}+(?![0-9])(?:[.,٫][0-9]{{1,3}}(?![0-9]))?"
    r"|[0-9]++(?:[.,٫][0-9]{1,4}(?![0-9]))?"
    r")"
)
DECIMAL_SIGNS, SPACES = ".,٫", " \u00a0\u2009\u202f"
# What takes the place of fullwidth signs, and of marks of writing direction.
SIGNS = {"．": ".", "，": ",", "＄": "$"} | dict.fromkeys(
    "\u200e\u200f\u061c\u202a\u202b\u202c\u2066\u2067\u2068\u2069", ""
)
LETTER = r"[^\W\d_]"


def _make_pattern(signs: tuple[str, ...]) -> str:
    """Return a pattern of signs, the longest first; signs of letters must be whole words."""
    parts = []
    for sign in sorted(signs, key=len, reverse=True):
        escaped = sign.replace(".", r"\.").replace("$", r"\$").replace("/", r"\/")
        before = rf"(?<!{LETTER})" if sign[0].isalpha() and sign[0] < "ᄀ" else ""
        after = rf"(?!{LETTER})" if sign[-1].isalpha() and sign[-1] < "ᄀ" else ""
        parts.append(before + escaped + after)
    return "|".join(parts)


def _group_signs(signs: Iterable[str], place: int) -> dict[str, tuple[str, ...]]:
    """Return signs without the gaps at their end by their first (0) or last (-1) character."""
    groups: dict[str, tuple[str, ...]] = {}
    for sign in dict.fromkeys(sign.rstrip(GAPS) for sign in signs):
        groups[sign[place]] = (*groups.get(sign[place], ()), sign)
    return groups


GAPS = SPACES + ":."
BEFORE_SIGNS, AFTER_SIGNS = (*EITHER_SIGNS, *PREFIX_SIGNS), (*EITHER_SIGNS, *SUFFIX_SIGNS)
AFTER = compile_later(rf"(?:[,.][-–—]{{1,2}})?[ \u00a0\u2009\u202f]{{0,2}}({_make_pattern(AFTER_SIGNS)})")
BEFORE = compile_later(rf"({_make_pattern(BEFORE_SIGNS)})[ \u00a0\u2009\u202f:.]{{0,2}}\Z")
# What a currency before a number ends with, and one after a number starts with: the patterns take longer.
ENDS, STARTS = _group_signs(BEFORE_SIGNS, -1), _group_signs(AFTER_SIGNS, 0)
RANGE_MARKS = ("-", "–", "—", "~", "～", "to", "bis", "до")


class Money(NamedTuple):
    """An amount of money in a text."""

    amount: str  # such as "1234.56"
    currency: str | None  # ISO 4217 code; None if the text does not show it
    start: int  # of the amount with its currency, in the folded text
    stop: int


def find_money(text: str, country: str | None = None) -> Iterator[Money]:
    """Yield the numbers of a text, each with the currency beside it.

    `country` (a two-letter code) decides what "$", "kr" or "¥" stand for. The text must come from `fold_digits`.
    """
    waiting: tuple[str, int, int] | None = None  # a number without currency, which may be the start of a range
    for match in NUMBER.finditer(text):
        start, stop = match.span()
        before = after = None
        around = text[max(0, start - BEFORE_CHARS) : start].rstrip(GAPS)
        if around.endswith(ENDS.get(around[-1:], ())):
            before = BEFORE.search(text, max(0, start - BEFORE_CHARS), start)
        around = text[stop : stop + AFTER_CHARS].lstrip(GAPS + ",-–—")
        if around.startswith(STARTS.get(around[:1], ())):
            after = AFTER.match(text, stop, stop + AFTER_CHARS)
        if before and after and text[after.end() :][:AFTER_CHARS].lstrip(GAPS)[:1].isdecimal():
            after = None  # the sign of the next number
        found = before or after
        currency = resolve_sign(found.group(1), country) if found else None
        if waiting:
            is_range = after is not None and before is None and text[waiting[2] : start].strip(SPACES) in RANGE_MARKS
            if amount := read_number(waiting[0], currency if is_range else None):
                yield Money(amount, currency if is_range else None, waiting[1], waiting[2])
            waiting = None
        if currency is None:
            waiting = (match.group(), start, stop)
        elif amount := read_number(match.group(), currency):
            yield Money(amount, currency, before.start() if before else start, after.end() if after else stop)
    if waiting and (amount := read_number(waiting[0], None)):
        yield Money(amount, None, waiting[1], waiting[2])


def fold_digits(text: str) -> str:
    """Return a text with the digits of every script as 0 to 9, and without marks of writing direction."""
    if text.isascii():
        return text
    other = {char for char in {*text} if char in SIGNS or (char.isdecimal() and not char.isascii())}
    if not other:
        return text
    return text.translate({ord(char): SIGNS[char] if char in SIGNS else str(decimal(char)) for char in other})


def read_amount(value: object, currency: str | None = None) -> str | None:
    """Return the amount of a declared price, such as "1,234.56" or 12.5, or None if it is no single number."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    text = fold_digits(str(value)[:100]).strip()
    numbers = list(NUMBER.finditer(text))
    if len(numbers) != 1:
        return None
    if text == numbers[0].group() and text.count(".") == 1 and "," not in text:  # as schema.org asks for
        whole, _, decimals = text.partition(".")
        return _join(whole, decimals)
    return read_number(numbers[0].group(), currency)


def read_number(text: str, currency: str | None) -> str | None:
    """Return a number such as "1.234,56" as "1234.56", or None if it is too long for an amount."""
    if text.isdecimal():  # most numbers
        return _join(text, "")
    for space in SPACES[1:] + "'’":
        text = text.replace(space, " ")
    digits = text.replace(" ", "").replace("٬", "")
    at = max(map(digits.rfind, DECIMAL_SIGNS))
    if at < 0:
        return _join(digits, "")
    sign, decimals = digits[at], digits[at + 1 :]
    whole = digits[:at].replace(".", "").replace(",", "")
    is_repeated = digits.count(sign) > 1
    is_group = len(decimals) == 3 and (
        is_repeated or not (whole.strip("0") == "" or currency in THREE_DECIMALS or _has_other_sign(digits[:at], sign))
    )
    if is_group or (currency in NO_DECIMALS and len(decimals) == 3):
        return _join(whole + decimals, "")
    return _join(whole, decimals)


def _has_other_sign(whole: str, sign: str) -> bool:
    """Whether a number has another separator before this one, as in "1.234,567"."""
    return any(other in whole for other in DECIMAL_SIGNS if other != sign)


def _join(whole: str, decimals: str) -> str | None:
    whole = whole.lstrip("0") or "0"
    if len(whole) > MAX_WHOLE_DIGITS:
        return None
    return f"{whole}.{decimals}" if decimals else whole
