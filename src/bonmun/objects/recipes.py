"""Recipes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.objects.records import choose_field, make_object

if TYPE_CHECKING:
    from bonmun.objects.reading import ObjectReading
    from bonmun.objects.records import PageObject

__all__ = ["find_recipes"]


def find_recipes(reading: ObjectReading) -> list[PageObject]:
    """Return the recipes of a page."""
    return [
        make_object("Recipe", {"name": choose_field([(item.text("name", "headline"), item.source)])})
        for item in reading.find_items("recipe")[:1]
    ]
