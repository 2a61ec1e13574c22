"""`Item`: an object that a page declares, in any syntax."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from typing import TYPE_CHECKING

from bonmun.text.patterns import compile_later
from bonmun.text.readable import cut_text, make_readable

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MAX_TEXT_CHARS", "Item", "ItemValue", "clean_lines", "clean_text", "fold_type"]

MAX_TEXT_CHARS = 20_000  # one value: a description, or all steps of a recipe
TYPE_CHARS = 200  # characters of a type that are read
# HTML within a value: some sites put it into JSON-LD.
TAG = compile_later(r"</?[a-zA-Z!][^<>]*+>")
LINE_TAG = compile_later(r"</?(?:p|div|li|ul|ol|br|h[1-6]|tr|section|article)\b[^<>]*+>", re.I)


@dataclass(eq=False, slots=True)
class Item:
    """An object that a page declares. References between items may form cycles: never follow them without a limit.

    Attributes:
        types: Its types, in lower case and without namespace.
        source: Name of the syntax: "JSON-LD", "microdata", "RDFa" or "microformats".
        properties: Values by name, as the page spells it.
        row: Its element on the page; -1 for JSON-LD.
    """

    types: frozenset[str]
    source: str
    properties: dict[str, list[ItemValue]] = field(default_factory=dict)
    row: int = -1

    def values(self, *names: str) -> list[ItemValue]:
        """Return the values of the first of these properties that the item has."""
        return next((found for name in names if (found := self.properties.get(name))), [])

    def items(self, *names: str) -> list[Item]:
        """Return the values that are items."""
        return [value for value in self.values(*names) if isinstance(value, Item)]

    def texts(self, *names: str) -> list[str]:
        """Return the values as readable texts; an item by its name."""
        return [text for value in self.values(*names) if (text := read_text(value))]

    def text(self, *names: str) -> str:
        """Return the first value as readable text, or ""."""
        return next(iter(self.texts(*names)), "")


ItemValue = str | int | float | bool | Item


def read_text(value: ItemValue) -> str:
    """Return a value as readable text on one line; an item by its name, value or URL."""
    if isinstance(value, Item):
        names = ("name", "text", "value", "@value", "url", "@id")
        inner = (each for name in names for each in value.properties.get(name, []) if not isinstance(each, Item))
        value = next(inner, "")
    return clean_text(value) if isinstance(value, str) else str(value)


def clean_text(value: str) -> str:
    """Return a text of markup on one line: without HTML and entities, which some sites escape twice."""
    return " ".join(clean_lines(value))


def clean_lines(value: str) -> list[str]:
    """Return the lines of a text of markup; HTML for paragraphs and items starts a line."""
    return list(_iterate_lines(cut_text(value, MAX_TEXT_CHARS)))


def _iterate_lines(value: str) -> Iterator[str]:
    if "&" in value:
        value = unescape(unescape(value))
    if "<" in value:
        value = TAG.sub("", LINE_TAG.sub("\n", value))
    for line in value.splitlines():
        if readable := make_readable(line):
            yield readable


def fold_type(name: str) -> str:
    """Return the name of a type without its namespace, in lower case."""
    name = name[:TYPE_CHARS].strip().rstrip("/#")
    for mark in "/#:":
        name = name.rpartition(mark)[2]
    return name.lower()
