"""Quotation marks, ruby, emoji images, icon fonts."""

from __future__ import annotations

import pytest

import bonmun
from bonmun import Options, Page
from bonmun.errors import BadConfig
from timing import assert_linear

RUBY = "<p><ruby>漢<rp>（</rp><rt>かん</rt><rp>）</rp>字<rp>（</rp><rt>じ</rt><rp>）</rp></ruby>です</p>"


def texts(markup: str, *, ruby: bool = False) -> list[str]:
    return [block.text for block in Page.parse(markup, ruby=ruby).blocks]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>He said <q>no</q>.</p>", "He said “no”."),
        ("<p>He said <q>she said <q>no</q> again</q>.</p>", "He said “she said ‘no’ again”."),
        ("<p>He said <q cite=x><b>no</b></q>.</p>", "He said “no”."),
        ("<p lang=de>Er sagte <q>nein</q>.</p>", "Er sagte „nein“."),
        ("<html lang=fr-CA><p>Il dit <q>non</q>.</p>", "Il dit « non »."),
        ("<div lang=ru><p>Он сказал <q>нет</q>.</p></div>", "Он сказал «нет»."),
        ("<p lang=ja>彼は<q>いいえ</q>と言った。</p>", "彼は「いいえ」と言った。"),
        ("<p lang=ko>그는 <q>아니</q>라고 했다.</p>", "그는 “아니”라고 했다."),
        ("<p lang=zh-Hant>他說<q>不</q>。</p>", "他說「不」。"),
        ("<p>He said <q>“no”</q>.</p>", "He said “no”."),
        ("<p>He said <q> </q>nothing.</p>", "He said nothing."),
    ],
)
def test_quotation_marks_depend_on_the_language(markup: str, text: str) -> None:
    assert texts(markup) == [text]


def test_ruby_readings_are_left_out_by_default() -> None:
    assert texts(RUBY) == ["漢字です"]
    assert texts(RUBY, ruby=True) == ["漢（かん）字（じ）です"]
    assert texts("<p><ruby>漢字<rt>かんじ</rt></ruby>です</p>", ruby=True) == ["漢字(かんじ)です"]
    assert bonmun.extract(RUBY, method="all").text == "漢字です"
    assert bonmun.extract(RUBY, method="all", options=Options(ruby=True)).text == "漢（かん）字（じ）です"
    with pytest.raises(BadConfig):
        Options(ruby="yes")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>Fine <img class=emoji alt=😀></p>", "Fine 😀"),
        ("<p>Fine<img class=wp-smiley alt=':-)'>, you</p>", "Fine:-), you"),
        ("<p>Us <img alt=👨‍👩‍👧‍👦 src=x></p>", "Us 👨‍👩‍👧‍👦"),
        ("<p>Key <img alt=1️⃣ src=x></p>", "Key 1️⃣"),
        ("<p>A <img alt=photo src=x> <img alt=12 src=x> <img alt=사진 src=x> <img alt=☎☎☎☎☎☎☎☎☎☎☎☎☎☎ src=x></p>", "A"),
    ],
)
def test_emoji_images_become_characters(markup: str, text: str) -> None:
    assert texts(markup) == [text]


def test_an_emoji_is_not_also_an_image() -> None:
    doc = bonmun.extract("<p>a</p><p>b <img src=x.png alt=😀> c</p>", method="all", options=Options(images=True))
    assert doc.markdown == "a\n\nb 😀 c"


def test_icon_font_characters_are_left_out() -> None:
    page = Page.parse("<p>\ue001 Menu <i>\uf0c9</i><b>\U000f0001</b></p>")
    assert page.texts == ["Menu"]
    assert page.leaves[0].xpath == "/html/body/p[1]/text()[1]"


def test_marks_have_the_xpath_of_their_element() -> None:
    paths = [leaf.xpath for leaf in Page.parse("<p>a <q>b</q> <img alt=😀>").leaves]
    body = "/html/body/p[1]"
    assert paths == [f"{body}/text()[1]", f"{body}/q[1]", f"{body}/q[1]/text()[1]", f"{body}/q[1]", f"{body}/img[1]"]


@pytest.mark.parametrize(
    "unit", ["<q>", "<q>a</q>", "<ruby><rt>a", "<rt>a</rt>", "<img alt=😀>", f"<img alt={'😀' * 50}>"]
)
def test_no_page_takes_long(unit: str) -> None:
    assert_linear(
        lambda size: "<p>a<ruby>" + unit * size + "word " * size, lambda page: Page.parse(page, ruby=True), 16_000
    )
