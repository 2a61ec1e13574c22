"""Augmented pages: blocks and elements stay consistent, whatever is removed or added."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun.lab.gold.examples import Example
from bonmun.lab.train.samples.augment import (
    ARTICLES,
    BLOCK_COLUMNS,
    DIV,
    HEADING_NUMBERS,
    MIN_BLOCKS,
    NOT_GRAFTED,
    SECTIONS,
    P,
    _find_text,
    graft_blocks,
    select_blocks,
    vary_sample,
)
from bonmun.lab.train.samples.samples import make_sample
from bonmun.models.features.page_arrays import PageArrays
from bonmun.models.features.scaled_features import BLOCK_FEATURES, ELEMENT_FEATURES, PAGE_FEATURES, compute_features
from bonmun.models.features.tags import TAG_NUMBERS, TAGS
from samples import ROOT, page_samples

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bonmun.lab.train.samples.sample_files import Sample

PAGES = [folder.name for folder in sorted((ROOT / "tests" / "pages").iterdir())]
SLOTTED = "fr-shadow"  # has slotted elements, whose position differs from the file
some_page = st.sampled_from(PAGES)


@cache
def pages() -> dict[str, Sample]:
    """Return the samples of tests/pages, with made-up site columns."""
    found = {}
    for name, sample in page_samples().items():
        shares = np.linspace(0, 1, 2 * len(sample.keep), dtype=np.float32).reshape(-1, 2)
        found[name] = replace(sample, arrays=replace(sample.arrays, site=shares))
    return found


def made(html: str, text: str | None = "", kind: str | None = None) -> Sample:
    sample = make_sample(Example("page", html, text, kind=kind), "set")
    assert sample is not None
    return sample


def within(parents: NDArray[Any]) -> NDArray[np.bool_]:
    """Return for every two elements whether the first contains or is the second."""
    m = len(parents)
    inside = np.eye(m, dtype=bool)
    for row in range(m):
        if parents[row] >= 0:
            inside[:, row] |= inside[:, parents[row]]
    return inside


def check(sample: Sample) -> None:
    """Check that all parts of a sample are consistent, and that the network can read it."""
    a = sample.arrays
    n, m = len(a.owners), len(a.parents)
    assert {len(getattr(a, name)) for name in (*BLOCK_COLUMNS, "owners")} == {n}
    assert {len(getattr(sample, name)) for name in ("keep", "comment", "sizes")} == {n}
    assert {len(a.tags), len(a.names), len(a.keys)} == {m}
    assert len(a.between) == n + 1
    assert a.site is None or a.site.shape == (n, 2)
    # the tree: one root, parents before their children
    assert a.parents[0] == -1
    assert (a.parents[1:] >= 0).all()
    assert (a.parents < np.arange(m)).all()
    assert ((a.owners >= 0) & (a.owners < m)).all()
    assert within(a.parents)[:, a.owners].any(1).all()  # every element holds a block
    assert max(a.tags.max(), a.inner.max()) <= len(TAGS)
    # names, keys and their words
    assert (a.names >= 0).all()
    assert ((a.keys >= 0) & (a.keys < len(a.word_stops))).all()
    assert len(set(zip(a.keys.tolist(), a.names.tolist(), strict=True))) == len(np.unique(a.keys))  # a key has one name
    assert (np.diff(a.word_stops, prepend=0) >= 0).all()
    assert a.word_stops[-1] == len(a.words)
    assert (np.diff(a.between, axis=0, prepend=0) >= 0).all()
    # features
    features = compute_features(a)
    assert features.blocks.shape == (n, BLOCK_FEATURES)
    assert features.elements.shape == (m, ELEMENT_FEATURES)
    assert features.page.shape == (PAGE_FEATURES,)
    for values in features[:3]:
        assert np.isfinite(values).all()


def check_order(sample: Sample) -> None:
    """Check that the blocks of every element are contiguous, and that the features say so."""
    a = sample.arrays
    inside = within(a.parents)
    rows = inside.sum(1) + np.arange(len(a.parents)) - 1
    assert rows.tolist() == [int(np.flatnonzero(row)[-1]) for row in inside]
    owned = inside[:, a.owners]
    ends = [[int(row.argmax()), len(row) - int(row[::-1].argmax())] for row in owned]
    assert compute_features(a).spans.tolist() == ends


def same_dtypes(one: Sample, other: Sample) -> None:
    for field in fields(PageArrays):
        ours, theirs = getattr(one.arrays, field.name), getattr(other.arrays, field.name)
        if ours is not None and theirs is not None:
            assert theirs.dtype == ours.dtype, field.name
    for name in ("keep", "comment", "sizes"):
        assert getattr(other, name).dtype == getattr(one, name).dtype


def path(a: PageArrays, row: int) -> list[tuple[int, int, int]]:
    """Return the tags, names and keys from an element up."""
    found = []
    while row >= 0:
        found.append((int(a.tags[row]), int(a.names[row]), int(a.keys[row])))
        row = int(a.parents[row])
    return found


def around(sample: Sample) -> list[int]:
    """Return the blocks from the second before the first kept one to the one after the last."""
    kept = [row for row, share in enumerate(sample.keep.tolist()) if share > 0.5]
    return [row for row in range(len(sample.keep)) if kept[0] - 2 <= row <= kept[-1] + 1]


@pytest.mark.parametrize("name", PAGES)
def test_original_pages_are_consistent(name: str) -> None:
    check(pages()[name])
    if name != SLOTTED:
        check_order(pages()[name])


# --- select blocks ---------------------------------------------------------------------------------------------------


def test_select_blocks_by_hand() -> None:
    html = "<nav><a>Home</a><img></nav><div id=main><p>One two<hr><p>Three<img><img></div><footer><br><b>End"
    sample = made(html, "One two\nThree")
    assert sample.keep.tolist() == [0, 1, 1, 0]
    found = select_blocks(sample, np.array([False, True, False, True]))
    a = found.arrays
    assert a.parents.tolist() == [-1, 0, 1, 2, 1]
    assert a.tags.tolist() == [TAG_NUMBERS[tag] for tag in ("html", "body", "div", "p", "footer")]
    assert a.owners.tolist() == [3, 4]
    assert a.inner.tolist() == [TAG_NUMBERS["p"], TAG_NUMBERS["b"]]
    assert a.leaves.tolist() == [1, 1]
    assert (found.keep.tolist(), found.sizes.tolist()) == ([1, 0], [2, 1])
    assert found.gold == (2, 2, 2)  # the two of three words that are left
    # content before the first and the third block is removed with them
    steps = np.diff(sample.arrays.between, axis=0, prepend=0)
    assert np.diff(a.between, axis=0, prepend=0).tolist() == steps[[1, 3, 4]].tolist()


@settings(deadline=None, max_examples=60)
@given(name=some_page, data=st.data())
def test_select_blocks_keeps_exactly_the_chosen_ones(name: str, data: st.DataObject) -> None:
    sample = pages()[name]
    n = len(sample.keep)
    rows = sorted(data.draw(st.sets(st.integers(0, n - 1), min_size=1)))
    which = np.zeros(n, bool)
    which[rows] = True
    found = select_blocks(sample, which)
    check(found)
    if name != SLOTTED:
        check_order(found)
    same_dtypes(sample, found)
    for column in BLOCK_COLUMNS:
        assert getattr(found.arrays, column).tolist() == getattr(sample.arrays, column)[rows].tolist()
    for column in ("keep", "comment", "sizes"):
        assert getattr(found, column).tolist() == getattr(sample, column)[rows].tolist()
    assert found.arrays.site is not None
    assert sample.arrays.site is not None
    assert found.arrays.site.tolist() == sample.arrays.site[rows].tolist()
    for new, old in enumerate(rows):
        ours, theirs = int(found.arrays.owners[new]), int(sample.arrays.owners[old])
        assert path(found.arrays, ours) == path(sample.arrays, theirs)
    assert (found.id, found.site, found.kind) == (sample.id, sample.site, sample.kind)


@pytest.mark.parametrize("name", PAGES)
def test_selecting_all_blocks_changes_nothing(name: str) -> None:
    sample = pages()[name]
    found = select_blocks(sample, np.ones(len(sample.keep), bool))
    for field in fields(PageArrays):
        assert np.array_equal(getattr(found.arrays, field.name), getattr(sample.arrays, field.name)), field.name
    assert found.gold == sample.gold


def test_variants_do_not_change_the_original() -> None:
    sample = made("<nav>Home</nav><p>One two", "One two", "news")
    guest = made("<p>Three</p><p>Four", "Three", "blog")
    before = [getattr(sample.arrays, field.name) for field in fields(PageArrays)]
    copies = [None if value is None else value.copy() for value in before]
    graft_blocks(select_blocks(sample, np.array([True, False])), guest, before=True)
    graft_blocks(guest, sample, before=False)
    for seed in range(20):
        vary_sample(sample, guest, np.random.default_rng(seed), 1.0, 1.0, 1.0)
    for value, copy in zip(before, copies, strict=True):
        assert np.array_equal(value, copy) if value is not None and copy is not None else value is copy


# --- grafts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", [True, False])
def test_graft_by_hand(before: bool) -> None:
    host = made("<p class=main id=a>One two", "One two")
    guest = made("<div class=menu><p class=x id=b><i>Three</i><p class=x>Four</div>", "Three")
    found = graft_blocks(host, guest, before=before)
    a = found.arrays
    assert a.parents.tolist() == [-1, 0, 1, 1, 3, 4, 5, 5]  # the other page's <html> is in this body
    assert a.tags[3] == a.tags[4] == a.tags[5] == DIV
    assert a.owners.tolist() == ([6, 7, 2] if before else [2, 6, 7])
    inner = [TAG_NUMBERS["i"], P]
    assert a.inner.tolist() == ([*inner, P] if before else [P, *inner])
    assert found.keep.tolist() == ([0, 0, 1] if before else [1, 0, 0])  # whatever the guest's labels were
    assert found.comment.tolist() == ([0, -1, 0] if before else [0, 0, -1])
    assert found.sizes.tolist() == ([1, 1, 2] if before else [2, 1, 1])
    assert (found.gold, found.id) == (host.gold, host.id)
    assert a.names[:3].tolist() == [0, 0, 1]
    assert a.names[3:].tolist() == [2, 2, 3, 4, 4]  # distinct from this page's numbers
    assert a.keys.tolist() == [0, 0, 1, 2, 2, 3, 4, 5]
    assert len(a.word_stops) == 6


@pytest.mark.slow
@settings(deadline=None, max_examples=80)
@given(host=some_page, guest=some_page, before=st.booleans(), data=st.data())
def test_graft_has_the_blocks_of_both_pages(host: str, guest: str, before: bool, data: st.DataObject) -> None:
    one, other = pages()[host], pages()[guest]
    rows = sorted(data.draw(st.sets(st.integers(0, len(other.keep) - 1), min_size=1)))
    which = np.zeros(len(other.keep), bool)
    which[rows] = True
    other = select_blocks(other, which)
    found = graft_blocks(one, other, before=before)
    check(found)
    if SLOTTED not in (host, guest):
        check_order(found)
    same_dtypes(one, found)
    n, k = len(one.keep), len(rows)
    own, new = (slice(k, k + n), slice(k)) if before else (slice(n), slice(n, n + k))
    for column in BLOCK_COLUMNS:
        assert getattr(found.arrays, column)[own].tolist() == getattr(one.arrays, column).tolist()
        theirs = getattr(other.arrays, column)
        if column == "title":  # similarity to another page's title
            theirs = np.zeros_like(theirs)
        elif column == "inner":
            theirs = np.where(np.isin(theirs, NOT_GRAFTED), DIV, theirs)
        assert getattr(found.arrays, column)[new].tolist() == theirs.tolist()
    assert found.keep[own].tolist() == one.keep.tolist()
    assert found.keep[new].tolist() == [0] * k
    assert (found.comment[new] <= 0).all()
    assert found.sizes[new].tolist() == other.sizes.tolist()
    assert found.arrays.site is None
    # paths of tags and names: unchanged for the page, and up to the graft for the guest
    a = found.arrays
    for ours, before_it in zip(a.owners[own], one.arrays.owners, strict=True):
        assert path(a, int(ours)) == path(one.arrays, int(before_it))
    m, k = int(one.arrays.names.max()) + 1, len(one.arrays.word_stops)
    for ours, row in zip(a.owners[new], other.arrays.owners, strict=True):
        there = [
            (DIV if tag in NOT_GRAFTED else tag, name + m, key + k) for tag, name, key in path(other.arrays, int(row))
        ]
        assert path(a, int(ours))[: len(there)] == there


@settings(deadline=None, max_examples=40)
@given(host=some_page, guest=some_page)
def test_class_words_of_both_pages_are_kept(host: str, guest: str) -> None:
    def words(a: PageArrays, row: int) -> list[int]:
        stop = a.word_stops[a.keys[row]]
        start = a.word_stops[a.keys[row] - 1] if a.keys[row] else 0
        return [int(word) for word in a.words[start:stop]]

    one, other = pages()[host].arrays, pages()[guest].arrays
    both = graft_blocks(pages()[host], pages()[guest], before=True).arrays
    m = len(one.parents)
    assert [words(both, row) for row in range(m)] == [words(one, row) for row in range(m)]
    assert [words(both, m + row) for row in range(len(other.parents))] == [
        words(other, row) for row in range(len(other.parents))
    ]


def test_repeated_grafts_are_consistent() -> None:
    sample = pages()["ko-news"]
    for number, name in enumerate(PAGES[:4]):
        sample = graft_blocks(sample, pages()[name], before=number % 2 == 0)
    check(sample)


# --- random variants -------------------------------------------------------------------------------------------------


def listed(sample: Sample) -> list[Any]:
    values = [getattr(sample.arrays, field.name) for field in fields(PageArrays)]
    values += [sample.keep, sample.comment, sample.sizes]
    return [None if value is None else value.tolist() for value in values] + [sample.gold]


@pytest.mark.slow
@settings(deadline=None, max_examples=80)
@given(
    name=some_page,
    other=some_page,
    seed=st.integers(0, 2**32),
    parts=st.sampled_from([0.0, 0.4, 1.0]),
    graft=st.sampled_from([0.0, 0.2, 1.0]),
    second=st.sampled_from([0.0, 0.2, 1.0]),
)
def test_variants_are_consistent_and_reproducible(
    name: str, other: str, seed: int, parts: float, graft: float, second: float
) -> None:
    sample, guest = pages()[name], pages()[other]
    one, two = (vary_sample(sample, guest, np.random.default_rng(seed), parts, graft, second) for _ in range(2))
    check(one)
    if SLOTTED not in (name, other):
        check_order(one)
    same_dtypes(sample, one)
    assert listed(one) == listed(two)
    assert len(one.keep) >= min(MIN_BLOCKS, len(sample.keep))
    assert one.labelled


def variants(sample: Sample, parts: float, graft: float, second: float = 0.0, count: int = 60) -> list[Sample]:
    other = pages()["en-forum"]
    return [vary_sample(sample, other, np.random.default_rng(seed), parts, graft, second) for seed in range(count)]


def test_variants_differ() -> None:
    sample = pages()["ko-news"]
    found = variants(sample, 1.0, 0.5)
    lengths = {len(each.keep) for each in found}
    assert min(lengths) < len(sample.keep) < max(lengths)
    assert {each.arrays.site is None for each in found} == {True, False}
    assert {bool(each.arrays.words.size) for each in found} == {True, False}
    assert {bool(each.arrays.title.any()) for each in found} == {True, False}
    tags = [set(each.arrays.tags.tolist()) for each in found]
    for kind in (SECTIONS, HEADING_NUMBERS):
        assert {bool(each.intersection(kind)) for each in tags} == {True, False}


def test_blocks_and_labels_stay_without_parts_and_grafts() -> None:
    """Except in the few variants that contain only the text."""
    sample = pages()["ko-news"]
    text = select_blocks(sample, _find_text(sample))
    alone = []
    for found in variants(sample, 0.0, 0.0, count=200):
        alone.append(len(found.keep) < len(sample.keep))
        expected = text if alone[-1] else sample
        assert found.arrays.counts.tolist() == expected.arrays.counts.tolist()
        assert found.arrays.parents.tolist() == expected.arrays.parents.tolist()
        assert (found.keep.tolist(), found.gold) == (expected.keep.tolist(), expected.gold)
    assert 5 <= sum(alone) <= 30  # 8 % of 200 are 16


def test_page_keeps_some_main_text() -> None:
    sample = pages()["ko-news"]
    assert all((found.keep > 0.5).any() for found in variants(sample, 1.0, 0.0))


# --- the text alone --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keep", "part"),
    [
        ([0, 0, 0, 1, 0, 0, 0], [0, 1, 1, 1, 1, 0, 0]),
        ([0, 0, 0, 1, 0, 0.6, 0.5, 0, 0], [0, 1, 1, 1, 1, 1, 1, 0, 0]),
        ([0, 1, 0, 0], [1, 1, 1, 0]),
        ([1, 0, 0], [1, 1, 0]),
        ([0, 0, 0, 1], [0, 1, 1, 1]),
        ([-1, 0, 0, -1, 0.9, -1, -1], [0, 0, 1, 1, 1, 1, 0]),
        ([1], [1]),
    ],
)
def test_blocks_around_the_text_by_hand(keep: list[float], part: list[int]) -> None:
    """Two blocks before the first kept one, and one after the last."""
    sample = replace(made("<p>One" * len(keep)), keep=np.array(keep, np.float32))
    assert _find_text(sample).tolist() == part


@pytest.mark.parametrize("name", [name for name in PAGES if name not in ("ko-login", "en-main-only")])  # all or nothing
def test_text_alone_contains_all_kept_blocks(name: str) -> None:
    sample = pages()[name]
    found = select_blocks(sample, _find_text(sample))
    check(found)
    assert found.keep.tolist() == sample.keep[around(sample)].tolist()
    assert (found.keep > 0.5).sum() == (sample.keep > 0.5).sum() > 0
    assert len(found.keep) < len(sample.keep)


def test_some_variants_are_the_text_alone() -> None:
    """Whatever else they would have lost; no gold is lost with dropped blocks."""
    sample = pages()["ko-news"]
    sample = replace(sample, sizes=np.arange(len(sample.keep), dtype=np.int32))  # identify each block
    rows = around(sample)
    for parts in (0.0, 1.0):
        found = [each for each in variants(sample, parts, 0.0, count=200) if each.sizes.tolist() == rows]
        assert 5 <= len(found) <= 30
        assert {each.gold for each in found} == {sample.gold}


def test_page_without_text_or_labels_is_never_text_alone() -> None:
    for keep in (0, -1):
        sample = replace(pages()["ko-news"], keep=np.full_like(pages()["ko-news"].keep, keep))
        assert {len(found.keep) for found in variants(sample, 0.0, 0.0, count=100)} == {len(sample.keep)}


# --- another article under it ----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(ARTICLES))
def test_second_article_below_an_article(kind: str) -> None:
    """The guest's text and its nearest neighbours follow the host, and none of it is kept."""
    host = replace(pages()["ko-news"], kind=kind)
    guest = pages()["en-news"]
    assert guest.kind in ARTICLES
    host = replace(host, sizes=np.arange(len(host.keep), dtype=np.int32))
    guest = replace(guest, sizes=np.arange(1000, 1000 + len(guest.keep), dtype=np.int32))
    theirs = [1000 + row for row in around(guest)]
    for seed in range(60):
        found = vary_sample(host, guest, np.random.default_rng(seed), 0.0, 0.0, 1.0)
        check(found)
        check_order(found)
        n = len(found.keep) - len(theirs)
        own = found.sizes[:n].tolist()
        assert own in (list(range(len(host.keep))), around(host))
        assert found.keep[:n].tolist() == host.keep[own].tolist()
        assert found.sizes[n:].tolist() == theirs
        assert found.keep[n:].tolist() == [0] * len(theirs)
        assert (found.gold, found.kind) == (host.gold, kind)


def test_second_article_and_graft_combine() -> None:
    host, guest = pages()["ko-news"], pages()["en-news"]
    guest = replace(guest, sizes=np.where(guest.keep > 0.5, 2000, 1000).astype(np.int32))
    for seed in range(30):
        found = vary_sample(host, guest, np.random.default_rng(seed), 0.4, 1.0, 1.0)
        theirs = found.sizes >= 1000
        assert (found.sizes == 2000).sum() == (guest.sizes == 2000).sum()
        assert found.sizes[np.flatnonzero(found.keep > 0.5)[-1] :].max() == 2000
        assert (found.keep[theirs] == 0).all()


@pytest.mark.parametrize(
    ("host", "guest"),
    [("news", "forum"), ("forum", "news"), ("news", None), (None, "news"), ("listing", "listing"), ("none", "article")],
)
def test_only_articles_get_a_second_article(host: str | None, guest: str | None) -> None:
    one, other = replace(pages()["ko-news"], kind=host), replace(pages()["en-news"], kind=guest)
    for seed in range(40):
        found = vary_sample(one, other, np.random.default_rng(seed), 0.0, 0.0, 1.0)
        assert len(found.keep) in (len(one.keep), len(around(one)))


@pytest.mark.parametrize("keep", [0, -1])
def test_article_without_text_or_labels_is_never_second(keep: int) -> None:
    one, other = pages()["ko-news"], pages()["en-news"]
    other = replace(other, keep=np.full_like(other.keep, keep))
    for seed in range(40):
        found = vary_sample(one, other, np.random.default_rng(seed), 0.0, 0.0, 1.0)
        assert len(found.keep) in (len(one.keep), len(around(one)))


def test_probability_of_a_second_article() -> None:
    one, other = pages()["ko-news"], pages()["en-news"]
    found = [vary_sample(one, other, np.random.default_rng(seed), 0.0, 0.0, 0.25) for seed in range(200)]
    assert 30 <= sum(len(each.keep) not in (len(one.keep), len(around(one))) for each in found) <= 70


# --- hidden features and excluded parts -----------------------------------------------------------------------------


def test_plain_tags_apply_to_first_leaves() -> None:
    """Otherwise the tag of a <p> or <h2> that is a whole block would still be visible."""
    sample = pages()["ko-news"]
    for kind in (SECTIONS, HEADING_NUMBERS, [P]):
        assert np.isin(sample.arrays.tags, kind).any()
        assert not any(
            np.isin(found.arrays.inner, kind).any()
            for found in variants(sample, 0.0, 0.0)
            if not np.isin(found.arrays.tags, kind).any()
        )


def test_page_without_labels_gets_no_graft() -> None:
    sample = pages()["ko-news"]
    sample = replace(sample, keep=np.full_like(sample.keep, -1), gold=(0, 0, 0))
    for found in variants(sample, 0.0, 1.0):
        assert len(found.keep) == len(sample.keep)
        assert not found.labelled
    whole = pages()["ko-news"]
    unknown = [vary_sample(whole, sample, np.random.default_rng(seed), 0.0, 1.0, 0.0) for seed in range(30)]
    assert {len(found.keep) for found in unknown} == {len(sample.keep), len(around(whole))}


def test_article_without_labels_gets_no_second_article() -> None:
    """It would then be labelled, as a page without main text (see prepare_variant)."""
    sample, other = pages()["ko-news"], pages()["en-news"]
    sample = replace(sample, keep=np.full_like(sample.keep, -1), gold=(0, 0, 0))
    for seed in range(20):
        assert not vary_sample(sample, other, np.random.default_rng(seed), 0.0, 0.0, 1.0).labelled


def test_main_text_of_other_pages_is_never_grafted() -> None:
    """Grafted blocks are recognised by their sizes."""
    host, other = pages()["ko-login"], pages()["en-news"]
    marked = replace(other, sizes=np.where(other.keep < 0.05, 1000, 2000).astype(np.int32))
    for seed in range(60):
        found = vary_sample(host, marked, np.random.default_rng(seed), 0.0, 1.0, 0.0)
        assert not (found.sizes == 2000).any()


def test_pages_with_few_blocks_lose_none() -> None:
    for html in ("<p>One", "<nav>Home</nav><p>One two", "text"):
        sample = made(html, "")
        for seed in range(60):
            found = vary_sample(sample, sample, np.random.default_rng(seed), 1.0, 0.0, 0.0)
            check(found)
            assert len(found.keep) == len(sample.keep)


def test_gold_does_not_vanish_with_parts() -> None:
    """A page with some main text left is not a page without main text (see prepare_variant)."""
    sample = made("".join(f"<p>{word}</p>" for word in "one two three four five six seven eight nine".split()), "five")
    assert sample.gold == (1, 1, 1)
    found = [vary_sample(sample, sample, np.random.default_rng(seed), 1.0, 0.0, 0.0) for seed in range(100)]
    assert all(each.gold[1] > 0 for each in found if (each.keep > 0.5).any())
