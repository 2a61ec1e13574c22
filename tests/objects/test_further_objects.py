"""Papers, events, jobs, recordings, organisations and people are found in markup and on the visible page."""

from __future__ import annotations

import json
from typing import Any

import pytest

import bonmun
from bonmun import Page
from bonmun.metadata import Metadata
from bonmun.metadata.declared import read_declared
from bonmun.objects.chapters import find_chapters
from bonmun.objects.marked import find_marked_objects
from bonmun.objects.papers import find_papers
from bonmun.objects.reading import ObjectReading
from timing import assert_linear

PAPER = """<html><head><meta name="citation_title" content="Tides of the inner harbour">
<meta name="citation_author" content="Harbour, Ann"><meta name="citation_author_institution" content="University of Tides">
<meta name="citation_author" content="Ben Quay"><meta name="citation_journal_title" content="Coastal Letters">
<meta name="citation_doi" content="https://doi.org/10.1234/cl.77"><meta name="citation_keywords" content="tides; harbour">
<meta name="citation_pdf_url" content="/77.pdf"><meta name="citation_publication_date" content="2021/03/04"></head><body>
<h1>Tides of the inner harbour</h1><h2>Abstract</h2><p>We measured the tides of a small harbour for three years.</p>
<h2>Results</h2><p>The tides rise twice a day, and fall twice a day.</p><h2>References</h2><ol>
<li>Quay B. A history of tides. Coastal Letters 3 (1999). doi:10.1234/cl.3.</li><li>Short.</li></ol></body></html>"""
EVENT = {
    "@type": "MusicEvent",
    "name": "Harbour concert",
    "startDate": "2026-07-01T20:00",
    "location": {"@type": "Place", "name": "Pier 4", "address": {"streetAddress": "Quay 1", "addressLocality": "Port"}},
    "offers": [{"@type": "Offer", "price": "12,50", "priceCurrency": "EUR"}],
}
JOB = {
    "@type": "JobPosting",
    "title": "Lighthouse keeper",
    "hiringOrganization": {"@type": "Organization", "name": "Port Office"},
    "baseSalary": {"@type": "MonetaryAmount", "currency": "GBP", "value": {"minValue": 30000, "unitText": "YEAR"}},
    "employmentType": ["FULL_TIME"],
}
VIDEO = {
    "@type": "VideoObject",
    "name": "How to tie a knot",
    "duration": "PT4M",
    "uploadDate": "2024-01-02",
    "description": "All knots.\n0:00 Start\n1:05 Bowline\n2:30 - Reef knot",
}
PERSON = {
    "@type": "Person",
    "name": "Ann Harbour",
    "jobTitle": "Pilot",
    "sameAs": ["https://a.example", "https://b.example"],
}


def make_reading(html: str, title: str) -> ObjectReading:
    page = Page.parse(html, "https://harbour.example/")
    return ObjectReading(page, read_declared(page), Metadata(title=title), [], "article")


def read_marked(thing: dict[str, Any], title: str) -> dict[str, Any]:
    script = f"<script type='application/ld+json'>{json.dumps(thing)}</script><h1>{title}</h1><p>Text.</p>"
    return {found.type: found.values for found in find_marked_objects(make_reading(script, title))}


def test_a_paper_has_authors_with_affiliations_abstract_and_references() -> None:
    [paper] = find_papers(make_reading(PAPER, "Tides of the inner harbour"))
    assert paper.values == {
        "name": "Tides of the inner harbour",
        "author": [{"name": "Ann Harbour", "affiliation": ["University of Tides"]}, {"name": "Ben Quay"}],
        "isPartOf": "Coastal Letters",
        "datePublished": "2021-03-04",
        "doi": "10.1234/cl.77",
        "abstract": "We measured the tides of a small harbour for three years.",
        "keywords": ["tides", "harbour"],
        "citation": [
            {"text": "Quay B. A history of tides. Coastal Letters 3 (1999). doi:10.1234/cl.3.", "doi": "10.1234/cl.3"}
        ],
        "encoding": "https://harbour.example/77.pdf",
    }


SHOWN_PAPER = """<h1>Tides of the inner harbour</h1><p>https://doi.org/10.1234/cl.5</p>
<p>https://doi.org/10.1234/cl.77</p>{keywords}<h2>Abstract</h2><p>We measured the tides of a small harbour for years.</p>
<h2>References</h2><ol><li>Quay B. A history of tides. Coastal Letters 3 (1999).</li>
<li>Pier C. A history of harbours. Coastal Letters 4 (2001).</li><li>Mole D. A history of moles. Letters 5 (2003).</li>
</ol>"""


@pytest.mark.parametrize(
    "keywords",
    [
        "<p>Keywords: tides, harbour, moon</p>",
        "<h3>Keywords</h3><p>tides; harbour; moon</p>",
        "<p>KEYWORDS:</p><p><a href=/1>tides</a> <a href=/2>harbour</a> <a href=/3>moon</a></p>",
        "<table><tr><td>키워드:</td><td>tides<br>harbour<br>moon</td></tr></table>",
    ],
)
def test_a_paper_without_markup_is_found(keywords: str) -> None:
    page = Page.parse(SHOWN_PAPER.format(keywords=keywords), "https://harbour.example/articles/cl.77")
    [paper] = find_papers(ObjectReading(page, read_declared(page), Metadata(title="Tides"), [], "article"))
    assert paper.values["keywords"] == ["tides", "harbour", "moon"]
    assert paper.values["doi"] == "10.1234/cl.77"  # the one of the address
    assert len(paper.values["citation"]) == 3
    assert paper.values["abstract"].startswith("We measured")


@pytest.mark.parametrize(
    "html",
    [
        "<h1>Tides</h1><h2>Abstract</h2><p>We measured the tides of a small harbour for three years.</p>",
        "<h1>Tides</h1><h2>References</h2>" + "<p>Quay B. A history of tides. Coastal Letters 3 (1999).</p>" * 9,
        "<h1>Tides</h1><p>Keywords: tides, harbour</p><p>https://doi.org/10.1234/cl.77</p>",
    ],
)
def test_other_pages_have_no_paper(html: str) -> None:
    assert find_papers(make_reading(html, "Tides")) == []


def test_what_programs_write_for_nothing_is_no_value() -> None:
    html = PAPER.replace("Coastal Letters", "undefined", 1).replace("tides; harbour", "null")
    [paper] = find_papers(make_reading(html, "Tides of the inner harbour"))
    assert not {"isPartOf", "keywords"} & paper.values.keys()


def test_the_start_of_the_text_is_no_abstract() -> None:
    start = "The tides rise twice a day, and fall twice a day, as every child of the harbour knows from an early age"
    html = PAPER.replace(
        "<h2>Abstract</h2>", f'<meta name="dc.description" content="{start}"><p>{start}.</p><h2>Aim</h2>'
    )
    doc = bonmun.extract(html.replace("</h1>", "</h1>" + f"<p>{start}.</p>" * 2), "https://harbour.example/")
    [paper] = [found for found in doc.objects if found.type == "ScholarlyArticle"]
    assert "abstract" not in paper.values


def test_declared_dates_are_written_in_iso_8601() -> None:
    event = read_marked(EVENT | {"startDate": "2026-7-1T20-00", "endDate": "2 July 2026"}, "Harbour concert")["Event"]
    assert (event["startDate"], event["endDate"]) == ("2026-07-01", "2026-07-02")
    assert read_marked(EVENT | {"startDate": "07/01/2026"}, "Harbour concert")["Event"]["startDate"] == "07/01/2026"


def test_an_event_has_its_place_and_offers() -> None:
    event = read_marked(EVENT, "Harbour concert")["Event"]
    assert event["location"] == {"name": "Pier 4", "address": "Quay 1, Port"}
    assert event["offers"] == [{"price": "12.50", "priceCurrency": "EUR"}]
    assert event["startDate"] == "2026-07-01T20:00"


def test_a_job_has_employer_and_salary() -> None:
    job = read_marked(JOB, "Lighthouse keeper")["JobPosting"]
    assert (job["title"], job["hiringOrganization"]) == ("Lighthouse keeper", "Port Office")
    assert job["baseSalary"] == {"minValue": "30000", "unitText": "YEAR", "currency": "GBP"}


def test_a_video_has_the_chapters_of_its_description() -> None:
    video = read_marked(VIDEO, "How to tie a knot")["VideoObject"]
    assert (video["duration"], video["uploadDate"]) == ("PT4M", "2024-01-02")
    assert video["hasPart"] == [
        {"startOffset": 0, "name": "Start"},
        {"startOffset": 65, "name": "Bowline"},
        {"startOffset": 150, "name": "Reef knot"},
    ]


def test_addresses_of_a_video_are_absolute_and_names_are_no_addresses() -> None:
    thing = VIDEO | {
        "embedUrl": "/embed/7",
        "contentUrl": "javascript:alert(1)",
        "author": {"@type": "Person", "url": "https://harbour.example/ann"},
    }
    video = read_marked(thing, "How to tie a knot")["VideoObject"]
    assert video["embedUrl"] == "https://harbour.example/embed/7"
    assert not {"contentUrl", "author"} & video.keys()


def test_people_and_organisations_count_only_if_the_page_is_about_them() -> None:
    assert read_marked(PERSON, "Ann Harbour")["Person"]["sameAs"] == ["https://a.example", "https://b.example"]
    assert read_marked(PERSON, "Storm in the harbour") == {}


@pytest.mark.parametrize(
    "text",
    ["At 0:00 it starts", "1:00 a\n2:00 b\n3:00 c", "0:00 a\n1:00 b", ""],
    ids=["prose", "not from 0", "two", "empty"],
)
def test_other_times_are_no_chapters(text: str) -> None:
    assert find_chapters(text) == []


HOSTILE = {
    "references": "<h2>References</h2><li>Quay B. A history of tides, 10.1234/abcdefg",
    "dois": "<p>10.1234/" + "a" * 50,
    "metas": '<meta name="citation_author" content="Harbour, Ann">',
    "headings": "<h2>Abstract</h2>",
    "keywords": "<p>Keywords:</p><p>" + "a; " * 90,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_papers_are_found_in_linear_time(name: str) -> None:
    start = '<meta name="citation_title" content="T"><meta name="citation_author" content="A">'
    assert_linear(lambda size: make_reading(start + HOSTILE[name] * size, "T"), find_papers, 8_000)


@pytest.mark.slow
@pytest.mark.parametrize("line", ["0:00 a\n", "0:00", "(0:00) - ", "1:1:1:"], ids=repr)
def test_chapters_are_found_in_linear_time(line: str) -> None:
    assert_linear(lambda size: line * size, find_chapters, 40_000)
