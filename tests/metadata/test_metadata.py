"""Declared metadata in all its forms, on pages of a line or two."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bonmun.metadata import Metadata, read_metadata
from bonmun.page import Page


def meta(name: str, value: str, attribute: str = "name") -> str:
    return f'<meta {attribute}="{name}" content="{value}">'


def ld(**thing: Any) -> str:
    thing = {"@type": "NewsArticle", **{key.replace("type_", "@type"): value for key, value in thing.items()}}
    return f'<script type="application/ld+json">{json.dumps(thing)}</script>'


def read(head: str, body: str = "<p>x", text: str = "") -> Metadata:
    return read_metadata(Page.parse(f"<!DOCTYPE html><html><head>{head}</head><body>{body}"), text)


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("", "<p>x", None),
        ("<title>A title</title>", "<p>x", "A title"),
        ("<title> A \n title </title>", "<p>x", "A title"),
        ("<title>A long story | Site</title>", "<p>x", "A long story"),
        ("<title>A long story - Site</title>", "<p>x", "A long story"),
        ("<title>Well-known words</title>", "<p>x", "Well-known words"),
        ("<title>Story - Long Site Name</title>" + meta("og:site_name", "Long Site Name", "property"), "", "Story"),
        ("<title>A long story | Site</title>" + meta("og:title", "A long story", "property"), "", "A long story"),
        (meta("twitter:title", "Twitter"), "", "Twitter"),
        (meta("twitter:title", "Twitter") + meta("og:title", "Open", "property"), "", "Open"),
        ("<title>A story | Site</title>" + ld(headline="A story"), "", "A story"),
        ("<title>Other</title>", "<h1>Heading</h1>", "Heading"),
        ("<title>A long story | Site</title>", "<h1><a href=/>Site</a></h1>", "A long story"),
        ("<title>Other</title>", f"<h1>{'word ' * 100}</h1>", "Other"),
        ("<title>Heading two | Site</title>", "<h1>Site</h1><h1>Heading two</h1>", "Heading two"),
        ("<title>The heading | S</title>", "<h1>S</h1><h1>The heading</h1>", "The heading"),
        (meta("og:title", "The heading, and more", "property"), "<h1>The heading</h1>", "The heading"),
        ("", "<h1>A<br>B</h1>", "A B"),
        ("<title>A\u200bB\xadC</title>", "<p>x", "ABC"),
    ],
)
def test_title(head: str, body: str, title: str | None) -> None:
    assert read(head, body).title == title


@pytest.mark.parametrize(
    ("head", "author"),
    [
        ("", None),
        (meta("author", "Ann"), "Ann"),
        (meta("article:author", "Ann Lee", "property") + ld(headline="h", author="Ann Lee"), "Ann Lee"),
        (meta("article:author", "https://facebook.example/ann", "property"), None),
        (meta("article:author", "https://x.example/", "property") + meta("dc.creator", "Ann"), "Ann"),
        (meta("author", "Meta") + ld(headline="h", author="Linked"), "Linked"),
        (ld(headline="h", author={"@type": "Person", "name": "Ann"}), "Ann"),
        (ld(headline="h", author=[{"name": "Ann"}, {"name": "Ben"}, {"name": "Ann"}]), "Ann; Ben"),
        (ld(headline="h", author=["Ann", "Ben"]), "Ann; Ben"),
        (ld(headline="h", author=[]), None),
        (ld(headline="h", author=7), None),
        (ld(headline="h", author={"name": ["Ann"]}), None),
        (ld(author="admin"), None),
        (ld(author="No author"), None),
        (ld(type_="WebSite", name="Site", author="Site's"), None),
    ],
)
def test_author(head: str, author: str | None) -> None:
    assert read(head).author == author


@pytest.mark.parametrize(
    ("head", "date"),
    [
        ("", None),
        (meta("article:published_time", "2024-05-06T07:08:09+09:00", "property"), "2024-05-06"),
        (meta("date", "2024.5.6"), "2024-05-06"),
        (meta("pubdate", "2024/12/31 10:00"), "2024-12-31"),
        (meta("datePublished", "2024-05-06", "itemprop"), "2024-05-06"),
        (meta("date", "2024-13-01"), None),
        (meta("date", "0001-01-01"), None),
        (meta("date", "last week"), None),
        (meta("date", "soon") + meta("pubdate", "2024-05-06"), "2024-05-06"),
        (meta("article:modified_time", "2024-06-01") + ld(headline="h", datePublished="2024-05-06"), "2024-05-06"),
        (ld(headline="h", dateModified="2024-05-06"), None),
        (ld(headline="h", datePublished=20240506), None),
        pytest.param(meta("date", "2024-02-31"), None),
    ],
)
def test_date(head: str, date: str | None) -> None:
    assert read(head).date == date


@pytest.mark.parametrize(
    ("head", "site_name"),
    [
        ("", None),
        (meta("og:site_name", "Open", "property") + meta("application-name", "App"), "Open"),
        (meta("application-name", "App"), "App"),
        (ld(headline="h", publisher={"name": "Press"}), "Press"),
        (ld(type_="WebSite", name="Site"), "Site"),
    ],
)
def test_site_name(head: str, site_name: str | None) -> None:
    assert read(head).site_name == site_name


@pytest.mark.parametrize(
    ("head", "description"),
    [
        ("", None),
        (meta("description", "Plain"), "Plain"),
        (meta("description", "Plain") + meta("og:description", "Open", "property"), "Open"),
        (ld(headline="h", description="Linked"), "Linked"),
        (meta("description", "") + meta("description", "Second"), "Second"),
    ],
)
def test_description(head: str, description: str | None) -> None:
    assert read(head).description == description


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ("", None),
        (ld(headline="h"), "article"),
        (ld(type_="BlogPosting"), "article"),
        (ld(type_=["Recipe", "Thing"]), "article"),
        (ld(type_="DiscussionForumPosting"), "forum"),
        (ld(type_="Product", name="Pan"), "product"),
        (ld(type_="ItemList"), "listing"),
        (ld(type_="Organization", name="Us"), None),
        (ld(type_="WebSite") + ld(type_="Product"), "product"),
        (meta("og:type", "article", "property"), "article"),
        (meta("og:type", "website", "property"), None),
        (meta("og:type", "article", "property") + ld(type_="Product"), "product"),
    ],
)
def test_kind(head: str, kind: str | None) -> None:
    assert read(head).kind == kind


def test_graphs_and_lists_of_json_ld_are_searched() -> None:
    graph = {"@graph": [{"@type": "WebSite", "name": "Site"}, {"@type": "Article", "headline": "H", "author": "Ann"}]}
    for thing in (graph, [graph], [[graph]]):
        found = read(f'<script type="application/ld+json">{json.dumps(thing)}</script>')
        assert (found.title, found.author, found.site_name, found.kind) == ("H", "Ann", "Site", "article")


@pytest.mark.parametrize(
    "broken", ["", "{", "null", "7", '"x"', "[]", "{}", '{"@graph": 7}', '{"@type": {}}', "[" * 5000]
)
def test_invalid_json_ld_is_ignored(broken: str) -> None:
    found = read(f'<title>T</title><script type="application/ld+json">{broken}</script>{meta("author", "Ann")}')
    assert (found.title, found.author, found.kind) == ("T", "Ann", None)


KOREAN = "지난 밤 부두 끝의 낡은 등대에 서른 해 만에 다시 불이 들어왔고, 주민들은 그 빛을 지켜보았다."
GERMAN = "Der alte Leuchtturm am Ende der Mole wurde gestern Abend nach dreißig dunklen Jahren wieder angezündet."


@pytest.mark.parametrize(
    ("lang", "text", "language"),
    [
        (None, "", None),
        (None, "short", None),
        ("en", "", "en"),
        ("EN-us", "", "en"),
        ("", "", None),
        ("한국어", "", None),
        (None, KOREAN, "ko"),
        (None, GERMAN, "de"),
        ("en", KOREAN, "ko"),  # the text beats the declared language
        ("de", GERMAN, "de"),
    ],
)
def test_language(lang: str | None, text: str, language: str | None) -> None:
    attribute = f" lang='{lang}'" if lang is not None else ""
    assert read_metadata(Page.parse(f"<html{attribute}><p>x"), text).language == language


def test_a_page_without_metadata_has_none() -> None:
    assert read("") == Metadata()


def test_metas_without_name_or_content_are_ignored() -> None:
    assert read("<meta content=x><meta name=author><meta name='' content=y>").author is None
