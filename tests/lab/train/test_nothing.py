"""Synthetic pages without main text: reproducible, well-formed, and without long texts."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from bonmun import Page
from bonmun.lab.train.synthetic.empty_pages import NOTICES, make_textless_pages

MAX_NOTICE_CHARS = max(map(len, NOTICES))


def pages(count: int = 200, seed: int = 7) -> list[str]:
    return list(make_textless_pages(count, Random(seed)))


def test_same_seed_gives_same_pages() -> None:
    assert pages(30) == pages(30)
    assert pages(30, seed=8) != pages(30)


def test_more_pages_start_with_the_same_ones() -> None:
    assert pages(30)[:10] == pages(10)
    assert list(islice(make_textless_pages(10**9, Random(7)), 10)) == pages(10)


def test_number_of_pages() -> None:
    assert (len(pages(0)), len(pages(1)), len(pages(17))) == (0, 1, 17)


def test_pages_differ() -> None:
    assert len(set(pages())) > 190


@pytest.mark.parametrize("seed", [1, 7])
def test_pages_have_no_long_text(seed: int) -> None:
    found = [Page.parse(html) for html in pages(seed=seed)]
    assert sum(bool(page.starts) for page in found) > 150
    assert sum(any(page.block_sizes.links) for page in found) > 150
    for page in found:
        linked = page.block_sizes.links
        plain = [len(text) for text, links in zip(page.block_texts, linked, strict=True) if not links]
        assert max(plain, default=0) <= MAX_NOTICE_CHARS  # text outside links is no longer than a notice
        assert sum(plain) <= 4 * MAX_NOTICE_CHARS
        for size, links in zip(page.block_sizes.sizes, linked, strict=True):
            assert links == 0 or links > 0.5 * size


def test_markup_is_balanced() -> None:
    for html in pages(50):
        for tag in ("div", "ul", "li", "a", "form", "nav", "footer", "p", "h2"):
            assert html.count(f"<{tag}>") + html.count(f"<{tag} ") == html.count(f"</{tag}>"), (tag, html)


def test_some_are_empty_shells() -> None:
    shells = [html for html in pages() if '<div id="root"></div>' in html]
    assert 5 < len(shells) < 50
    assert not any(notice.partition(". ")[0] in html.partition("<body>")[2] for html in shells for notice in NOTICES)
