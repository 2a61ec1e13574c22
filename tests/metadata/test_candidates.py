"""Candidates for a field: each is kept once, and its feature names are those of the weights."""

from __future__ import annotations

from datetime import date

import pytest

import bonmun
from bonmun.metadata.authors.choose import find_author_candidates
from bonmun.metadata.candidates import Candidates
from bonmun.metadata.dates.choose import find_date_candidates
from bonmun.metadata.page_reading import prepare_reading
from bonmun.metadata.ranking import Candidate, correct_confidence, load_default_rankers
from bonmun.metadata.titles.choose import find_headline, find_title_candidates

HEAD = """<title>A lamp is lit again | The Daily</title><meta property="og:title" content="A lamp is lit again">
  <meta property="og:site_name" content="The Daily"><meta name="author" content="Ann Lee"><meta name="author" content="Bo Kim">
  <meta property="article:published_time" content="2024-05-06"><meta property="article:modified_time" content="2024-05-07">
  <script type="application/ld+json">{"@type": "NewsArticle", "headline": "A lamp is lit again",
  "author": ["Ann Lee", "Bo Kim"], "datePublished": "2024-05-08", "dateModified": "2024-05-07"}</script>"""
TOP = """<h1>A lamp is lit again</h1><h2>At the end of the pier</h2><p class="byline">By <a rel="author">Ann Lee</a></p>
  <p><time class="published" datetime="2024-05-03">May 3, 2024</time></p><p>Updated 2024-05-09 10:30</p><p>홍길동 기자</p>"""
BODY = "".join(f"<p>Sentence {n} of a story that goes on and on, as stories do, for a while.</p>" for n in range(9))


def find_candidates() -> dict[str, list[Candidate]]:
    """Return all candidates of a page with much metadata."""
    url = "https://www.daily.example/2024/05/04/a-lamp-is-lit"
    page = bonmun.Page.parse(f"<html><head>{HEAD}</head><body><main>{TOP}{BODY}</main>", url)
    reading = prepare_reading(page, bonmun.extract(page).labels)
    titles = find_title_candidates(reading)
    reading.headline = find_headline(reading, "A lamp is lit again")
    return {
        "title": titles,
        "author": find_author_candidates(reading),
        "date": find_date_candidates(reading, date(2030, 1, 1)),
    }


def test_a_repeated_candidate_gains_sources_and_features() -> None:
    found: Candidates[str] = Candidates()
    found.add("annlee", "Ann Lee", "JSON-LD", ("ld main",))
    found.add("bokim", "Bo Kim", "text", ("bare name",))
    found.add("annlee", "ANN LEE", "byline", ("byline", "near title"))
    assert list(found.values()) == [
        Candidate("Ann Lee", ["JSON-LD", "byline"], {"ld main": 1.0, "byline": 1.0, "near title": 1.0}),
        Candidate("Bo Kim", ["text"], {"bare name": 1.0}),
    ]
    found.drop(key for key in found if key.startswith("ann"))
    assert list(found) == ["bokim"]


@pytest.mark.parametrize("field", ["title", "author", "date"])
def test_the_weights_know_every_feature(field: str) -> None:
    """A renamed feature would silently lose its weight."""
    known = getattr(load_default_rankers(), field).features
    found = find_candidates()[field]
    assert len(found) > 2
    assert {feature for each in found for feature in each.features} - known.keys() == set()


def test_candidates_are_in_the_order_they_were_found() -> None:
    found = find_candidates()
    assert [(each.value, each.sources[0]) for each in found["title"]] == [
        ("A lamp is lit again", "h1"),
        ("At the end of the pier", "h2"),
        ("A lamp is lit again | The Daily", "title"),
    ]
    assert [(each.value, each.sources[0]) for each in found["author"]] == [
        ("Ann Lee, Bo Kim", "JSON-LD"),
        ("Ann Lee", "JSON-LD"),
        ("홍길동 기자", "byline"),
    ]
    assert [(each.value, each.sources[0]) for each in found["date"]] == [
        ("2024-05-08", "JSON-LD"),  # not 2024-05-07, the date of a change
        ("2024-05-06", "meta article:published_time"),
        ("2024-05-04", "URL"),
        ("2024-05-03", "time"),
        ("2024-05-09", "text"),
    ]


def test_confidences_are_shares_of_right_values() -> None:
    """The ranker is too sure of itself: confidences shrink, rise with those of the ranker, and stay within 0 and 1."""
    for field in ("title", "author", "date"):
        given = [0.0, 0.001, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0]
        corrected = [correct_confidence(field, each) for each in given]
        assert corrected == sorted(corrected)
        assert corrected[0] > 0
        assert corrected[-1] < 1
        assert correct_confidence(field, 0.9) < 0.9
