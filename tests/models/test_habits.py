"""Settings in the model file of a fine-tuned network; a file with invalid settings is rejected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bonmun import BonmunError, extract
from bonmun.models.network.habits import Habits, is_for_host, read_habits, read_hosts
from bonmun.models.network.labeller import Weights, default_weights, save_weights
from bonmun.options import Options

if TYPE_CHECKING:
    from pathlib import Path

HOSTS = frozenset({"www.blog.example", "news.example"})


def test_default_habits() -> None:
    assert read_habits({}) == Habits(headlines=False, filled=0.0)
    assert read_habits({"habits": {"headlines": True, "filled": 0.5}}) == Habits(headlines=True, filled=0.5)
    assert read_hosts({}) == frozenset()


@pytest.mark.parametrize(
    "about",
    [
        {"habits": ["headlines"]},
        {"habits": {"headlines": 1}},
        {"habits": {"filled": "0.3"}},
        {"habits": {"filled": 7}},
        {"habits": {"filled": float("nan")}},
        {"hosts": "blog.example"},
        {"hosts": [1]},
    ],
)
def test_a_file_with_invalid_habits_is_rejected(about: dict[str, Any], tmp_path: Path) -> None:
    weights, file = default_weights(), tmp_path / "m.npz"
    save_weights(Weights(weights.about | about, weights.arrays), file)
    with pytest.raises(BonmunError, match="is not a model for this version"):
        extract("<p>A page of a line or two.", options=Options(model=file))


@pytest.mark.parametrize("host", ["blog.example", "www.blog.example", "a.blog.example", "m.news.example", "example"])
def test_parent_domains_and_subdomains_are_the_same_site(host: str) -> None:
    assert is_for_host(HOSTS, host)


@pytest.mark.parametrize("host", ["xblog.example", "blog.example.org", "other.example", "newsexample"])
def test_other_hosts(host: str) -> None:
    assert not is_for_host(HOSTS, host)
