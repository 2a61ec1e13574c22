"""Who wrote a page: declared, marked up, or in a byline near its headline, in many languages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.metadata.declared import kind_of, names_in, said, type_of
from bonmun.metadata.ranking import Candidate
from bonmun.metadata.titles import plain

if TYPE_CHECKING:
    from bonmun.metadata.declared import Declared
    from bonmun.page import Page

__all__ = ["author_candidates"]

METAS = (
    "author article:author dc.creator dc.author dcterms.creator parsely-author sailthru.author byl citation_author "
    "article:author_name cxenseparse:author og:author og:article:author authors article.author"
).split()
NOBODY = frozenset(
    "admin administrator administrateur webmaster editor root user guest anonymous unknown author wordpress superuser "
    "관리자 운영자 管理员 管理員 管理人 администратор none null".split()
)
MARK = re.compile("author|byline|writer|username|reporter|journalist|poster|contributor", re.I)
MARKED = "a[rel~=author],[itemprop~=author],[class*=author i],[class*=byline i]"
MARKS = 16  # marked elements that are looked at
LONG_NAME, LONG_LINE = 90, 160  # characters
NEAR = 12  # blocks around the headline or the start of the text
# What stands before a name, in a block of its own or at the start of one.
BEFORE = re.compile(
    r"^\W*(?:(?:written|posted|text|words|story|published|authored|created|article|review(?:ed)?|updated|submitted|started|"
    r"medically reviewed|a post|reporting)\s+)?"
    r"(?:by|von|par|por|di|door|av|af|oleh|autor(?:in)?|auteur|autore|авторы?|текст|author(?:s|\(s\))?|writer|"
    r"글쓴이|작성자|글|취재|文|撰文|作者|编辑|編輯|記者|记者|責任編集|投稿者|筆者|执笔|كتب|بقلم|الكاتب|thread starter|"
    r"tác giả|yazar|autorem|โดย|この記事を書いた人)(?:\s*[:：/／|]\s*|\s+|(?-i:(?=[A-Z][a-z])))(?P<name>\S.*)$",
    re.I,
)
WITHIN = re.compile(r"\b(?:by|von|par|por)\s+(?P<name>[A-ZÀ-Þ@][\w.'’-]*(?:\s+[\w.'’&-]+){0,5})")
# Two to four capitalised words, before or after a date, a dot or a bar.
NAME = re.compile(
    r"(?:(?<=[|•·–—,] )|^)[A-ZÀ-Þ][\w.'’-]+"
    r"(?: (?:(?:de|van|von|der|da|la|bin|al|del|di|du|le)\b ?)*[A-ZÀ-Þ][\w.'’-]*){1,3}"
    r"(?=$| [|•·–—]|, | on | \d| (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))"
)
KOREAN = re.compile(
    r"(?:^|[\s=(\[])(?P<name>[가-힣]{2,4}\s?(?:기자|특파원|논설위원|선임기자|인턴기자|에디터|PD|앵커|칼럼니스트|통신원|객원기자))"
)
CHINESE = re.compile(
    r"(?:记者|記者|作者|撰文|编辑)\s*[:：]?\s*(?P<name>[\u4e00-\u9fff·]{2,4}(?:[\s、][\u4e00-\u9fff·]{2,4})?)(?![\u4e00-\u9fff])"
)
CHINESE_AFTER = re.compile(r"(?P<name>[\u4e00-\u9fff]{2,4})\s*[／/]?\s*(?:報導|报道|綜合報導)")
EMAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+|\([^)]*@[^)]*\)")
AFTER = re.compile(
    r"\s*(?:[|•·–—―]|\s-\s|\bon\s+\w+\s+\d|\bpublished\b|\bupdated\b|\bposted\b|\blast\b|\bis an?\b|\bfor\b|"
    r"\bin\b\s+[A-Z]|\bat\b\s|"
    r"\d{1,2}[./-]\d|\d{4}|\d+\s*(?:min|hour|day|week|month|year|replies|posts|분|시간)|최종|입력|기자페이지|"
    r"\bmon(?:day)?\b|\btue|\bwed(?:nesday)?\b|\bthu|\bfri(?:day)?\b|\bsat(?:urday)?\b|\bsun(?:day)?\b|"
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?\s+\d).*$",
    re.I | re.S,
)  # fmt: skip
SAID = frozenset(
    {"byline", "byline within", "marked rel", "marked itemprop", "bare name", "name in a line", "marked author"}
)
WORDS = re.compile(r"[^\W\d_]+")


def author_candidates(
    page: Page, declared: Declared, first: int | None, title: int | None, kinds: dict[str, float], sites: set[str]
) -> list[Candidate]:
    """Everyone who may have written the page; `first` is the first kept block, `title` the headline's."""
    found: dict[str, Candidate] = {}

    def add(value: str, source: str, *signs: str) -> None:
        value = _clean(value)
        key = " ".join(sorted(WORDS.findall(value.casefold()))) or value
        name = plain(value)
        if not name or len(value) > LONG_NAME or name in NOBODY:
            return
        each = found.setdefault(key, Candidate(value, source, {}))
        for sign in signs:
            each.signs[sign] = 1.0

    main = declared.main
    for thing in declared.things:
        if "author" in thing or "creator" in thing:
            names = names_in(thing.get("author") or thing.get("creator"), declared)
            which = "main" if thing is main else "article" if kind_of(thing) in ("article", "forum") else "other"
            add(", ".join(names), "JSON-LD", f"ld {which}")
            if len(names) > 1:
                add(names[0], "JSON-LD", "ld one of several")
        elif type_of(thing) == "person":
            add(said(thing.get("name")), "JSON-LD", "ld person")
    for name in METAS:
        value = declared.metas.get(name, "")
        if value and not value.startswith(("http:", "https:", "www.", "@")):
            add(value, f"meta {name}", "meta", f"meta {name}")
    if len(declared.authors) > 1:
        add(", ".join(dict.fromkeys(declared.authors)), "meta author", "metas")
    for number, node in enumerate(page.tree.select(MARKED)[:MARKS]):
        text = " ".join(node.text[:300].split())
        if not text or len(text) > LONG_LINE:
            continue
        exact = [name for name in ("rel", "itemprop") if "author" in (node.attr(name) or "").split()]
        sign = f"marked {exact[0]}" if exact else "marked class"
        add(text, exact[0] if exact else "class", sign, "marked", *(["marked first"] if not number else []))
    marks: dict[int, str] = {}
    first_mark = True
    for row in _rows(page, first, title):
        text = page.block_texts[row].replace("\n", " ")
        if len(text) > LONG_LINE:
            for pattern in () if text.isascii() else (KOREAN, CHINESE):
                if match := pattern.search(text[:200]):
                    add(match["name"], "byline", "reporter", "in a paragraph")
            continue
        near = ["near title"] if title is not None and -3 <= row - title <= 6 else []
        near += ["before text"] if first is not None and -8 <= row - first <= 0 else []
        mark = _mark(page, page.owners[row], marks)
        if mark:
            add(text, "class", mark, "marked", *near, *(["marked first"] if first_mark else []))
            first_mark = False
        if match := BEFORE.match(text):
            add(match["name"], "byline", "byline", *near)
        elif match := WITHIN.search(text):
            add(match["name"], "byline", "byline within", *near)
        for pattern in () if text.isascii() else (KOREAN, CHINESE, CHINESE_AFTER):
            if match := pattern.search(text):
                add(match["name"], "byline", "reporter", *near)
        if near and len(text) <= 100 and (match := NAME.search(text)):
            bare = len(match[0]) == len(text)
            linked = page.blocks[row].link_share > 0.5
            add(match[0], "text", "bare name" if bare else "name in a line", *(["linked"] if linked else []), *near)
        elif len(text) <= 30 and kinds.get("forum", 0) > 0.5 and (near or mark) and " " not in text:
            add(text, "text", "user name", *near)
    # a site's name is nobody's, unless the page says that it wrote the page
    found = {key: each for key, each in found.items() if plain(each.value) not in sites or SAID & each.signs.keys()}
    for key, each in found.items():
        signs = each.signs
        signs["site"] = float(plain(each.value) in sites)
        count = len(WORDS.findall(each.value))
        signs["one word"] = float(count == 1 and each.value.isascii())
        signs["two or three words"] = float(2 <= count <= 3)
        signs["many words"] = float(count > 6)
        signs["capitals"] = float(all(word[:1].isupper() or not word.isascii() for word in WORDS.findall(each.value)))
        signs["digits"] = float(any(char.isdigit() for char in each.value))
        signs["sentence"] = float(each.value.endswith((".", "?", "!", "…")) or ":" in each.value)
        ways = sum(
            any(sign.startswith(way) for sign in signs) for way in ("ld", "meta", "marked", "byline", "reporter")
        )
        signs["two ways"] = float(ways == 2)
        signs["three ways"] = float(ways > 2)
        signs["in another"] = float(any(key != other and f" {key} " in f" {other} " for other in found))
        signs["named in site"] = float(any(len(name) > 4 and name in plain(each.value) for name in sites))
        signs.update(kinds)
        for kind in ("article", "forum"):
            for sign in ("meta", "ld main", "marked", "marked user", "byline"):
                if sign in signs:
                    signs[f"{sign}, {kind}"] = kinds.get(kind, 0.0)
    return list(found.values())


def _mark(page: Page, element: int, known: dict[int, str]) -> str:
    """What the names of an element, or of the three around it, say of who is named in it."""
    if element in known:
        return known[element]
    path: list[int] = []
    row, mark = element, ""
    while row >= 0 and len(path) < 4:
        if row in known:
            mark = known[row]
            break
        path.append(row)
        if (names := page.nodes[row].attr("class")) and (match := MARK.search(names)):
            mark = f"marked {match[0].lower()}"
            break
        row = page.parents[row]
    known.update(dict.fromkeys(path, mark))
    return mark


def _rows(page: Page, first: int | None, title: int | None) -> list[int]:
    """The blocks near the headline and before and after the start of the text."""
    count = len(page.block_texts)
    rows: set[int] = set()
    for place in (first, title):
        if place is not None:
            rows.update(range(max(place - NEAR, 0), min(place + NEAR, count)))
    return sorted(rows) if rows else list(range(min(count, 2 * NEAR)))


def _clean(value: str) -> str:
    """A name without what stands around it."""
    value = EMAIL.sub("", value.replace("\n", " "))
    if match := BEFORE.match(value) or CHINESE.match(value):
        value = match["name"]
    value = AFTER.sub("", value) or value
    return " ".join(value.split()).strip(" ,;:|-–—·•/()[]<>@")
