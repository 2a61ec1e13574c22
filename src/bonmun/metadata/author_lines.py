"""Who is named in the lines that readers see near the headline, and at the start and the end of the text."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from bonmun.metadata.author_signs import (
    AROUND_HEADLINE,
    AROUND_TEXT_END,
    AROUND_TEXT_START,
    LABEL_WORDS,
    describe_place,
)
from bonmun.metadata.bylines import (
    AUTHOR_LABEL,
    BYLINE_WITHIN,
    DATE_WORD,
    NAME_BESIDE_DATE,
    PART_BREAK,
    REPORTER_WITH_PLACE,
    REPORTERS,
    REPORTERS_IN_PARAGRAPH,
    cut_after_comma,
    find_line_name,
    holds_east_asian,
    match_byline,
)
from bonmun.metadata.reading import LINE_CHARS, is_hidden, is_linked
from bonmun.metadata.scans import climb_some
from bonmun.page.climbing import climb
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from bonmun.metadata.author_names import Authors
    from bonmun.metadata.reading import Reading
    from bonmun.page import Page

__all__ = ["collect_shown"]

CLASS_WORDS = tuple("author byline writer username reporter journalist poster contributor nick submitted".split())
CLASSES_KEPT, CLASS_CHARS = 1_000, 400  # class attributes of which it is known what they say, and what is read of one
CLASS_LEVELS = 4  # a block's element, and those around it, whose class may say that an author is named
NAME_LINE_CHARS = 100  # of a line that may be a name or hold one
PARAGRAPH_END_CHARS = 200  # of a paragraph, at its start and its end, that may name a reporter
AUTHOR_LABEL_CHARS = 11  # of what stands alone before a name: "글쓴이"
USER_NAME_CHARS = 30
MOST_LEAVES, MOST_PARAGRAPHS = 8, 100  # that are looked at
DATED_CHARS = 60  # of a line that is a date, or has one beside a name
PLACE_CHARS = 40  # of a paragraph, at its end, that may name a place and a reporter
ADDRESS_CHARS = 300  # of a link
TOP_BLOCKS = 24  # are searched where neither the headline nor the text is known
DIGIT = compile_later(r"\d")
# What sentences end with, and names do not hold.
SENTENCE = compile_later(r"[.!?。！？:：;…\d]")
# Where links lead whose text is a person, or a list of pages.
PERSON_PATH = compile_later(
    r"/(?:authors?|users?|people|person|profiles?|members?|team|writers?|journalists?|by|autor\w*|auteurs?|redaktion|staff|"
    r"contributors?|u|columnists?|reporters?)(?:[/?=.]|$)|mailto:|linkedin\.com/in|/@",
    re.I,
)
LIST_PATH = compile_later(
    r"/(?:category|categories|tags?|topics?|sections?|archives?|kategorie|rubrique|search)(?:[/?=]|$)", re.I
)


def collect_shown(authors: Authors, reading: Reading) -> None:
    """Add who is named in blocks near the headline, and at the start and the end of the text."""
    page = reading.page
    texts, rows = page.block_texts, _choose_rows(reading)
    marks = _find_marks(page, rows)
    linked, starts = page.linked_leaves, page.starts
    dated = {row for row in rows if len(texts[row]) <= DATED_CHARS and "20" in texts[row]}
    marked_first = ["marked first"]
    for row in rows:
        place = describe_place(row, reading)
        if len(texts[row]) > LINE_CHARS:
            _collect_paragraph(authors, texts[row], place)
            continue
        if dated and not dated.isdisjoint((row - 2, row - 1, row, row + 1, row + 2)):
            place.append("beside a date")
        if linked[starts[row]] and len(texts[row]) <= USER_NAME_CHARS:
            place += _describe_link(page, row)
        text, mark = texts[row].replace("\n", " "), marks.get(row)
        if mark:
            authors.add_name(text, "class", mark, "marked", *place, *marked_first)
            _collect_leaves(authors, page, row, [mark, "marked leaf", *place])
            marked_first = []
        label = texts[row - 1] if row else ""
        if label and len(label) <= AUTHOR_LABEL_CHARS and AUTHOR_LABEL.fullmatch(label):
            authors.add_name(text, "byline", "byline", *place)
        if _collect_bylines(authors, text, place) and not mark:
            _collect_leaves(authors, page, row, ["byline leaf", *place])
        if place and len(text) <= NAME_LINE_CHARS and _collect_line(authors, page, row, place):
            continue
        if len(text) <= USER_NAME_CHARS and not text.isascii() and "after text" in place and not SENTENCE.search(text):
            authors.add_name(
                text, "text", "last line", *place, *(("last line of text",) if row == reading.last else ())
            )
        may_be_user = len(text) <= USER_NAME_CHARS and (place or mark) and " " not in text
        if may_be_user and reading.is_thread:
            authors.add_name(text, "text", "user name", *place)
    _collect_ends(authors, reading)


def _collect_leaves(authors: Authors, page: Page, row: int, signs: list[str]) -> None:
    """Add the pieces of a line that may be names on their own: "Ann Lee" of "Ann LeeStaff Writer"."""
    leaves = page.texts[page.starts[row] : page.stops[row]]
    if len(leaves) > 1:
        for leaf in leaves[:MOST_LEAVES]:
            if 1 < len(leaf) <= USER_NAME_CHARS and not DIGIT.search(leaf):
                authors.add_name(leaf, "class", *signs)


def _describe_link(page: Page, row: int) -> list[str]:
    """What kind of page the link leads to that a block starts in."""
    link = page.find_link(page.leaf_elements[page.starts[row]])
    address = (page.attr(link, "href") or "")[:ADDRESS_CHARS] if link >= 0 else ""
    if PERSON_PATH.search(address):
        return ["leads to a person"]
    return ["leads to a list"] if LIST_PATH.search(address) else []


def _collect_ends(authors: Authors, reading: Reading) -> None:
    """Add reporters whom paragraphs of the text name at their end, in brackets: "…（ソウル＝李民晧）"."""
    if reading.first is None or reading.last is None:
        return
    for text in reading.page.block_texts[reading.first : min(reading.last, reading.first + MOST_PARAGRAPHS) + 1]:
        if text.endswith("）") and (match := REPORTER_WITH_PLACE.search(text[-PLACE_CHARS:])):
            authors.add_name(match["name"], "byline", "reporter", "in a paragraph")


def _collect_paragraph(authors: Authors, text: str, place: list[str]) -> None:
    """Add reporters who are named at the start or the end of a paragraph, and a name that is its last line."""
    if text.isascii():
        return
    if (
        "near title" in place
        and (match := _match_byline(text[:LINE_CHARS]))
        and (cut := cut_after_comma(match["name"]))
    ):
        authors.add_name(cut[0], "byline", "byline", "cut at a comma", *place)
    last_line = text[-USER_NAME_CHARS:].rpartition("\n")[2] if "after text" in place and "\n" in text else ""
    if last_line and not SENTENCE.search(last_line):
        authors.add_name(last_line, "text", "last line", *place)
    ends = (text[:PARAGRAPH_END_CHARS], text[-PARAGRAPH_END_CHARS:])
    parts = [part for part in ends if holds_east_asian(part)]
    for pattern in REPORTERS_IN_PARAGRAPH if parts else ():
        for part in parts:
            if match := pattern.search(part):
                authors.add_name(match["name"], "byline", "reporter", "in a paragraph")


def _collect_bylines(authors: Authors, text: str, place: list[str]) -> bool:
    """Add whom a line names by a word such as "By" or "기자"; False if the line does not start with one."""
    starts = False
    if match := _match_byline(text):
        starts = True
        authors.add_name(match["name"], "byline", "byline", *place)
    elif match := _match_within(text):
        authors.add_name(match["name"], "byline", "byline within", *place)
    if text.isascii() or not holds_east_asian(text):
        return starts
    for pattern in REPORTERS:
        if match := pattern.search(text):
            authors.add_name(match["name"], "byline", "byline", "reporter", *place)
    return starts


def _match_byline(text: str) -> re.Match[str] | None:
    """The first part of a line that starts with a word such as "By"."""
    if "| " in text or "• " in text or "· " in text:
        return next((match for part in PART_BREAK.split(text) if (match := match_byline(part))), None)
    return match_byline(text)


def _match_within(text: str) -> re.Match[str] | None:
    """What follows a word such as "by" within a line; most lines have none, which is quickly seen."""
    has_word = "by " in text or "von " in text or "par " in text or "por " in text
    return BYLINE_WITHIN.search(text) if has_word else None


def _collect_line(authors: Authors, page: Page, row: int, place: list[str]) -> bool:
    """Add the name that a line is, or that stands in it beside a bar or a date; False if the line is none of these."""
    text = page.block_texts[row].replace("\n", " ")
    if match := find_line_name(text):
        if LABEL_WORDS.issuperset(match[0].casefold().split()):
            return True  # of a menu
        sign = "bare name" if len(match[0]) == len(text) else "name in a line"
        authors.add_name(match[0], "text", sign, *(("linked",) if is_linked(page, row) else ()), *place)
        return True
    if "20" in text and (match := NAME_BESIDE_DATE.fullmatch(text)):
        name = match["name"] or match["after"]
        if not DATE_WORD.match(name):
            authors.add_name(name, "text", "name in a line", *place)
        return True
    return False


def _choose_rows(reading: Reading) -> list[int]:
    """The blocks around the headline and the start and the end of the text, but for the site's own."""
    count = len(reading.page.block_texts)
    places = (
        (reading.headline, AROUND_HEADLINE),
        (reading.first, AROUND_TEXT_START),
        (reading.last, AROUND_TEXT_END),
    )
    rows = {row for place, around in places if place is not None for row in range(place + around[0], place + around[1])}
    rows.difference_update(reading.template)
    rows = rows or set(range(TOP_BLOCKS))
    return sorted(row for row in rows if 0 <= row < count and not is_hidden(reading.page, row))


def _find_marks(page: Page, rows: list[int]) -> dict[int, str]:
    """Signs for blocks whose element, or one of the three around it, has a class that says that an author is named."""
    owners, parents = page.owners, page.parents
    elements = list(climb_some(parents, [owners[row] for row in rows], CLASS_LEVELS))
    names = zip(elements, page.attrs(elements, "class"), strict=True)
    mark_of_element = {each: mark for each, name in names if name and (mark := _read_mark(name[:CLASS_CHARS]))}
    marks: dict[int, str] = {}
    for row in rows if mark_of_element else ():
        for element in islice(climb(parents, owners[row]), CLASS_LEVELS):
            if element in mark_of_element:
                marks[row] = mark_of_element[element]
                break
    return marks


@lru_cache(CLASSES_KEPT)
def _read_mark(names: str) -> str:
    """The sign for a class that says that an author is named, or nothing."""
    names = names.lower()
    for word in CLASS_WORDS:
        if word in names:
            return f"marked {word}"
    return ""
