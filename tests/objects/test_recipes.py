"""Recipes are read from markup and from the visible page."""

from __future__ import annotations

import json

import pytest

import bonmun
from bonmun.objects.durations import read_duration
from bonmun.objects.recipes import visible
from bonmun.objects.recipes.quantities import split_quantity

LINES = ["2 cups pearl barley", "1 ½ l vegetable stock", "3 carrots, sliced", "salt"]
STEPS = [
    "Rinse the barley and soak it in cold water for an hour.",
    "Bring the stock to a boil and add barley and carrots.",
    "Simmer until the barley is soft, and season with salt.",
]
INTRO = (
    "<p>My grandmother cooked this soup every winter, and it still warms the whole house when snow falls outside.</p>"
)


def show_list(tag: str, lines: list[str]) -> str:
    return f"<{tag}>" + "".join(f"<li>{line}</li>" for line in lines) + f"</{tag}>"


def make_page(ingredients: str, steps: str, head: str = "", facts: str = "") -> str:
    return (
        f"<html><head><title>Barley soup</title>{head}</head><body><article><h1>Barley soup</h1>{INTRO}{facts}"
        f"{ingredients}{steps}<h2>Comments</h2><p>Lovely, we will cook it again next week.</p></article></body></html>"
    )


def find_values(html: str) -> dict[str, object]:
    [recipe] = bonmun.extract(html, "https://example.org/soup").objects
    assert recipe.type == "Recipe"
    return recipe.values


def list_texts(values: dict[str, object], name: str) -> list[str]:
    found = values[name]
    assert isinstance(found, list)
    return [each["text"] for each in found]


VISIBLE = make_page(
    "<h2>Ingredients</h2>" + show_list("ul", LINES),
    "<h2>Method</h2>" + show_list("ol", STEPS),
    facts="<p>Serves 4</p><div><span>Prep Time:</span> 10 min</div><div>Cook time: 1 hr 30 min</div>",
)


def test_a_visible_recipe_is_found_without_markup() -> None:
    values = find_values(VISIBLE)
    assert list_texts(values, "recipeIngredient") == LINES
    assert list_texts(values, "recipeInstructions") == STEPS
    assert values["name"] == "Barley soup"
    assert values["prepTime"] == "PT10M"
    assert values["cookTime"] == "PT1H30M"
    assert values["recipeYield"] == "4"


@pytest.mark.parametrize(
    ("heading", "method", "lines"),
    [
        ("Zutaten", "Zubereitung", ["250 g Graupen", "1 EL Öl", "2 Möhren"]),
        ("Ingrédients", "Préparation", ["250 g d'orge", "1 cuillère d'huile", "2 carottes"]),
        ("Ingrediënten", "Bereiding", ["250 gram gerst", "1 eetlepel olie", "2 wortels"]),
        ("Ingredientes", "Elaboración", ["250 g de cebada", "1 cucharada de aceite", "2 zanahorias"]),
        ("Ingredienti", "Procedimento", ["250 g di orzo", "1 cucchiaio d'olio", "2 carote"]),
        ("Składniki", "Sposób przygotowania", ["250 g kaszy", "1 łyżka oleju", "2 marchewki"]),
        ("Ингредиенты", "Приготовление", ["250 г перловки", "1 ложка масла", "2 моркови"]),
        ("재료", "만드는 법", ["보리 250g", "식용유 1큰술", "당근 2개"]),
        ("材料", "作り方", ["麦 250g", "油 大さじ1", "にんじん 2本"]),
        ("用料", "做法", ["大麦 250克", "油 1勺", "胡萝卜 2根"]),
        ("Malzemeler", "Hazırlanışı", ["250 gram arpa", "1 yemek kaşığı yağ", "2 havuç"]),
    ],
)
def test_headings_of_many_languages_are_known(heading: str, method: str, lines: list[str]) -> None:
    values = find_values(
        make_page(f"<h2>{heading}</h2>" + show_list("ul", lines), f"<h2>{method}</h2>" + show_list("ol", STEPS))
    )
    assert list_texts(values, "recipeIngredient") == lines
    assert list_texts(values, "recipeInstructions") == STEPS


def test_lines_and_paragraphs_are_read_as_lists() -> None:
    broken = "<p>" + "<br>".join(LINES[:3]) + "</p>"
    paragraphs = "".join(f"<p>{number}. {step}</p>" for number, step in enumerate(STEPS, 1))
    values = find_values(make_page(f"<h3>Ingredients</h3>{broken}", f"<h3>Directions</h3>{paragraphs}"))
    assert list_texts(values, "recipeIngredient") == LINES[:3]
    assert list_texts(values, "recipeInstructions") == STEPS


def test_amounts_and_names_in_different_cells_are_one_line() -> None:
    rows = "".join(
        f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in [("2 cups", "barley"), ("1 l", "stock"), ("3", "carrots")]
    )
    values = find_values(
        make_page(f"<h3>Ingredients</h3><table>{rows}</table>", "<h3>Steps</h3>" + show_list("ol", STEPS))
    )
    assert list_texts(values, "recipeIngredient") == ["2 cups barley", "1 l stock", "3 carrots"]


def write_script(**fields: object) -> str:
    thing = {"@type": "Recipe", "name": "Barley soup", **fields}
    return f'<script type="application/ld+json">{json.dumps(thing)}</script>'


def test_sections_and_names_of_steps_are_kept() -> None:
    sections = [
        {"@type": "HowToSection", "name": "Soup", "itemListElement": [{"@type": "HowToStep", "text": STEPS[0]}]},
        {"@type": "HowToStep", "name": "Cook", "text": STEPS[1]},
        STEPS[2] + "<br>Serve hot.",
    ]
    head = write_script(
        recipeIngredient=LINES, recipeInstructions=sections, totalTime="PT100M", recipeYield=["4", "4 bowls"]
    )
    values = find_values(make_page(show_list("ul", LINES), "", head))
    assert values["recipeInstructions"] == [
        {"section": "Soup", "text": STEPS[0]},
        {"name": "Cook", "text": STEPS[1]},
        {"text": STEPS[2]},
        {"text": "Serve hot."},
    ]
    assert values["totalTime"] == "PT1H40M"
    assert values["recipeYield"] == "4 bowls"


def test_what_the_reader_sees_wins() -> None:
    """The markup has the names only. Both are reported."""
    names = ["pearl barley", "vegetable stock", "carrots", "salt"]
    head = write_script(recipeIngredient=names, recipeInstructions=STEPS)
    html = make_page("<h2>Ingredients</h2>" + show_list("ul", LINES), "<h2>Method</h2>" + show_list("ol", STEPS), head)
    [recipe] = bonmun.extract(html).objects
    field = recipe.fields["recipeIngredient"]
    assert field.source == "page"
    assert [each["text"] for each in field.value] == LINES
    assert [(each.source, [line["text"] for line in each.value]) for each in field.others] == [("JSON-LD", names)]


def test_missing_fields_are_absent() -> None:
    values = find_values(make_page("", "", write_script(recipeIngredient=LINES)))
    assert set(values) == {"name", "recipeIngredient"}


@pytest.mark.parametrize(
    "html",
    [
        make_page("", ""),
        make_page("<h2>Specifications</h2>" + show_list("ul", ["Width: 20 cm", "Weight: 3 kg", "Height: 9 cm"]), INTRO),
        make_page("<h2>Ingredients</h2>" + show_list("ul", ["<a href=/a>Beef</a>", "<a href=/b>Fish</a>"] * 4), INTRO),
        make_page(
            "<h2>Nutrition</h2>" + show_list("ul", ["Energy 500 kJ", "Protein 3 g", "Fat 2 g", "Salt 1 g"]), INTRO
        ),
    ],
    ids=["article", "sizes", "menu", "nutrients"],
)
def test_other_pages_have_no_recipe(html: str) -> None:
    assert bonmun.extract(html).objects == ()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("1 ½ cups of plain flour", ("1 ½", "cups", "plain flour")),
        ("2-3 tbsp. oil", ("2-3", "tbsp", "oil")),
        ("1 1/2 Zwiebeln", ("1 1/2", "", "Zwiebeln")),
        ("0,5 dl fløde", ("0,5", "dl", "fløde")),
        ("Mehl: 500 g", ("500", "g", "Mehl")),
        ("설탕 2큰술", ("2", "큰술", "설탕")),
        ("砂糖 大さじ2", ("2", "大さじ", "砂糖")),
        ("鸡胸肉 150克", ("150", "克", "鸡胸肉")),
        ("150克 鸡胸肉", ("150", "克", "鸡胸肉")),
        ("salt to taste", ("", "", "salt to taste")),
    ],
)
def test_lines_are_split(line: str, expected: tuple[str, str, str]) -> None:
    assert tuple(split_quantity(line)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PT1H30M", "PT1H30M"),
        ("P0DT0H45M", "PT45M"),
        ("P1DT2H", "PT26H"),
        ("PT30", "PT30M"),
        ("90", "PT1H30M"),
        ("1 hr 20 mins", "PT1H20M"),
        ("1½ hours", "PT1H30M"),
        ("1/2 hour", "PT30M"),
        ("20-30 minutes", "PT30M"),
        ("1 Std. 10 Min.", "PT1H10M"),
        ("1時間30分", "PT1H30M"),
        ("1시간 30분", "PT1H30M"),
        ("40分钟", "PT40M"),
        ("1:15 h", "PT1H15M"),
        ("overnight", ""),
        ("PT99999999H", ""),
    ],
)
def test_durations_are_read(text: str, expected: str) -> None:
    assert read_duration(text) == expected


@pytest.mark.parametrize(
    "ingredients",
    [
        "<p>What else</p><p>Here's what you need:</p>" + show_list("ul", LINES),
        "<p>Shopping list<br>" + "<br>".join(LINES) + "</p>",
        "<p>What else</p><div class=Zutaten>" + show_list("ul", LINES) + "</div>",
        "<p>What else</p><div id=zutaten>" + show_list("ul", LINES) + "</div>",
        "<p>3 tbsp rapeseed oil</p><table>"
        + "".join(f"<tr><td>{line}</td></tr>" for line in [*LINES[:3], "2 tbsp rye flour", "4 cups water"])
        + "</table>",
    ],
)
def test_recipes_are_found_by_each_of_their_signs(ingredients: str) -> None:
    values = find_values(make_page(ingredients, "<h2>Method</h2>" + show_list("ol", STEPS)))
    assert set(LINES[:3]) <= set(list_texts(values, "recipeIngredient"))


def test_lines_are_read_only_on_pages_with_signs_of_a_recipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visible, "list_lines", None)
    page = bonmun.Page.parse(
        make_page("<h2>What is new</h2><ul><li>Shop<li>12 March<li>3 replies<li>WhatsApp</ul>", "")
    )
    assert visible.find_visible_recipe(page) is None
