"""The fields of each type of object, as JSON Schemas. The names are those of schema.org."""

from __future__ import annotations

from typing import Any

__all__ = ["OBJECT_FIELDS", "OBJECT_TYPES", "make_schema"]

TEXT = {"type": "string"}
NUMBER = {"type": "number"}
TEXTS = {"type": "array", "items": TEXT}
DURATION = {"type": "string", "format": "duration"}
URL = {"type": "string", "format": "uri-reference"}
RATING_FIELDS = dict.fromkeys(("ratingValue", "bestRating", "ratingCount", "reviewCount"), NUMBER)
RATING = {"type": "object", "properties": RATING_FIELDS}


def _list(**fields: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a list of objects."""
    return {"type": "array", "items": {"type": "object", "properties": fields}}


# By type and field: its schema, and what it is.
OBJECT_FIELDS: dict[str, dict[str, tuple[dict[str, Any], str]]] = {
    "Recipe": {
        "name": (TEXT, "Name of the dish."),
        "description": (TEXT, "Summary."),
        "author": (TEXTS, "Names of the authors."),
        "recipeYield": (TEXT, 'How much it makes, such as "4 servings".'),
        "prepTime": (DURATION, "Time of preparation, in ISO 8601."),
        "cookTime": (DURATION, "Time of cooking."),
        "totalTime": (DURATION, "Time in all."),
        "recipeIngredient": (
            _list(text=TEXT, amount=TEXT, unit=TEXT, item=TEXT),
            "Lines of the ingredients, with amount, unit and item where these are found.",
        ),
        "recipeInstructions": (
            _list(text=TEXT, name=TEXT, section=TEXT),
            "Steps, with their names and the section that they belong to.",
        ),
        "nutrition": ({"type": "object", "additionalProperties": TEXT}, "Nutrients by name, as the page writes them."),
        "aggregateRating": (RATING, "Rating by readers."),
        "recipeCategory": (TEXTS, "Kinds of dish."),
        "recipeCuisine": (TEXTS, "Cuisines."),
        "image": (URL, "Address of the image."),
    },
    "Product": {
        "name": (TEXT, "Name."),
        "brand": (TEXT, "Brand."),
        "price": (TEXT, 'Price as a decimal number, such as "19.95".'),
        "priceCurrency": (TEXT, "Currency, as an ISO 4217 code."),
        "availability": (TEXT, 'Availability, such as "InStock" or "OutOfStock".'),
        "sku": (TEXT, "Number of the shop."),
        "gtin": (TEXT, "International number: EAN, UPC or ISBN."),
        "mpn": (TEXT, "Number of the maker."),
        "itemCondition": (TEXT, 'Condition, such as "NewCondition".'),
        "aggregateRating": (RATING, "Rating by buyers."),
        "review": (_list(author=TEXT, date=TEXT, rating=NUMBER, name=TEXT, text=TEXT), "Reviews."),
        "additionalProperty": (_list(name=TEXT, value=TEXT), "Specifications."),
        "hasVariant": (
            _list(name=TEXT, sku=TEXT, color=TEXT, size=TEXT, price=TEXT, priceCurrency=TEXT),
            "Variants, such as sizes and colours.",
        ),
        "image": (TEXTS, "Addresses of the images."),
        "description": (TEXT, "Description."),
    },
}
OBJECT_TYPES = tuple(OBJECT_FIELDS)


def make_schema(type_: str) -> dict[str, Any]:
    """Return the JSON Schema of a type of object, as `PageObject.to_dict` writes it."""
    fields = {
        name: {
            "description": about,
            "type": "object",
            "properties": {
                "value": schema,
                "source": TEXT,
                "confidence": {"type": "number", "minimum": 0, "maximum": 1},
                "others": {"type": "array", "items": {"type": "object", "properties": {"source": TEXT}}},
            },
            "required": ["value", "source", "confidence"],
        }
        for name, (schema, about) in OBJECT_FIELDS[type_].items()
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": type_,
        "type": "object",
        "properties": {
            "type": {"const": type_},
            "fields": {"type": "object", "properties": fields, "additionalProperties": False},
        },
        "required": ["type", "fields"],
    }
