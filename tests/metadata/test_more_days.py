"""Machine-written dates, other calendars, dates in URLs, two-digit years, and the places of dates on a page."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

import bonmun
from bonmun.labels import Labels
from bonmun.metadata import read_metadata
from bonmun.metadata.dates.choose import find_date_candidates
from bonmun.metadata.dates.parse import find_days, find_short_day, read_program_day
from bonmun.metadata.dates.url_dates import find_url_day
from bonmun.metadata.page_reading import prepare_reading
from bonmun.metadata.titles.choose import find_headline
from timing import assert_linear

if TYPE_CHECKING:
    from bonmun.metadata.page_reading import PageReading
    from bonmun.metadata.ranking import Candidate

BODY = "".join(f"<p>Sentence {n} of a story that goes on and on, as stories do, for a while.</p>" for n in range(9))
SOON = date(2030, 1, 1)


def find_candidates(
    head: str = "", top: str = "", end: str = "", *, lang: str = "en", url: str = ""
) -> dict[str, Candidate]:
    """Return the candidates for the date of a page, by date."""
    html = f'<html lang="{lang}"><head><title>A lamp</title>{head}</head><body><main><h1>A lamp</h1>{top}{BODY}</main>{end}'
    page = bonmun.Page.parse(html, url or None)
    reading = prepare_reading(page, bonmun.extract(page).labels)
    reading.headline = find_headline(reading, "A lamp")
    return {each.value: each for each in find_date_candidates(reading, SOON)}


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("20230329", "2023-03-29"),
        ("202303291230", "2023-03-29"),
        ("20230329123059", "2023-03-29"),
        ("1680048000", "2023-03-29"),
        ("1680048000000", "2023-03-29"),
        ("Wed, 29 Mar 2023 10:00:00 GMT", "2023-03-29"),
        ("20231329", None),
        ("99999999999999999999", None),
        ("123", None),
        ("9" * 5000, None),
    ],
)
def test_dates_as_programs_write_them(text: str, day: str | None) -> None:
    found = read_program_day(text)
    assert (found.isoformat() if found else None) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-03-04T22:49:04Z", "2026-03-05"),
        ("2026-03-04T22:49:04.123+00:00", "2026-03-05"),
        ("2026-12-31T15:00Z", "2027-01-01"),
        ("2026-03-04T14:59:59Z", "2026-03-04"),
        ("2026-03-04T22:49:04+09:00", "2026-03-04"),
        ("2026-03-04T22:49:04", "2026-03-04"),
        ("1772668800", "2026-03-05"),  # 2026-03-05 00:00 UTC
        ("1772665200", "2026-03-05"),  # an hour before
    ],
)
def test_times_in_utc_are_converted(text: str, day: str) -> None:
    assert str(read_program_day(text, 9)) == day


@pytest.mark.parametrize(("language", "day"), [("ja", "2026-03-05"), ("ko-KR", "2026-03-05"), ("en", "2026-03-04")])
def test_the_day_is_that_of_the_readers(language: str, day: str) -> None:
    time = "<meta property='article:published_time' content='2026-03-04T22:49:04Z'>"
    page = bonmun.Page.parse(f"<html lang={language}><title>A lamp</title>{time}<h1>A lamp</h1>{BODY}")
    assert read_metadata(page).date == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("令和8年3月4日", "2026-03-04"),
        ("令和元年5月1日 公開", "2019-05-01"),
        ("平成31年4月30日", "2019-04-30"),
        ("民國115年3月4日", "2026-03-04"),
        ("٤ مارس ٢٠٢٦", "2026-03-04"),
        ("14 كانون الثاني/يناير 2026", "2026-01-14"),
        ("2026. március 4.", "2026-03-04"),
        ("4. ožujka 2026", "2026-03-04"),
        ("4 de març de 2026", "2026-03-04"),
        ("4 मार्च 2026", "2026-03-04"),
        ("4 במרץ 2026", "2026-03-04"),
        ("HealthMARCH 4, 2026", "2026-03-04"),
        ("令和99年99月99日", None),
    ],
)
def test_other_calendars_and_languages(text: str, day: str | None) -> None:
    found = next(find_days(text), None)
    assert (found.day.isoformat() if found else None) == day


def test_all_dates_of_a_line_are_found() -> None:
    days = [each.day.isoformat() for each in find_days("Published March 4, 2025. Updated: 5 April 2026")]
    assert days == ["2025-03-04", "2026-04-05"]


@pytest.mark.parametrize(
    ("text", "year_first", "american", "day"),
    [
        ("26.03.04 10:57", True, False, "2026-03-04"),
        ("'26.03.04", True, False, "2026-03-04"),
        ("04.03.26", False, False, "2026-03-04"),
        ("3/4/26", False, True, "2026-03-04"),
        ("3/4/26", False, False, "2026-04-03"),
        ("1.2.26.5", False, False, None),
        ("12:30:45", False, False, None),
        ("99.99.99", True, False, None),
    ],
)
def test_two_digit_years(text: str, year_first: bool, american: bool, day: str | None) -> None:
    found = find_short_day(text, year_first=year_first, american=american)
    assert (found.day.isoformat() if found else None) == day


@pytest.mark.parametrize(
    ("url", "day", "month"),
    [
        ("https://a.example/2025/12/18/story", "2025-12-18", (2025, 12)),
        ("https://a.example/2025/1/2/story", "2025-01-02", (2025, 1)),
        ("https://a.example/blog/2023/october/03/wine", "2023-10-03", (2023, 10)),
        ("https://a.example/news-20230329.html", "2023-03-29", (2023, 3)),
        ("https://a.example/view/AKR20230329012300004", "2023-03-29", (2023, 3)),
        ("https://a.example/2022/12/", None, (2022, 12)),
        ("https://a.example/20239999/", None, None),
        ("https://2023-03-29.example/story", None, None),
        (None, None, None),
    ],
)
def test_dates_in_urls(url: str | None, day: str | None, month: tuple[int, int] | None) -> None:
    found = find_url_day(url)
    assert (found.day.isoformat() if found.day else None, found.month) == (day, month)


@pytest.mark.parametrize("name", ["w-published-date", "published", "published-date", "my.date", "article.publishDate"])
def test_unlisted_metas_are_recognised_by_their_names(name: str) -> None:
    assert "meta" in find_candidates(f'<meta name="{name}" content="20230329">')["2023-03-29"].features


@pytest.mark.parametrize("name", ["expiration-date", "event-date", "build-date", "candidate", "page-modified"])
def test_metas_of_other_dates_are_not_dates_of_publication(name: str) -> None:
    found = find_candidates(f'<meta name="{name}" content="2023-03-29">')
    assert all("meta" not in each.features for each in found.values())


def test_the_place_of_a_time_element_gives_features() -> None:
    top = '<time datetime="2024-05-06">6 May</time>'
    end = '<aside class="related"><ul><li><a href="/b"><time datetime="2024-07-08">8 July</time></a></li></ul></aside>'
    found = find_candidates(top=top, end=BODY + end)
    assert {"time near title", "time first"} <= found["2024-05-06"].features.keys()
    assert {"time at the side", "time in a list", "time in a link", "time in a teaser"} <= found[
        "2024-07-08"
    ].features.keys()
    assert "time near title" not in found["2024-07-08"].features


def test_the_place_of_microdata_gives_features() -> None:
    top = '<div itemscope><meta itemprop="datePublished" content="2024-05-06"></div>'
    end = (
        '<footer><div itemscope><meta itemprop="datePublished" content="2024-07-08"><p>Another story</p></div></footer>'
    )
    found = find_candidates(top=top, end=end)
    assert "time near title" in found["2024-05-06"].features
    assert "time at the side" in found["2024-07-08"].features


def test_custom_time_elements_are_read() -> None:
    top = '<local-time datetime="2024-05-06T08:00:00Z">yesterday</local-time><faceplate-timeago ts="2024-05-07T08:00:00Z"></faceplate-timeago>'
    assert {"2024-05-06", "2024-05-07"} <= find_candidates(top=top).keys()


def test_the_url_decides_between_day_and_month() -> None:
    url = "https://a.example/blog/2023/october/03/wine"
    assert "2023-03-10" in find_candidates(top="<p>03/10/2023</p>")
    assert find_candidates(top="<p>03/10/2023</p>", url=url).keys() == {"2023-10-03"}


def test_labels_belong_to_the_date_after_them() -> None:
    found = find_candidates(top="<p>Published 4 March 2025 | Updated 5 April 2026</p>")
    assert "says published" in found["2025-03-04"].features
    assert "says updated" not in found["2025-03-04"].features
    assert "says updated" in found["2026-04-05"].features


def test_a_date_after_the_text_is_found() -> None:
    assert "2025-08-15" in find_candidates(end="<p>Published on: 15 August 2025</p>")


def test_korean_news_with_two_digit_years() -> None:
    assert "2026-03-04" in find_candidates(top="<p>26.03.04 10:57</p>", lang="ko")


def test_dates_at_the_ends_of_the_calendar_are_ignored() -> None:
    html = '<h1>A lamp</h1><meta name="date" content="9999-12-31"><meta name="pubdate" content="0001-01-01"><p>31 December 9999</p>'
    assert bonmun.extract(html + BODY, options=bonmun.Options(crawled=date.max)).date is None


def test_many_dates_take_linear_time() -> None:
    def make(count: int) -> bonmun.Page:
        metas = "".join(f'<meta name="date{n}" content="{"2" * 50}">' for n in range(count))
        item = '<meta itemprop="datePublished" content="2024-05-06">'
        times = f'<time datetime="2024-05-06">3/4/26 令和 2024 2024 2024</time>{item}' * count
        return bonmun.Page.parse(f"<h1>A lamp</h1>{metas}{times}{BODY}")

    assert_linear(make, read_metadata, 2000)


@pytest.mark.parametrize(
    ("top", "lang", "day"),
    [
        ("<p>الجمعة 8 فيفري 2019</p>", "ar", "2019-02-08"),
        ("<p>( Il Faro, 14 Gennaio 20 )</p>", "it", "2020-01-14"),
        ("<p>von lupa am 26/10/13, 03:48 pm</p>", "de", "2013-10-26"),
    ],
)
def test_more_written_dates(top: str, lang: str, day: str) -> None:
    assert day in find_candidates(top=top, lang=lang)


def test_other_dates_of_the_page_tell_whether_the_month_comes_first() -> None:
    top = "<p>04/06/2016</p>{}"
    assert "2016-04-06" in find_candidates(top=top.format(""), lang="en")
    assert "2016-06-04" in find_candidates(top=top.format("<p>Seen 25/06/2016</p>"), lang="en")
    assert "2016-06-04" in find_candidates(top=top.format(""), lang="fr")
    assert "2016-04-06" in find_candidates(top=top.format("<p>Seen 06/25/2016</p>"), lang="fr")


def test_dates_in_rdfa_are_read() -> None:
    top = "<span property='dc:date dc:created' content='2012-05-06T10:00:00+02:00'>Sunday</span>"
    assert "meta named published" in find_candidates(top=top)["2012-05-06"].features


def test_json_ld_without_a_type_is_an_article_if_it_has_a_headline() -> None:
    thing = '{"headline": "A lamp", "datePublished": "Thu, 08 May 2014 14:04:53 -0400"}'
    assert "ld main" in find_candidates(f"<script type=application/ld+json>{thing}</script>")["2014-05-08"].features


def test_the_words_around_a_date_tell_what_it_is_the_date_of() -> None:
    found = find_candidates(top="<p>Registriert: 18.09.2008, 05:56</p><div>Datum</div><div>21.01.2009</div>", lang="de")
    assert "says joined" in found["2008-09-18"].features
    assert "labelled date" in found["2009-01-21"].features
    assert "in the headline" not in found["2009-01-21"].features


def test_a_short_date_is_not_read_from_other_numbers() -> None:
    for text in ("14 people 20", "3 march 20 users came", "14 Gennaio 2020"):
        assert find_short_day(text, year_first=False, american=False) is None


def test_the_time_zone_and_the_day_of_the_week_of_mails_are_skipped() -> None:
    for text in ("Wed Mar  4 06:12:55 CST 2026", "Wed Mar 4 06:12:55 2026", "Wed Mar 4 06:12 +0900 2026"):
        assert [str(each.day) for each in find_days(text)] == ["2026-03-04"]
    assert_linear(lambda size: "Mar  4 06:12:55 " * size + " 2026", lambda text: list(find_days(text)), 10_000)


def test_a_declared_day_tells_the_order_of_day_and_month() -> None:
    head = '<meta property="article:published_time" content="2026-09-10T08:00:00Z">'
    found = find_candidates(head, top="<p>10.09.2026</p>")
    assert list(found) == ["2026-09-10"]
    assert "text" in found["2026-09-10"].sources
    assert "2026-10-09" in find_candidates(top="<p>9.10.2026</p>")
    assert "2026-10-09" in find_candidates(head, top="<p>9 October 2026</p>")


def test_a_time_in_a_line_that_says_updated_is_a_change() -> None:
    time = '<p class="foot">{}<time datetime="2026-05-06">in spring</time> by the keepers</p>'
    for words, is_change in (("Last modified on ", True), ("Posted and edited on ", False), ("Editor Ann, ", False)):
        found = find_candidates(end=time.format(words))["2026-05-06"]
        assert ("says updated" in found.features) is is_change


def test_lists_have_only_declared_days() -> None:
    items = "".join(
        f"<h2><a href=/{n}>Lamp {n}</a></h2><time datetime=2026-03-0{n}>March {n}</time>" for n in range(1, 8)
    )
    for head, days in (("", []), ('<meta name="date" content="2026-01-02">', ["2026-01-02"])):
        page = bonmun.Page.parse(f"<title>Lamps</title>{head}<h1>Lamps</h1>{items}", "https://pier.example/2026/03/07/")
        assert [each.value for each in find_date_candidates(label_as(page, "listing"), SOON)] == days
    assert find_date_candidates(label_as(page, "article"), SOON)


@pytest.mark.parametrize(
    ("title", "url", "is_later"),
    [
        ("A lamp - Page 3", "https://pier.example/t/1", True),
        ("Eine Lampe - Seite 296", "https://pier.example/t/1", True),
        ("灯 第2页", "https://pier.example/t/1", True),
        ("A lamp - Page 1", "https://pier.example/t/1", False),
        ("A lamp", "https://pier.example/t/1/page/2", True),
        ("A lamp", "https://pier.example/t?id=7&page=4", True),
        ("A lamp", "https://pier.example/t?id=7&page=1", False),
        ("A lamp", "https://pier.example/homepage2", False),
    ],
)
def test_later_pages_of_threads_have_no_day(title: str, url: str, is_later: bool) -> None:
    page = bonmun.Page.parse(f"<title>{title}</title><h1>A lamp</h1><p>Ann, 4 March 2026</p>{BODY}", url)
    reading = label_as(page, "forum")
    assert reading.is_later_thread_page is is_later
    assert bool(find_date_candidates(reading, SOON)) is not is_later
    assert not label_as(page, "article").is_later_thread_page


@pytest.mark.parametrize("kind", ["article", "listing"])
def test_only_declared_days_of_listings_count(kind: str) -> None:
    shown = f"<h1>Lamps</h1><p>4 March 2026</p><p><time datetime=2026-03-05>now</time></p>{BODY}"
    days = find_date_candidates(label_as(bonmun.Page.parse(shown), kind), SOON)
    assert [day.value for day in days] == (["2026-03-05", "2026-03-04"] if kind == "article" else [])
    declared = "<meta property=article:published_time content=2026-03-04>"
    days = find_date_candidates(label_as(bonmun.Page.parse(f"<head>{declared}</head>{shown}"), kind), SOON)
    assert days[0].value == "2026-03-04"
    assert days[0].features["shown"] == 1.0
    assert len(days) == (2 if kind == "article" else 1)


def label_as(page: bonmun.Page, kind: str) -> PageReading:
    """Return the reading of a page of a kind, with unknown main text."""
    rows = len(page.block_texts)
    labels = Labels("test", "block", [0.0] * rows, [False] * rows, [""] * rows, 1.0, kind=kind, kinds={kind: 1.0})
    return prepare_reading(page, labels)
