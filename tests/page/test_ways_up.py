"""Every path of ancestors ends at `<html>`: parents come before their children, and only one module follows parents."""

from __future__ import annotations

import ast
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page, extract, methods
from bonmun.outputs import FORMATS
from bonmun.page.parse.ancestors import climb, climb_all
from samples import ROOT, in_one_test

P = "<p>A paragraph that is long enough to be read as one, with a full stop.</p>"
# Near its maximum depth, the parser puts nodes beside <html>.
DEEP = {
    "paragraphs": "<title>T</title><div class=post>" + "<div>" * 502 + "<table><td><table><td></tr>" + P * 12,
    "words": "<div>" * 503 + "<table><td><table><td></tr>" + "words beside it <br><br> <b>and more</b> " * 12,
    "links": "<div>" * 502 + "<table><td><table><td></tr>" + "<a href=x>one</a><a href=y>two</a>" * 12,
    "tables": "<div>" * 502 + "<table><td><table><td></tr>" + "<table><tr><th>a<td>b<tr><th>c<td>d</table>" * 12,
}
INLINE = {
    "all of it inline": f"<html style='display:inline'><body style='display:contents'>{'words that are read. ' * 12}",
    "no block around the links": "<html style='display:inline'><body style='display:inline'><a href=x>a</a><a href=y>b",
}
SHADOWS = {
    "slots": f"<div><template shadowrootmode=open><p><slot></slot></p></template>{P * 3}<b>c</b></div>{P}",
}
PAGES = DEEP | INLINE | SHADOWS
PARTS = ["<div>" * 250, "<table><td>", "</tr>", "<table>", "<td>", "</table>", "<b>", "<a href=x>a", "text ", P, "<li>"]


def check_columns(page: Page) -> None:
    rows = range(len(page.tags))
    assert page.tags[0] == "html"
    assert page.parents[0] == -1
    assert all(0 <= page.parents[row] < row for row in rows[1:])
    assert all(element in rows for element in (*page.owners, *page.leaf_elements))


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES.keys())
def test_every_element_has_a_parent_before_it(html: str) -> None:
    check_columns(Page.parse(html))


@given(st.lists(st.sampled_from(PARTS), max_size=12).map("".join))
def test_every_element_has_a_parent_before_it_on_any_page(html: str) -> None:
    check_columns(Page.parse(html + P))


NAMES = [method.name for method in methods() if not (method.needs_site_model or method.needs_boxes)]


@in_one_test(("name", "method"), list(product(PAGES, NAMES)))
def test_every_method_and_format_terminates(name: str, method: str) -> None:
    doc = extract(PAGES[name], "https://example.org/", method)
    assert all(doc.render(format_) for format_ in FORMATS if format_ not in ("text", "markdown"))
    assert len({block.xpath for block in doc.blocks}) >= min(1, len(doc.blocks))


def test_text_beside_the_root_is_read_and_has_an_xpath() -> None:
    page = Page.parse(DEEP["paragraphs"])
    assert [block.text for block in page.blocks] == [P[3:-4]] * 12
    paths = [block.xpath for block in page.blocks]
    assert len(set(paths)) == 12
    assert all(path.startswith("(//*)[") for path in paths)
    words = Page.parse(DEEP["words"])
    assert [leaf.xpath for leaf in words.leaves if leaf.element == 0] == ["/html"] * 12
    assert words.blocks[0].xpath == "/html"


def test_climb_ends_at_the_root() -> None:
    parents = [-1, 0, 1, 1, 0]
    assert list(climb(parents, 3)) == [3, 1, 0]
    assert list(climb(parents, -1)) == []
    assert climb_all(parents, [3, 4]) == {3, 1, 4, 0}


def find_climbs(source: str) -> list[int]:
    """Return the lines where a row is replaced by its parent: `row = parents[row]`, `row = page.parents[row] if … else …`."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            for part in ast.walk(node.value):
                if isinstance(part, ast.Subscript) and ast.unparse(part.value).split(".")[-1].strip("_") == "parents":
                    found += [node.lineno] * (ast.unparse(part.slice) == node.targets[0].id)
    return found


def test_nothing_else_climbs() -> None:
    assert find_climbs("while True:\n    row = page.parents[row]\n    a = parents[row]") == [2]
    package = ROOT / "src" / "bonmun"
    climbing = {
        path.relative_to(package).as_posix(): find_climbs(path.read_text("utf-8")) for path in package.rglob("*.py")
    }
    climbs = {path: len(lines) for path, lines in climbing.items() if lines}
    assert climbs == {
        "page/parse/ancestors.py": 2,
        "page/parse/leaf_pieces.py": 1,
        "lab/train/samples/augment.py": 1,
    }  # which takes one step, where there is one
