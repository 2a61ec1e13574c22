"""Target elements by each reading, on a page small enough to count."""

from __future__ import annotations

import pytest

from bonmun.lab.train.samples.element_targets import TARGETS, Target
from bonmun.page import Page

# rows:   0 html, 1 head, 2 body, 3 nav, 4 div, 5 h1, 6 p, 7 b, 8 p, 9 i
HTML = (
    "<nav>12345</nav><div><h1>1234567890</h1><p>1234567890<b>123456789</b></p><p>12345678901<i hidden>no</i></p></div>"
)
MENU, TITLE, TEXT, BOLD, LAST, HIDDEN = range(6)


def mark(reading: Target, *leaves: int) -> list[int]:
    page = Page.parse(HTML)
    assert page.tags == "html head body nav div h1 p b p i".split()
    marks = TARGETS[reading](page, [leaf in leaves for leaf in range(len(page.texts))])
    return [row for row, marked in enumerate(marks) if marked]


@pytest.mark.parametrize(
    ("leaves", "whole", "root", "parents"),
    [
        ((), [], [], []),
        ((TEXT, BOLD, LAST), [6, 7, 8], [4], [6, 7, 8]),  # 30 of the division's 40 characters
        ((TITLE, TEXT, BOLD, LAST), [4, 5, 6, 7, 8], [4], [5, 6, 7, 8]),  # 40 of the page's 45: not nine tenths
        ((MENU, TITLE, TEXT, BOLD, LAST), [0, 2, 3, 4, 5, 6, 7, 8], [2], [3, 5, 6, 7, 8]),
        ((TEXT,), [], [6], [6]),  # 10 of the paragraph's 19
        ((BOLD,), [7], [7], [7]),
        ((TEXT, BOLD), [6, 7], [6], [6, 7]),
    ],
)
def test_readings(leaves: tuple[int, ...], whole: list[int], root: list[int], parents: list[int]) -> None:
    assert mark("whole", *leaves) == whole
    assert mark("root", *leaves) == root
    assert mark("parents", *leaves) == parents


def test_hidden_text_is_ignored() -> None:
    assert mark("whole", LAST) == [8]
    assert mark("root", LAST) == [8]


@pytest.mark.parametrize("reading", TARGETS)
def test_page_without_text(reading: Target) -> None:
    page = Page.parse("<img src=x>")
    assert not any(TARGETS[reading](page, []))
