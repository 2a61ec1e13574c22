"""The two trained methods over leaves, `sequence` and `web2text`: articles, hostile pages, custom model files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import bonmun
from bonmun import Page
from bonmun.algorithms import make_method
from bonmun.errors import BadConfig, BadInput, MissingInput
from bonmun.models.baselines.boilernet import WINDOW
from bonmun.models.baselines.leaf_files import read_leaf_weights, save_leaf_weights
from timing import assert_linear

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("sequence", "web2text")
by_name = pytest.mark.parametrize("name", NAMES)

ENGLISH = (
    "The old lighthouse at the end of the pier was lit again last night, after thirty dark years, and half of the town had come.",
    "It had been closed when the harbour moved to the other side of the bay. Since then, nobody had paid for its repair.",
    "A group of neighbours, most of them retired, spent four summers on the stairs, the roof and the lamp itself.",
    "“We did not think that it would ever work,” said one of them, “but we liked the view, and so we came back every week.”",
    "From now on the light will burn every Saturday until midnight. Visitors can climb the tower for a small fee.",
)
KOREAN = (
    "방파제 끝에 있는 오래된 등대가 서른 해 만에 다시 불을 밝혔다. 어젯밤에는 마을 사람 절반이 나와 그 모습을 지켜보았다.",
    "등대는 항구가 만 건너편으로 옮겨 가면서 문을 닫았다. 그 뒤로는 아무도 수리비를 내려 하지 않았고, 계단은 조금씩 무너졌다.",
    "대부분 은퇴한 이웃들이 모여 네 번의 여름 동안 계단과 지붕, 그리고 등을 고쳤다. 필요한 돈은 장터에서 모았다.",
    "“정말 켜질 줄은 몰랐습니다.” 그중 한 사람이 말했다. “하지만 경치가 좋아서 매주 다시 왔지요.”",
    "앞으로 등대는 토요일마다 자정까지 불을 밝힌다. 방문객은 적은 입장료를 내고 탑에 올라갈 수 있다.",
)
MENUS = {
    "en": ("Home", "News", "Sports", "Weather", "Contact", "Privacy policy", "© 2026 The Harbour Post. All rights reserved."),
    "ko": ("홈", "뉴스", "스포츠", "날씨", "문의", "개인정보처리방침", "© 2026 항구신문. 무단 전재 및 재배포 금지"),
}  # fmt: skip


def make_article(lang: str, texts: tuple[str, ...]) -> str:
    *links, policy, rights = MENUS[lang]
    menu = "".join(f"<li><a href=/{row}>{link}</a></li>" for row, link in enumerate(links))
    body = "".join(f"<p>{text}</p>" for text in texts)
    return (
        f"<html lang={lang}><head><title>{texts[0][:20]}</title></head><body><header><nav><ul>{menu}</ul></nav></header>"
        f"<main><article><h1>{texts[0][:20]}</h1><div class=content>{body}</div></article></main>"
        f"<footer><ul><li><a href=/p>{policy}</a></li></ul><p>{rights}</p></footer></body></html>"
    )


@by_name
@pytest.mark.parametrize(("lang", "texts"), [("en", ENGLISH), ("ko", KOREAN)])
def test_articles_are_extracted(name: str, lang: str, texts: tuple[str, ...]) -> None:
    doc = bonmun.extract(make_article(lang, texts), method=name)
    assert all(text in doc.text for text in texts)
    assert not [text for text in MENUS[lang] if text in doc.text]
    assert doc.confidence > 0.6
    assert doc.labels.unit == "leaf"
    assert doc.method == name


@by_name
def test_hidden_text_is_not_kept(name: str) -> None:
    html = make_article("en", ENGLISH).replace("<p>", "<p hidden>", 1)
    doc = bonmun.extract(html, method=name)
    assert ENGLISH[0] not in doc.text
    assert doc.labels.reasons[doc.page.texts.index(ENGLISH[0])] == "hidden"


@by_name
@pytest.mark.parametrize("html", ["<div><img src=x></div>", "<title>A title</title>", "<nav><a href=/>Home</a></nav>"])
def test_pages_without_main_text_are_empty(name: str, html: str) -> None:
    doc = bonmun.extract(html, method=name)
    assert (doc.text, doc.kind, doc.confidence) == ("", "empty", 0.0)


@by_name
@pytest.mark.parametrize("n", [1, 2, WINDOW, WINDOW + 1])
def test_any_number_of_leaves(name: str, n: int) -> None:
    labels = make_method(name).label(Page.parse("<p>one</p>" * n))
    assert len(labels.scores) == n
    assert all(0 <= score <= 1 for score in labels.scores)


@pytest.mark.slow
@by_name
@pytest.mark.parametrize(
    "html",
    [
        "<p>One word. <a href=x>two</a></p>" * 5_000,  # 10,000 leaves
        "<p>" + "word 등대 灯塔 " * 100_000,
        "<p>" + "x" * 1_000_000,
        "<div hidden>" + "<p>One. two</p>" * 1000,
        "<div>One. two" * 500,
        "<p>\x00\ufffd￾ \U0001f600 \u202e.</p>" * 10,
    ],
    ids=["many leaves", "one enormous leaf", "one enormous word", "only hidden", "deep", "odd characters"],
)
def test_hostile_pages_are_labelled(name: str, html: str) -> None:
    page = Page.parse(html)
    labels = make_method(name).label(page)
    assert len(labels.scores) == len(page.texts)
    assert all(0 <= score <= 1 for score in labels.scores)
    assert 0 <= labels.confidence <= 1


@pytest.mark.slow
@by_name
def test_time_is_linear_over_many_windows(name: str) -> None:
    assert_linear(lambda n: Page.parse("<p>One word.</p>" * n), make_method(name).label, 8_000)


@by_name
def test_the_same_page_has_the_same_scores(name: str) -> None:
    html = make_article("ko", KOREAN)
    first, second = (make_method(name).label(Page.parse(html)) for _ in range(2))
    assert (first.scores, first.kept, first.confidence) == (second.scores, second.kept, second.confidence)


def test_web2text_reasons_name_the_influence_of_neighbours() -> None:
    reasons = set()
    for lang, texts in (("en", ENGLISH), ("ko", KOREAN)):
        labels = make_method("web2text").label(Page.parse(make_article(lang, texts)))
        reasons |= set(labels.reasons)
        for score, kept, reason in zip(labels.scores, labels.kept, labels.reasons, strict=True):
            assert reason.startswith("main text") == (score > 0.5)
            assert ("but" in reason) == (kept != (score > 0.5))
    assert {"main text", "boilerplate"} <= reasons


@by_name
def test_a_custom_model(name: str, tmp_path: Path) -> None:
    path = tmp_path / "own.npz"
    html = make_article("en", ENGLISH)
    save_leaf_weights(read_leaf_weights(name), path)
    assert (
        bonmun.extract(html, method=name, options=bonmun.Options(model=path)).text
        == bonmun.extract(html, method=name).text
    )
    other = next(each for each in NAMES if each != name)
    with pytest.raises(BadInput, match=f"not a model for the method {other}"):
        bonmun.extract(html, method=other, options=bonmun.Options(model=path))
    with pytest.raises(MissingInput, match="no model file"):
        bonmun.extract(html, method=name, options=bonmun.Options(model=tmp_path / "none.npz"))
    with pytest.raises(BadConfig, match="takes no model; these do: auto, sequence, web2text"):
        bonmun.extract(html, method="rules", options=bonmun.Options(model=path))
