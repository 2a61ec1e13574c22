"""A byline is split into names, without ranks, labels and the site."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun import extract
from bonmun.metadata.authors.bylines import clean_name
from bonmun.metadata.authors.lines import find_bylines
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
    ("Ann Lee, CEO of the Harbour", ["Ann Lee"]),
    ("Ann Lee, Head of Marketing and Lamps", ["Ann Lee"]),
    ("Ann Lee Senior Lamps Reporter", ["Ann Lee"]),
    ("Ann Lee, of the harbour", ["Ann Lee, of the harbour"]),
    ("ann Lee und Bob Ray", ["ann Lee", "Bob Ray"]),
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


# Lines as newspapers and boards write them, and the names in them.
LINES = [
    ("[등대일보=홍길동 기자]", ["홍길동"]),
    ("[등대스포츠ㅣ홍길동기자]", ["홍길동"]),
    ("홍길동·김철수 기자", ["홍길동", "김철수"]),
    ("홍길동 기자, 김철수 기자", ["홍길동", "김철수"]),
    ("정치부, 홍길동 기자", ["홍길동"]),
    ("홍길동 의학전문기자", ["홍길동"]),
    ("기자명 홍길동", ["홍길동"]),
    ("글 홍길동 사진 김철수", ["홍길동"]),
    ("글·사진 홍길동 기자", ["홍길동"]),
    ("홍길동 기자 hong@example.com", ["홍길동"]),
    ("사진=홍길동 기자", []),
    ("등대 온라인 뉴스 기자", []),
    ("本报记者 张三 北京报道", ["张三"]),
    ("2026-03-04 16:13 灯塔社 記者王小明台北28日電", ["王小明"]),
    ("（灯塔日报记者李大文编译）", ["李大文"]),
    ("记者张三、李四报道", ["张三", "李四"]),
    ("記者王小明／台北報導", ["王小明"]),
    ("【王小明／台北報導】", ["王小明"]),
    ("文/记者 张三 摄影/李四", ["张三"]),
    ("文｜张三 编辑｜李四", ["张三"]),
    ("灯报记者 李蕾 王强 灯报编辑 肖月", ["李蕾", "王强"]),
    ("记者 张颖 见习记者 王雪", ["张颖"]),
    ("记者从市政府获悉", []),
    ("记者综合报道", []),
    ("（文＝田中太郎）", ["田中太郎"]),
    ("文：田中太郎　写真：鈴木花子", ["田中太郎"]),
    ("Text: Hans Meier, Fotos: Lisa Blum", ["Hans Meier"]),
    ("Von unserem Korrespondenten Hans Meier", ["Hans Meier"]),
    ("von Hans Meier und Lisa Blum (dpa)", ["Hans Meier", "Lisa Blum"]),
    ("Von der Küste bis zu den Bergen", []),
]


@pytest.mark.parametrize(("line", "names"), LINES)
def test_lines_are_searched_for_the_names_of_writers(line: str, names: list[str]) -> None:
    found = {split_names(clean_name(name), [], ()) for name, _ in find_bylines(line)}
    assert found == ({tuple(names)} if names else set())


def test_a_space_is_within_japanese_names_and_between_chinese_ones() -> None:
    assert split_names("坂本 信博", [], (), "ja") == ("坂本 信博",)
    assert split_names("坂本 信博、鈴木 花子", [], (), "ja") == ("坂本 信博", "鈴木 花子")
    assert split_names("张三 李四", [], (), "zh") == ("张三", "李四")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("三和 護＝編集委員", "三和 護"),
        ("홍길동 교수", "홍길동"),
        ("《KT》", "KT"),
        ("Ann Lee (she/her)", "Ann Lee"),
        ("lamp1959", "lamp1959"),
        ("Ann Lee2026-03-04", "Ann Lee"),
        ("베이징=홍길동", "홍길동"),
        ("베이징=홍길동 특파원", "홍길동 특파원"),
    ],
)
def test_names_are_cleaned(text: str, name: str) -> None:
    assert clean_name(text) == name


@pytest.mark.parametrize("label", ["関連記事", "더보기", "Nachricht", "2026-03-04 16:13 灯塔社 台北"])
def test_labels_are_no_authors(label: str) -> None:
    text = "<p>灯台の古い灯りが昨夜ふたたびともされ、港に集まった人びとはそれを静かに見守っていた。</p>"
    doc = extract(f"<html lang=ja><title>灯台</title><h1>灯台のあかり</h1><div class=author>{label}</div>{text * 3}")
    assert doc.authors == ()


@pytest.mark.parametrize(
    ("byline", "author"),
    [
        ("By Ann Lee on lundi, avril 6th", "Ann Lee"),
        ("Von Ann Lee am Montag, 6. April", "Ann Lee"),
        ("By Center for Lamps", "Center for Lamps"),
        ("By Ann Lee for the Harbour News", "Ann Lee"),
        ("Sat, 20 Dec - 06:36", None),
        ("Quelle: dpa", None),
        ("No Comments", None),
        ("12 commentaires", None),
        ("阅读次数：", None),
        ("By admin on lundi, avril 6th", None),
    ],
)
def test_what_is_not_a_name_is_left_out(byline: str, author: str | None) -> None:
    text = "<p>The old lamp was lit again last night, and half of the village came up to help the keeper.</p>" * 3
    doc = extract(f"<title>A lamp is lit</title><h1>A lamp is lit</h1><p class=author>{byline}</p>{text}")
    assert doc.author == author


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


@pytest.mark.parametrize("part", [" ", ", ", "记者", "记者张三", "홍길동·", "가나 ", "(", "a (", "张三／"])
def test_long_lines_take_linear_time(part: str) -> None:
    assert_linear(lambda size: part * size, find_bylines, 20_000)


@pytest.mark.parametrize("part", ["A", "Ann Lee and ", "Lee, ", "가", "· ", "van ", "a, b; "])
def test_long_bylines_take_linear_time(part: str) -> None:
    assert_linear(lambda size: part * size, lambda byline: split_names(byline, [], ()), 20_000)
