"""Lines about a text are left out: byline and date before it, reporter, editor and copyright after it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.algorithms.credits import find_credits
from bonmun.metadata import credit_lines
from timing import assert_linear

TEXT = "<p>The keeper had cleaned the lenses for weeks, and half of the village came up to help him.</p>"
BEFORE = (
    "By Ann Lee",
    "By Ann Lee, 6 May 2024",
    "By Ann Lee on May 6, 2024",
    "Von Hans Meier – 6. Mai 2024",
    "von Hans Meier",
    "【撰文：王小明、李大文】",
    "작성자: 홍길동",
    "撰文: 王小明 | 發佈日期: 07.04.20 | 最後更新: | 2026-03-04 00:43:00",
    "更新日: 2026年03月04日",
    "2026年3月4日更新",
    "입력 2026.03.04 오후 3:05 수정 2026.03.05",
    "4. März 2026, 14:59 Uhr Lesedauer: 4 Minuten",
    "Published Monday, April 3, 2023 11:58AM EDT<br>Last Updated Monday, April 3, 2023",
    "4 Marzo 2026 alle 10:43 1 minuti di lettura",
    "Par Anne Petit - 4 mars 2026 à 05:00 | mis à jour à 07:40 - Temps de lecture :",
    "Publicado em 4 de março de 2026 às 14h30",
    "Опубликовано 4 марта 2026 года в 14:30",
    "Publicerad 4 mars 2026 kl 14.30",
    "Thứ Hai, 24/06/2021, 10:15",
    "Yayınlanma: 4 Mart 2026 Çarşamba 10:15",
    "تاريخ النشر: 24/06/2021 10:15",
)
AFTER = (
    "홍길동 기자 hong@example.com",
    "등대일보 홍길동 기자 hong@example.com 홍길동 기자의 기사 더보기",
    "(등대일보 홍길동 기자)",
    "[저작권자(c) 등대일보 무단전재 및 재배포 금지]",
    "责任编辑：王小明",
    "声明：本文系灯塔网转载内容，版权归原作者所有。",
    "（C）2026 The Harbour News Services",
    "© hpa-news, hpa:260304-99-272638/2",
    "1997© Harbour On Line",
    "Alle Rechte vorbehalten.",
    "(끝)",
    "[END]",
    "#lamp #island, #light",
    "등대일보 홍길동 (hong@example.com)",
    "등대일보 기사문의 및 제보 : 카톡/라인 lamp24",
    "※ '당신의 제보가 뉴스가 됩니다'<br>[카카오톡] 등대일보 검색해 채널 추가<br>[전화] 02-123-4567<br>[메일] lamp@example.com",
    "Phone: 02 123 4567<br>Email: lamp@example.com",
    "인터뷰 자료의 저작권은 등대 라디오에 있습니다.<br>인용할 때 프로그램명을 밝혀주시기 바랍니다.",
)
NO_CREDITS = (
    "By the sea",
    "Von der Küste bis zu den Bergen",
    "작은 등대가 다시 켜졌다고 홍길동 기자가 말했다",
    "In 2026 the lamp was lit again",
    "4 March 2026, Harbour",
    "记者从市政府获悉，灯塔已经点亮。",
    "Copy the lamp",
    "(The end of the lamp)",
    "등대 관리인은 주민의 제보를 전화로 받았다",
    "Phone: 02 123 4567",
    "The keeper wrote an email to 3 papers<br>and waited<br>for days",
    "#1",
)


def find_texts(html: str) -> list[str]:
    page = Page.parse(html)
    return [page.block_texts[row] for row in sorted(find_credits(page, [True] * len(page.starts)))]


@pytest.mark.parametrize("line", BEFORE)
def test_bylines_and_dates_before_the_text_are_found(line: str) -> None:
    assert find_texts(f"<p>{line}</p>{TEXT * 9}") == [line.replace("<br>", "\n")]
    assert find_texts(f"{TEXT * 5}<p>{line}</p>{TEXT * 9}") == []


@pytest.mark.parametrize("line", AFTER)
def test_reporters_editors_and_copyright_after_the_text_are_found(line: str) -> None:
    assert find_texts(f"{TEXT * 9}<div>{line}</div>") == [line.replace("<br>", "\n")]
    assert find_texts(f"{TEXT * 5}<div>{line}</div>{TEXT * 9}") == []


@pytest.mark.parametrize("line", NO_CREDITS)
def test_other_lines_stay(line: str) -> None:
    assert find_texts(f"<p>{line}</p>{TEXT * 9}<p>{line}</p>") == []


def test_credits_of_images_and_quotations_stay() -> None:
    figure = "<figure><img src=lamp.jpg><figcaption>© Ann Lee</figcaption></figure>"
    assert find_texts(f"{figure}{TEXT * 9}{figure}") == []
    assert find_texts(f"{TEXT * 9}<blockquote><p>© Ann Lee</p></blockquote>") == []


def test_the_dates_of_a_timeline_stay() -> None:
    days = "".join(f"<p>{day} March 2026</p>{TEXT}" for day in range(1, 9))
    assert find_texts(days) == []
    assert find_texts(f"<ul><li>4 March 2026</ul>{TEXT * 9}") == []


def test_credits_stay_if_they_are_all_there_is() -> None:
    assert find_texts("<p>By Ann Lee</p><p>© 2026 Harbour</p>") == []


@pytest.mark.parametrize(
    "part",
    [
        "4 ",
        "By ",
        "| ",
        "By Ann Lee | ",
        "© ",
        "未经",
        "가나 ",
        "a@",
        "责编 a ",
        "#a",
        "#a, ",
        "제보 전화 1<br>",
        "tel 1 ",
    ],
)
def test_long_lines_take_linear_time(part: str) -> None:
    html = "<p>{}</p>" + TEXT * 3 + "<p>{}</p>"
    assert_linear(
        lambda size: Page.parse(html.format(part * size, part * size)), lambda page: find_texts_of(page), 2_000
    )


def find_texts_of(page: Page) -> list[int]:
    return find_credits(page, [True] * len(page.starts))


@given(data=st.data())
@pytest.mark.parametrize("name", ["COPYRIGHT", "CHANNEL"])
def test_whatever_a_pattern_finds_has_one_of_its_parts(name: str, data: st.DataObject) -> None:
    pattern = re.compile(getattr(credit_lines, name).pattern, re.I)
    text = data.draw(st.from_regex(pattern))
    folded = text.casefold()
    assert any(part in folded for part in getattr(credit_lines, f"{name}_PARTS"))
