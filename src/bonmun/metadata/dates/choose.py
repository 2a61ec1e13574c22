"""When a page was published: declared, in its URL, or written near its headline, in many languages.

The days on which it may have been are collected here; `date_signs` describes them.
"""

from __future__ import annotations

from bisect import bisect
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING, Any

from bonmun.metadata.candidates import Candidates
from bonmun.metadata.dates.parse import YEAR, WrittenDay, find_day, find_days, find_short_day, read_program_day
from bonmun.metadata.dates.relative import read_relative_day
from bonmun.metadata.dates.signs import DATE_LINE_CHARS, describe_dates, describe_element, describe_shown, describe_time
from bonmun.metadata.dates.url_dates import find_url_day, is_american_url
from bonmun.metadata.declared import clean_value, read_type
from bonmun.metadata.page_reading import LINE_CHARS, is_hidden
from bonmun.metadata.ranking import DECLARED_CONFIDENCE, MetadataField
from bonmun.metadata.scans import find_elements, find_holding
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.metadata.dates.url_dates import UrlDay
    from bonmun.metadata.declared import Declared
    from bonmun.metadata.page_reading import PageReading
    from bonmun.metadata.ranking import Candidate

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
# Other names of metas that say the day of publication, another day of the page, or neither.
PUBLISHED_NAME = compile_later(r"publi|pubdate|pub_date|pub-date")
DATE_NAME = compile_later(r"(?:^|[^a-z]|pub|post|create|issue|release|reg|article|news|content|page|doc)date(?:time|$)")
MODIFIED_NAME = compile_later(r"modif|updat|revis|chang")
OTHER_NAME = compile_later(
    r"expir|valid|start|end|event|birth|build|deploy|crawl|copyright|unpublish|until|index|review"
)
KNOWN_METAS = frozenset([*PUBLISHED_METAS, *MODIFIED_METAS])
DECLARED_FEATURES = frozenset({"ld main", "meta"})
SURE_FEATURES = frozenset({"ld main", "ld page", "meta", "url"})  # two of them for one day are enough
MODIFIED_FEATURES = frozenset({"ld modified", "meta modified"})  # a day with no others is not that of publication
FIRST_YEAR = 1990  # no page was published before
MOST_TIMES, MOST_DAYS = 12, 24  # <time>s, and days that readers see, that are looked at
LEAST_BLOCKS, MORE_BLOCKS = 120, 40  # that are searched for days: so many of a page, and so many from where it starts
DATELINE_BLOCKS = 2  # of the text, after its first: up to there paragraphs are searched twice as far
BLOCKS_AFTER = 8  # the last of the text, which are searched as well
ROWS_NEAR = 10  # around the headline and the start of the text: where a day is declared, no others are searched
DAYS_OF_LINE = 3  # that are looked at
BRITISH_LANGUAGES = ("en-gb", "en-au", "en-nz", "en-in", "en-ie", "en-za", "en-sg", "en_gb", "en_au")
OTHER_YEAR_LANGUAGES = ("ja", "zh", "ar", "fa", "ur", "ps", "ckb")  # with eras or digits of their own
YEAR_FIRST_LANGUAGES = ("ko", "ja", "zh")  # which write years of two digits first
YEAR_STARTS = ("20", "19", "25")  # of ours, and of Thai ones
# What a day has in it whose year is not one of ours with four digits.
SHORT_YEAR = compile_later(r"[0-9][./-]\s?[0-9]{1,2}[./-]\s?[0-9]{2}")
OTHER_YEAR = compile_later("令和|平成|昭和|民國|民国|٢٠|۲۰")
# Elements that say a moment, some of which only single sites have, and metas in the body.
OTHER_TIME_TAGS = frozenset({"local-time", "relative-time", "faceplate-timeago"})
MOST_ELEMENTS = 40  # of each
ITEM_DATES = ("datepublished", "datecreated", "datemodified", "uploaddate")  # itemprops in lower case


class Dates(Candidates[date]):
    """Days, up to the latest on which the page can have been published."""

    def __init__(self, latest: date) -> None:
        super().__init__()
        self.latest = latest

    def add_day(self, day: date | None, source: str, *features: str) -> None:
        """Add a day, if there is one and it is possible."""
        if day is not None and day.year >= FIRST_YEAR and day <= self.latest:
            self.add(day, day.isoformat(), source, features)


def find_date_candidates(reading: PageReading, latest: date) -> list[Candidate]:
    """Every day that the page may have been published on, `latest` at the latest, with what speaks for and against."""
    dates = Dates(latest)
    _collect_json_ld(dates, reading.declared)
    _collect_metas(dates, reading.declared)
    url = find_url_day(reading.page.url)
    dates.add_day(url.day, "URL", "url" if url.is_plain else "url in a number")
    if not any(len(SURE_FEATURES & each.features.keys()) > 1 for each in dates.values()):  # said twice is enough
        _collect_times(dates, reading)
        if not any(
            "time near title" in each.features and SURE_FEATURES & each.features.keys() for each in dates.values()
        ):
            is_declared = any(DECLARED_FEATURES & each.features.keys() for each in dates.values())
            _collect_shown(dates, reading, url, is_declared)
    dates.drop(day for day, each in dates.items() if each.features.keys() <= MODIFIED_FEATURES)
    describe_dates(dates, reading, url)
    return list(dates.values())


def find_modified(declared: Declared) -> MetadataField | None:
    """The day that the page says it was changed."""
    values = [("JSON-LD", clean_value(declared.main.get("dateModified")))]
    values += [(f"meta {name}", declared.meta(name)) for name in MODIFIED_METAS if name in declared.metas]
    for source, value in values:
        if day := find_day(value):
            return MetadataField(day.isoformat(), source, DECLARED_CONFIDENCE)
    return None


def _collect_json_ld(dates: Dates, declared: Declared) -> None:
    """Add the days of all objects."""
    for thing in declared.things:
        if "datePublished" in thing or "dateModified" in thing or "dateCreated" in thing or "uploadDate" in thing:
            created = _read_day(thing, "uploadDate") or _read_day(thing, "dateCreated")
            role = declared.find_role(thing)
            role = "page" if role == "other" and read_type(thing).endswith("page") else role
            dates.add_day(_read_day(thing, "datePublished"), "JSON-LD", f"ld {role}")
            dates.add_day(created, "JSON-LD", "ld created")
            dates.add_day(_read_day(thing, "dateModified"), "JSON-LD", "ld modified")


def _read_day(thing: dict[str, Any], name: str) -> date | None:
    return read_program_day(clean_value(thing[name])) if name in thing else None


def _collect_metas(dates: Dates, declared: Declared) -> None:
    """Add the days that metas say the page was published or changed on."""
    for name in PUBLISHED_METAS:
        if name in declared.metas:
            value = declared.meta(name)
            dates.add_day(read_program_day(value), f"meta {name}", "meta", f"meta {name}")
    for name in declared.metas:
        if ("date" in name or "publi" in name or "modif" in name) and name not in KNOWN_METAS:
            _collect_other_meta(dates, declared, name)
    for name in MODIFIED_METAS:
        if name in declared.metas:
            dates.add_day(read_program_day(declared.meta(name)), f"meta {name}", "meta modified")


def _collect_other_meta(dates: Dates, declared: Declared, name: str) -> None:
    """Add the day of a meta whose name is not known, but says what it is."""
    is_published = PUBLISHED_NAME.search(name)
    if not (is_published or DATE_NAME.search(name) or MODIFIED_NAME.search(name)) or OTHER_NAME.search(name):
        return
    if MODIFIED_NAME.search(name):
        features: tuple[str, ...] = ("meta modified",)
    else:
        features = ("meta", "meta named published" if is_published else "meta named date")
    dates.add_day(read_program_day(declared.meta(name)), f"meta {name}", *features)


def _collect_times(dates: Dates, reading: PageReading) -> None:
    """Add the days of `<time>` elements, of others that are named so, and of itemprops that readers do not see."""
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
        day = read_program_day(written)
        if not day:
            continue
        names = f"{item} {page.attr(element, 'class') or ''}".lower()
        row = bisect(page.opened, element)
        features = describe_time(names, has_pubdate=page.attr(element, "pubdate") is not None)
        features += describe_element(reading, element, row, "time")
        source = "itemprop" if is_meta else "time"
        dates.add_day(day, source, source, f"{source} later" if number else f"{source} first", *features)
        number += 1
        if number >= MOST_TIMES:
            break


def _find_elements(reading: PageReading) -> list[int]:
    """The first elements of each tag that may say a moment, in document order; most pages have few, quickly seen."""
    page = reading.page
    tags = ["time"] if page.select("time") else [*OTHER_TIME_TAGS]
    if any(name in reading.declared.metas for name in ITEM_DATES):
        tags.append("meta")
    return find_elements(page.tags, tags, MOST_ELEMENTS)


def _collect_shown(dates: Dates, reading: PageReading, url: UrlDay, is_declared: bool) -> None:
    """Add the days that readers see."""
    number = 0
    for row, text, days in islice(_find_shown(reading, url, is_declared), MOST_DAYS):
        places = describe_element(reading, reading.page.owners[row], row, "shown")
        last = 0
        for written in days:
            words = text if len(days) == 1 else text[last : written.start]
            features = describe_shown(reading, row, text, words, is_first=not last)
            dates.add_day(written.day, "text", *features, *places, *(() if number else ("shown first",)))
            number, last = number + 1, written.stop


def _find_shown(reading: PageReading, url: UrlDay, is_declared: bool) -> Iterator[tuple[int, str, list[WrittenDay]]]:
    """The days that readers see: the row of the block, its text, the days."""
    page, crawled = reading.page, reading.crawled
    language = (page.attr(0, "lang") or "en").lower()
    american = language.startswith("en") and not language.startswith(BRITISH_LANGUAGES) and is_american_url(page.url)
    year_first = language.startswith(YEAR_FIRST_LANGUAGES)
    for row in _choose_rows(reading, is_declared):
        text = _read_start(reading, row)
        has_year = YEAR.search(text) is not None or not text.isascii()
        days = list(islice(find_days(text, american=american), DAYS_OF_LINE)) if has_year else []
        if not days and len(text) <= DATE_LINE_CHARS:
            short = find_short_day(text, year_first=year_first, american=american)
            days = [short] if short else []
        if not days and crawled and len(text) <= LINE_CHARS and (day := read_relative_day(text, crawled)):
            days = [WrittenDay(day, 0, len(text))]
        if days and row not in reading.template and not is_hidden(page, row):
            yield row, text, [each._replace(day=_read_as_url(each.day, url)) for each in days]


def _read_as_url(day: date, url: UrlDay) -> date:
    """A day as the URL has it, if the two differ in which number is the month."""
    other = url.day
    return other if other and (other.year, other.month, other.day) == (day.year, day.day, day.month) else day


def _choose_rows(reading: PageReading, is_declared: bool) -> list[int]:
    """The blocks in which a day may be written: where one is declared, those near the headline and the text's start."""
    texts = reading.page.block_texts
    near: set[int] = set()
    for place in (reading.headline, reading.first):
        near.update(() if place is None else range(max(place - ROWS_NEAR, 0), min(place + ROWS_NEAR, len(texts))))
    rows = sorted(near) if is_declared and near else _choose_far_rows(reading)
    if reading.crawled:  # then a day need not have a year
        return rows
    is_far = (reading.page.attr(0, "lang") or "").lower().startswith(OTHER_YEAR_LANGUAGES)
    found = set(find_holding(texts, rows, YEAR_STARTS))
    found.update(
        row for row in near.intersection(rows) if len(texts[row]) <= DATE_LINE_CHARS and SHORT_YEAR.search(texts[row])
    )
    if is_far:
        found.update(row for row in rows if len(texts[row]) <= LINE_CHARS and OTHER_YEAR.search(texts[row]))
    return sorted(found)


def _choose_far_rows(reading: PageReading) -> list[int]:
    """The blocks up to the start of the text and some beyond, and short lines up to some after its end."""
    texts = reading.page.block_texts
    stop = max((reading.first or 0) + MORE_BLOCKS, (reading.headline or 0) + MORE_BLOCKS, LEAST_BLOCKS)
    rows = [*range(min(len(texts), stop))]
    if reading.last is not None and reading.last + BLOCKS_AFTER > stop:  # further down, only short lines are dates
        further = range(stop, min(reading.last + BLOCKS_AFTER, len(texts)))
        rows += [row for row in further if len(texts[row]) <= DATE_LINE_CHARS]
    return rows


def _read_start(reading: PageReading, row: int) -> str:
    """A block's text; of a paragraph its start, and more of it near the start of the text, where datelines are."""
    text = reading.page.block_texts[row]
    if len(text) <= LINE_CHARS:
        return text
    is_late = reading.first is None or row > reading.first + DATELINE_BLOCKS
    return text[:LINE_CHARS] if is_late else text[: 2 * LINE_CHARS]
