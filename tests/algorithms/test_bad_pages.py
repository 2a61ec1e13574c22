"""Every method on bad pages: expected answers, properties that hold on any page, and linear time."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache, partial
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import bonmun
from bonmun import Page
from bonmun.algorithms import PAGE_METHODS, make_method
from bonmun.algorithms.auto import PageKind
from bonmun.algorithms.density import Densities
from bonmun.algorithms.rules import Region
from bonmun.algorithms.sentence import VARIANTS, Depth, Wanted
from bonmun.algorithms.title_sections import MainCandidate, TitleCandidate
from bonmun.algorithms.xpath import Group, WeighedGroup
from bonmun.metadata import guess_title
from bonmun.outputs import FORMATS
from bonmun.text.grams import TEXTS_AT_ONCE, compare_texts, count_grams
from bonmun.text.words import count_words
from scripts.fuzz.checks import find_malformed, find_other_words
from timing import assert_linear

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bonmun import Document, Labels
    from bonmun.page import Block, Leaf

by_method = pytest.mark.parametrize("name", PAGE_METHODS)

# --- bad pages -------------------------------------------------------------------------------------------------------

SAID = "The old lighthouse was lit again."
LONG = " ".join([SAID] * 3)
HUGE = "word. " * 20_000

TABLES = "title-table title-table+"
EITHER = (
    "auto rules density xpath xpath+ title-table+"  # methods that ignore sentences and titles, on text outside of links
)
WHOLE = "all M1 M2"
SENTENCES = "M3 M32 MM M34 M324 M43 M423"  # methods that keep only sentences
NEAREST = "M4 M42"  # methods that keep a whole depth that has a sentence


class Bad(NamedTuple):
    """A page, its title, and the methods by the text they keep; other methods keep nothing."""

    html: str
    title: str | None
    kept: dict[tuple[str, ...], str]
    titles: Mapping[str, str] = MappingProxyType({})  # titles found by the method itself


BAD = {
    "no leaf": Bad("<div><img src=x><p> </p><br></div>", None, {}),
    "a title and no leaf": Bad("<title>Only a title</title>", "Only a title", {}),
    "an empty body": Bad("<html><head></head><body></body></html>", None, {}),
    "frames": Bad("<title>Framed</title><frameset><frame src=a><frame src=b></frameset>", "Framed", {}),
    "one word": Bad("<p>word</p>", None, {("word",): f"{EITHER} {WHOLE}"}),
    "one sentence": Bad(f"<p>{SAID}</p>", None, {(SAID,): f"sequence {EITHER} {WHOLE} {SENTENCES} {NEAREST}"}),
    "no sentence": Bad(
        "<title>Harbour</title><h1>Harbour</h1><div><p>one word</p><p>two words</p><a href=x>a link</a></div>",
        "Harbour",
        {
            ("Harbour", "one word", "two words", "a link"): "all M1",
            ("Harbour", "one word", "two words"): "density M2",
            ("one word", "two words"): "auto rules xpath xpath+ title-table+",
        },
    ),
    "no table": Bad(
        f"<h2>Lighthouse</h2><p>{SAID}</p>",
        "Lighthouse",
        {
            ("Lighthouse", SAID): f"auto rules density sequence {WHOLE} {NEAREST}",
            (SAID,): f"xpath xpath+ title-table+ {SENTENCES}",
        },
        {"title-table+": "Lighthouse"},
    ),
    "no title and no heading": Bad(
        f"<div>By Ann</div><p>{SAID}</p><p>{SAID}</p>",
        None,
        {
            ("By Ann", SAID, SAID): f"auto rules density {WHOLE} {NEAREST}",
            (SAID, SAID): f"sequence xpath xpath+ title-table+ {SENTENCES}",
        },
        {"title-table+": "By Ann"},
    ),
    "only links": Bad(
        "<ul><li><a href=a>One link.</a></li><li><a href=b>Another link</a></li></ul>",
        None,
        {("One link.", "Another link"): "auto rules all xpath M1 M4", ("One link.",): "M3 MM M43 M34"},
    ),
    "only hidden text": Bad(
        f"<title>Lighthouse</title><div hidden><h2>Lighthouse</h2><p>{SAID}</p></div>",
        "Lighthouse",
        {
            ("Lighthouse", SAID): f"density sequence {WHOLE} {NEAREST}",
            (SAID,): f"auto rules xpath xpath+ title-table+ {SENTENCES}",
        },
    ),
    "one huge leaf": Bad(
        f"<title>word</title><p>{HUGE}end</p>",
        "word",
        {(f"{HUGE}end",): f"sequence web2text {EITHER} {WHOLE} {NEAREST}", (HUGE.strip(),): SENTENCES},
    ),
    "a huge leaf under a heading": Bad(
        f"<h1>word</h1><p>{HUGE}end</p>",
        "word",
        {
            ("word", f"{HUGE}end"): f"density sequence {WHOLE} {NEAREST}",
            (f"{HUGE}end",): "auto rules web2text xpath xpath+ title-table+",
            (HUGE.strip(),): SENTENCES,
        },
    ),
    "text in pre alone": Bad(
        "<pre>  One line.\n    Two\n\nthree.  four\n</pre>",
        None,
        {
            ("  One line.\n    Two\n\nthree.  four",): f"{EITHER} {WHOLE} {NEAREST}",
            ("  One line.\n    Two\n\nthree.",): SENTENCES,
        },
    ),
    "a title of one character": Bad(
        f"<title>T</title><p>{SAID}</p>", "T", {(SAID,): f"sequence {EITHER} {WHOLE} {SENTENCES} {NEAREST}"}
    ),
    "a title of one character unlike the text": Bad(
        f"<title>힣</title><p>{SAID}</p>", "힣", {(SAID,): f"sequence {EITHER} {WHOLE} {SENTENCES} {NEAREST}"}
    ),
    "a title like one depth of two": Bad(
        f"<title>灯塔</title><p>灯塔亮了。</p><div><p>{SAID}</p></div>",
        "灯塔",
        {
            ("灯塔亮了。", SAID): f"auto rules density sequence {WHOLE} M3 M32",
            ("灯塔亮了。",): f"MM M34 M324 M43 M423 {NEAREST}",
            (SAID,): "xpath xpath+ title-table+",
        },
    ),
    "the text as the title": Bad(
        f"<title>{SAID}</title><p>{SAID}</p>", SAID, {(SAID,): f"sequence {EITHER} {WHOLE} {SENTENCES} {NEAREST}"}
    ),
    "the text as the heading": Bad(
        f"<title>{SAID}</title><h1>{SAID}</h1>",
        SAID,
        {(SAID,): f"density sequence xpath xpath+ {WHOLE} {SENTENCES} {NEAREST}"},
    ),
    "unclosed tables in tables": Bad(
        f"<table><tr><td>Lighthouse<table><tr><td>Old lamp<table><tr><td>{LONG}",
        None,
        {
            ("Lighthouse", "Old lamp", LONG): f"density {WHOLE}",
            ("Old lamp", LONG): "auto",
            (LONG,): f"rules sequence xpath xpath+ {TABLES} {SENTENCES} {NEAREST}",
        },
        {"title-table": "Lighthouse", "title-table+": "Lighthouse"},
    ),
    "a cell in a formula": Bad(
        f"<math><td>{SAID}</td></math>",
        None,
        {(SAID,): f"{EITHER} {WHOLE} {SENTENCES} {NEAREST}"},
    ),
    "a cell in a shadow root": Bad(
        f"<div><template shadowrootmode=open><td>{SAID}</td></template></div>",
        None,
        {(SAID,): f"{EITHER} {WHOLE} {SENTENCES} {NEAREST}"},
    ),
    "a heading of two lines": Bad(
        f"<h1>The old<br>lighthouse</h1><p>{SAID}</p>",
        "The old lighthouse",
        {
            ("The old\nlighthouse", SAID): f"auto rules density web2text {WHOLE} {NEAREST}",
            (SAID,): f"sequence xpath xpath+ title-table+ {SENTENCES}",
        },
    ),
}


@pytest.mark.parametrize("page", BAD)
def test_bad_pages_have_the_expected_answers(page: str) -> None:
    bad = BAD[page]
    for name in PAGE_METHODS:
        short = name.removeprefix("sentence:")
        kept = [texts for texts, names in bad.kept.items() if short in names.split()]
        doc = bonmun.extract(bad.html, method=name)
        assert [block.text for block in doc.blocks] == [*(kept or [()])[0]], name
        assert doc.title == bad.titles.get(name, bad.title), name
        assert (doc.kind == "empty") == (not kept or not kept[0]), name


@pytest.mark.parametrize("page", BAD)
def test_each_method_is_named_once(page: str) -> None:
    named = " ".join(BAD[page].kept.values()).split()
    assert len(set(named)) == len(named)
    assert set(named) | set(BAD[page].titles) <= {name.removeprefix("sentence:") for name in PAGE_METHODS}


@by_method
def test_confidence_is_zero_without_text(name: str) -> None:
    for page in ("no leaf", "a title and no leaf", "an empty body", "frames"):
        labels = make_method(name).label(Page.parse(BAD[page].html))
        weighed = [record for record in labels.evidence if not isinstance(record, Wanted)]
        assert (labels.confidence, weighed, labels.title) == (0.0, [], None)


@pytest.mark.parametrize("name", ["title-table", "title-table+"])
def test_a_title_holds_no_hidden_words(name: str) -> None:
    html = f"<table><tr><td>Lighthouse <span hidden>unseen</span></td></tr><tr><td>{LONG}</td></tr></table>"
    assert make_method(name).label(Page.parse(html)).title == "Lighthouse"


def test_many_titles_are_compared() -> None:
    texts = ["ab", "xy"] * TEXTS_AT_ONCE
    assert compare_texts(texts, count_grams("ab", 2)) == pytest.approx([1.0, 0.0] * TEXTS_AT_ONCE)


# --- any page --------------------------------------------------------------------------------------------------------

TEXTS = (
    "word", "Two words.", "Is it? Yes! and more", "Version 1.5 of it", "등대", "등대에 불이 켜졌다.", "등대에 불이 켜졌다. 홍길동 기자",
    "제목", "작성자 :", "灯塔", "灯塔亮了。明天", "今天下雨！", "ประภาคารสว่างอีกครั้ง", "ประภาคาร. อีกครั้ง", "عادت المنارة", "متى عادت؟ أمس", "a", "1", ".", "。",
    "© 2026 The Harbour Post", LONG, "밤낚시 " * 20, "  ", "\n  ", "x.\n  y",
)  # fmt: skip
TAGS = "div p a b h1 h2 table tr td th ul li pre span select option".split()
ATTRIBUTES = ("", "", "", "", " hidden", " style='display:none'", " aria-hidden=true", " href=x", " class=comments")
HEADS = (
    "",
    "",
    "<title>등대</title>",
    "<title>Two words - Post</title>",
    "<title>.</title>",
    "<title>灯塔亮了。</title>",
)


def wrapped(tag: str, attribute: str, inner: list[str]) -> str:
    return f"<{tag}{attribute}>{''.join(inner)}</{tag}>"


def table(rows: list[list[str]]) -> str:
    return "<table>" + "".join(f"<tr>{''.join(f'<td>{cell}' for cell in cells)}" for cells in rows) + "</table>"


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        wrapped, st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES), st.lists(inner, max_size=4)
    ) | st.builds(table, st.lists(st.lists(inner, max_size=3), max_size=3))


leaves = st.sampled_from([*TEXTS, "<br>", "<br><br>", "<input type=radio>", "<input type=checkbox>", "<img src=x>"])
parts = st.recursive(leaves, grown, max_leaves=20)
pages = st.builds(
    lambda head, body: f"{head}<body>{''.join(body)}", st.sampled_from(HEADS), st.lists(parts, max_size=6)
)
COVERED = f"<title>등대</title><div hidden><h2>등대</h2><p>{SAID} By Ann</p></div>"
MIXED = (
    f"<title>등대</title><h1>등대</h1><p hidden>{SAID}</p><p>등대에 불이 <a href=x>켜졌다.</a> 끝</p><p>Two. <b>three</b> four. <span hidden>five.</span> six</p>"
    f"<pre>One.\n  Two\nthree</pre><table><tr><td>제목<td>등대<tr><td>1<td>2<tr><td>{LONG} By Ann</table>"
)

LINKED = "<title>등대</title><p>등대는 그대로였다. <a href=x>등대.</a></p><div><p>Two words. By Ann</p></div>"


def on_any_page(examples: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test on generated pages, and on three pages that exercise every step of every method."""

    def decorated(test: Callable[..., None]) -> Callable[..., None]:
        for html in (COVERED, MIXED, LINKED):
            test = example(html=html)(test)
        return settings(deadline=None, derandomize=True, max_examples=examples)(given(html=pages)(test))

    return decorated


def rows_of(page: Page, labels: Labels) -> Sequence[Block | Leaf]:
    return page.blocks if labels.unit == "block" else page.leaves


def kept_rows(labels: Labels) -> list[int]:
    return [row for row, kept in enumerate(labels.kept) if kept]


def kept_texts(page: Page, labels: Labels) -> dict[int, str]:
    return {leaf: labels.cuts.get(leaf, page.texts[leaf]) for leaf in kept_rows(labels)}


@pytest.mark.slow
@by_method
@on_any_page(15)
def test_labels_are_complete_on_any_page(name: str, html: str) -> None:
    page = Page.parse(html)
    labels = make_method(name).label(page)
    rows = rows_of(page, labels)
    assert len(labels.scores) == len(labels.kept) == len(labels.reasons) == len(rows)
    assert all(labels.reasons)
    assert all(0 <= score <= 1 for score in labels.scores)
    assert 0 <= labels.confidence <= 1
    kept = kept_rows(labels)
    if name != "auto":  # auto keeps some hidden blocks, because scripts uncover many of them
        assert not any(rows[row].hidden for row in kept)
    assert not labels.comments & set(kept)
    assert labels.title is None or labels.title.strip()
    check_cuts(page, labels)
    check_evidence(name, page, labels)


@pytest.mark.slow
@by_method
@on_any_page(8)
def test_every_format_contains_the_kept_text(name: str, html: str) -> None:
    doc = bonmun.extract(html, method=name)
    written = {format_: doc.render(format_) for format_ in FORMATS}
    assert not list(find_malformed(written))
    assert not list(find_other_words(written))


def check_cuts(page: Page, labels: Labels) -> None:
    assert set(labels.cuts) <= set(kept_rows(labels))
    assert not labels.cuts or labels.unit == "leaf"
    for leaf, cut in labels.cuts.items():
        whole = page.raws.get(leaf, page.texts[leaf])
        assert cut.strip()
        assert whole.startswith(cut)
        assert len(cut) < len(whole)


def check_evidence(name: str, page: Page, labels: Labels) -> None:
    evidence = list(labels.evidence)
    assert len(evidence) == len(labels.evidence)
    assert all(record._asdict() for record in evidence)
    steps = VARIANTS.get(name.removeprefix("sentence:"), ())
    if name == "auto":
        assert all(isinstance(record, PageKind | Region) for record in evidence)
    elif name == "rules":
        assert len(evidence) == bool(labels.kept)
        assert all(isinstance(record, Region) and 0 <= record.share <= 1 for record in evidence)
    elif name == "xpath":
        assert chosen(evidence, Group) == (1 if page.texts else 0)
    elif name == "xpath+":
        assert chosen(evidence, WeighedGroup) <= 1
        assert chosen(evidence, WeighedGroup) or not any(labels.kept)
    elif name in TABLES.split():
        candidates = [record for record in evidence if isinstance(record, TitleCandidate)]
        mains = [record for record in evidence if isinstance(record, MainCandidate)]
        assert [type(record) for record in evidence] == [TitleCandidate] * len(candidates) + [MainCandidate] * len(
            mains
        )
        assert len(mains) <= 3
        picked = [record.main for record in mains if record.chosen]
        assert len(picked) == bool(mains)
        assert picked == [record.main for record in candidates if record.chosen] or not candidates
        titles = [" ".join(record.text.split()) for record in candidates if record.chosen]
        assert titles == [labels.title][: len(candidates)]
        assert bool(candidates) == (labels.title is not None)
        assert any(labels.kept) == any(record.chosen and not record.dummy for record in mains)
    elif name == "density":
        assert [record.leaf for record in evidence if isinstance(record, Densities)] == page.shown
    elif {"nearest", "fullest", "similar"} & set(steps):
        check_depths(steps, page, evidence)
    else:
        assert not evidence


def check_depths(steps: tuple[str, ...], page: Page, evidence: list[Any]) -> None:
    titles = [record for record in evidence if isinstance(record, Wanted)]
    depths = [record for record in evidence if isinstance(record, Depth)]
    assert [type(record) for record in evidence] == [Wanted] * len(titles) + [Depth] * len(depths)
    title = None if "fullest" in steps else guess_title(page)
    assert [record.title for record in titles] == ([title] if title else [])
    assert all((record.similarity is None) == (not title) for record in depths)
    if "similar" in steps:
        any_like = any(record.similarity for record in depths)
        assert all(record.chosen == (bool(record.similarity) or not any_like) for record in depths)
    else:
        assert sum(record.chosen for record in depths) == bool(depths)


def chosen(evidence: list[Any], kind: type[Any]) -> int:
    assert all(type(record) is kind for record in evidence)
    return sum(record._asdict()["chosen"] for record in evidence)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("less", "more"), [("M3", "M1"), ("M32", "M3"), ("M324", "M32"), ("M423", "M42"), ("M43", "M4"), ("MM", "M3")]
)
@on_any_page(15)
def test_an_additional_step_keeps_no_more(less: str, more: str, html: str) -> None:
    page = Page.parse(html)
    left, before = (kept_texts(page, make_method(f"sentence:{variant}").label(page)) for variant in (less, more))
    assert set(left) <= set(before)
    words, all_words = (sum(map(count_words, texts.values()), Counter[str]()) for texts in (left, before))
    assert words <= all_words


@pytest.mark.slow
@on_any_page(30)
def test_xpath_keeps_leaves_in_a_row_with_one_path(html: str) -> None:
    page = Page.parse(html)
    labels = make_method("xpath").label(page)
    groups = [record._asdict() for record in labels.evidence]
    assert sum(group["leaves"] for group in groups) == len(page.shown)
    assert sum(group["characters"] for group in groups) == sum(len(page.texts[leaf]) for leaf in page.shown)
    assert all(one["path"] != other["path"] for one, other in pairwise(groups))
    places = [page.shown.index(leaf) for leaf in kept_rows(labels)]
    assert places == list(range(places[0], places[0] + len(places)) if places else [])
    kept = [group for group in groups if group["chosen"]]
    assert {page.leaves[leaf].tag_path for leaf in kept_rows(labels)} == {group["path"] for group in kept}
    assert [group["leaves"] for group in kept] == [len(places)] * len(kept)


@pytest.mark.slow
@by_method
@on_any_page(10)
def test_labelling_changes_nothing(name: str, html: str) -> None:
    page, untouched = Page.parse(html), Page.parse(html)
    method = make_method(name)
    first, second = as_values(method.label(page)), as_values(method.label(page))
    assert first == second == as_values(make_method(name).label(untouched))
    assert columns(page) == columns(Page.parse(html))


def as_values(labels: Labels) -> list[object]:
    return [
        labels.method, labels.unit, list(labels.scores), list(labels.kept), list(labels.reasons), labels.confidence,
        labels.comments, labels.kind, labels.title, dict(labels.cuts), list(labels.evidence),
    ]  # fmt: skip


def columns(page: Page) -> list[object]:
    return [
        page.tags, page.parents, page.bits, page.texts, page.leaf_elements, page.joints, page.raws, page.starts,
        page.block_texts, page.owners,
    ]  # fmt: skip


# --- size ------------------------------------------------------------------------------------------------------------

# name: a page of that size, and the size; the page of a quarter of it must not take less than a ninth of the time
SIZES: dict[str, tuple[Callable[[int], str], int]] = {
    "alternating paths": (lambda n: "<p>One.</p><div>two words</div>" * n, 5_000),
    "tables with stop words": (lambda n: "<table><tr><td>제목<td>밤낚시 이야기</table>" * n, 2_500),
    "tables in tables with stop words": (lambda n: "<table><tr><td>제목<td>밤낚시 이야기" * n + LONG, 1_000),
    "stop words and no text near": (lambda n: f"<table>{'<tr><td>제목' * n}<tr><td>{LONG}</table>", 5_000),
    "titles and texts": (lambda n: f"<table>{f'<tr><td>밤낚시<tr><td>{LONG}' * n}</table>", 1_000),
    "headings": (lambda n: "<h2>Lighthouse</h2>" * n + f"<p>{LONG}</p>" * (n // 4), 5_000),
    "text at every depth": (lambda n: "<title>One</title>" + "<div>One. two" * n, 500),
    "text deep down": (lambda n: "<div>" * (5 * n) + "<p>One. two" * n, 2_500),
    "one leaf": (lambda n: f"<title>word</title><p>{'word ' * n}", 200_000),
    "sentence marks": (lambda n: f"<title>등대</title><p>{'등. ' * n}{'。' * n}", 25_000),
    "lines of code": (lambda n: "<pre>" + "One. <b>two</b>\n" * n, 1_500),
    "tiny cells": (lambda n: f"<table><tr><td>Lighthouse<tr>{'<td>ab' * n}</table>", 5_000),
    "links and hidden text": (lambda n: "<p><a href=x>One.</a> two <b hidden>three.</b></p>" * n, 1_500),
}


@lru_cache(maxsize=2)
def parsed(kind: str, n: int) -> Page:
    return Page.parse(SIZES[kind][0](n))


# One method of each class: the variants of a class share its code.
ONE_OF_EACH_CLASS = list({info.where: name for name, info in PAGE_METHODS.items()}.values())


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in SIZES for name in ONE_OF_EACH_CLASS])
def test_time_to_label_is_linear(kind: str, name: str) -> None:
    def label(page: Page) -> tuple[Document, list[dict[str, Any]]]:
        doc = bonmun.extract(page, method=method)
        said = [record._asdict() for record in doc.labels.evidence]
        assert bool(doc.text) == any(doc.labels.kept)
        return doc, said

    method = make_method(name)
    doc, said = assert_linear(partial(parsed, kind), label, SIZES[kind][1] // 2)
    assert len(doc.labels.evidence) == len(said)
