"""What a site model must not drop (reprints, copies, series), what it must drop (notices), and how much it may drop."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun import Page, SiteModel, extract
from bonmun.algorithms.auto import Auto
from bonmun.algorithms.rules import Rules
from bonmun.algorithms.without_template import WithoutTemplate
from bonmun.options import Options
from bonmun.sites.losses import (
    ARTICLE_WORDS,
    MAX_LOST_SHARE,
    MIN_DOUBTFUL_LEFT_SHARE,
    MIN_LOST_COMMON_SHARE,
    MIN_SURE_BLOCKS,
    choose_losses,
    count_kept_words,
    loses_too_much,
)
from bonmun.sites.site import Site, Verdicts

SITE = "harbour.example"
WORDS = (
    "harbour lantern keeper evening ferry island market bread window captain letter winter garden bridge river story "
    "morning engine sailor village church copper summer mountain council teacher railway station meadow orchard"
).split()
NOTICE = "All articles belong to those who wrote them. Ask the editors before you print one, and name us as the source."
SERIES = (
    "This is a part of our series on the old harbour, which we began to tell when the last of its ferries was sold."
)
SPARED = "too much of the page to lose, though "


def sentence(seed: int) -> str:
    """Return a sentence of about twenty words, a different one for every number."""
    chosen = [WORDS[(seed * 7 + step * (seed % 11 + 3)) % len(WORDS)] for step in range(18)]
    return f"In the year {1700 + seed} the {' '.join(chosen)} was seen by all."


def paragraphs(number: int, count: int = 8) -> list[str]:
    return [f"{sentence(number * 31 + n)} {sentence(number * 31 + n + 900)}" for n in range(count)]


def page_of(number: int, texts: list[str], *, day: int | None = None, notice: str = "", place: str = "story") -> str:
    """Return a newspaper page: a menu, a headline, a date, the text, links, and a notice at the end."""
    menu = "".join(f"<li><a href=/{name}>{name.title()}</a></li>" for name in WORDS[:6])
    links = "".join(f"<li><a href=/{number}/{n}>{sentence(number * 17 + n)[:40]}</a></li>" for n in range(4))
    body = "".join(f"<p>{text}</p>" for text in texts)
    return (
        f"<html><head><title>Story {number} of the harbour</title></head><body><nav class=menu><ul>{menu}</ul></nav>"
        f"<main class={place}><h1>Story {number} of the harbour</h1><div class=date>{day or number + 1} March 2026</div>"
        f"<div class=body>{body}</div></main><aside class=more><ul>{links}</ul></aside>"
        f"<footer class=foot>{f'<p>{notice}</p>' if notice else ''}</footer></body></html>"
    )


def parsed(*pages: str) -> list[Page]:
    return [Page.parse(markup, f"https://{SITE}/{number}") for number, markup in enumerate(pages)]


def kept_with(pages: list[str], number: int, method: str = "auto") -> str:
    """Return what is kept of one page with a site model of all pages."""
    found = parsed(*pages)
    return extract(found[number], method=method, options=Options(site_model=SiteModel.fit(found))).text


METHODS = ("auto", "rules", "xpath+", "frequency+")


@pytest.mark.parametrize("method", METHODS)
def test_a_reprint_on_two_of_six_pages_stays(method: str) -> None:
    """Two pages share three of their eight paragraphs, and no other page has anything at their place."""
    again = paragraphs(40, 3)
    pages = [page_of(n, paragraphs(n, 5)) for n in range(6)]
    box = f"<div class=body><div class=again>{''.join(f'<p>{text}</p>' for text in again)}</div>"
    pages[:2] = [page.replace("<div class=body>", box) for page in pages[:2]]
    text = kept_with(pages, 0, method)
    assert all(paragraph in text for paragraph in [*again, *paragraphs(0, 5)])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("copies", [2, 3, 4])
def test_an_article_with_a_copy_in_the_crawl_stays(method: str, copies: int) -> None:
    """The same article on several days, the last time in the print layout."""
    pages = [page_of(n, paragraphs(n)) for n in range(6)]
    places = ["story"] * (copies - 2) + ["print"]
    pages += [page_of(0, paragraphs(0), day=20 + copy, place=place) for copy, place in enumerate(places)]
    for number in (0, len(pages) - 1):
        text = kept_with(pages, number, method)
        assert all(paragraph in text for paragraph in paragraphs(0))


@pytest.mark.parametrize("method", METHODS)
def test_a_crawl_that_has_every_article_twice_loses_none(method: str) -> None:
    pages = [page_of(n, paragraphs(n), day=day) for n in range(5) for day in (n + 1, n + 15)]
    for number in range(len(pages)):
        text = kept_with(pages, number, method)
        assert all(paragraph in text for paragraph in paragraphs(number // 2))


def test_what_the_parts_of_a_series_share_stays() -> None:
    """Half of the pages say so, at the place of all paragraphs."""
    pages = [page_of(n, [*([SERIES] if n % 2 else []), *paragraphs(n)]) for n in range(10)]
    assert SERIES in kept_with(pages, 1)


@pytest.mark.parametrize("size", [3, 6, 20])
@pytest.mark.parametrize("method", METHODS)
def test_a_notice_on_all_pages_goes(method: str, size: int) -> None:
    """It stands among the paragraphs, and reads as they do."""
    pages = [page_of(n, [*paragraphs(n), NOTICE]) for n in range(size)]
    assert NOTICE in extract(pages[0], method="all").text
    text = kept_with(pages, 0, method)
    assert NOTICE not in text
    assert all(paragraph in text for paragraph in paragraphs(0))


def test_auto_alone_keeps_that_notice() -> None:
    assert NOTICE in extract(page_of(0, [*paragraphs(0), NOTICE])).text


def test_a_page_with_many_copies_is_kept() -> None:
    """Forty times the same article with other dates: most pages have all of it."""
    pages = [page_of(0, paragraphs(0), day=n + 1) for n in range(28)]
    found = parsed(*pages)
    model = SiteModel.fit(found)
    assert model.sites[SITE].pages == 28
    doc = extract(found[3], options=Options(site_model=model))
    assert all(paragraph in doc.text for paragraph in paragraphs(0))
    assert {block.reason for block in doc.blocks if block.text in paragraphs(0)} == {
        f"{SPARED}on 28 of 28 pages of the site"
    }
    assert extract(found[3]).text == doc.text


def test_empty_pages_are_accepted() -> None:
    found = parsed("<img>", "<html></html>", "<p></p>", "<p> </p>", *(page_of(n, paragraphs(n)) for n in range(3)))
    model = SiteModel.fit(found)
    assert model.sites[SITE].pages == 4  # those without text are one
    assert [extract(page, options=Options(site_model=model)).text for page in found[:4]] == [""] * 4
    assert paragraphs(1)[0] in extract(found[5], options=Options(site_model=model)).text


def test_a_small_page_of_nothing_but_a_notice_is_empty() -> None:
    """`rules` labels it, and most pages have its text."""
    model = SiteModel.fit(parsed(*(page_of(n, paragraphs(n), notice=NOTICE) for n in range(6))))
    markup = f"<footer class=foot><p>{NOTICE}</p></footer>"
    assert (
        extract(
            f"<main class=story><div class=body><p>{NOTICE}</p></div></main>", options=Options(site_model=model)
        ).text
        == ""
    )
    assert extract(markup, method="all", options=Options(site_model=model)).text == ""


def test_losses_are_bounded_when_auto_falls_back_to_rules() -> None:
    """Two short paragraphs on three of seven pages, in a place of their own: more than a fifth of each piece."""
    shared = paragraphs(3, 1)[0]
    pages = [
        f"<div class=x><p>{shared if n < 3 else paragraphs(n + 9, 1)[0]}</p></div><p>Day {n}.</p>" for n in range(7)
    ]
    found = parsed(*pages)
    model = SiteModel.fit(found)
    bounded = WithoutTemplate(Rules(), model, bounded=True).label(found[0])
    assert extract(found[0], options=Options(site_model=model)).labels.kept == bounded.kept
    alone, left = (count_kept_words(found[0], labels) for labels in (Rules().label(found[0]), bounded))
    verdicts = model.judge(found[0])
    assert verdicts is not None
    assert not loses_too_much(alone, left, verdicts)


# --- by hand ----------------------------------------------------------------------------------------------------------


def make_verdicts(template: str, sure: str = "", common: str = "") -> Verdicts:
    """Return verdicts on blocks from columns of 0 and 1."""
    none: Any = []
    site = Site(SITE, 10, none, none, none, none, none, none)
    n = len(template)
    columns = ([mark == "1" for mark in column.ljust(n, "0")] for column in (template, sure, common))
    return Verdicts(site, [5] * n, [10] * n, [0.5] * n, [0.5] * n, *columns)


@pytest.mark.parametrize(
    ("alone", "verdicts", "lost"),
    [
        ([80, 20], make_verdicts("01", "01"), {1}),  # a fifth
        ([79, 21], make_verdicts("01", "01"), set()),  # more, and not on most pages
        ([79, 21], make_verdicts("01", "01", "01"), {1}),  # on most
        ([80, 20], make_verdicts("01"), set()),  # not sure
        ([50, 45, 5], make_verdicts("011", "011", "010"), {1, 2}),  # nine tenths of it on most pages
        ([50, 44, 6], make_verdicts("011", "011", "010"), {1}),  # less than that
        ([2, 48, 40], make_verdicts("011", "011", "011"), {1, 2}),  # no article's worth
        ([4, 96], make_verdicts("01", "01", "01"), set()),  # one of many copies
        ([5, 95], make_verdicts("01", "01", "01"), {1}),
        (
            [50, *[5] * 5, 25],
            make_verdicts("0111111", "0111110"),
            {1, 2, 3, 4, 5, 6},
        ),  # more than a fifth is sure, in five blocks
        ([50, *[5] * 5, 26], make_verdicts("0111111", "0111110"), set()),  # but less than half of what would go
        ([50, *[6] * 4, 20], make_verdicts("011111", "011110"), set()),  # in four
        ([], make_verdicts(""), set()),
        ([0, 0], make_verdicts("11", "11", "11"), {0, 1}),  # no words at all
    ],
)
def test_which_blocks_are_dropped(alone: list[int], verdicts: Verdicts, lost: set[int]) -> None:
    assert (ARTICLE_WORDS, MAX_LOST_SHARE, MIN_LOST_COMMON_SHARE, MIN_SURE_BLOCKS) == (100, 0.2, 0.9, 5)
    assert choose_losses(dict(enumerate(alone)), verdicts) == lost


@pytest.mark.parametrize(
    ("alone", "verdicts", "lost"),
    [
        ([60, 40], make_verdicts("01"), {1}),  # not sure, and more than a fifth
        ([10, 90], make_verdicts("01"), {1}),  # a tenth is left
        ([9, 91], make_verdicts("01"), set()),  # a copy
        ([80, 20], make_verdicts("11", "01"), {1}),  # nothing would be left, so only what is sure goes
        ([0, 0], make_verdicts("11"), set()),  # no words at all
        ([], make_verdicts(""), set()),
    ],
)
def test_a_doubtful_article_loses_all_template(alone: list[int], verdicts: Verdicts, lost: set[int]) -> None:
    assert MIN_DOUBTFUL_LEFT_SHARE == 0.1
    assert choose_losses(dict(enumerate(alone)), verdicts, is_doubtful=True) == lost


BLOCKS = st.lists(st.tuples(st.integers(0, 60), st.booleans(), st.booleans(), st.booleans()), max_size=12)


@given(blocks=BLOCKS)
def test_no_page_loses_more_than_a_fifth_unless_most_pages_have_it(
    blocks: list[tuple[int, bool, bool, bool]],
) -> None:
    alone = {row: words for row, (words, _, _, _) in enumerate(blocks)}
    template, common = [each for _, each, _, _ in blocks], [each for _, _, _, each in blocks]
    sure = [each and known for _, each, known, _ in blocks]
    verdicts = make_verdicts("")._replace(template=template, sure=sure, common=common)
    lost = choose_losses(alone, verdicts)
    whole, gone = sum(alone.values()), sum(alone[row] for row in lost)
    often = sum(alone[row] for row in lost if common[row])
    known = [row for row in alone if sure[row]]
    assert all(template[row] for row in lost)
    assert whole < ARTICLE_WORDS or gone <= 0.95 * whole
    if (
        gone > MAX_LOST_SHARE * whole and often < MIN_LOST_COMMON_SHARE * gone
    ):  # the page's own evidence cannot tell notices from text
        assert len(known) >= MIN_SURE_BLOCKS
        assert sum(alone[row] for row in known) > MAX_LOST_SHARE * whole


@given(blocks=BLOCKS)
def test_a_doubtful_article_loses_all_template_or_what_any_page_loses(
    blocks: list[tuple[int, bool, bool, bool]],
) -> None:
    alone = {row: words for row, (words, _, _, _) in enumerate(blocks)}
    template, common = [each for _, each, _, _ in blocks], [each for _, _, _, each in blocks]
    sure = [each and known for _, each, known, _ in blocks]
    verdicts = make_verdicts("")._replace(template=template, sure=sure, common=common)
    lost = choose_losses(alone, verdicts, is_doubtful=True)
    whole, left = sum(alone.values()), sum(words for row, words in alone.items() if not template[row])
    if left and left >= MIN_DOUBTFUL_LEFT_SHARE * whole:
        assert lost == {row for row in alone if template[row]}
    else:
        assert lost == choose_losses(alone, verdicts)


@given(shared=st.lists(st.tuples(st.integers(0, 9), st.integers(1, 6)), max_size=6), size=st.integers(3, 7))
@settings(max_examples=25, deadline=None)
def test_auto_drops_no_more_of_real_pages(shared: list[tuple[int, int]], size: int) -> None:
    """Pages that share some paragraphs, each with as many pages as allowed."""
    pages = [
        page_of(
            n, [text for number, often in shared if n < often for text in paragraphs(number + 70, 1)] + paragraphs(n, 4)
        )
        for n in range(size)
    ]
    found = parsed(*pages)
    model = SiteModel.fit(found)
    for page in found[:2]:
        verdicts = model.judge(page)
        assert verdicts is not None
        with_model = Auto(site_model=model).label(page)
        alone, left = (count_kept_words(page, labels) for labels in (Auto().label(page), with_model))
        assert len([row for row in alone if verdicts.sure[row]]) >= MIN_SURE_BLOCKS or not loses_too_much(
            alone, left, verdicts
        )
        assert set(left) <= set(alone)
