"""Amount, unit and item of a line such as "1 ½ cups flour", "Mehl: 500 g" or "설탕 2큰술"."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from bonmun.objects.recipes.words import UNITS
from bonmun.text.patterns import compile_later

__all__ = ["Quantity", "rate_amount", "split_quantity"]

LINE_CHARS = 300  # longer lines are not split
CACHE_SIZE = 1_000  # lines: each is looked at several times
FRACTION = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
ONE = (
    rf"(?:[0-9]{{1,5}}[^\S\n]?[{FRACTION}]|[0-9]{{1,3}}[ -][0-9]{{1,2}}[/⁄][0-9]{{1,2}}|[0-9]{{1,5}}[/⁄][0-9]{{1,3}}"
    rf"|[0-9]{{1,5}}(?:[.,][0-9]{{1,3}})?|[{FRACTION}]|半|一|两|二|三)"
)
AMOUNT = rf"{ONE}(?:[^\S\n]?(?:-|–|—|~|to|bis|à|tot|til|till|до|〜|～|×|x|\+)[^\S\n]?{ONE})?"
# "2 to 3", "1½", "ca. 200", "about 1/2" at the start of a line.
START = compile_later(
    rf"(?:about|approx\.?|approximately|ca\.?|circa|etwa|environ|ongeveer|ca|scant|heaping|generous|cirka|noin|około|约|約)?[^\S\n]?({AMOUNT})(?![0-9%°:.)]|[.,][0-9]|\\s?%)",
    re.I,
)
# An amount and a unit at the end, after a colon or a space: "Mehl: 500 g", "砂糖 大さじ2", "설탕 2큰술".
END = compile_later(rf"(?<=[\s:：…(])([^\W\d_]{{0,8}}?)[^\S\n]?({AMOUNT})[^\S\n]?([^\W\d_]{{0,10}}\.?)$", re.I)
WORD = compile_later(r"[^\W\d_]+")
GLUED = frozenset(unit[0] for unit in UNITS if unit[0] > "\u3000")  # first characters of units without a space
DIGIT = compile_later(rf"[0-9{FRACTION}半一两二三]")
END_CHARS = 30  # at the end of a line, in which an amount is searched
LINKS = frozenset("of de d di du des de la van of".split())  # "2 cups of flour", "gousse d'ail"


class Quantity(NamedTuple):
    """The parts of a line; those that it lacks are ""."""

    amount: str
    unit: str
    item: str


def rate_amount(line: str) -> int:
    """Return 2 for a line with an amount and a unit, 1 for one that starts with an amount, else 0."""
    quantity = split_quantity(line)
    if not quantity.amount:
        return 0
    return 2 if quantity.unit else int(START.match(line) is not None)


@lru_cache(CACHE_SIZE)
def split_quantity(line: str) -> Quantity:
    """Return amount, unit and item of a line.

    >>> split_quantity("1 ½ cups of plain flour")
    Quantity(amount='1 ½', unit='cups', item='plain flour')
    >>> split_quantity("Mehl: 500 g"), split_quantity("salt")
    (Quantity(amount='500', unit='g', item='Mehl'), Quantity(amount='', unit='', item='salt'))
    """
    if len(line) > LINE_CHARS or DIGIT.search(line) is None:
        return Quantity("", "", line)
    if match := START.match(line):
        rest = line[match.end() :].strip()
        unit, item = _take_unit(rest)
        return Quantity(match[1].strip(), unit, item)
    if line[-1] == ")" or DIGIT.search(line, len(line) - END_CHARS) is None:
        return Quantity("", "", line)
    if match := END.search(line, max(len(line) - END_CHARS, 0)):
        before, amount, after = match[1], match[2], match[3]
        is_before, is_after = before in UNITS, after.lower().rstrip(".") in UNITS
        if is_before or is_after:
            rest = line[: match.start() if is_before or not before else match.end(1)]
            return Quantity(amount.strip(), before if is_before else after, rest.strip(" :：…("))
    return Quantity("", "", line)


def _take_unit(rest: str) -> tuple[str, str]:
    """Return the unit at the start of a text, and the text after it."""
    word = WORD.match(rest)
    if word is None:
        return "", rest
    unit = word[0]
    if unit.lower() not in UNITS:
        # Chinese, Japanese and Korean units stand before the item without a space
        glued = next((size for size in (3, 2, 1) if unit[0] in GLUED and unit[:size] in UNITS), 0)
        return (unit[:glued], rest[glued:].strip()) if glued else ("", rest)
    item = rest[word.end() :].removeprefix(".").strip()
    link, _, tail = item.partition(" ")
    if link.lower() in LINKS and tail:
        item = tail.strip()
    return unit, item
