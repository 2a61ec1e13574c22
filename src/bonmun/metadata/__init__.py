"""Title, author, date and the like: candidates for each are found and weighed, and every fact has its source.

Page ─declared→ Declared ─titles, authors, dates→ candidates ─ranking→ facts
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from bonmun.metadata.authors import author_candidates
from bonmun.metadata.dates import date_candidates, modified
from bonmun.metadata.declared import KIND_OF_TYPE, declared_by, kind_of, names_in, said, type_of
from bonmun.metadata.headline import page_title
from bonmun.metadata.language import language_of
from bonmun.metadata.ranking import Fact, best
from bonmun.metadata.titles import plain, site_names, title_candidates, title_row

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bonmun.labels import Labels
    from bonmun.metadata.declared import Declared
    from bonmun.page import Page

__all__ = ["Fact", "Metadata", "first_row", "kinds_of", "page_title", "read_metadata"]

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


def read_metadata(page: Page, text: str = "", labels: Labels | None = None) -> Metadata:
    """Read the page's facts; `text` is its main text, `labels` say where that starts and what kind of page it is."""
    declared = declared_by(page)
    metas, main = declared.metas, declared.main
    kinds = kinds_of(declared, labels)
    first = first_row(page, labels)
    sites = {plain(name) for name in site_names(declared)} - {""}
    title = best("title", title_candidates(page, declared, first, kinds, sites))
    row = title_row(page, title.value if title else None)
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)
    facts: dict[str, Fact | None] = {
        "title": title,
        "author": best("author", author_candidates(page, declared, first, row, kinds, sites)),
        "date": best("date", date_candidates(page, declared, first, row, kinds, tomorrow)),
        "modified": modified(declared),
        "site_name": _one(
            ("og:site_name", metas.get("og:site_name", "")),
            ("JSON-LD", ", ".join(names_in(main.get("publisher"), declared)[:1])),
            *(("JSON-LD", said(thing.get("name"))) for thing in declared.things if type_of(thing) == "website"),
            ("application-name", metas.get("application-name", "")),
        ),
        "language": language_of(page, text),
        "description": _one(
            ("og:description", metas.get("og:description", "")),
            ("description", metas.get("description", "")),
            ("JSON-LD", said(main.get("description"))),
        ),
        "image": _address(page, ("og:image", metas.get("og:image", "")), ("JSON-LD", _image(main.get("image")))),
        "canonical": _address(
            page, ("canonical", declared.links.get("canonical", "")), ("og:url", metas.get("og:url", ""))
        ),
        "licence": _one(
            ("license", declared.links.get("license", "")),
            ("JSON-LD", said(main.get("license"))),
            ("dc.rights", metas.get("dc.rights", "")),
        ),
        "kind": _one(
            *(("JSON-LD", kind_of(thing) or "") for thing in declared.things),
            ("og:type", KIND_OF_TYPE.get(metas.get("og:type", "").lower(), "")),
        ),
    }
    known = {name: fact for name, fact in facts.items() if fact}
    values: dict[str, Any] = {name: fact.value for name, fact in known.items()}
    return Metadata(**values, tags=_tags(declared), facts=known)


def kinds_of(declared: Declared, labels: Labels | None) -> dict[str, float]:
    """How likely the page is of each kind: as the method says, else as the page does."""
    found = {each.kind: each.chance for each in (labels.evidence if labels else ()) or () if hasattr(each, "chance")}
    if found:
        return found
    kind = (labels.kind if labels else None) or kind_of(declared.main)
    kind = kind or KIND_OF_TYPE.get(declared.metas.get("og:type", "").lower())
    return {kind: 0.9} if kind else {"article": 0.5}


def first_row(page: Page, labels: Labels | None) -> int | None:
    """The row of the first kept block."""
    if labels is None:
        return None
    row = next((row for row, kept in enumerate(labels.kept) if kept), None)
    if row is None or labels.unit == "block":
        return row
    return next((number - 1 for number, start in enumerate(page.starts) if start > row), len(page.starts) - 1)


def _one(*values: tuple[str, str]) -> Fact | None:
    """The first value that says something."""
    return next((Fact(value, source, DECLARED) for source, value in values if value), None)


def _address(page: Page, *values: tuple[str, str]) -> Fact | None:
    """The first address, made absolute."""
    for source, value in values:
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
    values += declared.metas.get("news_keywords", declared.metas.get("keywords", "")).split(",")
    values.append(declared.metas.get("article:tag", ""))
    return tuple(dict.fromkeys(tag.strip() for tag in values if tag.strip()))[:MANY_TAGS]
