"""Links of portals' result pages are sorted into further results, articles and others."""

from __future__ import annotations

import pytest

from bonmun import Page
from bonmun.scale.crawl.discover.portal import Portal

URL = "https://portal.example/search?q=본문"
NAV = "<div id=gnb><ul><li><a href=/news>뉴스</a><li><a href=/blog>오늘의 블로그 새 글을 모두 보기</a></ul></div>"
SIDE = "<div class='box side'><ul><li><a href=//news.example/hot>가장 많이 본 뉴스 하나를 읽어 보세요</a></ul></div>"
FOOT = "<footer><a href=/privacy>개인정보 처리방침을 꼭 읽어 주세요</a></footer>"
HEADLINES = [f"{name} 주민들 빈 간이역을 다시 살렸다" for name in "솔내읍 한여울 두물말 은방울 가온구 새벽섬".split()]


def write_item(number: int, headline: str) -> str:
    target = f"http://paper{number % 2}.example/article/{number}"
    return (
        f"<li><a href={target} class=thumb><img alt='사진 {headline}'></a><a href=//paper{number % 2}.example/ class=press>신문</a>"
        f"<a href={target} class=tit>{headline}</a><a href={target} class=dsc>{headline}고 군청이 밝혔다. {'이 일은 오래전에 시작되었다. ' * 12}</a></li>"
    )


def write_page(items: str, pager: str = "", more: str = "") -> Page:
    return Page.parse(
        f"<title>검색</title>{NAV}<div id=content>{more}<ul class=list>{items}</ul><div>{pager}</div></div>{SIDE}{FOOT}"
    )


LIST = "".join(write_item(*each) for each in enumerate(HEADLINES))


def test_an_ordinary_result_page_needs_no_patterns() -> None:
    pager = "<b>1</b><a href='?q=본문&page=2'>2</a><a href='?q=본문&page=3'>3</a><a href='?q=본문&page=2'>다음</a>"
    tools = "<a href='?q=본문&sort=date'>최신순으로 다시 늘어놓아 보기</a><a href='?q=본문+추출'>본문 추출 방법도 함께 찾아보세요</a>"
    further, articles = Portal().sort_links(write_page(LIST, pager, tools), URL)
    assert [link.url.rpartition("&")[2] for link in further] == ["page=2", "page=3"]
    assert [link.anchor for link in articles] == HEADLINES
    assert [link.url for link in articles] == [
        f"http://paper{n % 2}.example/article/{n}" for n in range(len(HEADLINES))
    ]


@pytest.mark.parametrize(
    ("here", "href", "anchor"),
    [
        ("/search?q=a", "?q=a&page=2", "2"),
        ("/search?q=a&page=2", "?q=a&page=3", "whatever it says"),
        ("/search?q=a&start=11", "?start=21&q=a", "다음"),
        ("/search?q=a&nx=1", "?q=a&nx=2", "次へ"),
        ("/search?q=a", "?q=a&nx=2", "下一页"),
        ("/tag/a", "/tag/a/page/2/", "Next »"),
        ("/tag/a/", "/tag/a/2", "2"),
        ("/list_1.html", "/list_2.html", "›"),
        ("/list/1", "/list/2", "2 페이지"),
    ],
)
def test_further_results_are_recognised(here: str, href: str, anchor: str) -> None:
    page = write_page(LIST, f"<a href='{href}'>{anchor}</a>")
    further, articles = Portal().sort_links(page, f"https://portal.example{here}")
    assert [link.anchor for link in further] == [anchor]
    assert len(articles) == len(HEADLINES)


@pytest.mark.parametrize(
    ("href", "anchor"),
    [
        ("https://www.daum.example/", "다음"),
        ("?q=other&page=2", "2"),
        ("?q=본문&sort=date", "최신순"),
        ("?q=본문&year=2024", "연도"),
        ("/help", "next"),
        ("/search", "1"),
    ],
)
def test_other_links_are_not_further_results(href: str, anchor: str) -> None:
    further, articles = Portal().sort_links(write_page(LIST, f"<a href='{href}'>{anchor}</a>"), URL)
    assert further == []
    assert [link.anchor for link in articles] == HEADLINES


def test_rel_next_is_a_further_result() -> None:
    page = Page.parse(f"<link rel=next href='/more/results'><ul>{LIST}</ul>")
    assert [link.url for link in Portal().sort_links(page, URL)[0]] == ["https://portal.example/more/results"]


def test_patterns_decide() -> None:
    page = write_page(LIST, "<a href=/r/9>아홉</a>")
    further, articles = Portal(results="*/r/*", articles="*paper0*/article/*").sort_links(page, URL)
    assert [link.url for link in further] == ["https://portal.example/r/9"]
    assert [link.anchor for link in articles] == HEADLINES[::2]


def test_the_anchor_of_a_card_is_its_heading() -> None:
    cards = "".join(
        f"<a href=/a/{n}><h3>{text}</h3><p>{'설명이 이어진다. ' * 20}</p></a>" for n, text in enumerate(HEADLINES)
    )
    assert [link.anchor for link in Portal().sort_links(Page.parse(f"<div>{cards}</div>"), URL)[1]] == HEADLINES


def test_short_headlines_among_long_ones_are_articles() -> None:
    items = LIST + write_item(9, "눈 내린 설날")
    assert [link.anchor for link in Portal().sort_links(write_page(items), URL)[1]] == [*HEADLINES, "눈 내린 설날"]


def test_highlighted_words_belong_to_the_headline() -> None:
    items = LIST.replace(">솔내읍 ", "><strong>솔내읍</strong> ")
    assert Portal().sort_links(write_page(items), URL)[1][0].anchor == HEADLINES[0]


def test_the_alternative_text_of_an_image_is_an_anchor_if_there_is_no_text() -> None:
    items = "".join(f"<li><a href=/a/{n} class=x><img alt='{text}'></a></li>" for n, text in enumerate(HEADLINES))
    assert [link.anchor for link in Portal().sort_links(write_page(items), URL)[1]] == HEADLINES


def test_links_on_other_result_pages_are_not_articles() -> None:
    articles = Portal().sort_links(write_page(LIST), URL, {"http://paper0.example/article/0"})[1]
    assert [link.anchor for link in articles] == HEADLINES[1:]


def test_a_main_list_in_a_sidebar_is_found() -> None:
    page = Page.parse(f"<body class='has sidebar'><div id=header class=nav>{LIST}</div>")
    assert len(Portal().sort_links(page, URL)[1]) == len(HEADLINES)


@pytest.mark.parametrize(
    "html",
    [
        "<p>검색 결과가 없습니다.",
        NAV + FOOT,
        "<ul>" + "<li><a href=x>" * 3,
        "<a href='http://['>깨진 주소를 가진 링크입니다</a>",
    ],
)
def test_a_page_without_results(html: str) -> None:
    assert Portal().sort_links(Page.parse(html), URL) == ([], [])


def test_latin_headlines() -> None:
    items = "".join(
        f"<article><h2><a href=/news/{n}>How the village of {n} saved its station</a></h2></article>" for n in "abc"
    )
    further, articles = Portal().sort_links(
        Page.parse(f"<nav><a href=/all>All of our newest stories</a></nav>{items}"), URL
    )
    assert [link.url.rpartition("/")[2] for link in articles] == ["a", "b", "c"]
    assert further == []
