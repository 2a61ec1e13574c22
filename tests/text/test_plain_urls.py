"""URLs that are used unchanged, because urljoin would not change them."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.text.urls import PLAIN_URL, read_url

BASE = "https://pier.example/news/1?a=b"


@given(st.text("abé1.:/?#;%&=[]@-_~\\ ", max_size=30).map(lambda rest: f"https://{rest}"))
def test_a_plain_url_is_what_urljoin_returns(url: str) -> None:
    if PLAIN_URL.match(url):
        assert urljoin(BASE, url) == url
        assert read_url(url, BASE) == url


@pytest.mark.parametrize("url", ["https://a.example/b?c=1#d", "http://a.example:80", "https://a.example/%EA%B0%80/(b)"])
def test_ordinary_urls_are_plain(url: str) -> None:
    assert PLAIN_URL.match(url)


@pytest.mark.parametrize(
    "url", ["https://[", "https://a.example/?", "https://a.example/#", "https://a.example/가", "//a"]
)
def test_other_urls_are_not_plain(url: str) -> None:
    assert not PLAIN_URL.match(url)
