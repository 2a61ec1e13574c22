"""Find the recipe of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bonmun.metadata.scans import fold_text
from bonmun.objects.recipes.markup import (
    read_ingredients,
    read_nutrition,
    read_rating,
    read_steps,
    read_time,
    read_yield,
)
from bonmun.objects.recipes.quantities import rate_amount, split_quantity
from bonmun.objects.recipes.visible import find_visible_recipe
from bonmun.objects.records import PAGE, choose_field, make_object

if TYPE_CHECKING:
    from bonmun.objects.markup.items import Item
    from bonmun.objects.reading import ObjectReading
    from bonmun.objects.records import ObjectField, PageObject

__all__ = ["find_recipes"]

TIMES = {
    "prepTime": ("prepTime", "preptime"),
    "cookTime": ("cookTime", "cooktime"),
    "totalTime": ("totalTime", "totaltime", "duration"),
}
MIN_SHOWN = 0.5  # share of the marked-up ingredients that the page shows; the page is read if it shows fewer
MIN_AMOUNTS = 0.4  # share of the marked-up ingredients with an amount; the page is read if fewer have one
FACT_CONFIDENCE = 0.7  # yields and times that are read from the page


def find_recipes(reading: ObjectReading) -> list[PageObject]:
    """Return the recipe of a page, as a list of one, or an empty list."""
    item = _choose_item(reading.find_items("recipe"))
    marked = _read_markup(item) if item else {}
    lines = [each["text"] for each in marked.get("recipeIngredient", ())]
    is_seen = _is_shown(reading, lines)
    has_amounts = _count_amounts(lines) >= MIN_AMOUNTS * len(lines)
    visible = None
    if not (is_seen and has_amounts and len(lines) > 1 and marked["recipeInstructions"]):
        visible = find_visible_recipe(reading.page)
    if visible is None and not any(marked.get(name) for name in ("recipeIngredient", "recipeInstructions")):
        return []
    source = item.source if item else ""
    found: dict[str, list[tuple[Any, str] | tuple[Any, str, float]]] = {}
    for name, value in marked.items():
        found[name] = [(value, source)]
    if visible:
        shown = [make_ingredient(line) for line in visible.ingredients]
        # what the reader sees wins, where it says more than the markup
        wins = len(lines) < 2 or not is_seen or _count_amounts(visible.ingredients) > _count_amounts(lines)
        _add(found, "recipeIngredient", shown, visible.confidence, first=wins)
        _add(found, "recipeInstructions", visible.steps, visible.confidence)
        for name, value in visible.facts.items():
            _add(found, name, value, FACT_CONFIDENCE)
    fields = {name: choose_field(each) for name, each in found.items()}
    for name, known in (("name", "title"), ("author", "author")):
        fields[name] = fields.get(name) or _use_metadata(reading, known)
    return [make_object("Recipe", fields)]


def _choose_item(items: list[Item]) -> Item | None:
    """Return the first item with most of what makes a recipe."""
    if len(items) < 2:
        return next(iter(items), None)
    return max(items, key=lambda item: bool(read_ingredients(item)) + bool(read_steps(item)), default=None)


def _read_markup(item: Item) -> dict[str, Any]:
    """Return the fields of a recipe that is marked up; those that are missing are empty."""
    return {
        "name": item.text("name", "headline"),
        "description": item.text("description"),
        "author": item.texts("author", "creator"),
        "recipeYield": read_yield(item),
        **{name: read_time(item, *names) for name, names in TIMES.items()},
        "recipeIngredient": [make_ingredient(line) for line in read_ingredients(item)],
        "recipeInstructions": read_steps(item),
        "nutrition": read_nutrition(item),
        "aggregateRating": read_rating(item),
        "recipeCategory": item.texts("recipeCategory"),
        "recipeCuisine": item.texts("recipeCuisine"),
        "image": item.text("image", "photo"),
    }


def make_ingredient(line: str) -> dict[str, str]:
    """Return a line with its amount, unit and item, where it has them."""
    parts = split_quantity(line)._asdict()
    return {"text": line, **{name: part for name, part in parts.items() if part}}


def _count_amounts(lines: list[str]) -> int:
    return sum(rate_amount(line) > 0 for line in lines)


def _is_shown(reading: ObjectReading, lines: list[str]) -> bool:
    """Whether the page shows most of some lines."""
    if not lines:
        return False
    shown = fold_text("".join(reading.page.block_texts))
    return sum(fold_text(split_quantity(line).item) in shown for line in lines) >= MIN_SHOWN * len(lines)


def _add(
    found: dict[str, list[tuple[Any, str] | tuple[Any, str, float]]],
    name: str,
    value: Any,
    confidence: float,
    *,
    first: bool = False,
) -> None:
    """Add a value of the visible page, before or after those of the markup."""
    found.setdefault(name, []).insert(0 if first else len(found[name]), (value, PAGE, confidence))


def _use_metadata(reading: ObjectReading, name: str) -> ObjectField | None:
    """Return the title or the authors of the page."""
    known = reading.metadata.fields.get(name)
    if known is None:
        return None
    value = list(reading.metadata.authors) if name == "author" else known.value
    return choose_field([(value, known.source, known.confidence)])
