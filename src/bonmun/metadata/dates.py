"""When a page was published: declared, in its address, or written near its headline, in many languages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.metadata.ago import day_before
from bonmun.metadata.days import compact_day, day_in, made_day
from bonmun.metadata.declared import kind_of, said
from bonmun.metadata.ranking import Candidate, Fact
from bonmun.metadata.reading import is_hidden

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from bonmun.metadata.declared import Declared
    from bonmun.metadata.reading import Reading
    from bonmun.page import Page

__all__ = ["date_candidates", "modified"]

IN_URL = re.compile(r"/(20[0-2][0-9])[-/]?(0?[1-9]|1[0-2])[-/]?(0?[1-9]|[12][0-9]|3[01])(?=[/._-]|$)")
PUBLISHED = (
    "article:published_time article:published datepublished date dc.date dc.date.issued dcterms.date dcterms.created "
    "pubdate publishdate publish_date publish-date parsely-pub-date sailthru.date og:published_time og:pubdate "
    "article_date_original citation_publication_date citation_date ptime cxenseparse:recs:publishtime "
    "article.published originalpublicationdate date_published rnews:datepublished bt:pubdate og:article:published_time "
    "article:create_at regdate news:published_time"
).split()
MODIFIED = (
    "article:modified_time og:updated_time datemodified dcterms.modified dc.date.modified lastmod last-modified "
    "article:modified revised modified"
).split()
DATED = frozenset({"datePublished", "uploadDate", "dateCreated", "dateModified"})
WAYS = frozenset({"ld", "meta", "time", "shown", "url"})
CHANGED = frozenset({"ld modified", "meta modified"})  # a day that only these speak for is not that of publication
LONG_LINE = 160  # characters: a block of more is a paragraph
NEAR = 14  # blocks around the headline or the start of the text
VISIBLE = 24  # dates on the page that are looked at
NEW_WORDS = re.compile(r"updat|modif|edit|aktualisier|mis à jour|actualiz|обнов|수정|更新|최종", re.I)
OLD_WORDS = re.compile(
    r"publi|post|veröffentl|erstellt|опублик|입력|등록|작성|게시|发布|發布|公開|掲載|投稿|duyệt|đăng|نشر", re.I
)
CLOCK = re.compile(r"(?<![\d:])[012]?\d\s?[:시時点h]\s?[0-5]\d(?!\d)")
DATE_NAMES = ("date", "time", "publish", "posted", "byline", "meta", "info", "when", "stamp")  # in classes


def date_candidates(reading: Reading, latest: date) -> list[Candidate]:
    """Every day that the page may have been published on, `latest` at the latest."""
    page, declared, kinds = reading.page, reading.declared, reading.kinds
    found: dict[date, Candidate] = {}

    def add(day: date | None, source: str, *signs: str) -> None:
        if day is None or day.year < 1990 or day > latest:
            return
        if day not in found:
            found[day] = Candidate(day.isoformat(), source, {})
        marks = found[day].signs
        for sign in signs:
            marks[sign] = 1.0

    for thing in declared.things:
        if DATED & thing.keys():
            own = thing is declared.main
            main = "main" if own else "article" if kind_of(thing) in ("article", "forum") else "other"
            created = day_in(said(thing.get("uploadDate"))) or day_in(said(thing.get("dateCreated")))
            add(day_in(said(thing.get("datePublished"))), "JSON-LD", f"ld {main}")
            add(created, "JSON-LD", "ld created")
            add(day_in(said(thing.get("dateModified"))), "JSON-LD", "ld modified")
    for name in PUBLISHED:
        if name in declared.metas:
            value = declared.meta(name)
            add(day_in(value) or compact_day(value), f"meta {name}", "meta", f"meta {name}")
    for name in MODIFIED:
        if name in declared.metas:
            add(day_in(declared.meta(name)), f"meta {name}", "meta modified")
    if match := IN_URL.search(page.url or ""):
        add(made_day(*match.groups()), "URL", "url")
    sure = any("ld main" in each.signs and "meta" in each.signs for each in found.values())  # said twice: enough
    for number, node in enumerate(() if sure else page.select("time")[:VISIBLE]):
        text = node.text[:100]
        day = day_in(node.attr("datetime") or text) or day_in(text)
        if day:
            names = f"{node.attr('itemprop') or ''} {node.attr('class') or ''}".lower()
            add(day, "time", "time", "time first" if not number else "time later")
            if "publish" in names or "pubdate" in names or node.attr("pubdate") is not None:
                add(day, "time", "time published")
            if "modif" in names or "updat" in names:
                add(day, "time", "time modified")
    for number, (row, text, day) in enumerate(() if sure else _shown(reading)):
        add(day, "text", *_signs_of(reading, row, text), *(["shown first"] if not number else []))
    found = {day: each for day, each in found.items() if each.signs.keys() - CHANGED}
    days = sorted(found)
    near = sum("shown near title" in each.signs for each in found.values())
    for day, each in found.items():
        signs = each.signs
        signs["earliest"] = day == days[0]
        signs["latest"] = day == days[-1]
        signs["alone"] = len(days) == 1
        signs["alone near title"] = near == 1 and "shown near title" in signs
        signs["many"] = len(days) > 6
        ways = len(WAYS & {sign.partition(" ")[0] for sign in signs})
        signs["two ways"] = ways == 2
        signs["three ways"] = ways > 2
        signs["declared only"] = "shown" not in signs and "time" not in signs
        for kind in ("article", "forum", "documentation"):
            if "shown" in signs:
                signs[f"shown, {kind}"] = kinds.get(kind, 0.0)
            if "ld main" in signs or "meta" in signs:
                signs[f"declared, {kind}"] = kinds.get(kind, 0.0)
        if kinds.get("forum", 0) > 0.5:
            signs["first of a thread"] = "shown first" in signs
            signs["earliest of a thread"] = signs["earliest"]
        signs.update(kinds)
    return list(found.values())


def modified(declared: Declared) -> Fact | None:
    """The day that the page says it was changed."""
    values = [("JSON-LD", said(declared.main.get("dateModified")))]
    values += [(f"meta {name}", declared.meta(name)) for name in MODIFIED if name in declared.metas]
    return next((Fact(day.isoformat(), source, 0.9) for source, value in values if (day := day_in(value))), None)


def _shown(reading: Reading) -> Iterator[tuple[int, str, date]]:
    """The dates that readers see: the row of the block, its text, the day."""
    page, first, texts = reading.page, reading.first, reading.page.block_texts
    american = (page.attr(0, "lang") or "en").lower().startswith("en") and not _is_british(page.url)
    last = min(len(texts), max((first or 0) + 40, (reading.headline or 0) + 40, 120))
    rows = [row for row in range(last) if "20" in texts[row] or "19" in texts[row] or "25" in texts[row]]
    found = 0
    for row in range(last) if reading.crawled else rows:
        text = texts[row]
        if len(text) > LONG_LINE:
            text = text[:LONG_LINE] if first is None or row > first + 2 else text[: 2 * LONG_LINE]
        day = day_in(text, american=american)
        if not day and reading.crawled and len(text) <= LONG_LINE:
            day = day_before(text, reading.crawled)
        if day and row not in reading.template and not is_hidden(page, row):
            yield row, text, day
            found += 1
            if found >= VISIBLE:
                return


def _signs_of(reading: Reading, row: int, text: str) -> list[str]:
    """What speaks for a date that readers see."""
    page, first, headline = reading.page, reading.first, reading.headline
    words = f"{page.block_texts[row - 1][-40:]} {text}" if row else text
    names = " ".join(_names(page, row)).lower()
    signs = {
        "shown": True,
        "shown near title": headline is not None and -6 <= row - headline <= NEAR,
        "shown before text": first is not None and -NEAR <= row - first <= 1,
        "shown after text starts": first is not None and row > first + 1,
        "shown in a line": len(text) > 60,
        "shown in a paragraph": len(text) > LONG_LINE,
        "shown with a time": CLOCK.search(text),
        "says published": OLD_WORDS.search(words),
        "says updated": NEW_WORDS.search(words),
        "named date": any(name in names for name in DATE_NAMES),
        "named published": "publish" in names or "pubdate" in names or "regdate" in names,
    }
    return [sign for sign, there in signs.items() if there]


def _names(page: Page, row: int) -> Iterator[str]:
    """The class and itemprop of a block, and of what in it has a year."""
    rows = {page.owners[row]}
    rows.update(
        page.leaf_elements[leaf] for leaf in range(page.starts[row], page.stops[row]) if "20" in page.texts[leaf]
    )
    for element in sorted(rows):
        yield page.attr(element, "class") or ""
        yield page.attr(element, "itemprop") or ""


def _is_british(url: str | None) -> bool:
    host = (url or "").partition("//")[2].partition("/")[0]
    return host.endswith((".uk", ".au", ".nz", ".in", ".ie", ".za", ".sg", ".my", ".eu", ".pk"))
