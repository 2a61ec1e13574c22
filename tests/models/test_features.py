"""Features: shapes, ranges, and the tree of elements compared with a simple walk up the tree."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.models.features.characters import LOWER, WIDE
from bonmun.models.features.count_page import count_page
from bonmun.models.features.element_tree import LEVELS
from bonmun.models.features.page_arrays import PAGE_COLUMNS, PageArrays
from bonmun.models.features.scaled_features import (
    BLOCK_FEATURES,
    BLOCKS,
    ELEMENT_FEATURES,
    ELEMENTS,
    PAGE,
    PAGE_FEATURES,
    Features,
    compute_features,
)
from bonmun.models.features.tags import TAGS
from samples import on_every_page, printed

if TYPE_CHECKING:
    from pathlib import Path

PIECES = (
    "<div> <div> </div> </div> <p> <ul> <li> </ul> <section> </section> <span> </span> <b> <a&href=x> </a> <h1> <h2> </h2> "
    "<table> <tr> <td> </table> <div&class=a> <div&class=b> <p&id=c> <div&hidden> <x-y> </x-y> <img> <br> one 가나 Two. 3"
).split()
MARKUPS = st.lists(st.sampled_from([piece.replace("&", " ") for piece in PIECES]), max_size=40).map(" ".join)
SLOTS = "<div><template shadowrootmode=open><section><slot></slot></section><p>two</p></template><h2>one</h2></div>"


def arrays(markup: str) -> PageArrays:
    return count_page(Page.parse(f"<body>{markup}"))


@cache
def arrays_at(path: Path) -> PageArrays:
    return count_page(Page.parse(path.read_bytes()))


def around(a: PageArrays, element: int) -> list[int]:
    """Return an element and its ancestors, innermost first."""
    found = []
    while element >= 0:
        found.append(element)
        element = int(a.parents[element])
    return found


def walked_spans(a: PageArrays) -> list[list[int]]:
    """Return the first block in each element, and one past the last; every element has a block."""
    spans: dict[int, list[int]] = {}
    for row, owner in enumerate(a.owners.tolist()):
        for element in around(a, owner):
            first, _ = spans.get(element, [row, row])
            spans[element] = [first, row + 1]
    return [spans[element] for element in range(len(a.parents))]


def check_spans(a: PageArrays) -> None:
    assert compute_features(a).spans.tolist() == walked_spans(a)


def check_sizes(a: PageArrays) -> Features:
    """Check shapes, and that all values are small."""
    f = compute_features(a)
    n, m = len(a.owners), len(a.parents)
    assert f.blocks.shape == (n, BLOCK_FEATURES)
    assert f.elements.shape == (m, ELEMENT_FEATURES)
    assert f.page.shape == (PAGE_FEATURES,)
    assert f.levels.shape == (n, LEVELS)
    assert f.spans.shape == (m, 2)
    assert f.groups.shape == (n,)
    for floats in f[:3]:
        assert floats.dtype == np.float32
        assert np.isfinite(floats).all()
    assert np.abs(f.blocks).max() <= 8
    assert np.abs(f.elements).max() <= 8
    return f


def check_tree(a: PageArrays) -> None:
    """Check all values that depend on the tree, except spans."""
    f = compute_features(a)
    n, m = len(a.owners), len(a.parents)
    above = [around(a, element) for element in range(m)]
    for row in range(n):
        levels = [*above[a.owners[row]], *[-1] * LEVELS][:LEVELS]
        assert f.levels[row].tolist() == levels
    # groups
    paths = [tuple((int(a.tags[each]), int(a.names[each])) for each in above[owner]) for owner in a.owners]
    assert len(set(zip(paths, f.groups.tolist(), strict=True))) == len(set(paths)) == len(set(f.groups.tolist()))
    assert sorted(set(f.groups.tolist())) == list(range(len(set(paths))))
    # depths, children and twins
    depths = np.array([len(each) - 1 for each in above])
    np.testing.assert_allclose(f.elements[:, ELEMENTS["depth"]], np.minimum(depths / 10, 8), rtol=1e-5)
    np.testing.assert_allclose(f.blocks[:, BLOCKS["depth"]], np.minimum(depths[a.owners] / 10, 8), rtol=1e-5)
    children = Counter(a.parents.tolist())
    np.testing.assert_allclose(
        f.elements[:, ELEMENTS["children"]], [np.log1p(children[row]) / 2 for row in range(m)], rtol=1e-5
    )
    alike = list(zip(a.parents.tolist(), a.names.tolist(), a.tags.tolist(), strict=True))
    twins, seen = Counter(alike), Counter[tuple[int, int, int]]()
    for row, each in enumerate(alike):
        assert f.elements[row, ELEMENTS["twins"]] == pytest.approx(np.log(twins[each]) / 2, abs=1e-5)
        assert f.elements[row, ELEMENTS["twin_rank"]] == pytest.approx(seen[each] / twins[each], abs=1e-5)
        seen[each] += 1


# --- by hand ------------------------------------------------------------------------------------------------------------


def test_features_of_two_blocks_by_hand() -> None:
    """`abc.` has four characters of weight 1, `가나` two of weight 2.5, half of each path is above the other."""
    a = arrays("<h2>abc.</h2><div><p>가나</p></div>")
    f = check_sizes(a)
    blocks, page = f.blocks, f.page
    assert blocks[:, BLOCKS["letters"]].tolist() == pytest.approx([np.log1p(4) / 2, np.log1p(5) / 2])
    characters = blocks[:, BLOCKS["characters"]]
    assert characters[:, LOWER].tolist() == pytest.approx([3 / 4, 0])
    assert characters[:, WIDE].tolist() == pytest.approx([0, 1])
    assert blocks[:, BLOCKS["place"]].tolist() == [0, 0.5]
    assert blocks[:, BLOCKS["plain_before"]].tolist() == pytest.approx([0, 4 / 9])  # text before it
    assert blocks[:, BLOCKS["ends_sentence"]].tolist() == [1, 0]  # ends like a sentence
    assert blocks[:, BLOCKS["depth"]].tolist() == pytest.approx([0.2, 0.3])
    assert blocks[:, BLOCKS["heading_distance"]].tolist() == pytest.approx(
        [0, np.log1p(1) / 2]
    )  # blocks since the last heading
    assert blocks[:, BLOCKS["heading_level"]].tolist() == pytest.approx([2 / 6, 2 / 6])  # an <h2>
    assert page[PAGE["letters"]] == pytest.approx(np.log1p(9) / 4)
    assert page[-PAGE_COLUMNS.width :].tolist() == a.facts.tolist()
    html, body, h2, div, p = range(5)
    assert f.spans.tolist() == [[0, 2], [0, 2], [0, 1], [1, 2], [1, 2]]
    assert f.levels.tolist() == [[h2, body, html, *[-1] * 3], [p, div, body, html, *[-1] * 2]]


def test_an_element_inside_a_block_has_no_span() -> None:
    """It also has no level: only its tag is known."""
    a = arrays("<p>x</p><p><b>y</b> z</p>")
    f = compute_features(a)
    html, body, one, two = range(4)
    assert f.spans.tolist() == [[0, 2], [0, 2], [0, 1], [1, 2]]
    assert f.levels[:, :3].tolist() == [[one, body, html], [two, body, html]]
    assert TAGS[a.inner[1] - 1] == "b"


def test_a_block_has_at_most_six_levels() -> None:
    a = arrays("<div><section><article><ul><li>x")
    _, body, div, section, article, ul, li = range(7)
    assert compute_features(a).levels.tolist() == [[li, ul, article, section, div, body]]


def test_text_before_the_first_heading_has_no_heading() -> None:
    blocks = compute_features(arrays("<p>a</p><h3>b</h3><p>c</p>")).blocks
    assert blocks[:, BLOCKS["heading_distance"]].tolist() == pytest.approx([3, 0, np.log1p(1) / 2])
    assert blocks[:, BLOCKS["heading_level"]].tolist() == pytest.approx([0, 3 / 6, 3 / 6])


def test_blocks_at_the_same_path_share_a_group() -> None:
    items = "<ul><li>a</li><li>b</li></ul><ul class=x><li>c</li></ul><ul><li class=y>d</li></ul><ul><li>e</li></ul>"
    groups = compute_features(arrays(items)).groups.tolist()
    assert groups[0] == groups[1] == groups[4]
    assert len(set(groups)) == 3


def test_ids_do_not_affect_groups_and_twins() -> None:
    """Posts of a thread have the same class and different ids."""
    posts = "".join(f"<div class=post id=p{number}><p>a</p></div>" for number in range(3))
    f = compute_features(arrays(f"{posts}<div class=menu><p>b</p></div>"))
    assert f.groups[0] == f.groups[1] == f.groups[2] != f.groups[3]
    _, _, one, _, two, _, three, _, menu, _ = range(10)
    assert f.elements[[one, two, three, menu], ELEMENTS["twins"]].tolist() == pytest.approx([np.log(3) / 2] * 3 + [0])
    assert f.elements[[one, two, three, menu], ELEMENTS["twin_rank"]].tolist() == pytest.approx([0, 1 / 3, 2 / 3, 0])


def test_totals_of_groups_by_hand() -> None:
    """Of ten letters, eight are at the path of the first block, in two blocks; two, all links, are at another path."""
    blocks = compute_features(arrays("<p>abc</p><p class=x><a href=y>ab</a></p><p>abcde</p>")).blocks
    text, links, counts, lengths = blocks[:, BLOCKS["path_group"]].T.tolist()
    assert text == pytest.approx([1, 0, 1])  # of the text outside of links
    assert links == pytest.approx([0, 1, 0])
    assert counts == pytest.approx([np.log1p(count) / 4 for count in (2, 1, 2)])
    assert lengths == pytest.approx([np.log1p(length) / 2 for length in (4, 0, 4)])
    # and at the same depth, where sentences are counted
    assert blocks[:, BLOCKS["depth_group"]].tolist() == [pytest.approx([1, 2 / 10, 0, np.log1p(8 / 3) / 2])] * 3


def test_evidence_of_a_site_model() -> None:
    a = arrays("<p>a</p><p>b</p>")
    blocks = compute_features(a).blocks
    assert blocks[:, BLOCKS["site"]].tolist() == [[0, 0], [0, 0]]
    assert blocks[:, BLOCKS["has_site"]].tolist() == [0, 0]
    told = compute_features(replace(a, site=np.array([[1, 0.5], [0, 0.25]], np.float32))).blocks
    assert told[:, BLOCKS["site"]].tolist() == [[1, 0.5], [0, 0.25]]
    assert told[:, BLOCKS["has_site"]].tolist() == [1, 1]


def test_distance_to_the_headline() -> None:
    """The heading that is the title; not the link to it before."""
    markup = (
        "<title>The old lighthouse is lit again - News</title><p>menu</p><h2>The old lighthouse is lit again</h2><p>x"
    )
    blocks = compute_features(arrays(markup)).blocks
    assert blocks[:, BLOCKS["has_headline"]].tolist() == [1, 1, 1]
    assert blocks[:, BLOCKS["headline_distance"]].tolist() == pytest.approx([-np.log1p(1) / 4, 0, np.log1p(1) / 4])
    assert blocks[:, BLOCKS["has_h1"]].tolist() == [0, 0, 0]  # there is no <h1>


def test_contents_of_an_element_by_hand() -> None:
    """From its first block to the one after it; inputs are counted per block, up to four, all others in total."""
    markup = "<form><input><p>a</p><input><select></select><p hidden>b</p></form><p>c<img><br>d</p><hr><p>e"
    elements = compute_features(arrays(markup)).elements.T
    _, _, form, one, two, three, four = range(7)
    shown = [form, one, two, three, four]
    assert elements[ELEMENTS["inputs_a_block"], shown].tolist() == [1, 2, 0, 0, 0]
    assert elements[ELEMENTS["hidden"], shown].tolist() == [0.5, 0, 1, 0, 0]
    assert elements[ELEMENTS["pictures"], shown].tolist() == pytest.approx([0, 0, 0, np.log1p(1) / 2, 0])
    assert elements[ELEMENTS["rules"], shown].tolist() == pytest.approx([0, 0, 0, np.log1p(2) / 2, 0])
    many = compute_features(arrays(f"<form><p>a{'<input>' * 9}<p>b")).elements.T
    assert many[ELEMENTS["inputs_a_block"], 3:].tolist() == [4, 0]


def test_large_values_are_clipped() -> None:
    markup = f"<p>{'a' * 500_000}</p>" + "<p>b</p>" * 500 + "<div>" * 100 + "c"
    f = check_sizes(arrays(markup))
    assert f.blocks.max() == 8
    assert f.elements.max() == 8


# --- any page -----------------------------------------------------------------------------------------------------------


@given(MARKUPS)
@example("<div>a</div>" * 3)
@example("a<div>b<div>c</div>d</div>e")
@example("<div hidden>")
def test_spans_agree_with_a_walk_up_the_tree(markup: str) -> None:
    check_spans(arrays(f"<p>one</p> {markup}"))


@given(MARKUPS)
@example("<div>" * 70 + "a")
def test_the_tree_agrees_with_a_walk_up_the_tree(markup: str) -> None:
    check_tree(arrays(f"{markup} one"))


@given(MARKUPS, st.booleans())
def test_features_are_small_on_any_page(markup: str, gone: bool) -> None:
    page = Page.parse(f"<body>{markup} one")
    check_sizes(count_page(page.without(range(len(page.starts))) if gone else page))


@on_every_page
def test_features_are_small_on_pages(path: Path) -> None:
    if len(arrays_at(path).owners):
        check_sizes(arrays_at(path))


@on_every_page
def test_spans_on_pages(path: Path) -> None:
    check_spans(arrays_at(path))


@on_every_page
def test_the_tree_on_pages(path: Path) -> None:
    check_tree(arrays_at(path))


def test_spans_with_slots() -> None:
    check_spans(arrays(SLOTS))


def test_the_tree_with_slots() -> None:
    check_tree(arrays(SLOTS))


def test_paths_of_many_names_do_not_collide() -> None:
    """<div> is the tag before <p>: with the name 8191 later, it has the same number."""
    assert TAGS.index("p") == TAGS.index("div") + 1
    a = arrays("".join(f"<p class=n{number}>x" for number in range(8191)) + "<div class=last>y")
    groups = compute_features(a).groups
    assert len(set(groups.tolist())) == len(groups)


@pytest.mark.slow
def test_features_do_not_depend_on_the_hash_seed() -> None:
    script = """
import hashlib, sys
from bonmun import Page
from bonmun.models.features.count_page import count_page
from bonmun.models.features.scaled_features import compute_features
digest = hashlib.sha256()
for path in sys.argv[1:]:
    page = Page.parse(open(path, "rb").read())
    for each in compute_features(count_page(page.without(range(0, len(page.starts), 5))))[:-1]:  # but for boxes
        digest.update(each.tobytes())
print(digest.hexdigest())
"""
    digests = {printed(script, PYTHONHASHSEED=seed) for seed in ("1", "2")}
    assert len(digests) == 1
    assert len(digests.pop().strip()) == 64
