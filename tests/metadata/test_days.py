"""Absolute and relative dates in many languages."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from bonmun.metadata.dates.parse import find_day
from bonmun.metadata.dates.relative import read_relative_day
from bonmun.settings import parse_date


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026년 3월 4일 오후 2:05", "2026-03-04"),
        ("2026.03.04. 14:05", "2026-03-04"),
        ("입력 2026-03-04 14:05", "2026-03-04"),
        ("2026年3月4日", "2026-03-04"),
        ("4 марта 2026", "2026-03-04"),
        ("4 de marzo de 2026", "2026-03-04"),
        ("le 4 mars 2026 à 10h", "2026-03-04"),
        ("4. März 2026", "2026-03-04"),
        ("04.03.2026", "2026-03-04"),
        ("March 4th, 2026", "2026-03-04"),
        ("March, 4 2026", "2026-03-04"),
        ("4 March 2026", "2026-03-04"),
        ("Mar 4, 2026", "2026-03-04"),
        ("4 مارس 2026", "2026-03-04"),
        ("4 มีนาคม 2569", "2026-03-04"),
        ("4 marca 2026", "2026-03-04"),
        ("4 Μαρτίου 2026", "2026-03-04"),
        ("4 Mart 2026", "2026-03-04"),
        ("ngày 4 tháng 3, 2026", "2026-03-04"),
        ("2026-03-04T14:05:00+09:00", "2026-03-04"),
        ("13/04/2026", "2026-04-13"),
        ("04/13/2026", "2026-04-13"),
        ("2026-13-01", None),
        ("31 February 2026", None),
        ("9999-01-01", None),
        ("0000-00-00", None),
        ("in 2026 we shall see 12 of them", None),
        ("Top 10 Products 2024", None),
        ("15 sets 2020", None),
        ("3 Mai 2024, 10 Uhr", "2024-05-03"),
        ("20 stycznia 2024", "2024-01-20"),
        ("12 Ağustos 2024", "2024-08-12"),
        ("5 ม.ค. 2567", "2024-01-05"),
        ("", None),
    ],
)
def test_dates_as_people_write_them(text: str, day: str | None) -> None:
    found = find_day(text)
    assert (found.isoformat() if found else None) == day


def test_american_dates_have_the_month_first() -> None:
    assert find_day("03/04/2026") == date(2026, 4, 3)
    assert find_day("03/04/2026", american=True) == date(2026, 3, 4)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("3시간 전", "2026-03-03"),
        ("홍길동 기자 | 입력 2시간 전", "2026-03-04"),
        ("2일 전", "2026-03-02"),
        ("방금 전", "2026-03-04"),
        ("어제", "2026-03-03"),
        ("어제 오후 7:10", None),
        ("어제 19:10", "2026-03-03"),
        ("그저께", "2026-03-02"),
        ("5分前", "2026-03-04"),
        ("3時間前", "2026-03-03"),
        ("4小时前", "2026-03-03"),
        ("3天前", "2026-03-01"),
        ("昨天 08:30", "2026-03-03"),
        ("2 days ago", "2026-03-02"),
        ("an hour ago", "2026-03-04"),
        ("Yesterday at 9:15 am", "2026-03-03"),
        ("vor 3 Tagen", "2026-03-01"),
        ("il y a 2 jours", "2026-03-02"),
        ("hace 2 horas", "2026-03-04"),
        ("há 2 dias", "2026-03-02"),
        ("2 giorni fa", "2026-03-02"),
        ("2 дня назад", "2026-03-02"),
        ("вчера", "2026-03-03"),
        ("منذ 2 ساعة", "2026-03-04"),
        ("3 months ago", None),
        ("2주 전", None),
        ("a few years ago", None),
        ("the days of yesterday were better", None),
        ("10일 전국에 비", None),
    ],
)
def test_relative_dates_count_from_the_crawl(text: str, day: str | None) -> None:
    found = read_relative_day(text, datetime(2026, 3, 4, 2, 30, tzinfo=UTC))
    assert (found.isoformat() if found else None) == day


def test_hours_do_not_count_without_a_time_of_the_crawl() -> None:
    assert read_relative_day("3시간 전", date(2026, 3, 4)) == date(2026, 3, 4)
    assert read_relative_day("1일 전", date(2026, 3, 4)) == date(2026, 3, 3)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-04", date(2026, 3, 4)),
        ("2026-03-04T09:00:00Z", datetime(2026, 3, 4, 9, tzinfo=UTC)),
        ("yesterday", None),
        ("", None),
    ],
)
def test_iso_dates_are_parsed(text: str, moment: date | None) -> None:
    assert parse_date(text) == moment
