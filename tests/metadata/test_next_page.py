"""The next page of a page: which links count, and which do not."""

from __future__ import annotations

import pytest

from bonmun import Page, extract
from bonmun.metadata.pagers.addresses import compare_addresses, split_address
from bonmun.metadata.pagers.next_page import find_next_page
from bonmun.metadata.pagers.words import read_signs
from timing import assert_linear

HERE = "https://example.org/story"
TEXT = "<p>" + "A sentence of the story that is long enough to be read as text. " * 6 + "</p>"
ARTICLE = f"<title>A story</title><article><h1>A story</h1>{TEXT * 3}"


def find(links: str, url: str = HERE) -> str | None:
    """Return the next page of a list with these links."""
    return find_next_page(Page.parse(f"<body>{TEXT}{links}", url))


@pytest.mark.parametrize(
    "word",
    "Next|next page »|다음|다음 페이지|다음페이지 >|次へ|次のページ|下一页|下一頁|下页 >|Weiter|Nächste Seite|Suivant|Page suivante|Siguiente ›|"
    "Próxima|Próxima página|Successivo|Volgende|Следующая|След.|Далее →|Następna|Další|Nästa|Sonraki|Επόμενη|التالي|"
    "الصفحة التالية|بعدی|הבא|अगला|ถัดไป|หน้าถัดไป|Trang sau|Berikutnya|Next 10|›|→|▶".split("|"),
)
def test_words_and_arrows_of_a_pager(word: str) -> None:
    pager = f"<div class=pagination><a href='?page=1'>1</a> <b>2</b> <a href='?page=3'>{word}</a></div>"
    assert find(pager, f"{HERE}?page=2") == f"{HERE}?page=3"


@pytest.mark.parametrize(
    ("own", "target", "step"),
    [
        ("/list", "/list?page=2", "start"),
        ("/list?page=2", "/list?page=3", "forward"),
        ("/list?page=2&sort=a", "/list?page=3&sort=a", "forward"),
        ("/list?start=10", "/list?start=0", "back"),
        ("/list?page=2", "/list", "back"),
        ("/list", "/list/page/2/", "start"),
        ("/list/page/9", "/list/page/10", "forward"),
        ("/story.html", "/story_2.html", "start"),
        ("/story-2.html", "/story-3.html", "forward"),
        ("/forum/", "/forum/index2.html", "start"),
        ("/Reviews-Place.html", "/Reviews-or10-Place.html", "start"),
        ("/forum?board=18.0", "/forum?board=18.20", "forward"),
        ("/story?id=12", "/story?id=13", "other"),
        ("/?p=4564", "/?p=4569", "other"),
        ("/story-one", "/story-two", "other"),
        ("/story/", "/story-3/", "other"),
        ("/2024/05/", "/2024/06/", "other"),
        ("/post/12345", "/post/12346", "other"),
        ("/manual/ch05s03.html", "/manual/ch05s04.html", "other"),
        ("/story", "/news?page=2", "paged"),
        ("/story#a", "/story#b", "same"),
    ],
)
def test_addresses_that_differ_in_the_number_of_the_page(own: str, target: str, step: str) -> None:
    one, other = (split_address(f"https://example.org{path}") for path in (own, target))
    assert one is not None
    assert other is not None
    assert compare_addresses(one, other) == step


@pytest.mark.parametrize(
    "links",
    [
        "<a rel=next href='/other-story'>Another story →</a>",
        "<nav class=post-navigation><div class=nav-next><a rel=next href='/other-story'>Next</a></div></nav>",
        "<a class=next href='/story2'>다음글</a><a class=next href='/b'>次の記事</a><a class=next href='/c'>下一篇</a>",
        "<a class=next href='?page=2'>Next article</a>",
        "<a class=prev href='?page=2'>«</a>",
        "<a href='?page=2'>Previous</a>",
        "<table class=calendar><tr><td><a class=next href='?month=6&page=2'>»</a></table>",
        "<a class=next href='#'>Next</a><a class=next href='javascript:next()'>Next</a><a class=next href='/story'>Next</a>",
        "<a class=next href='data:text/html,x?page=2'>Next</a><a rel=next href='https://example.com/story?page=2'>Next</a>",
        "<a href='?page=2'>Read more</a>",
        "<div class=carousel><a class=next href='/photos/other'>›</a></div>",
        "".join(f"<a href='/2024/05/{day}'>{day}</a>" for day in range(1, 32)),
    ],
)
def test_other_links_are_not_followed(links: str) -> None:
    assert find(links) is None


def test_next_ten_pages_are_not_the_next_page() -> None:
    numbers = "<b>3</b>" + "".join(f"<a href='?page={n}'>{n}</a>" for n in (4, 5, 6))
    assert find(f"<div class=paging>{numbers}<a href='?page=11'>다음</a></div>", f"{HERE}?page=3") == f"{HERE}?page=4"


def test_words_of_the_pager_count_more_than_the_head() -> None:
    head = "<link rel=next href='/blog/page/3'><link rel=prev href='/blog'>"
    nav = (
        "<div class=nav-previous><a href='/blog/page/3'>← Older posts</a></div>"
        "<div class=nav-next><a href='/blog'>Newer posts →</a></div>"
    )
    assert find(head + nav, "https://example.org/blog/page/2") == "https://example.org/blog"


def test_numbers_alone_and_the_head_alone_count_on_articles_only() -> None:
    numbers = "<div><b>1</b> <a href='?page=2'>2</a> <a href='?page=3'>3</a></div>"
    head = "<link rel=next href='?page=2'>"
    for links in (numbers, head):
        page = Page.parse(f"<body>{TEXT}{links}", HERE)
        assert find_next_page(page) is None
        assert find_next_page(page, text_rows=[0]) == f"{HERE}?page=2"


def test_pagers_of_comments_and_of_distant_lists_are_not_those_of_the_article() -> None:
    pager = "<div class=pager><a class=next href='?page=2'>Next</a></div>"
    assert extract(f"{ARTICLE}{pager}", HERE).next_page == f"{HERE}?page=2"
    assert extract(f"{ARTICLE}</article><div id=comments>{pager}</div>", HERE).next_page is None
    cards = "<p>The title of another story, which is not part of this one.</p>" * 60
    page = Page.parse(f"<body>{TEXT}{cards}{pager}", HERE)
    assert find_next_page(page, text_rows=[0]) is None
    assert find_next_page(page, text_rows=[0, 40]) == f"{HERE}?page=2"


def test_icon_next_to_the_number_of_the_next_page() -> None:
    pager = "<nav><a class=active href='?page=1'>1</a><a href='?page=2'>2</a><a href='?page=2'><i></i></a></nav>"
    assert find(pager) == f"{HERE}?page=2"


def test_pages_without_an_address_have_no_next_page() -> None:
    assert find_next_page(Page.parse("<a rel=next href='?page=2'>Next</a>")) is None


def test_signs_of_a_text() -> None:
    assert read_signs("1,422").number == 1422
    assert read_signs("Seite 3").number == 3
    assert read_signs("« Previous").previous
    assert not read_signs("Next: how to bake bread").next


@pytest.mark.slow
@pytest.mark.parametrize(
    "link", ["<a href='?page={}'>{}</a> ", "<p class=pager><a class=next href='?page={}'>Next</a>"]
)
def test_time_is_linear_in_the_number_of_links(link: str) -> None:
    def make(size: int) -> Page:
        return Page.parse("".join(link.format(n, n) for n in range(size)), HERE)

    assert_linear(make, find_next_page, 40_000)
