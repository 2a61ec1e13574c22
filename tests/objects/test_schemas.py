"""What is found has the declared fields, and the reference lists them."""

from __future__ import annotations

import json
from typing import Any

import pytest

import bonmun
from bonmun.objects.schemas import OBJECT_TYPES, make_schema
from bonmun.outputs.chunks.json_lines import write_chunks
from samples import ROOT
from scripts.make.objects_reference import write_reference

RECIPE = """<html><head><title>Barley soup</title><script type="application/ld+json">{"@type": "Recipe", "name": "Barley soup",
"author": "Ann Harbour", "recipeIngredient": ["2 cups barley", "1 l stock"], "recipeInstructions": "Boil.\\nServe.",
"prepTime": "PT5M", "nutrition": {"@type": "NutritionInformation", "calories": "120 kcal"}, "image": "/soup.jpg",
"aggregateRating": {"@type": "AggregateRating", "ratingValue": "4,5", "ratingCount": "1,200"}, "recipeYield": 4}
</script></head><body><h1>Barley soup</h1><p>My grandmother cooked this soup every winter, for all of us.</p>
<ul><li>2 cups barley</li><li>1 l stock</li></ul><p>Boil.</p><p>Serve.</p></body></html>"""
NAMES: dict[str, Any] = {"object": dict, "array": list, "string": str, "number": (int, float)}


def check_value(value: Any, schema: dict[str, Any], place: str = "") -> None:
    """Raise an error if a value does not fit a schema; only what the schemas of objects use."""
    if "const" in schema:
        assert value == schema["const"], place
    if "type" in schema:
        assert isinstance(value, NAMES[schema["type"]]), place
    if isinstance(value, dict):
        known = schema.get("properties", {})
        assert set(schema.get("required", ())) <= set(value), place
        assert schema.get("additionalProperties") is not False or set(value) <= set(known), place
        for name, each in value.items():
            check_value(each, known.get(name, {}), f"{place}/{name}")
    elif isinstance(value, list):
        for number, each in enumerate(value):
            check_value(each, schema.get("items", {}), f"{place}/{number}")


def test_objects_fit_their_schemas() -> None:
    [recipe] = bonmun.extract(RECIPE).objects
    check_value(recipe.to_dict(), make_schema("Recipe"))
    assert recipe.values["aggregateRating"] == {"ratingValue": 4.5, "ratingCount": 1200}
    assert recipe.values["nutrition"] == {"calories": "120 kcal"}
    assert recipe.values["recipeYield"] == "4"
    assert next(iter(recipe.fields)) == "name"


THINGS: dict[str, dict[str, Any]] = {
    "Product": {"name": "T", "offers": {"price": "3.50", "priceCurrency": "EUR"}},
    "ScholarlyArticle": {"headline": "T", "author": {"name": "Ann", "affiliation": "Port"}, "keywords": "a, b"},
    "Event": {"name": "T", "startDate": "2026-01-02", "location": {"name": "Pier"}, "performer": "Ann"},
    "JobPosting": {"title": "T", "baseSalary": {"currency": "EUR", "value": {"value": 10}}, "employmentType": "FULL"},
    "VideoObject": {"name": "T", "duration": "PT4M", "description": "0:00 a\n1:00 b\n2:00 c"},
    "PodcastEpisode": {"name": "T", "duration": "PT4M"},
    "Organization": {"name": "T", "openingHours": "Mo 9-17", "sameAs": ["https://a.example"]},
    "Place": {"name": "T", "address": {"streetAddress": "Quay 1"}},
    "Person": {"name": "T", "jobTitle": "Pilot"},
}


@pytest.mark.parametrize("type_", THINGS)
def test_marked_objects_fit_their_schemas(type_: str) -> None:
    thing = json.dumps({"@type": type_, **THINGS[type_]}).replace('"T"', '"Tide tables of the harbour"')
    html = """<meta property="og:image" content="/a.jpg"><title>Tide tables of the harbour</title>
    <h1>Tide tables of the harbour</h1><p>Text of the page.</p>"""
    objects = bonmun.extract(f"<script type='application/ld+json'>{thing}</script>{html}").objects
    [found] = [each for each in objects if each.type == type_]
    check_value(found.to_dict(), make_schema(type_))
    assert len(found.fields) > 1


def test_a_wrong_field_would_be_found() -> None:
    with pytest.raises(AssertionError):
        check_value({"type": "Recipe", "fields": {"colour": {}}}, make_schema("Recipe"))


def test_the_reference_is_up_to_date() -> None:
    page = (ROOT / "docs" / "reference" / "objects.md").read_text(encoding="utf-8")
    assert page == write_reference(), "run python -m scripts.make.objects_reference"
    assert all(f"## {name}" in page for name in OBJECT_TYPES)


def test_json_has_objects_if_they_are_asked_for() -> None:
    assert "objects" not in bonmun.extract(RECIPE).to_dict()
    doc = bonmun.extract(RECIPE, options=bonmun.Options(objects=True))
    assert doc.to_dict()["objects"] == [each.to_dict() for each in doc.objects]
    assert '"objects": [{"type": "Recipe"' in doc.render("json")


def test_chunks_name_the_objects_if_they_are_asked_for() -> None:
    doc = bonmun.extract(RECIPE, options=bonmun.Options(objects=True))
    assert '"objects": [{"type": "Recipe", "name": "Barley soup"}]' in write_chunks(doc, doc.chunks())
    plain = bonmun.extract(RECIPE)
    assert '"objects"' not in write_chunks(plain, plain.chunks())
    assert "objects" not in vars(plain)  # nothing was computed
