"""Cheap tests rule out texts before slow patterns read them, but none that a pattern would match."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.metadata.authors import bylines, names
from bonmun.metadata.dates import parse
from bonmun.metadata.titles import pieces

REPORTERS = (
    bylines.KOREAN_REPORTER,
    bylines.CHINESE_REPORTER,
    bylines.CHINESE_REPORTER_AT_PLACE,
    bylines.CHINESE_REPORTER_BEFORE,
    bylines.CHINESE_REPORTER_OF_PAPER,
    bylines.REPORTER_WITH_PLACE,
    bylines.KOREAN_NAME_BEFORE_EMAIL,
)
NAMES = st.lists(
    st.sampled_from(
        [
            *(
                "Ann",
                "Lee",
                " ",
                " ",
                "\t",
                "on",
                "On",
                "IN",
                "in",
                "last",
                "for",
                "Tuesday",
                "thu",
                "monday",
                "Monday",
            ),
            *(
                "4",
                "٤",
                "|",
                "-",
                " - ",
                "·",
                "»",
                "(dpa)",
                "[x]",
                ":",
                "Fotos",
                "der ",
                "unser ",
                "_",
                ".",
                "laſt",
                "ſun",
            ),
            *(
                "홍길동",
                " 교수",
                "기자",
                "님",
                "さん",
                "報導",
                "科学报/",
                "베이징=",
                "＝編集委員",
                "최종",
                "\u3000",
                "\xa0",
                "K",
            ),
        ]
    ),
    max_size=6,
).map("".join)
LINES = st.lists(
    st.sampled_from(
        [
            *(
                "홍길동",
                "김철수",
                " ",
                "기자",
                "특파원",
                "PD",
                "記者",
                "记者",
                "王小明",
                "台北",
                "報導",
                "讯",
                "：",
                "作者",
            ),
            *(
                "/",
                "／",
                "中国青年报",
                "（",
                "）",
                "＝",
                "=",
                "・",
                "ソウル",
                "李民晧",
                "hong@example.com",
                "|",
                "28日電",
            ),
        ]
    ),
    max_size=7,
).map("".join)
TITLES = st.text(st.sampled_from("Aa |-:<>/~_ \t\n"), max_size=12)
DATES = st.lists(
    st.sampled_from(
        ["2026", "2019", " ", "\n", "4", ".", "-", "/", ",", "März", "March", "tháng", "4th", "年", "월", "x"]
    ),
    max_size=8,
).map("".join)


@given(NAMES)
def test_names_without_a_rest_are_left_as_they_are(value: str) -> None:
    if bylines._ends_with_name(value):
        assert bylines.AFTER_NAME.sub("", value) == value


@given(NAMES)
def test_only_words_that_are_there_are_dropped(value: str) -> None:
    expected = bylines.PAPER_BEFORE.sub("", value)
    expected = bylines.RESPECT_AT_END.sub("", bylines.REPORT_AT_END.sub("", expected)) or value
    expected = bylines.TITLE_AT_END.sub(r"\1", bylines.OFFICE_AT_END.sub("", expected))
    assert bylines._drop_east_asian_words(value) == bylines.PLACE_BEFORE.sub("", expected)


@given(LINES)
def test_reporters_are_searched_with_all_patterns_that_match(text: str) -> None:
    possible = bylines.list_reporters(text)
    assert [each for each in REPORTERS if each in possible or each.search(text)] == possible


@given(TITLES)
def test_titles_are_split_at_every_separator(title: str) -> None:
    expected = pieces.SEPARATOR.search(title)
    assert pieces.has_separator(title) == (expected is not None)


@given(DATES)
def test_days_before_a_year_end_in_a_mark_or_a_space(text: str) -> None:
    for pattern in parse.BEFORE_YEAR:
        if pattern.search(text):
            assert text[-1:].isspace() or text[-1:] in parse.DAY_ENDS


@pytest.mark.parametrize(
    "line", ["Ann Lee, Bo Kim, Cy Roe", "Ann Lee1, Bo Kim and Cy Roe*", "a lamp, Ann Lee, Bo Kim", ", Ann Lee"]
)
def test_lists_of_names_are_those_of_all_parts(line: str) -> None:
    parts = [part.rstrip(names.FOOTNOTE_MARKS).strip() for part in names.LIST_BREAK.split(line)]
    parts = [part for part in parts if part]
    assert names.find_listed_names(line) == (parts if all(map(names.PERSON.fullmatch, parts)) else [])
