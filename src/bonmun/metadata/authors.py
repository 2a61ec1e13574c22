"""Who wrote a page: declared, marked up, or in a byline near its headline, in many languages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.metadata.bylines import (
    BEFORE,
    DATED,
    LABEL,
    NAME,
    NO_NAME,
    PARTED,
    RANKED,
    REPORTERS,
    REPORTERS_IN_TEXT,
    WITHIN,
    clean_name,
)
from bonmun.metadata.declared import kind_of, names_in, said, type_of
from bonmun.metadata.ranking import Candidate
from bonmun.metadata.reading import is_hidden, is_linked, plain

if TYPE_CHECKING:
    from collections.abc import Callable

    from bonmun.metadata.reading import Reading
    from bonmun.page import Page

__all__ = ["author_candidates"]

METAS = (
    "author article:author dc.creator dc.author dcterms.creator parsely-author sailthru.author byl citation_author "
    "article:author_name cxenseparse:author og:author authors article.author dable:author"
).split()
NOBODY = frozenset(
    "admin administrator administrateur webmaster editor root user guest anonymous unknown author wordpress superuser "
    "by von par por 관리자 운영자 편집부 本站原创 原创 佚名 "
    "管理员 管理員 管理人 администратор none null 名前 この記事を書いた人".split()
)
MARK = (
    "author",
    "byline",
    "writer",
    "username",
    "reporter",
    "journalist",
    "poster",
    "contributor",
    "nick",
)  # of classes
MARKED = [
    ("rel", "a[rel~=author]"),
    ("itemprop", "a[itemprop~=author]"),
    ("itemprop", "span[itemprop~=author]"),
    *(("class", f"{tag}[class*=author i]") for tag in ("a", "span", "p")),
    *(("class", f"span[class*={name} i]") for name in ("writer", "nick")),
]
MARKS = 8  # marked elements of each kind that are looked at
LONG_NAME, SHORT_LINE, LONG_LINE = 90, 100, 160  # characters
HEADLINE, START, END = (-3, 7), (-8, 3), (-2, 4)  # blocks around the headline and the ends of the text
LONG_LABEL = 12  # characters of what stands alone before a name: "글쓴이"
TOP = 24  # blocks, where neither is known
AROUND = 4  # elements whose class may say that an author is named
PERSON = re.compile(r"[A-ZÀ-Þ][^\W\d_]+(?: [A-ZÀ-Þ][^\W\d_]*\.?)? [A-ZÀ-Þ][\w'’-]+|[가-힣]{2,4}(?: ?기자)?")
SAID = frozenset(
    {"byline", "byline within", "marked rel", "marked itemprop", "bare name", "name in a line", "marked author"}
)
WORDS = re.compile(r"[^\W\d_]+")
DIGIT = re.compile(r"\d")
WAYS = {"rel": "marked", "itemprop": "marked", "class": "marked"}  # ways to find a name, by source
CROSSED = [  # they say more on some kinds of page
    (sign, f"{sign}, article", f"{sign}, forum") for sign in ("meta", "ld main", "marked", "marked user", "byline")
]


def author_candidates(reading: Reading) -> list[Candidate]:
    """Everyone who may have written the page."""
    page, declared, kinds, sites = reading.page, reading.declared, reading.kinds, reading.sites
    found: dict[str, Candidate] = {}
    ways: dict[str, set[str]] = {}

    def add(value: str, source: str, *signs: str) -> None:
        value = clean_name(value)
        words = WORDS.findall((value if value.isascii() else RANKED.sub("", value)).casefold())
        key = " ".join(sorted(words)) or value
        if key not in found:
            if not words or len(value) > LONG_NAME or plain(value) in NOBODY or value.startswith(("Copyright", "©")):
                return
            found[key], ways[key] = Candidate(value, source, {}), set()
        ways[key].add(WAYS.get(source, source[:4]))
        marks = found[key].signs
        for sign in signs:
            marks[sign] = 1.0

    for thing in declared.things:
        if "author" in thing or "creator" in thing:
            names = names_in(thing.get("author") or thing.get("creator"), declared)
            own = thing is declared.main
            which = "main" if own else "article" if kind_of(thing) in ("article", "forum") else "other"
            add(", ".join(names), "JSON-LD", f"ld {which}")
            if len(names) > 1:
                add(names[0], "JSON-LD", "ld one of several")
        elif type_of(thing) == "person":
            add(said(thing.get("name")), "JSON-LD", "ld person")
    for name in METAS:
        if name in declared.metas and not (value := declared.meta(name)).startswith(("http:", "https:", "www.", "@")):
            add(value, f"meta {name}", "meta", f"meta {name}")
    if len(declared.authors) > 1:
        add(", ".join(dict.fromkeys(declared.authors)), "meta author", "metas")
    if not any(_is_sure(each, sites) for each in found.values()):
        for name, selector in MARKED:
            for number, node in enumerate(page.select(selector)[:MARKS]):
                text = " ".join(node.text[:300].split())
                if text and len(text) <= LONG_LINE:
                    add(text, name, f"marked {name}", "marked", *(["marked first"] if not number else []))
        _add_shown(reading, add)
    # a site's name is nobody's, unless the page says that it wrote the page
    found = {key: each for key, each in found.items() if SAID & each.signs.keys() or plain(each.value) not in sites}
    padded = [f" {key} " for key in found]
    long_sites = [site for site in sites if len(site) > 4]
    for key, each in found.items():
        signs, value = each.signs, each.value
        words, name = WORDS.findall(value), plain(value)
        signs["site"] = name in sites
        signs["named in site"] = any(site in name for site in long_sites)
        signs["one word"] = len(words) == 1 and value.isascii()
        signs["two or three words"] = 2 <= len(words) <= 3
        signs["many words"] = len(words) > 6
        signs["capitals"] = all(word[0].isupper() or not word.isascii() for word in words)
        signs["digits"] = DIGIT.search(value) is not None
        signs["sentence"] = ":" in value or value.endswith((".", "?", "!", "…"))
        count = len(ways[key] - {"text"})
        signs["two ways"] = count == 2
        signs["three ways"] = count > 2
        signs["in another"] = sum(f" {key} " in other for other in padded) > 1
        for sign, on_article, on_thread in CROSSED:
            if sign in signs:
                signs[on_article], signs[on_thread] = kinds.get("article", 0.0), kinds.get("forum", 0.0)
        signs.update(kinds)
    return list(found.values())


def _is_sure(candidate: Candidate, sites: set[str]) -> bool:
    """Whether the page declares for programs that a person wrote it, so that the text need not be searched."""
    name = candidate.value
    return "ld main" in candidate.signs and PERSON.fullmatch(name) is not None and plain(name) not in sites


def _add_shown(reading: Reading, add: Callable[..., None]) -> None:
    """Add who is named in blocks near the headline, and at the start and the end of the text."""
    page, first, headline = reading.page, reading.first, reading.headline
    thread = reading.kinds.get("forum", 0) > 0.5
    rows = _rows(reading)
    marks = _marks(page, rows)
    first_mark = True
    for row in rows:
        text = page.block_texts[row]
        ascii_ = text.isascii()
        if len(text) > LONG_LINE:
            for pattern in () if ascii_ else REPORTERS_IN_TEXT:
                for part in (text[:200], text[-200:]):
                    if match := pattern.search(part):
                        add(match["name"], "byline", "reporter", "in a paragraph")
            continue
        text = text.replace("\n", " ")
        near = ["near title"] if headline is not None and HEADLINE[0] <= row - headline < HEADLINE[1] else []
        if first is not None and START[0] <= row - first <= 0:
            near.append("before text")
        elif reading.last is not None and row >= reading.last + END[0]:
            near.append("after text")
        if mark := marks.get(row):
            add(text, "class", mark, "marked", *near, *(["marked first"] if first_mark else []))
            first_mark = False
        if row and (before := page.block_texts[row - 1]) and len(before) < LONG_LABEL and LABEL.fullmatch(before):
            add(text, "byline", "byline", *near)
        parts = PARTED.split(text) if "| " in text or "• " in text or "· " in text else [text]
        if match := next((match for part in parts if (match := BEFORE.match(part))), None):
            add(match["name"], "byline", "byline", *near)
        elif ("by " in text or "von " in text or "par " in text or "por " in text) and (match := WITHIN.search(text)):
            add(match["name"], "byline", "byline within", *near)
        for pattern in () if ascii_ else REPORTERS:
            if match := pattern.search(text):
                add(match["name"], "byline", "byline", "reporter", *near)
        if near and len(text) <= SHORT_LINE and (match := NAME.search(text)):
            bare = len(match[0]) == len(text)
            linked = is_linked(page, row)
            add(match[0], "text", "bare name" if bare else "name in a line", *(["linked"] if linked else []), *near)
        elif near and len(text) <= SHORT_LINE and "20" in text and (match := DATED.fullmatch(text)):
            if not NO_NAME.match(name := match["name"] or match["after"]):
                add(name, "text", "name in a line", *near)
        elif thread and len(text) <= 30 and (near or mark) and " " not in text:
            add(text, "text", "user name", *near)


def _marks(page: Page, rows: list[int]) -> dict[int, str]:
    """What the class of a block's element, or of one of the three around it, says of who is named in it."""
    names: dict[int, str] = {}  # classes, by element
    found: dict[int, str] = {}
    for row in rows:
        element = page.owners[row]
        for _ in range(AROUND):
            if element < 0 or row in found:
                break
            if element not in names:
                names[element] = _mark(page.attr(element, "class"))
            if names[element]:
                found[row] = names[element]
            element = page.parents[element]
    return found


def _mark(names: str | None) -> str:
    if not names:
        return ""
    names = names.lower()
    for mark in MARK:
        if mark in names:
            return f"marked {mark}"
    return ""


def _rows(reading: Reading) -> list[int]:
    """The blocks around the headline and the start and the end of the text, but for the site's own."""
    count = len(reading.page.block_texts)
    places = ((reading.headline, HEADLINE), (reading.first, START), (reading.last, END))
    rows = {row for place, around in places if place is not None for row in range(place + around[0], place + around[1])}
    rows.difference_update(reading.template)
    rows = rows or set(range(TOP))
    return sorted(row for row in rows if 0 <= row < count and not is_hidden(reading.page, row))
