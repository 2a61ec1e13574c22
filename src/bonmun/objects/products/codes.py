"""The codes of a product: sku, gtin and mpn."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from bonmun.objects.prices import fold_digits
from bonmun.objects.products.labels import CODE, GTIN_LABEL, MPN_LABEL, SKU_LABEL
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bonmun.objects.labelled_values import LabelledValue
    from bonmun.page import Page

__all__ = ["check_gtin", "find_gtins", "find_mpns", "find_skus", "find_url_codes"]

GTIN_SIZES = (8, 12, 13, 14)  # digits
MAX_CODE_CHARS = 40
MIN_URL_CODE_CHARS = 4
MAX_URL_CHARS = 500  # that are searched for codes
MAX_DATA_ELEMENTS = 2_000
GAP = compile_later(r"[\s-]+")
# Where a URL may have a code: between separators.
URL_CODE = compile_later(r"[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*")
URL_PART = compile_later(r"[A-Za-z0-9]+")
ID_NAMES = (
    "data-sku",
    "data-product-sku",
    "data-product-id",
    "data-productid",
    "data-pid",
    "data-item-id",
    "data-asin",
)
ID_SELECTOR = ",".join(f"[{name}]" for name in ID_NAMES)
ID_INPUT = compile_later(
    r"(?:product|prod|item|article|goods)?_?-?(?:id|sku|pid|no|code)(?:_?(?:product|prod|item))?|product|products_id|asin",
    re.I,
)
INPUT_SELECTOR = "input[type=hidden][name][value]"


def check_gtin(value: str) -> str | None:
    """Return the digits of a GTIN (EAN, UPC, ISBN-13), or None if their number or the check digit is wrong."""
    digits = GAP.sub("", fold_digits(value[:MAX_CODE_CHARS]))
    if not (digits.isascii() and digits.isdecimal()) or len(digits) not in GTIN_SIZES or not digits.strip("0"):
        return None
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(reversed(digits)))
    return digits if total % 10 == 0 else None


def find_skus(labelled: Iterable[LabelledValue]) -> Iterator[LabelledValue]:
    """Yield the values whose label says that they are the code of the shop."""
    return _find_codes(labelled, SKU_LABEL)


def find_mpns(labelled: Iterable[LabelledValue]) -> Iterator[LabelledValue]:
    """Yield the values whose label says that they are the code of the manufacturer."""
    return _find_codes(labelled, MPN_LABEL)


def _find_codes(labelled: Iterable[LabelledValue], pattern: re.Pattern[str]) -> Iterator[LabelledValue]:
    for each in labelled:
        if pattern.fullmatch(each.label) and (code := CODE.match(each.value.lstrip("#№ "))):
            # the rest may be a next label, but not the rest of a sentence
            rest = each.value[code.end() :].strip()
            if len(rest) <= MAX_CODE_CHARS:
                yield each._replace(value=code.group())


def find_gtins(labelled: Iterable[LabelledValue]) -> Iterator[LabelledValue]:
    """Yield the values whose label and check digit say that they are a GTIN."""
    for each in labelled:
        if GTIN_LABEL.fullmatch(each.label):
            for part in re.split("[,;|]", each.value):
                if gtin := check_gtin(part):
                    yield each._replace(value=gtin)


def find_url_codes(page: Page, known: Sequence[str]) -> list[str]:
    """Return the codes in the URL of a page that the page repeats as the id of its product, the likeliest first.

    `known` are codes that scripts name as ids.
    """
    url = unquote((page.likely_url or "")[:MAX_URL_CHARS])
    path = url.partition("//")[2].partition("/")[2]
    if not path:
        return []
    shown = {code.casefold(): code for code in (*known, *_read_ids(page)) if len(code) >= MIN_URL_CODE_CHARS}
    folded = path.casefold()
    found = [
        code
        for key, code in shown.items()
        if key in folded and any(map(str.isdecimal, code)) and _is_whole(key, folded)
    ]
    return sorted(found, key=lambda code: -len(code))


def _is_whole(code: str, path: str) -> bool:
    """Whether a code is a part of a path with no digit beside it."""
    at = path.find(code)
    before, after = path[at - 1 : at], path[at + len(code) : at + len(code) + 1]
    return not (before.isdecimal() or after.isdecimal() or after.isalpha())


def _read_ids(page: Page) -> Iterator[str]:
    """Yield the ids in data attributes and hidden inputs."""
    for node in page.select(ID_SELECTOR)[:MAX_DATA_ELEMENTS]:
        for name in ID_NAMES:
            value = node.attr(name)
            if value and len(value) <= MAX_CODE_CHARS:
                yield value
    for node in page.select(INPUT_SELECTOR)[:MAX_DATA_ELEMENTS]:
        value = node.attr("value")
        if value and len(value) <= MAX_CODE_CHARS and ID_INPUT.fullmatch((node.attr("name") or "")[:MAX_CODE_CHARS]):
            yield value
