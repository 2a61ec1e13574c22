"""Print how well objects are found: recipes, products, events, jobs, papers and lists, with and without markup.

    python -m scripts.figures.objects recipes [--worst 20]
    python -m scripts.figures.objects products [--worst 20]
    python -m scripts.figures.objects events|jobs|papers|lists [--worst 20]
    python -m scripts.figures.objects others

The data are not part of the repository. Texts are compared without case, spaces and punctuation. Fields that are lists
are compared line by line, as F1 of each page, and averaged over pages; other fields count as right or wrong.

A recipe of the gold is what a library of hand-written readers returns. Its habits are taken into account: names of
sections and of steps are lines of the steps, and numbers before steps do not count; a yield counts as right if it has
the number of the gold; a total time that the page does not state is the sum of the others.
"""

from __future__ import annotations

import json
import lzma
import re
import sys
from collections import Counter, defaultdict
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import normalize
from unittest.mock import patch

import bonmun
from bonmun.lab.gold.folds import FOLDS, find_fold
from bonmun.metadata.scans import fold_text
from bonmun.objects.currencies import CURRENCY_OF_SIGN, SHARED_SIGNS
from bonmun.objects.durations import read_minutes
from bonmun.objects.prices import read_amount
from bonmun.objects.products import choose_price
from scripts.figures.labelled_objects import TYPES, list_marked_items, measure_labelled, measure_others

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = Path(__file__).parents[2].parent / "shared" / "data"
FRACTIONS = str.maketrans(
    {char: f" {text}" for char, text in zip("¼½¾⅓⅔⅛⅜⅝⅞", "1/4 1/2 3/4 1/3 2/3 1/8 3/8 5/8 7/8".split(), strict=True)}
)
PRODUCT_FOLDS = Path("out/product-folds")
# Fields of products, by their names in the gold.
PRODUCT_FIELDS = {
    "price": "price",
    "currency": "priceCurrency",
    "availability": "availability",
    "sku": "sku",
    "brand": "brand",
    "gtin": "gtin",
    "mpn": "mpn",
}
SIGN_CODES = {sign: (code,) for sign, code in CURRENCY_OF_SIGN.items()} | {
    sign: codes for sign, (_, codes) in SHARED_SIGNS.items()
}
CENT = 0.005  # the difference of two amounts that are the same
# Markup for machines, which is removed for the second half of the figures.
SCRIPTS = re.compile(r"<script[^>]*ld\+json.*?</script\s*>", re.I | re.S)
METAS = re.compile(r"<meta\b(?![^>]*charset)[^>]*>", re.I)
ATTRIBUTES = re.compile(
    r"\s(?:itemprop|itemscope|itemtype|itemref|itemid|property|typeof|vocab|resource|prefix)"
    r"(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>]*))?(?=[\s/>])",
    re.I,
)
TAGS = re.compile(r"<[a-zA-Z][^<>]*>")
CLASSES = re.compile(r"(\sclass\s*=\s*)(\"[^\"]*\"|'[^']*')", re.I)
FORMAT_CLASS = re.compile(
    r"(?<![\w-])(?:[hpue]-[a-z-]+|dt-[a-z-]+|hrecipe|hproduct|vevent|hentry|vcard|hreview(?:-aggregate)?|fn|ingredient|"
    r"instructions|yield|duration|preptime|cooktime|totaltime|nutrition|summary|photo|author|published)(?![\w-])"
)
STEP_NUMBER = re.compile(
    r"^\s*(?:step|étape|schritt|stap|paso)?\s*[0-9]{1,2}\s*[.:)–-]+\s*|^(?:step|étape)\s[0-9]{1,2}\s*", re.I
)


def remove_markup(html: str) -> str:
    """Return a page without JSON-LD, metas, the attributes of microdata and RDFa, and the classes of microformats."""

    def clean_tag(tag: re.Match[str]) -> str:
        text = ATTRIBUTES.sub(" ", tag[0])
        return CLASSES.sub(lambda found: found[1] + FORMAT_CLASS.sub("", found[2]), text)

    return TAGS.sub(clean_tag, METAS.sub("", SCRIPTS.sub("", html)))


def read_rows(name: str) -> list[dict[str, Any]]:
    """Return the rows of a data set."""
    with lzma.open(DATA / f"{name}.jsonl.xz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def fold(text: object) -> str:
    """Return a text without case, spaces and punctuation, with fractions in one form."""
    return fold_text(normalize("NFKC", str(text).translate(FRACTIONS)).replace("⁄", "/"))


def score_lines(found: list[str], wanted: list[str]) -> float:
    """Return the F1 of two lists of lines."""
    ours, gold = Counter(filter(None, map(fold, found))), Counter(filter(None, map(fold, wanted)))
    same = sum((ours & gold).values())
    return 2 * same / (ours.total() + gold.total()) if same else float(not ours and not gold)


def list_step_lines(steps: list[dict[str, str]]) -> list[str]:
    """Return sections, names and texts of steps as lines, as the gold has them."""
    lines, last = [], ""
    for step in steps:
        section = step.get("section", "")
        lines += [section] if section and section != last else []
        lines += [step[name] for name in ("name", "text") if name in step]
        last = section
    return lines


def drop_numbers(lines: list[str]) -> list[str]:
    """Return lines without "Step 1" and "1." at their start."""
    return [STEP_NUMBER.sub("", line) for line in lines]


def is_same_yield(found: object, wanted: object) -> bool:
    """Whether a number of the yield, such as an end of "6-8", is the number of the gold."""
    numbers = [re.findall(r"[0-9]+", str(text)) for text in (found, wanted)]
    return numbers[1][:1] == [] or numbers[1][0] in numbers[0][:2]


def score_recipe(values: dict[str, Any], gold: dict[str, Any]) -> dict[str, float]:
    """Return the score of each field that the gold has."""
    times = {name: read_minutes(values.get(name, "")) for name in ("prepTime", "cookTime", "totalTime")}
    total = times["totalTime"] or times["prepTime"] + times["cookTime"]
    wanted = drop_numbers(gold["instructions_list"])
    steps = values.get("recipeInstructions", [])
    scores = {
        "name": float(fold(values.get("name", "")) == fold(gold["title"])),
        "ingredients": score_lines([each["text"] for each in values.get("recipeIngredient", [])], gold["ingredients"]),
        "steps": max(
            score_lines(drop_numbers(list_step_lines(steps)), wanted),
            score_lines(drop_numbers([each["text"] for each in steps]), wanted),
        ),
    }
    if gold.get("yields"):
        scores["yield"] = float(is_same_yield(values.get("recipeYield", ""), gold["yields"]))
    for name, found in (("prep", times["prepTime"]), ("cook", times["cookTime"]), ("total", total)):
        if gold.get(f"{name}_time"):
            scores[name] = float(abs(found - float(gold[f"{name}_time"])) < 1)
    return scores


def measure_recipes(worst: int) -> None:
    """Print the scores of the fields of recipes, with markup and without."""
    golds = {row["id"]: row["recipe"] for row in read_rows("recipes-objects")}
    pages = read_rows("recipes")
    for title, prepare in (("with markup", str), ("without markup", remove_markup)):
        scores: dict[str, list[float]] = defaultdict(list)
        failed = []
        for row in pages:
            gold = golds[row["id"]]
            if not isinstance(gold["ingredients"], list):
                continue
            doc = bonmun.extract(prepare(row["html"]), row["url"])
            values = next((found.values for found in doc.objects if found.type == "Recipe"), {})
            for name, score in score_recipe(values, gold).items():
                scores[name].append(score)
            failed.append((scores["ingredients"][-1], scores["steps"][-1], row["id"]))
        print(title, len(failed), "pages")
        print("  " + "  ".join(f"{name} {sum(each) / len(each):.3f}" for name, each in scores.items()))
        for ingredients, steps, name in sorted(failed)[:worst]:
            print(f"  {ingredients:.2f} {steps:.2f} {name}")


def measure_products(worst: int) -> None:
    """Print the F1 of the fields of products, with markup and without, in five folds by shop.

    The weights of prices come from `python -m scripts.fit.product_prices out/product-folds`.
    """
    weights = [json.loads((PRODUCT_FOLDS / f"fold-{fold}.json").read_bytes()) for fold in range(FOLDS)]

    def find(row: dict[str, Any], prepare: Callable[[str], str]) -> dict[str, Any]:
        with patch.object(choose_price, "load_weights", partial(weights.__getitem__, find_fold(row["site"]))):
            objects = bonmun.extract(prepare(row["html"]), row["url"]).objects
        return next((found.values for found in objects if found.type == "Product"), {})

    systems: dict[str, Callable[[dict[str, Any]], dict[str, Any]]]
    systems = {"with markup": partial(find, prepare=str), "without markup": partial(find, prepare=remove_markup)}
    if find_spec("extruct"):
        systems["extruct, with markup"] = find_marked_product
    for title, find_values in systems.items():
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        failed = []
        for row in read_rows("products-objects"):
            values = find_values(row)
            for name, field in PRODUCT_FIELDS.items():
                wanted, found = row["product"].get(name, []), values.get(field)
                is_right = found is not None and any(is_same(name, str(found), each) for each in wanted)
                counts[name].update(right=is_right, found=found is not None, wanted=bool(wanted))
                if not is_right and (wanted or (found and name in ("price", "sku", "availability"))):
                    failed.append(f"{name} {row['url'][:70]}: {found!r} instead of {wanted}")
        print(title)
        for name, each in counts.items():
            print(f"  {name} F1 {2 * each['right'] / (each['found'] + each['wanted']):.3f} of {each['wanted']} pages")
        print(*sorted(failed)[:worst], sep="\n")


def find_marked_product(row: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of the first product that extruct finds, and of its first offer."""
    for item in list_marked_items(row["html"], row["url"]):
        types = item.get("@type", "")
        if "Product" in (types if isinstance(types, list) else [types]):
            offers = item.get("offers") or {}
            offer = next(iter(offers), {}) if isinstance(offers, list) else offers
            brand = item.get("brand")
            values = {
                "price": read_amount(offer.get("price", offer.get("lowPrice"))),
                "priceCurrency": offer.get("priceCurrency"),
                "availability": str(offer.get("availability") or "").rpartition("/")[2],
                "sku": item.get("sku"),
                "brand": brand.get("name") if isinstance(brand, dict) else brand,
                "gtin": item.get("gtin13") or item.get("gtin"),
                "mpn": item.get("mpn"),
            }
            return {name: value for name, value in values.items() if value}
    return {}


def is_same(name: str, found: str, wanted: str) -> bool:
    """Whether a field of a product is right: prices as numbers, currencies by sign or code, others folded."""
    if name == "price":
        return abs(float(found) - float(wanted)) < CENT
    if name == "currency":
        return found in SIGN_CODES.get(wanted.strip(" ."), (wanted,))
    return fold(found) == fold(wanted)


MEASURES = {"recipes": measure_recipes, "products": measure_products, "others": measure_others}

if __name__ == "__main__":
    name, *rest = sys.argv[1:] or ["recipes"]
    worst = int(rest[1]) if rest[:1] == ["--worst"] else 0
    if name in TYPES:
        measure_labelled(name, worst, remove_markup)
    else:
        MEASURES[name](worst)
