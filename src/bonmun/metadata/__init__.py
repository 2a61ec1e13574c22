"""Title, author, date and the like: candidates for each are found and weighed, and every fact has its source.

Page ─declared→ Declared ─titles, authors, dates→ candidates ─ranking→ facts
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from bonmun.metadata.authors.choose import find_author_candidates
from bonmun.metadata.dates.choose import find_date_candidates, find_modified
from bonmun.metadata.dates.relative import find_day_before
from bonmun.metadata.declared_fields import read_further_facts, read_listed_facts
from bonmun.metadata.language import find_language
from bonmun.metadata.page_reading import prepare_reading
from bonmun.metadata.ranking import Fact, load_default_rankers
from bonmun.metadata.titles.choose import find_headline, find_title_candidates
from bonmun.metadata.titles.headline import guess_title
from bonmun.text.readable import tidy_metadata

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bonmun.labels import Labels
    from bonmun.metadata.ranking import Rankers
    from bonmun.page import Page

__all__ = ["Fact", "Metadata", "guess_title", "read_metadata"]


@dataclass(frozen=True, slots=True)
class Metadata:
    """What is known about a page; None where nothing is. `facts` says where each is from and how sure it is."""

    title: str | None = None
    author: str | None = None
    date: str | None = None  # published: YYYY-MM-DD
    modified: str | None = None  # YYYY-MM-DD
    site_name: str | None = None
    language: str | None = None
    description: str | None = None
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()  # the sections of the site that it is in
    image: str | None = None
    canonical: str | None = None  # the URL that the page gives as its own
    publisher: str | None = None
    licence: str | None = None
    favicon: str | None = None
    feeds: tuple[str, ...] = ()  # RSS, Atom and the like that it links to
    paywall: bool | None = None  # whether it says that not everybody may read all of it
    reading_minutes: int | None = None  # as the page says
    kind: str | None = None
    facts: Mapping[str, Fact] = field(default_factory=dict)


def read_metadata(
    page: Page,
    text: str = "",
    labels: Labels | None = None,
    crawled: date | None = None,
    rankers: Rankers | None = None,
) -> Metadata:
    """Read the page's facts.

    `text` is its main text, `labels` say where that starts and what kind of page it is, `crawled` when it was fetched.
    """
    rankers = rankers or load_default_rankers()
    reading = prepare_reading(page, labels, crawled)
    title = rankers.title.best(find_title_candidates(reading))
    reading.headline = find_headline(reading, title.value if title else None)
    latest = find_day_before(crawled or datetime.now(UTC), timedelta(days=-1)) or date.max
    facts = {
        "title": title,
        "author": rankers.author.best(find_author_candidates(reading)),
        "date": rankers.date.best(find_date_candidates(reading, latest)),
        "modified": find_modified(reading.declared),
        "language": find_language(page, text),
        **read_further_facts(reading),
    }
    known = {name: fact for name, given in facts.items() if given and (fact := _tidy(given))}
    listed = read_listed_facts(reading)
    values: dict[str, Any] = {name: each.value for name, each in (known | listed).items()}
    return Metadata(**values, facts=known | {name: said.make_fact() for name, said in listed.items()})


def _tidy(fact: Fact) -> Fact | None:
    """A fact whose value every format can carry; None if nothing is left of it."""
    value = tidy_metadata(fact.value)
    if not value:
        return None
    return fact if value == fact.value else replace(fact, value=value)
