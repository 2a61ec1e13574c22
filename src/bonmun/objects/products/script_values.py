"""Prices and codes in the scripts of a page: the state that a shop embeds as JSON, or what it reports to trackers.

Scripts are searched for known keys; they are not parsed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bonmun.objects.prices import read_amount
from bonmun.text.patterns import compile_later
from bonmun.text.word_finder import WordFinder

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from bonmun.page import Page

__all__ = ["ScriptValues", "find_keys", "read_script_values"]

MAX_SCRIPT_CHARS = 3_000_000  # of all scripts of a page
MAX_VALUES = 20_000
KEY = compile_later(
    r"(?P<price>[pP](?:rice|RICE)[A-Za-z_]{0,20})\\?[\"']?\s{0,3}[:=,]\s{0,3}\\?[\"']?(?P<amount>[0-9][0-9.,]{0,14})(?=[\\\"',;}\]\s])"
    r"|(?P<brand>[bB]rand(?:_?[nN]ame)?)\\?[\"']?\s{0,3}[:=,]\s{0,3}(?:\{\s{0,3}\\?[\"']?name\\?[\"']?\s{0,3}:\s{0,3})?\\?[\"'](?P<name>[^\"'\\<>{}]{2,60})\\?[\"']"
    r"|(?P<id>[sS](?:ku|KU)|[iI]d|ID|[pP]id|[cC]ode|asin|ASIN|[nN]umber|prod_no|pno)\\?[\"']?\s{0,3}[:=,]\s{0,3}\\?[\"'](?P<code>[\w./-]{3,40})\\?[\"']"
)
KEY_STARTS = WordFinder(("price", "brand", "sku", "id", "pid", "code", "asin", "number", "prod_no", "pno"))


@dataclass(slots=True)
class ScriptValues:
    """How often scripts name a value."""

    amounts: Counter[float] = field(default_factory=Counter)
    brands: Counter[str] = field(default_factory=Counter)
    skus: Counter[str] = field(default_factory=Counter)
    ids: Counter[str] = field(default_factory=Counter)


def read_script_values(page: Page) -> ScriptValues:
    """Return the prices and codes in the scripts of a page, other than JSON-LD."""
    values, left, count = ScriptValues(), MAX_SCRIPT_CHARS, 0
    for node in page.select("script"):
        if "ld+json" in (node.attr("type") or ""):
            continue
        text = node.text[:left]
        left -= len(text)
        for match in find_keys(text):
            count += 1
            if match["price"]:
                if amount := read_amount(match["amount"].rstrip(".,")):
                    values.amounts[float(amount)] += 1
            elif match["brand"]:
                values.brands[match["name"].strip()] += 1
            elif match["id"].lower() == "sku":
                values.skus[match["code"]] += 1
            else:
                values.ids[match["code"]] += 1
            if count >= MAX_VALUES:
                return values
    return values


def find_keys(text: str) -> Iterator[re.Match[str]]:
    """Yield what `KEY.finditer(text)` yields, in a tenth of the time."""
    stop = 0
    for start in KEY_STARTS.list_starts(text):
        if start >= stop and (match := KEY.match(text, start)):
            yield match
            stop = match.end()
