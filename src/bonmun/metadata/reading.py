"""A page, and what is known of it before its title, author and date are looked for."""

from __future__ import annotations

import re
from bisect import bisect
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.metadata.declared import KIND_OF_TYPE, declared_by, kind_of, said, type_of

if TYPE_CHECKING:
    from datetime import date

    from bonmun.labels import Labels
    from bonmun.metadata.declared import Declared
    from bonmun.page import Page

__all__ = ["Reading", "is_hidden", "is_linked", "plain", "reading_of"]

HEADINGS = {"h1": 5, "h2": 2, "h3": 1}  # that are looked at
LABELS = frozenset("제목 글제목 subject 标题 標題 件名 題名 題目 题目 主题 主題".split())
LABEL = 8  # characters of a label, with a colon and blanks
NAMES = 60  # characters: what the site repeats and is longer is not its name
SITES = frozenset({"website", "organization", "newsmediaorganization"})
WORD = re.compile(r"[^\W_]+")


@dataclass(slots=True)
class Reading:
    """What candidates for a fact are found with, and weighed by."""

    page: Page
    declared: Declared
    kinds: dict[str, float]  # how likely the page is of each kind
    first: int | None  # the first kept block
    last: int | None  # the last
    template: frozenset[int]  # blocks that a site model knows from other pages
    headings: list[tuple[int, str]]  # the first ones: their blocks and tags
    sites: set[str]  # what the site is called, plain
    crawled: date | None = None  # when the page was fetched, with or without the time of day
    headline: int | None = None  # the block that says the title, once that is known


def reading_of(page: Page, labels: Labels | None = None, crawled: date | None = None) -> Reading:
    """Read what the page declares; `labels` say where its text starts and what kind of page it is."""
    declared = declared_by(page)
    template = labels.template if labels else frozenset()
    names = [declared.meta("og:site_name"), declared.meta("application-name")]
    names += [said(thing.get("name")) for thing in declared.things if type_of(thing) in SITES]
    names += [page.block_texts[row] for row in template if len(page.block_texts[row]) <= NAMES]
    host = (page.url or "").partition("//")[2].partition("/")[0].removeprefix("www.")
    names.append(host)
    return Reading(
        page,
        declared,
        _kinds(declared, labels),
        *_ends(page, labels),
        template,
        _headings(page, template),
        {plain(name) for name in names if name} - {""},
        crawled,
    )


def plain(text: str) -> str:
    """A title or name without case, blanks and punctuation, to compare it."""
    return "".join(WORD.findall(text.casefold()))


def is_linked(page: Page, row: int) -> bool:
    """Whether a block starts in a link."""
    return bool(page.linked_leaves[page.starts[row]])


def is_hidden(page: Page, row: int) -> bool:
    """Whether readers do not see the start of a block."""
    return bool(page.visibility.hidden_leaves[page.starts[row]])


def _kinds(declared: Declared, labels: Labels | None) -> dict[str, float]:
    """How likely the page is of each kind: as the method says, else as the page does."""
    if labels and labels.kinds:
        return dict(labels.kinds)
    kind = (labels.kind if labels else None) or kind_of(declared.main)
    kind = kind or KIND_OF_TYPE.get(declared.meta("og:type").lower())
    return {kind: 0.9} if kind else {"article": 0.5}


def _ends(page: Page, labels: Labels | None) -> tuple[int | None, int | None]:
    """The first and the last kept block."""
    if labels is None or True not in labels.kept:
        return None, None
    first, last = labels.kept.index(True), len(labels.kept) - 1 - labels.kept[::-1].index(True)
    if labels.unit == "block":
        return first, last
    return bisect(page.starts, first) - 1, bisect(page.starts, last) - 1


def _headings(page: Page, template: frozenset[int]) -> list[tuple[int, str]]:
    """The first headings that are the page's own: rows of blocks, and their tags.

    Where there is no <h1>, what stands after "제목" in the table of an old board is as good as one.
    """
    tags, counts = page.tags, dict.fromkeys(HEADINGS, 0)
    rows: list[tuple[int, str]] = []
    for row, tag in [(row, tags[owner]) for row, owner in enumerate(page.owners) if tags[owner] in HEADINGS]:
        if counts[tag] < HEADINGS[tag] and row not in template:
            counts[tag] += 1
            rows.append((row, tag))
    if counts["h1"]:
        return rows
    labelled = [
        row + 1 for row, text in enumerate(page.block_texts[:-1]) if len(text) < LABEL and plain(text) in LABELS
    ]
    return [(row, "h1") for row in labelled[:1]] + rows
