"""Check edited labelling files: report what people changed, and what looks wrong.

A gold line with a word that is not on the page is usually a typing error. Nothing can be learnt from such a line.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from bonmun.errors import BadGold, BonmunError
from bonmun.lab.gold.examples import BrokenRecord
from bonmun.lab.gold.labelling_files import DRAFTS, find_labelling_files, read_front_matter, read_labelling_file
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
MAX_COMPARED_LINES = 400  # differing lines of each text: comparing them takes quadratic time
MAX_SHOWN_CHANGES = 20
MAX_SHOWN_WARNINGS = 5
MAX_LINE_CELLS = 100  # terminal cells of a shown line
CONTEXT_CHARS = 20  # shown before the first difference of two lines


class CheckedPage(NamedTuple):
    """A labelled page: its changes since the draft, line by line, and what looks wrong."""

    name: str
    f1: float | None  # word F1 of the draft; None if the draft is missing
    changes: list[str]
    warnings: list[str]


def check_folder(folder: Path) -> Iterator[CheckedPage | BrokenRecord]:
    """Check each labelling file in a folder; yield a broken record for a draft and for an unreadable file."""
    for file in find_labelling_files(folder):
        example = read_labelling_file(file)
        yield example if isinstance(example, BrokenRecord) else _check_page(file, example)


def _check_page(file: Path, example: Example) -> CheckedPage | BrokenRecord:
    try:
        page = Page.parse(example.html, example.url)
    except BonmunError as problem:
        return BrokenRecord(example.id, str(problem))
    warnings = [*_check_metadata(example), *_check_text(example, page)]
    draft = read_gold(file.parent / DRAFTS / file.name)
    if isinstance(draft, BrokenRecord):
        return CheckedPage(example.id, None, ["changes unknown: the draft is missing"], warnings)
    try:
        metadata, text = read_front_matter(draft)
    except BadGold:
        metadata, text = {}, draft
    f1 = compare_counts(count_words(read_markdown(text)), count_words(example.text or "")).f1
    changes = [*_compare_metadata(metadata, example), *compare_lines(text, example.markdown or "")]
    return CheckedPage(example.id, f1, changes, warnings)


def _compare_metadata(draft: dict[str, str], example: Example) -> Iterator[str]:
    after = {"title": example.title, "author": example.author, "date": example.date, "kind": example.kind}
    for name, value in after.items():
        before = draft.get(name)
        if before != value:
            yield shorten(f"{name}: {before or 'none'} → {value or 'none'}", MAX_LINE_CELLS)


def compare_lines(before: str, after: str) -> list[str]:
    """List the removed and added lines, marked with - and +; long lines start near their first difference."""
    ours, theirs = ([line for line in text.split("\n") if line.strip()] for text in (before, after))
    first = next((row for row, pair in enumerate(zip_longest(ours, theirs)) if pair[0] != pair[1]), len(ours))
    ours, theirs = ours[first:], theirs[first:]
    while ours and theirs and ours[-1] == theirs[-1]:
        ours.pop(), theirs.pop()
    if max(len(ours), len(theirs)) > MAX_COMPARED_LINES:
        return [f"- {len(ours):,} lines", f"+ {len(theirs):,} lines"]
    shown: list[str] = []
    for tag, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if tag == "replace" and b - a == d - c:
            for old, new in zip(ours[a:b], theirs[c:d], strict=True):
                shown += _cut_to_difference(old, new)
        elif tag != "equal":
            shown += [f"- {line}" for line in ours[a:b]] + [f"+ {line}" for line in theirs[c:d]]
    more = len(shown) - MAX_SHOWN_CHANGES
    return [shorten(line, MAX_LINE_CELLS) for line in shown[:MAX_SHOWN_CHANGES]] + (
        [f"… {more:,} more lines"] if more > 0 else []
    )


def _cut_to_difference(old: str, new: str) -> list[str]:
    """Cut two lines so that they start shortly before their first difference."""
    pairs = enumerate(zip(old, new, strict=False))
    start = next((place for place, pair in pairs if pair[0] != pair[1]), min(len(old), len(new)))
    start = max(0, start - CONTEXT_CHARS)
    dots = "…" if start else ""
    return [f"- {dots}{old[start:]}", f"+ {dots}{new[start:]}"]


def _check_metadata(example: Example) -> Iterator[str]:
    if example.kind and example.kind not in PAGE_KINDS:
        yield f"unknown page kind {shorten(example.kind, 30)}; use one of {', '.join(PAGE_KINDS)}"
    if example.date and not read_day(example.date):
        yield f"invalid date {shorten(example.date, 30)}; write it as 2026-03-04"


def _check_text(example: Example, page: Page) -> Iterator[str]:
    """Yield a warning for each line of the gold with a word that is not on the page."""
    known = {word for text in (page.head_title, *page.texts) for word in _list_words(text)}
    known |= set(_list_words("".join(page.texts)))  # words that markup splits
    found = 0
    for line in (example.text or "").split("\n"):
        unknown = [word for word in _list_words(line) if word not in known]
        if unknown:
            found += 1
            if found <= MAX_SHOWN_WARNINGS:
                words = ", ".join(dict.fromkeys(unknown))
                yield shorten(f"not on the page: {words}, in: {line}", MAX_LINE_CELLS)
    if found > MAX_SHOWN_WARNINGS:
        yield f"… and in {found - MAX_SHOWN_WARNINGS:,} more lines"


def _list_words(text: str) -> list[str]:
    return [word.casefold() for word in WORD.findall(text)]
