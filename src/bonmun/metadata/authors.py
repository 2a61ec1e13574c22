"""Who wrote a page: declared, marked up, or in a byline near its headline, in many languages.

Who may have written it is collected here; `author_signs` describes it.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from bonmun.metadata.author_signs import (
    AROUND_HEADLINE,
    AROUND_TEXT_END,
    AROUND_TEXT_START,
    LETTERS,
    describe_authors,
    describe_place,
)
from bonmun.metadata.bylines import (
    AUTHOR_LABEL,
    BYLINE,
    BYLINE_WITHIN,
    DATE_WORD,
    LINE_NAME,
    NAME_BESIDE_DATE,
    PART_BREAK,
    RANK_AT_END,
    REPORTERS,
    REPORTERS_IN_PARAGRAPH,
    clean_name,
)
from bonmun.metadata.candidates import Candidates
from bonmun.metadata.declared import clean_value, read_names, read_type
from bonmun.metadata.reading import LINE_CHARS, fold_text, is_hidden, is_linked
from bonmun.page.walk import climb
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from bonmun.metadata.declared import Declared
    from bonmun.metadata.ranking import Candidate
    from bonmun.metadata.reading import Reading
    from bonmun.page import Page

__all__ = ["find_author_candidates"]

AUTHOR_METAS = (
    "author article:author dc.creator dc.author dcterms.creator parsely-author sailthru.author byl citation_author "
    "article:author_name cxenseparse:author og:author authors article.author dable:author"
).split()
NOBODY = frozenset(
    "admin administrator administrateur webmaster editor root user guest anonymous unknown author wordpress superuser "
    "by von par por 관리자 운영자 편집부 本站原创 原创 佚名 "
    "管理员 管理員 管理人 администратор none null 名前 この記事を書いた人".split()
)
SELECTORS = [  # what marks an author up, and how it is found
    ("rel", "a[rel~=author]"),
    ("itemprop", "a[itemprop~=author]"),
    ("itemprop", "span[itemprop~=author]"),
    *(("class", f"{tag}[class*=author i]") for tag in ("a", "span", "p")),
    *(("class", f"span[class*={name} i]") for name in ("writer", "nick")),
]
MOST_SELECTED = 8  # elements of each selector that are looked at
SELECTED_CHARS = 300  # of an element, before its white space is folded
CLASS_WORDS = ("author", "byline", "writer", "username", "reporter", "journalist", "poster", "contributor", "nick")
CLASS_LEVELS = 4  # a block's element, and those around it, whose class may say that an author is named
NAME_CHARS, NAME_LINE_CHARS = 90, 100  # of a name, and of a line that may be one or hold one
PARAGRAPH_END_CHARS = 200  # of a paragraph, at its start and its end, that may name a reporter
AUTHOR_LABEL_CHARS = 11  # of what stands alone before a name: "글쓴이"
USER_NAME_CHARS = 30
TOP_BLOCKS = 24  # are searched where neither the headline nor the text is known
# A name as most are, which may be believed: "Ann B. Lee", "홍길동", "홍길동 기자".
PERSON = re.compile(r"[A-ZÀ-Þ][^\W\d_]+(?: [A-ZÀ-Þ][^\W\d_]*\.?)? [A-ZÀ-Þ][\w'’-]+|[가-힣]{2,4}(?: ?기자)?")
# Signs that the page tells its readers, not programs alone, who wrote it: then it may be the site.
SIGNS_FOR_READERS = frozenset(
    {"byline", "byline within", "marked rel", "marked itemprop", "bare name", "name in a line", "marked author"}
)


class Authors(Candidates[str]):
    """Names; those that differ in case, punctuation, the order of words and a reporter's rank alone are the same."""

    def add_name(self, text: str, source: str, *signs: str) -> None:
        """Add who may be the author, without what stands around the name, unless it is nobody."""
        name = clean_name(text)
        words = LETTERS.findall((name if name.isascii() else RANK_AT_END.sub("", name)).casefold())
        key = " ".join(sorted(words))
        if key in self or (key and not _is_nobody(name)):
            self.add(key, name, source, signs)


def _is_nobody(name: str) -> bool:
    return len(name) > NAME_CHARS or fold_text(name) in NOBODY or name.startswith(("Copyright", "©"))


def find_author_candidates(reading: Reading) -> list[Candidate]:
    """Everyone who may have written the page, with what speaks for and against them."""
    authors, site_names = Authors(), reading.site_names
    _collect_json_ld(authors, reading.declared)
    _collect_metas(authors, reading.declared)
    if not any(_is_sure(author, site_names) for author in authors.values()):
        _collect_marked(authors, reading.page)
        _collect_shown(authors, reading)
    # a site's name is nobody's, unless the page tells its readers that it wrote the page
    authors.drop(
        key
        for key, author in authors.items()
        if not SIGNS_FOR_READERS & author.signs.keys() and fold_text(author.value) in site_names
    )
    describe_authors(authors, reading)
    return list(authors.values())


def _is_sure(author: Candidate, site_names: set[str]) -> bool:
    """Whether the page declares for programs that a person wrote it, so that the text need not be searched."""
    name = author.value
    return "ld main" in author.signs and PERSON.fullmatch(name) is not None and fold_text(name) not in site_names


def _collect_json_ld(authors: Authors, declared: Declared) -> None:
    """Add the authors of all objects, and objects that are persons."""
    for thing in declared.things:
        if "author" in thing or "creator" in thing:
            names = read_names(thing.get("author") or thing.get("creator"), declared)
            authors.add_name(", ".join(names), "JSON-LD", f"ld {declared.find_role(thing)}")
            if len(names) > 1:
                authors.add_name(names[0], "JSON-LD", "ld one of several")
        elif read_type(thing) == "person":
            authors.add_name(clean_value(thing.get("name")), "JSON-LD", "ld person")


def _collect_metas(authors: Authors, declared: Declared) -> None:
    """Add whom metas name, each alone and those that say `author` together."""
    for name in AUTHOR_METAS:
        if name in declared.metas and not (value := declared.meta(name)).startswith(("http:", "https:", "www.", "@")):
            authors.add_name(value, f"meta {name}", "meta", f"meta {name}")
    if len(declared.authors) > 1:
        authors.add_name(", ".join(dict.fromkeys(declared.authors)), "meta author", "metas")


def _collect_marked(authors: Authors, page: Page) -> None:
    """Add what is marked up as an author, anywhere on the page."""
    for mark, selector in SELECTORS:
        for number, node in enumerate(page.select(selector)[:MOST_SELECTED]):
            text = make_readable(node.text[:SELECTED_CHARS])
            if text and len(text) <= LINE_CHARS:
                authors.add_name(text, mark, f"marked {mark}", "marked", *(() if number else ("marked first",)))


def _collect_shown(authors: Authors, reading: Reading) -> None:
    """Add who is named in blocks near the headline, and at the start and the end of the text."""
    texts, rows = reading.page.block_texts, _choose_rows(reading)
    marks = _find_marks(reading.page, rows)
    marked_first = ["marked first"]
    for row in rows:
        if len(texts[row]) > LINE_CHARS:
            _collect_paragraph(authors, texts[row])
            continue
        text, mark, place = texts[row].replace("\n", " "), marks.get(row), describe_place(row, reading)
        if mark:
            authors.add_name(text, "class", mark, "marked", *place, *marked_first)
            marked_first = []
        label = texts[row - 1] if row else ""
        if label and len(label) <= AUTHOR_LABEL_CHARS and AUTHOR_LABEL.fullmatch(label):
            authors.add_name(text, "byline", "byline", *place)
        _collect_bylines(authors, text, place)
        if place and len(text) <= NAME_LINE_CHARS and _collect_line(authors, reading.page, row, place):
            continue
        may_be_user = len(text) <= USER_NAME_CHARS and (place or mark) and " " not in text
        if may_be_user and reading.is_thread:
            authors.add_name(text, "text", "user name", *place)


def _collect_paragraph(authors: Authors, text: str) -> None:
    """Add reporters who are named at the start or the end of a paragraph."""
    if text.isascii():
        return
    for pattern in REPORTERS_IN_PARAGRAPH:
        for part in (text[:PARAGRAPH_END_CHARS], text[-PARAGRAPH_END_CHARS:]):
            if match := pattern.search(part):
                authors.add_name(match["name"], "byline", "reporter", "in a paragraph")


def _collect_bylines(authors: Authors, text: str, place: list[str]) -> None:
    """Add whom a line names by a word such as "By" or "기자"."""
    if match := _match_byline(text):
        authors.add_name(match["name"], "byline", "byline", *place)
    elif match := _match_within(text):
        authors.add_name(match["name"], "byline", "byline within", *place)
    if text.isascii():
        return
    for pattern in REPORTERS:
        if match := pattern.search(text):
            authors.add_name(match["name"], "byline", "byline", "reporter", *place)


def _match_byline(text: str) -> re.Match[str] | None:
    """The first part of a line that starts with a word such as "By"."""
    if "| " in text or "• " in text or "· " in text:
        return next((match for part in PART_BREAK.split(text) if (match := BYLINE.match(part))), None)
    return BYLINE.match(text)


def _match_within(text: str) -> re.Match[str] | None:
    """What follows a word such as "by" within a line; most lines have none, which is quickly seen."""
    has_word = "by " in text or "von " in text or "par " in text or "por " in text
    return BYLINE_WITHIN.search(text) if has_word else None


def _collect_line(authors: Authors, page: Page, row: int, place: list[str]) -> bool:
    """Add the name that a line is, or that stands in it beside a bar or a date; False if the line is none of these."""
    text = page.block_texts[row].replace("\n", " ")
    if match := LINE_NAME.search(text):
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
    mark_of_element: dict[int, str] = {}
    marks: dict[int, str] = {}
    for row in rows:
        for element in islice(climb(parents, owners[row]), CLASS_LEVELS):
            mark = mark_of_element.get(element)
            if mark is None:
                mark = mark_of_element[element] = _read_mark(page.attr(element, "class"))
            if mark:
                marks[row] = mark
                break
    return marks


def _read_mark(names: str | None) -> str:
    """The sign for a class that says that an author is named, or nothing."""
    if not names:
        return ""
    names = names.lower()
    for word in CLASS_WORDS:
        if word in names:
            return f"marked {word}"
    return ""
