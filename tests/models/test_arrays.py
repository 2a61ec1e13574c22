"""The arrays of a page: characters, marks, links, names and page values, by hand and on any page."""

from __future__ import annotations

import importlib.util
from collections import Counter
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.models.features.character_arrays import read_classes
from bonmun.models.features.characters import (
    BLANK,
    CLASSES,
    COMMA,
    DIGIT,
    END,
    FENCE,
    LETTER,
    LINE,
    LOWER,
    MARK,
    SYMBOL,
    UPPER,
    WIDE,
)
from bonmun.models.features.class_words import KNOWN_WORDS, MAX_NAME_CHARACTERS, NAME_ATTRIBUTES, read_word_numbers
from bonmun.models.features.count_page import count_page
from bonmun.models.features.page_arrays import LINK_LEAVES, PAGE_COLUMNS, PageArrays
from bonmun.models.features.tags import TAGS, USES
from samples import ROOT, on_every_page

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

OF_BLOCKS = "owners inner counts edges sentences links leaves hidden title copies".split()
OF_ELEMENTS = "parents tags names keys".split()
PIECES = (
    "<div> </div> <p> <p&hidden> <li> <ul> </ul> <h1> <h2> <br> <span> </span> <a&href=x> </a> <b> </b> <img> <input> <hr> "
    "<table> <tr> <td> </table> <pre> </pre> <div&class=postBody> <p&class=menu> <div&id=x2> <section&hidden> </section> "
    "<script>x</script> <title>가나&다</title> <template> </template> <div&class='É&Ünï&K\u0130'> 가나 다. One two. 。 字 😀 \u0660 | : 1"
).split()
MARKUPS = st.lists(st.sampled_from([piece.replace("&", " ") for piece in PIECES]), max_size=30).map(" ".join)


def parsed(markup: str, url: str | None = None) -> Page:
    return Page.parse(f"<body>{markup}", url)


def arrays(markup: str, url: str | None = None) -> PageArrays:
    return count_page(parsed(markup, url))


def named_words(a: PageArrays, element: int) -> list[str]:
    """Return the known words of an element's class and id."""
    words = {number: word.decode() for word, number in read_word_numbers().items()}
    stop = a.word_stops[a.keys[element]]
    start = a.word_stops[a.keys[element] - 1] if a.keys[element] else 0
    return [words[number] for number in a.words[start:stop].tolist()]


def tags_of(numbers: NDArray[Any]) -> list[str | None]:
    """Return the tags of their numbers; None for other tags."""
    return [TAGS[number - 1] if number else None for number in numbers.tolist()]


def check(page: Page) -> None:
    """Check properties that the arrays of every page have."""
    a = count_page(page)
    n, m = len(page.starts), len(a.parents)
    assert {name: len(getattr(a, name)) for name in OF_BLOCKS} == dict.fromkeys(OF_BLOCKS, n)
    assert {name: len(getattr(a, name)) for name in OF_ELEMENTS} == dict.fromkeys(OF_ELEMENTS, m)
    assert a.counts.shape == (n, CLASSES)
    assert a.edges.shape == a.links.shape == (n, 2)
    assert a.between.shape == (n + 1, len(USES))
    assert a.facts.shape == (PAGE_COLUMNS.width,)
    assert a.site is None
    for field in fields(PageArrays):
        value = getattr(a, field.name)
        assert value is None or np.isfinite(value).all(), field.name
    # blocks
    assert a.counts.sum(1).tolist() == [len(text) for text in page.block_texts]
    assert (a.counts >= 0).all()
    assert a.leaves.tolist() == [stop - start for start, stop in zip(page.starts, page.stops, strict=True)]
    assert (a.links[:, LINK_LEAVES] <= a.leaves).all()
    assert a.hidden.tolist() == page.hidden_blocks
    assert ((a.title >= 0) & (a.title <= 1)).all()
    copies = Counter(page.block_texts)
    assert a.copies.tolist() == [copies[text] for text in page.block_texts]
    assert (np.diff(a.between, axis=0) >= 0).all()
    # elements
    firsts = [page.tags[page.leaf_elements[start]] for start in page.starts]
    assert tags_of(a.inner) == [tag if tag in TAGS else None for tag in firsts]
    rows = page.with_ancestors(page.owners)
    assert [rows[owner] for owner in a.owners.tolist()] == page.owners
    assert tags_of(a.tags) == [page.tags[row] if page.tags[row] in TAGS else None for row in rows]
    assert [rows[parent] if parent >= 0 else -1 for parent in a.parents.tolist()] == [page.parents[row] for row in rows]
    assert (a.parents < np.arange(m)).all()
    classes = [page._nodes[row].attr("class") for row in rows]
    both = [tuple(page._nodes[row].attr(name) for name in NAME_ATTRIBUTES) for row in rows]
    for said, numbers in ((classes, a.names.tolist()), (both, a.keys.tolist())):
        assert len(set(said)) == len(set(numbers)) == len(set(zip(said, numbers, strict=True)))
        assert sorted(set(numbers)) == list(range(len(set(said))))
    assert len(a.word_stops) == len(set(both))
    assert (np.diff(a.word_stops, prepend=0) >= 0).all()
    assert len(a.words) == (a.word_stops[-1] if m else 0)
    assert ((a.words >= 0) & (a.words < len(read_word_numbers()))).all()


# --- texts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("Ab c", {UPPER: 1, LOWER: 2, BLANK: 1}),
        ("Été ǅ", {UPPER: 2, LOWER: 1, LETTER: 1, BLANK: 1}),
        ("가나 다", {WIDE: 3, BLANK: 1}),
        ("漢字かなカナﾊﾝ", {WIDE: 8}),
        ("これ。それ、", {WIDE: 4, END: 1, COMMA: 1}),
        ("Да нет!", {UPPER: 1, LETTER: 4, BLANK: 1, END: 1}),
        ("كتب، قلم؟", {LETTER: 6, COMMA: 1, BLANK: 1, END: 1}),
        ("ก็ไทย", {LETTER: 5}),  # the second is a mark above the first
        ("हिन्दी।", {LETTER: 6, END: 1}),
        ("12 ½٣Ⅳ", {DIGIT: 5, BLANK: 1}),
        ("a, b; c: d.", {LOWER: 4, COMMA: 1, END: 3, BLANK: 3}),
        ("“q” (r)", {MARK: 4, LOWER: 2, BLANK: 1}),
        ("a|b › c", {LOWER: 3, FENCE: 2, BLANK: 2}),
        ("€5 😀𠀀", {SYMBOL: 3, DIGIT: 1, BLANK: 1}),  # all beyond the Basic Multilingual Plane are equal
        ("a<br>b<br>c", {LOWER: 3, LINE: 2}),
    ],
)
def test_characters_by_hand(text: str, counts: dict[int, int]) -> None:
    found = arrays(f"<p>{text}").counts
    assert found.shape == (1, CLASSES)
    assert {kind: count for kind, count in enumerate(found[0].tolist()) if count} == counts


def test_the_line_break_between_blocks_is_not_counted() -> None:
    found = arrays("<p>a</p><p>b<br>c</p><p>d</p>").counts
    assert found[:, LINE].tolist() == [0, 1, 0]
    assert found[:, LOWER].tolist() == [1, 2, 1]


def test_the_lines_of_code_and_their_indents() -> None:
    a = arrays("<pre>  ab\n\tc</pre>")
    assert (a.counts[0, LINE], a.counts[0, BLANK], a.counts[0, LOWER]) == (1, 3, 3)
    assert a.edges.tolist() == [[BLANK, LOWER]]


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("“Yes.”", [MARK, MARK]),
        ("1 a.", [DIGIT, END]),
        ("a", [LOWER, LOWER]),
        ("Ab", [UPPER, LOWER]),
        ("› 字", [FENCE, WIDE]),
        ("€ 1", [SYMBOL, DIGIT]),
    ],
)
def test_edges_by_hand(text: str, edges: list[int]) -> None:
    assert arrays(f"<p>before</p><p>{text}</p><p>after</p>").edges[1].tolist() == edges


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", 3),
        ("3.14 and e.g.this", 0),
        ("No mark", 0),
        ("One.<br>Two.<br>three", 2),
        ("하나다. 둘이다.", 2),
        ("これ。それ。", 1),  # no space after the first
        ("هل؟ نعم۔", 2),
        ("Wait…", 1),
        (".", 1),
    ],
)
def test_sentences_by_hand(text: str, sentences: int) -> None:
    assert arrays(f"<p>x</p><p>{text}</p><p>y</p>").sentences.tolist() == [0, sentences, 0]


def test_the_share_of_the_title_by_hand() -> None:
    """Of `abxd` one pair of three, ab, is in `abcd`; a single letter has no pairs."""
    a = arrays("<title> abcd </title><p>abxd</p><p>abcd</p><p>bc</p><p>a</p><p>xyz</p>")
    assert a.title.tolist() == pytest.approx([1 / 3, 1, 1, 0, 0])


@pytest.mark.parametrize("title", ["", "<title></title>", "<title> </title>", "<title>a</title>"])
def test_title_shares_are_zero_without_a_title(title: str) -> None:
    assert arrays(f"{title}<p>a</p><p>abc</p>").title.tolist() == [0, 0]


def test_only_the_start_of_a_long_title_counts() -> None:
    assert arrays(f"<title>{'ab' * 150}xy</title><p>abab</p><p>xy</p>").title.tolist() == [1, 0]


def test_copies_of_a_text() -> None:
    assert arrays("<p>a</p><p>b</p><h2>a</h2><p>a<b></b></p>").copies.tolist() == [3, 1, 3, 3]


# --- links, hidden blocks, elements between blocks ---------------------------------------------------------------------


def test_links_and_leaves_by_hand() -> None:
    a = arrays("<p>ab <a href=x>cde</a> <a href=y>f</a></p><p>plain</p><a href=z>가나 <b>다</b></a>")
    assert a.links.tolist() == [[4, 2], [0, 0], [3, 2]]
    assert a.leaves.tolist() == [3, 1, 2]


def test_a_block_is_hidden_if_all_of_it_is() -> None:
    a = arrays("<p>a</p><p hidden>b</p><p>c <span style='display:none'>d</span></p><p><b aria-hidden=true>e</b></p>")
    assert a.hidden.tolist() == [0, 1, 0, 1]


def test_nothing_is_hidden_if_everything_is() -> None:
    assert arrays("<div hidden><p>a</p><p>b</p></div>").hidden.tolist() == [0, 0]


def test_removed_blocks_are_hidden() -> None:
    page = parsed("<p>a</p><p>b <i>c</i></p><p hidden>d</p>")
    assert count_page(page.without([1])).hidden.tolist() == [0, 1, 1]
    assert count_page(page.without([0, 1])).hidden.tolist() == [1, 1, 1]
    assert count_page(page.without([0]).without([1])).hidden.tolist() == [1, 1, 1]
    assert count_page(page).hidden.tolist() == [0, 0, 1]


def test_removed_blocks_of_a_hidden_page_are_hidden() -> None:
    page = parsed("<div hidden><p>a</p><p>b</p></div>")
    assert count_page(page.without([1])).hidden.tolist() == [0, 1]
    assert count_page(page.without([0, 1])).hidden.tolist() == [1, 1]


def test_elements_between_blocks_by_hand() -> None:
    a = arrays("<img><p>a</p><input><select></select><hr><i></i><p>b<br>c</p><iframe></iframe><script></script>")
    assert a.between.tolist() == [[1, 0, 0, 0, 0], [1, 2, 0, 1, 1], [1, 2, 2, 2, 1]]


# --- elements -----------------------------------------------------------------------------------------------------------


def test_elements_and_their_parents_by_hand() -> None:
    """Only ancestors of blocks have a row: not the empty <section>, and not <b> and <x-y>, which are inside blocks."""
    a = arrays("<section></section><div><p><b>a</b> c</p></div><x-y>d</x-y>")
    html, body, div, p = range(4)
    assert a.parents.tolist() == [-1, html, body, div]
    assert tags_of(a.tags) == ["html", "body", "div", "p"]
    assert a.owners.tolist() == [p, body]  # an unknown tag is inline
    assert tags_of(a.inner) == ["b", None]


def test_the_tag_of_the_first_leaf_by_hand() -> None:
    """The tag of its parent element, which may be the block's own element or deep inside it."""
    a = arrays("<p>a <b>b</b></p><p><a href=x><em>c</em></a> d</p><ul><li><span></span><i> </i><code>e</code></ul>f")
    assert tags_of(a.inner) == ["p", "em", "code", "body"]
    assert a.inner.dtype == np.uint8


def test_tags_that_only_occur_between_blocks_have_no_number() -> None:
    a = arrays("<canvas></canvas><use>a</use>")
    assert a.inner.tolist() == [0]
    assert tags_of(arrays("<use>a<div>b</div></use>").tags)[2:] == [None, "div"]
    assert len(TAGS) == len(set(TAGS)) < 255


NAMED = "<p class=a>1</p><p class=a id=b>2</p><div class=a>3</div><p class='a '>4</p><p>5</p><p class=b>6<p id=b>7"


def test_the_same_class_and_id_have_the_same_key() -> None:
    a = arrays(NAMED)
    keys = a.keys[a.owners].tolist()
    assert keys[0] == keys[2]
    assert keys[4] == a.keys[0]  # that of <html>
    assert len(set(keys)) == 6


def test_the_same_class_has_the_same_name_whatever_the_id() -> None:
    a = arrays(NAMED)
    names = a.names[a.owners].tolist()
    assert names[0] == names[1] == names[2]
    assert names[4] == names[6] == a.names[0]
    assert len(set(names)) == 4
    assert len(a.word_stops) == 6  # words are those of class and id


def test_the_words_of_an_id_are_not_those_of_its_class() -> None:
    a = arrays("<p class=post>1</p><p class=post id=comments>2</p><p class=post id=footer>3</p><p class=post>4</p>")
    assert len(set(a.names[a.owners].tolist())) == 1
    words = [named_words(a, element) for element in a.owners.tolist()]
    assert words == [["post"], ["post", "comments"], ["post", "footer"], ["post"]]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("class='postBody main-2' id=article_text", "post body main article text"),
        ("class=ENTRY", "entry"),
        ("role=navigation itemprop=articleBody", "navigation article body"),
        ("class=EntryContent", "entry content"),
        ("class=post5body", "post body"),
        ("class='qzxvyk post éqzxvyk' id=qzxvyk", "post"),
        ("class=qzxvyk", ""),
        ("id=comments", "comments"),
        ("class='본문 menu'", "menu"),
        ("class='' id=''", ""),
        ("", ""),
    ],
)
def test_words_of_names_by_hand(said: str, words: str) -> None:
    a = arrays(f"<div class=header><p {said}>x</p></div>")
    assert named_words(a, int(a.owners[0])) == words.split()
    assert named_words(a, int(a.parents[a.owners[0]])) == ["header"]
    assert named_words(a, 0) == []


def test_the_end_of_a_long_name_is_not_read() -> None:
    a = arrays(f"<p class='menu {'x1 ' * MAX_NAME_CHARACTERS} post' id=article>x")
    assert named_words(a, int(a.owners[0])) == ["menu", "article"]


def test_known_words_have_their_lines_as_numbers() -> None:
    numbers = read_word_numbers()
    words = sorted((number, word) for word, number in numbers.items() if number >= 0)
    assert [number for number, _ in words] == list(range(len(numbers) - 1))
    assert len(words) == KNOWN_WORDS == 2682
    assert all(word.isalpha() and word.islower() for _, word in words)
    assert [word for _, word in words if len(word) < 3] == [b"ad"]
    assert b"qzxvyk" not in numbers


# --- values of the page -------------------------------------------------------------------------------------------------


def test_values_of_a_page_by_hand() -> None:
    """Elements with <html>, <head> and <body>, leaves, the five purposes, <article>, <p>, <form>, <a>, a password."""
    a = arrays("<article><p>a <a href=x>b</a></p><p>c</p></article><form><input><input type=password></form><img><br>")
    counts = [3 + 9, 3, 1, 2, 0, 1, 0, 1, 2, 1, 1]
    assert a.facts[PAGE_COLUMNS["counts"]].tolist() == pytest.approx(np.log1p(counts).tolist())
    assert a.facts[PAGE_COLUMNS["password"]] == 1
    assert a.facts[PAGE_COLUMNS["address"]].tolist() == [0] * 8


@pytest.mark.parametrize(
    ("url", "facts"),
    [
        (
            "https://geul.example/2024/05/light-house_2.html?x=1",
            [1, 3 / 4, 0, 1, 7 / 8, 18 / 40, 2 / 5, 1],
        ),
        ("https://geul.example/", [1, 0, 1, 0, 0, 0, 0, 0]),
        ("https://geul.example", [1, 0, 1, 0, 0, 0, 0, 0]),
        ("https://geul.example/?id=7", [1, 0, 0, 1, 0, 0, 0, 0]),
        ("/글/등대", [1, 2 / 4, 0, 0, 0, 2 / 40, 0, 0]),
        (f"https://geul.example{'/1' * 50}", [1, 2, 0, 0, 2, 1 / 40, 0, 0]),
        (f"https://geul.example/{'a-' * 100}", [1, 1 / 4, 0, 0, 0, 2, 2, 0]),
        ("https://[geul.example/a", [0] * 8),
        (None, [0] * 8),
    ],
)
def test_values_of_a_url_by_hand(url: str | None, facts: list[float]) -> None:
    assert arrays("<p>a", url).facts[PAGE_COLUMNS["address"]].tolist() == pytest.approx(facts)


# --- any page -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("markup", ["", "<div><img></div>", "<title>a</title>", "<script>a</script>", "<p> </p>"])
def test_a_page_without_text_has_empty_columns(markup: str) -> None:
    page = parsed(markup)
    assert not page.starts
    check(page)
    a = count_page(page)
    assert not len(a.parents)
    assert not len(a.words)
    assert a.between.shape == (1, len(USES))
    assert a.facts[0] > 0


@given(MARKUPS)
@example("<pre> \n a")
@example("<svg><title>a b</title></svg> a b")
def test_arrays_are_consistent_on_any_page(markup: str) -> None:
    check(parsed(markup))


@given(st.text(max_size=60))
def test_arrays_are_consistent_for_any_text(text: str) -> None:
    check(parsed(f"{text}<p class='{text}'>{text}<title>{text}</title>"))


@given(MARKUPS, st.data())
def test_arrays_are_consistent_if_blocks_are_removed(markup: str, data: st.DataObject) -> None:
    page = parsed(f"<p>a {markup}")
    rows = data.draw(st.sets(st.integers(0, len(page.starts) - 1)))
    check(page.without(rows))


@on_every_page
def test_arrays_are_consistent_on_pages(path: Path) -> None:
    check(Page.parse(path.read_bytes(), "https://geul.example/1"))


def test_the_classes_agree_with_the_script() -> None:
    """Except for characters that a newer Unicode version has moved or added."""
    spec = importlib.util.spec_from_file_location("char_classes", ROOT / "scripts" / "make" / "char_classes.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made = np.frombuffer(module.classify_characters(), np.uint8)
    assert made.shape == read_classes().shape
    assert (made == read_classes()).mean() > 0.995
