"""Features of link targets."""

from __future__ import annotations

import numpy as np
import pytest

from bonmun import Page
from bonmun.models.features.page_arrays import TARGETS
from bonmun.models.features.target_arrays import count_targets

URL = "https://www.example.org/news/today"


def read(html: str, name: str, url: str | None = URL) -> list[float]:
    """Return one column for every block of a page."""
    return [round(float(value), 2) for value in count_targets(Page.parse(html, url))[:, TARGETS[name]]]


@pytest.mark.parametrize(
    ("href", "name", "value"),
    [
        ("/news/", "linked", 1),
        ("https://example.org/news/", "elsewhere", 0),
        ("//www.example.org/x", "elsewhere", 0),
        ("https://social.example/share?u=1", "elsewhere", 1),
        ("https://social.example/share?u=1", "query", 1),
        ("#top", "nowhere", 1),
        ("JavaScript:void(0)", "nowhere", 1),
        ("mailto:me@example.org", "contact", 1),
        ("/a/b/c/d", "folders", 1),
        ("/news/a-long-story-about-it", "dashes", 0.8),
        ("/2026/11/16/", "digits", 1),
        ("/news/", "above", 1),
        ("/news/today/one", "below", 1),
        ("/sports/", "above", 0),
        ("https://other.example/news/", "above", 0),
    ],
)
def test_a_link_is_described_by_its_url(href: str, name: str, value: float) -> None:
    assert read(f'<p><a href="{href}">x</a>', name) == [value]


def test_the_first_link_of_a_block_counts_and_blocks_without_one_have_zeros() -> None:
    html = '<p>plain</p><p>text <a href="#a">one</a> <a href="/b">two</a></p><p>plain</p>'
    assert read(html, "linked") == [0, 1, 0]
    assert read(html, "nowhere") == [0, 1, 0]


def test_copies_and_urls_in_one_folder_are_counted() -> None:
    html = "".join(f'<p><a href="{href}">x</a>' for href in ("/n/a", "/n/a", "/n/b", "/c"))
    assert read(html, "copies") == [0.69, 0.69, 0, 0]
    assert read(html, "siblings") == [0.69, 0.69, 0.69, 0]


def test_a_page_without_a_url_has_the_host_of_most_links() -> None:
    html = '<p><a href="https://a.example/1">x</a><p><a href="https://a.example/2">x</a><p><a href="https://b.example/">x</a>'
    assert read(html, "elsewhere", None) == [0, 0, 1]


@pytest.mark.parametrize("href", ["", "?", "//", "http://", "https:///", "/" * 10_000, "\ud800", "한글/주소", "a\nb"])
def test_any_url_is_accepted(href: str) -> None:
    found = count_targets(Page.parse(f'<p><a href="{href}">x</a>', href or None))
    assert found.shape == (1, TARGETS.width)
    assert np.isfinite(found).all()
    assert (found <= 2).all()
