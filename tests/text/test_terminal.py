"""Plain-text tables, measured in terminal cells."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.text.terminal import Value, format_table, shorten

ACUTE = "\u0301"  # combining: takes no cell
LETTERS = "ab한글漢字かなé" + ACUTE
WORD = st.lists(st.sampled_from(["a", "b", "한", "漢", "か", f"e{ACUTE}"]), min_size=1, max_size=6).map("".join)
WORDS = st.lists(WORD, max_size=30).map(" ".join)


def cells(text: str) -> int:
    """Return the width of a text in cells, by Unicode's own tables."""
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(bool(unicodedata.combining(char)) for char in text)


def cut(line: str, start: int, stop: int) -> str:
    """Return the characters in some cells of a line, with their combining characters."""
    found, at = "", 0
    for char in line:
        place = at if cells(char) else at - 1
        found += char if start <= place < stop else ""
        at += cells(char)
    return found


# --- text_table ------------------------------------------------------------------------------------------------------


def test_a_table_by_hand() -> None:
    rows: list[list[Value]] = [["one", 1, 0.5, True], ["three", 1234, 12.34567, False]]
    assert format_table(["name", "n", "share", "kept"], rows) == (
        "name       n   share  kept\none        1   0.500  yes\nthree  1,234  12.346"
    )


@pytest.mark.parametrize(
    ("wide", "narrow"),
    [("한글", "abcd"), ("漢字", "abcd"), ("カナ", "abcd"), (f"e{ACUTE}", "e"), ("ｱ", "a"), ("！", "!!")],
)
def test_a_wide_text_takes_as_many_cells_as_a_narrow_one(wide: str, narrow: str) -> None:
    tables = [format_table(["a", "b"], [[text, "end"], ["abcdef", "end"]]) for text in (wide, narrow)]
    assert tables[0].replace(wide, narrow) == tables[1]


def test_wide_column_names_are_measured() -> None:
    assert format_table(["제목", "b"], [["x", "y"]]) == "제목  b\nx     y"


@pytest.mark.parametrize(
    "numbers", [[1, 22], [0.5, 10.25], ["1%", "22%"], ["-1", "2"], [None, 7], [1, None], ["=", "86"]]
)
def test_numbers_are_aligned_right(numbers: list[Value]) -> None:
    lines = format_table(["column", "x"], [[number, "x"] for number in numbers]).splitlines()
    assert [line.index("x") for line in lines] == [8, 8, 8]
    assert [line[5:8] == f"{line[5]}  " and line[5] != " " for line in lines] == [True, True, True]


@pytest.mark.parametrize("texts", [["a", "1"], ["1", "a"], ["1a", "2"], ["+1", "2"]])
def test_texts_are_aligned_left_even_if_some_are_numbers(texts: list[str]) -> None:
    assert format_table(["column"], [[text] for text in texts]) == "\n".join(["column", *texts])


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "-"),
        (True, "yes"),
        (False, ""),
        (0, "0"),
        (1, "1"),
        (-1234567, "-1,234,567"),
        (0.0, "0.000"),
        (1.0, "1.000"),
        (2 / 3, "0.667"),
        (-0.25, "-0.250"),
        ("", ""),
        ("None", "None"),
        ("…/div/p", "…/div/p"),
    ],
)
def test_values_are_formatted(value: Value, shown: str) -> None:
    assert format_table(["c"], [[value]]).split("\n")[1].strip() == shown


def test_a_table_without_rows_has_the_names_of_its_columns() -> None:
    assert format_table(["#", "method", "제목"], []) == "#  method  제목"


def test_a_table_without_columns_is_empty() -> None:
    assert format_table([], []) == ""


@pytest.mark.parametrize("gap", [0, 1, 2, 5])
def test_the_gap_between_columns(gap: int) -> None:
    blanks = " " * gap
    table = format_table(["제목", "n"], [["one", 1], ["three", 22]], gap=gap)
    assert table.split("\n") == [f"제목 {blanks} n", f"one  {blanks} 1", f"three{blanks}22"]


def test_no_line_ends_with_spaces() -> None:
    table = format_table(["a", "b", "kept"], [["x", "long enough", False], ["y", "", False], ["", "", True]])
    assert table.split("\n")[1:] == ["x  long enough", "y", "                yes"]


def test_a_row_that_is_too_short_raises() -> None:
    with pytest.raises((ValueError, IndexError)):
        format_table(["a", "b"], [["x"]])


@st.composite
def tables(draw: st.DrawFn) -> list[list[str]]:
    """Column names, and rows of texts and numbers without spaces at their ends."""
    width = draw(st.integers(1, 5))
    texts = st.text(LETTERS + " ", max_size=12).map(str.strip).filter(lambda text: not text.startswith(ACUTE))
    kinds = [draw(st.sampled_from([texts, st.integers(0, 999).map(str)])) for _ in range(width)]
    names = draw(st.lists(texts.filter(bool), min_size=width, max_size=width))
    return [names, *draw(st.lists(st.tuples(*kinds).map(list), max_size=6))]


@pytest.mark.slow
@given(tables())
def test_columns_are_aligned(table: list[list[str]]) -> None:
    lines = format_table(table[0], table[1:]).split("\n")
    assert len(lines) == len(table)
    start = 0
    for column in range(len(table[0])):
        texts = [row[column] for row in table]
        stop = start + max(map(cells, texts))
        shown = [cut(line, start, stop) for line in lines]
        assert [text.strip() for text in shown] == texts
        to_right = all(set(text) <= set("0123456789") for text in texts[1:])
        for text, place in zip(texts, shown, strict=True):
            before = cells(place) - cells(place.lstrip(" ")) if text else 0
            assert before == (stop - start - cells(text) if to_right and text else 0)
        assert {cut(line, stop, stop + 2).strip() for line in lines} == {""}
        start = stop + 2


# --- shortened -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("", ""),
        ("ten cells.", "ten cells."),
        ("ten cells. ", "ten cells."),
        ("ten cells, and more", "ten cells…"),
        ("nine cell and more", "nine cell…"),
        ("eight ce  and more", "eight ce…"),
        (" two\n\tlines ", "two lines"),
        ("다섯글자다", "다섯글자다"),
        ("다섯글자다.", "다섯글자…"),
        ("a다섯글자다", "a다섯글자…"),
        (f"e{ACUTE}" * 10, f"e{ACUTE}" * 10),
        (f"e{ACUTE}" * 11, f"e{ACUTE}" * 9 + "…"),
    ],
)
def test_a_text_is_shortened_to_ten_cells(text: str, short: str) -> None:
    assert shorten(text, 10) == short


def test_a_very_long_text_is_shortened() -> None:
    assert shorten("word " * 1_000_000, 60) == ("word " * 12)[:59].rstrip() + "…"
    assert shorten("글" * 1_000_000, 60) == "글" * 29 + "…"


@given(WORDS, st.integers(2, 60))
def test_a_shortened_text_is_one_line_and_fits(text: str, width: int) -> None:
    short = shorten(text.replace(" ", "\n"), width)
    assert cells(short) <= width
    assert len(short.splitlines()) <= 1
    folded = " ".join(text.split())
    if cells(folded) <= width:
        return
    assert short.endswith("…")
    assert folded.startswith(short[:-1])
    assert cells(short) >= width - 2 or folded[len(short) - 1] == " "


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("{" + " " * 60 + "alpha beta", "{ alpha b…"),
        ("{" + "\n" * 60 + "alpha", "{ alpha"),
        ("e" + ACUTE * 60 + " and even more", "e" + ACUTE * 60 + " and eve…"),
        (" " * 60 + "text", "text"),
        (" " * 9_996 + "text", "text"),
        (" " * 9_997 + "text", "tex…"),
        (" " * 20_000 + "text", "…"),
        ("text" + " " * 20_000, "text…"),
    ],
    ids=range(8),
)
def test_text_after_much_whitespace_is_marked_by_an_ellipsis(text: str, short: str) -> None:
    assert shorten(text, 10) == short


@pytest.mark.parametrize("turn", [*map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))], ids=ascii)
def test_direction_marks_are_removed(turn: str) -> None:
    assert shorten(f"{turn}ten {turn} cel{turn}ls.{turn}", 10) == "ten cells."
    assert shorten(f"{turn}ten cells, and more", 10) == "ten cells…"


@pytest.mark.parametrize("text", ["\u200fשלום\u200e", "a\u200db"])
def test_other_marks_are_kept(text: str) -> None:
    assert shorten(text, 10) == text
