"""Sample files: they are read back unchanged, and written atomically."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bonmun.errors import BadInput
from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.examples import Example
from bonmun.lab.train.samples.sample_files import Sample, load_samples, save_samples
from bonmun.lab.train.samples.samples import make_sample
from bonmun.models.features.page_arrays import PageArrays
from bonmun.models.features.tags import TAGS
from samples import ROOT, small_disk

if TYPE_CHECKING:
    from pathlib import Path

HALF = 2**-10  # half precision


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    """Return five pages: every other one without gold, every third with site columns."""
    found = []
    for number, example in enumerate(read_dataset(ROOT / "tests" / "pages", 5)):
        sample = make_sample(replace(example, text=None) if number % 2 else example, "pages")
        assert sample is not None
        if number % 3 == 0:
            shares = np.linspace(0, 1, 2 * len(sample.keep), dtype=np.float32).reshape(-1, 2)
            sample = replace(sample, arrays=replace(sample.arrays, site=shares))
        found.append(sample)
    return found


def same(one: Sample, other: Sample) -> None:
    """Return whether two samples are equal; floats nearly."""
    for field in fields(PageArrays):
        ours, theirs = getattr(one.arrays, field.name), getattr(other.arrays, field.name)
        if ours is None:
            assert theirs is None
            continue
        assert (theirs.dtype, theirs.shape) == (ours.dtype, ours.shape), field.name
        np.testing.assert_allclose(theirs, ours, rtol=HALF, atol=1e-6, err_msg=field.name)
    for name in ("keep", "comment", "sizes"):
        ours, theirs = getattr(one, name), getattr(other, name)
        assert (theirs.dtype, theirs.shape) == (ours.dtype, ours.shape), name
        np.testing.assert_allclose(theirs, ours, rtol=HALF, atol=1e-6, err_msg=name)
    for name in ("gold", "id", "source", "site", "lang", "kind", "labelled"):
        assert getattr(other, name) == getattr(one, name), name


def test_sample_file_round_trip(samples: list[Sample], tmp_path: Path) -> None:
    assert [sample.labelled for sample in samples] == [True, False, True, False, True]
    assert [sample.arrays.site is None for sample in samples] == [False, True, True, False, True]
    save_samples(samples, tmp_path / "samples.npz")
    again = load_samples(tmp_path / "samples.npz")
    assert len(again) == len(samples)
    for one, other in zip(samples, again, strict=True):
        same(one, other)


@pytest.mark.parametrize("row", [0, 1])
def test_one_sample_with_or_without_site_columns(row: int, samples: list[Sample], tmp_path: Path) -> None:
    save_samples(samples[row : row + 1], tmp_path / "one")
    (again,) = load_samples(tmp_path / "one")
    same(samples[row], again)


def test_unknown_labels_stay_unknown(samples: list[Sample], tmp_path: Path) -> None:
    keep = samples[0].keep.copy()
    keep[::2] = -1
    save_samples([replace(samples[0], keep=keep)], tmp_path / "one")
    (again,) = load_samples(tmp_path / "one")
    assert (again.keep[::2] == -1).all()
    assert ((again.keep < 0) == (keep < 0)).all()


def test_large_numbers_round_trip(tmp_path: Path) -> None:
    """70,000 letters in one block are more than two bytes can say."""
    sample = make_sample(Example("long", f"<p>{'word ' * 14_000}</p>", None), "one")
    assert sample is not None
    save_samples([sample], tmp_path / "one")
    (again,) = load_samples(tmp_path / "one")
    assert again.arrays.counts.tolist() == sample.arrays.counts.tolist()
    assert again.arrays.counts.sum() > 0x10000
    assert again.sizes.tolist() == [14_000]


def test_saving_is_reproducible(samples: list[Sample], tmp_path: Path) -> None:
    save_samples(samples, tmp_path / "one")
    once = load_samples(tmp_path / "one")
    save_samples(once, tmp_path / "two")
    for one, other in zip(once, load_samples(tmp_path / "two"), strict=True):
        same(one, other)
        assert one.keep.tolist() == other.keep.tolist()
        assert one.arrays.facts.tolist() == other.arrays.facts.tolist()


def test_full_disk_keeps_the_older_file(samples: list[Sample], tmp_path: Path) -> None:
    path = tmp_path / "samples.npz"
    save_samples(samples[:1], path)
    before = path.read_bytes()
    with pytest.raises(OSError, match="File too large"), small_disk():
        save_samples(samples, path)
    assert path.read_bytes() == before


def test_no_partial_file_is_left(samples: list[Sample], tmp_path: Path) -> None:
    with pytest.raises(OSError, match="File too large"), small_disk():
        save_samples(samples, tmp_path / "samples.npz")
    assert [file.name for file in tmp_path.iterdir()] == []


def test_file_name_gets_no_suffix(samples: list[Sample], tmp_path: Path) -> None:
    save_samples(samples[:1], tmp_path / "kept")
    assert [file.name for file in tmp_path.iterdir()] == ["kept"]


def without(path: Path, column: str) -> None:
    """Remove a column from a file."""
    with np.load(path) as saved:
        columns = {name: saved[name] for name in saved.files if name.split(".")[0] != column}
    with path.open("wb") as file:
        np.savez(file, **columns)


@pytest.mark.parametrize("column", ["keys", "inner", "sizes"])
def test_file_of_another_version_is_refused(column: str, samples: list[Sample], tmp_path: Path) -> None:
    save_samples(samples[:1], tmp_path / "one")
    without(tmp_path / "one", column)
    with pytest.raises(BadInput, match="is not a file of samples: remove it, or name another file"):
        load_samples(tmp_path / "one")


def test_tags_and_names_round_trip(tmp_path: Path) -> None:
    html = "<div class=a><p class=b id=c><em>One</em> two</p><p class=b>Three</p></div>"
    sample = make_sample(Example("page", html, "Three"), "one")
    assert sample is not None
    save_samples([sample, sample], tmp_path / "two")
    for again in load_samples(tmp_path / "two"):
        assert again.arrays.inner.tolist() == [TAGS.index(tag) + 1 for tag in ("em", "p")]
        assert again.arrays.inner.dtype == np.uint8
        assert again.arrays.names.tolist() == [0, 0, 1, 2, 2]
        assert again.arrays.keys.tolist() == [0, 0, 1, 2, 3]


def test_empty_sample_file(tmp_path: Path) -> None:
    save_samples([], tmp_path / "none")
    assert load_samples(tmp_path / "none") == []
