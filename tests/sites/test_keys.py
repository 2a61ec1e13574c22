"""Keys of leaves: equal texts, equal places, and the counts of a page."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.sites.keys import (
    LeafCount,
    Normalisation,
    count_leaves,
    find_dropped_leaves,
    hash_bytes,
    hash_places,
    hash_texts,
)
from timing import assert_linear

if TYPE_CHECKING:
    from collections.abc import Callable

HELLO = "안녕하세요"
SAME = Normalisation()
TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]) | st.sampled_from("가각Aa09٣"), max_size=20
)


def texts_of(markup: str, normal: Normalisation = SAME) -> list[int]:
    return hash_texts(Page.parse(markup), normal)


def places_of(markup: str) -> list[int]:
    return hash_places(Page.parse(markup))


# --- texts ------------------------------------------------------------------------------------------------------------


def test_keys_are_the_same_on_every_machine() -> None:
    """Counts and models on disk contain these keys: a changed value makes all of those files useless."""
    assert hash_bytes(b"") == 0xB4B2797457A0A6E4
    assert hash_bytes(HELLO.encode()) == 0x58CBFF3F60C9BA35
    page = Page.parse(f"<div class='post body' id=p1><p>{HELLO}</p></div>")
    assert hash_texts(page, SAME) == [0x58CBFF3F60C9BA35]
    assert hash_places(page) == [0x89CBDC49D6F8896F]
    assert count_leaves(page, SAME)[0] == 0x8B3EF1DE5808B47B


@pytest.mark.parametrize("text", ["가", "각", "한글 본문", "é", "Å"])
def test_a_composed_and_a_decomposed_text_are_the_same(text: str) -> None:
    composed, decomposed = unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)
    assert composed != decomposed
    assert texts_of(f"<p>{composed}</p><p>{decomposed}</p>")[0] == texts_of(f"<p>{decomposed}")[0]
    assert SAME(decomposed) == composed


def test_white_space_never_matters() -> None:
    assert len(set(texts_of("<p>더 보기</p><p> 더\n  보기 </p><p>더&nbsp;보기</p>"))) == 1
    assert len(set(texts_of("<p>더 보기</p><p>더보기</p>"))) == 2


@pytest.mark.parametrize(
    ("normal", "one", "other", "same"),
    [
        (Normalisation(), "조회 12", "조회 7", False),
        (Normalisation(digits=True), "조회 12", "조회 7", True),
        (Normalisation(digits=True), "조회 1,284", "조회 7", False),  # two numbers are not one
        (Normalisation(digits=True), "조회 12", "추천 12", False),
        (Normalisation(digits=True), "٣ تعليق", "12 تعليق", True),  # digits of any script
        (Normalisation(), "Read More", "Read more", False),
        (Normalisation(case=True), "Read More", "Read more", True),
        (Normalisation(case=True), "STRASSE", "Straße", True),
        (Normalisation(case=True), "조회 12", "조회 7", False),
        (Normalisation(digits=True), "Read More", "Read more", False),
        (Normalisation(digits=True, case=True), "Page 3 of 9", "PAGE 12 OF 40", True),
    ],
)
def test_text_equality_is_a_setting(normal: Normalisation, one: str, other: str, same: bool) -> None:
    keys = texts_of(f"<p>{one}</p><p>{other}</p>", normal)
    assert (keys[0] == keys[1]) is same


@given(text=TEXTS, digits=st.booleans(), case=st.booleans())
def test_all_spellings_have_the_same_normal_form(text: str, digits: bool, case: bool) -> None:
    normal = Normalisation(digits, case)
    assert normal(unicodedata.normalize("NFD", text)) == normal(unicodedata.normalize("NFC", text)) == normal(text)
    if digits:
        assert not any(char.isdecimal() and char != "0" for char in normal(text))


# --- places -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<p id=post30417>x", "<p id=post9>x"),
        ("<p id=post-30417-body>x", "<p id=post-9-body>x"),
        ("<p class='entry post-30417'>x", "<p class='entry post-9'>x"),
        ("<p class='a  b'>x", "<p class='a\n b '>x"),
        ("<p class=a data-no=1 style='color:red'>x", "<p class=a title=y>x"),
        ("<div id=a1><p>x", "<div id=a2><p>x"),
        ("<p>x", "<p>another text"),
        ("<p>x", "<ul></ul><p>x"),
    ],
)
def test_places_are_the_same_whatever_the_numbers(one: str, other: str) -> None:
    assert places_of(one) == places_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<p class=a>x", "<p class=b>x"),
        ("<p class=a>x", "<p>x"),
        ("<p class=a>x", "<p id=a>x"),
        ("<p id=post>x", "<p id=post1>x"),
        ("<p>x", "<div>x"),
        ("<div class=a><p>x", "<div class=b><p>x"),
        ("<div><p>x", "<p>x"),
        ("<div class=a><div class=b>x", "<div class=b><div class=a>x"),
        ("<p class='a#b'>x", "<p class=a id=b>x"),
    ],
)
def test_places_differ_by_tags_classes_and_ids(one: str, other: str) -> None:
    assert places_of(one) != places_of(other)


def test_posts_of_a_blog_have_one_place_and_its_menu_another() -> None:
    posts = "".join(f"<div class='post p-{n}' id=post_{n}><p>{n}번째 글</div>" for n in (7, 12, 30417))
    menu, *places = places_of(f"<ul class=menu><li>글 목록</ul>{posts}")
    assert len(places) == 3
    assert len(set(places)) == 1
    assert menu != places[0]


def test_numbers_are_the_same_in_long_names_too() -> None:
    """WordPress writes all tags of a post into its class."""
    tags = " ".join(["tag-바닷가", "category-여행"] * 20)
    assert places_of(f"<p class='post-9 {tags}'>x") == places_of(f"<p class='post-10 {tags}'>x")


def test_long_names_count_up_to_two_hundred_characters() -> None:
    assert places_of(f"<p class='{'a' * 200}b'>x") == places_of(f"<p class='{'a' * 200}c'>x")
    assert places_of(f"<p class='{'a' * 199}b'>x") != places_of(f"<p class='{'a' * 199}c'>x")


# --- what the first paper drops ---------------------------------------------------------------------------------------


def test_dropped_are_leaves_in_links_emphasis_headers_and_footers() -> None:
    page = Page.parse(
        "<header><p>머리</p></header><p>앞 <a href=/>고리</a> <em>강조</em> <i>기울임</i> <a href=/><b>깊이</b></a> 뒤</p>"
        "<footer><div><p>발</p></div></footer><p>끝</p>"
    )
    dropped = [text for text, gone in zip(page.texts, find_dropped_leaves(page), strict=True) if gone]
    assert dropped == ["머리", "고리", "강조", "깊이", "발"]


# --- counts of a page -------------------------------------------------------------------------------------------------


def test_leaves_are_counted_by_text_and_place() -> None:
    page = Page.parse("<p>공감</p><p>글</p><p>공감</p><a href=/>공감</a><a href=/>메뉴</a>")
    texts, places = hash_texts(page, SAME), hash_places(page)
    assert count_leaves(page, SAME)[1] == [
        LeafCount(texts[0], places[0], "공감", first=1, placed=1, occurrences=2, plain=2, size=6),
        LeafCount(texts[1], places[0], "글", first=1, placed=0, occurrences=1, plain=1, size=3),
        LeafCount(texts[0], places[3], "공감", first=0, placed=1, occurrences=1, plain=0, size=6),
        LeafCount(texts[4], places[3], "메뉴", first=1, placed=0, occurrences=1, plain=0, size=6),
    ]


def test_a_text_in_emphasis_is_counted_but_is_not_plain() -> None:
    _, rows = count_leaves(Page.parse("<p>글</p><p><em>글</em></p>"), SAME)
    assert [(row.occurrences, row.plain) for row in rows] == [(1, 1), (1, 0)]


def test_strings_and_sizes_are_those_of_the_normal_form() -> None:
    (row,) = count_leaves(Page.parse(f"<p>{unicodedata.normalize('NFD', '조회')} 1284"), Normalisation(digits=True))[1]
    assert (row.string, row.size) == ("조회 0", 8)


def test_pages_with_the_same_text_have_the_same_key() -> None:
    def hash_page(markup: str, normal: Normalisation = SAME) -> int:
        return count_leaves(Page.parse(markup), normal)[0]

    assert hash_page("<p>하나</p><p>둘</p>") == hash_page("<div class=x>하나<div>둘</div></div><script>1</script>")
    assert hash_page("<p>하나</p><p>둘</p>") != hash_page("<p>둘</p><p>하나</p>")
    assert hash_page("<p>하나</p>") != hash_page("<p>하나</p><p>하나</p>")
    assert hash_page("<p>조회 1</p>") != hash_page("<p>조회 2</p>")
    assert hash_page("<p>조회 1</p>", Normalisation(digits=True)) == hash_page(
        "<p>조회 22</p>", Normalisation(digits=True)
    )
    assert hash_page("<img>") == hash_page("<br>")


def test_a_page_without_text_has_no_rows() -> None:
    page = Page.parse("<img src=a.png>")
    assert (hash_texts(page, SAME), hash_places(page), find_dropped_leaves(page)) == ([], [], [])
    assert count_leaves(page, SAME)[1] == []


PLACED = st.lists(
    st.tuples(st.sampled_from("p div a em li".split()), st.sampled_from(["가", "나", "가 1", "가 2"])), max_size=12
)


@given(leaves=PLACED, digits=st.booleans())
def test_rows_add_up_to_the_leaves(leaves: list[tuple[str, str]], digits: bool) -> None:
    page = Page.parse("<main>" + "".join(f"<{tag}>{text}</{tag}>" for tag, text in leaves))
    normal = Normalisation(digits=digits)
    _, rows = count_leaves(page, normal)
    assert sum(row.occurrences for row in rows) == len(page.texts) == len(leaves)
    assert sum(row.plain for row in rows) == sum(tag not in ("a", "em") for tag, _ in leaves)
    assert sum(row.first for row in rows) == len(set(hash_texts(page, normal)))
    assert sum(row.placed for row in rows) == len(set(hash_places(page)))
    assert len({(row.text, row.place) for row in rows}) == len(rows)


# --- elements around leaves -------------------------------------------------------------------------------------------


def test_with_ancestors_returns_elements_and_ancestors_in_order() -> None:
    page = Page.parse("<div><p>하나</p><ul><li>둘</li></ul></div><img><p>셋</p>")
    assert page.tags == "html head body div p ul li img p".split()
    assert page.with_ancestors([6]) == [0, 2, 3, 5, 6]
    assert page.with_ancestors([8, 4, 4]) == [0, 2, 3, 4, 8]
    assert page.with_ancestors(page.leaf_elements) == [0, 2, 3, 4, 5, 6, 8]
    assert page.with_ancestors([]) == []
    assert page.with_ancestors(iter([0])) == [0]


# --- hostile pages ----------------------------------------------------------------------------------------------------

HOSTILE: dict[str, Callable[[int], str]] = {
    "nested": lambda n: "<div class=post>글 " * n,
    "nested, one text": lambda n: "<div id=d1>" * n + "글",
    "nested links": lambda n: "<div><em>가" * n,
    "classes": lambda n: "".join(f"<p class='c{i} {'x' * 1000}'>글" for i in range(n // 4)),
    "one huge class": lambda n: f"<p class='{'가나 ' * n * 20}'>글</p>",
    "one huge id": lambda n: f"<p id='{'7' * n * 50}'>글</p>",
    "one huge text": lambda n: f"<p>{'글 7 ' * n * 10}</p>",
    "many leaves": lambda n: "<p>글<b>자</b>" * n,
}


@pytest.mark.slow
@pytest.mark.parametrize("make", HOSTILE.values(), ids=list(HOSTILE))
def test_time_is_linear(make: Callable[[int], str]) -> None:
    def count(page: Page) -> tuple[int, int]:
        _, rows = count_leaves(page, Normalisation(digits=True, case=True))
        return sum(row.occurrences for row in rows), len(page.texts)

    occurrences, leaves = assert_linear(lambda n: Page.parse(make(n)), count, 20_000)
    assert occurrences == leaves > 0


@pytest.mark.parametrize(("depth", "places"), [(500, 500), (5_000, 510)])  # the parser, as browsers do, nests 512 deep
def test_nested_elements_have_different_places(depth: int, places: int) -> None:
    page = Page.parse("<div>글" * depth)
    assert len(page.texts) == depth
    assert len(set(hash_places(page))) == places
    assert len(set(hash_texts(page, SAME))) == 1
    assert sum(row.first for row in count_leaves(page, SAME)[1]) == 1


def test_lone_surrogates_and_control_characters_have_keys() -> None:
    page = Page.parse("<p class='\ud800'>글 &#xd800;</p><p id='\udfff'>\x01글\ud800</p>")
    assert len(hash_texts(page, SAME)) == len(hash_places(page)) == 2
    assert all(row.string.encode() for row in count_leaves(page, SAME)[1])
