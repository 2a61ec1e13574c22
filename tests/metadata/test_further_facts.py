"""Declared fields other than title, author and date, with their sources."""

from __future__ import annotations

import json
from typing import Any

import pytest

import bonmun
from bonmun.metadata import Metadata, read_metadata
from bonmun.page import Page
from timing import assert_linear

URL = "https://pier.example/news/1"
TEXT = "".join(
    f"<p>Sentence {n} of a story about a lamp at the end of a pier, which is lit at night.</p>" for n in range(9)
)


def read(head: str = "", below: str = "", text: str = TEXT) -> Metadata:
    return bonmun.extract(f"<head><title>A lamp</title>{head}</head><main>{text}</main>{below}", url=URL).metadata


def json_ld(**values: Any) -> str:
    thing = {"@type": "NewsArticle", "headline": "A lamp"} | values
    return f'<script type="application/ld+json">{json.dumps(thing)}</script>'


def test_lists_with_their_sources() -> None:
    found = read(
        '<meta property="article:tag" content="lamps"><meta property="article:tag" content="piers">'
        '<meta property="article:section" content="Harbour"><meta property="article:section" content="Night">'
        '<link rel=alternate type="application/rss+xml" href="/feed"><link rel=alternate hreflang=ko href="/ko">'
        '<link rel="alternate" type="application/atom+xml" href="https://pier.example/atom"><link rel="shortcut icon" href=/i.png>'
    )
    assert found.tags == ("lamps", "piers")
    assert found.categories == ("Harbour", "Night")
    assert found.feeds == ("https://pier.example/feed", "https://pier.example/atom")
    assert found.favicon == "https://pier.example/i.png"
    sources = {name: found.fields[name].source for name in ("tags", "categories", "feeds", "favicon")}
    assert sources == {"tags": "article:tag", "categories": "article:section", "feeds": "alternate", "favicon": "icon"}
    assert found.fields["categories"].value == "Harbour, Night"


@pytest.mark.parametrize("separator", [", ", "،", "，", "、", "; ", "|"])
def test_keywords_are_split_at_commas_of_any_language(separator: str) -> None:
    assert read(f'<meta name=keywords content="lamps{separator}등대{separator}منارة">').tags == (
        "lamps",
        "등대",
        "منارة",
    )


def test_publisher_and_sections_of_json_ld() -> None:
    found = read(json_ld(publisher={"name": "Pier News"}, articleSection=["Harbour", "https://pier.example/s"]))
    assert (found.publisher, found.site_name, found.categories) == ("Pier News", "Pier News", ("Harbour",))
    assert read('<meta name="dc.publisher" content="Pier Press">').fields["publisher"].source == "dc.publisher"


@pytest.mark.parametrize(
    ("said", "paywall"),
    [(False, True), ("False", True), ("http://schema.org/False", True), (True, False), ("true", False), ("perhaps", None), ({}, None)],
)  # fmt: skip
def test_paywall(said: object, paywall: bool | None) -> None:
    assert read(json_ld(isAccessibleForFree=said)).paywall is paywall


def test_paywall_by_tier() -> None:
    assert read('<meta property="article:content_tier" content="locked">').paywall is True
    assert read('<meta property="article:content_tier" content="free">').fields["paywall"].value == "false"
    assert read().paywall is None


@pytest.mark.parametrize(
    ("head", "minutes"),
    [
        (json_ld(timeRequired="PT4M"), 4),
        (json_ld(timeRequired="PT1H5M"), 65),
        (json_ld(timeRequired="PT240S"), 4),
        (json_ld(timeRequired="P"), None),
        (json_ld(timeRequired="PT999M"), None),
        ('<meta name="twitter:label1" content="Est. reading time"><meta name="twitter:data1" content="7 minutes">', 7),
        ('<meta name="twitter:label2" content="예상 읽기 시간"><meta name="twitter:data2" content="3분">', 3),
        ('<meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="7 minutes">', None),
        ("", None),
    ],
)
def test_reading_time(head: str, minutes: int | None) -> None:
    assert read(head).reading_minutes == minutes


CC = "https://creativecommons.org/licenses/by/4.0/"


def test_a_licence_by_a_link() -> None:
    assert read(below=f"<footer><p>Free to share: <a href='{CC}'>CC BY</a></p></footer>").licence == CC
    assert (
        read(below=f"<footer><a rel='license noopener' href='{CC}'>CC BY</a></footer>").fields["licence"].source
        == "rel=license"
    )


def test_the_licence_of_a_picture_is_not_that_of_the_page() -> None:
    credit = f"<figure><img src=a.png><figcaption>Photo: Kim, <a href='{CC}'>CC BY</a></figcaption></figure>"
    middle = TEXT.replace("<p>Sentence 4", f"{credit}<p>Sentence 4")
    assert read(text=middle).licence is None


def test_different_licences_give_none() -> None:
    both = f"<footer><a href='{CC}'>one</a> <a href='{CC.replace('by', 'by-sa')}'>other</a></footer>"
    assert read(below=both).licence is None


def test_json_contains_all_fields() -> None:
    doc = bonmun.extract(
        f"<title>A lamp</title>{json_ld(isAccessibleForFree=True, timeRequired='PT4M')}{TEXT}", url=URL
    )
    values = json.loads(doc.render("json"))
    assert (values["paywall"], values["reading_minutes"], values["feeds"]) == (False, 4, [])
    assert values["facts"]["reading_minutes"] == {"value": "4", "source": "JSON-LD", "confidence": 0.9}


@pytest.mark.parametrize(
    "part",
    [
        f"<a href='{CC}'>x</a>",
        "<a rel=license href=/l>x</a>",
        "<link rel=alternate type=application/rss+xml href=/feed>",
        "<meta property=article:tag content='a, b'>",
    ],
)
def test_many_elements_take_linear_time(part: str) -> None:
    assert_linear(lambda size: Page.parse(part * size, URL), read_metadata, 20_000)


def test_lists_have_a_maximum_length() -> None:
    head = "".join(
        f"<link rel=alternate type=application/rss+xml href=/{n}><meta property=article:tag content=t{n}>"
        for n in range(99)
    )
    found = read(head)
    assert (len(found.tags), len(found.feeds)) == (30, 10)
