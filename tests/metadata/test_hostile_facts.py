"""Metadata of hostile pages: short, readable, with safe URLs, and read in linear time."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta, timezone
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from bonmun import Options, Page, extract
from bonmun.bounds import MAX_METADATA_CHARS
from bonmun.labels import Labels
from bonmun.metadata import read_metadata
from bonmun.metadata.dates.relative import read_relative_day
from bonmun.outputs import FORMATS
from bonmun.text.readable import cut_text, drop_unreadable, tidy_metadata
from samples import in_one_test
from timing import assert_linear

if TYPE_CHECKING:
    from collections.abc import Callable

    from bonmun import Document

SENTENCE = "Some words that are long enough to be read as a paragraph of text, by all who read."
URL = "https://pier.example/a/b"


def list_values(doc: Document) -> list[str]:
    """Return all metadata values of a document."""
    return [*(each.value for each in doc.metadata.fields.values()), *doc.metadata.tags, doc.title or ""]


def make_json_ld(**values: object) -> str:
    return f'<script type="application/ld+json">{json.dumps({"@type": "Article", "headline": "A story"} | values)}</script>'


# --- characters and lengths ------------------------------------------------------------------------------------------

# Sources of metadata; %% is replaced by the value.
PLACES = {
    "title": "<title>%%</title>",
    "a heading": "<h1>%%</h1>",
    "a heading as it is written": "<h1 style='white-space: pre'>%%</h1>",
    "lang": "<html lang='%%'>",
    **{
        f"meta {name}": f"<meta property='{name}' content='%%'>"
        for name in (
            "author", "og:title", "og:site_name", "application-name", "og:description", "description", "og:image", "og:url", "date",
            "article:published_time", "article:modified_time", "dc.rights", "keywords", "news_keywords", "article:tag", "og:type",
        )
    },
    **{f"itemprop {name}": f"<meta itemprop='{name}' content='%%'>" for name in ("author", "datePublished")},
    **{f"link {rel}": f"<link rel='{rel}' href='%%'>" for rel in ("canonical", "license")},
    **{
        f"JSON-LD {name}": make_json_ld(**{name: "%%"})
        for name in (
            "headline", "name", "author", "creator", "datePublished", "dateModified", "description", "image", "license", "keywords",
            "publisher", "@id", "@type",
        )
    },
    "JSON-LD names": make_json_ld(author=[{"@type": "Person", "name": "%%"}, {"name": "B %%"}], publisher={"name": "%%"}),
    "JSON-LD lists": make_json_ld(keywords=["%%", "a %% b"], image=[{"url": "%%"}]),
    "microdata": "<span itemprop=author>%%</span><time itemprop=datePublished datetime='%%'>%%</time>",
    "rel": "<a rel=author href=x>%%</a>",
    "a class": "<span class=author>%%</span><p class=byline>By %%</p>",
    "a byline": "<h1>A story</h1><p>By Ann %% Lee</p>",
    "a Korean byline": "<h1>A story</h1><p>홍길동%% 기자</p>",
    "a time": "<h1>A story</h1><time datetime='2024-03-0%%4'>March %% 4, 2024</time>",
    "a date": "<h1>A story</h1><p>2024-03%%-04</p>",
}  # fmt: skip
UNSEEN = [
    "\0", "\x01", "\x0b", "\x1b", "\x1f", "\x7f", "\x85", "\x9f", "\xad", "\u200b", "\ufeff", "\ufdd0", "\ufffe", "\uffff", "\ud800", "\udfff",
    "\udc00\ud800", "\t", "\n", "\r", "\u2028",
]  # fmt: skip


def check(html: str, url: str | None = URL, method: str = "all") -> Document:
    """Check that the metadata is short and readable, and that every format can carry it."""
    doc = extract(html, url, method=method)
    for value in list_values(doc):
        assert len(value) <= MAX_METADATA_CHARS
        assert drop_unreadable(value) == value == " ".join(value.split())
        value.encode()
    written = {name: doc.render(name) for name in FORMATS}
    assert set(written) == {"text", "markdown", "html", "json", "xml"}
    for text in written.values():
        text.encode()
    ET.fromstring(written["xml"])
    ET.fromstring(written["html"])
    json.loads(written["json"], parse_constant=pytest.fail)  # NaN and the like
    return doc


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
def test_fields_have_no_invisible_characters(place: str) -> None:
    for character in UNSEEN:
        entities = "".join(f"&#{ord(each)};" for each in character)
        escaped = json.dumps(character)[1:-1] if "ld+json" in place else entities
        for written in (character, escaped):
            for value in (f"{written}Ann L{written}ee", f"https://a.example/{written}"):
                check(f"{place.replace('%%', value)}<p>{SENTENCE}</p>")


@in_one_test("place", PLACES.values(), ids=PLACES.keys())
@in_one_test("value", ["x" * 5000, "word " * 5000, "가" * 5000, "https://a.example/" + "a/" * 3000, "a, " * 5000])
def test_fields_are_short(place: str, value: str) -> None:
    check(f"{place.replace('%%', value)}<p>{SENTENCE}</p>")


@pytest.mark.parametrize("method", ["title-table", "title-table+"])
def test_titles_of_methods_are_clean_and_short(method: str) -> None:
    for title in ("A \ud800 headline \x01 of a story", "A\theadline\nof a story", "A headline " * 1000):
        page = f"<table><tr><td>{title}</td></tr><tr><td><h1>{title}</h1></td></tr><tr><td><p>{(SENTENCE + ' ') * 30}</p></td></tr></table>"
        check(page, method=method)


def test_titles_of_custom_methods_are_clean_and_short() -> None:
    class Own:
        def label(self, page: Page) -> Labels:
            return Labels("own", "block", [1.0], [True], [""], 1.0, title="a \ud800\x01 b " * 1000)

    doc = extract(f"<p>{SENTENCE}</p>", method=Own())
    assert doc.title is not None
    assert doc.title.startswith("a \ufffd b a ")
    assert len(doc.title) <= MAX_METADATA_CHARS
    doc.render("xml").encode()


def test_texts_are_cut_between_words() -> None:
    assert cut_text("one two three", 13) == "one two three"
    assert cut_text("one two three", 12) == "one two"
    assert cut_text("one two three", 7) == "one two"
    assert cut_text("one twothreefour", 12) == "one twothree"  # at a space, more than half would be lost
    assert cut_text("가" * 20, 12) == "가" * 12
    assert tidy_metadata(f" {'word ' * 1000}") == ("word " * 400).strip()


def test_long_descriptions_are_cut_and_long_urls_dropped() -> None:
    long = "https://a.example/" + "a" * MAX_METADATA_CHARS
    found = read_metadata(
        Page.parse(
            f"<meta name=description content='{'word ' * 1000}'><meta property=og:image content='{long}'><link rel=canonical href='{long}'>"
        )
    )
    assert found.description == ("word " * 400).strip()
    assert (found.image, found.canonical) == (None, None)


# --- URLs ------------------------------------------------------------------------------------------------------------

UNSAFE = [
    "javascript:alert(1)", "JavaScript:alert(1)", " java\nscript:alert(1)", "\x01javascript:alert(1)", "javascript: alert(1)",
    "java\u200bscript:alert(1)", "javascript&colon;alert(1)", "&#106;avascript:alert(1)", "vbscript:x", "vbscript: x y", "data:text/html,x",
    "data: text/html,x", "file:///etc/passwd", "feed:javascript:alert(1)", "view-source:https://a.example", "blob:https://a.example/1",
]  # fmt: skip
URL_SOURCES = {
    "image": ["<meta property=og:image content='%%'>", make_json_ld(image="%%"), make_json_ld(image=[{"url": "%%"}])],
    "canonical": ["<link rel=canonical href='%%'>", "<meta property=og:url content='%%'>"],
    "favicon": ["<link rel=icon href='%%'>"],
    "licence": [
        "<link rel=license href='%%'>",
        make_json_ld(license="%%"),
        "<meta name=dc.rights content='%%'>",
        "<a rel=license href='%%'>x</a>",
    ],
}


@in_one_test("address", UNSAFE)
@in_one_test("name", URL_SOURCES)
def test_unsafe_urls_are_dropped(name: str, address: str) -> None:
    for markup in URL_SOURCES[name]:
        written = json.dumps(address)[1:-1] if "ld+json" in markup else address
        value = getattr(
            read_metadata(Page.parse(markup.replace("%%", written), URL)),
            name,
        )
        # a text, or a URL on the page's own site, does no harm
        assert value is None or value.startswith(("https://pier.example/", "java script:")), value


@pytest.mark.parametrize("name", URL_SOURCES)
def test_safe_urls_are_kept(name: str) -> None:
    for markup in URL_SOURCES[name]:
        page = Page.parse(markup.replace("%%", "https://a.example/b?c=1"), URL)
        assert getattr(read_metadata(page), name) == "https://a.example/b?c=1"


def test_the_next_safe_url_is_used() -> None:
    html = "<link rel=canonical href='javascript:x'><meta property=og:url content='/c'><link rel=license href='data:x'>"
    found = read_metadata(Page.parse(html + make_json_ld(license="CC BY 4.0"), URL))
    assert (found.canonical, found.licence) == ("https://pier.example/c", "CC BY 4.0")
    assert found.fields["licence"].source == "JSON-LD"


@pytest.mark.parametrize(
    "licence", ["CC BY 4.0", "Licence: CC BY", "Copyright: Pier News, all rights reserved", "© 2024: Pier News", "MIT"]
)
def test_a_licence_may_be_a_text(licence: str) -> None:
    assert read_metadata(Page.parse(make_json_ld(license=licence), URL)).licence == licence
    assert read_metadata(Page.parse(f"<meta name=dc.rights content='{licence}'>", URL)).licence == licence


# --- dates -----------------------------------------------------------------------------------------------------------

CALENDAR_ENDS = [
    date.min, date.max, datetime.min, datetime.max, datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC),
    datetime.min.replace(tzinfo=timezone(timedelta(hours=14))), datetime.max.replace(tzinfo=timezone(timedelta(hours=-12))),
]  # fmt: skip
SHOWN = [
    "3 days ago", "999 days ago", "99999999999 days ago", "3 hours ago", "999 seconds ago", "yesterday", "today", "in 3 days", "그저께",
    "3시간 전", "٣ days ago", "³ days ago", "３日前", "① days ago", "il y a 999 jours", "vor einem Tag", "March 4, 9999", "0001-01-01",
    "9999-12-31", "٢٠٢٤-٠٣-٠٤", "2024-²-³", "２０２４年３月４日", "99999999999999999999-01-01", "20240304" * 50,
]  # fmt: skip


@in_one_test("crawled", CALENDAR_ENDS)
@in_one_test("shown", SHOWN)
def test_crawl_dates_at_the_ends_of_the_calendar(shown: str, crawled: date) -> None:
    html = f"<h1>A story</h1><p>{shown}</p><time datetime='{shown}'>{shown}</time><meta name=date content='{shown}'><p>{SENTENCE}</p>"
    doc = extract(html, f"https://pier.example/{shown}/a", options=Options(crawled=crawled))
    assert doc.date is None or date(1990, 1, 1) <= date.fromisoformat(doc.date)


def test_relative_dates_at_the_ends_of_the_calendar() -> None:
    assert read_relative_day("3 days ago", date.max) == date(9999, 12, 28)
    assert read_relative_day("yesterday", date.min) is None
    assert read_relative_day("today", date.min) == date.min
    assert read_relative_day("3 hours ago", datetime.min) is None
    assert read_relative_day("3 hours ago", datetime.max.replace(tzinfo=UTC)) == date.max


# --- JSON-LD ---------------------------------------------------------------------------------------------------------

HOSTILE_JSON_LD = {
    "deep lists": "[" * 100_000,
    "deep objects": '{"a":' * 100_000,
    "a deep author": '{"@type": "Article", "headline": "A story", "author": ' + "[" * 900 + "]" * 900 + "}",
    "a deep image": '{"@type": "Article", "headline": "A story", "image": ' + "[" * 900 + "]" * 900 + "}",
    "a huge number": '{"@type": "Article", "headline": 1e999999, "datePublished": -1e999999, "keywords": [NaN, Infinity]}',
    "a long number": '{"@type": "Article", "headline": "A story", "name": ' + "9" * 100_000 + "}",
    "the same key twice": '{"@type": "Article", "headline": "A", "headline": "A story", "@type": "NewsArticle", "@id": 1, "@id": "b"}',
    "an object that is its own author": '{"@type": "Article", "headline": "A story", "@id": "a", "author": {"@id": "a"}}',
    "objects in a circle": '[{"@id": "a", "author": {"@id": "b"}}, {"@id": "b", "@type": "Article", "author": [{"@id": "a"}]}]',
    "names that are none": '{"@type": [[], {}], "headline": ["A"], "name": {"@value": "A"}, "author": [[["B"]], 1, null, true]}',
    "half characters": '{"@type": "Article", "headline": "A \\ud800 \\udc00 \\udfff", "author": "\\ud83d"}',
    "numbers of characters": '{"@type": "Article", "headline": "&#' + "9" * 5000 + ';",}',
    "comments": '/* */ {"@type": "Article", /* a */ "headline": "A story", /* b',
}


@pytest.mark.parametrize("data", HOSTILE_JSON_LD.values(), ids=HOSTILE_JSON_LD.keys())
def test_hostile_json_ld_does_no_harm(data: str) -> None:
    check(f'<title>T</title><script type="application/ld+json">{data}</script><p>{SENTENCE}</p>')


@pytest.mark.parametrize(
    "data",
    [
        '/* a */{"@type": "Article", /* b\n */ "headline": "A story" /**/ }/*/*/',
        '// a\n{"@type": "Article",\n  // "headline": "no"\n"headline": "A story",}',
        '\n\n <!-- \n{"@type": "Article", "headline": "A story"}\n --> \n\n',
        '//<![CDATA[\n{"@type": "Article", "headline": "A story"}\n//]]>',
        '/*<![CDATA[*/{"@type": "Article", "headline": "A story",}/*]]>*/',
        '<![CDATA[{"@type": "Article", "headline": "A story"}]]>',
        '{"@type": "Article", "url": "https://a.example/*", "headline": "A story",}',
    ],
)
def test_comments_in_json_ld_are_ignored(data: str) -> None:
    assert read_metadata(Page.parse(f'<script type="application/ld+json">{data}</script>')).title == "A story"


# --- time ------------------------------------------------------------------------------------------------------------


def make_script(data: str) -> str:
    return f'<script type="application/ld+json">{data}</script>'


def make_authors(name: str, count: int) -> str:
    """Return many articles by the same twenty authors."""
    articles = [{"@type": "Article", "headline": str(i), "author": [{"@id": "a"}] * 20} for i in range(count)]
    return make_script(json.dumps([{"@id": "a", "name": name}, *articles]))


SIZES: dict[str, tuple[Callable[[int], str], int]] = {
    "brackets in a name": (lambda n: f"<meta name=author content='{'(@' * n}'>", 4_000),
    "brackets in names": (lambda n: make_json_ld(author=["(@" * n] * 4), 4_000),
    "letters in a name": (lambda n: f"<meta name=author content='@{'a' * n}'>", 4_000),
    "months in a name": (lambda n: make_json_ld(author="Jan" * n), 4_000),
    "blanks in a name": (lambda n: make_json_ld(author=["记者" + " " * n + "x", "http" + " " * n + "x"]), 4_000),
    "a name again and again": (lambda n: make_authors("&amp;" * 400, n), 190),
    "a marked author": (lambda n: f"<span class=author>{'(@' * n}</span><a rel=author>{' ' * n}</a>", 100_000),
    "marked authors": (lambda n: "<span class=author>Ann Lee</span>" * n, 20_000),
    "bylines": (lambda n: "<h1>A story</h1>" + "<p>By Ann Lee | 3 days ago</p>" * n, 10_000),
    "open comments in JSON-LD": (lambda n: make_script('{"a": 1,}' + "/* " * n), 100_000),
    "comments in JSON-LD": (lambda n: make_script('{"a": 1,}' + "/* */ " * n + "/* " * n), 50_000),
    "lines in JSON-LD": (lambda n: make_script('{"a": 1,}' + "\n" * n + "x"), 200_000),
    "blanks in JSON-LD": (lambda n: make_script('{"a": 1,}' + ", " * n + "--> " * n), 50_000),
    "escapes in JSON-LD": (lambda n: make_script('{"a": 1,}' + "&amp" * n), 50_000),
    "lists in JSON-LD": (lambda n: make_script("[" + "[1]," * n + "[1]]"), 100_000),
    "objects in JSON-LD": (lambda n: make_script(json.dumps({str(i): [i] for i in range(n)})), 20_000),
    "deep JSON-LD": (lambda n: make_script('{"@type": "Article", "author": ' * n), 15_000),
    "scripts of JSON-LD": (lambda n: make_json_ld(author="Ann Lee") * n, 3_000),
    "dates in JSON-LD": (lambda n: make_json_ld(datePublished="2024 " * 400) * n, 200),
    "numbers in JSON-LD": (lambda n: make_script("[" + ", ".join(["9" * 4200] * n) + "]"), 100),
    "a long number in JSON-LD": (lambda n: make_script("[" + "9" * n + "]"), 400_000),
    "a title": (lambda n: f"<title>{'a - b | ' * n}</title><meta property=og:title content='a{' ' * n}b'>", 200_000),
    "a headline": (lambda n: make_json_ld(headline="a - b | " * n, name=" " * n), 50_000),
    "headings": (lambda n: "<h1>A story</h1><h2>Part</h2>" * n, 10_000),
    "times": (lambda n: "<time datetime='2024-03-04'>2024</time>" * n, 20_000),
    "a long time": (lambda n: f"<time datetime='{'2024 ' * n}'>{'2024 ' * n}</time>", 100_000),
    "days": (lambda n: "<p>2024-13-13, 3 days before" * n, 10_000),
    "days in a paragraph": (lambda n: "<p>" + "<b class=a>2024</b> " * n, 20_000),
    "days counted back": (lambda n: f"<p>방금{' ' * 150}x</p><p>{'3 days ' * 20}</p>" * n, 3_000),
    "metas": (
        lambda n: "".join(f"<meta name={name} content='{'(@ 2024,&' * n}'>" for name in ("author", "date", "keywords", "description")),
        100_000,
    ),
    "links": (lambda n: f"<link rel='{'license canonical ' * n}' href='{'a/' * n}'>", 100_000),
    "a language": (lambda n: f"<html lang='{'en-' * n}'>", 300_000),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("make", "size"), SIZES.values(), ids=SIZES.keys())
def test_metadata_is_read_in_linear_time(make: Callable[[int], str], size: int) -> None:
    def parse(n: int) -> Page:
        page = Page.parse(f"{make(n)}<p>{SENTENCE}</p>", URL)
        assert page.block_texts
        return page

    assert_linear(parse, lambda page: read_metadata(page, SENTENCE, crawled=datetime(2024, 5, 6, 7)), size)
