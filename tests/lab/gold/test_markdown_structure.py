"""The structure of Markdown: every element, text that only looks like one, hostile texts, and random texts."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bonmun.lab.gold.structure import Heading, MarkdownLink, Structure, drop_targets, read_structure
from samples import in_one_test
from timing import assert_linear


@pytest.mark.parametrize(
    ("markdown", "code"),
    [
        ("```\na\n\n  b\n```", ["a\n\n  b"]),
        ("~~~ python\na\n```\nb\n~~~", ["a\n```\nb"]),
        ("````\n```\na\n```\n````", ["```\na\n```"]),
        ("- item\n\n  ```\n  def f():\n      pass\n  ```", ["def f():\n    pass"]),
        ("> ```\n> a\n> b\n> ```", ["a\nb"]),
        ("> ```\n> a\nno longer", ["a"]),
        ("```\nnever closed", ["never closed"]),
        ("text\n\n    a = 1\n\n    b = 2\n\ntext", ["a = 1\n\nb = 2"]),
        ("text\n\n\ta = 1\n\tb = 2", ["a = 1\nb = 2"]),
        ("text\n\n    one line set in", []),
        ("text\n    goes on\n    and on", []),
        ("- item\n\n    more of it\n    and more", []),
        ("text\n\n    - a\n    - b", []),
        ("`inline`", []),
        ("```\na\n```\n```\nb\n```", ["a", "b"]),
    ],
)
def test_code(markdown: str, code: list[str]) -> None:
    assert list(read_structure(markdown).code) == code


@pytest.mark.parametrize(
    ("markdown", "formulas"),
    [
        ("$x_1$ and $$y$$", ["x_1", "y"]),
        ("$$\n\\frac{1}{2}\n$$", ["\\frac{1}{2}"]),
        ("\\(a\\) and\n\\[\nb \\\\[2pt] c\n\\]", ["a", "b \\\\[2pt] c"]),
        ("It costs $5, or $6 for two.", []),
        ("It costs $5 or 6$ or $7.", ["5 or 6"]),  # ambiguous
        ("\\$5 and $6", []),
        ("as said \\[1\\], and again \\[2\\]", []),
        ("`$x$` and ``a ` $y$`` and $z$", ["z"]),
        ("```\n$x$\n```", []),
        ("| $a$ | b |\n|---|---|\n| $c$ | d |", ["a", "c"]),
        ("- $a$\n\n[^1]: $b$", ["a", "b"]),
        ("$\\$5$", ["\\$5"]),
        ("$ $ $$ $$", []),
    ],
)
def test_formulas(markdown: str, formulas: list[str]) -> None:
    assert list(read_structure(markdown).formulas) == formulas


@pytest.mark.parametrize(
    ("markdown", "tables"),
    [
        ("| a | b |\n|---|:-:|\n| *c* | d \\| e |", [[["a", "b"], ["c", "d | e"]]]),
        ("a | b\n-|-\nc | d\n\ntext", [[["a", "b"], ["c", "d"]]]),
        ("text\n\n> | a |\n> |---|\n> | b |", [[["a"], ["b"]]]),
        ("| | |\n|---|---|\n| a | |", [[["a", ""]]]),
        ("a | b\nc | d", []),
        ("|a|\n|-|\n|b|\n\n|c|\n|-|", [[["a"], ["b"]], [["c"]]]),
        ("<table><tr><th>a</th><td>b</td></tr>\n<tr><td>c<br>d</td></tr></table>", [[["a", "b"], ["c d"]]]),
        ("<table><tr><td>a<table><tr><td>b</table></td></tr></table>\n\n# c", [[["a b"]]]),
        ("<table> that never closes\n\n|a|\n|-|", [[["a"]]]),
        ("<table></table>", []),
    ],
)
def test_tables(markdown: str, tables: list[list[list[str]]]) -> None:
    assert [[list(row) for row in table] for table in read_structure(markdown).tables] == tables


def test_notes_headings_items_and_links() -> None:
    markdown = """---
title: No heading
---
# The *lamp* #

Sea
---

1. one
   goes on
2. two [lit](https://example.org/a_(b) "at six")
   - three

[^1]: A note
goes on.

    And on.
[^b]: Another, see [here](#back) ![image](x.png).

No note. <https://example.org>

---
"""
    assert read_structure(markdown) == Structure(
        notes=("A note goes on. And on.", "Another, see here ."),
        headings=(Heading(1, "The lamp"), Heading(2, "Sea")),
        items=("one goes on", "two lit", "three"),
        links=(MarkdownLink("lit", "https://example.org/a_(b)"),),
    )


def test_targets_and_images_are_dropped() -> None:
    assert drop_targets('# [a](b "c") ![d](e) [f] \\[g](h) [^1]') == "# a  [f] \\[g](h) [^1]"


PIECES = [
    *"`$|#>-[]()\\!<* \n\tax1",
    *("```\n", "~~~\n", "$$", "\\[", "\\]", "\\(", "\\)", "|-|\n", "\n\n", "    ", "[^1]: ", "<table>", "</table>"),
    *("<td>", "](", "===\n", "- ", "1. ", "> "),
]


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
@example("---\n")
@example("|\n|-")
def test_any_text_is_read(markdown: str) -> None:
    found = read_structure(markdown)
    assert all(isinstance(code, str) for code in found.code)
    assert all(formula.strip() == formula != "" for formula in found.formulas)
    assert all(row and any(row) for table in found.tables for row in table)
    assert all([*found.notes, *found.items, *(heading.text for heading in found.headings)])


@pytest.mark.slow
@in_one_test("piece", PIECES)
@in_one_test("before", ["", "a\n\n", "```\n", "$", "|a|\n|-|\n", "- ", "<table>"])
def test_repeated_pieces_take_linear_time(piece: str, before: str) -> None:
    found = assert_linear(lambda size: before + piece * (size // len(piece)) + "\nend", read_structure, 20_000)
    assert sum(map(len, found.code)) + sum(map(len, found.formulas)) <= 21_000


@pytest.mark.parametrize(
    "pair", ["[a](b ", "`` ` ", "$a ", "\\[a", "\\(a", "- a\n", "> a\n> ", "|a|\n|-|\n", "<table>\n"]
)
def test_pairs_take_linear_time(pair: str) -> None:
    found = assert_linear(lambda size: pair * (size // len(pair)), read_structure, 60_000)
    assert len(found.items) <= 15_000
