"""Programs make addresses without end; archives only many."""

from __future__ import annotations

from datetime import date

import pytest

from bonmun.scale.crawl.frontier.traps import (
    CALENDAR_PAGES,
    FACET_PAGES,
    VARIANT_PAGES,
    TrapLimits,
    find_trap,
    is_endless,
    pattern_of,
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
HONEST = [
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
def test_traps_are_seen(path: str) -> None:
    assert find_trap(HOST + path, TODAY)


@pytest.mark.parametrize("path", HONEST)
def test_honest_addresses_are_none(path: str) -> None:
    assert find_trap(HOST + path, TODAY) is None


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
def test_an_archive_of_any_size_is_no_trap(make: str) -> None:
    limits = TrapLimits()
    assert not any(limits.find_trap(HOST + make.format(number)) for number in range(10_000, 16_000))


def count_passed(paths: list[str]) -> int:
    limits = TrapLimits()
    return sum(limits.find_trap(HOST + path) is None for path in paths)


def test_a_calendar_ends() -> None:
    days = [
        f"/calendar?day={year}-{month:02}-{day:02}"
        for year in (2024, 2025)
        for month in range(1, 13)
        for day in range(1, 29)
    ]
    assert count_passed(days) == CALENDAR_PAGES


def test_filters_end() -> None:
    shop = [f"/shop?color={a}&size={b}&sort={c}" for a in range(20) for b in range(20) for c in range(20)]
    assert count_passed(shop) == FACET_PAGES
    assert count_passed([f"{path}&more={len(path)}" for path in shop]) == FACET_PAGES


def test_one_page_has_not_any_number_of_addresses() -> None:
    assert count_passed([f"/view?no=7&order=a&page={number}" for number in range(1000)]) == VARIANT_PAGES


def test_hosts_are_counted_apart() -> None:
    limits = TrapLimits()
    for host in ("a.example", "b.example"):
        assert not any(limits.find_trap(f"http://{host}/s?a={n}&b=1&c=1") for n in range(FACET_PAGES))
        assert limits.find_trap(f"http://{host}/s?a=x&b=1&c=1")


def test_counts_outlive_a_run() -> None:
    first = TrapLimits()
    for number in range(VARIANT_PAGES):
        assert first.find_trap(f"{HOST}/view?no=7&order=a&page={number}") is None
    assert (
        TrapLimits(dict(first.counts)).find_trap(f"{HOST}/view?no=7&order=b&page=1") == "too many addresses of one page"
    )
    pattern = pattern_of(f"{HOST}/view?no=7&order=b&page=1")
    assert pattern
    assert is_endless(pattern, VARIANT_PAGES - 1) is None
    assert is_endless(pattern, VARIANT_PAGES)
