"""The network: its file, and equal scores for equal pages, whatever the load of the machine."""

from __future__ import annotations

import hashlib
import json
import random
import zipfile
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun import Page, SiteModel
from bonmun.errors import BadInput, MissingInput
from bonmun.models.features.class_words import read_word_numbers
from bonmun.models.features.count_page import count_page
from bonmun.models.features.page_arrays import PAGE_KINDS, PageArrays
from bonmun.models.features.tags import TAGS
from bonmun.models.network.labeller import (
    Network,
    Scores,
    Weights,
    default_network,
    default_weights,
    load_weights,
    save_weights,
)
from samples import FOLDERS, ROOT, SOURCES, on_every_page, printed
from timing import assert_linear

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

SENTENCE = "The old lighthouse at the end of the pier was lit again last night, after thirty dark years."


@cache
def arrays_at(path: Path) -> PageArrays:
    return count_page(Page.parse(path.read_bytes()))


def long_page(blocks: int) -> PageArrays:
    parts = (f"<div class=post{n % 7}><h2>{n}</h2><p>{SENTENCE}</p><ul><li>a<li>b</ul></div>" for n in range(blocks))
    return count_page(Page.parse("".join(parts)))


def check(scores: Scores, blocks: int) -> None:
    assert scores.keep.shape == scores.comment.shape == (blocks,)
    assert scores.kinds.shape == (len(PAGE_KINDS),)
    for each in scores[:3]:
        assert each.dtype == np.float32
        assert ((each >= 0) & (each <= 1)).all()
    assert scores.kinds.sum() == pytest.approx(1, abs=1e-3)  # each is rounded


def same(one: Scores, other: Scores) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in Scores._fields)


# --- the file -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a file with the default weights."""
    path = tmp_path_factory.mktemp("model") / "default.npz"
    save_weights(default_weights(), path)
    return path


def test_weights_are_read_as_they_were_written(saved: Path) -> None:
    weights, read = default_weights(), load_weights(saved)
    assert read.about == weights.about
    assert "format" not in read.about
    assert list(read.arrays) == list(weights.arrays)
    for name, value in weights.arrays.items():
        assert read.arrays[name].dtype == np.float32
        assert np.array_equal(read.arrays[name], value), name  # they were half floats already
    assert [path.name for path in saved.parent.iterdir()] == ["default.npz"]


def test_weights_are_written_as_half_floats(tmp_path: Path) -> None:
    save_weights(Weights({"config": {}}, {"a": np.array([1 / 3, -2.5], np.float32)}), tmp_path / "a")
    read = load_weights(str(tmp_path / "a"))
    assert read.about == {"config": {}}
    assert read.arrays["a"].tolist() == pytest.approx([1 / 3, -2.5], rel=1e-3)


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a"
    save_weights(Weights({"n": 1}, {}), path)
    with pytest.raises(TypeError):
        save_weights(Weights({"n": {1, 2}}, {}), path)
    with pytest.raises(ValueError, match="could not convert"):
        save_weights(Weights({"n": 2}, {"a": np.array(["b"])}), path)
    (tmp_path / "b").mkdir()
    with pytest.raises(OSError, match="b"):
        save_weights(Weights({"n": 3}, {}), tmp_path / "b")
    assert load_weights(path).about == {"n": 1}
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a", "b"]


def foreign(path: Path, about: object, **arrays: Any) -> None:
    columns: dict[str, Any] = {"about.json": np.frombuffer(json.dumps(about).encode(), np.uint8), **arrays}
    with path.open("wb") as file:
        np.savez(file, **columns)


def array_file(path: Path) -> None:
    with path.open("wb") as file:
        np.save(file, np.zeros(3))


def zip_file(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("about.json", "{}")


OTHERS: dict[str, Callable[[Path], object]] = {
    "nothing": lambda path: path.write_bytes(b""),
    "a page": lambda path: path.write_text(f"<p>{SENTENCE}"),
    "an array": array_file,
    "a zip file": zip_file,
    "a site model": lambda path: SiteModel.fit([Page.parse("<p>a")], site="a").save(path),
    "no format": lambda path: foreign(path, {"config": {}}),
    "another format": lambda path: foreign(path, {"format": 99}),
    "a list": lambda path: foreign(path, [1]),
    "a number": lambda path: foreign(path, 1),
    "pickled objects": lambda path: foreign(path, {"format": 1}, a=np.array([None])),
    "texts": lambda path: foreign(path, {"format": 1}, a=np.array(["b"])),
    "a folder": lambda path: path.mkdir(),
}


@pytest.mark.parametrize("make", OTHERS.values(), ids=OTHERS)
def test_a_file_that_is_not_a_model_is_rejected(tmp_path: Path, make: Callable[[Path], object]) -> None:
    path = tmp_path / "other"
    make(path)
    with pytest.raises(BadInput, match="is not a model for this version of bonmun: make one with `bonmun train`"):
        load_weights(path)


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_file_is_rejected_or_loads_the_same(saved: Path, tmp_path: Path, seed: int) -> None:
    """Files have checksums of all relevant bytes; a change of any other byte has no effect."""
    rng = random.Random(seed)
    data = saved.read_bytes()
    path = tmp_path / "damaged"
    weights = default_weights()
    refused = 0
    for _ in range(20):
        damaged = bytearray(data)
        at = rng.choice([rng.randrange(400), rng.randrange(len(data)), len(data) - 1 - rng.randrange(2000)])
        damaged[at] ^= rng.randrange(1, 256)
        path.write_bytes(damaged)
        try:
            read = load_weights(path)
        except BadInput:
            refused += 1
        else:
            assert all(np.array_equal(read.arrays[name], weights.arrays[name]) for name in read.arrays)
    assert refused > 5


def test_a_file_with_a_damaged_header_is_rejected(tmp_path: Path) -> None:
    """numpy reads the header before the checksum can be compared."""
    header = b"{'descr': ('<f2', 'shape': (3,), "
    foreign(tmp_path / "damaged", {"format": 1})
    with zipfile.ZipFile(tmp_path / "damaged", "a") as file:
        file.writestr("a.npy", b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)
    with pytest.raises(BadInput, match="not a model"):
        load_weights(tmp_path / "damaged")


@pytest.mark.parametrize("share", [0.01, 0.3, 0.9, 0.999])
def test_a_truncated_file_is_rejected(saved: Path, tmp_path: Path, share: float) -> None:
    data = saved.read_bytes()
    (tmp_path / "half").write_bytes(data[: int(len(data) * share)])
    with pytest.raises(BadInput, match="not a model"):
        load_weights(tmp_path / "half")


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(MissingInput, match=r"There is no model file '.*none': make one with `bonmun train`\.$"):
        load_weights(tmp_path / "none")


# --- scores -------------------------------------------------------------------------------------------------------------


def test_the_default_network_is_read_once() -> None:
    assert default_network() is default_network()
    assert len(PAGE_KINDS) == len(default_network().kind_bias)
    assert len(default_network().words) == len(read_word_numbers()) - 1  # without STOP_MARK
    assert len(default_network().tags) == len(default_network().inner) == len(TAGS) + 1


@on_every_page
def test_scores_are_probabilities(path: Path) -> None:
    a = arrays_at(path)
    check(default_network().scores(a), len(a.owners))


@pytest.mark.parametrize(
    "markup",
    ["<p>a", "<p hidden>a", f"<p>{'a' * 100_000}", "a", "<div>" * 500 + "a", "<p class=comments>a", "<p>😀"],
)
def test_a_page_of_one_block(markup: str) -> None:
    check(default_network().scores(count_page(Page.parse(markup))), 1)


@pytest.mark.parametrize("blocks", [2, 3, 4, 9, 10, 11])
def test_a_page_shorter_than_the_context_of_the_network(blocks: int) -> None:
    check(default_network().scores(count_page(Page.parse("<p>a" * blocks))), blocks)


def convolved(h: Floats, step: int, weight: Floats, bias: Floats) -> list[Floats]:
    """Return the convolution of each block with the ones `step` before and after it, in plain Python."""
    none = np.zeros_like(h[0])
    rows = []
    for row in range(len(h)):
        before = h[row - step] if row >= step else none
        after = h[row + step] if row + step < len(h) else none
        rows.append(np.maximum(weight @ np.concatenate([before, h[row], after]) + bias, 0))
    return rows


@pytest.mark.parametrize("kind", ["near", "last"])
def test_a_block_sees_itself_and_two_others(kind: str) -> None:
    """Also on pages that are shorter than a step or as long."""
    network, weights = default_network(), default_weights().arrays
    for number, (step, *layer) in enumerate(getattr(network, kind)):
        mix = [weights[f"{kind}.{number}.mix.{name}"] for name in ("weight", "bias")]
        for blocks in range(1, 2 * step + 3):
            h = np.random.default_rng(blocks).standard_normal((blocks, network.width)).astype(np.float32)
            np.testing.assert_allclose(network._convolve(h, step, *layer), convolved(h, step, *mix), atol=1e-4)


def test_words_are_those_of_class_and_id() -> None:
    network, numbers = default_network(), read_word_numbers()
    a = count_page(Page.parse("<p class=post>a</p><p class=post id=comments>b</p><p class='post menu'>c</p><p>d"))
    found = network._sum_words(a)[a.keys[a.owners]]
    post, comments, menu = (network.words[numbers[word]] for word in (b"post", b"comments", b"menu"))
    np.testing.assert_allclose(found, [post, post + comments, post + menu, np.zeros_like(post)], atol=1e-5)


def test_ids_matter_for_elements_with_the_same_class() -> None:
    plain, said = (count_page(Page.parse(f"<p class=post>a</p><p class=post{more}>b</p>")) for more in ("", " id=menu"))
    assert plain.names.tolist() == said.names.tolist()
    assert not same(default_network().scores(plain), default_network().scores(said))


def test_the_tag_of_the_first_leaf_matters() -> None:
    """Only its tag: it has no row of its own among the elements."""
    plain, bold = (count_page(Page.parse(f"<p>{first}{SENTENCE}</p>")) for first in ("<span>a </span>", "<b>a </b>"))
    assert not same(default_network().scores(plain), default_network().scores(bold))
    assert same(default_network().scores(plain), default_network().scores(replace(bold, inner=plain.inner)))


def test_the_same_page_has_the_same_scores_again(saved: Path) -> None:
    read = Network(load_weights(saved))
    for path in SOURCES.values():
        found = default_network().scores(arrays_at(path))
        assert same(found, default_network().scores(arrays_at(path)))
        assert same(found, read.scores(arrays_at(path)))


def test_scoring_changes_no_arrays() -> None:
    path = SOURCES["en-news"]
    a, before = arrays_at(path), count_page(Page.parse(path.read_bytes()))
    default_network().scores(a)
    for name in PageArrays.__slots__:
        assert np.array_equal(getattr(a, name), getattr(before, name)), name


@pytest.mark.slow
def test_the_number_of_threads_changes_nothing() -> None:
    script = """
import sys
from bonmun import Page
from bonmun.models.features.count_page import count_page
from bonmun.models.network.labeller import default_network
pages = [open(path, "rb").read() for path in sys.argv[1:]] + ["<div><h2>a</h2><p>One two three.</p></div>" * 1500]
for page in pages:
    for each in default_network().scores(count_page(Page.parse(page))):
        print(getattr(each, "tolist", lambda: each)())
"""
    outputs = [printed(script, OPENBLAS_NUM_THREADS=threads) for threads in ("1", "4")]
    assert outputs[0] == outputs[1]
    assert outputs[0].count(b"\n") == len(Scores._fields) * (len(FOLDERS) + 1)


@pytest.mark.slow
def test_time_is_linear_in_blocks() -> None:
    network = default_network()
    scores = assert_linear(lambda n: long_page(n // 4), network.scores, 3000, least=0.01)
    check(scores, 3000)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=20))
@settings(max_examples=50)
def test_confidence_grows_with_expected_f1(expected: list[float]) -> None:
    found = [default_network().confidence(each) for each in sorted(expected)]
    assert found == sorted(found)
    assert all(0 <= each <= 1 for each in found)


def test_confidence_at_the_ends() -> None:
    network = default_network()
    assert network.confidence(0.0) < 0.1
    assert network.confidence(1.0) > 0.9
    assert list(network.expected) == sorted(network.expected)
    assert list(network.measured) == sorted(network.measured)


def test_the_documents_name_the_model_that_is_shipped() -> None:
    shipped = (ROOT / "src" / "bonmun" / "models" / "network" / "default.npz").read_bytes()
    page = ROOT / "docs" / "explanation" / "model.md"
    assert hashlib.sha256(shipped).hexdigest() in page.read_text(encoding="utf-8")
