"""Events and jobs are found on pages without markup, and only there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bonmun
from bonmun import Page
from bonmun.metadata import Metadata
from bonmun.metadata.declared import read_declared
from bonmun.objects.postings.find import find_postings
from bonmun.objects.postings.periods import read_period, read_times
from bonmun.objects.reading import ObjectReading
from timing import assert_linear

if TYPE_CHECKING:
    from bonmun.objects import PageObject

TEXT = (
    "<p>The choir of the harbour sings the old songs of the sea, and the audience may join in after the break.</p>" * 3
)


def find(html: str, url: str = "https://harbour.example/page/1", kind: str = "article") -> list[PageObject]:
    page = Page.parse(html, url)
    metadata = Metadata(title=page.select("h1")[0].text, language="en", site_name="Harbour Board")
    return find_postings(ObjectReading(page, read_declared(page), metadata, [], kind), set())


def read(html: str, url: str = "https://harbour.example/page/1", kind: str = "article") -> dict[str, Any]:
    return {found.type: found.values for found in find(html, url, kind)}


def test_labels_show_an_event() -> None:
    html = f"""<h1>Songs of the sea</h1><div>Date: 12 March 2026</div><div>Time: 7 pm - 9:30 pm</div>
    <div>Venue: Pier 4</div><dl><dt>Organiser</dt><dd>Harbour Choir</dd><dt>Admission</dt><dd>£12.50</dd></dl>{TEXT}"""
    assert read(html)["Event"] == {
        "name": "Songs of the sea",
        "startDate": "2026-03-12T19:00",
        "endDate": "2026-03-12T21:30",
        "location": {"name": "Pier 4"},
        "organizer": "Harbour Choir",
        "offers": [{"price": "12.50", "priceCurrency": "GBP"}],
    }


@pytest.mark.parametrize(
    ("labels", "start", "place"),
    [
        (
            "<p>일시: 2026년 3월 12일(목) 오후 2시 ~ 4시</p><p>장소: 시민회관 대강당</p>",
            "2026-03-12T14:00",
            "시민회관 대강당",
        ),
        (
            """<table><tr><td>■ 日 時：</td><td>2026年3月12日（木）13：00－16：40</td></tr>
            <tr><td>■ 場 所：</td><td>港ホール</td></tr></table>""",
            "2026-03-12T13:00",
            "港ホール",
        ),
        ("<p>Datum: 12.03.2026</p><p>Uhrzeit: 19:30 Uhr</p><p>Ort: Hafenhaus</p>", "2026-03-12T19:30", "Hafenhaus"),
        ("<p>Quand : 12 mars 2026 à 20h30</p><p>Où : Salle du port</p>", "2026-03-12T20:30", "Salle du port"),
    ],
)
def test_labels_of_many_languages_are_known(labels: str, start: str, place: str) -> None:
    event = read(f"<h1>Songs</h1>{labels}{TEXT}")["Event"]
    assert (event["startDate"], event["location"]) == (start, {"name": place})


def test_a_date_with_times_below_the_headline_and_a_button_show_an_event() -> None:
    html = f"<h1>Songs</h1><p>Thursday, March 12, 2026</p><p>9:00 am - 9:45 am</p><a>Add to calendar</a>{TEXT}"
    event = read(html)["Event"]
    assert (event["startDate"], event["endDate"]) == ("2026-03-12T09:00", "2026-03-12T09:45")


@pytest.mark.parametrize(
    "html",
    [
        f"<h1>Storm over the harbour</h1><p>March 12, 2026 7:30 pm</p><p>Place: Port</p>{TEXT}",
        f"<h1>Storm</h1><p>Mar 13, 2026 Updated Apr 7, 2026</p><a>Tickets</a>{TEXT}",
        f"<h1>The flood</h1><table><tr><th>Date</th><td>12 March 1999</td></tr></table>{TEXT}",
        "<h1>All concerts</h1>"
        + "".join(f"<p>When: {day} March 2026, 7 pm</p><p>Where: Pier</p>" for day in range(1, 9)),
        f"<h1>Songs</h1><p>Date: soon</p><p>Venue: Pier 4</p>{TEXT}",
    ],
)
def test_other_pages_have_no_event(html: str) -> None:
    assert find(html) == []


@pytest.mark.parametrize("kind", ["forum", "documentation", "product"])
def test_other_kinds_of_pages_have_neither(kind: str) -> None:
    html = "<h1>Songs</h1><p>When: 12 March 2026, 7 pm</p><p>Where: Pier</p><p>Salary: £9</p><h2>Requirements</h2>"
    assert find(html, kind=kind) == []


def test_a_page_that_declares_events_is_read_from_its_markup() -> None:
    script = (
        '<script type="application/ld+json">[{"@type": "Event", "name": "A"}, {"@type": "Event", "name": "B"}]</script>'
    )
    assert find(f"{script}<h1>Songs</h1><p>When: 12 March 2026, 7 pm</p><p>Where: Pier</p>") == []


def test_labels_and_headings_show_a_job() -> None:
    html = f"""<h1>Job opening: Lighthouse keeper</h1><table><tr><th>Employer</th><td>Port Office</td></tr>
    <tr><th>Location</th><td>Outer Pier</td></tr><tr><th>Salary</th><td>£30,000 - £34,000</td></tr>
    <tr><th>Employment type</th><td>Full-time</td></tr><tr><th>Closing date</th><td>1 July 2026</td></tr>
    <tr><th>Posted</th><td>2 June 2026</td></tr></table><h2>Responsibilities</h2>{TEXT}"""
    assert read(html)["JobPosting"] == {
        "title": "Lighthouse keeper",
        "hiringOrganization": "Port Office",
        "jobLocation": {"name": "Outer Pier"},
        "baseSalary": {"minValue": "30000", "maxValue": "34000", "currency": "GBP", "text": "£30,000 - £34,000"},
        "datePosted": "2026-06-02",
        "validThrough": "2026-07-01",
        "employmentType": ["Full-time"],
    }


@pytest.mark.parametrize(
    "html",
    [
        "<h1>등대지기 채용</h1><p>모집인원: 1명</p><p>근무지: 항구</p><h2>자격요건</h2><p>수영</p>",
        "<h1>灯台守 求人</h1><p>勤務地：港</p><p>給与：月給30万円</p><h2>応募資格</h2><p>泳げる方</p>",
        "<h1>Leuchtturmwärter (m/w/d)</h1><p>Arbeitsort: Hafen</p><h2>Ihre Aufgaben</h2><p>Licht</p><h2>Ihr Profil</h2>",
    ],
)
def test_jobs_of_many_languages_are_known(html: str) -> None:
    assert "JobPosting" in read(html)


@pytest.mark.parametrize(
    "html",
    [
        f"<h1>What does a keeper do?</h1><h2>Responsibilities</h2>{TEXT}<h2>Requirements</h2>{TEXT}<h2>Benefits</h2>{TEXT}",
        "<h1>Keepers</h1>" + "<p>Salary: £9</p><p>Employer: Port</p><h2>Requirements</h2>" * 5,
        f"<h1>The harbour</h1><p>Location: Port</p><p>Position: 54 N</p><h2>Duties</h2>{TEXT}",
    ],
)
def test_other_pages_have_no_job(html: str) -> None:
    assert find(html) == []


def test_the_document_has_them() -> None:
    html = f"""<html lang="en"><title>Songs of the sea</title><body><h1>Songs of the sea</h1>
    <p>When: 12 March 2026, 7 pm</p><p>Where: Pier 4</p>{TEXT}</body></html>"""
    [event] = bonmun.extract(html, "https://harbour.example/events/songs").objects
    assert (event.type, event.fields["startDate"].source) == ("Event", "page")


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("Tue, 09/17/2019 - 10:00 AM", "2019-09-17T10:00", ""),
        ("November 13, 2018 2:30 pm – 3:30 pm", "2018-11-13T14:30", "2018-11-13T15:30"),
        ("17.–18. října 2026", "2026-10-17", "2026-10-18"),
        ("November 17th to 18th, 2012", "2012-11-17", "2012-11-18"),
        ("16/05/2013 - 20:00 à 22:30", "2013-05-16T20:00", "2013-05-16T22:30"),
        ("2024.03.04(월) ~ 03.08(금)", "2024-03-04", "2024-03-08"),
        ("2026年7月1日(水)～8日(水)", "2026-07-01", "2026-07-08"),
        ("4 March 2026 10 am to 6 March 2026 4 pm", "2026-03-04T10:00", "2026-03-06T16:00"),
        ("12 March 2026, 23:00 - 02:00", "2026-03-12T23:00", ""),
        ("13 March 2026 Updated 7 April 2026", "2026-03-13", ""),
    ],
)
def test_periods_are_read(text: str, start: str, end: str) -> None:
    assert read_period(text) == (start, end)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("2 - 4 pm", ["14:00", "16:00"]),
        ("11 - 1 pm", ["11:00", "13:00"]),
        ("12 am", ["00:00"]),
        ("19 Uhr, Einlass 18 Uhr", ["19:00"]),
        ("오후 2시 30분", ["14:30"]),
        ("24:00", []),
        ("room 12, 3rd floor", []),
    ],
)
def test_times_are_read(text: str, times: list[str]) -> None:
    assert read_times(text) == times


@given(st.text(alphabet="0123456789:.-–~/ apmhトto月日年時시오후Uhr,MarchJuly", max_size=60))
def test_periods_are_in_order(text: str) -> None:
    """Any text gives no error, and an end is after the start."""
    period = read_period(text)
    assert period is None or not period.end or period.end[:10] >= period.start[:10]


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    [
        "<p>When: 12 March 2026</p>",
        "<p>Salary: £9</p>",
        "<h2>Requirements</h2>",
        "<p>Add to calendar</p>",
        "<i>1 - </i>",
    ],
)
def test_postings_are_found_in_linear_time(part: str) -> None:
    def make(size: int) -> ObjectReading:
        page = Page.parse("<h1>Songs</h1>" + part * size, "https://harbour.example/events/1")
        return ObjectReading(page, read_declared(page), Metadata(title="Songs"), [], "article")

    assert_linear(make, lambda reading: find_postings(reading, set()), 20_000)
