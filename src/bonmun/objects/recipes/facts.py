"""Yield and times of a recipe, as labels and values on the visible page: "Serves 4", "Prep Time: 10 min"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.metadata.scans import find_words
from bonmun.objects.durations import read_duration
from bonmun.objects.recipes.words import COUNT_WORDS, TIME_LABELS, YIELD_LABELS
from bonmun.page.parse.ancestors import list_around
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.objects.recipes.lines import PageLine
    from bonmun.page import Page

__all__ = ["find_facts", "is_fact"]

FACT_CHARS = 90  # longer lines hold no label with its value
VALUE_CHARS = 40
COUNT_CHARS = 30  # of other text in a line with a yield
MAX_TIME_WORDS = 4  # "1 hr 30 min"
LABEL_WORDS = 4
NEAR_LINES = 60  # before the ingredients
AFTER_LINES = 25
FIELD_OF_LABEL = {label: name for name, labels in TIME_LABELS.items() for label in labels}
COUNT = compile_later(r"(?<![0-9.,/:])([0-9]{1,3})(?:\s?[-–—]\s?[0-9]{1,3})?\s?([^\W\d_]+)")
NUMBER = compile_later(r"[0-9]{1,3}(?![0-9])")


def find_facts(page: Page, lines: Sequence[PageLine], first: int, last: int) -> dict[str, str]:
    """Return yield and times by their names at schema.org.

    Args:
        page: The page.
        lines: Its lines.
        first: First line of the ingredients.
        last: Last line of the recipe. Facts near the ingredients are preferred.
    """
    found: dict[str, str] = {}
    before = range(first, max(first - NEAR_LINES, -1), -1)
    after = range(first + 1, min(last + AFTER_LINES, len(lines)))
    for row in (*before, *after):
        for name, value in _read_line(page, lines, row):
            found.setdefault(name, value)
    return found


def is_fact(text: str) -> bool:
    """Whether a line is a yield or a time, with or without its label."""
    if len(text) > VALUE_CHARS:
        return False
    count = COUNT.fullmatch(text.strip(" .:"))
    if count and count[2].casefold() in COUNT_WORDS:
        return True
    words = find_words(text)
    for size in range(min(LABEL_WORDS, len(words)), 0, -1):
        if _find_label("".join(words[:size])) in TIME_LABELS or (size == len(words) and _find_label("".join(words))):
            return size == len(words) or bool(read_duration(" ".join(words[size:])))
        if _find_label("".join(words[:size])) and len(words) <= size + 2 and any(map(str.isdigit, text)):
            return True
    return len(words) <= MAX_TIME_WORDS and bool(read_duration(text)) and not text.isdigit()


def _read_line(page: Page, lines: Sequence[PageLine], row: int) -> Iterator[tuple[str, str]]:
    text = lines[row].text
    if len(text) > FACT_CHARS:
        return
    count = COUNT.search(text)
    if count and count[2].casefold() in COUNT_WORDS and len(text) <= len(count[0]) + COUNT_CHARS:
        yield "recipeYield", count[0]
    # "Prep Time 10 mins Cook Time 20 mins" on one line is read label by label
    words = find_words(text)
    at = 0
    labels: list[tuple[str, int, int]] = []
    while at < len(words):
        size, name = next(
            (
                (size, name)
                for size in range(min(LABEL_WORDS, len(words) - at), 0, -1)
                if (name := _find_label("".join(words[at : at + size])))
            ),
            (1, ""),
        )
        if name:
            labels.append((name, at, at + size))
        at += size
    if not labels or labels[0][1] > 1:
        return
    for number, (name, _, stop) in enumerate(labels):
        end = labels[number + 1][1] if number + 1 < len(labels) else len(words)
        value = " ".join(words[stop:end])
        if not value and len(labels) == 1:
            value = _find_beside(page, lines, row, name)
        if value and (read := _read_value(name, value if len(labels) > 1 else _cut_label(text, value))):
            yield name, read


def _cut_label(text: str, value: str) -> str:
    """Return the value with its punctuation, if the text holds it."""
    first = value.partition(" ")[0]
    start = text.casefold().find(first)
    return text[start:] if start > 0 else value


def _find_label(folded: str) -> str:
    return FIELD_OF_LABEL.get(folded) or ("recipeYield" if folded in YIELD_LABELS else "")


def _read_value(name: str, value: str) -> str:
    if name == "recipeYield":
        return value[:VALUE_CHARS] if NUMBER.match(value) else ""
    return read_duration(value) if not value.isdigit() else ""


def _find_beside(page: Page, lines: Sequence[PageLine], row: int, name: str) -> str:
    """Return the value in the line after a label, or before it: the one that is closer in the tree."""
    beside = [
        (_count_shared(page, lines[row].element, lines[other].element), -number, lines[other].text)
        for number, other in enumerate((row + 1, row - 1))
        if 0 <= other < len(lines) and len(lines[other].text) <= VALUE_CHARS
    ]
    return next((text for _, _, text in sorted(beside, reverse=True) if _read_value(name, text)), "")


def _count_shared(page: Page, one: int, other: int) -> int:
    """Return the depth of the innermost element around both; 0 if it is far away."""
    ancestors = set(list_around(page.parents, one, 6))
    return next((page.depths[row] for row in list_around(page.parents, other, 6) if row in ancestors), 0)
