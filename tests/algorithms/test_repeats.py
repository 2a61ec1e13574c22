"""Texts that a page has twice are kept once; on listings, items may share a text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import bonmun
from bonmun import Page
from bonmun.algorithms.repeats import REPEATED, drop_repeats
from bonmun.models.features.page_arrays import PAGE_KINDS
from bonmun.models.network.thresholds import Decision
from timing import assert_linear

LONG = "The keeper had cleaned the lenses for weeks, and half of the village came up to help him."


def run(page: Page, kind: str) -> Decision:
    """Drop the repeats of a page whose blocks are all kept."""
    texts = page.block_texts
    copied = [row for row, text in enumerate(texts) if len(text) > 60 and texts.count(text) > 1]
    count = len(texts)
    kinds = [(each, float(each == kind)) for each in PAGE_KINDS]
    found = Decision([True] * count, [0.9] * count, ["like main text"] * count, [], kind, kinds, 0.9, copied)
    drop_repeats(page, found)
    return found


def drop(html: str, kind: str = "listing") -> list[int]:
    found = run(Page.parse(f"<body>{html}"), kind)
    rows = [row for row, kept in enumerate(found.kept) if not kept]
    assert all(found.reasons[row] == REPEATED and found.scores[row] < 0.5 for row in rows)
    return rows


def test_a_repeated_paragraph_of_an_article_is_dropped() -> None:
    assert drop(f"<p>{LONG}</p><p>Lamps</p><p>{LONG}</p>", "article") == [2]
    assert drop(f"<p>{LONG}</p><p>Lamps</p><p>{LONG}</p>", "forum") == []  # a quote


def test_a_second_copy_of_an_article_is_dropped_with_its_short_lines() -> None:
    story = f"<p>Anchor:</p><p>{LONG}</p><p>Why?</p><p>{LONG} Nobody knows.</p><p>Reporter</p>"
    assert drop(f"<div>{story}</div><p>Print</p><div>{story}</div>", "article") == [6, 7, 8, 9, 10]


def test_the_refrain_of_a_song_stays() -> None:
    assert drop(f"<div>{LONG}<br><br>First<br><br>{LONG}<br><br>Second<br><br>{LONG}</div>", "article") == []
    assert drop(f"<div>{LONG}<br><br>First<br><br>{LONG}</div>") == []


def test_items_that_share_several_texts_stay() -> None:
    items = "".join(f"<li><h3>Lamp {name}</h3><p>{LONG}</p><p>$12</p></li>" for name in ("one", "two", "three"))
    assert drop(f"<ul>{items}</ul>") == []
    items = items.replace("</p></li>", "</p><a href=/more>Read on</a></li>")
    assert drop(f"<ul>{items}</ul>") == []


def test_items_that_share_a_text_stay() -> None:
    items = "".join(f"<li><h3>Lamp {name}</h3><p>{LONG}</p></li>" for name in ("one", "two", "three"))
    assert drop(f"<ul>{items}</ul>") == []


def test_a_repeated_item_is_dropped_as_a_whole() -> None:
    item = f"<li><h3>Lamp</h3><p>4 March</p><p>{LONG}</p><p>$12</p></li>"
    assert drop(f"<ul>{item}<li>Other</li>{item}<li>Last</li></ul>") == [5, 6, 7, 8]
    assert drop(f"<ul>{item}{item}{item}</ul>") == list(range(4, 12))


def test_the_headline_of_a_full_item_stays() -> None:
    slider = f"<p>{LONG}</p><p>Other</p>"
    assert drop(f"{slider}<article><h2>{LONG}</h2><p>What happened.</p></article>") == []


@given(st.lists(st.sampled_from([f"<p>{LONG}", "<p>a", "<p>b", f"<p>{LONG} b"]), max_size=30))
def test_the_first_copy_always_stays(parts: list[str]) -> None:
    page = Page.parse("<html>" + "".join(parts))
    found = run(page, "listing")
    kept = {text for text, is_kept in zip(page.block_texts, found.kept, strict=True) if is_kept}
    assert kept == set(page.block_texts)


def test_repeats_are_found_in_linear_time() -> None:
    def make(size: int) -> Page:
        return Page.parse("".join(f"<p>{LONG}</p><p>{'x' if n % 3 else n}</p>" for n in range(size)))

    def measure(page: Page) -> None:
        count = len(page.starts)
        kinds = [(each, float(each == "listing")) for each in PAGE_KINDS]
        copied = [row for row, text in enumerate(page.block_texts) if text == LONG]
        drop_repeats(page, Decision([True] * count, [0.9] * count, ["x"] * count, [], "listing", kinds, 0.9, copied))

    assert_linear(make, measure, 4_000)


def test_auto_drops_repeats() -> None:
    names = ("lamp", "harbour", "beacon", "tower", "fire", "chapel")
    story = "".join(
        f"<p>The {name} was lit again last night, and the people of the {name} came up.</p>" for name in names
    )
    doc = bonmun.extract(f"<title>Six fires</title><h1>Six fires</h1><article>{story}{story}</article>")
    assert doc.text.count("The harbour was lit again") == 1
    assert REPEATED in doc.labels.reasons
