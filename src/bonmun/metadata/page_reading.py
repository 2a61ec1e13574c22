"""A page, and what is known of it before its title, author and date are looked for."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from bonmun.metadata.declared import PAGE_KIND_OF_TYPE, clean_value, find_page_kind, read_declared
from bonmun.metadata.scans import find_tagged, fold_text

if TYPE_CHECKING:
    from datetime import date

    from bonmun.labels import Labels
    from bonmun.metadata.declared import Declared
    from bonmun.page import Page

__all__ = ["LINE_CHARS", "SITE_NAME_CHARS", "Reading", "is_hidden", "is_linked", "prepare_reading"]

HEADINGS_READ = {"h1": 5, "h2": 2, "h3": 1}  # how many of each are looked at
TITLE_LABELS = frozenset("제목 글제목 subject 标题 標題 件名 題名 題目 题目 主题 主題".split())
TITLE_LABEL_CHARS = 7  # of a label, with a colon and blanks
# What stands beside "제목" at the head of a list, where no title follows.
OTHER_LABELS = frozenset(
    "글쓴이 작성자 이름 작성일 등록일 날짜 조회 조회수 번호 author date 作者 日期 时间 投稿者 名前 日時".split()
)
LINE_CHARS = 160  # a block of more is a paragraph
SITE_NAME_CHARS = 60  # what the site repeats and is longer is not its name
DECLARED_KIND, UNKNOWN_KIND = 0.9, 0.5  # how likely a page is what it says, or an article where it says nothing
LIKELY_THREAD = 0.5  # a page that is likelier than this to be a thread counts as one
SITE_TYPES = frozenset({"website", "organization", "newsmediaorganization"})


@dataclass(slots=True)
class Reading:
    """What candidates for a fact are found with, and weighed by."""

    page: Page
    declared: Declared
    page_kinds: dict[str, float]  # how likely each kind of page is
    first: int | None  # the first kept block
    last: int | None  # the last
    template: frozenset[int]  # blocks that a site model knows from other pages
    headings: list[tuple[int, str]]  # the first ones: their blocks and tags
    site_names: set[str]  # what the site is called, folded
    crawled: date | None = None  # when the page was fetched, with or without the time of day
    headline: int | None = None  # the block that says the title, once that is known

    @property
    def is_thread(self) -> bool:
        """Whether the page is most likely a thread of a forum."""
        return self.page_kinds.get("forum", 0.0) > LIKELY_THREAD


def prepare_reading(page: Page, labels: Labels | None = None, crawled: date | None = None) -> Reading:
    """Read what the page declares; `labels` say where its text starts and what kind of page it is."""
    declared = read_declared(page)
    template = labels.template if labels else frozenset()
    names = [declared.meta("og:site_name"), declared.meta("application-name")]
    names += [clean_value(thing.get("name")) for thing in declared.find_things(SITE_TYPES)]
    texts = page.block_texts
    names += [texts[row] for row in template if len(texts[row]) <= SITE_NAME_CHARS]
    host = (page.url or "").partition("//")[2].partition("/")[0].removeprefix("www.")
    names.append(host)
    return Reading(
        page,
        declared,
        _find_page_kinds(declared, labels),
        *_find_ends(page, labels),
        template,
        _find_headings(page, template),
        {fold_text(name) for name in names if name} - {""},
        crawled,
    )


def is_linked(page: Page, row: int) -> bool:
    """Whether a block starts in a link."""
    return bool(page.linked_leaves[page.starts[row]])


def is_hidden(page: Page, row: int) -> bool:
    """Whether readers do not see the start of a block."""
    return bool(page.visibility.hidden_leaves[page.starts[row]])


def _find_page_kinds(declared: Declared, labels: Labels | None) -> dict[str, float]:
    """How likely the page is of each kind: as the method says, else as the page does."""
    if labels and labels.kinds:
        return dict(labels.kinds)
    page_kind = (labels.kind if labels else None) or find_page_kind(declared.main)
    page_kind = page_kind or PAGE_KIND_OF_TYPE.get(declared.meta("og:type").lower())
    return {page_kind: DECLARED_KIND} if page_kind else {"article": UNKNOWN_KIND}


def _find_ends(page: Page, labels: Labels | None) -> tuple[int | None, int | None]:
    """The first and the last kept block."""
    if labels is None or True not in labels.kept:
        return None, None
    first, last = labels.kept.index(True), len(labels.kept) - 1 - labels.kept[::-1].index(True)
    if labels.unit == "block":
        return first, last
    return bisect(page.starts, first) - 1, bisect(page.starts, last) - 1


def _find_headings(page: Page, template: frozenset[int]) -> list[tuple[int, str]]:
    """The first headings that are the page's own: rows of blocks, and their tags.

    Where there is no <h1>, what stands after "제목" in the table of an old board is as good as one.
    """
    counts = dict.fromkeys(HEADINGS_READ, 0)
    headings: list[tuple[int, str]] = []
    for row, tag in find_tagged(page.tags, page.owners, HEADINGS_READ):
        if counts[tag] < HEADINGS_READ[tag] and row not in template:
            counts[tag] += 1
            headings.append((row, tag))
    if counts["h1"]:
        return headings
    labels = (
        row
        for row, text in enumerate(page.block_texts[:-1])
        if len(text) <= TITLE_LABEL_CHARS
        and fold_text(text) in TITLE_LABELS
        and fold_text(page.block_texts[row + 1][:LINE_CHARS]) not in OTHER_LABELS
    )
    return [(row + 1, "h1") for row in islice(labels, 1)] + headings
