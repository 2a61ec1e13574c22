"""Title, author, date and the like: candidates for each are found and weighed, and every fact has its source.

Page ─declared→ Declared ─titles, authors, dates→ candidates ─ranking→ facts
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from bonmun.metadata.ago import day_of
from bonmun.metadata.authors import author_candidates
from bonmun.metadata.dates import date_candidates, modified
from bonmun.metadata.declared import KIND_OF_TYPE, kind_of, names_in, said, type_of
from bonmun.metadata.headline import page_title
from bonmun.metadata.language import language_of
from bonmun.metadata.ranking import Fact, default_rankers
from bonmun.metadata.reading import reading_of
from bonmun.metadata.titles import headline_of, title_candidates

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from bonmun.labels import Labels
    from bonmun.metadata.declared import Declared
    from bonmun.metadata.ranking import Rankers
    from bonmun.page import Page

__all__ = ["Fact", "Metadata", "page_title", "read_metadata"]

DECLARED = 0.9  # how sure what a page declares in one place is
MANY_TAGS = 30


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
    image: str | None = None
    canonical: str | None = None  # the address that the page gives as its own
    licence: str | None = None
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
    rankers = rankers or default_rankers()
    reading = reading_of(page, labels, crawled)
    declared, main = reading.declared, reading.declared.main
    title = rankers.title.best(title_candidates(reading))
    reading.headline = headline_of(reading, title.value if title else None)
    latest = (day_of(crawled) if crawled else datetime.now(UTC).date()) + timedelta(days=1)
    facts: dict[str, Fact | None] = {
        "title": title,
        "author": rankers.author.best(author_candidates(reading)),
        "date": rankers.date.best(date_candidates(reading, latest)),
        "modified": modified(declared),
        "site_name": _one(
            ("og:site_name", declared.meta("og:site_name")),
            ("JSON-LD", ", ".join(names_in(main.get("publisher"), declared)[:1])),
            *(("JSON-LD", said(thing.get("name"))) for thing in declared.things if type_of(thing) == "website"),
            ("application-name", declared.meta("application-name")),
        ),
        "language": language_of(page, text),
        "description": _one(
            ("og:description", declared.meta("og:description")),
            ("description", declared.meta("description")),
            ("JSON-LD", said(main.get("description"))),
        ),
        "image": _address(page, ("og:image", declared.meta("og:image")), ("JSON-LD", _image(main.get("image")))),
        "canonical": _address(
            page, ("canonical", declared.links.get("canonical", "")), ("og:url", declared.meta("og:url"))
        ),
        "licence": _one(
            ("license", declared.links.get("license", "")),
            ("JSON-LD", said(main.get("license"))),
            ("dc.rights", declared.meta("dc.rights")),
        ),
        "kind": _one(
            *(("JSON-LD", kind_of(thing) or "") for thing in declared.things),
            ("og:type", KIND_OF_TYPE.get(declared.meta("og:type").lower(), "")),
        ),
    }
    known = {name: fact for name, fact in facts.items() if fact}
    values: dict[str, Any] = {name: fact.value for name, fact in known.items()}
    return Metadata(**values, tags=_tags(declared), facts=known)


def _one(*values: tuple[str, str]) -> Fact | None:
    """The first value that says something."""
    return next((Fact(value, source, DECLARED) for source, value in values if value), None)


def _address(page: Page, *values: tuple[str, str]) -> Fact | None:
    """The first address, made absolute."""
    for source, value in values:
        if value.startswith(("https://", "http://")):
            return Fact(value, source, DECLARED)
        if value and not value.startswith(("data:", "javascript:")):
            try:
                return Fact(urljoin(page.url or "", value), source, DECLARED)
            except ValueError:
                continue
    return None


def _image(value: object) -> str:
    while isinstance(value, list):
        value = value[0] if value else ""
    return said(value.get("url")) if isinstance(value, dict) else said(value)


def _tags(declared: Declared) -> tuple[str, ...]:
    """Keywords, as the page declares them."""
    value = declared.main.get("keywords")
    values = [said(each) for each in value[:MANY_TAGS]] if isinstance(value, list) else said(value).split(",")
    values += (declared.meta("news_keywords") or declared.meta("keywords")).split(",")
    values.append(declared.meta("article:tag"))
    return tuple(dict.fromkeys(tag.strip() for tag in values if tag.strip()))[:MANY_TAGS]
