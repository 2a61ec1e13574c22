"""Collect the author names in the lines near the headline, and at the start and the end of the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bonmun.metadata.authors.bylines import (
    AUTHOR_LABEL,
    BYLINE_WITHIN,
    DATE_WORD,
    NAME_BESIDE_DATE,
    PART_BREAK,
    REPORTER_WITH_PLACE,
    REPORTERS_IN_PARAGRAPH,
    cut_after_comma,
    find_line_name,
    holds_east_asian,
    list_reporters,
    match_byline,
)
from bonmun.metadata.authors.line_signs import BYLINE, LABELLED, NAME, NAME_LINE_CHARS, REPORTER, sift_lines
from bonmun.metadata.authors.names import find_listed_names
from bonmun.metadata.authors.signs import (
    AROUND_HEADLINE,
    AROUND_TEXT_END,
    AROUND_TEXT_START,
    LABEL_WORDS,
    RIGHT_AFTER,
    describe_place,
)
from bonmun.metadata.page_reading import LINE_CHARS, is_hidden, is_linked
from bonmun.page.parse.ancestors import list_around, list_near
from bonmun.text.patterns import compile_later
from bonmun.text.word_finder import WordFinder

if TYPE_CHECKING:
    from bonmun.metadata.authors.candidates import Authors
    from bonmun.metadata.page_reading import PageReading
    from bonmun.page import Page

__all__ = ["collect_shown", "find_bylines"]

CLASS_WORDS = tuple("author byline writer username reporter journalist poster contributor nick submitted".split())
CLASS_CHARS = 400  # characters of a class attribute that are read
names_author = WordFinder(CLASS_WORDS).holds
CLASS_LEVELS = 4  # elements whose class is read: that of the block and its ancestors
PARAGRAPH_END_CHARS = 200  # at the start and the end of a paragraph, that are searched for a reporter
AUTHOR_LABEL_CHARS = 16  # maximum length of a label before a name: "글쓴이"
LABELLED_BLOCKS = 24  # blocks after the end of the text that are searched for a label before a name
MAX_LINES = 6  # of a block
MIN_LISTED = 3  # names in a row that make a list of authors
LISTED_CHARS = 1000  # maximum length of a list of authors
USER_NAME_CHARS = 30
MAX_LEAVES, MAX_PARAGRAPHS = 8, 100
DATED_CHARS = 60  # maximum length of a line with a date
PLACE_CHARS = 40  # at the end of a paragraph, that are searched for a place and a reporter
URL_CHARS = 300  # characters of the URL of a link that are read
TOP_BLOCKS = 24  # blocks that are searched if neither the headline nor the text is known
DIGIT = compile_later(r"\d")
# Characters that end sentences, and that names do not contain.
SENTENCE = compile_later(r"[.!?。！？、，（）:：;…\d]")
# URLs of links to a person, and to a list of pages.
PERSON_PATH = compile_later(
    r"/(?:authors?|users?|people|person|profiles?|profil|perfil|members?|team|writers?|journalists?|by|autor\w*|auteurs?|"
    r"redaktion|staff|contributors?|u|columnists?|reporters?|szerzo\w*|yazar\w*|forfatter|skribent|avtor\w*|penulis|"
    r"tac-gia|redacteur|journaliste|firmas|creators?|blogger)(?:[/?=.]|$)|mailto:|linkedin\.com/in|/@",
    re.I,
)
LIST_PATH = compile_later(
    r"/(?:category|categories|tags?|topics?|sections?|archives?|kategorie|rubrique|search)(?:[/?=]|$)", re.I
)
STARTS_WITH_BYLINE = ("byline",)  # features of a name at the start of a line


class LineName(NamedTuple):
    """The name in a line, with its feature. An empty name: the line has the form of a name, but is none."""

    name: str = ""
    feature: str = ""
    may_be_link: bool = False


def collect_shown(authors: Authors, reading: PageReading) -> None:
    """Add the names in blocks near the headline, and at the start and the end of the text."""
    page, texts = reading.page, reading.page.block_texts
    rows = _choose_rows(reading)
    if page.has_tag("figcaption"):  # who took a picture, or who is in it
        rows = [row for row in rows if page.find_kind(row) != "caption"]
    lines = [row for row in rows if len(texts[row]) <= LINE_CHARS]
    marks = _find_marks(page, lines)
    dated = {row for row in lines if len(texts[row]) <= DATED_CHARS and "20" in texts[row]}
    is_thread = reading.is_thread
    marked_first = ["marked first"]
    _collect_labelled(authors, reading, rows)
    _collect_lists(authors, reading)
    end = len(texts) if reading.last is None else reading.last + AROUND_TEXT_END[0]  # first block after the text
    for row, signs in zip(rows, sift_lines(texts, rows), strict=True):
        text, mark = texts[row], marks.get(row)
        if len(text) > LINE_CHARS:
            if not text.isascii():
                _collect_paragraph(authors, reading, row)
            continue
        may_be_user = len(text) <= USER_NAME_CHARS and (is_thread or (row >= end and not text.isascii()))
        if not (mark or signs or may_be_user):  # most lines
            continue
        text = text.replace("\n", " ")
        bylines = find_bylines(text, signs)
        line_name = _find_line_name(text) if signs & NAME else None
        if row == reading.headline and bylines and bylines[0][1] is STARTS_WITH_BYLINE:
            continue  # "Von Bonn nach Rom", "By the sea": the headline itself
        if signs & (BYLINE | REPORTER) and "\n" in texts[row]:
            further = texts[row].split("\n")[1:MAX_LINES]
            bylines += [byline for line in further for byline in find_bylines(line, signs)]
        is_labelled = bool(signs & LABELLED) and _is_label(texts[row - 1])
        if not (mark or bylines or line_name or is_labelled or may_be_user):
            continue
        place = _describe_line(reading, row, dated)
        if mark:
            authors.add_name(text, "class", mark, "marked", *place, *marked_first)
            _collect_leaves(authors, page, row, [mark, "marked leaf", *place])
            marked_first = []
        if is_labelled:
            authors.add_name(text, "byline", "byline", *place)
        for name, features in bylines:
            authors.add_name(name, "byline", *features, *place)
        if bylines and bylines[0][1] is STARTS_WITH_BYLINE and not mark:
            _collect_leaves(authors, page, row, ["byline leaf", *place])
        if place and line_name:
            if line_name.name:
                linked = ("linked",) if line_name.may_be_link and is_linked(page, row) else ()
                authors.add_name(line_name.name, "text", line_name.feature, *linked, *place)
            continue
        if not text.isascii() and may_be_user and "after text" in place and not SENTENCE.search(text):
            authors.add_name(
                text, "text", "last line", *place, *(("last line of text",) if row == reading.last else ())
            )
        if is_thread and may_be_user and (place or mark) and " " not in text:
            authors.add_name(text, "text", "user name", *place)
    _collect_ends(authors, reading)


def _is_label(text: str) -> bool:
    """Whether a block is a label before a name, such as "Author:"."""
    return len(text) <= AUTHOR_LABEL_CHARS and AUTHOR_LABEL.fullmatch(text) is not None


def _collect_labelled(authors: Authors, reading: PageReading, rows: list[int]) -> None:
    """Add the names after a label in the blocks that follow the text: in tables and boxes with facts about it."""
    texts = reading.page.block_texts
    if reading.last is None:
        return
    for row in range(max(rows[-1] if rows else 0, reading.last), min(reading.last + LABELLED_BLOCKS, len(texts) - 1)):
        if _is_label(texts[row]) and len(texts[row + 1]) <= NAME_LINE_CHARS and not is_hidden(reading.page, row + 1):
            authors.add_name(texts[row + 1], "byline", "byline", "after text")
            break


def _collect_lists(authors: Authors, reading: PageReading) -> None:
    """Add the names of a line right after the headline that lists people, as in papers."""
    if reading.headline is None:
        return
    for text in reading.page.block_texts[reading.headline + 1 : reading.headline + 1 + RIGHT_AFTER]:
        if text.count(",") + text.count(";") >= MIN_LISTED - 1 and len(text) <= LISTED_CHARS:
            names = find_listed_names(text)
            if len(names) >= MIN_LISTED:
                authors.add_group(names, "text", "listed")
                break


def _describe_line(reading: PageReading, row: int, dated: set[int]) -> list[str]:
    """Return features of the place of a line, of dates beside it, and of its link."""
    page, place = reading.page, describe_place(row, reading)
    if not dated.isdisjoint((row - 2, row - 1, row, row + 1, row + 2)):
        place.append("beside a date")
    if is_linked(page, row) and len(page.block_texts[row]) <= USER_NAME_CHARS:
        place += _describe_link(page, row)
    return place


def _collect_leaves(authors: Authors, page: Page, row: int, features: list[str]) -> None:
    """Add the leaves of a line that may be names: "Ann Lee" of "Ann LeeStaff Writer"."""
    leaves = page.texts[page.starts[row] : page.stops[row]]
    if len(leaves) > 1:
        for leaf in leaves[:MAX_LEAVES]:
            if 1 < len(leaf) <= USER_NAME_CHARS and not DIGIT.search(leaf):
                authors.add_name(leaf, "class", *features)


def _describe_link(page: Page, row: int) -> list[str]:
    """Return whether the link at the start of a block leads to a person or to a list, as features."""
    link = page.find_link(page.leaf_elements[page.starts[row]])
    href = (page.attr(link, "href") or "")[:URL_CHARS] if link >= 0 else ""
    if PERSON_PATH.search(href):
        return ["leads to a person"]
    return ["leads to a list"] if LIST_PATH.search(href) else []


def _collect_ends(authors: Authors, reading: PageReading) -> None:
    """Add reporters in brackets at the end of paragraphs: "…（ソウル＝李民晧）"."""
    if reading.first is None or reading.last is None:
        return
    for text in reading.page.block_texts[reading.first : min(reading.last, reading.first + MAX_PARAGRAPHS) + 1]:
        if text.endswith("）") and (match := REPORTER_WITH_PLACE.search(text[-PLACE_CHARS:])):
            authors.add_name(match["name"], "byline", "reporter", "in a paragraph")


def _collect_paragraph(authors: Authors, reading: PageReading, row: int) -> None:
    """Add reporters at the start or the end of a paragraph, and a name that is its last line."""
    text = reading.page.block_texts[row]
    place = describe_place(row, reading)
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
    possible = {pattern for part in parts for pattern in list_reporters(part)}
    for pattern in REPORTERS_IN_PARAGRAPH if possible else ():
        for part in parts if pattern in possible else ():
            if match := pattern.search(part):
                authors.add_name(match["name"], "byline", "reporter", "in a paragraph")


def find_bylines(text: str, signs: int = BYLINE | REPORTER) -> list[tuple[str, tuple[str, ...]]]:
    """Return the names (with features) that a line marks with a word such as "By" or "기자", one at its start first."""
    found: list[tuple[str, tuple[str, ...]]] = []
    if signs & BYLINE:
        if match := _match_byline(text):
            found.append((match["name"], STARTS_WITH_BYLINE))
        elif match := _match_within(text):
            found.append((match["name"], ("byline within",)))
    if signs & REPORTER and not text.isascii() and holds_east_asian(text):
        matches = [pattern.search(text) for pattern in list_reporters(text)]
        found += [(match["name"], ("byline", "reporter")) for match in matches if match]
    return found


def _match_byline(text: str) -> re.Match[str] | None:
    """Match the first part of a line that starts with a word such as "By"."""
    if "| " in text or "• " in text or "· " in text:
        return next((match for part in PART_BREAK.split(text) if (match := match_byline(part))), None)
    return match_byline(text)


def _match_within(text: str) -> re.Match[str] | None:
    """Match what follows a word such as "by" within a line."""
    has_word = "by " in text or "von " in text or "par " in text or "por " in text
    return BYLINE_WITHIN.search(text) if has_word else None


def _find_line_name(text: str) -> LineName | None:
    """Return the name that a line is or contains beside a bar or a date, or None if it has no such form."""
    if len(text) > NAME_LINE_CHARS:
        return None
    if match := find_line_name(text):
        if LABEL_WORDS.issuperset(match[0].casefold().split()):
            return LineName()  # an item of a menu
        return LineName(match[0], "bare name" if len(match[0]) == len(text) else "name in a line", may_be_link=True)
    if "20" in text and (match := NAME_BESIDE_DATE.fullmatch(text)):
        name = match["name"] or match["after"]
        return LineName() if DATE_WORD.match(name) else LineName(name, "name in a line")
    return None


def _choose_rows(reading: PageReading) -> list[int]:
    """Return the visible blocks around the headline and the start and the end of the text, without template blocks."""
    count = len(reading.page.block_texts)
    rows: set[int] = set()
    for place, window in (
        (reading.headline, AROUND_HEADLINE),
        (reading.first, AROUND_TEXT_START),
        (reading.last, AROUND_TEXT_END),
    ):
        if place is not None:
            rows.update(range(place + window[0], place + window[1]))
    rows -= reading.template
    rows = rows or set(range(TOP_BLOCKS))
    return [row for row in sorted(rows) if 0 <= row < count and not is_hidden(reading.page, row)]


def _find_marks(page: Page, rows: list[int]) -> dict[int, str]:
    """Return the features of blocks whose element, or one of its three nearest ancestors, has an author's class."""
    owners, parents = page.owners, page.parents
    elements = list(list_near(parents, [owners[row] for row in rows], CLASS_LEVELS))
    classes = zip(elements, page.attrs(elements, "class"), strict=True)
    mark_of_element = {
        each: _read_mark(name[:CLASS_CHARS]) for each, name in classes if name and names_author(name[:CLASS_CHARS])
    }
    marks: dict[int, str] = {}
    for row in rows if mark_of_element else ():
        for element in list_around(parents, owners[row], CLASS_LEVELS):
            if element in mark_of_element:
                marks[row] = mark_of_element[element]
                break
    return marks


def _read_mark(classes: str) -> str:
    """Return the feature of a class attribute with an author's class."""
    classes = classes.lower()
    return next(f"marked {word}" for word in CLASS_WORDS if word in classes)
