"""Fields of a recipe that is marked up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bonmun.objects.durations import read_duration
from bonmun.objects.markup.items import Item, clean_lines, clean_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.objects.markup.items import ItemValue

__all__ = ["read_ingredients", "read_nutrition", "read_rating", "read_steps", "read_time", "read_yield"]

MAX_LINES = 500  # ingredients or steps
MAX_LEVELS = 6  # sections within sections
STEP_PROPERTIES = ("recipeInstructions", "instructions", "instruction", "recipeinstructions", "step", "steps")
INGREDIENT_PROPERTIES = ("recipeIngredient", "ingredients", "ingredient", "recipeingredient", "recipeIngredients")
NUTRIENTS = (
    "servingSize calories fatContent saturatedFatContent unsaturatedFatContent transFatContent carbohydrateContent "
    "sugarContent fiberContent proteinContent sodiumContent cholesterolContent"
).split()


def read_ingredients(item: Item) -> list[str]:
    """Return the lines of the ingredients."""
    values = item.values(*INGREDIENT_PROPERTIES)
    lines: list[str] = []
    for value in values[:MAX_LINES]:
        if isinstance(value, Item):
            parts = (
                value.text("amount", "quantity", "requiredQuantity"),
                value.text("unit"),
                value.text("name", "text"),
            )
            lines.append(" ".join(part for part in parts if part))
        elif isinstance(value, str):
            # all ingredients in one text, or one text for each
            lines += clean_lines(value) if len(values) == 1 else [clean_text(value)]
    return [line for line in lines if line][:MAX_LINES]


def read_steps(item: Item) -> list[dict[str, str]]:
    """Return the steps as `{"section", "name", "text"}`, without what is missing."""
    return list(_iterate_steps(item.values(*STEP_PROPERTIES), item.source))[:MAX_LINES]


def _iterate_steps(values: list[ItemValue], source: str) -> Iterator[dict[str, str]]:
    """Yield the steps of nested sections, in document order, without recursion."""
    stack = [(value, "", 0) for value in reversed(values[:MAX_LINES])]
    left = 4 * MAX_LINES
    while stack and left:
        left -= 1
        value, section, level = stack.pop()
        if isinstance(value, str):
            yield from ({**_name_section(section), "text": line} for line in clean_lines(value))
            continue
        if not isinstance(value, Item):
            continue
        inner = value.values("itemListElement", "steps", "step")
        name = value.text("name", "Name")
        if inner and level < MAX_LEVELS and "howtostep" not in value.types:
            name = section if value.types & {"itemlist"} and not name else name
            stack += [(each, name, level + 1) for each in reversed(inner[:MAX_LINES])]
            continue
        texts = [each for each in value.values("text", "description") if isinstance(each, str)]
        lines = [line for text in texts for line in clean_lines(text)]
        if not lines and inner and level < MAX_LEVELS:  # directions within a step
            stack += [(each, section, level + 1) for each in reversed(inner[:MAX_LINES])]
            continue
        if not lines and name:
            lines, name = [name], ""
        for number, line in enumerate(lines):
            is_new = name and number == 0 and not line.startswith(name.rstrip(".… "))
            yield {**_name_section(section), **({"name": name} if is_new else {}), "text": line}


def _name_section(section: str) -> dict[str, str]:
    return {"section": section} if section else {}


def read_time(item: Item, *names: str) -> str:
    """Return a time in ISO 8601, or ""."""
    for value in item.values(*names):
        given = value.text("maxValue", "value", "@value", "name") if isinstance(value, Item) else value
        if isinstance(given, (str, int, float)) and (found := read_duration(given)):
            return found
    return ""


def read_yield(item: Item) -> str:
    """Return the yield as the page writes it: the most telling of several forms ("4", "4 servings")."""
    texts = item.texts("recipeYield", "yield", "recipeyield", "yields", "servings")
    return max(texts, key=lambda text: (any(map(str.isdigit, text)), not text.isdigit(), -len(text)), default="")


def read_nutrition(item: Item) -> dict[str, str]:
    """Return the nutrients, by their names at schema.org."""
    found = next(iter(item.items("nutrition")), None)
    values = {name: found.text(name) for name in NUTRIENTS} if found else {}
    return {name: text for name, text in values.items() if text}


def read_rating(item: Item) -> dict[str, Any]:
    """Return value and number of ratings."""
    found = next(iter(item.items("aggregateRating")), None)
    if found is None:
        return {}
    rating: dict[str, Any] = {}
    for name in ("ratingValue", "bestRating", "ratingCount", "reviewCount"):
        text = found.text(name).replace(",", "." if name in ("ratingValue", "bestRating") else "")
        try:
            number = float(text[:20])
        except ValueError:
            continue
        if 0 <= number < 1e9:
            rating[name] = int(number) if number.is_integer() else number
    return rating if rating.get("ratingValue") else {}
