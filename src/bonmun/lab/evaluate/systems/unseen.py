"""Answers by models that have not seen a page's site: one for each fold of a cross-validation, from `bonmun train`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from bonmun.errors import BadConfig
from bonmun.lab.evaluate.systems.answers import Answer
from bonmun.lab.evaluate.systems.page_cache import parse_example
from bonmun.lab.gold.folds import find_fold, find_site, model_path, rankers_path
from bonmun.metadata import read_metadata
from bonmun.metadata.ranking import load_rankers
from bonmun.options import Options
from bonmun.pipeline import extract

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.lab.gold.examples import Example
    from bonmun.metadata.ranking import Rankers

__all__ = ["answer_unseen", "find_model", "find_rankers", "write_unseen"]


@cache
def find_model(folder: Path, fold: int) -> Path:
    """Find the model that was trained without a fold."""
    path = model_path(folder, fold)
    if not path.is_file():
        raise BadConfig(f"{path}: there is no such file: `bonmun train DATA --from nothing --folds {folder}` makes it.")
    return path


@cache
def find_rankers(folder: Path, fold: int) -> Rankers | None:
    """Find the rankers of facts that were fitted without a fold; None if there are none."""
    path = rankers_path(folder, fold)
    return load_rankers(path) if path.is_file() else None


def answer_unseen(example: Example, folder: Path, *, whole: bool = False) -> Answer:
    """Answer with the model, and for facts with the rankers, if there are any, that have not seen the page's site."""
    model = find_model(folder, find_fold(find_site(example)))
    doc = extract(parse_example(example) if whole else example.html, example.url, options=Options(model=model))
    if not whole:
        return Answer(doc.text)
    leaves = tuple(leaf for block in doc.blocks for leaf in block.leaves)
    if not (rankers := find_rankers(folder, find_fold(find_site(example)))):
        return Answer(doc.text, leaves=leaves)
    found = read_metadata(doc.page, doc.text, doc.labels, rankers=rankers)
    return Answer(doc.text, leaves=leaves, title=found.title, author=found.author, date=found.date)


def write_unseen(example: Example, folder: Path) -> str:
    """Write what the model that has not seen the page's site keeps as Markdown, with links."""
    model = find_model(folder, find_fold(find_site(example)))
    return extract(parse_example(example), options=Options(links=True, model=model)).markdown
