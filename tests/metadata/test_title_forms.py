"""Titles with the name of the site, in many languages, and with separators that are part of names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bonmun
from bonmun import Page
from bonmun.metadata import read_metadata
from bonmun.metadata.titles.pieces import cut_known_site, split_title
from bonmun.text.readable import make_readable
from timing import assert_linear

SENTENCE = {
    "en": "The lamp at the end of the pier was lit again last night, and people came to look at it.",
    "ko": "부두 끝의 등대에 어젯밤 다시 불이 켜졌고, 마을 사람들이 그것을 보러 모여들었다.",
    "ja": "昨夜、桟橋の端にある灯台に再び明かりがともり、町の人々がそれを見に集まった。",
    "zh": "昨天夜里，码头尽头的灯塔重新亮了起来，镇上的人们纷纷赶来观看。",
}


def find_title(title: str, lang: str = "en", head: str = "", top: str = "", url: str | None = None) -> str | None:
    """Return the title of a page with this `<title>`."""
    text = "".join(f"<p>{number}. {SENTENCE[lang]}</p>" for number in range(8))
    html = f"<html lang={lang}><head><title>{title}</title>{head}</head><body>{top}<main>{text}</main></body></html>"
    return bonmun.extract(html, url=url).title


@pytest.mark.parametrize(
    ("title", "right"),
    [
        ("How to use snake_case names - Pier Docs", "How to use snake_case names"),
        ("Module pier_http_lamp_module", "Module pier_http_lamp_module"),
        ("&lt;table&gt;: The Table element - Pier Docs", "<table>: The Table element"),
        (":hover and its friends | Pier Docs", ":hover and its friends"),
        ("Vectors in std::vector and elsewhere | Pier Docs", "Vectors in std::vector and elsewhere"),
    ],
)
def test_separators_within_names_are_kept(title: str, right: str) -> None:
    head = '<meta property="og:site_name" content="Pier Docs">'
    heading = f"<h1>{title.partition(' - Pier')[0].partition(' | Pier')[0]}</h1>"
    assert find_title(title, head=head, top=heading) == right
    assert find_title(title, head=head) == right


@pytest.mark.parametrize(
    ("lang", "title", "site", "right"),
    [
        ("ko", "등대에 다시 켜진 불 : 네이버 블로그", "네이버 블로그", "등대에 다시 켜진 불"),
        ("ko", "등대에 다시 켜진 불::부두신문", "부두신문", "등대에 다시 켜진 불"),
        ("ja", "灯台に再び明かりがともる｜桟橋ニュース", "桟橋ニュース", "灯台に再び明かりがともる"),
        ("ja", "灯台に再び明かりがともる-桟橋ニュース", "桟橋ニュース", "灯台に再び明かりがともる"),
        ("zh", "码头尽头的灯塔重新亮起_码头新闻", "码头新闻", "码头尽头的灯塔重新亮起"),
        ("zh", "码头尽头的灯塔重新亮起丨码头新闻", "码头新闻", "码头尽头的灯塔重新亮起"),
        ("en", "Pier News: The lamp is lit again", "Pier News", "The lamp is lit again"),
        ("en", "The lamp is lit again: Pier News", "Pier News", "The lamp is lit again"),
    ],
)
def test_known_site_names_are_cut_off(lang: str, title: str, site: str, right: str) -> None:
    assert find_title(title, lang, f'<meta property="og:site_name" content="{site}">') == right


def test_the_name_of_a_blog_in_the_first_heading_is_not_the_title() -> None:
    head = '<meta property="og:title" content="부두의 등대">'
    top = "<h1>어느 날의 기록</h1>"
    assert find_title("어느 날의 기록 : 부두의 등대", "ko", head, top, "https://blog.example/31") == "부두의 등대"


def test_the_host_is_a_site_name() -> None:
    for mark in ("»", "|", "-"):
        assert (
            find_title(f"Lamps {mark} The lamp is lit again", url="https://www.lamps.example/1")
            == "The lamp is lit again"
        )


def test_site_names_are_cut_off_both_ends() -> None:
    assert cut_known_site("Pier: Lamps: a story - Pier", lambda name: name.strip() == "Pier") == "Lamps: a story"
    assert cut_known_site("Pier", lambda name: True) == "Pier"


@given(st.text("a|:_-<> ｜丨불_灯", max_size=60))
def test_split_titles_are_parts_of_the_title(title: str) -> None:
    assert all(piece in title for piece, _ in split_title(title))
    assert make_readable(cut_known_site(title, lambda name: not name.strip("a "))) in make_readable(title)


@pytest.mark.parametrize("mark", ["|", ":", " - ", "_", "灯-", "::", " :: ", "｜"])
def test_titles_of_separators_take_linear_time(mark: str) -> None:
    assert_linear(lambda size: mark * size, find_title, 50_000)


def test_a_column_header_of_a_list_is_not_a_title_label() -> None:
    rows = "".join(f"<tr><td>{n}<td><a href=/{n}>다른 글 {n}</a><td>주민 {n}</tr>" for n in range(5))
    table = f"<table><tr><th>번호<th>제목<th>글쓴이</tr>{rows}</table>"
    assert find_title("등대에 다시 켜진 불 > 게시판", "ko", top=table) == "등대에 다시 켜진 불"


def test_a_kind_of_page_before_the_headline_is_cut_off() -> None:
    head = '<meta property="og:title" content="Coats &amp; Jackets"><meta property="og:site_name" content="Pier Shop">'
    top = "<h1>Collection: Coats &amp; Jackets</h1>"
    assert find_title("Coats &amp; Jackets – Pier Shop", head=head, top=top) == "Coats & Jackets"


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("<span>Harbour news</span><span>The lamp is lit</span>", "Harbour news The lamp is lit"),
        ("<small>Harbour news</small>The lamp is lit", "Harbour news The lamp is lit"),
        ("<span>Harbour news</span><span>„The lamp is lit“</span>", "Harbour news „The lamp is lit“"),
        ("<span>i</span>Lamp and other lights", "iLamp and other lights"),
        ("<span>T</span>he lamp is lit", "The lamp is lit"),
        ("The JavaScript of <em>LampLighters</em>", "The JavaScript of LampLighters"),
    ],
)
def test_parts_of_a_headline_are_not_glued(heading: str, title: str) -> None:
    text = "<p>The old lamp was lit again last night, and half of the village came up to help the keeper.</p>" * 3
    assert bonmun.extract(f"<title>Lighthouse</title><h1>{heading}</h1>{text}").title == title


def test_titles_of_teasers_are_not_the_title_of_a_list() -> None:
    head = '<meta property="og:title" content="A boat sinks at night">'
    top = "<h2><a href=/1>A boat sinks at night</a></h2><p>Many people came.</p><h2><a href=/2>Lamps</a></h2>"
    assert find_title("Articles for 2026 - Pier News", head=head, top=top) == "Articles for 2026"
    assert find_title("Pier News", head=head, top="<h1>A boat sinks at night</h1>") == "A boat sinks at night"


@pytest.mark.parametrize("heading", ["Your choice regarding cookies on this site", "Words of a paragraph " * 12])
def test_questions_about_cookies_and_paragraphs_are_no_titles(heading: str) -> None:
    head = '<meta property="og:title" content="Lamps of the pier">'
    assert find_title("Lamps of the pier - Pier News", head=head, top=f"<h1>{heading}</h1>") == "Lamps of the pier"


def test_a_long_or_strange_heading_that_the_page_declares_is_its_title() -> None:
    for heading in ("What are cookies?", "words of a very long title " * 9):
        assert find_title(heading, top=f"<h1>{heading}</h1>") == heading.strip()


TEASER = "<h1><a href=/2>A boat sinks at night</a></h1><h2><a href=/3>A storm comes</a></h2>"


@pytest.mark.parametrize(
    ("url", "title", "top", "expected"),
    [
        ("https://pier.example/", "Home - Pier News", "<h1>Home</h1>", "Pier News"),
        ("https://pier.example/2026/", "Pier News | 홈", "<h2>홈</h2>", "Pier News"),
        ("https://pier.example/home", "Home", "<h1>Home</h1>", "Home"),  # there is no other title
        ("https://pier.example/a", "A boat sinks", "<h2>Home</h2>", "A boat sinks"),
        # a heading that leads to another page is not the title of a home page, one that leads to itself may be
        ("https://pier.example/", "Pier News", TEASER, "Pier News"),
        (
            "https://pier.example/?a=1",
            "Pier News - Lamps and boats",
            "<h1><a href='/#top'>Pier News</a></h1>",
            "Pier News",
        ),
        ("https://pier.example/2", "A boat sinks at night | Pier News", TEASER, "A boat sinks at night"),
    ],
)
def test_titles_of_home_pages(url: str, title: str, top: str, expected: str) -> None:
    text = "<p>The old lamp was lit again last night, and half of the village came up to help the keeper.</p>" * 3
    assert bonmun.extract(f"<title>{title}</title>{top}{text}", url=url).title == expected


def test_many_teasers_take_linear_time() -> None:
    def parse(size: int) -> Page:
        return Page.parse(f"<title>Home</title>{TEASER * size}", "https://pier.example/")

    assert assert_linear(parse, read_metadata, 2_000).title == "Home"
