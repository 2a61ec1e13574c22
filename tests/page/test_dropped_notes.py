"""Notes that kept text refers to are kept, too."""

from __future__ import annotations

from bonmun import Page
from bonmun.page.notes.dropped_notes import find_dropped_notes
from timing import assert_linear

TEXT = "The lighthouse was lit again, and half of the village came up to help the keeper of the lamp."
MARK = "<sup><a href=#fn{0} id=ref{0}>{0}</a></sup>"
NOTE = "<li id=fn{0}><p>See the log of the year {0}.</p><p>It is kept in the tower.</p></li>"


def make(numbers: range, text: str = TEXT) -> Page:
    marks = "".join(f"<p>{text}{MARK.format(number)}</p>" for number in numbers)
    return Page.parse(f"<body>{marks}<ol>{''.join(NOTE.format(number) for number in numbers)}</ol><p>About us</p>")


def find(page: Page, kept: str = "lit again") -> list[str]:
    rows = find_dropped_notes(page, [kept in text for text in page.block_texts])
    return [page.block_texts[row] for row in rows]


def test_all_blocks_of_dropped_notes_are_found() -> None:
    assert find(make(range(1, 3))) == [
        "See the log of the year 1.",
        "It is kept in the tower.",
        "See the log of the year 2.",
        "It is kept in the tower.",
    ]


def test_notes_of_dropped_text_stay_dropped() -> None:
    assert find(make(range(1, 3)), "About us") == []
    assert find(make(range(1, 2))) == []  # one reference may be anything


def test_notes_do_not_outgrow_the_text() -> None:
    page = Page.parse(make(range(1, 3)).markup[0].text)
    assert find(page) == []  # without markup, there are no references
    assert find(make(range(1, 3), "lit again")) == []


def test_dropped_notes_are_found_in_linear_time() -> None:
    def run(page: Page) -> int:
        return len(find(page))

    assert assert_linear(lambda size: make(range(1, size + 1)), run, 1_000) == 2_000
