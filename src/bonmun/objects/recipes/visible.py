"""A recipe as the reader sees it: lists of ingredients and steps, found by headings, classes and amounts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from bonmun.metadata.scans import find_words, fold_text, fold_texts
from bonmun.objects.markup.names import find_named_rows, has_class_part
from bonmun.objects.recipes.facts import find_facts, is_fact
from bonmun.objects.recipes.lines import list_lines
from bonmun.objects.recipes.quantities import rate_amount, split_quantity
from bonmun.objects.recipes.words import (
    CLASS_PARTS,
    ENDING_HEADINGS,
    INGREDIENT_HEADINGS,
    NUTRIENTS,
    STEP_HEADINGS,
    SWITCHES,
)
from bonmun.page.parse.ancestors import list_around
from bonmun.text.patterns import compile_later
from bonmun.text.word_finder import WordFinder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.objects.recipes.lines import PageLine
    from bonmun.objects.recipes.quantities import Quantity
    from bonmun.page import Page

__all__ = ["VisibleRecipe", "find_visible_recipe"]

HEADING_CHARS = 80  # longer lines are no headings
HEADING_WORDS = 6  # words of a heading that are compared
INGREDIENT_CHARS = 220  # longer lines are no ingredients
MIN_INGREDIENTS = 2
MIN_STEP_CHARS = 12
CLASS_CHARS = 300  # of a class attribute that are read
WRAPPERS = frozenset({"html", "body", "main", "article", "a", "form"})  # of more than the list
CLASS_LEVELS = 8  # elements around a line whose classes are read
MAX_GAP = 3  # lines between two parts of a list
MAX_MISSED = 3  # lines within a list that are no ingredients
MAX_BEFORE = 8  # lines between the heading and the list
MAX_STEPS = 100
REST_LINES = 25  # lines after the ingredients that are read as steps if nothing else is found
MIN_LISTED = 3
LISTED = frozenset({"item", "row", "repeated", "broken"})
LONG_CHARS = 100  # an ingredient without amount that is longer is a sentence
ITEM_CHARS = 40
PRICE_SIGNS = frozenset("$€£¥₩₽")
SENTENCE_CHARS = 40
NEAR_STEPS = 40  # lines between ingredients and steps
MIN_SCORE = 3.0
MIN_STEP_SCORE = 3.0
MIN_SENTENCES = 0.3  # share of the steps that are sentences
SIZES = frozenset("mm cm inch inches lb lbs kg pack packs piece pieces pt l".split())  # units of other tables, too
SAME_SHARE = 0.7  # of the ingredients of a second list
SIGN_CHARS = 4  # at the start of a heading, which tell that it may be one
SIGNS = frozenset(entry[:SIGN_CHARS] for entry in INGREDIENT_HEADINGS)
HEADING_FINDER = WordFinder(tuple(sorted(INGREDIENT_HEADINGS)))
MARKED = {name: WordFinder(tuple(parts.split())) for name, parts in CLASS_PARTS.items()}
ROLES = {"ingredients": INGREDIENT_HEADINGS, "steps": STEP_HEADINGS, "end": ENDING_HEADINGS}
# What a heading with such a word may start with: its first words.
ROLE_STARTS = frozenset(
    entry[:size] for entries in ROLES.values() for entry in entries for size in range(1, len(entry) + 1)
)
# "Step 1", "1." or "1)" before a step.
STEP_LABEL = compile_later(
    r"^(?:(?:step|schritt|étape|etape|stap|paso|passo|steg|trinn|trin|vaihe|krok|шаг|단계|手順|步骤|步驟|adım|lépés)\s?#?[0-9]{1,2}"
    r"(?:\s?(?:/|of|von|de|sur|van)\s?[0-9]{1,2})?|[0-9]{1,2}\s?(?:단계|[.)](?![0-9])|\u20e3))[\s:.)–—-]*",
    re.I,
)


# A bare number at the start of a step.
NUMBERED = compile_later(r"^([0-9]{1,2})(?![0-9.,/])[\s:–—-]*")
COUNTED_SHARE = 0.8  # of the steps that are numbered


@dataclass(slots=True)
class LineRun:
    """Some lines that may be the ingredients or the steps."""

    lines: list[int]
    has_heading: bool = False
    has_class: bool = False
    sections: dict[int, str] = field(default_factory=dict)  # heading above a line


@dataclass(slots=True)
class VisibleRecipe:
    """What the page shows."""

    ingredients: list[str]
    steps: list[dict[str, str]]
    facts: dict[str, str]  # yield and times
    confidence: float


def find_visible_recipe(page: Page) -> VisibleRecipe | None:
    """Return the recipe that a page shows, or None."""
    if not _may_show_recipe(page):
        return None
    found = _find_recipe(page, list_lines(page))
    # lists in closed tabs and boxes
    if found is None and True in page.hidden_blocks and has_class_part(page, "ingredient"):
        found = _find_recipe(page, list_lines(page, hidden=True))
    return found


def _may_show_recipe(page: Page) -> bool:
    """Whether a page has a word of ingredients, or lines with amounts: most pages have neither."""
    if has_class_part(page, "ingredient"):
        return True
    starts = [text.partition("\n")[0] for text in page.block_texts if text[:1].isnumeric()]
    amounts = (start for start in starts if rate_amount(start) == 2)
    if len(list(islice(amounts, MIN_LISTED))) == MIN_LISTED:
        return True
    headings = {*fold_texts(page.block_texts, HEADING_CHARS)}
    if SIGNS.isdisjoint({text[:SIGN_CHARS] for text in headings}):
        return False
    # "What is new" starts like "What you need"
    return _has_ingredient_heading(page, headings) or bool(_find_marked(page, "ingredients"))


def _has_ingredient_heading(page: Page, headings: set[str]) -> bool:
    """Whether a short line has words of a heading above ingredients; they need not be its start, as before a colon.

    `headings` are the short blocks, folded. The other lines are parts of blocks.
    """
    broken = "\n".join(text for text in page.block_texts if "\n" in text).split("\n")
    folded = "\n".join(headings.union(fold_texts(broken, LONG_CHARS)))
    return HEADING_FINDER.holds(folded)


def _may_hold_ingredients(page: Page, lines: list[PageLine]) -> bool:
    """Whether a page has as many lines with a spoon, cup … as a list of ingredients needs, or a heading or class."""
    spoons = (line for line in lines if _has_spoon(split_quantity(line.text)))
    if len(list(islice(spoons, MIN_LISTED))) == MIN_LISTED:
        return True
    folded = "\n".join(fold_texts([line.text for line in lines], HEADING_CHARS))
    return HEADING_FINDER.holds(folded) or bool(_find_marked(page, "ingredients"))


def _has_spoon(quantity: Quantity) -> bool:
    """Whether an amount has a unit that other tables have not."""
    return bool(quantity.unit) and quantity.unit.lower() not in SIZES


def _find_recipe(page: Page, lines: list[PageLine]) -> VisibleRecipe | None:
    if not _may_hold_ingredients(page, lines):
        return None
    roles = [_find_role(line) for line in lines]
    found = _find_regions(page, lines, roles, "ingredients")
    scored = [(_score_ingredients(lines, region), -region.lines[0], region) for region in found]
    score, _, ingredients = max(scored, key=lambda each: each[:2], default=(0.0, 0, None))
    if ingredients is None or score < MIN_SCORE:
        return None
    found = _find_regions(page, lines, roles, "steps")
    rest = range(ingredients.lines[-1] + 1, len(lines))
    found += [region for region in [_collect_steps(lines, roles, None, rest, most=REST_LINES)] if region.lines]
    steps = max(found, key=lambda region: _score_steps(lines, region, ingredients), default=None)
    if steps is None or _score_steps(lines, steps, ingredients) < MIN_STEP_SCORE:
        return None
    if not _is_convincing(lines, ingredients, steps):
        return None
    return VisibleRecipe(
        _drop_second_list([lines[row].text for row in ingredients.lines]),
        _make_steps(lines, steps),
        find_facts(page, lines, ingredients.lines[0], steps.lines[-1]),
        0.85 if ingredients.has_heading or ingredients.has_class else 0.6,
    )


def _is_convincing(lines: list[PageLine], ingredients: LineRun, steps: LineRun) -> bool:
    """Whether two regions are a recipe, and not a table of sizes or nutrients with the text after it."""
    texts = [lines[row].text for row in steps.lines]
    if sum(len(text) > SENTENCE_CHARS for text in texts) < MIN_SENTENCES * len(texts):
        return False
    if sum(not NUTRIENTS.isdisjoint(find_words(text[:ITEM_CHARS])) for text in texts) * 2 > len(texts):
        return False
    quantities = [split_quantity(lines[row].text) for row in ingredients.lines]
    amounts = sum(bool(quantity.amount) for quantity in quantities)
    if ingredients.has_heading or ingredients.has_class:
        return amounts > 1 or (ingredients.has_heading and steps.has_heading)
    spoons = sum(map(_has_spoon, quantities))
    started = sum(lines[row].text[:1].isnumeric() for row in ingredients.lines)
    return spoons >= MIN_LISTED and started * 2 >= len(quantities) and amounts > MIN_LISTED


def _find_role(line: PageLine) -> str:
    """Return "ingredients", "steps" or "end" for a heading with such a word, else ""."""
    if len(line.text) > HEADING_CHARS:
        return ""
    words = find_words(line.text)
    if not words or (line.kind != "heading" and len(words) > HEADING_WORDS):
        return ""
    is_ascii, has_colon = line.text.isascii(), line.text.endswith((":", "："))
    firsts = [*words[: 4 if has_colon else 1], *(() if is_ascii else (words[0][:2],))]
    if ROLE_STARTS.isdisjoint(firsts):  # most lines
        return ""
    starts = ["".join(words[:size]) for size in range(1, min(HEADING_WORDS, len(words)) + 1)]
    if has_colon:  # "Here's how to make it:"
        starts += ["".join(words[first : first + 3]) for first in range(1, 4)]
    if not is_ascii:  # languages without spaces
        starts += [words[0][:size] for size in range(2, 7)]
    for name, entries in ROLES.items():
        matching = [start for start in starts if start in entries]
        # other lines than headings must be little more than the word
        if matching and (line.kind == "heading" or len(matching[-1]) * 2 >= len("".join(words))):
            return name
    return ""


def _find_regions(page: Page, lines: list[PageLine], roles: list[str], name: str) -> list[LineRun]:
    """Return the regions under headings, and those inside elements with a telling class."""
    collect = _collect_ingredients if name == "ingredients" else _collect_steps
    regions = []
    for row, role in enumerate(roles):
        if role == name:
            region = collect(lines, roles, row, range(row + 1, len(lines)))
            region.has_heading = True
            regions.append(region)
    for rows in _group_by_class(page, lines, _find_marked(page, name)):
        region = collect(lines, roles, None, rows)
        region.has_class = True
        region.has_heading = any(roles[row] == name for row in range(max(rows[0] - 2, 0), rows[-1] + 1))
        regions.append(region)
    if name == "ingredients":
        regions += _find_lists(lines)
    return [region for region in regions if region.lines]


def _find_marked(page: Page, name: str) -> set[int]:
    """Return the elements whose class or id contains one of the words of ingredients or steps."""
    return {row for row in find_named_rows(page, MARKED[name], CLASS_CHARS) if page.tags[row] not in WRAPPERS}


def _group_by_class(page: Page, lines: list[PageLine], marked: set[int]) -> list[list[int]]:
    """Return runs of lines that are inside marked elements."""
    groups: list[list[int]] = []
    if not marked:
        return groups
    for row, line in enumerate(lines):
        if any(element in marked for element in list_around(page.parents, line.element, CLASS_LEVELS)):
            if groups and row - groups[-1][-1] <= MAX_GAP:
                groups[-1].append(row)
            else:
                groups.append([row])
    return groups


def _find_lists(lines: list[PageLine]) -> list[LineRun]:
    """Return runs of lines most of which have an amount, on a page without headings and classes."""
    runs: list[list[int]] = []
    for row, line in enumerate(lines):
        if line.kind in LISTED and not line.linked and _is_ingredient(line) and rate_amount(line.text):
            if runs and row - runs[-1][-1] <= MAX_GAP:
                runs[-1] += range(runs[-1][-1] + 1, row + 1)
            else:
                runs.append([row])
    regions = [
        LineRun([row for row in run if lines[row].kind in LISTED and _is_ingredient(lines[row])]) for run in runs
    ]
    return [
        region
        for region in regions
        if sum(rate_amount(lines[row].text) == 2 for row in region.lines) >= max(MIN_LISTED, 0.4 * len(region.lines))
    ]


def _collect_ingredients(lines: list[PageLine], roles: list[str], heading: int | None, rows: Sequence[int]) -> LineRun:
    """Return the ingredients among some lines, up to the next heading of another kind."""
    region = LineRun([])
    section, missed = "", 0
    for row in rows:
        line, role = lines[row], roles[row]
        if role == "steps" or (role == "end" and (line.kind == "heading" or region.lines)):
            break
        if role == "ingredients":
            section = "" if not region.lines else line.text
            continue
        if line.kind == "heading":
            following = lines[row + 1] if row + 1 < len(lines) else None
            is_outer = heading is not None and lines[heading].level and line.level < lines[heading].level
            if region.lines and (is_outer or following is None or not _is_ingredient(following)):
                break
            section = line.text
            continue
        if _is_ingredient(line):
            region.lines.append(row)
            region.sections[row] = section
            missed = 0
            continue
        missed += 1
        if len(line.text) <= HEADING_CHARS and line.text.endswith((":", "：")):
            section = line.text.rstrip(":： ")
        if region.lines and (missed > MAX_MISSED if heading is not None else _is_sentence(line.text)):
            break
        if not region.lines and heading is not None and missed > MAX_BEFORE:
            break
    listed = [row for row in region.lines if lines[row].kind in LISTED]
    if len(listed) * 2 >= len(region.lines):  # lines between lists are no ingredients
        region.lines = [row for row in region.lines if lines[row].kind in LISTED or rate_amount(lines[row].text)]
    else:
        region.lines = [row for row in region.lines if rate_amount(lines[row].text) or row in listed] or region.lines
    return region


def _is_ingredient(line: PageLine) -> bool:
    if len(line.text) > INGREDIENT_CHARS or line.kind == "heading" or not line.text[-1:].strip(":："):
        return False
    if not _may_be_ingredient(line.text):
        return False
    return rate_amount(line.text) > 0 or (line.kind in LISTED and not _is_sentence(line.text))


def _is_sentence(text: str) -> bool:
    return len(text) > LONG_CHARS or (len(text) > SENTENCE_CHARS and text.endswith((".", "!", "。")))


def _may_be_ingredient(text: str) -> bool:
    """Whether a text names something, and is no button, fact, price or step."""
    item = split_quantity(text).item
    if sum(map(str.isalpha, item[:ITEM_CHARS])) < (2 if item.isascii() else 1):
        return False
    return not (
        fold_text(text) in SWITCHES
        or is_fact(text)
        or STEP_LABEL.match(text)
        or not PRICE_SIGNS.isdisjoint(text[-ITEM_CHARS:])
    )


def _collect_steps(
    lines: list[PageLine], roles: list[str], heading: int | None, rows: Sequence[int], most: int = MAX_STEPS
) -> LineRun:
    """Return the steps among some lines, up to the next heading of another kind."""
    region = LineRun([])
    section, missed = "", 0
    for row in rows:
        line, role = lines[row], roles[row]
        if role in ("ingredients", "end") and (line.kind == "heading" or role == "end"):
            if region.lines:
                break
            if heading is not None:
                return region
            continue
        if role == "steps":
            section = ""
            continue
        text = STEP_LABEL.sub("", line.text)
        if line.kind == "heading":
            if not text:
                continue
            if region.lines and line.level <= ((lines[heading].level if heading is not None else 0) or 2):
                break
            section = text
            continue
        if len(text) < MIN_STEP_CHARS:
            missed += 1
            if text and text[-1] in ":：":
                section = text.rstrip(":： ")
            if heading is not None and missed > 2 * MAX_MISSED:
                break
            continue
        missed = 0
        region.lines.append(row)
        region.sections[row] = section
        if len(region.lines) >= most:
            break
    listed = [row for row in region.lines if lines[row].kind in LISTED]
    size = sum(len(lines[row].text) for row in region.lines)
    if sum(len(lines[row].text) for row in listed) * 2 >= size:
        region.lines = listed
    return region


def _drop_second_list(texts: list[str]) -> list[str]:
    """Return the lines without a second list of the same ingredients, in other units or for other screens."""
    items = [fold_text(split_quantity(text).item) for text in texts]
    for start in range(MIN_INGREDIENTS, len(items)):
        if items[start] == items[0]:
            rest = items[start:]
            if len(rest) * 2 >= len(items) - 2 and sum(item in items[:start] for item in rest) >= SAME_SHARE * len(
                rest
            ):
                return texts[:start]
    return texts


def _score_ingredients(lines: list[PageLine], region: LineRun) -> float:
    if len(region.lines) < MIN_INGREDIENTS:
        return 0.0
    score, amounts = 0.0, 0
    for row in region.lines:
        line = lines[row]
        rate = rate_amount(line.text)
        amounts += rate > 0
        score += (1.0, 1.2)[rate - 1] if rate else -1.0 if line.linked else 0.3
        score -= 3.0 if not NUTRIENTS.isdisjoint(find_words(line.text)) else 0.6 if len(line.text) > LONG_CHARS else 0.0
    share = amounts / len(region.lines)
    return min(score, 15.0) * (0.4 + 0.6 * share) + 3 * region.has_class + 2 * region.has_heading


def _score_steps(lines: list[PageLine], region: LineRun, ingredients: LineRun) -> float:
    distance = region.lines[0] - ingredients.lines[-1]
    place = 3.0 if 0 < distance <= NEAR_STEPS else 1.5 if distance > 0 else -2.0
    shared = len(set(region.lines) & set(ingredients.lines))
    listed = sum(lines[row].kind in LISTED for row in region.lines) * 2 >= len(region.lines)
    texts = [lines[row].text for row in region.lines]
    sentences = sum(len(text) > SENTENCE_CHARS for text in texts) / len(texts)
    return (
        place
        + 2 * region.has_class
        + 2 * region.has_heading
        + listed
        + 2 * sentences
        + min(len(texts), 6) / 6
        - 5 * bool(shared)
    )


def _make_steps(lines: list[PageLine], region: LineRun) -> list[dict[str, str]]:
    """Return the steps without their numbers, and without a second copy of them."""
    texts = _drop_numbers([STEP_LABEL.sub("", lines[row].text) for row in region.lines])
    steps, seen = [], set[str]()
    for row, text in zip(region.lines, texts, strict=True):
        if text and text not in seen:
            seen.add(text)
            section = region.sections.get(row, "")
            steps.append({**({"section": section} if section else {}), "text": text})
    return steps


def _drop_numbers(texts: list[str]) -> list[str]:
    """Return texts without the numbers 1, 2, 3 … that count them."""
    numbers = [int(match[1]) if (match := NUMBERED.match(text)) else 0 for text in texts]
    counted = [number == 1 or number == before + 1 for before, number in pairwise([0, *numbers])]
    if sum(counted) < max(2, COUNTED_SHARE * len(texts)):
        return texts
    return [NUMBERED.sub("", text) if counts else text for text, counts in zip(texts, counted, strict=True)]
