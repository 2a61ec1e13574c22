"""Crawler traps are recognised; large archives are not mistaken for traps."""

from __future__ import annotations

from datetime import date

import pytest
from crawling import make_filter

from bonmun.scale.crawl.frontier.tickets import FoundUrl
from bonmun.scale.crawl.frontier.traps import (
    MAX_CALENDAR_PAGES,
    MAX_FACET_PAGES,
    MAX_VARIANT_PAGES,
    check_limit,
    find_pattern,
    find_trap,
)

TODAY = date(2026, 3, 4)
HOST = "http://a.example"

TRAPS = [
    "/a/b/a/b/a/b",
    "/x/news/news/news/",
    "/en/about/en/shop/en/cart/en/",
    "/" + "/".join(map(str, range(30))),
    "/a?" + "&".join(f"p{n}=1" for n in range(25)),
    "/news?page=99999999",
    "/news/page/123456/",
    "/list?start=123456789",
    "/calendar/2087/03",
    "/calendar/1850/03",
    "/events/2031-12-01/",
    "/our-calendar.php?month=2040-01",
    "/?year=3000&month=1",
    "/list?date=21000101",
    "/list?date=10010101",
    "/2045/01/01/",
    "/list?page=" + "9" * 1_900,
]
LEGITIMATE = [
    "/",
    "/post/60000",
    "/2011/11/11/11/11-things",
    "/1923/04/05/a-story",
    "/2026/03/04/today",
    "/events/1234",
    "/events/9999/program",
    "/calendar/2026/03",
    "/day-trips/2200",
    "/?p=99999999",
    "/view?no=99999999&page=3",
    "/list?date=20260304&page=2",
    "/archive?date=19200401",
    "/a/b/c/d/e/f/g/h/i/j/k",
    "/wiki/Calendar_2100",
    "/x//y",
    "/1/1/1/1",
]


@pytest.mark.parametrize("path", TRAPS)
def test_traps_are_recognised(path: str) -> None:
    assert find_trap(HOST + path, TODAY)


@pytest.mark.parametrize("path", LEGITIMATE)
def test_legitimate_urls_are_not_traps(path: str) -> None:
    assert find_trap(HOST + path, TODAY) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [
        "/post/{}",
        "/article/view.php?id=free&no={}&page=1",
        "/news/articleView.html?idxno={}",
        "/bbs/board?bo_table=free&wr_id={}&page=2",
        "/read?oid=001&aid=00{}&sid1=100",
        "/2024/05/{}-story",
        "/events/{}",
        "/search?q=a&page={}",
    ],
)
def test_a_large_archive_is_not_a_trap(make: str) -> None:
    url_filter = make_filter()
    assert not any(url_filter.find_rejection(FoundUrl(HOST + make.format(n))) for n in range(10_000, 16_000))


def count_accepted(paths: list[str]) -> int:
    url_filter = make_filter()
    return sum(url_filter.find_rejection(FoundUrl(HOST + path)) is None for path in paths)


def test_calendar_pages_are_limited() -> None:
    days = [
        f"/calendar?day={year}-{month:02}-{day:02}"
        for year in (2024, 2025)
        for month in range(1, 13)
        for day in range(1, 29)
    ]
    assert count_accepted(days) == MAX_CALENDAR_PAGES


def test_combinations_of_filters_are_limited() -> None:
    shop = [f"/shop?color={a}&size={b}&sort={c}" for a in range(20) for b in range(20) for c in range(20)]
    assert count_accepted(shop) == MAX_FACET_PAGES
    assert count_accepted([f"{path}&more={len(path)}" for path in shop]) == MAX_FACET_PAGES


def test_urls_of_one_page_are_limited() -> None:
    assert count_accepted([f"/view?no=7&order=a&page={number}" for number in range(1000)]) == MAX_VARIANT_PAGES


def test_each_host_has_its_own_limits() -> None:
    url_filter = make_filter()
    for host in ("a.example", "b.example"):
        urls = [FoundUrl(f"http://{host}/s?a={n}&b=1&c=1") for n in range(MAX_FACET_PAGES)]
        assert not any(map(url_filter.find_rejection, urls))
        assert url_filter.find_rejection(FoundUrl(f"http://{host}/s?a=x&b=1&c=1"))


def test_limits_are_kept_across_runs() -> None:
    first = make_filter()
    for number in range(MAX_VARIANT_PAGES):
        assert first.find_rejection(FoundUrl(f"{HOST}/view?no=7&order=a&page={number}")) is None
    second = make_filter(first.sql)
    assert second.find_rejection(FoundUrl(f"{HOST}/view?no=7&order=b&page=1")) == "too many URLs of one page"
    pattern = find_pattern(f"{HOST}/view?no=7&order=b&page=1")
    assert pattern
    assert check_limit(pattern, MAX_VARIANT_PAGES - 1) is None
    assert check_limit(pattern, MAX_VARIANT_PAGES)
