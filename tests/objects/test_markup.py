"""Markup in every syntax is read into the same items."""

from __future__ import annotations

import pytest

import bonmun
from bonmun.metadata import Metadata
from bonmun.metadata.declared import read_declared
from bonmun.objects.reading import ObjectReading

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
