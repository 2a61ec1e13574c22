"""`bonmun objects` shows what a page is about."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from samples import save

if TYPE_CHECKING:
    from samples import Bonmun

SOUP = """<title>Barley soup</title><h1>Barley soup</h1><p>My grandmother cooked this soup every winter. Serves 4.</p>
<h2>Ingredients</h2><ul><li>2 cups barley</li><li>1 l stock</li></ul>
<h2>Method</h2><ol><li>Rinse the barley and soak it in cold water for an hour.</li></ol>"""
TABLE = """Recipe
  name                Barley soup  (h1, 0.NN)
  recipeIngredient    2 cups barley  (page, 0.85)
                      1 l stock
  recipeInstructions  Rinse the barley and soak it in cold water for an hour.  (page, 0.85)
"""


def test_objects_are_shown_as_a_table(bonmun: Bonmun) -> None:
    result = bonmun("objects", save("soup.html", SOUP))
    assert (re.sub("h1, 0.[0-9]+", "h1, 0.NN", result.stdout), result.exit_code) == (TABLE, 0)


def test_objects_are_written_as_json(bonmun: Bonmun) -> None:
    result = bonmun("objects", save("soup.html", SOUP), "-f", "json")
    values = json.loads(result.stdout)
    assert values["input"] == "soup.html"
    assert [each["type"] for each in values["objects"]] == ["Recipe"]
    assert values["objects"][0]["fields"]["recipeIngredient"]["value"][1] == {
        "text": "1 l stock",
        "amount": "1",
        "unit": "l",
        "item": "stock",
    }


def test_a_page_without_objects_says_so(bonmun: Bonmun) -> None:
    result = bonmun("objects", save("a.html", "<p>Some words that are long enough to be read as a paragraph.</p>"))
    assert (result.stdout, result.exit_code) == ("No objects were found.\n", 0)


def test_wrong_use_is_reported(bonmun: Bonmun) -> None:
    result = bonmun("objects", save("soup.html", SOUP), "-f", "xml")
    assert result.exit_code == 2
    assert "Unknown format 'xml'" in result.stderr
