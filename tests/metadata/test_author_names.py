"""A byline is split into names, without ranks, labels and the site."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun import extract
from bonmun.metadata.authors.names import split_names
from timing import assert_linear

BYLINES = [
    ("Lars Fischer und Alina Schadwinkel", ["Lars Fischer", "Alina Schadwinkel"]),
    ("José P. Zagal and Benj Edwards", ["José P. Zagal", "Benj Edwards"]),
    ("Ann Lee, Bob van der Ray, Cy Doe", ["Ann Lee", "Bob van der Ray", "Cy Doe"]),
    ("Анна Иванова и Пётр Петров", ["Анна Иванова", "Пётр Петров"]),
    ("María José García y Juan Pérez", ["María José García", "Juan Pérez"]),
    ("Ann Lee; Bob Ray", ["Ann Lee", "Bob Ray"]),
    ("Ann Lee, Staff Writer", ["Ann Lee"]),
    ("Lee, Ann", ["Ann Lee"]),
    ("O'Neil, Cathy", ["Cathy O'Neil"]),
    ("김두환 기자", ["김두환"]),
    ("머니S한아름 기자", ["한아름"]),
    ("등대일보 홍길동 기자", ["홍길동"]),
    ("홍길동·김철수 기자", ["홍길동", "김철수"]),
    ("사용자 애니Sarang", ["애니Sarang"]),
    ("张三 李四", ["张三", "李四"]),
    ("Department of Trade and Industry", ["Department of Trade and Industry"]),
    ("Le Phare et AFP", ["Le Phare et AFP"]),
    ("The Harbour Times", ["The Harbour Times"]),
    ("遠藤 誉", ["遠藤 誉"]),
    ("기자", ["기자"]),
]


@pytest.mark.parametrize(("byline", "names"), BYLINES)
def test_bylines_are_split_into_names(byline: str, names: list[str]) -> None:
    assert list(split_names(byline, [], {"등대일보", "lephare"})) == names


def test_declared_lists_are_split_where_the_page_splits_them() -> None:
    groups = [["Firooz, Hamed", "Sanjabi, Maziar"], ["Kim, A", "Lee, B"]]
    names = ("Hamed Firooz", "Maziar Sanjabi")
    assert split_names("Firooz, Hamed, Sanjabi, Maziar", groups, ()) == names
    assert split_names("Firooz, Hamed", groups, ()) == names
    assert split_names("Ann Lee", [["Ann Lee", "Image: The Pier"]], ()) == ("Ann Lee",)


def test_a_document_has_a_list_of_authors() -> None:
    metas = "".join(f"<meta name=citation_author content='{name}'>" for name in ("Lee, Ann", "Ray, Bob"))
    doc = extract(f"<title>A lamp</title>{metas}<h1>A lamp</h1><p>The old lamp was lit again last night.</p>")
    assert doc.authors == ("Ann Lee", "Bob Ray")
    assert doc.author == "Ann Lee; Bob Ray"
    assert doc.to_dict()["authors"] == ["Ann Lee", "Bob Ray"]
    assert doc.render("xml").count("<author>Ann Lee</author>") == 2
    empty = extract("<title>A lamp</title><p>The old lamp was lit again last night.</p>")
    assert (empty.authors, empty.author) == ((), None)


@given(st.text(max_size=80), st.lists(st.lists(st.text(max_size=20), min_size=1), max_size=3))
def test_any_byline_has_names(byline: str, groups: list[list[str]]) -> None:
    names = split_names(byline, groups, ())
    assert all(names)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("part", ["A", "Ann Lee and ", "Lee, ", "가", "· ", "van ", "a, b; "])
def test_long_bylines_take_linear_time(part: str) -> None:
    assert_linear(lambda size: part * size, lambda byline: split_names(byline, [], ()), 20_000)
