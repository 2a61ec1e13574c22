"""Title, author, date and the like: candidates for each are found and weighed, and every fact has its source.

Page ─declared→ Declared ─titles, authors, dates→ candidates ─ranking→ facts
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from bonmun.bounds import FACT_CHARS
from bonmun.metadata.ago import find_day_before
from bonmun.metadata.authors import find_author_candidates
from bonmun.metadata.dates import find_date_candidates, find_modified
from bonmun.metadata.declared import PAGE_KIND_OF_TYPE, clean_url, clean_value, find_page_kind, read_names, read_type
from bonmun.metadata.headline import guess_title
from bonmun.metadata.language import find_language
from bonmun.metadata.ranking import DECLARED_CONFIDENCE, Fact, load_default_rankers
from bonmun.metadata.reading import prepare_reading
from bonmun.metadata.titles import find_headline, find_title_candidates
from bonmun.text.readable import tidy_fact
from bonmun.text.urls import find_scheme, read_url

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bonmun.labels import Labels
    from bonmun.metadata.declared import Declared
    from bonmun.metadata.ranking import Rankers
    from bonmun.page import Page

__all__ = ["Fact", "Metadata", "guess_title", "read_metadata"]

MOST_TAGS = 30
SCRIPT_SCHEMES = frozenset({"javascript", "vbscript", "livescript", "data"})  # which browsers run, also after a blank


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
    canonical: str | None = None  # the URL that the page gives as its own
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
        "site_name": _find_site_name(reading.declared),
        "language": find_language(page, text),
        **_read_declared_facts(page, reading.declared),
    }
    known = {name: fact for name, given in facts.items() if given and (fact := _tidy(given))}
    values: dict[str, Any] = {name: fact.value for name, fact in known.items()}
    return Metadata(**values, tags=_read_tags(reading.declared), facts=known)


def _tidy(fact: Fact) -> Fact | None:
    """A fact whose value every format can carry; None if nothing is left of it."""
    value = tidy_fact(fact.value)
    return replace(fact, value=value) if value else None


def _find_site_name(declared: Declared) -> Fact | None:
    websites = (thing for thing in declared.things if read_type(thing) == "website")
    return _take_first(
        ("og:site_name", declared.meta("og:site_name")),
        ("JSON-LD", ", ".join(read_names(declared.main.get("publisher"), declared)[:1])),
        *(("JSON-LD", clean_value(thing.get("name"))) for thing in websites),
        ("application-name", declared.meta("application-name")),
    )


def _read_declared_facts(page: Page, declared: Declared) -> dict[str, Fact | None]:
    """The facts that only metas, links and JSON-LD say: each from the first place that says something."""
    meta, metas, links, main = declared.meta, declared.metas, declared.links, declared.main
    return {
        "description": _take_first(
            ("og:description", meta("og:description")),
            ("description", meta("description")),
            ("JSON-LD", clean_value(main.get("description"))),
        ),
        "image": _take_first_url(
            page,
            ("og:image", clean_url(metas.get("og:image"))),
            ("JSON-LD", _read_image(main.get("image"))),
        ),
        "canonical": _take_first_url(
            page, ("canonical", links.get("canonical", "")), ("og:url", clean_url(metas.get("og:url")))
        ),
        "licence": _take_first(
            ("license", _read_url(page, links.get("license", ""))),
            ("JSON-LD", _read_licence(page, main.get("license"))),
            ("dc.rights", _read_licence(page, metas.get("dc.rights"))),
        ),
        "kind": _take_first(
            *(("JSON-LD", find_page_kind(thing) or "") for thing in declared.things),
            ("og:type", PAGE_KIND_OF_TYPE.get(meta("og:type").lower(), "")),
        ),
    }


def _take_first(*values: tuple[str, str]) -> Fact | None:
    """The first value that says something; each comes after its source."""
    return next((Fact(value, source, DECLARED_CONFIDENCE) for source, value in values if value), None)


def _take_first_url(page: Page, *values: tuple[str, str]) -> Fact | None:
    """The first address that is safe, made absolute."""
    return _take_first(*((source, _read_url(page, value)) for source, value in values))


def _read_url(page: Page, value: str) -> str:
    """An address made absolute; nothing if it is not safe, or longer than any fact is."""
    url = read_url(value, page.url or "") or ""
    return url if len(url) <= FACT_CHARS else ""


def _read_licence(page: Page, value: object) -> str:
    """A licence by its address, or in words, which may have a colon: "Licence: CC BY"."""
    words = clean_value(value)
    scheme = find_scheme(words)
    if scheme is None or (scheme not in SCRIPT_SCHEMES and words.startswith(": ", len(scheme))):
        return words
    return _read_url(page, clean_url(value))


def _read_image(value: object) -> str:
    """The URL of a JSON-LD image: a string, an object with a URL, or the first of a list of those."""
    while isinstance(value, list):
        value = value[0] if value else ""
    return clean_url(value.get("url") if isinstance(value, dict) else value)


def _read_tags(declared: Declared) -> tuple[str, ...]:
    """Keywords, as the page declares them."""
    value = declared.main.get("keywords")
    values = (
        [clean_value(each) for each in value[:MOST_TAGS]] if isinstance(value, list) else clean_value(value).split(",")
    )
    values += (declared.meta("news_keywords") or declared.meta("keywords")).split(",")
    values.append(declared.meta("article:tag"))
    return tuple(dict.fromkeys(tag.strip() for tag in values if tag.strip()))[:MOST_TAGS]
