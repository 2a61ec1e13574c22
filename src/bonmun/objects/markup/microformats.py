"""Items of microformats: microformats2 (`h-recipe`, `p-name` …) and their predecessors (`hrecipe`, `fn` …)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bonmun.objects.markup.attributes import read_value
from bonmun.objects.markup.elements import MAX_MARKED, MarkedElement, collect_items
from bonmun.text.word_finder import WordFinder

if TYPE_CHECKING:
    from bonmun.objects.markup.items import Item
    from bonmun.page import Page

__all__ = ["list_microformats", "read_microformats"]

# Type of each root class at schema.org.
ROOTS = {
    "h-recipe": "recipe",
    "h-product": "product",
    "h-event": "event",
    "h-entry": "blogposting",
    "h-review": "review",
    "h-card": "person",
    "hrecipe": "recipe",
    "hproduct": "product",
    "vevent": "event",
    "hentry": "blogposting",
    "hreview": "review",
    "hreview-aggregate": "aggregaterating",
    "vcard": "person",
    "hlisting": "offer",
}
ROOT_FINDER = WordFinder(tuple(ROOTS))
# Property at schema.org of each class. The names of microformats2 come after "p-", "u-", "dt-" or "e-".
PREFIXES = ("p-", "u-", "dt-", "e-")
NAMES = {
    "name": "name",
    "summary": "description",
    "description": "description",
    "content": "articleBody",
    "photo": "image",
    "featured": "image",
    "url": "url",
    "author": "author",
    "published": "datePublished",
    "updated": "dateModified",
    "category": "keywords",
    "ingredient": "recipeIngredient",
    "yield": "recipeYield",
    "instructions": "recipeInstructions",
    "duration": "totalTime",
    "nutrition": "nutrition",
    "brand": "brand",
    "price": "price",
    "identifier": "identifier",
    "rating": "ratingValue",
    "best": "bestRating",
    "count": "reviewCount",
    "votes": "ratingCount",
    "review": "review",
    "start": "startDate",
    "end": "endDate",
    "location": "location",
    "organizer": "organizer",
    "street-address": "streetAddress",
    "locality": "addressLocality",
    "region": "addressRegion",
    "postal-code": "postalCode",
    "country-name": "addressCountry",
    "adr": "address",
    "tel": "telephone",
    "email": "email",
    "org": "worksFor",
    "job-title": "jobTitle",
    "like-of": "url",
}
# Classes of the predecessors. Their words are common, so they count only within one of the old roots.
OLD_NAMES = NAMES | {
    "fn": "name",
    "preptime": "prepTime",
    "cooktime": "cookTime",
    "totaltime": "totalTime",
    "dtstart": "startDate",
    "dtend": "endDate",
    "dtreviewed": "datePublished",
    "reviewer": "author",
    "average": "ratingValue",
    "entry-title": "name",
    "entry-content": "articleBody",
}


def read_microformats(page: Page) -> list[Item]:
    """Return the items of microformats, in document order, with the names of schema.org."""
    if not list_microformats(page):
        return []
    known = {value: _read_classes(value) for value in page.class_values}
    marked: dict[int, MarkedElement] = {}
    for row, value in enumerate(page.classes):
        types, names = known[value] if value else (None, [])
        if types or names:
            marked[row] = MarkedElement(names, types, partial(read_value, row=row, names=names))
            if len(marked) >= MAX_MARKED:
                break
    return collect_items(page, marked, "microformats")


def list_microformats(page: Page) -> set[str]:
    """Return the types of the items of microformats, at schema.org; most pages have none."""
    if not ROOT_FINDER.holds(page.class_lines):
        return set()
    return {ROOTS[name] for name in ROOTS.keys() & page.class_lines.split()}


def _read_classes(value: str) -> tuple[frozenset[str] | None, list[str]]:
    """Return the types of an element with these classes, or None, and the properties that it is the value of."""
    classes = value.split()
    return frozenset(ROOTS[name] for name in classes if name in ROOTS) or None, _find_names(classes)


def _find_names(classes: list[str]) -> list[str]:
    """Return the properties that some classes stand for."""
    found = []
    for name in classes:
        if name.startswith(PREFIXES):
            found.append(NAMES.get(name.partition("-")[2], ""))
        else:
            found.append(OLD_NAMES.get(name.lower(), ""))
    return [name for name in dict.fromkeys(found) if name]
