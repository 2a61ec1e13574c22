"""Synthetic boards and simple pages: reproducible, all different, and with a gold that is on the page."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import pytest

from bonmun import Page
from bonmun.lab.gold.alignment import align
from bonmun.lab.train.synthetic import words
from bonmun.lab.train.synthetic.board_pages import make_boards
from bonmun.lab.train.synthetic.marks import comment, keep, make_example
from bonmun.lab.train.synthetic.simple_pages import make_simple_pages
from bonmun.lab.train.synthetic.writer import PageWriter
from bonmun.models.features.page_arrays import PAGE_KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bonmun.lab.gold.examples import Example

    Make = Callable[[int, Random], Iterator[Example]]

MIN_SHARED = 0.97  # of the gold's words on the page, and of the found words in the gold
both = pytest.mark.parametrize("make", [make_boards, make_simple_pages])


@both
def test_same_seed_gives_same_pages(make: Make) -> None:
    assert list(make(30, Random(7))) == list(make(30, Random(7)))
    assert list(make(30, Random(8))) != list(make(30, Random(7)))
    assert list(islice(make(10**9, Random(7)), 10)) == list(make(10, Random(7)))


@pytest.mark.slow
@both
def test_gold_is_on_its_page(make: Make) -> None:
    for example in make(120, Random(7)):
        assert example.text
        found = align(Page.parse(example.html), example.text).words
        assert found.shared >= MIN_SHARED * found.gold, example.id
        assert found.shared >= MIN_SHARED * found.found, example.id


@both
def test_no_two_pages_are_alike(make: Make) -> None:
    """Their element trees differ, whatever the words."""
    examples = list(make(200, Random(7)))
    trees = Counter(tuple(Page.parse(example.html).tags) for example in examples)
    assert len(trees) > 0.97 * len(examples)
    assert len({example.site for example in examples}) == len({example.id for example in examples}) == len(examples)


@both
def test_all_languages_and_kinds_occur(make: Make) -> None:
    examples = list(make(300, Random(7)))
    assert {example.lang for example in examples} == set(words.LANGUAGES)
    assert {example.kind for example in examples} <= set(PAGE_KINDS)
    assert len({example.kind for example in examples}) >= 3


@both
def test_pages_contain_more_than_the_gold(make: Make) -> None:
    """Most of many pages is boilerplate; comments are not in the gold."""
    shares, comments = [], 0
    for example in make(200, Random(7)):
        page = Page.parse(example.html)
        shares.append(len(example.text or "") / max(1, sum(map(len, page.block_texts))))
        for line in (example.comments or "").splitlines():
            comments += 1
            assert line not in (example.text or "").splitlines()
    assert 0.2 < sum(share < 0.6 for share in shares) / len(shares) < 0.95
    assert comments > 15


def test_no_marks_are_left() -> None:
    html = f"<p>{keep('a <b>b</b> &lt;c&gt;<br>d')}</p><p>e</p><p>{comment('f')}</p>"
    example = make_example("boards/3", html, "en", "article")
    assert example.html == "<p>a <b>b</b> &lt;c&gt;<br>d</p><p>e</p><p>f</p>"
    assert (example.text, example.comments, example.site) == ("a b <c>\nd", "f", "boards-3")


@pytest.mark.parametrize("code", words.LANGUAGES)
def test_languages_are_complete(code: str) -> None:
    language = words.LANGUAGES[code]
    assert len(language.interface) == len(words.ROLES)
    assert len(set(language.words)) > 35
    assert PageWriter(code, Random(1)).sentence()[-1] in (*language.stops, "”")


def test_hidden_code_copies_are_in_the_gold_once() -> None:
    copied = [example for example in make_simple_pages(400, Random(7)) if '<pre style="display:none">' in example.html]
    assert copied
    for example in copied:
        found = align(Page.parse(example.html), example.text or "").words
        assert found.shared == pytest.approx(found.gold, rel=0.03)
