"""Authors: cleaning of names, menu labels, threads, several names, bylines in many scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import bonmun
from bonmun.labels import Labels
from bonmun.metadata import MIN_CONFIDENCE, read_metadata
from bonmun.metadata.authors.bylines import clean_name
from bonmun.metadata.authors.choose import find_author_candidates
from bonmun.metadata.authors.common_names import may_be_person
from bonmun.metadata.authors.names import split_names
from bonmun.metadata.page_reading import prepare_reading
from bonmun.metadata.titles.choose import find_headline
from timing import assert_linear

if TYPE_CHECKING:
    from bonmun.metadata.ranking import Candidate

BODY = "".join(f"<p>Sentence {n} of a story that goes on and on, as stories do, for a while.</p>" for n in range(9))


def find_candidates(
    head: str = "", top: str = "", end: str = "", *, url: str = "", kind: str = "article"
) -> dict[str, Candidate]:
    """Return the candidates for the author of a page, by name."""
    html = f"<html><head><title>A lamp - Pier</title>{head}</head><body><main><h1>A lamp</h1>{top}{BODY}</main>{end}"
    page = bonmun.Page.parse(html, url or None)
    rows = len(page.block_texts)
    kept = [text.startswith("Sentence") for text in page.block_texts]
    labels = Labels("test", "block", [0.0] * rows, kept, [""] * rows, 1.0, kind=kind, kinds={kind: 1.0})
    reading = prepare_reading(page, labels)
    reading.headline = find_headline(reading, "A lamp")
    return {each.value: each for each in find_author_candidates(reading)}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Mar 4, 2026Ann Lee", "Ann Lee"),
        ("Mar. 4, 2026 · Ann Lee on behalf of the team", "Ann Lee"),
        ("Posted by Ann Lee on Thu, 18 Dec", "Ann Lee"),
        ("View all posts by Ann Lee", "Ann Lee"),
        ("Post by lamps", "lamps"),
        ("Ann Lee ⋅ Review Editor ⋅", "Ann Lee"),
        ("Ann Lee 4", "Ann Lee"),
        ("王小明 報導", "王小明"),
        ("科学报/ 王小明", "王小明"),
        ("Ann Lee (ann@pier.example)", "Ann Lee"),
        ("20", "20"),
        ("", ""),
    ],
)
def test_names_are_cleaned(text: str, name: str) -> None:
    assert clean_name(text) == name


@pytest.mark.parametrize(
    ("name", "person"),
    [
        ("Anna Lee", True),
        ("Иван Петров", True),
        ("홍길동", True),
        ("王小明", True),
        ("Read More", False),
        ("Task Management", False),
        ("관련 기사 더 보기", False),
        ("锁定讨论编辑分享", False),
        ("", False),
    ],
)
def test_persons_are_recognised_by_the_first_word(name: str, person: bool) -> None:
    assert may_be_person(name) is person


def test_a_name_before_an_occupation_or_place_is_a_candidate() -> None:
    found = find_candidates(top="<p class='author'>By Ann Lee, Staff Writer</p>")
    assert "cut before an occupation" in found["Ann Lee"].features
    assert "ends in an occupation" in found["Ann Lee, Staff Writer"].features
    assert "Ann Lee" in find_candidates(top="<p class='author'>Von Ann Lee, Madrid</p>")


def test_a_name_joined_to_the_next_word_is_found() -> None:
    found = find_candidates(top="<div class='author'><b>Ann Lee</b><i>Founder</i></div>")
    assert "marked leaf" in found["Ann Lee"].features


def test_several_names_are_one_candidate() -> None:
    said = '{"@type": "NewsArticle", "headline": "A lamp", "author": [{"name": "Ann Lee"}, {"name": "Bo Kim"}]}'
    top = "<p><a rel='author' href='/author/a'>Ann Lee</a></p><p><a rel='author' href='/author/b'>Bo Kim</a></p>"
    found = find_candidates(f'<script type="application/ld+json">{said}</script>', top)
    assert {"several", "all are shown"} <= found["Ann Lee, Bo Kim"].features.keys()
    assert found["Ann Lee"].features["one of several"]
    metas = "".join(f'<meta name="citation_author" content="{name}">' for name in ("Ann Lee", "Bo Kim", "Cy Oh"))
    assert "Ann Lee, Bo Kim, Cy Oh" in find_candidates(metas)


def test_menu_words_are_not_names() -> None:
    found = find_candidates(top="<p>Related Content</p><p>Lamp News</p><p>Wilma Osei</p><p>March 4, 2026</p>")
    assert "Related Content" not in found
    assert found["Lamp News"].features["label words"]
    assert not found["Wilma Osei"].features["label words"]
    assert "beside a date" in found["Wilma Osei"].features


@pytest.mark.parametrize(
    ("address", "feature"), [("/author/wilma", "leads to a person"), ("/category/lamps", "leads to a list")]
)
def test_links_to_persons_and_lists_give_features(address: str, feature: str) -> None:
    found = find_candidates(top=f"<p><a href='{address}'>Wilma Osei</a></p>")
    assert feature in found["Wilma Osei"].features


def test_the_copyright_holder_is_a_candidate() -> None:
    found = find_candidates(end="<footer><p>© 2020–2026 by Wilma Osei. All rights reserved.</p></footer>")
    assert "copyright" in found["Wilma Osei"].features


def test_the_host_is_not_an_author_but_a_person_with_that_name_is() -> None:
    head = '<meta name="author" content="pierdaily">'
    assert find_candidates(head, url="https://www.pierdaily.example/1") == {}
    assert "Wilma Osei" in find_candidates(head.replace("pierdaily", "Wilma Osei"), url="https://wilmaosei.example/1")


def test_the_first_poster_of_a_thread_is_found() -> None:
    post = "<div class='post'><div class='postmenu'><a class='bigusername' href='member.php?u=7'>{}</a></div><p>{}</p></div>"
    top = post.format("lamps24", "Which lamp is best?") + post.format("bulbs", "Mine is.")
    found = find_candidates(top=top, kind="forum")
    assert "poster first" in found["lamps24"].features
    assert "poster first" not in found["bulbs"].features
    item = "<div itemprop='author' itemscope><meta itemprop='name' content='lamps24'></div>"
    assert "poster item" in find_candidates(top=item, kind="forum")["lamps24"].features
    assert "poster item" in find_candidates(top="<x-post author='lamps24'></x-post>", kind="forum")["lamps24"].features


@pytest.mark.parametrize(
    ("top", "name"),
    [
        ("<p>14 พฤษภาคม 2564 | โดย สมชาย ใจดี, " + "ผู้อำนวยการ" * 20 + "</p>", "สมชาย ใจดี"),
        ("<p>王小明／綜合報導</p>", "王小明"),
        ("<p>홍길동 기자 | 2026.03.04</p>", "홍길동 기자"),
        ("<p>بقلم أحمد علي</p>", "أحمد علي"),
        ("<p>Автор: Иван Петров</p>", "Иван Петров"),
    ],
)
def test_bylines_in_many_scripts(top: str, name: str) -> None:
    assert name in find_candidates(top=top)


def test_a_reporter_at_the_end_of_a_paragraph_is_found() -> None:
    end = "".join(f"<p>Sentence {n}</p>" for n in range(5))
    text = "Sentence: 灯台の明かりが、ふたたび岬の先にともった。" * 5
    assert "李民晧" in find_candidates(top=f"<p>{text}（ソウル＝李民晧）</p>", end=end)


def test_a_sentence_is_not_a_name() -> None:
    assert find_candidates(top="<p class='author'>この記事は灯台の近くに住む私がまとめました</p>") == {}


def test_many_names_take_linear_time() -> None:
    def make(count: int) -> bonmun.Page:
        names = "".join(f"<a class='author' href='/author/{n}'>Ann Lee {n}, Bo</a>" for n in range(count))
        metas = "".join(f'<meta name="author" content="Ann {n}, MD">' for n in range(count))
        rights = "© " * count
        return bonmun.Page.parse(f"<h1>A lamp</h1>{metas}<p>{names}</p>{BODY}<p>{rights}</p>")

    assert_linear(make, read_metadata, 2000)


@pytest.mark.parametrize(
    ("top", "name"),
    [
        ("<p>取材・文：山田 花子</p>", "山田 花子"),
        ("<p>執筆者：山田花子</p>", "山田花子"),
        ("<p>حوار: ليلى حسن</p>", "ليلى حسن"),
        ("<p>张三/港口青年报</p>", "张三"),
        ("<p>crisp 已于 2026-03-04 16:21:47 修改</p>", "crisp"),
        ("<p class=author>harborさん</p>", "harbor"),
        ("<p>홍길동 hong@pier.example</p>", "홍길동"),
        ("<div>Datum: 4.3.2026<br>Autor: Ann Lee<br>Quelle: Pier</div>", "Ann Lee"),
        ("<div><div>Auteur(s) :</div><div>Les amis du phare</div></div>", "Les amis du phare"),
        ("<p>Ann Lee1, Bo Kim2,3, Cy Roe*</p>", "Ann Lee, Bo Kim, Cy Roe"),
    ],
)
def test_more_bylines_are_read(top: str, name: str) -> None:
    assert name in find_candidates(top=top)


def test_an_editor_is_not_an_author() -> None:
    assert find_candidates(end="<p>责任编辑：王小明</p>").keys().isdisjoint({"王小明", "责任编辑：王小明"})


def test_labels_and_sentences_are_not_names() -> None:
    top = "<p class=author>Datum</p><p class=author>Message</p><p class=author>この記事は私がまとめました</p>"
    assert find_candidates(top=top) == {}


def test_a_label_far_after_the_text_names_the_author() -> None:
    facts = "<div>Facts</div>" * 6 + "<div>Autor</div><div>Peter Muster</div>"
    assert "byline" in find_candidates(end=facts)["Peter Muster"].features


def test_an_organization_is_an_author_unless_it_publishes_the_page() -> None:
    author = '{"@type": "Organization", "name": "Lamp Works"}'
    for publisher, names in (("The Pier", {"Lamp Works"}), ("Lamp Works", set())):
        thing = f'{{"@type": "NewsArticle", "headline": "A lamp", "author": {author}, "publisher": '
        head = f'<script type=application/ld+json>{thing}{{"@type": "Organization", "name": "{publisher}"}}}}</script>'
        assert find_candidates(head).keys() == names


def test_a_newspaper_named_like_its_host_is_not_an_author() -> None:
    head = "<meta name=author content='El Farol'>"
    top = "<p>Ann Lee | hace 3 horas</p>"
    assert find_candidates(head, top, url="https://www.elfarol.example/1").keys() == {"Ann Lee"}


def test_the_card_of_a_post_names_its_author() -> None:
    card = "<meta name=twitter:label1 content='{}'><meta name=twitter:data1 content='{}'>"
    assert "Ann Lee" in find_candidates(card.format("Verfasst von", "Ann Lee"))
    assert find_candidates(card.format("Reading time", "4 minutes")) == {}


def test_the_author_of_a_recording_with_the_title_of_the_page_is_its_author() -> None:
    thing = '<script type=application/ld+json>{"@type": "AudioObject", "name": "%s", "creator": "Ann Lee"}</script>'
    assert "ld main" in find_candidates(thing % "A lamp")["Ann Lee"].features
    assert "ld main" not in find_candidates(thing % "Another")["Ann Lee"].features


def test_unlikely_authors_are_not_reported() -> None:
    page = bonmun.Page.parse(f"<title>A lamp</title><h1>A lamp</h1><p class=nick>on top of it</p>{BODY}")
    fields = read_metadata(page).fields
    assert "author" not in fields or fields["author"].confidence >= MIN_CONFIDENCE


@pytest.mark.slow
@pytest.mark.parametrize("part", ["Ann Lee, ", "Autor\n", "가나다 a@", "حوار: ", "已于 2026-"])
def test_hostile_bylines_take_linear_time(part: str) -> None:
    assert_linear(lambda count: bonmun.Page.parse(f"<h1>A lamp</h1><p>{part * count}</p>{BODY}"), read_metadata, 4000)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("keeper38013", "keeper38013"),
        ("user3080392", "user3080392"),
        ("Ann Lee 2026", "Ann Lee"),
        ("Ann Lee on 04-ago-2026", "Ann Lee"),
        ("Ann Lee 59 Comments", "Ann Lee"),
    ],
)
def test_numbers_within_user_names_are_kept(text: str, name: str) -> None:
    assert clean_name(text) == name


@pytest.mark.parametrize(
    "text",
    [
        *(
            "undefined",
            "Pier Admin",
            "Redaktion",
            "System",
            "Feb 11",
            "[email protected] (No Reply",
            "PREV",
            "メール *",
        ),
        *("focusing on the best lamps", "If you are a human ignore this field"),
    ],
)
def test_accounts_labels_and_phrases_are_no_names(text: str) -> None:
    assert not find_candidates(f'<meta name="author" content="{text}">')


def test_names_with_particles_or_small_letters_are_names() -> None:
    for name in ("Ann van der Lee", "bo kim", "April 7th Club", "Marie de la Tour du Pin"):
        assert find_candidates(f'<meta name="author" content="{name}">')


def test_a_word_of_twitter_creator_is_an_account() -> None:
    assert not find_candidates('<meta name="twitter:creator" content="PierNet">')
    assert find_candidates('<meta name="twitter:creator" content="Ann Lee">')
    assert find_candidates('<meta name="author" content="annlee">')


@pytest.mark.parametrize("place", ['itemprop="review"', 'itemtype="https://schema.org/Review"'])
def test_authors_of_reviews_are_not_those_of_the_page(place: str) -> None:
    meta = '<div><meta itemprop="author" content="Bo Kim"></div>'
    assert "Bo Kim" not in find_candidates(top=f"<div {place}>{meta}</div>")
    assert "Bo Kim" in find_candidates(top=f"<div>{meta}</div>")


def test_reviews_are_searched_for_in_linear_time() -> None:
    meta = '<meta itemprop="author" content="Bo Kim">'
    assert_linear(
        lambda size: bonmun.Page.parse("<div itemscope>" * (size // 10) + meta * size),
        lambda page: read_metadata(page),
        2000,
    )


def test_the_article_with_the_title_of_the_page_has_its_author() -> None:
    things = ", ".join(
        f'{{"@type": "NewsArticle", "headline": "{title}", "author": {{"name": "{name}"}}}}'
        for title, name in (("Another boat sinks", "Bo Kim"), ("A lamp is lit", "Ann Lee"))
    )
    html = f'<title>A lamp is lit - Pier</title><script type="application/ld+json">[{things}]</script><h1>A lamp is lit</h1>'
    assert bonmun.extract(html + BODY).author == "Ann Lee"


def test_a_headline_is_no_byline() -> None:
    title = "Von Bonn nach Rom"
    page = bonmun.Page.parse(f"<title>{title} - Pier</title><h1>{title}</h1><p>Von Ann Lee</p>{BODY}")
    reading = prepare_reading(page, bonmun.extract(page).labels)
    reading.headline = find_headline(reading, title)
    assert [each.value for each in find_author_candidates(reading)] == ["Ann Lee"]


def test_a_newspaper_before_the_rank_is_cut_off() -> None:
    assert split_names("홍길동 MK스포츠 기자", (), ()) == ("홍길동",)
    assert split_names("홍길동 기자", (), ()) == ("홍길동",)


def test_later_posts_are_not_by_the_author_of_the_thread() -> None:
    post = '<p class="username">lampkeeper</p>'
    assert "lampkeeper" in find_candidates(top=post, kind="forum")
    assert not find_candidates(top=post, kind="forum", url="https://pier.example/t/1/page/2")


def test_a_caption_names_no_author() -> None:
    caption = "<img src=a.jpg><div class=byline-caption>{}Ann Lee, the keeper{}</div>"
    assert "Ann Lee" in find_candidates(top=caption.format("<p>", "</p>"))
    assert find_candidates(top=f"<figure>{caption.format('<figcaption>', '</figcaption>')}</figure>") == {}
