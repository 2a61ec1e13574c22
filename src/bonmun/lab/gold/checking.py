"""Labelling files read back: what people changed, and what of it cannot be right.

A line that says something that the page does not is mostly a slip of the keyboard; a gold that is not on the page
teaches nothing.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from bonmun.errors import BadGold, BonmunError
from bonmun.lab.gold.examples import BrokenRecord
from bonmun.lab.gold.labelling_files import DRAFTS, find_labelling_files, read_head, read_labelling_file
from bonmun.lab.gold.markdown import read_markdown
from bonmun.lab.gold.metadata_metrics import read_day
from bonmun.lab.gold.records import read_gold
from bonmun.metadata.page_kind import KINDS
from bonmun.page import Page
from bonmun.text.terminal import shorten
from bonmun.text.words import WORD, compare_counts, count_words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bonmun.lab.gold.examples import Example

__all__ = ["CheckedPage", "check_folder"]

PAGE_KINDS = (*KINDS, "none")  # none: a page without main text
COMPARED_LINES = 400  # that differ, of each text: the time for a comparison grows with the square
SHOWN_LINES = 20  # of what has changed on a page
SHOWN_DOUBTS = 5
LINE_CELLS = 100  # of a line that is shown
AROUND_CHARS = 20  # before what differs in two lines


class CheckedPage(NamedTuple):
    """A labelled page: what has changed since the draft, line by line, and what seems wrong."""

    name: str
    f1: float | None  # of the draft's words; None if the draft is gone
    changes: list[str]
    doubts: list[str]


def check_folder(folder: Path) -> Iterator[CheckedPage | BrokenRecord]:
    """Each labelling file of a folder; those that are drafts, or cannot be read, are broken records that say so."""
    for file in find_labelling_files(folder):
        example = read_labelling_file(file)
        yield example if isinstance(example, BrokenRecord) else _check_page(file, example)


def _check_page(file: Path, example: Example) -> CheckedPage | BrokenRecord:
    try:
        page = Page.parse(example.html, example.url)
    except BonmunError as problem:
        return BrokenRecord(example.id, str(problem))
    doubts = [*_doubt_facts(example), *_doubt_text(example, page)]
    written = read_gold(file.parent / DRAFTS / file.name)
    if isinstance(written, BrokenRecord):
        return CheckedPage(example.id, None, ["what it was before is not known"], doubts)
    try:
        facts, text = read_head(written)
    except BadGold:
        facts, text = {}, written
    f1 = compare_counts(count_words(read_markdown(text)), count_words(example.text or "")).f1
    changes = [*_compare_facts(facts, example), *compare_lines(text, example.markdown or "")]
    return CheckedPage(example.id, f1, changes, doubts)


def _compare_facts(before: dict[str, str], example: Example) -> Iterator[str]:
    after = {"title": example.title, "author": example.author, "date": example.date, "kind": example.kind}
    for name, value in after.items():
        was = before.get(name)
        if was != value:
            yield shorten(f"{name}: {was or 'none'} → {value or 'none'}", LINE_CELLS)


def compare_lines(before: str, after: str) -> list[str]:
    """What differs, a line each with - or +; of long lines that are alike, only what differs."""
    ours, theirs = ([line for line in text.split("\n") if line.strip()] for text in (before, after))
    first = next((row for row, pair in enumerate(zip_longest(ours, theirs)) if pair[0] != pair[1]), len(ours))
    ours, theirs = ours[first:], theirs[first:]
    while ours and theirs and ours[-1] == theirs[-1]:
        ours.pop(), theirs.pop()
    if max(len(ours), len(theirs)) > COMPARED_LINES:
        return [f"- {len(ours):,} lines", f"+ {len(theirs):,} lines"]
    shown: list[str] = []
    for tag, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if tag == "replace" and b - a == d - c:
            for old, new in zip(ours[a:b], theirs[c:d], strict=True):
                shown += _cut_to_difference(old, new)
        elif tag != "equal":
            shown += [f"- {line}" for line in ours[a:b]] + [f"+ {line}" for line in theirs[c:d]]
    more = len(shown) - SHOWN_LINES
    return [shorten(line, LINE_CELLS) for line in shown[:SHOWN_LINES]] + (
        [f"… {more:,} lines more"] if more > 0 else []
    )


def _cut_to_difference(old: str, new: str) -> list[str]:
    """Two lines from shortly before where they differ."""
    pairs = enumerate(zip(old, new, strict=False))
    start = next((place for place, pair in pairs if pair[0] != pair[1]), min(len(old), len(new)))
    start = max(0, start - AROUND_CHARS)
    dots = "…" if start else ""
    return [f"- {dots}{old[start:]}", f"+ {dots}{new[start:]}"]


def _doubt_facts(example: Example) -> Iterator[str]:
    if example.kind and example.kind not in PAGE_KINDS:
        yield f"{shorten(example.kind, 30)} is no kind; there are {', '.join(PAGE_KINDS)}"
    if example.date and not read_day(example.date):
        yield f"the date {shorten(example.date, 30)} is no day: write it as 2026-03-04"


def _doubt_text(example: Example, page: Page) -> Iterator[str]:
    """The lines of the gold that say a word which the page has nowhere."""
    known = {word for text in (page.head_title, *page.texts) for word in _list_words(text)}
    known |= set(_list_words("".join(page.texts)))  # words that are cut by markup
    found = 0
    for line in (example.text or "").split("\n"):
        strange = [word for word in _list_words(line) if word not in known]
        if strange:
            found += 1
            if found <= SHOWN_DOUBTS:
                says = ", ".join(dict.fromkeys(strange))
                yield shorten(f"not on the page: {says}, in: {line}", LINE_CELLS)
    if found > SHOWN_DOUBTS:
        yield f"… and in {found - SHOWN_DOUBTS:,} lines more"


def _list_words(text: str) -> list[str]:
    return [word.casefold() for word in WORD.findall(text)]
