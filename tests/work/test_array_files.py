"""Files of arrays: they can be read back, and anything else is rejected with a clear message."""

from __future__ import annotations

import io
import json
import pickle
import re
import struct
import tracemalloc
import zipfile
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bonmun import Page, SiteModel, extract
from bonmun.document import Document
from bonmun.errors import BadInput
from bonmun.lab.train.samples.sample_files import Sample, load_samples, save_samples
from bonmun.metadata.ranking import load_default_rankers, load_rankers, save_rankers
from bonmun.models.features.count_page import count_page
from bonmun.models.network.labeller import Network, default_weights, save_weights
from bonmun.options import Options
from bonmun.text.grams import CorpusGrams
from bonmun.work.array_files import READ_ERRORS, load_arrays, read_json, save_arrays

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    Members = dict[str, bytes]

SENTENCE = "Some words that are long enough to be read as a paragraph of text, which goes on for a while."
MANY = f"<html class=a><h1>A page</h1>{f'<p class=text>{SENTENCE}</p>' * 30}<script></script>"


def make_model(path: Path) -> None:
    save_weights(default_weights(), path)


def make_sites(path: Path) -> None:
    SiteModel.fit([Page.parse(f"<p>Menu</p><p>{n}") for n in range(5)], site="a").save(path)


def make_samples(path: Path) -> None:
    arrays = count_page(Page.parse(MANY))
    n = len(arrays.owners)
    keep, comment, sizes = np.ones(n, np.float32), np.zeros(n, np.int8), np.ones(n, np.int32)
    save_samples([Sample(arrays, keep, comment, sizes, (1, 1, 1), "a", "b", "c", None, None)], path)


FILES: dict[str, tuple[Callable[[Path], object], Callable[[Path], object]]] = {
    "model": (make_model, lambda path: extract(MANY, options=Options(model=path))),
    "sites": (make_sites, SiteModel.load),
    "grams": (lambda path: CorpusGrams.count(["abc", "abd"]).save(path), CorpusGrams.load),
    "facts": (lambda path: save_rankers(load_default_rankers(), path), load_rankers),
    "samples": (make_samples, load_samples),
}
on_every_file = pytest.mark.parametrize("kind", FILES)


def describe(loaded: Any) -> object:
    """Return what can be compared of a loaded file."""
    return (loaded.text, list(loaded.labels.scores)) if isinstance(loaded, Document) else pickle.dumps(loaded)


def npy(array: NDArray[Any], **header: Any) -> bytes:
    """Return an array as an .npy file, whose header may be wrong."""
    file = io.BytesIO()
    if header:
        true = {"descr": np.lib.format.dtype_to_descr(array.dtype), "fortran_order": False, "shape": array.shape}
        np.lib.format.write_array_header_1_0(file, true | header)
        return file.getvalue() + array.tobytes()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def pack(members: Members, how: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", how) as packed:
        for name, data in members.items():
            packed.writestr(name, data)
    return file.getvalue()


@cache
def bomb(lying: bool) -> bytes:
    """Return 400 MB of zeros, compressed, with the true size or a size of 100 in the header."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        with packed.open("bomb.npy", "w", force_zip64=False) as member:
            member.write(npy(np.zeros(0, np.uint8), shape=(400_000_000,)))
            for _ in range(400):
                member.write(bytes(1_000_000))
        size = packed.infolist()[0].file_size
    data = file.getvalue()
    return data.replace(struct.pack("<L", size), struct.pack("<L", 100)) if lying else data


def first_of_numbers(members: Members) -> str:
    return next(name for name in members if not name.startswith(("about", "facts", "title.signs")))


def change(members: Members, data: Callable[[Any], bytes]) -> Members:
    name = first_of_numbers(members)
    return members | {name: data(np.load(io.BytesIO(members[name])))}


HOSTILE: dict[str, Callable[[Members], bytes]] = {
    "nothing": lambda _: b"",
    "no member": lambda _: pack({}),
    "one is missing": lambda old: pack({name: old[name] for name in old if name != first_of_numbers(old)}),
    "lzma": lambda old: pack(old, zipfile.ZIP_LZMA),
    "bzip2": lambda old: pack(old, zipfile.ZIP_BZIP2),
    "damaged lzma": lambda old: pack(old, zipfile.ZIP_LZMA)[:90] + b"\xff" * 40 + pack(old, zipfile.ZIP_LZMA)[130:],
    "huge shape": lambda old: pack(change(old, lambda array: npy(array, shape=(2**40,)))),
    "many dimensions": lambda old: pack(change(old, lambda array: npy(array, shape=(1,) * 99 + (array.size,)))),
    "overflow": lambda old: pack(change(old, lambda array: npy(array, shape=(2**32, 2**32)))),
    "negative shape": lambda old: pack(change(old, lambda array: npy(array, shape=(-1, -array.size)))),
    "another shape": lambda old: pack(change(old, lambda array: npy(np.zeros((3, 5, 2), array.dtype)))),
    "objects": lambda old: pack(change(old, lambda array: npy(np.array([{}] * max(array.size, 1))))),
    "pickle": lambda old: pack(change(old, lambda _: b"\x80\x04K\x01.")),
    "texts": lambda old: pack(change(old, lambda array: npy(np.full(array.shape, "a")))),
    "complex": lambda old: pack(change(old, lambda array: npy(np.full(array.shape, 1j)))),
    "times": lambda old: pack(change(old, lambda array: npy(np.full(array.shape, "2026-01-01", "M8[s]")))),
    "records": lambda old: pack(change(old, lambda array: npy(np.zeros(array.shape, [("a", "f4"), ("b", "f4")])))),
    "inf": lambda old: pack(change(old, lambda array: npy(np.full(array.shape, np.inf, np.float32)))),
    "nan": lambda old: pack(change(old, lambda array: npy(np.full(array.shape, np.nan, np.float16)))),
    "rubbish behind the numbers": lambda old: pack(change(old, lambda array: npy(array) + b"rubbish")),
    "another version": lambda old: pack(
        change(old, lambda array: npy(array).replace(b"\x93NUMPY\x01", b"\x93NUMPY\x09"))
    ),
    "bomb": lambda _: bomb(False),
    "lying bomb": lambda _: bomb(True),
}


@pytest.mark.slow
@on_every_file
@pytest.mark.parametrize("name", HOSTILE)
def test_invalid_files_are_rejected_with_one_sentence_and_little_memory(tmp_path: Path, kind: str, name: str) -> None:
    make, load = FILES[kind]
    make(tmp_path / "good")
    load(tmp_path / "good")
    with zipfile.ZipFile(tmp_path / "good") as packed:
        members = {each: packed.read(each) for each in packed.namelist()}
    path = tmp_path / "hostile"
    path.write_bytes(HOSTILE[name](members))
    is_traced = "bomb" in name or "shape" in name
    if is_traced:
        tracemalloc.start()
    try:
        with pytest.raises(BadInput) as told:
            load(path)
        peak = tracemalloc.get_traced_memory()[1] if is_traced else 0
    finally:
        tracemalloc.stop()
    assert re.fullmatch(r"'.*hostile' .*[^.]\.", str(told.value))
    assert peak < 150_000_000


@on_every_file
def test_extra_bytes_around_a_file_are_rejected_or_change_nothing(tmp_path: Path, kind: str) -> None:
    make, load = FILES[kind]
    make(tmp_path / "good")
    good = (tmp_path / "good").read_bytes()
    expected = describe(load(tmp_path / "good"))
    for each in (good + b"rubbish", b"rubbish" + good, good + good, good + bytes(100_000)):
        (tmp_path / "odd").write_bytes(each)
        try:
            found = describe(load(tmp_path / "odd"))
        except BadInput:
            continue
        assert found == expected


def test_arrays_are_read_back(tmp_path: Path) -> None:
    arrays: dict[str, Any] = {
        "a": np.arange(6, dtype=np.uint64).reshape(2, 3),
        "b": np.array([0.5, -1e30], np.float32),
        "c": np.asfortranarray(np.arange(6, dtype=np.int8).reshape(2, 3)),
        "d": np.int64(3),
        "e.json": np.empty((0, 2), np.float16),
    }
    save_arrays(tmp_path / "a", arrays)
    with (tmp_path / "a").open("rb") as file:
        again = load_arrays(file)
    assert list(again) == list(arrays)
    for name, array in arrays.items():
        assert again[name].dtype == array.dtype
        assert np.array_equal(again[name], array)
        assert again[name].shape == array.shape


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", '{"a": -Infinity}', "1e999", "[-1e400]", "{", "[" * 100_000, ""])
def test_json_with_nan_or_infinity_is_rejected(text: str) -> None:
    with pytest.raises(READ_ERRORS):
        read_json(np.frombuffer(text.encode(), np.uint8))
    assert read_json(np.frombuffer(b'{"a": [1, 0.5, null]}', np.uint8)) == {"a": [1, 0.5, None]}


# --- what only a model can get wrong -----------------------------------------------------------------------------------


def save_changed(path: Path, about: dict[str, Any], arrays: dict[str, Any]) -> Path:
    weights = default_weights()
    weights.about.update(about)
    columns: dict[str, Any] = {**weights.arrays, **arrays}
    columns["about.json"] = np.frombuffer(json.dumps({"format": 1, **weights.about}).encode(), np.uint8)
    save_arrays(path, columns)
    return path


CONFIG = default_weights().about["config"]
ABOUTS: dict[str, dict[str, Any]] = {
    "confidence": {"confidence": None},
    "texts": {"confidence": [["a"], ["b"]]},
    "lengths": {"confidence": [[0.1, 0.2], [0.1]]},
    "no knots": {"confidence": [[], []]},
    "nan": {"confidence": [[float("nan")], [0.5]]},
    "config": {"config": []},
    "no steps": {"config": CONFIG | {"dilations": [0] * len(CONFIG["dilations"])}},
    "steps back": {"config": CONFIG | {"last": [-1] * len(CONFIG["last"])}},
    "steps in words": {"config": CONFIG | {"dilations": ["a"] * len(CONFIG["dilations"])}},
    "endless steps": {"config": CONFIG | {"dilations": [1] * 1000}},
}


@pytest.mark.parametrize("about", ABOUTS.values(), ids=ABOUTS)
def test_a_model_with_invalid_settings_is_rejected(tmp_path: Path, about: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="is not a model for this version of bonmun: make one with `bonmun train`"):
        extract(MANY, options=Options(model=save_changed(tmp_path / "a", about, {})))


@pytest.mark.slow
@pytest.mark.parametrize("name", default_weights().arrays)
def test_weights_of_another_shape_are_rejected(tmp_path: Path, name: str) -> None:
    path = save_changed(tmp_path / "a", {}, {name: np.ones((7, 3), np.float32)})
    with pytest.raises(BadInput, match="is not a model for this version of bonmun: make one with `bonmun train`"):
        extract(MANY, options=Options(model=path))


@pytest.mark.slow
@pytest.mark.parametrize("value", [-1e38, 65504])
def test_weights_that_are_too_large_never_give_nan(tmp_path: Path, value: float) -> None:
    weights = default_weights().arrays
    for name in weights:
        path = save_changed(tmp_path / name, {}, {name: np.full(weights[name].shape, value, np.float32)})
        try:
            said = extract(MANY, options=Options(model=path)).render("json")
        except BadInput:
            continue
        assert "NaN" not in said
        assert "Infinity" not in said


def test_a_network_without_an_answer_raises() -> None:
    weights = default_weights()
    weights.arrays["kind.bias"] = np.full_like(weights.arrays["kind.bias"], 1e38)
    with pytest.raises(BadInput, match="weights are too large"):
        Network(weights).scores(count_page(Page.parse(MANY)))
