"""Collect the candidates for the date of publication: declared, in the URL, or in the text, in many languages.

signs.py adds their features.
"""

from __future__ import annotations

from bisect import bisect
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING

from bonmun.metadata.candidates import Candidates
from bonmun.metadata.dates.month_order import reads_month_first
from bonmun.metadata.dates.parse import YEAR, WrittenDay, find_day, find_days, find_short_day, read_program_day
from bonmun.metadata.dates.relative import read_relative_day
from bonmun.metadata.dates.signs import (
    DATE_LINE_CHARS,
    describe_dates,
    describe_element,
    describe_shown,
    describe_time,
    says_published,
    says_updated,
)
from bonmun.metadata.dates.url_dates import find_url_day, is_american_url
from bonmun.metadata.declared import clean_value, read_type
from bonmun.metadata.page_reading import LINE_CHARS, is_hidden
from bonmun.metadata.ranking import DECLARED_CONFIDENCE, MetadataField
from bonmun.metadata.scans import find_elements, find_holding
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from bonmun.metadata.dates.url_dates import UrlDay
    from bonmun.metadata.declared import Declared
    from bonmun.metadata.page_reading import PageReading
    from bonmun.metadata.ranking import Candidate
    from bonmun.page import Page

__all__ = ["find_date_candidates", "find_modified"]

RDFA_DATES = ("span[property~='dc:date']", "span[property~='dcterms:created']")
PUBLISHED_METAS = (
    "article:published_time article:published datepublished date dc.date dc.date.issued dcterms.date dcterms.created "
    "pubdate publishdate publish_date publish-date parsely-pub-date sailthru.date og:published_time og:pubdate "
    "article_date_original citation_publication_date citation_date ptime cxenseparse:recs:publishtime "
    "article.published originalpublicationdate date_published rnews:datepublished bt:pubdate og:article:published_time "
    "article:create_at regdate news:published_time dc:date dc:date.created dc:date.issued dcterms:created release:date"
).split()
MODIFIED_METAS = (
    "article:modified_time og:updated_time datemodified dcterms.modified dc.date.modified lastmod last-modified "
    "article:modified revised modified"
).split()
# Patterns of other meta names: for a date of publication, any date, a date of change, and dates of something else.
PUBLISHED_NAME = compile_later(r"publi|pubdate|pub_date|pub-date")
DATE_NAME = compile_later(r"(?:^|[^a-z]|pub|post|create|issue|release|reg|article|news|content|page|doc)date(?:time|$)")
MODIFIED_NAME = compile_later(r"modif|updat|revis|chang")
OTHER_NAME = compile_later(
    r"expir|valid|start|end|event|birth|build|deploy|crawl|copyright|unpublish|until|index|review"
)
KNOWN_METAS = frozenset([*PUBLISHED_METAS, *MODIFIED_METAS])
DECLARED_FEATURES = frozenset({"ld main", "meta"})
SURE_FEATURES = frozenset({"ld main", "ld page", "meta", "url"})  # a day with two of them needs no further search
MODIFIED_FEATURES = frozenset({"ld modified", "meta modified"})  # a day with no others is not a day of publication
MIN_LISTING_PROBABILITY = 0.5  # a page above it counts as a listing
FIRST_YEAR = 1990  # earlier dates are ignored
MAX_TIMES, MAX_SHOWN_LINES = 12, 24  # `<time>` elements, and lines with visible dates
SEARCHED_BLOCKS = 120  # blocks at the start of the page that are searched for dates, and at least …
BLOCKS_AFTER_START = 40  # … these blocks after the headline and after the start of the text
DATELINE_BLOCKS = 2  # up to this block of the text, twice as much of a paragraph is searched
BLOCKS_AFTER_END = 8  # blocks after the end of the text that are searched, too
BLOCKS_NEAR = 10  # around the headline and the start of the text; if a date is declared, only these are searched
MAX_DAYS_PER_LINE = 3
BRITISH_LANGUAGES = ("en-gb", "en-au", "en-nz", "en-in", "en-ie", "en-za", "en-sg", "en_gb", "en_au")
# Hours ahead of UTC where a language is spoken: in the morning, UTC still has the day before.
HOURS_OF_LANGUAGE = {"ja": 9, "ko": 9, "zh": 8}
THING_DATES = ("datePublished", "dateModified", "dateCreated", "uploadDate")  # members of JSON-LD
OTHER_YEAR_LANGUAGES = ("ja", "zh", "ar", "fa", "ur", "ps", "ckb")  # with their own eras or digits
YEAR_FIRST_LANGUAGES = ("ko", "ja", "zh")  # write two-digit years first
MONTHS_PER_YEAR = 12
# Day and month as numbers before a year, in any order: "4.3.2026", "03/04/26".
TWO_NUMBERS_FIRST = compile_later(r"[0-9]{1,2}\s?[-./]\s?[0-9]{1,2}\s?[-./]")
YEAR_STARTS = ("20", "19", "25")  # first digits of Gregorian and Thai years
# Dates with a two-digit year, and years with other digits or eras.
SHORT_YEAR = compile_later(r"[0-9](?:[./-]\s?[0-9]{1,2}[./-]\s?|\.? [^\W\d_]{3,12}\.? [’']?)[0-9]{2}(?![0-9:])")
OTHER_YEARS = ("令和", "平成", "昭和", "民國", "民国", "٢٠", "۲۰")
# Custom elements of some sites with a `datetime` or `ts` attribute.
OTHER_TIME_TAGS = frozenset({"local-time", "relative-time", "faceplate-timeago"})
MAX_ELEMENTS = 40  # of each tag
ITEM_DATES = frozenset({"datepublished", "datecreated", "datemodified", "uploaddate"})  # itemprops in lower case


class Dates(Candidates[date]):
    """Candidates for the date of publication, up to the latest possible day."""

    def __init__(self, latest: date, hours: int = 0) -> None:
        super().__init__()
        self.latest = latest
        self.hours = hours  # time zone of the readers, ahead of UTC

    def read_day(self, text: str) -> date | None:
        """Return a machine-written day, in the time zone of the readers."""
        return read_program_day(text, self.hours)

    def add_day(self, day: date | None, source: str, *features: str) -> None:
        """Add a day, unless it is None or out of range."""
        if day is not None and day.year >= FIRST_YEAR and day <= self.latest:
            self.add(day, day.isoformat(), source, features)


def find_date_candidates(reading: PageReading, latest: date) -> list[Candidate]:
    """Return the candidates for the date of publication up to `latest`, with their features."""
    dates = Dates(latest, HOURS_OF_LANGUAGE.get((reading.page.attr(0, "lang") or "")[:2].lower(), 0))
    _collect_json_ld(dates, reading.declared)
    _collect_metas(dates, reading.declared)
    if not dates:
        _collect_rdfa(dates, reading)
    url = find_url_day(reading.page.likely_url)
    dates.add_day(url.day, "URL", "url" if url.is_plain else "url in a number")
    is_declared = any(DECLARED_FEATURES & each.features.keys() for each in dates.values())
    is_listing = reading.page_kinds.get("listing", 0.0) > MIN_LISTING_PROBABILITY
    counts_declared = is_listing or reading.is_later_thread_page  # all others are dates of items or later posts
    if counts_declared and not is_declared:
        return []
    if not any(len(SURE_FEATURES & each.features.keys()) > 1 for each in dates.values()):
        _collect_times(dates, reading)
        if not any(
            "time near title" in each.features and SURE_FEATURES & each.features.keys() for each in dates.values()
        ):
            _collect_shown(dates, reading, url, is_declared)
    dates.drop(day for day, each in dates.items() if each.features.keys() <= MODIFIED_FEATURES)
    if counts_declared:
        dates.drop(day for day, each in dates.items() if DECLARED_FEATURES.isdisjoint(each.features))
    describe_dates(dates, reading, url)
    return list(dates.values())


def find_modified(declared: Declared) -> MetadataField | None:
    """Return the date of the last change that the page declares."""
    values = [("JSON-LD", clean_value(declared.main.get("dateModified")))]
    values += [(f"meta {name}", declared.meta(name)) for name in MODIFIED_METAS if name in declared.metas]
    for source, value in values:
        if day := find_day(value):
            return MetadataField(day.isoformat(), source, DECLARED_CONFIDENCE)
    return None


def _collect_json_ld(dates: Dates, declared: Declared) -> None:
    """Add the dates of all things."""
    for thing in declared.things:
        days = {name: dates.read_day(clean_value(thing[name])) for name in THING_DATES if name in thing}
        if days:
            created = days.get("uploadDate") or days.get("dateCreated")
            role = declared.find_role(thing)
            role = "page" if role == "other" and read_type(thing).endswith("page") else role
            dates.add_day(days.get("datePublished"), "JSON-LD", f"ld {role}")
            dates.add_day(created, "JSON-LD", "ld created")
            dates.add_day(days.get("dateModified"), "JSON-LD", "ld modified")


def _collect_metas(dates: Dates, declared: Declared) -> None:
    """Add the dates of publication and of change in metas."""
    for name in PUBLISHED_METAS:
        if name in declared.metas:
            value = declared.meta(name)
            dates.add_day(dates.read_day(value), f"meta {name}", "meta", f"meta {name}")
    for name in declared.metas:
        if ("date" in name or "publi" in name or "modif" in name) and name not in KNOWN_METAS:
            _collect_other_meta(dates, declared, name)
    for name in MODIFIED_METAS:
        if name in declared.metas:
            dates.add_day(dates.read_day(declared.meta(name)), f"meta {name}", "meta modified")


def _collect_rdfa(dates: Dates, reading: PageReading) -> None:
    """Add the first date that is marked up as RDFa: `<span property="dc:date" content="2026-03-04">`."""
    for selector in RDFA_DATES:
        for node in reading.page.select(selector)[:1]:
            dates.add_day(dates.read_day(node.attr("content") or ""), "RDFa", "meta", "meta named published")


def _collect_other_meta(dates: Dates, declared: Declared, name: str) -> None:
    """Add the date of a meta whose name is not listed, but matches a pattern."""
    is_published = PUBLISHED_NAME.search(name)
    if not (is_published or DATE_NAME.search(name) or MODIFIED_NAME.search(name)) or OTHER_NAME.search(name):
        return
    if MODIFIED_NAME.search(name):
        features: tuple[str, ...] = ("meta modified",)
    else:
        features = ("meta", "meta named published" if is_published else "meta named date")
    dates.add_day(dates.read_day(declared.meta(name)), f"meta {name}", *features)


def _collect_times(dates: Dates, reading: PageReading) -> None:
    """Add the dates of `<time>` elements, of similar custom elements, and of `<meta itemprop>` in the body."""
    page = reading.page
    tags = page.tags
    elements = _find_elements(reading)
    number = 0
    for element in elements:
        is_meta = tags[element] == "meta"
        item = (page.attr(element, "itemprop") or "").lower()
        if is_meta and item not in ITEM_DATES:
            continue
        written = page.attr(element, "content" if is_meta else "ts" if "ago" in tags[element] else "datetime") or ""
        day = dates.read_day(written)
        if not day:
            continue
        names = f"{item} {page.attr(element, 'class') or ''}".lower()  # itemprop and classes
        row = bisect(page.opened, element)
        features = describe_time(names, has_pubdate=page.attr(element, "pubdate") is not None)
        if not is_meta and _says_updated(page, element):
            features.append("says updated")
        features += describe_element(reading, element, row, "time")
        source = "itemprop" if is_meta else "time"
        dates.add_day(day, source, source, f"{source} later" if number else f"{source} first", *features)
        number += 1
        if number >= MAX_TIMES:
            break


def _says_updated(page: Page, element: int) -> bool:
    """Whether the start of the block that an element is in, up to the element, is a word such as "updated"."""
    row = bisect(page.opened, element) - 1
    if row < 0 or page.owners[row] > element:
        return False
    text = page.block_texts[row][:LINE_CHARS].lower().replace("editor", "")
    return says_updated(text) and not says_published(text)


def _find_elements(reading: PageReading) -> list[int]:
    """Return the first elements of each tag that may hold a date, in document order."""
    page = reading.page
    tags = {"time"} if page.select("time") else OTHER_TIME_TAGS & page.tag_names
    if not ITEM_DATES.isdisjoint(reading.declared.metas):
        tags = tags | {"meta"}
    return find_elements(page.tags, tags, MAX_ELEMENTS) if tags else []


def _collect_shown(dates: Dates, reading: PageReading, url: UrlDay, is_declared: bool) -> None:
    """Add the visible dates."""
    number = 0
    for row, text, days in islice(_find_shown(reading, url, frozenset(dates), is_declared), MAX_SHOWN_LINES):
        places = describe_element(reading, reading.page.owners[row], row, "shown")
        last = 0
        for written in days:
            words = text if len(days) == 1 else text[last : written.start]
            features = describe_shown(reading, row, text, words, is_first=not last)
            dates.add_day(written.day, "text", *features, *places, *(() if number else ("shown first",)))
            number, last = number + 1, written.stop


def _find_shown(
    reading: PageReading, url: UrlDay, known: Collection[date], is_declared: bool
) -> Iterator[tuple[int, str, list[WrittenDay]]]:
    """Yield index, searched text and dates of each visible block with dates.

    `known` are days that the page declares, which tell the order of day and month in ambiguous dates.
    """
    page, crawled = reading.page, reading.crawled
    language = (page.attr(0, "lang") or "en").lower()
    american = (
        language.startswith("en") and not language.startswith(BRITISH_LANGUAGES) and is_american_url(page.likely_url)
    )
    year_first = language.startswith(YEAR_FIRST_LANGUAGES)
    rows = _choose_rows(reading, is_declared)
    texts = [_read_start(reading, row) for row in rows]
    american = reads_month_first(texts, american)
    for row, text in zip(rows, texts, strict=True):
        has_year = not text.isascii() or YEAR.search(text) is not None
        days = list(islice(find_days(text, american=american), MAX_DAYS_PER_LINE)) if has_year else []
        if not days and len(text) <= DATE_LINE_CHARS:
            short = find_short_day(text, year_first=year_first, american=american)
            days = [short] if short else []
        if not days and crawled and len(text) <= LINE_CHARS and (day := read_relative_day(text, crawled)):
            days = [WrittenDay(day, 0, len(text))]
        if days and row not in reading.template and not is_hidden(page, row):
            yield row, text, [each._replace(day=_read_as_known(each, text, url, known)) for each in days]


def _read_as_known(written: WrittenDay, text: str, url: UrlDay, known: Collection[date]) -> date:
    """Return the day of the URL, or a declared one, that differs from a given one only by swapped day and month.

    Else, return the given day. Declared days count only if the given one is written with numbers alone.
    """
    day = written.day
    if day.day > MONTHS_PER_YEAR:
        return day
    other = date(day.year, day.day, day.month)
    is_ambiguous = TWO_NUMBERS_FIRST.match(text, written.start) is not None
    return other if other == url.day or (is_ambiguous and other in known and day not in known) else day


def _choose_rows(reading: PageReading, is_declared: bool) -> list[int]:
    """Return the blocks that may contain a date. If one is declared, only blocks near headline and text start count."""
    texts = reading.page.block_texts
    near: set[int] = set()
    for place in (reading.headline, reading.first):
        near.update(() if place is None else range(max(place - BLOCKS_NEAR, 0), min(place + BLOCKS_NEAR, len(texts))))
    rows = sorted(near) if is_declared and near else _choose_far_rows(reading)
    if reading.crawled:  # relative dates, which have no year, are understood, too
        return rows
    has_other_years = (reading.page.attr(0, "lang") or "").lower().startswith(OTHER_YEAR_LANGUAGES)
    found = set(find_holding(texts, rows, YEAR_STARTS))
    found.update(
        row for row in near.intersection(rows) if len(texts[row]) <= DATE_LINE_CHARS and SHORT_YEAR.search(texts[row])
    )
    if has_other_years:
        found.update(find_holding(texts, rows, OTHER_YEARS, LINE_CHARS))
    return sorted(found)


def _choose_far_rows(reading: PageReading) -> list[int]:
    """Return the blocks up to some after the start of the text, and short lines up to some after its end."""
    texts = reading.page.block_texts
    stop = max((reading.first or 0) + BLOCKS_AFTER_START, (reading.headline or 0) + BLOCKS_AFTER_START, SEARCHED_BLOCKS)
    rows = [*range(min(len(texts), stop))]
    if reading.last is not None and reading.last + BLOCKS_AFTER_END > stop:
        further = range(stop, min(reading.last + BLOCKS_AFTER_END, len(texts)))
        rows += [row for row in further if len(texts[row]) <= DATE_LINE_CHARS]
    return rows


def _read_start(reading: PageReading, row: int) -> str:
    """Return the text of a line, or the start of a paragraph: a longer one at the start of the text, for datelines."""
    text = reading.page.block_texts[row]
    if len(text) <= LINE_CHARS:
        return text
    is_late = reading.first is None or row > reading.first + DATELINE_BLOCKS
    return text[:LINE_CHARS] if is_late else text[: 2 * LINE_CHARS]
