"""Cross-validation by site: the fold of a site, and models that were trained without the site of a page."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bonmun import extract
from bonmun.errors import BadConfig
from bonmun.lab.evaluate.systems import unseen as folds
from bonmun.lab.evaluate.systems.systems import SYSTEMS, choose_systems
from bonmun.lab.evaluate.systems.unseen import find_model, find_rankers, run_unseen
from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.examples import Example
from bonmun.lab.gold.folds import FOLDS, find_fold, find_site
from bonmun.metadata import ranking
from bonmun.models.network.labeller import Weights, default_weights, save_weights
from bonmun.options import Options
from bonmun.work.array_files import save_arrays
from samples import ROOT, save

if TYPE_CHECKING:
    from samples import Bonmun

NEWS = next(example for example in read_dataset(ROOT / "tests" / "pages") if example.id == "en-news")
# A site of each fold.
SITES = ("h.example", "g.example", "a.example", "e.example", "b.example")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One model per fold: the default weights with a growing bias, so that each keeps more of a page."""
    folder = tmp_path_factory.mktemp("folds")
    weights = default_weights()
    for fold in range(FOLDS):
        bias = weights.arrays["keep.bias"] + 6 * (fold - 2)
        save_weights(Weights(weights.about, weights.arrays | {"keep.bias": bias}), folder / f"fold-{fold}.npz")
    return folder


def write_rankers(folder: Path) -> None:
    """Write the default metadata rankers for each fold; only those of the first fold ever find a value."""
    with np.load(Path(ranking.__file__).with_name("weights.npz")) as saved:
        arrays = {name: saved[name] for name in saved.files}
    for fold in range(FOLDS):
        never = {f"{field}.none": np.float32(1e9) for field in ("title", "author", "date")} if fold else {}
        save_arrays(folder / f"facts-{fold}.npz", arrays | never)


# --- folds -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("site", "fold"),
    [("", 0), ("a.example", 2), ("blog.geulmaru.example", 1), ("글마루.example", 2), ("123456789", 0xCBF43926 % 5)],
)
def test_the_fold_of_a_site_never_changes(site: str, fold: int) -> None:
    """Otherwise, models that were trained without a fold would become useless."""
    assert find_fold(site) == fold


def test_there_is_a_site_of_each_fold() -> None:
    assert [find_fold(site) for site in SITES] == [0, 1, 2, 3, 4]


def test_folds_are_about_the_same_size() -> None:
    counts = [0] * FOLDS
    for number in range(2000):
        counts[find_fold(f"site-{number}.example")] += 1
    assert all(350 < count < 450 for count in counts)


def test_the_site_of_a_page() -> None:
    page = Example("0001", "", "", url="https://www.a.example:8080/x?y", site="a.example")
    assert find_site(page) == "a.example"
    assert find_site(replace(page, site=None)) == "www.a.example"
    assert find_site(replace(page, site=None, url=None)) == "0001"
    assert find_site(replace(page, site=None, url="no address")) == "0001"


# --- models ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_full", [False, True])
def test_a_page_is_labelled_by_the_model_of_its_fold(is_full: bool, models: Path) -> None:
    texts = set()
    for fold, site in enumerate(SITES):
        page = replace(NEWS, site=site)
        answer = run_unseen(page, models, is_full=is_full)
        doc = extract(page.html, page.url, options=Options(model=models / f"fold-{fold}.npz"))
        assert answer.text == doc.text
        texts.add(answer.text)
        if is_full:
            assert (answer.title, answer.author, answer.date) == (None, None, None)
            assert answer.leaves is not None
            assert len(answer.leaves) == sum(len(block.leaves) for block in doc.blocks)
    assert len(texts) >= 3  # the models differ


def test_auto_uses_the_model_trained_without_the_site(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[Any] = []

    def extract_and_record(page: Any, url: str | None, *, options: Options) -> Any:
        used.append(options.model)
        return extract(page, url, options=options)

    monkeypatch.setattr(folds, "extract", extract_and_record)
    (auto, oracle), missing = choose_systems(["auto"], [], folds=models)
    assert (auto.name, auto.group, oracle.name, missing) == ("auto", "method", "oracle", [])
    assert auto.fields == ()  # there are no metadata rankers
    assert auto.run_full is not None
    for fold, site in enumerate(SITES):
        page = replace(NEWS, site=site)
        assert auto.run(page).text == auto.run_full(page).text
        assert used[-2:] == [models / f"fold-{fold}.npz"] * 2


def test_metadata_comes_from_rankers_trained_without_the_site(models: Path, tmp_path: Path) -> None:
    for path in models.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    before = choose_systems(["auto"], [], folds=tmp_path)[0][0].version()
    write_rankers(tmp_path)
    find_rankers.cache_clear()
    ((auto, _), _) = choose_systems(["auto"], [], folds=tmp_path)
    assert auto.fields == SYSTEMS["auto"].fields
    assert auto.version() != before
    assert auto.run_full is not None
    answers = [auto.run_full(replace(NEWS, site=site)) for site in SITES]
    assert [bool(answer.title and answer.date) for answer in answers] == [True, False, False, False, False]
    assert answers[0].title == NEWS.title


def test_only_auto_is_cross_validated(models: Path) -> None:
    systems, _ = choose_systems(["rules", "auto", "density"], ["all-text"], folds=models)
    assert [system.name for system in systems] == ["rules", "auto", "density", "all-text", "oracle"]
    assert [system for system in systems if system is not SYSTEMS[system.name]] == [systems[1]]
    assert choose_systems(["auto"], [])[0][0] is SYSTEMS["auto"]


def test_the_version_depends_on_all_models(models: Path, tmp_path: Path) -> None:
    """Answers are cached by version."""
    ((auto, _), _) = choose_systems(["auto"], [], folds=models)
    ours = SYSTEMS["auto"].version()
    assert re.fullmatch(rf"{re.escape(ours)}\.[0-9a-f]{{8}}", auto.version())
    for fold in range(FOLDS):
        (tmp_path / f"fold-{fold}.npz").write_bytes((models / f"fold-{fold}.npz").read_bytes())
    assert choose_systems(["auto"], [], folds=tmp_path)[0][0].version() == auto.version()
    (tmp_path / "fold-4.npz").write_bytes((models / "fold-0.npz").read_bytes())
    assert choose_systems(["auto"], [], folds=tmp_path)[0][0].version() != auto.version()


# --- missing models --------------------------------------------------------------------------------------------------


def test_a_missing_model_is_reported_with_a_command(models: Path, tmp_path: Path) -> None:
    for fold in (0, 1, 2, 4):
        (tmp_path / f"fold-{fold}.npz").write_bytes((models / f"fold-{fold}.npz").read_bytes())
    path, folder = re.escape(str(tmp_path / "fold-3.npz")), re.escape(str(tmp_path))
    says = rf"^{path}: no such file; make it with `bonmun train DATA --from nothing --folds {folder}`\.$"
    with pytest.raises(BadConfig, match=says):
        choose_systems(["auto"], [], folds=tmp_path)
    with pytest.raises(BadConfig, match=says):
        run_unseen(replace(NEWS, site=SITES[3]), tmp_path)
    assert run_unseen(replace(NEWS, site=SITES[2]), tmp_path).text
    (tmp_path / "fold-3.npz").write_bytes(b"")  # a missing file is not cached
    assert find_model(tmp_path, 3) == tmp_path / "fold-3.npz"


def test_folds_are_for_auto(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match="add auto to the measured methods"):
        choose_systems(["rules"], [], folds=tmp_path)


@pytest.mark.slow
def test_bench_with_folds(bonmun: Bonmun, models: Path) -> None:
    rows = [{"id": site, "html": NEWS.html, "text": NEWS.text, "site": site} for site in SITES]
    save("set.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    options = ["set.jsonl", "--timed", "0", "--workers", "1", "--cache", "kept"]
    tables = []
    for more in ([], ["--folds", str(models)]):
        result = bonmun("bench", *options, *more)
        assert (result.stderr, result.exit_code) == ("", 0)
        tables.append(result.stdout)
    plain, crossed = (next(line.split() for line in table.splitlines() if line.startswith("auto")) for table in tables)
    assert plain[4] == plain[6]  # the same page five times has the same F1 five times
    assert crossed[4] != crossed[6]  # with five models, F1 differs


def test_bench_with_missing_folds(bonmun: Bonmun) -> None:
    save("set.jsonl", f"{json.dumps({'id': 'p', 'html': NEWS.html, 'text': NEWS.text})}\n")
    result = bonmun("bench", "set.jsonl", "--folds", "none", "--timed", "0", "--cache", "kept")
    path = Path("none") / "fold-0.npz"
    assert result.stderr == (
        f"bonmun: {path}: no such file; make it with `bonmun train DATA --from nothing --folds none`.\n"
    )
    assert (result.stdout, result.exit_code) == ("", 2)
