"""Methods with custom weights or a custom favour, next to the same methods with their defaults."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bonmun.algorithms.tuned import find_tuned
from bonmun.compare import compare
from bonmun.errors import BadConfig
from bonmun.lab.evaluate.systems.systems import SYSTEMS, choose_systems
from bonmun.lab.gold.examples import Example
from bonmun.options import Favour, Options
from bonmun.page import Page
from samples import ROOT

WEIGHTS = ROOT / "src/bonmun/models/network/default.npz"
LINE = "The old lighthouse at the end of the village was lit again last night, after thirty dark years. "
HTML = f"<title>Light</title><h1>Light</h1><p>{LINE * 3}</p><ul><li>Home<li>News</ul>"


def test_untuned_methods_are_not_duplicated() -> None:
    assert find_tuned(["auto", "rules"], Options()) is None


def test_the_method_that_accepts_it_is_found(tmp_path: Path) -> None:
    mine = Path(shutil.copy(WEIGHTS, tmp_path / "mine.npz"))
    cases: list[tuple[list[str], Path | None, Favour, str]] = [
        (["rules", "auto", "sequence"], mine, "recall", "auto:mine.npz:recall"),
        (["auto"], mine, "balanced", "auto:mine.npz"),
        (["all", "auto"], None, "precision", "auto:precision"),
    ]
    for names, model, favour, name in cases:
        found = find_tuned(names, Options(model=model, favour=favour))
        assert found is not None
        assert found.name == name


@pytest.mark.parametrize(
    ("names", "model", "favour", "says"),
    [
        (["rules", "all"], WEIGHTS, "balanced", "Of rules, all, none takes model: name one with --method"),
        (["sequence", "web2text"], WEIGHTS, "balanced", "more than one takes model"),
        (["sequence"], WEIGHTS, "recall", "none takes model and favour"),
        (["auto"], None, "speed", "favour must be one of precision, balanced, recall"),
        (["auto"], Path("no.npz"), "balanced", "no.npz"),
        (["sequence"], WEIGHTS, "balanced", "default.npz"),
    ],
)
def test_invalid_combinations_are_rejected(names: list[str], model: Path | None, favour: Favour, says: str) -> None:
    with pytest.raises(BadConfig, match=says):
        find_tuned(names, Options(model=model, favour=favour))


def test_a_model_is_measured_in_a_separate_row(tmp_path: Path) -> None:
    mine = Path(shutil.copy(WEIGHTS, tmp_path / "mine.npz"))
    (auto, tuned, oracle), _ = choose_systems(["auto"], [], options=Options(model=mine, favour="recall"))
    assert (auto, tuned.name, oracle.name) == (SYSTEMS["auto"], "auto:mine.npz:recall", "oracle")
    assert tuned.fields == auto.fields
    example = Example(id="a", html=HTML, text=LINE, title="Light", markdown=LINE)
    assert LINE.strip() in tuned.run(example).text
    assert tuned.run_full is not None
    assert tuned.run_full(example).title == "Light"
    assert tuned.markdown is not None
    assert LINE.strip() in tuned.markdown(example)
    versions = {auto.version(), tuned.version()}
    mine.write_bytes(mine.read_bytes() + b" ")
    versions.add(choose_systems(["auto"], [], options=Options(model=mine, favour="recall"))[0][1].version())
    versions.add(choose_systems(["auto"], [], options=Options(favour="recall"))[0][1].version())
    assert len(versions) == 4  # cached answers of one are not used for another


def test_models_and_folds_are_not_measured_together(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match="Measure them in separate runs"):
        choose_systems(["auto"], [], folds=tmp_path, options=Options(model=WEIGHTS))


def test_a_model_is_compared_with_the_default() -> None:
    found = compare(Page.parse(HTML), ["rules", "auto"], options=Options(model=WEIGHTS))
    assert [result.method for result in found.results] == ["rules", "auto", "auto:default.npz"]
    assert found.agreement[2][1] == 1
