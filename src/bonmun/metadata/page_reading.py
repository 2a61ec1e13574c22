"""The input of the search for title, author and date: declared metadata, page kind, headings, extent of the text."""

from __future__ import annotations

import re
from bisect import bisect
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from bonmun.metadata.declared import PAGE_KIND_OF_TYPE, clean_value, find_page_kind, read_declared, read_names
from bonmun.metadata.scans import find_tagged, fold_text
from bonmun.metadata.titles.pieces import TITLE_CHARS, read_head_title
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from datetime import date

    from bonmun.labels import Labels
    from bonmun.metadata.declared import Declared
    from bonmun.page import Page

__all__ = ["LINE_CHARS", "SITE_NAME_CHARS", "PageReading", "is_hidden", "is_linked", "prepare_reading"]

HEADINGS_READ = {"h1": 5, "h2": 2, "h3": 1}  # maximum number of headings by tag
TITLE_LABELS = frozenset("제목 글제목 subject 标题 標題 件名 題名 題目 题目 主题 主題".split())
TITLE_LABEL_CHARS = 7  # maximum length of such a label, with a colon and spaces
# Column names beside "제목" in the header of a list. If one of them follows, the label is not followed by a title.
OTHER_LABELS = frozenset(
    "글쓴이 작성자 이름 작성일 등록일 날짜 조회 조회수 번호 author date 作者 日期 时间 投稿者 名前 日時".split()
)
LINE_CHARS = 160  # longer blocks are paragraphs
SITE_NAME_CHARS = 60  # longer template blocks are not names of the site
# Probability that a page is of the kind it declares, and that it is an article if it declares none.
DECLARED_KIND_PROBABILITY, DEFAULT_KIND_PROBABILITY = 0.9, 0.5
MIN_THREAD_PROBABILITY = 0.5  # a page above it counts as a thread
# The number of a page of a thread, at the end of `<title>` and in the URL: "… - Page 3", "/page/3", "?page=3".
TITLE_PAGE = compile_later(
    r"\b(?:page|seite|página|pagina|strona|sivu|sida|side|страница|стр\.)\s([0-9]{1,5})\b|第\s?([0-9]{1,5})\s?[页頁]",
    re.I,
)
URL_PAGE = compile_later(r"[?&/;-](?:page|paged|seite)[=/-]?([0-9]{1,5})(?![0-9])", re.I)
TITLE_END_CHARS, URL_CHARS = 100, 500  # characters of both that are searched
SITE_TYPES = frozenset({"website", "organization", "newsmediaorganization"})


@dataclass(slots=True)
class PageReading:
    """A page with everything that candidates are found and scored with."""

    page: Page
    declared: Declared
    page_kinds: dict[str, float]  # probability of each kind of page
    first: int | None  # first kept block
    last: int | None  # last kept block
    template: frozenset[int]  # blocks that a site model knows from other pages
    headings: list[tuple[int, str]]  # block and tag of the first headings
    site_names: set[str]  # names of the site, folded (see `fold_text`)
    crawled: date | None = None  # when the page was fetched: a date or a datetime
    headline: int | None = None  # block that holds the title; set once the title is known
    author_groups: list[list[str]] = field(default_factory=list)  # names that the page declares together

    @property
    def is_thread(self) -> bool:
        """Whether the page is most likely a forum thread."""
        return self.page_kinds.get("forum", 0.0) > MIN_THREAD_PROBABILITY

    @property
    def is_later_thread_page(self) -> bool:
        """Whether the page is a later page of a thread, on which the first post is not that of the thread."""
        if not self.is_thread:
            return False
        found = TITLE_PAGE.search(self.page.head_title[-TITLE_END_CHARS:])
        found = found or URL_PAGE.search((self.page.likely_url or "")[:URL_CHARS])
        return found is not None and int(next(filter(None, found.groups()))) > 1


def prepare_reading(
    page: Page, labels: Labels | None = None, crawled: date | None = None, declared: Declared | None = None
) -> PageReading:
    """Read what the page declares, and take the extent of the text and the kind of page from the labels."""
    declared = declared or read_declared(page)
    template = _drop_headline(page, labels.template) if labels and labels.template else frozenset[int]()
    names = [declared.meta("og:site_name"), declared.meta("application-name")]
    authors = set(read_names(declared.main.get("author"), declared))
    authors -= set(read_names(declared.main.get("publisher"), declared))
    organizations = (clean_value(thing.get("name")) for thing in declared.find_things(SITE_TYPES))
    names += [name for name in organizations if name not in authors]
    texts = page.block_texts
    names += [texts[row] for row in template if len(texts[row]) <= SITE_NAME_CHARS]
    host = (page.likely_url or "").partition("//")[2].partition("/")[0].removeprefix("www.")
    names.append(host)
    return PageReading(
        page,
        declared,
        _find_page_kinds(declared, labels),
        *_find_ends(page, labels),
        template,
        _find_headings(page, template),
        {fold_text(name) for name in names if name} - {""},
        crawled,
    )


def _drop_headline(page: Page, template: frozenset[int]) -> frozenset[int]:
    """Return template blocks without those that repeat the headline: a site model knows it from links to the page.

    The headline is the first `<h1>` that is part of `<title>` and not a link, if the rest of `<title>` is known from
    other pages, too. Otherwise, the `<h1>` is the name of the site.
    """
    title = fold_text(read_head_title(page))
    texts = page.block_texts
    known = {row: fold_text(texts[row]) for row in template if len(texts[row]) <= SITE_NAME_CHARS}
    headings = (
        fold_text(texts[row][:TITLE_CHARS])
        for row, _ in find_tagged(page.tags, page.owners, ("h1",))
        if not all(page.linked_leaves[page.starts[row] : page.stops[row]])
    )
    headline = next((text for text in headings if text and text in title), None)
    if headline is None or headline not in known.values():
        return template
    rest = title.replace(headline, "", 1)
    for text in sorted({*known.values()} - {headline, ""}, key=len, reverse=True):
        rest = rest.replace(text, "")
    return template if rest else frozenset(row for row in template if known.get(row) != headline)


def is_linked(page: Page, row: int) -> bool:
    """Whether a block starts in a link."""
    return bool(page.linked_leaves[page.starts[row]])


def is_hidden(page: Page, row: int) -> bool:
    """Whether the start of a block is invisible."""
    return bool(page.visibility.hidden_leaves[page.starts[row]])


def _find_page_kinds(declared: Declared, labels: Labels | None) -> dict[str, float]:
    """Return the probability of each kind of page: the method's, else the one that the page declares."""
    if labels and labels.kinds:
        return dict(labels.kinds)
    page_kind = (labels.kind if labels else None) or find_page_kind(declared.main)
    page_kind = page_kind or PAGE_KIND_OF_TYPE.get(declared.meta("og:type").lower())
    return {page_kind: DECLARED_KIND_PROBABILITY} if page_kind else {"article": DEFAULT_KIND_PROBABILITY}


def _find_ends(page: Page, labels: Labels | None) -> tuple[int | None, int | None]:
    """Return the first and the last kept block."""
    if labels is None or True not in labels.kept:
        return None, None
    first, last = labels.kept.index(True), len(labels.kept) - 1 - labels.kept[::-1].index(True)
    if labels.unit == "block":
        return first, last
    return bisect(page.starts, first) - 1, bisect(page.starts, last) - 1


def _find_headings(page: Page, template: frozenset[int]) -> list[tuple[int, str]]:
    """Return block and tag of the first headings that are not part of the site's template.

    On a page without <h1>, the text after a label such as "제목" (in the tables of old boards) counts as one.
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
