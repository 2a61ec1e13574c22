"""Metadata of a page: title, author, date and more.

Title, author and date are chosen among candidates by a small trained ranker. All other fields are read from what the
page declares. Every value comes with its source and a confidence.

Page ─declared→ Declared ─titles, authors, dates→ candidates ─ranking→ Metadata
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from bonmun.metadata.authors.choose import find_author_candidates
from bonmun.metadata.authors.names import split_names
from bonmun.metadata.dates.choose import find_date_candidates, find_modified
from bonmun.metadata.dates.relative import find_day_before
from bonmun.metadata.declared_fields import read_text_fields, read_typed_fields
from bonmun.metadata.language import find_language
from bonmun.metadata.opening_post import prefer_opening_post
from bonmun.metadata.page_reading import prepare_reading
from bonmun.metadata.ranking import MetadataField, correct_confidence, load_default_rankers
from bonmun.metadata.titles.choose import find_headline, find_title_candidates
from bonmun.metadata.titles.headline import guess_title
from bonmun.text.readable import tidy_metadata

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bonmun.labels import Labels
    from bonmun.metadata.declared import Declared
    from bonmun.metadata.ranking import Candidate, Ranker, Rankers
    from bonmun.page import Page

__all__ = ["Metadata", "MetadataField", "guess_title", "read_metadata"]

# Authors and dates with a lower confidence are not reported: most of them are wrong.
MIN_CONFIDENCE = 1 / 3


@dataclass(frozen=True, slots=True)
class Metadata:
    """Metadata of a page. A field that was not found is None, or an empty tuple.

    `title`, `author` and `date` are chosen among everything the page declares and shows. `language` is detected from
    the main text. All other fields are what the page declares about itself. URLs are absolute.

    Attributes:
        title: Headline of the page, without the name of the site.
        author: Authors, separated by semicolons.
        authors: Names of the authors.
        date: Date of publication, as YYYY-MM-DD.
        modified: Date of the last change, as YYYY-MM-DD.
        site_name: Name of the site, such as "The Harbour Times".
        language: Language of the main text, as an ISO 639 code: two letters where one exists.
        description: Summary that the page gives of itself.
        tags: Keywords.
        categories: Sections of the site that the page belongs to.
        image: URL of the lead image.
        canonical: URL that the page declares as its own.
        publisher: Name of the publisher.
        licence: Licence of the content: a URL, or the words of the page.
        favicon: URL of the icon of the site.
        feeds: URLs of the RSS, Atom and JSON feeds that the page links to.
        paywall: Whether the page says that part of it is for subscribers only; None if it does not say.
        reading_minutes: Reading time in minutes that the page states.
        kind: Kind of page that the page declares, such as "article" or "product". `Document.kind` weighs it against
            the text and the URL.
        fields: Value, source and confidence (`MetadataField`) of every field that was found, by field name.
    """

    title: str | None = None
    author: str | None = None
    authors: tuple[str, ...] = ()
    date: str | None = None
    modified: str | None = None
    site_name: str | None = None
    language: str | None = None
    description: str | None = None
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    image: str | None = None
    canonical: str | None = None
    publisher: str | None = None
    licence: str | None = None
    favicon: str | None = None
    feeds: tuple[str, ...] = ()
    paywall: bool | None = None
    reading_minutes: int | None = None
    kind: str | None = None
    fields: Mapping[str, MetadataField] = field(default_factory=dict)


def read_metadata(
    page: Page,
    text: str = "",
    labels: Labels | None = None,
    crawled: date | None = None,
    rankers: Rankers | None = None,
    declared: Declared | None = None,
) -> Metadata:
    """Return the metadata of a page.

    Args:
        page: The parsed page.
        text: Its main text, from which the language is detected.
        labels: Labels of a method. They tell where the main text starts and ends, and the kind of page.
        crawled: When the page was fetched. Dates such as "3 hours ago" are relative to it, and later ones are ignored.
        rankers: Weights for title, author and date; the shipped ones by default.
        declared: What the page declares, if it was read before.
    """
    rankers = rankers or load_default_rankers()
    reading = prepare_reading(page, labels, crawled, declared)
    title = _choose("title", rankers.title, find_title_candidates(reading))
    reading.headline = find_headline(reading, title.value if title else None)
    latest = find_day_before(crawled or datetime.now(UTC), timedelta(days=-1)) or date.max
    found = {
        "title": title,
        "author": _choose("author", rankers.author, find_author_candidates(reading)),
        "date": _choose("date", rankers.date, find_date_candidates(reading, latest)),
        "modified": find_modified(reading.declared),
        "language": find_language(page, text),
        **read_text_fields(reading),
    }
    if author := found["author"]:
        language = found["language"].value if found["language"] else None
        names = split_names(author.value, reading.author_groups, reading.site_names, language)
        found["author"] = replace(author, value="; ".join(names))
    if labels and labels.posts and not reading.is_later_thread_page:
        for name in ("author", "date"):
            found[name] = prefer_opening_post(found[name], name, labels.posts)
    texts = {name: cleaned for name, each in found.items() if each and (cleaned := _clean(each))}
    typed = read_typed_fields(reading)
    values: dict[str, Any] = {name: each.value for name, each in (texts | typed).items()}
    authors = tuple(values["author"].split("; ")) if "author" in values else ()
    return Metadata(**values, authors=authors, fields=texts | {name: each.to_field() for name, each in typed.items()})


def _choose(field: str, ranker: Ranker, candidates: Sequence[Candidate]) -> MetadataField | None:
    """Return the best candidate, with the share of right values among such choices as its confidence.

    None if that is too low for an author or a date.
    """
    found = ranker.best(candidates)
    if found is None:
        return None
    confidence = correct_confidence(field, found.confidence)
    is_likely = field == "title" or confidence >= MIN_CONFIDENCE
    return MetadataField(found.value, found.source, confidence) if is_likely else None


def _clean(given: MetadataField) -> MetadataField | None:
    """Return a field with a value that every format can carry, or None if nothing is left of the value."""
    value = tidy_metadata(given.value)
    if not value:
        return None
    return given if value == given.value else replace(given, value=value)
