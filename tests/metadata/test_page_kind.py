"""The kind of a page: network, declared kind and URL."""

from __future__ import annotations

import json
import math

import pytest

import bonmun
from bonmun.algorithms.everything import Everything
from bonmun.metadata import Metadata
from bonmun.metadata.kind_signs import describe_kind, describe_metadata, describe_text
from bonmun.metadata.page_kind import (
    BIAS,
    KINDS,
    WEIGHTS,
    choose_page_kind,
    find_generator_kind,
    find_url_kind,
    predict_page_kind,
)
from bonmun.metadata.ranking import MetadataField
from bonmun.models.features.page_arrays import PAGE_KINDS
from bonmun.page.page_kinds import SOURCE_RATIOS

TEXT = "<p>The old lighthouse at the end of the pier was lit again last night, after thirty dark years.</p>"


def test_the_kinds_match_the_network() -> None:
    assert set(KINDS) == set(PAGE_KINDS) - {"none", "collection"}


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://docs.example.org/start", "documentation"),
        ("https://docs-old.example.org/start", "documentation"),
        ("https://docs-are-us.org/start", None),  # the name of the site
        ("https://example.org/docs/start", "documentation"),
        ("https://example.org/docs", "documentation"),
        ("https://example.org/docs/2014013100525/", None),  # all pages of the site are there
        ("https://example.org/docs/2014/", "documentation"),
        ("https://DEVELOPER.example.org/x", "documentation"),
        ("https://example.org/forum/12", "forum"),
        ("https://example.org/viewtopic.php?t=12", "forum"),
        ("https://example.org/Category/knives/", "listing"),
        ("https://docs.example.org/forum/12", None),  # both
        ("https://example.org/2026/docs-are-good", None),
        ("https://example.docs/page", None),  # the top-level domain is ignored
        ("https://example.org/blog/a-walk-on-the-pier", "article"),
        ("https://example.org/blog/", None),  # the index of a blog
        ("https://example.org/petitions/save-the-pier", "article"),
        ("https://example.org/2026/03/04/the-pier-is-lit", "article"),
        ("https://example.org/2026/03/the-pier-is-lit", "article"),
        ("https://example.org/2026/03/", None),  # an archive
        ("https://example.org/blog/category/piers/", "listing"),  # of a blog
        ("https://shop.example.org/lamps/17", "product"),
        ("https://shop.example.org/blog/lamps", None),  # both
        ("https://example.org/item.htm?id=12", "product"),
        ("https://example.org/978-0-306-40615-7/piers", "product"),  # a book
        ("https://example.org/charts/week", "listing"),
        ("docs", "documentation"),
        ("https://[::1", None),
        ("https://example.org/" + "docs/" * 100_000, "documentation"),
        ("", None),
        (None, None),
    ],
)
def test_kinds_in_urls(url: str | None, kind: str | None) -> None:
    assert find_url_kind(url) == kind


def test_kinds_of_generators() -> None:
    assert find_generator_kind("Docutils 0.19: https://docutils.example") == "documentation"
    assert find_generator_kind("WordPress 6.1") == find_generator_kind("") == ""
    assert find_generator_kind("x" * 1_000_000 + "mkdocs") == ""


def test_evidence_is_weighed() -> None:
    said = {source: MetadataField("article", source, 0.9) for source in ("JSON-LD", "og:type")}
    chances = {"service": 0.7, "article": 0.16}
    assert choose_page_kind(chances, None, None) == "service"
    assert choose_page_kind(chances, said["og:type"], None) == "service"
    assert choose_page_kind(chances, said["JSON-LD"], None) == "article"
    assert choose_page_kind(chances, said["JSON-LD"], "https://example.org/services/roofs") == "service"
    assert choose_page_kind({}, None, None) == "article"
    assert choose_page_kind({"collection": 0.4, "product": 0.45, "listing": 0.15}, None, None) == "listing"
    assert choose_page_kind({"none": 0.9, "listing": 0.09}, None, None) == "listing"
    assert choose_page_kind({"article": 0.9}, MetadataField("none such", "JSON-LD", 0.9), None) == "article"


@pytest.mark.parametrize("method", ["auto", "rules"])
def test_a_manual_page_is_documentation(method: str) -> None:
    page = f"<meta name=generator content='Docutils 0.19'><title>Install</title><h1>Install</h1>{TEXT * 3}"
    doc = bonmun.extract(page, url="https://docs.example.org/install", method=method)
    assert (doc.kind, doc.metadata.fields["kind"].source) == ("documentation", "generator")
    assert bonmun.extract(TEXT, method="rules").kind == "article"


def test_a_page_without_text_is_empty_whatever_its_url() -> None:
    assert bonmun.extract("<title>Docs</title>", url="https://docs.example.org/").kind == "empty"


def test_an_article_is_rarely_a_home_page() -> None:
    chances = {"article": 0.4, "listing": 0.35}
    assert choose_page_kind(chances, None, "https://example.org/lamps") == "article"
    for home in ("https://example.org", "https://example.org/"):
        assert choose_page_kind(chances, None, home) == "listing"
    assert choose_page_kind(chances, None, "https://example.org/?p=12") == "article"


@pytest.mark.parametrize(
    ("markup", "kind"),
    [
        ("<script type=application/ld+json>{'@type': 'Recipe', 'name': 'Soup'}</script>".replace("'", '"'), "article"),
        ("<div itemscope itemtype='https://schema.org/Recipe'>Soup</div>", "article"),
        ("<ul>" + "<li itemprop=recipeIngredient>Salt</li>" * 3 + "</ul>", "article"),
        ("<div itemscope itemtype='http://schema.org/Product'>Lamp</div>", "product"),
        ("<meta property=product:price:amount content=12.50>", "product"),
        ("<div itemscope itemtype='http://schema.org/Hotel'>Inn</div>", "product"),
    ],
)
def test_recipes_are_articles_and_what_has_a_price_is_a_product(markup: str, kind: str) -> None:
    declared = bonmun.extract(f"<title>Soup</title>{markup}{TEXT}", method="rules").metadata.fields["kind"]
    assert declared.value == kind
    other = "product" if kind == "article" else "article"
    assert choose_page_kind({other: 0.8, kind: 0.1}, declared, None) == kind


def test_a_price_on_an_article_does_not_make_it_a_product() -> None:
    markup = '<script type=application/ld+json>{"@type": "NewsArticle", "headline": "Lamps"}</script>'
    page = f"<title>Lamps</title>{markup}<meta property=product:price:amount content=12.50>{TEXT}"
    assert bonmun.extract(page, method="rules").metadata.kind == "article"


def test_the_look_of_the_kept_text_counts() -> None:
    chances = {"article": 0.45, "listing": 0.35, "service": 0.15}
    prose = bonmun.extract(TEXT * 4, method=Everything())
    links = "".join(f"<p><a href=/{number}>Lamp number {number}</a></p>" for number in range(40))
    linked = bonmun.extract(links, method=Everything())
    metadata = Metadata(title="The lighthouse at the pier", date="2026-03-04")
    assert predict_page_kind(chances, metadata, prose.page, prose.blocks) == "article"
    assert predict_page_kind(chances, metadata, linked.page, linked.blocks) == "listing"


def test_an_author_and_a_date_make_an_article_more_likely() -> None:
    chances = {"article": 0.15, "documentation": 0.8}
    doc = bonmun.extract(TEXT * 4, method=Everything())
    named = Metadata(title="The lighthouse at the pier", authors=("Ada Moss",), date="2026-03-04")
    bare = Metadata(title="The lighthouse at the pier")
    assert predict_page_kind(chances, named, doc.page, doc.blocks) == "article"
    assert predict_page_kind(chances, bare, doc.page, doc.blocks) == "documentation"


def test_signs_of_kept_text() -> None:
    doc = bonmun.extract(f"<h2>Lamps</h2><p>$ 12.50</p>{TEXT}<p><a href=/more>More</a></p>", method=Everything())
    signs = describe_text(doc.page, doc.blocks)
    assert signs["prices"] == signs["heading blocks"] == signs["linked blocks"] == pytest.approx(math.log(2))
    assert signs["share of linked blocks"] == 0.25


def test_signs_of_metadata() -> None:
    signs = describe_metadata(Metadata(title="Who lit the pier?", authors=("Ada Moss",), date="2026-03-04"))
    assert signs["author"] == signs["date"] == signs["author and date"] == signs["title: question"] == 1
    assert describe_metadata(Metadata(title="灯台は誰の？"))["title: question"] == 1
    assert describe_metadata(Metadata(title="Top 40"))["title: number"] == 1
    assert set(describe_metadata(Metadata()).values()) == {0}


def test_weights_are_those_of_known_signs() -> None:
    weights = json.loads(WEIGHTS.read_text())
    doc = bonmun.extract(TEXT, method=Everything())
    known = {*describe_kind({}, Metadata(), doc.page, doc.blocks), BIAS}
    assert known <= set(weights)
    assert {name.partition(": ")[0] for name in set(weights) - known} == {"URL", *SOURCE_RATIOS}
    assert {len(row) for row in weights.values()} == {len(KINDS)}
