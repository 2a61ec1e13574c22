"""The table of methods, and what every method guarantees: columns of equal length, reasons, no hidden text."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

import bonmun
from bonmun import Labels, Page, SiteModel
from bonmun.algorithms import METHODS, PAGE_METHODS, Method, make_method
from bonmun.algorithms.sentence import VARIANTS, Sentence
from bonmun.errors import BadConfig
from bonmun.text.grams import CorpusGrams
from samples import SOURCES, in_one_test, on_every_page

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bonmun.page import Block, Leaf

STATIC = [
    name for name, info in METHODS.items() if not info.needs_boxes
]  # tests/algorithms/test_visual.py has the others
SENTENCE = "The old lighthouse at the end of the pier was lit again last night, after thirty dark years. "
TEXT = f"<p>{SENTENCE * 2}</p><p>{SENTENCE * 2}</p>"
EMPTY_PAGES = {
    "no text": "<div><img src=x></div>",
    "a title only": "<title>A title</title>",
    "a shell": "<div id=app>Loading…</div><script>boot()</script>",
    "menus": "<nav><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul></nav><footer>© Site</footer>",
}


@cache
def made_sites() -> SiteModel:
    return SiteModel.fit((Page.parse(path.read_bytes()) for path in SOURCES.values()), site="all")


@cache
def made(name: str) -> Method:
    """Make a method by name, with a corpus if it needs one: the pages of other tests."""
    return make_method(name) if name in PAGE_METHODS else make_method(name, site_model=made_sites())


@pytest.mark.parametrize("name", STATIC)
def test_every_row_of_the_table_loads(name: str) -> None:
    page = Page.parse(f"<h2>Light</h2><table><tr><td>Lighthouse<tr><td>{SENTENCE}</table><p>{SENTENCE * 2}</p>")
    labels = made(name).label(page)
    assert labels.method == name
    assert any(labels.kept)


def test_methods_are_the_rows_of_the_table() -> None:
    assert bonmun.methods() == tuple(METHODS.values())
    names = [info.name for info in bonmun.methods()]
    expected = (
        "auto rules all frequency frequency+ density sequence web2text xpath xpath+ title-table title-table+".split()
    )
    assert names[: len(expected)] == expected
    assert sorted(names[len(expected) : -3]) == sorted(f"sentence:{variant}" for variant in VARIANTS)
    assert names[-3:] == ["visual:basic", "visual:centre", "visual:centre+"]


def test_rows_of_the_table_agree_with_their_methods() -> None:
    """The fields by which methods are chosen must agree with what the method does."""
    page = Page.parse(f"<h2>Light</h2><table><tr><td>Lighthouse<tr><td>{SENTENCE}</table><p>{SENTENCE * 2}</p>")
    titles: dict[str, Any] = {"title": "Light", "corpus": CorpusGrams.count([page])}
    for name, info in ((name, METHODS[name]) for name in STATIC):
        assert (name in PAGE_METHODS) is not info.needs_site_model
        if info.needs_site_model:
            with pytest.raises(BadConfig, match="needs a site model"):
                make_method(name)
        assert (made(name).label(page).title is not None) is info.finds_title
        assert info.variant == (name.removeprefix("sentence:") if name.startswith("sentence:") else None)
        for setting, value in titles.items():
            if setting in info.takes:
                make_method(name, **{setting: value})
            else:
                with pytest.raises(BadConfig, match=f"takes no {setting}; these do: sentence:M4, "):
                    make_method(name, site_model=made_sites(), **{setting: value})


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("aut", "auto"),
        ("atuo", "auto"),
        ("al", "all"),
        ("ALL", "all"),
        ("M324", "sentence:M324"),
        ("sentence:m324", "sentence:M324"),
        ("sentense:M4", "sentence:M4"),
        ("sentence", "sentence:M1 or sentence:M2 or sentence:M3"),
        ("xpath++", "xpath or xpath+"),
        ("title", "title-table or title-table+"),
        ("XPath", "xpath or xpath+"),
    ],
)
def test_an_unknown_method_is_reported_with_similar_names(name: str, near: str) -> None:
    with pytest.raises(BadConfig) as caught:
        bonmun.extract("<p>x", method=name)
    start, _, end = str(caught.value).partition(": did you mean ")
    assert start == f"Unknown method {name!r}"
    assert near in end
    assert end.endswith("? `bonmun methods` lists all.")


@pytest.mark.parametrize("name", ["", "qqq", "  "])
def test_an_unknown_method_unlike_any_other(name: str) -> None:
    with pytest.raises(BadConfig, match=rf"^Unknown method '{name}'\. `bonmun methods` lists all\.$"):
        bonmun.extract("<p>x", method=name)


def test_a_method_may_be_an_object() -> None:
    assert bonmun.extract("<p>One.</p><p>two</p>", method=Sentence("M3")).text == "One."


def test_labels_of_unequal_length_are_rejected() -> None:
    with pytest.raises(ValueError, match="must have the same length"):
        Labels("x", "block", [1.0], [True, False], ["a", "b"], 0.5)


@on_every_page
def test_labels_are_complete(path: Path) -> None:
    page = Page.parse(path.read_bytes())
    for name in STATIC:
        labels = made(name).label(page)
        rows: Sequence[Block | Leaf] = page.blocks if labels.unit == "block" else page.leaves
        assert len(labels.scores) == len(labels.kept) == len(labels.reasons) == len(rows), name
        assert all(labels.reasons), name
        assert all(0 <= score <= 1 for score in labels.scores), name
        assert 0 <= labels.confidence <= 1, name
        assert not [row for row in labels.comments if labels.kept[row]], name
        if name != "auto":  # auto keeps some hidden blocks, because scripts uncover many of them
            assert not [row for row, kept in zip(rows, labels.kept, strict=True) if kept and row.hidden], name
        assert set(labels.cuts) <= {row for row, kept in enumerate(labels.kept) if kept}, name


@on_every_page
@in_one_test("name", ["auto", "rules"])
def test_what_is_kept_scores_above_what_is_not(path: Path, name: str) -> None:
    labels = make_method(name).label(Page.parse(path.read_bytes()))
    for score, kept in zip(labels.scores, labels.kept, strict=True):
        assert score >= 0.5 if kept else score <= 0.5


@pytest.mark.parametrize("markup", EMPTY_PAGES.values(), ids=list(EMPTY_PAGES))
def test_pages_without_main_text_are_empty(markup: str) -> None:
    doc = bonmun.extract(markup, method="rules")
    assert (doc.text, doc.kind, doc.confidence, doc.blocks) == ("", "empty", 0.0, ())
    doc = bonmun.extract(markup)
    assert (doc.text, doc.kind, doc.blocks) == ("", "empty", ())
    assert doc.confidence < 0.1


@pytest.mark.parametrize(
    ("around", "reason"),
    [
        ("<nav>{}</nav>", "boilerplate"),
        ("<aside>{}</aside>", "boilerplate"),
        ("<div class=sidebar>{}</div>", "boilerplate"),
        ("<div id=relatedPosts>{}</div>", "boilerplate"),
        ("<div role=navigation>{}</div>", "boilerplate"),
        ("<div class=comments>{}</div>", "comment"),
        ("<div hidden>{}</div>", "hidden"),
        ("<p><a href=x>{}</a></p>", "links"),
    ],
)
def test_rules_give_reasons_for_dropped_blocks(around: str, reason: str) -> None:
    text = "A few words on the side."
    markup = f"<div><p>{SENTENCE * 3}</p>{around.format(f'<span>{text}</span>')}<p>{SENTENCE * 3}</p></div>"
    doc = bonmun.extract(markup, method="rules")
    row = doc.page.block_texts.index(text)
    assert not doc.labels.kept[row]
    assert reason in doc.labels.reasons[row]
    assert doc.text == f"{(SENTENCE * 3).strip()}\n\n{(SENTENCE * 3).strip()}"


def test_rules_drop_the_title_from_the_text() -> None:
    doc = bonmun.extract(f"<title>Light again</title><h1>Light again</h1>{TEXT}<h2>Lone heading</h2>", method="rules")
    assert doc.title == "Light again"
    assert list(doc.labels.reasons) == [
        "the title",
        "text in the main region",
        "text in the main region",
        "a heading without text",
    ]


def test_a_page_of_links_is_a_listing() -> None:
    items = "".join(f"<li><a href=/{n}>Story number {n} about the lighthouse</a> by Ann</li>" for n in range(20))
    doc = bonmun.extract(f"<h1>Stories</h1><ul>{items}</ul>", method="rules")
    assert doc.kind == "listing"
    assert len(doc.blocks) == 20


def test_a_page_of_nothing_but_links_is_a_listing() -> None:
    items = "".join(f"<li><a href=/{n}>Story number {n} about the lighthouse</a></li>" for n in range(20))
    doc = bonmun.extract(f"<h1>Stories</h1><ul>{items}</ul>", method="rules")
    assert (doc.kind, len(doc.blocks)) == ("listing", 20)


def test_auto_keeps_short_paragraphs_beside_a_long_one() -> None:
    doc = bonmun.extract(f"<article><p>{SENTENCE * 3}</p><p>{SENTENCE}</p></article>")
    assert doc.text == f"{(SENTENCE * 3).strip()}\n\n{SENTENCE.strip()}"


def test_auto_labels_a_page_that_hides_everything() -> None:
    doc = bonmun.extract(f"<body style='visibility:hidden'><p>{SENTENCE * 3}</p>")
    assert doc.text == (SENTENCE * 3).strip()


def test_all_keeps_what_is_shown() -> None:
    doc = bonmun.extract("<nav>a</nav><p>b</p><p hidden>c</p>", method="all")
    assert doc.text == "a\n\nb"
    assert list(doc.labels.reasons) == ["shown", "shown", "hidden"]


def test_a_page_can_be_labelled_by_many_methods() -> None:
    page = Page.parse(f"<nav>menu</nav><p>{SENTENCE * 3}</p>")
    docs = [bonmun.extract(page, method=name) for name in PAGE_METHODS]
    assert all(doc.page is page for doc in docs)
    assert {doc.method: doc.text for doc in docs}["all"] != docs[0].text
