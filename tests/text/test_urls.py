"""URLs of pages: absolute, safe and short, or dropped."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.bounds import MAX_URL_CHARS
from bonmun.text.urls import read_url

BASE = "https://example.org/a/b"


@pytest.mark.parametrize(
    ("url", "absolute"),
    [
        ("c", "https://example.org/a/c"),
        ("/c?d=e:f", "https://example.org/c?d=e:f"),
        ("//other.org/", "https://other.org/"),
        ("#note", "https://example.org/a/b#note"),
        ("HTTPS://other.org/", "https://other.org/"),
        ("mailto:ann@example.org", "mailto:ann@example.org"),
        ("tel:+82-2-123", "tel:+82-2-123"),
        (" /with\nbreaks\t", "https://example.org/withbreaks"),
        ("1:30", "https://example.org/a/1:30"),
        ("/제목", "https://example.org/제목"),
    ],
)
def test_urls_become_absolute(url: str, absolute: str) -> None:
    assert read_url(url, BASE) == absolute


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        " java\nscript:alert(1)",
        "\x01javascript:alert(1)",
        "java\u200bscript:alert(1)",
        "vbscript:x",
        "data:text/html,<script>",
        "file:///etc/passwd",
        "feed:javascript:alert(1)",
        "view-source:https://example.org/",
        "about:blank",
        "blob:https://example.org/1",
        "intent://x",
        "http://[broken",
        "x" * (MAX_URL_CHARS + 1),
        "",
        "\t\n",
        None,
    ],
)
def test_unsafe_urls_are_dropped(url: str | None) -> None:
    assert read_url(url, BASE) is None


def test_a_base_that_is_not_a_web_url_is_ignored() -> None:
    assert read_url("b.html", "file:///a/c.html") == "b.html"
    assert read_url("alert(1)", "javascript:x") == "alert(1)"


def test_a_long_base_makes_no_long_url() -> None:
    assert read_url("b", "https://example.org/" + "a" * MAX_URL_CHARS + "/") is None


@given(st.text(max_size=40), st.sampled_from(["", BASE, "file:///a"]))
def test_any_text_gives_a_safe_url_or_none(url: str, base: str) -> None:
    made = read_url(url, base)
    if made is not None:
        assert 0 < len(made) <= MAX_URL_CHARS
        assert urlsplit(made).scheme in ("", "http", "https", "mailto", "tel")


PARTS = ["/", "//", "a", "b.html", ".", "..", "c d", "?", "q=1", "#", "n", ":", ";p", "%20", "~", "é", "-", "="]
BASES = ["", "/", "/a", "/a/", "/a/b.html", "/a//b", "/a/../b", "/a?q=1", "/a/?q=/x#n", "?q", "#n", "/a;p", "/."]


@given(st.sampled_from(["https://example.org", "http://a", "http://e.org:80"]), st.sampled_from(BASES), st.data())
def test_relative_urls_are_joined_as_urljoin_does(host: str, path: str, data: st.DataObject) -> None:
    url = "".join(data.draw(st.lists(st.sampled_from(PARTS), min_size=1, max_size=6)))
    found = read_url(url, host + path)
    if found is not None and ":" not in url.partition("/")[0]:
        assert found == urljoin(host + path, " ".join(url.split()))
