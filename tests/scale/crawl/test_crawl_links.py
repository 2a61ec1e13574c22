"""Links of a page and their anchor texts."""

from __future__ import annotations

import pytest

from bonmun import Page
from bonmun.scale.crawl.discover.links import MAX_ANCHOR_CHARS, PageLink, allows_following, find_canonical, find_links

URL = "http://a.example/b/c"


def list_links(html: str | bytes, url: str = URL) -> list[PageLink]:
    return find_links(Page.parse(html), url)


def list_pairs(html: str) -> list[tuple[str, str]]:
    return [(link.url.removeprefix("http://a.example"), link.anchor) for link in list_links(html)]


def test_links_are_in_order_with_their_texts() -> None:
    html = "<p>x <a href=/1>One <b>two</b>, three</a><map><area href=2 alt=Four></map><a href='?d'>\n Five\n six</a>"
    assert list_pairs(html) == [("/1", "One two, three"), ("/b/2", "Four"), ("/b/c?d", "Five six")]


@pytest.mark.parametrize(
    ("link", "anchor"),
    [
        ("<a href=/1 title=Title>Text</a>", "Text"),
        ("<a href=/1 title=Title aria-label=Label><img alt=Image></a>", "Title"),
        ("<a href=/1 aria-label=Label><img alt=Image></a>", "Label"),
        ("<a href=/1><img><img alt='An  image'></a>", "An image"),
        ("<a href=/1><span hidden>Unseen</span>Seen</a><p>x", "Seen"),
        ("<a href=/1><span hidden>Unseen</span></a><p>x", "Unseen"),
        ("<a href=/1><div>One</div><div>two</div></a>", "One two"),
        ("<a href=/1><h3>제목</h3><p>설명</p></a>", "제목 설명"),
        ("<a href=/1></a>", ""),
        ("<p>x<noscript><a href=/1>Without scripts</a></noscript>", "Without scripts"),
        ("<a href=/1>\x00\u200b </a>", ""),
    ],
)
def test_an_anchor_is_a_text_or_a_label(link: str, anchor: str) -> None:
    assert list_pairs(link) == [("/1", anchor)]


def test_the_length_of_an_anchor_is_limited() -> None:
    [link] = list_links("<a href=/1>" + "word " * 10_000 + "</a>")
    assert MAX_ANCHOR_CHARS - 10 < len(link.anchor) <= MAX_ANCHOR_CHARS


def test_links_to_one_url_are_merged() -> None:
    html = (
        "<a href=/1><img alt=Image></a><a href=/2></a><a href=/1#x>Text</a><a href=/1>More</a><a href=/2 rel=next>2</a>"
    )
    assert list_pairs(html) == [("/1", "Text"), ("/2", "2")]
    assert [link.kind for link in list_links(html)] == ["page", "next"]


def test_links_in_the_head() -> None:
    html = (
        "<link rel=stylesheet href=/s.css><link rel=icon href=/i><link rel='Next' href=/2><link rel=canonical href=/1>"
        "<link rel=alternate type='application/rss+xml; charset=utf-8' href=/rss title=News>"
        "<link rel=alternate type=application/feed+json href=/feed.json><link rel=alternate hreflang=en href=/en>"
        "<link rel=alternate type=application/json href=/wp-json><link rel=sitemap href=/map.xml><link rel=amphtml href=/amp>"
    )
    found = [(link.url.removeprefix("http://a.example"), link.kind, link.anchor) for link in list_links(html)]
    assert found == [
        ("/2", "next", ""),
        ("/1", "page", ""),
        ("/rss", "feed", "News"),
        ("/feed.json", "feed", ""),
        ("/en", "page", ""),
        ("/map.xml", "sitemap", ""),
    ]


@pytest.mark.parametrize(
    ("content", "path"),
    [("0;url=/1", "/1"), ("5 ; URL = '/1'", "/1"), ('0, "/1"', "/1"), ("0;/1", "/1"), ("0; url='/1' x", "/1")],
)
def test_a_refresh_is_a_redirect(content: str, path: str) -> None:
    [link] = list_links(
        f"<meta http-equiv=Refresh content='{content}'>".replace("='/1'", "=&#39;/1&#39;").replace(
            "= '/1'", "= &#39;/1&#39;"
        )
    )
    assert (link.url, link.kind) == (f"http://a.example{path}", "redirect")


@pytest.mark.parametrize("content", ["30", "", "0;", "0;url=", "url=/1", "0;url=javascript:x", "0;url=c"])
def test_a_refresh_without_another_url_is_not_a_link(content: str) -> None:
    assert list_links(f"<meta http-equiv=refresh content='{content}'>") == []


def test_a_refresh_in_noscript_is_not_a_redirect() -> None:
    assert list_links("<p>x<noscript><meta http-equiv=refresh content='0;url=/no-scripts'></noscript>") == []


def test_frames_of_the_same_host_are_links() -> None:
    assert list_pairs(
        "<iframe src=/1></iframe><iframe src=//ads.example/></iframe><iframe src='about:blank'></iframe>"
    ) == [("/1", "")]
    assert list_pairs("<frameset><frame src=/menu><frame src=/main>") == [("/menu", ""), ("/main", "")]


def test_nofollow() -> None:
    html = "<a href=/1 rel='external NOFOLLOW'>1</a><a href=/2 rel='ugc sponsored'>2</a><a href=/3 rel=nofollow>3</a><a href=/3>3</a>"
    assert [link.follow for link in list_links(html)] == [False, True, True]
    closed = "<meta name=ROBOTS content='noindex, NoFollow'>" + html
    assert [link.follow for link in list_links(closed)] == [False] * 3
    assert not allows_following(Page.parse("<meta name=bonmun content=none>"))
    assert allows_following(Page.parse("<meta name=robots content=noindex><meta name=googlebot content=nofollow>"))


@pytest.mark.parametrize(
    ("base", "target"),
    [
        ("/d/", "http://a.example/d/x"),
        ("//other.example", "http://other.example/x"),
        ("javascript:alert(1)", "http://a.example/b/x"),
        ("data:text/html,", "http://a.example/b/x"),
        ("http://[", "http://a.example/b/x"),
        ("http://kim@a.example/", "http://a.example/b/x"),
        ("/" + "d" * 100_000, "http://a.example/b/x"),
        ("", "http://a.example/b/x"),
    ],
)
def test_links_are_relative_to_the_first_base_if_it_is_valid(base: str, target: str) -> None:
    page = Page.parse(f"<base target=_top><base href='{base}'><base href=/second/><a href=x>x</a>")
    assert [link.url for link in find_links(page, URL)] == [target]


def test_other_hrefs_are_not_links() -> None:
    html = "<a>a</a><a name=b>b</a><a href=#c>c</a><a href=/b/c>self</a><a href=mailto:d@e.f>d</a><a href='javascript:g()'>g</a><template><a href=/1>h</a></template>"
    assert list_links(html) == []


def test_a_query_is_encoded_in_the_encoding_of_the_page() -> None:
    html = "<meta charset=euc-kr><p>한국어로 쓴 본문입니다. 아주 오래된 쪽입니다.</p><a href='?q=본문'>찾기</a>".encode(
        "cp949"
    )
    assert [link.url for link in list_links(html)] == ["http://a.example/b/c?q=%BA%BB%B9%AE"]


def test_canonical() -> None:
    assert find_canonical(Page.parse("<link rel=Canonical href='/1?utm_source=x#y'>"), URL) == "http://a.example/1"
    assert find_canonical(Page.parse("<link rel=canonical href=/1><link rel=canonical href=/2>"), URL) is None
    assert find_canonical(Page.parse("<link rel=canonical href=javascript:x>"), URL) is None
    assert find_canonical(Page.parse("<p>x"), URL) is None


def test_nested_links() -> None:
    html = "".join(f"<a href=/{n}>{n}<table><tr><td>" for n in range(80))
    assert list_pairs(html) == [(f"/{n}", str(n)) for n in range(80)]
