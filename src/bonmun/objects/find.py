"""Find the objects of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.objects.lists.find import find_lists
from bonmun.objects.marked import find_marked_objects
from bonmun.objects.papers import find_papers
from bonmun.objects.postings.find import find_postings
from bonmun.objects.products.find import find_products
from bonmun.objects.recipes.find import find_recipes

if TYPE_CHECKING:
    from bonmun.objects.reading import ObjectReading
    from bonmun.objects.records import PageObject

__all__ = ["find_objects"]

# One for each type, in the order of the result.
FINDERS = (find_recipes, find_products, find_papers, find_marked_objects, find_lists)


def find_objects(reading: ObjectReading) -> tuple[PageObject, ...]:
    """Return the objects that a page is about."""
    found = [each for find in FINDERS for each in find(reading)]
    return (*found, *find_postings(reading, {each.type for each in found}))
