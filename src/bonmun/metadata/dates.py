"""When a page was published: declared, in its URL, or written near its headline, in many languages.

The days on which it may have been are collected here; `date_signs` describes them.
"""

from __future__ import annotations

import re
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING, Any

from bonmun.metadata.ago import read_relative_day
from bonmun.metadata.candidates import Candidates
from bonmun.metadata.date_signs import describe_dates, describe_shown, describe_time
from bonmun.metadata.days import find_compact_day, find_day, make_day
from bonmun.metadata.declared import clean_value
from bonmun.metadata.ranking import DECLARED_CONFIDENCE, Fact
from bonmun.metadata.reading import LINE_CHARS, is_hidden

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.metadata.declared import Declared
    from bonmun.metadata.ranking import Candidate
    from bonmun.metadata.reading import Reading
    from bonmun.page import Page

__all__ = ["find_date_candidates", "find_modified"]

PUBLISHED_METAS = (
    "article:published_time article:published datepublished date dc.date dc.date.issued dcterms.date dcterms.created "
    "pubdate publishdate publish_date publish-date parsely-pub-date sailthru.date og:published_time og:pubdate "
    "article_date_original citation_publication_date citation_date ptime cxenseparse:recs:publishtime "
    "article.published originalpublicationdate date_published rnews:datepublished bt:pubdate og:article:published_time "
    "article:create_at regdate news:published_time"
).split()
MODIFIED_METAS = (
    "article:modified_time og:updated_time datemodified dcterms.modified dc.date.modified lastmod last-modified "
    "article:modified revised modified"
).split()
JSON_LD_DATES = frozenset({"datePublished", "uploadDate", "dateCreated", "dateModified"})
MODIFIED_SIGNS = frozenset({"ld modified", "meta modified"})  # a day with no others is not that of publication
FIRST_YEAR = 1990  # no page was published before
MOST_DAYS = 24  # <time>s, and days that readers see, that are looked at
TIME_CHARS = 100  # of a <time>, and of what its datetime says
LEAST_BLOCKS, MORE_BLOCKS = 120, 40  # that are searched for days: so many of a page, and so many from where it starts
DATELINE_BLOCKS = 2  # of the text, after its first: up to there paragraphs are searched twice as far
BRITISH_DOMAINS = (".uk", ".au", ".nz", ".in", ".ie", ".za", ".sg", ".my", ".eu", ".pk")  # where 3/4 is in April
# A day in a URL: "/2026/03/04/", "/2026-3-4-", "/20260304.".
IN_URL = re.compile(r"/(20[0-2][0-9])[-/]?(0?[1-9]|1[0-2])[-/]?(0?[1-9]|[12][0-9]|3[01])(?=[/._-]|$)")


class Dates(Candidates[date]):
    """Days, up to the latest on which the page can have been published."""

    def __init__(self, latest: date) -> None:
        super().__init__()
        self.latest = latest

    def add_day(self, day: date | None, source: str, *signs: str) -> None:
        """Add a day, if there is one and it is possible."""
        if day is not None and day.year >= FIRST_YEAR and day <= self.latest:
            self.add(day, day.isoformat(), source, signs)


def find_date_candidates(reading: Reading, latest: date) -> list[Candidate]:
    """Every day that the page may have been published on, `latest` at the latest, with what speaks for and against."""
    dates = Dates(latest)
    _collect_json_ld(dates, reading.declared)
    _collect_metas(dates, reading.declared)
    if match := IN_URL.search(reading.page.url or ""):
        dates.add_day(make_day(*match.groups()), "URL", "url")
    if not any("ld main" in each.signs and "meta" in each.signs for each in dates.values()):  # said twice is enough
        _collect_times(dates, reading.page)
        _collect_shown(dates, reading)
    dates.drop(day for day, each in dates.items() if each.signs.keys() <= MODIFIED_SIGNS)
    describe_dates(dates, reading)
    return list(dates.values())


def find_modified(declared: Declared) -> Fact | None:
    """The day that the page says it was changed."""
    values = [("JSON-LD", clean_value(declared.main.get("dateModified")))]
    values += [(f"meta {name}", declared.meta(name)) for name in MODIFIED_METAS if name in declared.metas]
    for source, value in values:
        if day := find_day(value):
            return Fact(day.isoformat(), source, DECLARED_CONFIDENCE)
    return None


def _collect_json_ld(dates: Dates, declared: Declared) -> None:
    """Add the days of all objects."""
    for thing in declared.things:
        if JSON_LD_DATES & thing.keys():
            created = _read_day(thing, "uploadDate") or _read_day(thing, "dateCreated")
            dates.add_day(_read_day(thing, "datePublished"), "JSON-LD", f"ld {declared.find_role(thing)}")
            dates.add_day(created, "JSON-LD", "ld created")
            dates.add_day(_read_day(thing, "dateModified"), "JSON-LD", "ld modified")


def _read_day(thing: dict[str, Any], name: str) -> date | None:
    return find_day(clean_value(thing[name])) if name in thing else None


def _collect_metas(dates: Dates, declared: Declared) -> None:
    """Add the days that metas say the page was published or changed on."""
    for name in PUBLISHED_METAS:
        if name in declared.metas:
            value = declared.meta(name)
            dates.add_day(find_day(value) or find_compact_day(value), f"meta {name}", "meta", f"meta {name}")
    for name in MODIFIED_METAS:
        if name in declared.metas:
            dates.add_day(find_day(declared.meta(name)), f"meta {name}", "meta modified")


def _collect_times(dates: Dates, page: Page) -> None:
    """Add the days of `<time>` elements."""
    for number, node in enumerate(page.select("time")[:MOST_DAYS]):
        text = node.text[:TIME_CHARS]
        if day := find_day((node.attr("datetime") or text)[:TIME_CHARS]) or find_day(text):
            names = f"{node.attr('itemprop') or ''} {node.attr('class') or ''}".lower()
            signs = describe_time(names, has_pubdate=node.attr("pubdate") is not None)
            dates.add_day(day, "time", "time", "time later" if number else "time first", *signs)


def _collect_shown(dates: Dates, reading: Reading) -> None:
    """Add the days that readers see."""
    for number, (row, text, day) in enumerate(islice(_find_shown(reading), MOST_DAYS)):
        signs = describe_shown(reading, row, text)
        dates.add_day(day, "text", *signs, *(() if number else ("shown first",)))


def _find_shown(reading: Reading) -> Iterator[tuple[int, str, date]]:
    """The days that readers see: the row of the block, its text, the day."""
    page, crawled = reading.page, reading.crawled
    american = _is_american(page)
    for row in _choose_rows(reading):
        text = _read_start(reading, row)
        day = find_day(text, american=american)
        if not day and crawled and len(text) <= LINE_CHARS:
            day = read_relative_day(text, crawled)
        if day and row not in reading.template and not is_hidden(page, row):
            yield row, text, day


def _choose_rows(reading: Reading) -> Sequence[int]:
    """The blocks up to the start of the text, and some beyond, in which a day may be written."""
    texts = reading.page.block_texts
    stop = max((reading.first or 0) + MORE_BLOCKS, (reading.headline or 0) + MORE_BLOCKS, LEAST_BLOCKS)
    if reading.crawled:  # then a day need not have a year
        return range(min(len(texts), stop))
    return [row for row, text in enumerate(texts[:stop]) if "20" in text or "19" in text or "25" in text]


def _read_start(reading: Reading, row: int) -> str:
    """A block's text; of a paragraph its start, and more of it near the start of the text, where datelines are."""
    text = reading.page.block_texts[row]
    if len(text) <= LINE_CHARS:
        return text
    is_late = reading.first is None or row > reading.first + DATELINE_BLOCKS
    return text[:LINE_CHARS] if is_late else text[: 2 * LINE_CHARS]


def _is_american(page: Page) -> bool:
    """Whether of two numbers before a year the month is the first."""
    host = (page.url or "").partition("//")[2].partition("/")[0]
    return (page.attr(0, "lang") or "en").lower().startswith("en") and not host.endswith(BRITISH_DOMAINS)
