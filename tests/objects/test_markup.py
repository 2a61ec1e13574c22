"""Markup in every syntax is read into the same items."""

from __future__ import annotations

import pytest

import bonmun
from bonmun.metadata import Metadata
from bonmun.metadata.declared import read_declared
from bonmun.objects.find import find_objects
from bonmun.objects.markup.names import find_named_rows
from bonmun.objects.reading import ObjectReading
from bonmun.text.word_finder import WordFinder
from timing import measure

MAX_SECONDS = 8.0  # on a busy machine; each takes less than half a second on an idle one
JSON_LD = """<script type="application/ld+json">{"@context": "https://schema.org", "@graph": [
  {"@type": ["Thing", "Recipe"], "name": "Barley soup", "author": {"@id": "#ann"}},
  {"@type": "Person", "@id": "#ann", "name": "Ann Harbour"}]}</script>"""
MICRODATA = """<div itemscope itemtype="https://schema.org/Recipe" itemref="by"><h1 itemprop="name">Barley <b>soup</b></h1>
  <meta itemprop="prepTime" content="PT5M"></div>
  <p id="by">By <span itemprop="author" itemscope itemtype="https://schema.org/Person"><a itemprop="name" href="/ann">Ann Harbour</a>
  </span></p>"""
RDFA = """<div vocab="https://schema.org/" typeof="Recipe"><h1 property="name">Barley soup</h1>
  <p property="author" typeof="Person"><span property="schema:name">Ann Harbour</span></p></div>"""
MICROFORMATS = """<div class="h-recipe"><h1 class="p-name">Barley soup</h1>
  <a class="p-author h-card" href="/ann"><span class="p-name">Ann Harbour</span></a></div>"""
OLD_MICROFORMATS = """<div class="hrecipe"><h1 class="fn">Barley soup</h1>
  <span class="author vcard"><span class="fn">Ann Harbour</span></span></div>"""


@pytest.mark.parametrize(
    ("name", "html", "source"),
    [
        ("json_ld", JSON_LD, "JSON-LD"),
        ("microdata", MICRODATA, "microdata"),
        ("rdfa", RDFA, "RDFa"),
        ("microformats", MICROFORMATS, "microformats"),
        ("microformats", OLD_MICROFORMATS, "microformats"),
    ],
)
def test_every_syntax_gives_the_same_item(name: str, html: str, source: str) -> None:
    page = bonmun.Page.parse(html)
    reading = ObjectReading(page, read_declared(page), Metadata(), (), "article")
    [recipe] = [item for item in getattr(reading, name) if "recipe" in item.types]
    assert (recipe.source, recipe.text("name"), recipe.text("author")) == (source, "Barley soup", "Ann Harbour")
    assert reading.find_items("recipe") == [recipe]


@pytest.mark.parametrize("html", [JSON_LD, MICRODATA, RDFA, MICROFORMATS, OLD_MICROFORMATS])
def test_a_recipe_without_ingredients_and_steps_is_a_link_to_one(html: str) -> None:
    assert bonmun.extract(html).objects == ()


def read_items(html: str) -> ObjectReading:
    page = bonmun.Page.parse(html)
    return ObjectReading(page, read_declared(page), Metadata(), (), "article")


BROKEN = {
    "trailing comma": '{"@type": "Recipe", "name": "Barley soup",}',
    "comments": '/* soup */ {"@type": "Recipe", // dish\n"name": "Barley soup"}'.replace("// dish\n", "\n// dish\n"),
    "line break": '{"@type": "Recipe", "name": "Barley\nsoup"}',
    "entities": "{&quot;@type&quot;: &quot;Recipe&quot;, &quot;name&quot;: &quot;Barley soup&quot;}",
    "escape": '{"@type": "Recipe", "name": "Barley soup", "description": "don\\\'t"}',
    "two documents": '{"@type": "WebSite", "name": "Soups"} {"@type": "Recipe", "name": "Barley soup"}',
    "semicolon": '{"@type": "Recipe", "name": "Barley soup"};',
    "namespace": '{"@type": "http://schema.org/Recipe", "schema:name": "Barley soup"}',
    "nested lists": '[[{"@type": ["Recipe"], "name": ["Barley soup"]}]]',
    "HTML in a value": '{"@type": "Recipe", "name": "<b>Barley</b> soup"}',
    "same key twice": '{"@type": "Recipe", "name": "Soup", "name": "Barley soup"}',
}


@pytest.mark.parametrize("script", BROKEN.values(), ids=BROKEN.keys())
def test_broken_json_is_read(script: str) -> None:
    [recipe] = read_items(f'<script type="application/ld+json">{script}</script>').find_items("recipe")
    assert recipe.text("name") == "Barley soup"


def test_values_of_elements() -> None:
    html = """<div itemscope itemtype="http://schema.org/Product"><a itemprop="brand" href="/b">Harbour</a>
    <a itemprop="url" href="/kettle">Kettle</a><img itemprop="image" src="/k.jpg"><time itemprop="releaseDate" datetime="2026-01-02">
    2 January</time><data itemprop="sku" value="K-1">Kettle one</data><link itemprop="availability" href="https://schema.org/InStock">
    <span itemprop="price" content="19.95">19,95 €</span></div>"""
    [item] = read_items(html).microdata
    names = ("brand", "url", "image", "releaseDate", "sku", "availability", "price")
    assert [item.text(name) for name in names] == [
        "Harbour", "/kettle", "/k.jpg", "2026-01-02", "K-1", "https://schema.org/InStock", "19.95",
    ]  # fmt: skip


HOSTILE = {
    "nested items": "<div itemscope itemprop=a itemtype=Recipe>" * 20_000,
    "nested properties": "<div itemscope itemtype=Recipe>" + "<b itemprop=name>soup " * 20_000,
    "a loop of references": "<div itemscope itemtype=Recipe id=a itemprop=x itemref=b></div>"
    "<div itemscope itemtype=Recipe id=b itemprop=y itemref='a b'></div>" * 2_000,
    "many types": "<div typeof='" + "Recipe " * 50_000 + "'><p property='" + "name " * 50_000 + "'>soup</p></div>",
    "many classes": "<div class='h-recipe " + "p-name " * 50_000 + "'>soup</div>" + "<p class='h-recipe'>" * 5_000,
    "large JSON": '<script type="application/ld+json">['
    + ",".join(['{"@type": "Recipe", "name": "soup"}'] * 100_000)
    + "]</script>",
    "deep JSON": '<script type="application/ld+json">' + '{"@type": "Recipe", "a": [' * 50_000 + "</script>",
    "many JSON texts": '<script type="application/ld+json">' + '{"@type": "Recipe"} ' * 20_000 + "</script>",
    "many openings": '<script type="application/ld+json">' + "{[" * 100_000 + "</script>",
    "escapes": '<script type="application/ld+json">{"@type": "Recipe", "name": "' + "\\'" * 100_000 + "</script>",
    "references to itself": '<script type="application/ld+json">[{"@id": "#a", "@type": "Recipe", "recipeInstructions": '
    '{"@id": "#b"}}, {"@id": "#b", "@type": "HowToSection", "itemListElement": [{"@id": "#b"}, {"@id": "#a"}]}]</script>',
    "tags in a value": '<script type="application/ld+json">{"@type": "Recipe", "recipeIngredient": ["'
    + "<b" * 100_000
    + '"]}</script>',
    "nested tables": "<h1>Tides</h1>" + "<table><tr><th>Price<td>" * 4_000,
    "many cells": "<h1>Tides</h1><table><tr>" + "<td>Price: 1 £</td><td>When: 1 July 2026</td>" * 20_000 + "</table>",
    "many rows": "<h1>Tides</h1><table>" + "<tr><th>Salary</th><td>1 £</td></tr>" * 20_000 + "</table>",
    "amounts": "<h2>Ingredients</h2><ul>" + "<li>1 cup barley " * 4_000 + "</ul><h2>Method</h2>" + "<p>Boil. " * 4_000,
    "numbers": "<h2>Ingredients</h2><p>" + "1 1/2-" * 50_000 + "</p><h2>Method</h2><p>" + "1 hr " * 50_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("html", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_markup_takes_little_time(html: str) -> None:
    reading = read_items(html)
    seconds, _ = measure(lambda: find_objects(reading))
    assert seconds < MAX_SECONDS


def test_markup_is_read_only_for_types_that_the_page_has(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("read_microdata", "read_rdfa", "read_microformats"):
        monkeypatch.setattr(f"bonmun.objects.reading.{name}", None)
    items = read_items(
        "<div itemscope itemtype=http://schema.org/WebPage><p class=hentry><b typeof=schema:WebSite>x</b>"
    )
    assert items.find_items("recipe", "person") == []


def test_elements_are_found_by_parts_of_their_names() -> None:
    page = bonmun.Page.parse("<p class='x Step-1'>a<p id=stepped>b<p class>c<p data-x=step>d<p class=other id=STEP>e")
    rows = find_named_rows(page, WordFinder(("step", "zutat")))
    assert [page.attr(row, "class") for row in rows] == ["x Step-1", None, "other"]
    assert find_named_rows(page, WordFinder(("ingredient",))) == find_named_rows(page, WordFinder(())) == []
    assert find_named_rows(bonmun.Page.parse(f"<p class='{'x' * 500}step'>a"), WordFinder(("step",)), 300) == []
