"""Title, author and date of whole pages, in many languages."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bonmun
from bonmun.errors import BadConfig
from bonmun.metadata import Metadata, MetadataField, ranking, read_metadata
from bonmun.metadata.authors.choose import find_author_candidates
from bonmun.metadata.dates.choose import find_date_candidates
from bonmun.metadata.declared import read_declared
from bonmun.metadata.language import find_language
from bonmun.metadata.page_reading import PageReading, prepare_reading
from bonmun.metadata.ranking import load_default_rankers, load_rankers
from bonmun.metadata.titles.choose import find_title_candidates
from bonmun.page import Page
from timing import assert_linear

if TYPE_CHECKING:
    from collections.abc import Callable

    from bonmun.sites.model import SiteModel

BODY = "<p>" + "</p><p>".join(
    f"Sentence {n} of a story that goes on and on, as stories do, for a while." for n in range(9)
)
SOON = date(2030, 1, 1)


def page_of(head: str = "", top: str = "", body: str = BODY, url: str | None = None) -> Page:
    """Return a page with a headline, markup below it, and a text."""
    return Page.parse(f"<html><head>{head}</head><body><main><h1>A headline of some words</h1>{top}{body}</main>", url)


def reading(page: Page, first: int = 1) -> PageReading:
    """Return a reading with known headline and start of the text."""
    found = prepare_reading(page)
    found.headline, found.first, found.page_kinds = 0, first, {"article": 1.0}
    return found


def read(head: str = "", top: str = "", body: str = BODY) -> Metadata:
    return bonmun.extract(page_of(head, top, body)).metadata


def test_the_title_of_a_home_page_is_the_name_of_the_site() -> None:
    head = '<title>The Daily</title><meta property="og:site_name" content="The Daily">'
    html = f"<html><head>{head}</head><body><h2>Top of the page</h2><p>x</p><h2>A story that is told below</h2>{BODY}"
    assert bonmun.extract(html).title == "The Daily"


def test_the_name_of_the_site_is_cut_off_the_title() -> None:
    head = '<title>The Daily | A story of today</title><meta property="og:site_name" content="The Daily">'
    assert read_metadata(Page.parse(f"<html><head>{head}</head><body>{BODY}")).title == "A story of today"


def test_template_headings_are_not_the_title() -> None:
    def html(n: int) -> str:
        head = f"<title>Of lamp number {n} and its keeper - Lamps and their keepers</title>"
        body = "".join(
            f"<p>Sentence {n * k} of story {n}, which is told on this page and on no other.</p>" for k in range(9)
        )
        return f"<html><head>{head}</head><body><h1>Lamps and their keepers</h1><h2>Of lamp number {n} and its keeper</h2>{body}"

    pages = [Page.parse(html(n), f"https://lamps.example/{n}") for n in range(1, 9)]
    model = bonmun.SiteModel.fit(pages)
    labels = bonmun.extract(pages[0], options=bonmun.Options(site_model=model)).labels
    assert labels.template == {0}
    found = find_title_candidates(prepare_reading(pages[0], labels))
    assert "Lamps and their keepers" not in [each.value for each in found]
    assert bonmun.extract(pages[0], options=bonmun.Options(site_model=model)).title == "Of lamp number 1 and its keeper"


def test_headlines_that_every_page_links_are_headlines() -> None:
    names = ["Lamps", "Keepers", "Storms", "Ships", "Harbours", "Ropes"]
    links = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in names)

    def html(name: str) -> str:
        body = "".join(f"<p>Sentence {n} about {name}, which is told here and nowhere else.</p>" for n in range(9))
        menu = f"<nav><a href=/>The Manual</a><ul>{links}</ul></nav>"
        return f"<html><head><title>{name} — The Manual</title></head><body>{menu}<h1>{name}</h1>{body}"

    pages = [Page.parse(html(name), f"https://manual.example/{name}") for name in names]
    options = bonmun.Options(site_model=bonmun.SiteModel.fit(pages))
    assert [bonmun.extract(page, options=options).title for page in pages] == names


def repeated(method: str) -> tuple[Page, SiteModel]:
    """Return a page whose byline and date are on every page of its site, and the site model."""

    def html(n: int) -> str:
        story = "".join(
            f"<p>Sentence {n * k} of story {n}, which is told here and on no other page.</p>" for k in range(1, 9)
        )
        return f"<h1>Story {n} of the lamps</h1><p>By Ann Lee</p><p>March 4, 2026</p>{story}"

    pages = [Page.parse(f"<html><body>{html(n)}", f"https://lamps.example/{n}") for n in range(1, 9)]
    model = bonmun.SiteModel.fit(pages)
    assert bonmun.extract(pages[0], options=bonmun.Options(site_model=model), method=method).labels.template >= {1, 2}
    return pages[0], model


@pytest.mark.parametrize("method", ["rules", "frequency+", "xpath+"])
def test_template_blocks_are_neither_byline_nor_date(method: str) -> None:
    page, model = repeated(method)
    known = prepare_reading(page, bonmun.extract(page, options=bonmun.Options(site_model=model), method=method).labels)
    known.headline = 0
    assert find_author_candidates(known) == []
    assert find_date_candidates(known, SOON) == []
    alone = prepare_reading(page, bonmun.extract(page).labels)
    alone.headline = 0
    assert "Ann Lee" in [each.value for each in find_author_candidates(alone)]
    assert [each.value for each in find_date_candidates(alone, SOON)] == ["2026-03-04"]


def test_template_headings_are_ignored() -> None:
    page = page_of(top="<h2>On every page</h2>")
    labels = replace(bonmun.extract(page).labels, template=frozenset({1}))
    assert [row for row, _ in prepare_reading(page, labels).headings] == [0]
    assert [row for row, _ in prepare_reading(page).headings] == [0, 1]


def test_the_text_is_not_searched_if_author_and_date_are_declared() -> None:
    said = '{"@type": "NewsArticle", "headline": "H", "author": "Ann Lee", "datePublished": "2024-05-06"}'
    head = f'<script type="application/ld+json">{said}</script><meta property="article:published_time" content="2024-05-06">'
    page = page_of(head, "<p>By Bo Kim</p><p>June 7, 2024</p>")
    assert [each.value for each in find_author_candidates(reading(page))] == ["Ann Lee"]
    assert [each.value for each in find_date_candidates(reading(page), SOON)] == ["2024-05-06"]
    one = page_of(head.replace("Ann Lee", "lamps24"), "<p>By Bo Kim</p>")
    assert [each.value for each in find_author_candidates(reading(one, 2))] == ["lamps24", "Bo Kim"]


def test_hidden_bylines_and_dates_are_ignored() -> None:
    page = page_of(top="<p hidden>By Bo Kim</p><p hidden>June 7, 2024</p>")
    assert find_author_candidates(reading(page, 3)) == []
    assert find_date_candidates(reading(page, 3), SOON) == []


def test_urls_are_removed_from_names() -> None:
    page = page_of('<meta name="author" content="Ann Lee, https://ann.example/, Bo Kim">')
    assert [each.value for each in find_author_candidates(reading(page))] == ["Ann Lee, Bo Kim", "Ann Lee"]


def test_the_host_of_the_site_is_not_an_author() -> None:
    head = '<meta name="author" content="LAMPS.EXAMPLE">'
    assert find_author_candidates(reading(page_of(head, url="https://www.lamps.example/1"))) == []
    assert [each.value for each in find_author_candidates(reading(page_of(head)))] == ["LAMPS.EXAMPLE"]


def test_crawled_must_be_a_date() -> None:
    with pytest.raises(BadConfig, match=r"^crawled must be a date or a datetime, not '2026-03-04'\.$"):
        bonmun.Options(crawled="2026-03-04")  # type: ignore[arg-type]


def test_both_weight_files_hold_the_same_weights() -> None:
    path = Path(ranking.__file__).with_name("weights.npz")
    ours, same = load_default_rankers().title, load_rankers(path).title
    assert list(ours.features) == list(same.features)
    assert (ours.first, ours.first_bias, ours.second) == (same.first, same.first_bias, same.second)


def test_a_date_that_is_shown_and_declared_wins() -> None:
    head = '<meta property="article:published_time" content="2024-05-06T07:08:09Z">'
    found = read(head, "<p>By Ann Lee · May 6, 2024</p>").fields["date"]
    assert found.value == "2024-05-06"
    assert found.source == "meta article:published_time"
    assert found.confidence > 0.8


def test_a_page_without_a_date_has_none() -> None:
    body = BODY + "<p>In 1999 it was said, and again in 2004, that this would pass.</p>"
    assert read("", "", body + "<footer>© 2026 The Site</footer>").date is None


def test_future_dates_are_ignored() -> None:
    page = page_of(top="<time datetime=2031-01-01>soon</time>")
    assert find_date_candidates(reading(page), SOON) == []


def test_relative_dates_need_the_crawl_date() -> None:
    html = f"<html lang=ko><title>등대가 다시 켜졌다 | 소식</title><h1>등대가 다시 켜졌다</h1><p>홍길동 기자 · 3시간 전</p>{BODY}"
    assert bonmun.extract(html).date is None
    crawled = datetime(2026, 3, 4, 12, tzinfo=UTC)
    found = bonmun.extract(html, options=bonmun.Options(crawled=crawled)).metadata.fields["date"]
    assert (found.value, found.source) == ("2026-03-04", "text")


def test_dates_after_the_crawl_are_ignored() -> None:
    head = '<meta property="article:published_time" content="2024-05-06">'
    options = bonmun.Options(crawled=date(2024, 5, 1))
    assert bonmun.extract(page_of(head)).date == "2024-05-06"
    assert bonmun.extract(page_of(head), options=options).date is None


@pytest.mark.parametrize(
    ("byline", "name"),
    [
        ("By Ann Lee", "Ann Lee"),
        ("Written by Ann Lee", "Ann Lee"),
        ("홍길동 기자 hong@paper.example", "홍길동 기자"),
        ("작성자: 홍길동", "홍길동"),
        ("作者：张三", "张三"),
        ("记者 张三", "张三"),
        ("文/王小明", "王小明"),
        ("記者王小明/綜合報導", "王小明"),
        ("Автор: Анна Ли", "Анна Ли"),
        ("Von Anna Lee", "Anna Lee"),
        ("Par Anne Lee", "Anne Lee"),
        ("Por Ana Lee", "Ana Lee"),
        ("By Ann Lee | May 6, 2024", "Ann Lee"),
        ("By Ann Lee (ann@paper.example)", "Ann Lee"),
        ("<span class=author>By Ann Lee</span>", "Ann Lee"),
        ("[서울=뉴스] 홍길동 기자 = 등대가 켜졌다", "홍길동 기자"),
        ("한산하다. /홍길동 기자 hong@", "홍길동 기자"),
        ("홍길동 2026.03.04 10:57", "홍길동"),
        ("2026-03-04 · 등대지기", "등대지기"),
        ("등대를 본다。（ソウル＝李民晧）", "李民晧"),
        ("圖文／王小明", "王小明"),
        ("بواسطة روبرت ساتلوف", "روبرت ساتلوف"),
        ("14 พฤษภาคม 2564 | โดย สมชาย ใจดี", "สมชาย ใจดี"),
    ],
)
def test_names_in_bylines_are_candidates(byline: str, name: str) -> None:
    page = page_of(top=f"<p>{byline}</p>")
    found = [each.value for each in find_author_candidates(reading(page, 2))]
    assert name in found
    assert f"By {name}" not in found


@pytest.mark.parametrize(
    "line",
    [
        "記者会見で述べた",
        "记者从会上获悉",
        "취재기자 모집",
        "사진=홍길동 기자",
        "입력 2026.03.04 10:57",
        "작성 2026.03.04 10:57",
    ],
)
def test_words_beside_reporter_or_a_date_are_not_names(line: str) -> None:
    assert find_author_candidates(reading(page_of(top=f"<p>{line}</p>"), 2)) == []


def test_a_reporter_is_the_same_with_and_without_rank() -> None:
    page = page_of('<meta name="author" content="홍길동">', "<p>홍길동 기자 hong@paper.example</p>")
    (found,) = find_author_candidates(reading(page, 2))
    assert found.value == "홍길동"
    assert found.features["two ways"]


def test_metadata_in_the_table_of_an_old_board() -> None:
    rows = (("제 목", "밤낚시 다녀왔습니다"), ("글쓴이", "찌불하나 2004-06-13 11:25:40, 조회 : 217"))
    table = "".join(f"<tr><td>{label}</td><td>{value}</td></tr>" for label, value in rows)
    found = bonmun.extract(f"<title>푸른솔 낚시동호회</title><body><table>{table}</table>{BODY}").metadata
    assert (found.title, found.author, found.date) == ("밤낚시 다녀왔습니다", "찌불하나", "2004-06-13")


def test_a_byline_after_the_text_is_found() -> None:
    assert read("", "", BODY + "<p>홍길동 기자 hong@paper.example</p>").author == "홍길동"


def test_an_author_by_id_is_resolved() -> None:
    head = """<script type="application/ld+json">{"@graph": [
      {"@type": "NewsArticle", "headline": "A headline of some words", "author": {"@id": "#ann"}},
      {"@type": "Person", "@id": "#ann", "name": "Ann Lee"}]}</script>"""
    page = page_of(head)
    found = find_author_candidates(reading(page))
    assert [each.value for each in found if "ld main" in each.features] == ["Ann Lee"]
    author = read(head, "<p>By Ann Lee</p>").fields["author"]
    assert (author.value, author.source) == ("Ann Lee", "JSON-LD")


def test_the_site_is_not_an_author() -> None:
    head = '<meta property="og:site_name" content="The Daily"><meta name="author" content="The Daily">'
    assert read(head).author is None


@pytest.mark.parametrize("name", ["admin", "Administrator", "관리자"])
def test_generic_user_names_are_not_authors(name: str) -> None:
    assert read(f'<meta name="author" content="{name}">').author is None


@pytest.mark.parametrize(
    "broken",
    [
        '{"@type": "NewsArticle", "headline": "H", "author": "Ann Lee",}',
        '// a comment\n{"@type": "NewsArticle", "headline": "H", /* here */ "author": "Ann Lee"}',
        '<!-- {"@type": "NewsArticle", "headline": "H", "author": "Ann Lee"} -->',
        "{&quot;@type&quot;: &quot;NewsArticle&quot;, &quot;headline&quot;: &quot;H&quot;, &quot;author&quot;: &quot;Ann Lee&quot;}",
        '{"@type": "NewsArticle", "headline": "H\nand more", "author": "Ann Lee"}',
    ],
)
def test_json_ld_with_syntax_errors_is_read(broken: str) -> None:
    page = Page.parse(f'<script type="application/ld+json">{broken}</script><p>x')
    assert read_declared(page).main["author"] == "Ann Lee"


def test_long_scripts_are_skipped() -> None:
    article = '{"@type": "NewsArticle", "headline": "%s"}'
    scripts = [f'<script type="application/ld+json">{article % ("x" * size)}</script>' for size in (600_000, 10)]
    assert [len(thing["headline"]) for thing in read_declared(Page.parse("".join(scripts))).things] == [10]


@pytest.mark.parametrize("declared", ["<link rel=canonical href='{}'>", "<meta property='og:url' content='{}'>"])
def test_the_declared_url_counts_where_none_is_given(declared: str) -> None:
    text = """
        <p>The old lamp was lit again last night, and half of the village came up to help the keeper.</p>
        <p>It had been dark for eleven winters, since the day the ferry stopped and the oil no longer came.</p>
        <p>Now a wheel in the stream drives it, and the boats of three bays can find their way home again.</p>
        <p>The keeper says that she will teach two of the children how to trim the wick before the spring.</p>"""
    page = f"<head>{declared}<title>A lamp is lit</title></head><h1>A lamp is lit</h1>{text}"
    own = "https://blog.lamp.example/2026/03/04/a-lamp-is-lit"
    doc = bonmun.extract(page.format(own))
    assert (doc.page.likely_url, doc.url, doc.date) == (own, None, "2026-03-04")
    assert bonmun.extract(page.format("/2026/03/04/a-lamp")).date is None
    other = "https://lamp.example/2020/01/02/other-lamp"
    doc = bonmun.extract(page.format(own), other)
    assert (doc.page.likely_url, doc.date) == (other, "2020-01-02")


def test_urls_are_absolute() -> None:
    head = '<link rel=canonical href="/story"><meta property="og:image" content="pic.png">'
    found = read_metadata(page_of(head, url="https://site.example/a/b"))
    assert found.canonical == "https://site.example/story"
    assert found.image == "https://site.example/a/pic.png"
    assert found.fields["canonical"] == MetadataField("https://site.example/story", "canonical", 0.9)


def test_tags_licence_and_date_of_change() -> None:
    head = '<meta name=keywords content="one, two,, one"><link rel=license href="https://cc.example/by">'
    found = read(head + '<meta property="article:modified_time" content="2024-06-07">')
    assert (found.tags, found.licence, found.modified) == (("one", "two"), "https://cc.example/by", "2024-06-07")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("오늘 아침에는 비가 왔고, pip install bonmun 이라고 쳤더니 잘 되었다. 그래서 기분이 좋았다.", "ko"),
        ("今日は雨が降りました。Python を使って本文を取り出してみたところ、うまくいきました。よかったです。", "ja"),
        ("今天早上下了雨，我用 Python 提取了正文，结果很好，所以心情不错，下午还要继续工作，晚上再看看结果。", "zh"),
        ("Ce matin il a plu, et les gens des environs sont restés dans leurs maisons.", "fr"),
        ("This morning it rained, and so we stayed at home and read the paper.", "en"),
    ],
)
def test_the_language_is_detected_from_the_text(text: str, language: str) -> None:
    found = find_language(Page.parse("<html lang=fr><p>x"), text)
    assert found is not None
    assert found.value == language
    sources = {"en": "text", "fr": "html lang and text"}
    assert found.source == sources.get(language, "script")


RING = '{"@id":"a","@type":"NewsArticle","headline":"H","author":{"@id":"b"}},{"@id":"b","author":{"@id":"a"}}'
NESTED = '{"@type":"A","x":'
LINKED = '<script type="application/ld+json">'
# by name: a function that makes a page of a size, and the size
HOSTILE: dict[str, tuple[Callable[[int], str], int]] = {
    "many scripts": (lambda n: f'{LINKED}{{"@type":"Thing"}}</script>' * n, 10_000),
    "megabytes": (lambda n: f'{LINKED}["{"x" * n}"]</script>', 5_000_000),
    "a ring of ids": (
        lambda n: f"{LINKED}[{RING}{', {}' * n}]</script>",
        10_000,
    ),
    "deep": (lambda n: f"{LINKED}{'[' * n}</script>", 100_000),
    "nested": (lambda n: f"{LINKED}{NESTED * n}1{'}' * n}</script>", 900),
    "years": (lambda n: '<meta name=date content="0000-00-00"><meta name=pubdate content="9999-99-99">' * n, 4),
    "a long title": (lambda n: f"<title>{'word | ' * n}</title>", 150_000),
    "a long heading": (lambda n: f"<body><h1>{'word - ' * n}</h1>", 150_000),
    "controls": (
        lambda n: '<meta property="og:title" content="A&#1;B&#x202e;C"><meta name=author content="&#0;&#7;">' * n,
        4,
    ),
    "many metas": (lambda n: "<meta name=author content=a>" * n, 20_000),
    "many times": (lambda n: "<body>" + "<time datetime=2024-01-01>x</time>" * n, 20_000),
    "blanks": (lambda n: f'<meta name=author content="{" " * n}by"><body><p>by{" " * n}x', 100_000),
    "digits": (lambda n: "<body><p>" + "1.2.3.4.2024." * n, 20_000),
}


@pytest.mark.slow
@pytest.mark.parametrize(("make", "size"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_metadata_takes_linear_time(make: Callable[[int], str], size: int) -> None:
    found = assert_linear(lambda n: Page.parse(f"{make(n)}<p>x"), lambda page: read_metadata(page, "x"), size)
    assert len(found.title or "") <= 2000
    assert (found.date or "2024") < "2030"


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.text(max_size=80))
def test_any_text_gives_valid_fields(shown: str, declared: str) -> None:
    head = "".join(f'<meta property="{name}" content="{declared}">' for name in ("og:title", "author", "date"))
    found = read_metadata(page_of(head, f"<p>{shown}</p>"), shown)
    assert all(0 <= each.confidence <= 1 and each.value and each.source for each in found.fields.values())
