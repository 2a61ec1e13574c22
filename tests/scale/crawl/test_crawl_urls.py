"""URLs are normalised to the form that browsers request."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.scale.crawl.discover.parameters import drop_parameters
from bonmun.scale.crawl.discover.urls import MAX_URL_CHARS, normalise_url

BASE = "https://example.org/a/b?c=1"

RELATIVE = {
    "d": "https://example.org/a/d",
    "/d": "https://example.org/d",
    "../d/./e/..": "https://example.org/d/",
    "../../../..": "https://example.org/",
    "?": "https://example.org/a/b",
    "": "https://example.org/a/b?c=1",
    "#top": "https://example.org/a/b?c=1",
    "#!/state": "https://example.org/a/b?c=1",
    "?d=2#!x": "https://example.org/a/b?d=2",
    "//Other.Example": "https://other.example/",
    "\\\\other.example\\d": "https://other.example/d",
    "////other.example/d": "https://other.example/d",
    "https:d": "https://example.org/a/d",
    "https:/d": "https://example.org/d",
    "http:d/e": "http://d/e",
    " \t/d\n/e\r ": "https://example.org/d/e",
    "./d:e": "https://example.org/a/d:e",
    "d//e": "https://example.org/a/d//e",
}
NORMALISED = {
    "HTTP://Example.ORG:80": "http://example.org/",
    "https://example.org:443/": "https://example.org/",
    "https://example.org:0444/": "https://example.org:444/",
    "http://example.org./": "http://example.org/",
    "http://example.org:/": "http://example.org/",
    "http://한국.example/": "http://xn--3e0b707e.example/",
    "http://BÜCHER.example/": "http://xn--bcher-kva.example/",
    "http://💩.example/": "http://xn--ls8h.example/",
    "http://ex%61mple.org/": "http://example.org/",
    "http://@a.example/": "http://a.example/",
    "http://stra\u00adße.example/": "http://xn--strae-oqa.example/",
    "http://127.1/": "http://127.0.0.1/",
    "http://0x7f000001/": "http://127.0.0.1/",
    "http://[0:0::1]:8080/": "http://[::1]:8080/",
    "http://a.example/%7euser/%2f%e3": "http://a.example/~user/%2F%E3",
    "http://a.example/a/%2E%2e/b": "http://a.example/b",
    "http://a.example/글 1": "http://a.example/%EA%B8%80%201",
    "http://a.example/100%": "http://a.example/100%25",
    "http://a.example/%4%31": "http://a.example/%2541",
    "http://a.example/?q=%B0%a1": "http://a.example/?q=%B0%A1",  # EUC-KR
    "http://a.example/?b=2&a=1&b=1": "http://a.example/?b=2&a=1&b=1",
    "http://a.example/?q=it's": "http://a.example/?q=it%27s",
    "http://a.example/a\x00b": "http://a.example/a%00b",
    "http://a.example/\ud83d\ude00": "http://a.example/%F0%9F%98%80",
    "http://a.example/\ud83d": "http://a.example/%EF%BF%BD",
}
DROPPED = {
    "/a;jsessionid=0A1B.node1?b=1": "/a?b=1",
    "/a;JSESSIONID=0A1B/c": "/a/c",
    "/a?PHPSESSID=1&b=1": "/a?b=1",
    "/a?b=1&sid=4d5e6f708192a3b4c5d6": "/a?b=1",
    "/a?ASPSESSIONIDQQ=X&b": "/a?b",
    "/a?CFID=12&b=1&CFTOKEN=34": "/a?b=1",
    "/a?utm_source=x&b=1&%75tm_medium=y": "/a?b=1",
    "/a?fbclid=x": "/a",
    "/a?b=1&gclid=x&c=2": "/a?b=1&c=2",
}
KEPT = [
    "/a?sid=101",  # a section of a newspaper
    "/a?sid1=4d5e6f708192a3b4c5d6",
    "/a?cfid=12",
    "/a?s=a-search-for-long-words",
    "/a?session=2",
    "/a?b=utm_source",
    "/a;b=1",
]
INVALID = [
    "mailto:kim@example.org",
    "javascript:void(0)",
    "JavaScript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,a",
    "ftp://example.org/",
    "file:///etc/passwd",
    "tel:1",
    "about:blank",
    "http://kim:secret@example.org/",
    "http://kim@example.org/",
    "http://",
    "http://:80/",
    "http://exa mple.org/",
    "http://example.org:99999/",
    "http://example.org:0/",
    "http://example.org:x/",
    "http://a..b/",
    "http://\u200d.example/",  # a joiner without letters is no host name
    "http://256.1.1.1/",
    "http://[::1/",
    "http://[fe80::1%25eth0]/",
    "http://" + "a" * 64 + ".example/",
    "http://" + "a." * 200 + "example/",
    "http://xn--\ud800.example/",
    "http://a.example/" + "a" * MAX_URL_CHARS,
    "http://a.example/" + "글" * 300,
    "http://a.example/?" + "a&" * 1_000_000,
    "//",
]


@pytest.mark.parametrize(("written", "expected"), RELATIVE.items())
def test_relative_urls_are_resolved_as_browsers_do(written: str, expected: str) -> None:
    assert normalise_url(written, BASE) == expected


@pytest.mark.parametrize(("written", "expected"), NORMALISED.items())
def test_urls_have_one_normal_form(written: str, expected: str) -> None:
    assert normalise_url(written) == expected
    assert normalise_url(expected) == expected


@pytest.mark.parametrize(("written", "expected"), DROPPED.items())
def test_session_ids_and_tracking_parameters_are_dropped(written: str, expected: str) -> None:
    assert normalise_url(written, BASE) == f"https://example.org{expected}"


@pytest.mark.parametrize("written", KEPT)
def test_parameters_that_only_look_like_sessions_are_kept(written: str) -> None:
    assert normalise_url(written, BASE) == f"https://example.org{written}"


@pytest.mark.parametrize("written", INVALID)
def test_urls_that_cannot_be_fetched_are_none(written: str) -> None:
    assert normalise_url(written, BASE) is None


@pytest.mark.parametrize("base", [None, "", "file:///a", "data:text/html,x", "http://a b/", "http://a/" + "x" * 30_000])
def test_a_relative_url_needs_a_base(base: str | None) -> None:
    assert normalise_url("/d", base) is None
    assert normalise_url("http://a.example/d", base) == "http://a.example/d"


def test_a_query_is_encoded_in_the_encoding_of_its_page() -> None:
    assert normalise_url("/글?q=본문", BASE, "euc-kr") == "https://example.org/%EA%B8%80?q=%BA%BB%B9%AE"
    assert normalise_url("?q=똠😀", BASE, "euc-kr") == "https://example.org/a/b?q=%8Cc%26%23128512%3B"
    assert normalise_url("?q=あ", BASE, "shift_jis") == "https://example.org/a/b?q=%82%A0"
    assert normalise_url("?q=본", BASE, "no-such-encoding") == normalise_url("?q=본", BASE, "utf-16-le")


def test_a_numeric_host_must_be_an_ipv4_address() -> None:
    assert normalise_url("http://1.2.3.4.5/") is None
    assert normalise_url("http://0x1ffffffff/") is None
    assert normalise_url("http://08.1/") is None
    assert normalise_url("http://1.2.3/") == "http://1.2.0.3/"


def test_the_quick_search_finds_every_dropped_parameter() -> None:
    from bonmun.scale.crawl.discover.parameters import SESSIONS, SUSPECT, TRACKING

    for name in TRACKING | SESSIONS | {"utm_x", "aspsessionidabc", "cfid", "sid", "sessid", "session_id", "session-id"}:
        assert SUSPECT.search(f"a=1&{name}=2"), name
    assert drop_parameters("a=1&&b=2") == "a=1&&b=2"


PIECES = (
    "http: https:// // / \\ a.example :80 @ ? # & = % %2e %C3 %4 1 .. . ;jsessionid=1 utm_source=1 sid= cfid=1 cftoken=2 "
    "0123456789abcdef0 글 [ ] | é \" ' { ^ ` < \ud800 \udc00"
).split()


@given(st.lists(st.sampled_from([*PIECES, " ", "\t"]), max_size=12).map("".join) | st.text(max_size=40))
def test_normalising_twice_changes_nothing(written: str) -> None:
    for url in (
        normalise_url(written, BASE),
        normalise_url("http://" + written),
        normalise_url(written, BASE, "euc-kr"),
    ):
        if url is not None:
            assert normalise_url(url) == url
            assert url.isascii()
            assert url.startswith(("http://", "https://"))
            assert not set(url) & set(' \t\n\r#\\"<>')
