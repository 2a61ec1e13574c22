"""Kept blocks that are only the words of a control are found; sentences, headings, cells and code are not."""

from __future__ import annotations

import pytest

import bonmun
from bonmun import Page
from bonmun.algorithms.completion import complete_text
from bonmun.models.features.page_arrays import PAGE_KINDS
from bonmun.models.network.thresholds import Decision
from bonmun.page.controls import AROUND, MAX_CHARS, WORDS, find_buttons, find_controls, find_trailing_controls
from samples import in_one_test
from timing import assert_linear

TEXT = "<p>The keeper had cleaned the lenses for weeks, and half of the village came up to help.</p>"
KINDS = [(kind, 0.1) for kind in PAGE_KINDS]
CONTROLS = (
    "Read more »",
    "READ MORE...",
    "Share on Pinterest",
    "더보기",
    "[ 광고 ]",
    "関連記事",
    "加载中…",
    "Читайте также:",
    "+ 더보기 3",
)


def find_texts(html: str) -> list[str]:
    page = Page.parse(html)
    return [page.block_texts[row] for row in find_controls(page, [True] * len(page.starts))]


@pytest.mark.parametrize("words", CONTROLS)
def test_the_words_of_a_control_are_found(words: str) -> None:
    assert find_texts(f"{TEXT}<div>{words}</div>{TEXT}") == [words]


@pytest.mark.parametrize(
    "html",
    [
        "<p>Read more about the lamp</p>",
        "<h2>Related articles</h2>",
        "<table><tr><th>Button</th><th>Use</th></tr><tr><td>Read more</td><td>opens</td></tr></table>",
        "<pre>read more</pre>",
        f"<p>{'Read more ' * MAX_CHARS}</p>",
        "<p>…</p><p>12</p>",
    ],
)
def test_other_texts_are_not_found(html: str) -> None:
    assert find_texts(TEXT + html + TEXT) == []


def test_words_are_as_they_are_looked_up() -> None:
    lines = WORDS.read_text(encoding="utf-8").splitlines()
    words = [word.strip().removesuffix(":") for line in lines for word in line.split(";")]
    assert words == [word.strip(AROUND).lower() for word in words]
    assert "" not in words
    assert max(map(len, words)) <= MAX_CHARS


def test_controls_within_the_text_are_dropped_with_a_reason() -> None:
    texts = [TEXT.replace("The", name) for name in ("The old", "The new", "No", "Each", "Her", "One")]
    body = "".join([*texts[:3], "<p>Share on Pinterest</p>", *texts[3:]])
    page = f"<title>Lamps</title><article><h1>Lamps</h1>{body}</article>"
    doc = bonmun.extract(page)
    assert "Share on" not in doc.text
    assert doc.text.count(" keeper had cleaned") == 6
    row = doc.page.block_texts.index("Share on Pinterest")
    assert doc.labels.reasons[row] == "words of a control"


def test_a_page_of_nothing_but_controls_stays_as_it_is() -> None:
    page = Page.parse("<p>Read more</p>")
    decision = Decision([True], [0.9], ["like main text"], [], "article", KINDS, 0.9, [])
    complete_text(page, decision, frozenset())
    assert decision.kept == [True]


def test_controls_are_found_in_linear_time() -> None:
    def parse(count: int) -> Page:
        return Page.parse("<p>Read more</p><p>…………………………………………………</p>" * count)

    assert_linear(parse, lambda page: find_controls(page, [True] * len(page.starts)), 1_000)


def find_ends(html: str) -> list[str]:
    page = Page.parse(f"<body>{TEXT}{html}{TEXT}")
    return [page.texts[leaf] for leaf in sorted(find_trailing_controls(page, [True] * len(page.starts)))]


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<p>The lamp is lit … <a href=/a>Read more »</a></p>", ["Read more »"]),
        ("<p>The lamp is lit. <a href=/a>Weiterlesen <span>→</span></a></p>", ["Weiterlesen", "→"]),
        ("<p>The lamp … <a href=/a>Continue reading <span>The lamp</span></a></p>", ["Continue reading", "The lamp"]),
        ("<p><a href=/a>The lamp is lit. <span>Lire la suite</span></a></p>", ["Lire la suite"]),
        ("<p>To see the lamp, <a href=/a>read more</a></p>", []),
        ("<p>The lamp is lit. <a href=/a>Read more</a> about it.</p>", []),
        ("<p>The lamp is lit. <a href=/a>Read more about it</a></p>", []),
        ("<p>The lamp is lit. Read more</p>", []),
        ("<h2>Lamps. <a href=/a>Read more</a></h2>", []),
    ],
)
def test_a_control_at_the_end_of_a_text_is_found(html: str, found: list[str]) -> None:
    assert find_ends(html) == found


def test_a_control_at_the_end_of_a_text_is_left_out() -> None:
    teaser = f"{TEXT[:-4]} <a href=/a>Read more</a></p>"
    doc = bonmun.extract(f"<title>A lamp</title><h1>A lamp</h1>{TEXT * 2}{teaser}{TEXT}", method="auto")
    assert "Read more" not in doc.markdown
    assert "Read more" not in doc.text
    kept = bonmun.extract(f"<title>A lamp</title><h1>A lamp</h1>{TEXT * 2}{teaser}{TEXT}", method="rules")
    assert "Read more" in kept.text


def test_many_ends_take_linear_time() -> None:
    def make(count: int) -> Page:
        return Page.parse(f"<p>{'A lamp. <a href=/a>Read more</a> ' * count}</p>" + "<p><a>a <b>b</b></a></p>" * count)

    assert_linear(make, lambda page: find_trailing_controls(page, [True] * len(page.starts)), 8000)


BUTTONS = {
    "class of the link": "<p><a class=btn href=/{n}>อ่านทั้งหมด</a></p>",
    "class around it": "<div class=read-more><a href=/{n}>Visa alla artiklar</a></div>",
    "arrow": "<p><a href=/{n}>Vaata kõiki →</a></p>",
    "button": "<p><button><a href=/{n}>Ava</a></button></p>",
    "button without link": "<div><button type=button>Vali</button></div>",
    "heading": "<h4 class=more><a href=/{n}>もっと</a></h4>",
}
NO_BUTTONS = {
    "label": "<p class=category><a href=/{n}>Sport</a></p>",
    "no link": "<p class=more>Sport</p>",
    "price": "<p><a class=btn href=/{n}>9 €</a></p>",
    "other texts": "<p><a class=btn href=/{n}>Lamp {word}</a></p>",
    "long": "<p><a class=btn href=/{n}>The lamps of the old lighthouse →</a></p>",
    "cell": "<table><tr><th>A<th>B<tr><td>x{n}<td class=more><a href=/{n}>Open</a></table>",
    "part of a word": "<p class=moreover><a href=/{n}>Sport</a></p>",
}


def list_buttons(item: str, times: int) -> list[str]:
    page = Page.parse("<body>" + "".join(item.format(n=n, word="abc"[n % 3] * n) for n in range(times)))
    return [page.block_texts[row] for row in find_buttons(page, [True] * len(page.starts))]


@in_one_test("item", BUTTONS.values(), BUTTONS)
def test_buttons_are_known_by_repetition_in_any_language(item: str) -> None:
    assert len(list_buttons(item, 3)) == 3
    assert not list_buttons(item, 2)


@in_one_test("item", NO_BUTTONS.values(), NO_BUTTONS)
def test_other_repeated_texts_are_no_buttons(item: str) -> None:
    assert not list_buttons(item, 4)


def test_buttons_are_found_in_linear_time() -> None:
    def make(size: int) -> Page:
        return Page.parse("<div class=more>" * 300 + f"<p><a href=/x class='{'mor ' * 200}'>Open</a></p>" * size)

    assert_linear(make, lambda page: find_buttons(page, [True] * len(page.starts)), 2_000)
