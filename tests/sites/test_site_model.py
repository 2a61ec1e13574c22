"""Site models: shares and places worked out by hand, model files, merged models, and methods with a site model."""

from __future__ import annotations

import io
import json
import random
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bonmun
from bonmun import Page, SiteModel, extract
from bonmun.algorithms import METHODS, PAGE_METHODS
from bonmun.algorithms.without_template import WithoutTemplate
from bonmun.errors import BadConfig, BadInput, MissingInput
from bonmun.options import Options
from bonmun.sites.domains import find_site_name
from bonmun.sites.keys import Normalisation, count_leaves, hash_bytes, hash_places, hash_texts
from bonmun.sites.ranks import Ranks
from bonmun.sites.site import MIN_COMMON_SHARE, MIN_NEW_SHARE, MIN_PAGES, MIN_SHARE, MIN_SHARE_SUM, Site, Verdicts
from bonmun.sites.tally import MIN_LEAVES, Tally, compute_repeat_pages
from bonmun.work.array_files import save_arrays
from samples import blog_posts, small_disk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SITE = "geul.example"
URL = f"https://{SITE}/1"
MENU = "<ul class=menu><li>처음으로</li><li>방명록</li></ul>"
GREETING = "오늘도 제 글을 찾아 주셔서 고맙습니다."
BODY = "{}번째 날에는 새벽에 일어나 바닷가를 따라 등대까지 걸었고, 돌아오는 길에 시장에서 국수를 먹었다. 걸음 수는 {}이었다."


def parsed(*pages: str, url: str | None = URL) -> list[Page]:
    return [Page.parse(markup, url) for markup in pages]


def fitted(*pages: str, normal: Normalisation | None = None) -> SiteModel:
    return SiteModel.fit(parsed(*pages), site=SITE, normal=normal)


def verdicts_of(model: SiteModel, page: Page) -> Verdicts:
    verdicts = model.judge(page)
    assert verdicts is not None
    return verdicts


def template_of(model: SiteModel, page: Page) -> list[str]:
    return [page.block_texts[row] for row in verdicts_of(model, page).rows]


def counted(site: Site, *texts: str) -> list[tuple[int, int] | None]:
    """Return for each text on how many pages, of how many, the site has it; None for unknown texts."""
    found = {int(text): (int(n), int(of)) for text, n, of in zip(site.texts, site.counts, site.of, strict=True)}
    return [found.get(hash_bytes(text.encode())) for text in texts]


def placed(site: Site, page: Page) -> list[tuple[int, int] | None]:
    """Return for the place of each leaf its repeated bytes and all its bytes; None for unknown places."""
    columns = zip(site.places, site.repeated, site.sizes, strict=True)
    found = {int(place): (int(again), int(size)) for place, again, size in columns}
    return [found.get(place) for place in hash_places(page)]


def post(number: int, greeting: str = "") -> str:
    paragraphs = "".join(f"<p>{BODY.format(number, number * n)}</p>" for n in (31, 37, 41))
    return f"<div class=body>{f'<p>{greeting}</p>' if greeting else ''}{paragraphs}</div>"


@pytest.fixture(scope="module")
def blog() -> list[Any]:
    """Forty posts of a made-up Korean platform, with their gold texts."""
    pages = blog_posts()
    assert len(pages) == 40
    return pages


@pytest.fixture(scope="module")
def posts(blog: list[Any]) -> list[Page]:
    return [Page.parse(page.html, page.url) for page in blog]


@pytest.fixture(scope="module")
def platform(posts: list[Page]) -> SiteModel:
    return SiteModel.fit(posts)


# --- by hand ----------------------------------------------------------------------------------------------------------


def test_a_site_of_four_pages_by_hand() -> None:
    """`menu` is on 4 of 4 pages, `greet` on 2; of 30 bytes in paragraphs (4 × 5 new, 2 × 5 again) 10 repeat."""
    pages = [f"<nav>menu</nav><p>text{n}</p>{'<p>greet</p>' * (n < 2)}" for n in range(4)]
    model = fitted(*pages)
    site = model.sites[SITE]
    page = Page.parse(pages[0])
    assert (site.name, site.pages) == (SITE, 4)
    assert counted(site, "menu", "greet", "text0", "text1") == [(4, 4), (2, 4), None, None]
    assert placed(site, page) == [(16, 16), (10, 30), (10, 30)]
    verdicts = verdicts_of(model, page)
    assert verdicts.counts == [4, 0, 2]
    assert verdicts.of == [4, 0, 4]
    assert verdicts.shares == pytest.approx([1, 0, 1 / 3])  # of the three other pages
    assert verdicts.repeated == pytest.approx([1, 1 / 3, 1 / 3])
    assert verdicts.template == [True, False, True]
    assert verdicts.rows == [0, 2]
    assert [verdicts.explain(row) for row in verdicts.rows] == [
        "on 4 of 4 pages of the site",
        "on 2 of 4 pages of the site",
    ]


def test_keys_are_ascending_and_each_is_there_once(platform: SiteModel) -> None:
    site = platform.sites["geulmaru.example"]
    for keys, *columns in ((site.texts, site.counts, site.of), (site.places, site.sizes, site.repeated)):
        assert (keys[1:] > keys[:-1]).all()
        assert len(keys) > 30
        assert all(len(column) == len(keys) for column in columns)
    assert (site.counts <= site.of).all()
    assert (site.of <= site.pages).all()
    assert (site.repeated <= site.sizes).all()


def test_a_text_counts_once_a_page_and_each_time_at_its_place() -> None:
    site = fitted(*(f"<p>ab</p><p>ab</p><p>{n:04}</p>" for n in range(3))).sites[SITE]
    assert counted(site, "ab") == [(3, 3)]
    assert placed(site, Page.parse("<p>x")) == [(3 * 2 * 2, 3 * (2 * 2 + 4))]


def test_a_menu_on_all_pages_goes() -> None:
    pages = [MENU + post(n) for n in range(5)]
    model = fitted(*pages)
    for page in parsed(*pages, MENU + post(99)):
        assert template_of(model, page) == ["처음으로", "방명록"]


def test_a_new_date_goes_where_texts_repeat() -> None:
    """At the place of the date stands the author as well, the same on all pages: 31 of 43 bytes repeat, 72 %."""
    author = "글쓴이 산들바람 (제주)"
    assert (len(author.encode()), len("2026. 7. 14.")) == (31, 12)
    pages = [f"<p class=info>{author}</p><p class=info>2026. {n}. 14.</p>{post(n)}" for n in range(1, 7)]
    model = fitted(*pages)
    page = Page.parse(pages[0].replace("2026. 1. 14.", "2027. 8. 15."))
    verdicts = verdicts_of(model, page)
    assert verdicts.repeated[1] == pytest.approx(31 / 43)
    assert template_of(model, page) == [author, "2027. 8. 15."]
    assert [verdicts.explain(row) for row in verdicts.rows] == [
        "on 6 of 6 pages of the site",
        "where the site repeats itself",
    ]


def test_a_greeting_on_a_third_of_the_posts_stays() -> None:
    """At its place, a paragraph, hardly anything repeats: its share of a third is not enough."""
    pages = [MENU + post(n, GREETING if n % 3 == 0 else "") for n in range(9)]
    model = fitted(*pages)
    assert counted(model.sites[SITE], GREETING) == [(3, 9)]
    page = Page.parse(pages[0])
    assert template_of(model, page) == ["처음으로", "방명록"]
    assert GREETING in extract(page, method="frequency+", options=Options(site_model=model)).text


def test_a_greeting_on_every_post_goes() -> None:
    pages = [MENU + post(n, GREETING) for n in range(9)]
    assert template_of(fitted(*pages), Page.parse(pages[0])) == ["처음으로", "방명록", GREETING]


@pytest.mark.parametrize(("new", "template"), [(34, True), (35, False)])
def test_two_shares_that_add_up_to_the_threshold(new: int, template: bool) -> None:
    """`ten bytes!` is on 2 of 4 other pages; five new texts of 34 bytes leave 30 of 200 that repeat: 0.5 + 0.15."""
    assert MIN_SHARE_SUM == 0.65
    pages = [f"<p>{n:0{new}}</p>{'<p>ten bytes!</p>' * (n < 3)}" for n in range(5)]
    verdicts = verdicts_of(fitted(*pages), Page.parse(pages[0]))
    assert verdicts.shares[1] == 0.5
    assert verdicts.repeated[1] == pytest.approx(30 / (30 + 5 * new))
    assert verdicts.template == [False, template]


def test_on_a_copy_of_another_page_only_what_most_pages_have_goes() -> None:
    """Posts 0 and 1 differ in their dates: 1 of 4 other pages has their text, and 6 of 15 paragraphs repeat."""
    pages = [f"{MENU}<div>2026. 3. {n}.</div>{post(max(n, 1))}" for n in range(5)]
    model = fitted(*pages)
    site = model.sites[SITE]
    assert site.pages == 5
    assert counted(site, BODY.format(1, 31), BODY.format(2, 62)) == [(2, 5), None]
    for page in parsed(*pages):
        assert template_of(model, page) == ["처음으로", "방명록"]


def test_what_most_pages_have_is_what_seven_of_ten_have() -> None:
    """Each of two posts stands on five pages with other dates; the notice on seven of the ten, the warning on six."""
    assert MIN_COMMON_SHARE == 0.7
    pages = [
        f"{MENU}<div>2026. 3. {n}.</div>{'<h3>공지</h3>' * (n < 7)}{'<h4>주의</h4>' * (n < 6)}{post(n // 5)}"
        for n in range(10)
    ]
    assert template_of(fitted(*pages), Page.parse(pages[0])) == ["처음으로", "방명록", "공지"]


@pytest.mark.parametrize(("new", "copy"), [(1, False), (0, True)])
def test_a_page_is_no_copy_if_a_fifth_of_it_is_new(new: int, copy: bool) -> None:
    """A new paragraph beside three that three other pages have is a quarter, and a date beside them is not."""
    assert MIN_NEW_SHARE == 0.2
    model = fitted(*(f"{MENU}<div>2026. 3. {n}.</div>{post(1 if n < 3 else n)}" for n in range(5)))
    page = Page.parse(
        f"{MENU}<div>2026. 4. 1.</div>{post(1)}" + f"<div class=body><p>{BODY.format(9, 999)}</p></div>" * new
    )
    known = [BODY.format(1, n) for n in (31, 37, 41)]
    assert template_of(model, page) == ["처음으로", "방명록", *([] if copy else known)]


def test_a_text_on_all_pages_of_one_skin_goes() -> None:
    """A third of the blogs has each skin: what all pages with the place have is template."""
    skins = {
        "a": "이 블로그의 모든 글은 출처를 밝히고 옮길 수 있습니다",
        "b": "공지 사항을 꼭 읽어 주세요",
        "c": "방문해 주셔서 반갑습니다",
    }
    pages = [MENU + f"<div class=side-{skin}>{text}</div>{post(n)}" for n in range(10) for skin, text in skins.items()]
    pages = [markup.replace("번째", f"번째({number})") for number, markup in enumerate(pages)]
    model = fitted(*pages)
    site = model.sites[SITE]
    assert site.pages == 30
    assert counted(site, "처음으로", *skins.values()) == [(30, 30), (10, 10), (10, 10), (10, 10)]
    page = Page.parse(pages[0])
    assert template_of(model, page) == ["처음으로", "방명록", skins["a"]]
    assert verdicts_of(model, page).explain(2) == "on 10 of 10 pages of its kind"


def test_too_few_pages_with_a_place_are_ignored() -> None:
    """Two pages of ten have the place of the notice; both have the notice, and that says nothing."""
    pages = [MENU + ("<div class=notice>이번 주는 쉽니다</div>" if n < 2 else "") + post(n) for n in range(10)]
    model = fitted(*pages)
    assert counted(model.sites[SITE], "이번 주는 쉽니다") == [(2, 10)]
    assert placed(model.sites[SITE], Page.parse("<div class=notice>x")) == [None]
    assert template_of(model, Page.parse(pages[0])) == ["처음으로", "방명록"]
    assert MIN_LEAVES == 3


def test_a_block_goes_if_half_of_it_is_template() -> None:
    """`추천수` is template; a number after it is new, and short; a sentence after it is new, and long."""
    pages = [f"{MENU}<p class=x>추천수<b>{n:03}</b></p>{post(n)}" for n in range(6)]
    model = fitted(*pages)
    for inside, template in (("123", True), ("1" * 9, True), ("1" * 10, False)):
        page = Page.parse(f"{MENU}<p class=x>추천수<b>{inside}</b></p>{post(77)}")
        assert page.block_texts[2] == f"추천수{inside}"
        assert verdicts_of(model, page).template[2] is template


def test_the_reason_of_a_partly_new_block_names_existing_pages() -> None:
    """No text is on 8 of 8 pages, and no place is on eight pages."""
    pages = [f"<p class=x>추천수<b>{n:03}</b></p>{post(n)}" for n in range(10)]
    verdicts = verdicts_of(fitted(*pages), Page.parse(pages[0]))
    assert verdicts.rows == [0]
    assert verdicts.explain(0) == "on 10 of 10 pages of the site"


def test_a_page_without_text_has_no_verdicts() -> None:
    verdicts = verdicts_of(fitted(*(MENU + post(n) for n in range(3))), Page.parse("<img>"))
    assert (verdicts.template, verdicts.rows, verdicts.counts) == ([], [], [])


def test_no_repetition_at_all_makes_nothing_template() -> None:
    pages = [post(n) for n in range(12)]
    model = fitted(*pages)
    site = model.sites[SITE]
    assert (len(site.texts), len(site.places)) == (0, 0)
    assert all(not any(verdicts_of(model, page).template) for page in parsed(*pages))
    assert (
        extract(pages[0], method="all", options=Options(site_model=model)).text == extract(pages[0], method="all").text
    )


def test_numbers_and_case_are_a_setting() -> None:
    pages = [
        f"<p>조회 {n}</p><div>Read {'MORE' if n % 2 else 'more'}</div><p>{who}의 여행 이야기를 길게 적어 둡니다</p>"
        for n, who in enumerate(("하늘", "바람", "구름", "이슬"))
    ]
    plain, both = fitted(*pages), fitted(*pages, normal=Normalisation(digits=True, case=True))
    assert counted(plain.sites[SITE], "Read more", "read more", "조회 0") == [(2, 4), None, None]
    assert counted(both.sites[SITE], "Read more", "read more", "조회 0") == [None, (4, 4), (4, 4)]
    page = Page.parse("<p>조회 999</p><div>read More</div><p>노을이 지는 언덕에서 오래 앉아 있었습니다</p>")
    assert template_of(plain, page) == ["read More"]  # by its place, where two texts stood twice each
    assert template_of(both, page) == ["조회 999", "read More"]


# --- sites of any size ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pages", "least"), [(1, 2), (3, 2), (16, 2), (17, 3), (36, 3), (100, 5), (3_000, 28)])
def test_number_of_pages_from_which_a_text_repeats(pages: int, least: int) -> None:
    assert least - 1 < compute_repeat_pages(pages) <= least


@pytest.mark.parametrize(("often", "kept", "repeated"), [(4, False, None), (5, True, 25)])
def test_what_repeats_on_a_hundred_pages(often: int, kept: bool, repeated: int | None) -> None:
    """A text must stand on 5 of 100 pages (a share of 0.05, and half of √100) to be kept and to make a place repeat."""
    assert MIN_SHARE == 0.05
    pages = [f"<p>{'again' if n < often else f'{n:05}'}</p><i>{n:05}</i>" for n in range(100)]
    site = fitted(*pages).sites[SITE]
    assert counted(site, "again") == [(often, 100) if kept else None]
    assert placed(site, Page.parse("<p>x")) == [(repeated, 500) if repeated else None]


@pytest.mark.slow
@pytest.mark.parametrize("size", [3, 4, 7, 17, 100, 400, 3_000])
def test_sites_of_any_size_give_the_same_template(size: int) -> None:
    """Menu, imprint and the date beside the author go; greetings, every third post's, and all that is written stay."""
    about = "글쓴이 솔바람, 산과 들을 걷고 적습니다"

    def made(number: int) -> str:
        meta = f"<p class=info>{about}</p><p class=info>{2000 + number}. 3. 1.</p>"
        return f"{MENU}{meta}{post(number, GREETING * (number % 3 == 0))}<div class=foot>글은 허락 없이 옮길 수 없습니다</div>"

    pages = [Page.parse(made(number), URL) for number in range(size)]
    model = SiteModel.fit(pages)
    assert model.sites[SITE].pages == size
    for number in {0, 1, 2, size // 2, size - 1}:
        page = pages[number]
        gone = template_of(model, page)
        assert gone == ["처음으로", "방명록", about, f"{2000 + number}. 3. 1.", "글은 허락 없이 옮길 수 없습니다"]
        assert len(page.block_texts) - len(gone) == 3 + (number % 3 == 0)


def test_a_model_stays_small_however_many_pages(posts: list[Page]) -> None:
    site = SiteModel.fit(Page.parse(MENU + post(n), URL) for n in range(1_000)).sites[SITE]
    assert (len(site.texts), len(site.places)) == (2, 1)


def test_ranks_keep_a_thousand_texts_and_all_over_the_limit() -> None:
    """1,500 texts of frequency 1; frequencies 2, 3, 4 of one text each: rank k − 2 has frequency 2."""
    pages = [f"<p>{n}</p>" for n in range(1_500)]
    pages += [f"<p>{'<p>'.join(['둘'] * 2 + ['셋'] * 3 + ['넷'] * 4)}"]
    ranks = fitted(*pages).ranks
    assert ranks.frequencies.tolist() == [1, 2, 3, 4]
    assert (ranks.k, ranks.limit) == (4, 2)
    assert len(ranks.texts) == 1_503  # the thousandth is of frequency 1, and so are they all
    twice = [f"<p>{n}번</p><p>{n}번</p>" for n in range(1_200)]
    ranks = fitted(*pages, *twice).ranks
    assert set(ranks.counts.tolist()) == {2, 3, 4}  # texts of frequency 1 are no longer among the first thousand


def test_ranks_keep_all_texts_over_the_limit_however_many() -> None:
    """1,100 texts of frequency 5 and 100 of frequency 4; rank k − 2 has frequency 1."""
    five = "".join(f"<p>다섯 {n}</p>" * 5 for n in range(1_100))
    ranks = fitted(five + "".join(f"<p>넷 {n}</p>" * 4 for n in range(100)) + "<p>하나</p>").ranks
    assert (ranks.frequencies.tolist(), ranks.limit) == ([1, 4, 5], 1)
    assert (len(ranks.texts), set(ranks.counts.tolist())) == (1_200, {4, 5})


# --- too few pages ----------------------------------------------------------------------------------------------------


def same_as_auto(page: Page, model: SiteModel) -> bool:
    """Whether frequency+ and auto with the site model keep the same as auto alone."""
    auto = extract(page, method="auto").labels
    others = [extract(page, method=name, options=Options(site_model=model)).labels for name in ("frequency+", "auto")]
    return all((each.kept, each.reasons, each.scores) == (auto.kept, auto.reasons, auto.scores) for each in others)


@pytest.mark.parametrize("size", [1, 2])
def test_a_site_with_few_pages_is_ignored(size: int, posts: list[Page]) -> None:
    assert size < MIN_PAGES
    model = SiteModel.fit(posts[:size])
    for page in posts[:4]:
        assert model.judge(page) is None
        assert same_as_auto(page, model)
        assert extract(page, method="frequency+", options=Options(site_model=model)).method == "frequency+"
        assert extract(page, method="frequency+", options=Options(site_model=model)).text


def test_three_pages_are_enough(posts: list[Page]) -> None:
    """Pages 3 and 4 were not counted."""
    model = SiteModel.fit(posts[:3])
    assert [same_as_auto(page, model) for page in posts[:5]] == [False] * 5


def test_an_unknown_site_is_ignored(posts: list[Page]) -> None:
    others = [
        *parsed(*(MENU + post(n) for n in range(5))),
        *(Page.parse(post(n), "https://other.example/") for n in range(3)),
    ]
    model = SiteModel.fit(others)
    assert sorted(model.sites) == [SITE, "other.example"]
    for page in posts[:3]:
        assert model.find(page.url) is None
        assert same_as_auto(page, model)
    nameless = Page.parse(MENU + post(1))
    assert same_as_auto(nameless, model)


def test_pages_with_the_same_text_count_once() -> None:
    model = fitted(*[MENU + post(1)] * 9)
    assert model.sites[SITE].pages == 1
    assert same_as_auto(Page.parse(MENU + post(1)), model)
    assert fitted(MENU + post(1), MENU.replace("menu", "gnb") + post(1)).sites[SITE].pages == 1


def test_copies_of_a_page_change_nothing() -> None:
    pages = [MENU + post(n) for n in range(5)]
    copies = [pages[0], f"{pages[1]}<!-- 2 -->", pages[4]]
    assert columns_of(fitted(*pages, *copies)) == columns_of(fitted(*pages))


def test_the_same_page_on_two_sites_is_two_pages() -> None:
    pages = [Page.parse(post(1), url) for url in ("https://a.example/", "https://b.example/")]
    assert {name: site.pages for name, site in SiteModel.fit(pages).sites.items()} == {"a.example": 1, "b.example": 1}


def test_no_pages_make_an_empty_model() -> None:
    model = SiteModel.fit([])
    assert (model.sites, model.ranks.k, model.ranks.limit) == ({}, 0, 0)
    assert same_as_auto(Page.parse(post(1), URL), model)


def test_pages_without_text_count_as_one_empty_page() -> None:
    site = fitted("<img>", "<br>", "<hr>").sites[SITE]
    assert (site.pages, len(site.texts), len(site.places)) == (1, 0, 0)


def test_a_page_without_a_url_needs_the_name_of_its_site() -> None:
    with pytest.raises(BadConfig, match=r"^The site of a page without a URL is unknown: name the site\.$"):
        SiteModel.fit([Page.parse(post(1))])


# --- names of sites ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://news.example.co.kr/a?b#c", "example.co.kr"),
        ("https://example.co.kr/", "example.co.kr"),
        ("http://user:secret@WWW.Example.CO.KR.:8080/", "example.co.kr"),
        ("https://haneul.blog.example/1", "blog.example"),
        ("https://mine.tistory.com/1", "tistory.com"),  # a platform is one site
        ("https://someone.github.io/", "github.io"),
        ("https://한글.example/", "한글.example"),
        ("http://localhost:8000/", "localhost"),
        ("http://127.0.0.1/", "127.0.0.1"),
        ("http://[::1]:80/", "::1"),
        ("https://co.kr/", "co.kr"),
    ],
)
def test_a_site_is_a_registered_domain(url: str, name: str) -> None:
    assert find_site_name(url) == name


@pytest.mark.parametrize("url", [None, "", "a.html", "/a/b", "http://", "http://[", "mailto:a@b.example"])
def test_a_url_without_a_host_has_no_site(url: str | None) -> None:
    with pytest.raises(BadConfig, match="name the site"):
        find_site_name(url)


def named(*names: str) -> SiteModel:
    model = SiteModel.fit([])
    for name in names:
        model += SiteModel.fit(parsed(*(MENU + post(n) for n in range(3))), site=name)
    return model


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://example.kr/", "example.kr"),
        ("https://www.example.kr/", "example.kr"),
        ("https://blog.example.kr/", "blog.example.kr"),
        ("https://a.b.blog.example.kr/", "blog.example.kr"),
        ("HTTPS://BLOG.EXAMPLE.KR:443/", "blog.example.kr"),
        ("https://myexample.kr/", None),
        ("https://example.kr.evil.example/", None),
        ("https://kr/", None),
        ("http://[", None),
        ("", None),
        (None, None),
    ],
)
def test_a_site_is_found_by_the_longest_suffix_of_a_host(url: str | None, found: str | None) -> None:
    site = named("blog.example.kr", "example.kr", "10.0.0.1").find(url)
    assert (site.name if site else None) == found


@pytest.mark.parametrize("url", [None, "https://elsewhere.example/", "http://["])
def test_a_model_of_one_site_is_for_every_page(url: str | None) -> None:
    site = named("example.kr").find(url)
    assert site is not None
    assert site.name == "example.kr"


def test_only_one_site_of_a_model() -> None:
    model = named("a.example", "b.example")
    only = model.only("b.example")
    assert list(only.sites) == ["b.example"]
    assert only.sites["b.example"] is model.sites["b.example"]
    assert (only.ranks, only.normal) == (model.ranks, model.normal)
    site = only.find("https://a.example/")
    assert site is not None
    assert site.name == "b.example"
    assert model.only("c.example").sites == {}
    assert model.only("c.example").judge(Page.parse(MENU, "https://a.example/")) is None


def test_sites_are_kept_apart() -> None:
    """The menu of one is a text like any other on a page of another."""
    pages = [Page.parse(MENU + post(n), "https://a.example/") for n in range(4)]
    pages += [Page.parse(f"<ul class=gnb><li>홈</ul>{post(n + 50)}", "https://b.example/") for n in range(4)]
    model = SiteModel.fit(pages)
    both = f"{MENU}<ul class=gnb><li>홈</ul>{post(99)}"
    assert template_of(model, Page.parse(both, "https://a.example/")) == ["처음으로", "방명록"]
    assert template_of(model, Page.parse(both, "https://b.example/")) == ["홈"]


# --- on disk ----------------------------------------------------------------------------------------------------------


def columns_of(model: SiteModel) -> dict[str, Any]:
    """Return a whole model as plain values."""
    sites = {
        name: (
            site.name,
            site.pages,
            *(
                getattr(site, column).tolist()
                for column in Site.__dataclass_fields__
                if column not in ("name", "pages")
            ),
        )
        for name, site in model.sites.items()
    }
    ranks = [getattr(model.ranks, column).tolist() for column in Ranks.__dataclass_fields__]
    return {"sites": sites, "ranks": ranks, "normal": model.normal}


@pytest.mark.parametrize(
    "normal", [Normalisation(), Normalisation(digits=True), Normalisation(case=True), Normalisation(True, True)]
)
def test_saved_and_loaded_it_is_the_same(normal: Normalisation, tmp_path: Path, posts: list[Page]) -> None:
    more = parsed(*(MENU + post(n) for n in range(5)), url="https://다른곳.example/")
    model = SiteModel.fit([*posts, *more], normal=normal)
    model.save(tmp_path / "a.sites")
    loaded = SiteModel.load(str(tmp_path / "a.sites"))
    assert columns_of(loaded) == columns_of(model)
    assert list(loaded.sites) == ["geulmaru.example", "다른곳.example"]
    assert loaded.digest() == model.digest()
    assert [path.name for path in tmp_path.iterdir()] == ["a.sites"]
    assert [verdicts_of(loaded, page).template for page in posts] == [
        verdicts_of(model, page).template for page in posts
    ]


def test_an_empty_model_can_be_saved(tmp_path: Path) -> None:
    SiteModel.fit([]).save(tmp_path / "none.sites")
    assert columns_of(SiteModel.load(tmp_path / "none.sites")) == columns_of(SiteModel.fit([]))


def test_equal_models_give_equal_files(tmp_path: Path, posts: list[Page]) -> None:
    """Saved twice, and counted in another order; no times are in it."""
    posts = posts + [Page.parse(MENU + post(n), f"https://{name}.example/") for n in range(4) for name in "zab"]
    shuffled = list(posts)
    random.Random(7).shuffle(shuffled)
    for number, pages in enumerate((posts, posts, shuffled, posts[::-1])):
        SiteModel.fit(pages).save(tmp_path / f"{number}.sites")
    files = [path.read_bytes() for path in sorted(tmp_path.iterdir())]
    assert len(files) == 4
    assert len(set(files)) == 1
    with zipfile.ZipFile(tmp_path / "0.sites") as file:
        assert {info.date_time for info in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_the_digest_depends_on_the_counts(posts: list[Page]) -> None:
    model = SiteModel.fit(posts)
    assert model.digest() == SiteModel.fit(posts[::-1]).digest()
    others = [
        SiteModel.fit(posts[1:]),
        SiteModel.fit(posts, site="x"),
        SiteModel.fit(posts, normal=Normalisation(case=True)),
        model + model,
    ]
    assert len({model.digest(), *(other.digest() for other in others)}) == 5


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(
        MissingInput, match=r"^There is no file '.*none\.sites': make one with `bonmun corpus site-model`\.$"
    ):
        SiteModel.load(tmp_path / "none.sites")


def packed(**columns: bytes | list[int]) -> bytes:
    """A file of arrays."""
    arrays = {
        name: np.frombuffer(each, np.uint8) if isinstance(each, bytes) else each for name, each in columns.items()
    }
    file = io.BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def array(values: list[Any]) -> bytes:
    file = io.BytesIO()
    np.save(file, np.array(values))
    return file.getvalue()


OTHER_FILES = {
    "empty": b"",
    "text": "안녕하세요".encode(),
    "page": b"<html><p>x</p></html>",
    "zip": b"PK\x03\x04 broken",
    "array": array([1, 2, 3]),
    "pickle": array([{}]),
    "arrays": packed(x=[1, 2, 3]),
    "list": packed(about=b"[]"),
    "number": packed(about=b"1"),
    "no JSON": packed(about=b"{"),
    "no columns": packed(about=b'{"format": 1}'),
}


@pytest.mark.parametrize("name", OTHER_FILES)
def test_another_file_is_not_a_model(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(OTHER_FILES[name])
    with pytest.raises(BadInput, match=rf"^'.*{name}' is not a site model: make one with `bonmun corpus site-"):
        SiteModel.load(tmp_path / name)


def test_a_folder_is_not_a_model(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is not a site model"):
        SiteModel.load(tmp_path)


def test_a_file_of_another_version_is_named_as_such(tmp_path: Path) -> None:
    (tmp_path / "old.sites").write_bytes(packed(about=b'{"format": 0}'))
    with pytest.raises(
        BadInput, match=r"was made by another version of bonmun: run `bonmun corpus site-model` again\.$"
    ):
        SiteModel.load(tmp_path / "old.sites")


@pytest.fixture
def saved(tmp_path: Path) -> bytes:
    fitted(*(MENU + post(n) for n in range(5))).save(tmp_path / "whole.sites")
    return (tmp_path / "whole.sites").read_bytes()


def test_a_truncated_file_is_not_a_model(saved: bytes, tmp_path: Path) -> None:
    path = tmp_path / "cut.sites"
    for size in range(0, len(saved), 61):
        path.write_bytes(saved[:size])
        with pytest.raises(BadInput, match="is not a site model"):
            SiteModel.load(path)


def test_a_damaged_file_is_rejected_or_loads_the_same(saved: bytes, tmp_path: Path) -> None:
    path = tmp_path / "damaged.sites"
    said = set()
    for place in range(0, len(saved), 7):
        path.write_bytes(saved[:place] + bytes([saved[place] ^ 0xFF]) + saved[place + 1 :])
        try:
            said.add(SiteModel.load(path).digest())
        except BadInput:
            said.add("BadInput")
        except Exception as problem:
            said.add(f"{type(problem).__module__}.{type(problem).__name__}")
    path.write_bytes(saved)
    assert said == {"BadInput", SiteModel.load(path).digest()}


def test_a_full_disk_leaves_the_older_file(saved: bytes, tmp_path: Path, platform: SiteModel) -> None:
    path = tmp_path / "whole.sites"
    with pytest.raises(OSError, match="File too large"), small_disk():
        platform.save(path)
    assert path.read_bytes() == saved
    assert [file.name for file in tmp_path.iterdir()] == ["whole.sites"]


def test_a_folder_in_the_way_stays(tmp_path: Path, platform: SiteModel) -> None:
    (tmp_path / "there.sites").mkdir()
    with pytest.raises(OSError, match="there"):
        platform.save(tmp_path / "there.sites")
    assert [file.name for file in tmp_path.iterdir()] == ["there.sites"]
    with pytest.raises(FileNotFoundError):
        platform.save(tmp_path / "no" / "such.sites")


# --- merged models ----------------------------------------------------------------------------------------------------


def test_two_models_merged_by_hand() -> None:
    """`menu` 3 + 4 of 3 + 4 pages; `notice` stands on 3 of the first 3 only, so on 3 of 7; places add up."""
    one = [f"<nav>menu</nav><div>notice</div><p>{n:05}</p>" for n in range(3)]
    other = [f"<nav>menu</nav><p>{n:05}</p>" for n in range(10, 14)]
    site = (fitted(*one) + fitted(*other)).sites[SITE]
    assert site.pages == 7
    assert counted(site, "menu", "notice") == [(7, 7), (3, 7)]
    assert placed(site, Page.parse("<nav>x</nav><div>x</div><p>x")) == [(28, 28), (18, 18), None]


def test_texts_too_rare_in_the_sum_are_dropped() -> None:
    """On 3 of 3 pages, and on none of 60 others: under a twentieth of 63; of 57 others it would just be enough."""
    one = fitted(*(f"<div>notice</div><p>{n:05}</p>" for n in range(3)))
    for others, known in ((60, None), (57, (3, 60))):
        both = one + fitted(*(f"<nav>menu</nav><p>{n:05}</p>" for n in range(10, 10 + others)))
        assert counted(both.sites[SITE], "menu", "notice") == [(others, 3 + others), known]


def test_added_models_have_the_pages_of_both(posts: list[Page]) -> None:
    others = parsed(*(MENU + post(n) for n in range(5)))
    one, other = SiteModel.fit(posts[:25]), SiteModel.fit([*posts[25:], *others])
    both = one + other
    assert {name: site.pages for name, site in both.sites.items()} == {"geulmaru.example": 40, SITE: 5}
    assert list(both.sites) == sorted(both.sites)
    assert columns_of(both)["sites"][SITE] == columns_of(other)["sites"][SITE]
    assert one.sites["geulmaru.example"].pages == 25


def test_the_order_of_a_sum_does_not_matter(posts: list[Page]) -> None:
    others = parsed(*(MENU + post(n) for n in range(5)))
    models = [SiteModel.fit(posts[:11]), SiteModel.fit(posts[11:]), SiteModel.fit(others)]
    for one in models:
        for other in models:
            assert columns_of(one + other) == columns_of(other + one)


def test_adding_an_empty_model_changes_nothing(platform: SiteModel) -> None:
    nothing = SiteModel.fit([])
    assert (platform + nothing).digest() == (nothing + platform).digest() == platform.digest()


SMALL = st.lists(st.lists(st.sampled_from("가나다라마"), max_size=4), max_size=5)


@given(one=SMALL, other=SMALL)
def test_ranks_of_few_texts_add_up_exactly(one: list[list[str]], other: list[list[str]]) -> None:
    halves = [
        [f"<p>{half}{n}</p>" + "".join(f"<p>{text}</p>" for text in texts) for n, texts in enumerate(pages)]
        for half, pages in enumerate((one, other))
    ]
    both = fitted(*halves[0]) + fitted(*halves[1])
    assert columns_of(both)["ranks"] == columns_of(fitted(*halves[0], *halves[1]))["ranks"]


@pytest.mark.parametrize(("at", "agree"), [((0, 20, 1), 2400), ((0, 40, 2), 2280), ((0, 30, 1), 2400)])
def test_merged_models_decide_nearly_like_one_of_all_pages(
    at: tuple[int, int, int], agree: int, posts: list[Page], platform: SiteModel
) -> None:
    """Texts on one page of each part are lost, as documented."""
    some = set(range(*at))
    parts = [[page for number, page in enumerate(posts) if (number in some) is inside] for inside in (True, False)]
    both = SiteModel.fit(parts[0]) + SiteModel.fit(parts[1])
    assert columns_of(both)["ranks"] == columns_of(platform)["ranks"]
    pairs = [
        pair
        for page in posts
        for pair in zip(verdicts_of(both, page).template, verdicts_of(platform, page).template, strict=True)
    ]
    assert len(pairs) == 2530
    assert agree < sum(ours == theirs for ours, theirs in pairs) < 2530
    assert sum(ours and not theirs for ours, theirs in pairs) < 30  # hardly any text is lost


def test_models_with_different_normalisation_are_not_added() -> None:
    one, other = fitted(MENU), fitted(MENU, normal=Normalisation(digits=True))
    with pytest.raises(
        BadConfig, match=r"^The two models normalise texts differently; make both with the same settings\.$"
    ):
        one + other


# --- any method with a model ------------------------------------------------------------------------------------------


STATIC = [name for name, info in METHODS.items() if name != "frequency" and not info.needs_boxes]


@pytest.mark.parametrize("name", STATIC)
def test_no_method_keeps_what_is_template(name: str, posts: list[Page], platform: SiteModel) -> None:
    """A page of each skin."""
    for page in (posts[0], posts[5], posts[19]):
        verdicts = verdicts_of(platform, page)
        doc = extract(page, method=name, options=Options(site_model=platform))
        labels = doc.labels
        assert doc.page is page
        assert labels.method == name
        assert len(labels.kept) == len(page.blocks if labels.unit == "block" else page.leaves)
        assert not {block.row for block in (*doc.blocks, *doc.comments)}.intersection(verdicts.rows)
        shown = [row for row in verdicts.rows if not page.hidden_blocks[row]]
        assert len(shown) > 10
        for row in shown:
            rows = [row] if labels.unit == "block" else range(page.starts[row], page.stops[row])
            assert {labels.reasons[each] for each in rows} == {verdicts.explain(row)}
            assert not any(labels.kept[each] for each in rows)
            assert not any(labels.scores[each] > 0.5 for each in rows)


@pytest.mark.parametrize("name", ["all", "density"])
def test_a_method_sees_the_page_as_if_template_were_hidden(name: str) -> None:
    """One of blocks and one of leaves: both keep all that is new outside of links."""
    pages = [f"{MENU}<p>새로 올린 글 {n}<b>입니다</b></p><div>둘째 {n * 7 + 30}</div>" for n in range(6)]
    model = fitted(*pages)
    doc = extract(pages[0], method=name, options=Options(site_model=model))
    assert doc.text == "새로 올린 글 0입니다\n\n둘째 30"
    said = list(doc.labels.reasons)
    assert said[:2] == ["on 6 of 6 pages of the site"] * 2
    assert doc.labels.unit == ("block" if name == "all" else "leaf")
    assert len(said) == (4 if name == "all" else 5)
    assert [block.row for block in doc.blocks] == [2, 3]
    assert [block.xpath for block in doc.blocks] == ["/html/body/p[1]", "/html/body/div[1]"]


def test_a_custom_method_sees_it_too() -> None:
    from bonmun.algorithms.everything import Everything

    pages = [MENU + post(n) for n in range(4)]
    model = fitted(*pages)
    doc = extract(pages[1], method=Everything(), options=Options(site_model=model))
    assert doc.text == extract(pages[1], method="all", options=Options(site_model=model)).text
    assert "처음으로" not in doc.text
    labels = WithoutTemplate(Everything(), model).label(doc.page)
    assert (labels.kept, labels.reasons) == (doc.labels.kept, doc.labels.reasons)


@pytest.mark.parametrize("name", STATIC)
def test_a_page_that_is_all_template_gives_an_empty_document(name: str) -> None:
    model = fitted(
        *(f"{MENU}<p class=foot>모든 글은 글쓴이의 것입니다. 허락을 받고 옮겨 주세요.</p>{post(n)}" for n in range(5))
    )
    page = Page.parse(
        f"<title>글 목록</title>{MENU}<p class=foot>모든 글은 글쓴이의 것입니다. 허락을 받고 옮겨 주세요.</p>"
    )
    assert all(verdicts_of(model, page).template)
    doc = extract(page, method=name, options=Options(site_model=model))
    assert (doc.text, doc.blocks, doc.kind) == ("", (), "empty")
    assert len(doc.labels.reasons) == 3
    assert set(doc.labels.reasons) == {"on 5 of 5 pages of the site"}


@pytest.mark.parametrize("name", PAGE_METHODS)
def test_a_page_without_text_is_accepted(name: str, platform: SiteModel) -> None:
    doc = extract("<img src=a.png>", method=name, options=Options(site_model=platform))
    assert (doc.text, doc.kind, list(doc.labels.reasons)) == ("", "empty", [])


def test_what_the_page_hides_stays_hidden() -> None:
    pages = [f"{MENU}{post(n)}<p hidden>비밀 {n}</p>" for n in range(4)]
    doc = extract(pages[0], method="all", options=Options(site_model=fitted(*pages)))
    assert "비밀" not in doc.text
    assert "처음으로" not in doc.text
    assert doc.labels.reasons[-1] == "hidden"


# --- a page without some blocks ---------------------------------------------------------------------------------------


def looks(page: Page) -> tuple[Any, ...]:
    """Return what a page shows, and all values that must not change."""
    sizes = page.block_sizes
    return (
        page.shown,
        list(sizes.sizes),
        list(sizes.links),
        list(page.hidden_blocks),
        page.visibility.removed,
        page.texts,
        page.block_texts,
    )


@pytest.mark.parametrize("asked_before", [True, False])
def test_a_page_without_some_blocks_is_another_page(asked_before: bool) -> None:
    markup = "<p>하나<b>둘</b></p><p hidden>숨은 글</p><p>셋 <a href=/>넷</a></p>"
    page = Page.parse(markup, URL)
    if asked_before:
        looks(page)
        assert page.hidden_blocks == [False, True, False]
    other = page.without([0])
    assert other.shown == [3, 4]
    assert other.hidden_blocks == [True, True, False]
    assert other.block_sizes.sizes == page.block_sizes.sizes
    assert other.block_sizes.links == page.block_sizes.links
    assert looks(page) == looks(Page.parse(markup, URL))
    assert page.shown == [0, 1, 3, 4]
    assert (other.url, other.block_texts, other.stops) == (page.url, page.block_texts, page.stops)
    assert [block.xpath for block in other.blocks] == [block.xpath for block in page.blocks]
    assert page.without([]).shown == page.shown
    assert page.without(iter([2])).shown == [0, 1]


def test_blocks_are_removed_one_after_the_other() -> None:
    page = Page.parse("<p>하나</p><p>둘</p><p>셋</p>")
    fewer = page.without([0])
    none = fewer.without([1]).without([2])
    assert (fewer.shown, none.shown, none.hidden_blocks) == ([1, 2], [], [True] * 3)
    assert (page.shown, page.visibility.removed) == ([0, 1, 2], frozenset())


def test_a_page_that_scripts_uncover_is_shown_without_removed_blocks() -> None:
    page = Page.parse("<body style='visibility: hidden'><p>메뉴</p><p>글</p>")
    other = page.without([0])
    assert (page.shown, page.hidden_blocks) == ([0, 1], [False, False])
    assert (other.shown, other.hidden_blocks) == ([1], [True, False])
    assert bonmun.extract(other, method="all").text == "글"


def test_removing_blocks_does_not_uncover_hidden_ones() -> None:
    other = Page.parse("<p>메뉴</p><p hidden>비밀</p>").without([0])
    assert (other.shown, other.hidden_blocks) == ([], [True, True])


@given(
    blocks=st.lists(
        st.sampled_from(["<p>글</p>", "<p>글<b>자</b></p>", "<p hidden>숨</p>", "<p>앞<i hidden>숨</i></p>"]),
        min_size=1,
        max_size=6,
    ),
    data=st.data(),
)
@settings(max_examples=60)
def test_only_removed_blocks_disappear(blocks: Sequence[str], data: st.DataObject) -> None:
    page = Page.parse("".join(blocks))
    rows = data.draw(st.sets(st.integers(0, len(blocks) - 1)))
    before = looks(page)
    other = page.without(rows)
    taken = {leaf for row in rows for leaf in range(page.starts[row], page.stops[row])}
    assert other.shown == [leaf for leaf in page.shown if leaf not in taken]
    assert other.hidden_blocks == [gone or row in rows for row, gone in enumerate(page.hidden_blocks)]
    assert looks(page) == before


COUNTS: dict[str, Any] = {
    "frequencies": np.array([1, 2, 3], np.int64),
    "frequent": np.array([7], np.uint64),
    "frequent_counts": np.array([3], np.int64),
    "texts": np.array([1, 2], np.uint64),
    "counts": np.array([3, 3], np.int64),
    "of": np.array([4, 4], np.int64),
    "places": np.array([5], np.uint64),
    "sizes": np.array([10], np.int64),
    "repeated": np.array([5], np.int64),
}
SITES = [["a", 4, 2, 1]]
STRANGE: dict[str, tuple[dict[str, Any], Any]] = {
    "a column is longer": ({"counts": np.array([3, 3, 3], np.int64)}, SITES),
    "all columns are longer": ({}, [["a", 4, 1, 1]]),
    "the sites want more": ({}, [["a", 4, 2, 1], ["b", 4, 2, 1]]),
    "below nothing": ({}, [["a", 4, 3, 1], ["b", 4, -1, 0]]),
    "no name": ({}, [[None, 4, 2, 1]]),
    "no pages": ({}, [["a", None, 2, 1]]),
    "a part of a page": ({}, [["a", 4.5, 2, 1]]),
    "negative counts": ({"of": np.array([-1, 4], np.int64)}, SITES),
    "fractions": ({"texts": np.array([1, 2], np.float64)}, SITES),
    "a table": ({"texts": np.array([[1, 2]], np.uint64)}, SITES),
    "frequent texts without counts": ({"frequent_counts": np.empty(0, np.int64)}, SITES),
    "no list": ({}, 3),
}


@pytest.mark.parametrize("name", STRANGE)
def test_invalid_counts_are_rejected(name: str, tmp_path: Path) -> None:
    def save(columns: dict[str, Any], sites: Any) -> Path:
        about = json.dumps({"format": 1, "digits": False, "case": False, "sites": sites}).encode()
        save_arrays(tmp_path / "a.sites", {"about": np.frombuffer(about, np.uint8)} | COUNTS | columns)
        return tmp_path / "a.sites"

    assert SiteModel.load(save({}, SITES)).sites["a"].pages == 4
    with pytest.raises(BadInput, match=r"^'.*a\.sites' is not a site model: make one with `bonmun corpus site-"):
        SiteModel.load(save(*STRANGE[name]))


def test_tally_counts_the_pages_of_repeated_texts() -> None:
    tally = Tally()
    htmls = ["<p>one<p>menu<p>menu", "<p>two<p>menu", "<p>three<p>menu<p>two", "<p>two<p>menu"]
    counted = [tally.add_counts(*count_leaves(Page.parse(html), Normalisation())) for html in htmls]
    assert counted == [True, True, True, False]  # a copy counts once
    texts, counts, first = tally.count_texts()
    assert texts.tolist() == sorted(texts.tolist())
    found = dict(zip(texts.tolist(), zip(counts.tolist(), first.tolist(), strict=True), strict=True))
    menu, two = hash_texts(Page.parse("<p>menu<p>two"), Normalisation())
    assert found == {menu: (3, 1), two: (2, 2)}
    assert [len(column) for column in Tally().count_texts()] == [0, 0, 0]
