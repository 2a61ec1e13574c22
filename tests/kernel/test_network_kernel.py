"""The network in the kernel gives the same features and probabilities as in numpy, for any page, on any machine."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun import Page
from bonmun.errors import BadInput
from bonmun.models.features.characters import CLASSES, WIDE
from bonmun.models.features.class_words import KNOWN_WORDS
from bonmun.models.features.count_page import count_page
from bonmun.models.features.page_arrays import PAGE_COLUMNS, TARGETS, PageArrays
from bonmun.models.features.scaled_features import compute_features
from bonmun.models.features.tags import TAGS, USES
from bonmun.models.network.labeller import Network, Weights, boxes_network, default_network, default_weights
from bonmun.models.network.packed import (
    ALIGNMENT,
    DEFAULT_FILE,
    KERNEL,
    MAGIC,
    PackedNetwork,
    interpolate,
    open_default,
    open_packed,
)
from bonmun.models.network.packing import list_counts, make_packed, pack_network
from samples import ROOT, in_one_test, on_every_page
from timing import assert_linear

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

pytestmark = pytest.mark.skipif(KERNEL is None, reason="The kernel is not built: python setup.py build_ext --inplace.")

SENTENCE = "The old lighthouse at the end of the pier was lit again last night, after thirty dark years."
MISFITS = "not an aligned array|wrong length|index out of range|without blocks|too long"
REFUSALS = "not a packed network|do not match|wrong size|wrong shape|is not between"
NEAR = 2e-5  # maximum difference between the probabilities of kernel and reference


def default() -> PackedNetwork:
    found = open_default()
    assert found is not None
    return found


def is_near(data: bytearray, values: NDArray[np.float32], by: float) -> bool:
    return bool((np.abs(np.frombuffer(data, np.float32).reshape(values.shape) - values) <= by).all())


def compare_features(a: PageArrays) -> None:
    n, m = len(a.owners), len(a.parents)
    mine, theirs = default().scorer.compute_features(list_counts(a)), compute_features(a)
    for data, values in zip(mine[:3], theirs[:3], strict=True):
        assert is_near(data, values, 1e-5)
    assert np.array_equal(np.frombuffer(mine[3], np.int32).reshape(n, -1), theirs.levels)
    assert np.array_equal(np.frombuffer(mine[4], np.int32).reshape(m, 2), theirs.spans)
    assert np.array_equal(np.frombuffer(mine[5], np.int32), theirs.groups)


def compare_scores(a: PageArrays, network: Network | None = None, packed: PackedNetwork | None = None) -> None:
    theirs, packed = (network or default_network()).scores(a), packed or default()
    longest = packed.scorer.longest_vector
    try:
        for packed.scorer.longest_vector in {4, min(8, longest), longest}:
            mine = packed.score(list_counts(a))
            for data, values in zip(mine[:3], theirs[:3], strict=True):
                assert is_near(data, values, NEAR)
            assert np.array_equal(np.frombuffer(mine[3], np.int32), theirs.groups)
    finally:
        packed.scorer.longest_vector = longest


def compare(a: PageArrays) -> None:
    compare_features(a)
    compare_scores(a)


def count(html: str, url: str | None = None) -> PageArrays:
    return count_page(Page.parse(html, url))


@cache
def small() -> PageArrays:
    return count(f"<title>Lamps</title><div class=post><h1>Lamps</h1><p>{SENTENCE}</p><p>{SENTENCE}</p></div>")


def make_arrays(seed: int, blocks: int, elements: int, *, chain: bool = False, letters: int = 200) -> PageArrays:
    """Return the arrays of a random page: a tree whose leaves all contain blocks, in random order."""
    r = np.random.default_rng(seed)
    parents = np.array(
        [-1, *((x - 1 if chain else r.integers(max(0, x - 9), x)) for x in range(1, elements))], np.int32
    )
    leaves = np.setdiff1d(np.arange(elements), parents)
    owners = np.concatenate([leaves, r.integers(0, elements, max(blocks - len(leaves), 0))])
    n = len(owners)
    stops = np.cumsum(r.integers(0, 4, elements), dtype=np.int32)
    counts = r.integers(0, letters + 1, (n, CLASSES)) * (r.random((n, CLASSES)) < 0.5)
    chars = counts.sum(1)
    return PageArrays(
        owners=r.permutation(owners).astype(np.int32),
        inner=r.integers(0, len(TAGS) + 1, n, np.uint8),
        counts=counts.astype(np.int32),
        edges=r.integers(0, CLASSES, (n, 2), np.uint8),
        sentences=r.integers(0, 5, n, np.int32),
        links=np.stack([(chars * r.integers(0, 3, n)) // 2, r.integers(0, 5, n)], 1),
        leaves=r.integers(1, 9, n, np.int32),
        hidden=(r.random(n) < 0.2).astype(np.uint8),
        title=r.random(n, np.float32) * (r.random(n) < 0.2).astype(np.float32),
        copies=r.integers(1, 4, n, np.int32),
        targets=r.random((n, TARGETS.width), np.float32),
        between=np.cumsum(r.integers(0, 3, (n + 1, len(USES)), np.int32), axis=0, dtype=np.int32),
        parents=parents,
        tags=r.integers(0, len(TAGS) + 1, elements, np.uint8),
        names=r.integers(0, 5, elements, np.int32),
        keys=r.integers(0, elements, elements, np.int32),
        words=r.integers(0, KNOWN_WORDS, stops[-1], np.int16),
        word_stops=stops,
        facts=r.random(PAGE_COLUMNS.width, np.float32),
    )


# --- the same as the reference --------------------------------------------------------------------------------------------


@on_every_page
def test_every_page_gives_the_same_result(path: Path) -> None:
    compare(count_page(Page.parse(path.read_bytes(), "https://example.org/2026/a-page.html")))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 80), st.integers(1, 60), st.booleans())
def test_any_page_gives_the_same_result(seed: int, blocks: int, elements: int, chain: bool) -> None:
    compare(make_arrays(seed, blocks, elements, chain=chain))


@pytest.mark.parametrize(
    "html",
    [
        "a",
        "<p>1",
        f"<p>{SENTENCE}",
        f"<h1>{SENTENCE}</h1><h1>{SENTENCE}</h1>",
        "<div hidden><p>a<p>b</div>",
        "<p>。<p>가나다라<p>漢字漢字",
        f"<nav>{'<a href=/x>a</a>' * 40}</nav><p>{SENTENCE * 9}</p>",
        "<div>" * 600 + SENTENCE + "</div>" * 600,
        "<p>" + "x" * 3_000_000,
        f"<div><template shadowrootmode=open><p>{SENTENCE}<slot></slot></p></template><b>in the slot</b></div>",
        "".join(f"<p class=c{n}>{n}" for n in range(3000)),
    ],
    ids=range(11),
)
def test_odd_pages_give_the_same_result(html: str) -> None:
    compare(count(html))


@pytest.mark.parametrize("name", ["hidden", "counts", "title", "targets", "between", "sentences"])
def test_pages_without_some_field_give_the_same_result(name: str) -> None:
    a = make_arrays(1, 30, 20)
    compare(replace(a, **{name: np.zeros_like(getattr(a, name))}))


def test_all_hidden() -> None:
    a = make_arrays(2, 30, 20)
    compare(replace(a, hidden=np.ones_like(a.hidden)))


def test_large_counts() -> None:
    a = make_arrays(3, 30, 20)
    counts = a.counts.copy()
    counts[:, WIDE] = 1 << 22
    compare_features(replace(a, counts=counts))


def test_deep_chains() -> None:
    compare(make_arrays(4, 700, 600, chain=True))


def test_many_blocks() -> None:
    """The reference sums in float32 here, which is accurate to 3 digits for 30,000 blocks."""
    a = make_arrays(5, 30_000, 50_000)
    compare_features(a)
    mine, theirs = default().score(list_counts(a)), default_network().scores(a)
    assert is_near(mine[0], theirs.keep, 1e-3)
    assert is_near(mine[1], theirs.comment, 1e-3)


@pytest.mark.slow
def test_time_is_linear() -> None:
    assert_linear(lambda size: list_counts(make_arrays(6, size, size, chain=True)), default().score, 20_000)


def test_threads_do_not_interfere() -> None:
    pages = [list_counts(make_arrays(seed, 200 * seed, 90 * seed)) for seed in range(1, 9)]
    alone = [default().score(page) for page in pages]
    found: dict[int, list[Any]] = {}

    def work(thread: int) -> None:
        found[thread] = [[default().score(page) for page in pages] for _ in range(5)]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(each == alone for rounds in found.values() for each in rounds)


# --- what is none of a page -----------------------------------------------------------------------------------------------


def with_field(name: str, value: NDArray[Any] | bytes) -> tuple[Any, ...]:
    names = [field.name for field in fields(PageArrays)]
    counts: list[Any] = list(list_counts(small()))
    counts[names.index(name)] = value if isinstance(value, bytes) else bytearray(value.tobytes())
    return tuple(counts)


@pytest.mark.parametrize(
    ("name", "at", "value"),
    [
        ("owners", 0, 1 << 30),
        ("owners", 1, -1),
        ("parents", 0, 0),
        ("parents", 1, 1),
        ("parents", 1, -2),
        ("keys", 0, -1),
        ("keys", 0, 30_000),
        ("tags", 0, len(TAGS) + 1),
        ("inner", 0, 255),
        ("words", 0, KNOWN_WORDS),
        ("words", 0, -1),
        ("word_stops", 0, -1),
        ("word_stops", 0, 30_000),
        ("word_stops", -1, 0),
    ],
)
def test_indices_out_of_range_are_rejected(name: str, at: int, value: int) -> None:
    changed = getattr(small(), name).copy()
    changed[at] = value
    with pytest.raises(ValueError, match="index out of range"):
        default().score(with_field(name, changed))


@in_one_test("name", [field.name for field in fields(PageArrays)][:19])
@in_one_test("data", [b"", bytes(4), bytes(7), bytes(1 << 12)], ids=["none", "4", "7", "4096"])
def test_fields_of_other_lengths_are_rejected(name: str, data: bytes) -> None:
    with pytest.raises(ValueError, match=MISFITS):
        default().score(with_field(name, data))
    with pytest.raises(ValueError, match=MISFITS):
        default().scorer.compute_features(with_field(name, data))


def test_other_types_are_rejected() -> None:
    counts = list_counts(small())
    with pytest.raises(ValueError, match="not 18"):
        default().score(counts[:-1])
    with pytest.raises(TypeError):
        default().score(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        default().score((*counts[:-1], 5))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        default().score((*counts[:-1], "facts"))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=MISFITS):  # not aligned
        default().score((memoryview(bytes(5) + counts[0])[5:], *counts[1:]))  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["title", "targets", "facts"])
def test_nan_and_infinity_do_no_harm(name: str, value: float) -> None:
    changed = np.full_like(getattr(small(), name), value)
    try:
        mine = default().score(with_field(name, changed))
    except BadInput:
        return
    assert all(np.isfinite(np.frombuffer(each, np.float32)).all() for each in mine[:3])


def test_any_numbers_do_no_harm() -> None:
    """Counts are not used as indices."""
    for value in (0, 1 << 31, (1 << 31) - 1, (1 << 32) - 1):
        for name in ("counts", "sentences", "links", "leaves", "copies", "between", "names"):
            shape = getattr(small(), name).shape
            try:
                default().score(with_field(name, np.full(shape, value, np.uint32)))
            except BadInput:
                continue


# --- weights --------------------------------------------------------------------------------------------------------------


def make_network(change: Any = None, **config: Any) -> Network:
    """Return the default network, changed."""
    weights = default_weights()
    arrays = dict(weights.arrays)
    if change:
        change(arrays)
    return Network(Weights({**weights.about, "config": {**weights.about["config"], **config}}, arrays))


def make_sized(width: int, size: int, part: int) -> Network:
    """Return a network of another size with random weights."""

    def resize(w: dict[str, Any]) -> None:
        r = np.random.default_rng(7)
        tag, word = w["tag.weight"].shape[1], w["word.weight"].shape[1]
        shapes = {
            "element": (size, 28 + tag + word),
            "block": (width, 74 + tag + 6 * size),
            "page": (width, 28),
            "inside": (part, width),
            "tree": (part, part + size),
            "back": (width, 7 * part),
            "whole": (width, 2 * width),
            "keep": (1, width),
            "comment": (1, width),
            "kind": (8, width),
            **{f"{name}.mix": (width, 3 * width) for name in ("near.0", "near.1", "last.0")},
        }
        for name, shape in shapes.items():
            w[f"{name}.weight"] = (r.normal(size=shape) / np.sqrt(shape[1])).astype(np.float32)
            w[f"{name}.bias"] = r.normal(size=shape[0]).astype(np.float32) / 9

    return make_network(resize)


def test_the_packed_default_is_the_default() -> None:
    """If this fails, run `python -m scripts.make.packed_network`."""
    assert (ROOT / "src" / "bonmun" / "models" / "network" / DEFAULT_FILE).read_bytes() == pack_network(
        default_network()
    )


@pytest.mark.parametrize("sizes", [(64, 24, 24), (100, 24, 24), (8, 1, 3), (72, 30, 17), (33, 64, 90)], ids=str)
def test_networks_of_any_size(sizes: tuple[int, int, int]) -> None:
    network = make_sized(*sizes)
    packed = make_packed(network)
    for seed in range(3):
        compare_scores(make_arrays(seed, 60, 40), network, packed)


@pytest.mark.parametrize("steps", [(1, 2), (7, 500), (30_000, 1)], ids=str)
def test_steps_of_any_length(steps: tuple[int, int]) -> None:
    network = make_network(dilations=list(steps))
    packed = make_packed(network)
    for blocks in (1, 2, 7, 90):
        compare_scores(make_arrays(blocks, blocks, blocks), network, packed)


def test_weights_that_are_too_large_raise() -> None:
    def enlarge(w: dict[str, Any]) -> None:
        for name in w:
            if name.endswith("weight"):
                w[name] = w[name] * np.float32(1e12)

    network = make_network(enlarge)
    packed = make_packed(network)
    with pytest.raises(BadInput, match="too large"):
        network.scores(small())
    with pytest.raises(BadInput, match="too large"):
        packed.score(list_counts(small()))


def test_networks_for_boxes_use_the_reference() -> None:
    with pytest.raises(ValueError, match="boxes"):
        pack_network(boxes_network())


def test_the_settings_in_a_model_file() -> None:
    packed, network = default(), default_network()
    assert (packed.habits, packed.hosts) == (network.habits, network.hosts)
    for at in [-1, 0, 0.534, 1, 2, *np.random.default_rng(1).random(500).tolist()]:
        assert packed.confidence(at) == network.confidence(at)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=9), st.floats(-1, 2))
def test_interpolation_is_that_of_numpy(knots: list[tuple[float, float]], at: float) -> None:
    places, values = sorted({knot[0] for knot in knots}), [knot[1] for knot in knots]
    values = values[: len(places)]
    with np.errstate(all="ignore"):
        expected = float(np.interp(at, places, values))
    assert interpolate(at, places, values) == pytest.approx(expected, rel=1e-12, abs=1e-300, nan_ok=True)


def change_packed(old: bytes, new: bytes) -> bytes:
    data = pack_network(default_network())
    assert data.count(old) >= 1
    assert len(old) == len(new)
    return data.replace(old, new, 1)


@pytest.mark.parametrize(
    "change",
    [
        (b"bonmun network 1", b"bonmun network 2"),
        (b'"letters_to_mean",1', b'"letters_to_meaN",1'),  # a column of another name
        (b'"characters",12', b'"characters",13'),
        (b'"owners","inner"', b'"inner","owners"'),
        (b'"element":[0,28,40,40]', b'"element":[2,28,40,40]'),
        (b'"element":[0,28,40,40]', b'"element":[0,28,48,48]'),
        (b'"element":[0,28,40,40]', b'"element":[9,99,40,40]'),
        (b'"element":[0,28,40,40]', b'"element":[0,28,40,8.]'),
        (b'"BLANK":4', b'"BLANK":-'),
        (b'"BLANK":4', b'"BLANC":4'),
        (b'"LINE":11', b'"LINE":12'),
        (b'"near":[1,4]', b'"near":[0,4]'),
        (b'"near":[1,4]', b'"near":{"a"}'),
        (b'"LEVELS":6', b'"LEVELS":7'),
    ],
    ids=lambda change: change[1].decode(),
)
def test_invalid_packed_networks_are_rejected(change: tuple[bytes, bytes]) -> None:
    with pytest.raises(ValueError, match=REFUSALS):
        open_packed(change_packed(*change))


@pytest.mark.parametrize("size", [0, 5, 20, 500, 5000, 100_000, -64])
def test_truncated_packed_networks_are_rejected(size: int) -> None:
    with pytest.raises(ValueError, match=REFUSALS):
        open_packed(pack_network(default_network())[:size])


def change_about(**values: object) -> bytes:
    """Return the default network with other settings; MAGIC is followed by their length and JSON."""
    data = pack_network(default_network())
    start = len(MAGIC) + 4
    stop = start + int.from_bytes(data[len(MAGIC) : start], "little")
    about = json.dumps(json.loads(data[start:stop]) | values).encode()
    head = MAGIC + len(about).to_bytes(4, "little") + about
    return head + bytes(-len(head) % ALIGNMENT) + data[-(-stop // ALIGNMENT) * ALIGNMENT :]


@pytest.mark.parametrize("confidence", [[True, True], [[], []], [[0.0, 1.0], [0.5]], [["x"], ["y"]], None])
def test_packed_networks_without_a_table_of_confidences_are_rejected(confidence: object) -> None:
    assert open_packed(change_about()).confidence(0.9)
    with pytest.raises(ValueError, match=r"confidences|this version|could not convert"):
        open_packed(change_about(confidence=confidence))


def test_deeply_nested_packed_networks_are_rejected() -> None:
    with pytest.raises(ValueError, match=REFUSALS):
        open_packed(MAGIC + (200_000).to_bytes(4, "little") + b"[" * 200_000)


@pytest.mark.parametrize("data", [None, b"", b"bonmun network 1", b"not a network"])
def test_a_damaged_default_is_reported(data: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if data is not None:
        (tmp_path / DEFAULT_FILE).write_bytes(data)
    monkeypatch.setattr("bonmun.models.network.packed.__file__", str(tmp_path / "packed.py"))
    with pytest.raises(BadInput, match="install bonmun again"):
        open_default.__wrapped__()


def test_the_default_needs_no_numpy() -> None:
    code = (
        "import sys; from bonmun.models.network.packed import open_default; open_default(); "
        "sys.exit('numpy' in sys.modules or 'bonmun.models.network.labeller' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
