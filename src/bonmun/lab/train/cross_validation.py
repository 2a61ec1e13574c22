"""Cross-validation: rate models on the fold that they were trained without, next to the default."""

from __future__ import annotations

from functools import partial
from statistics import mean
from typing import TYPE_CHECKING, NamedTuple

from bonmun.errors import BonmunError
from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.folds import find_fold, find_site
from bonmun.lab.train.finetune import rate_page
from bonmun.models.network.labeller import Network, default_weights, load_network
from bonmun.work.pools import open_pool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from bonmun.lab.gold.examples import Example

__all__ = ["UnseenScores", "rate_unseen"]

CHUNK = 8  # pages per task of a child process


class UnseenScores(NamedTuple):
    """Mean word F1 over the pages of a set whose sites a model has not seen."""

    name: str
    pages: int
    default: float
    yours: float


def rate_unseen(data: Sequence[Path], models: Mapping[int, Path], workers: int) -> list[UnseenScores]:
    """Rate the default, and the model trained without the page's fold, on all pages of those folds, set by set."""
    for model in models.values():
        load_network(model)  # fail here: a pool restarts children that fail to start forever
    if workers == 1:
        _load_networks(models)
        return list(_rate_sets(data, models, map))
    with open_pool(workers, "spawn", _load_networks, models) as pool:  # torch does not work after a fork
        return list(_rate_sets(data, models, partial(pool.imap, chunksize=CHUNK)))


def _rate_sets(
    data: Sequence[Path], models: Mapping[int, Path], run: Callable[..., Iterable[tuple[float, float] | None]]
) -> Iterator[UnseenScores]:
    for path in data:
        dataset = read_dataset(path)
        rated = [each for each in run(_rate_page, _list_held_out(dataset, models)) if each is not None]
        if rated:
            default, yours = (mean(each[way] for each in rated) for way in (0, 1))
            yield UnseenScores(dataset.name, len(rated), default, yours)


def _list_held_out(examples: Iterable[Example], models: Mapping[int, Path]) -> Iterator[tuple[int, Example]]:
    """Yield the labelled pages of the folds that have a model, each with its fold."""
    for example in examples:
        fold = find_fold(find_site(example))
        if example.text is not None and fold in models:
            yield fold, example


_default: Network | None = None
_networks: dict[int, Network] = {}


def _load_networks(models: Mapping[int, Path]) -> None:
    global _default
    _default = Network(default_weights())
    _networks.update({fold: load_network(model) for fold, model in models.items()})


def _rate_page(job: tuple[int, Example]) -> tuple[float, float] | None:
    """Return the word F1 of the default and of the model; None for a page that cannot be read."""
    fold, example = job
    assert _default
    try:
        return rate_page(example, _default), rate_page(example, _networks[fold])
    except BonmunError:
        return None
