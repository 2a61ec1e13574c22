"""Run the models of a cross-validation: each page with the model that was trained without its site."""

from __future__ import annotations

from dataclasses import replace
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

    from bonmun.document import Document
    from bonmun.lab.gold.examples import Example
    from bonmun.metadata.ranking import Rankers

__all__ = ["find_model", "find_rankers", "run_unseen", "write_unseen_markdown"]


@cache
def find_model(folder: Path, fold: int) -> Path:
    """Return the path of the model that was trained without a fold; raise BadConfig if it is missing."""
    path = model_path(folder, fold)
    if not path.is_file():
        command = f"bonmun train DATA --from nothing --folds {folder}"
        raise BadConfig(f"{path}: no such file; make it with `{command}`.")
    return path


@cache
def find_rankers(folder: Path, fold: int) -> Rankers | None:
    """Load the metadata rankers that were trained without a fold; None if there are none."""
    path = rankers_path(folder, fold)
    return load_rankers(path) if path.is_file() else None


def run_unseen(example: Example, folder: Path, *, is_full: bool = False) -> Answer:
    """Extract the text and, if `is_full`, leaves and metadata with models that were trained without the page's site."""
    model = find_model(folder, find_fold(find_site(example)))
    doc = extract(
        parse_example(example) if is_full else example.html, example.url, options=Options(model=model, posts=False)
    )
    if not is_full:
        return Answer(doc.text)
    leaves = tuple(leaf for block in doc.blocks for leaf in block.leaves)
    if not (rankers := find_rankers(folder, find_fold(find_site(example)))):
        return add_checked(Answer(doc.text, leaves=leaves), doc, example)
    found = read_metadata(doc.page, doc.text, doc.labels, rankers=rankers)
    answer = Answer(doc.text, leaves=leaves, title=found.title, author=found.author, date=found.date)
    return replace(add_checked(answer, doc, example), authors=found.authors)


def add_checked(answer: Answer, doc: Document, example: Example) -> Answer:
    """Add what only checks look at: kind, authors and posts. An answer to any other gold stays unchanged."""
    if example.checks is None:
        return answer
    posts = tuple((post.author or "", post.text) for post in doc.posts) if example.checks.posts else ()
    return replace(answer, kind=doc.kind, authors=doc.authors, posts=posts)


def write_unseen_markdown(example: Example, folder: Path) -> str:
    """Extract Markdown, using the model that was trained without the page's site."""
    model = find_model(folder, find_fold(find_site(example)))
    return extract(parse_example(example), options=Options(model=model, posts=False)).markdown
