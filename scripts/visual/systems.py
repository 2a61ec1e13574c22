"""The systems to measure. A system is a function from a rendered page to what it found.

To add a system, add a line to `SYSTEMS`. A system whose dependencies are not installed raises MissingExtra and is
skipped.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING

from bonmun.algorithms import make_method
from bonmun.algorithms.visual import Visual
from bonmun.document import Document
from bonmun.lab.evaluate.metrics.decisions import count_text_elements
from bonmun.lab.train.samples.element_targets import TARGETS
from bonmun.labels import Labels
from bonmun.models.baselines.visual_columns import combine_with_ancestors
from bonmun.options import DEFAULTS
from bonmun.page import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from bonmun.algorithms import Method
    from bonmun.lab.train.samples.element_targets import Target
    from bonmun.models.baselines.visual_columns import Rule
    from scripts.visual.pages import RenderedPage

__all__ = ["SYSTEMS", "Found", "find_gold_elements", "use_models", "use_texts", "use_weights"]


@dataclass(frozen=True)
class Found:
    """The text a system found, and the texts of its elements that contain only text."""

    text: str
    elements: Counter[str]


def keep(one: RenderedPage, labels: Labels) -> Found:
    """Return the result of labels."""
    doc = Document(one.page, labels, DEFAULTS)
    return Found(doc.text, count_text_elements(one.page, (leaf for block in doc.blocks for leaf in block.leaves)))


def find_gold_elements(one: RenderedPage) -> Counter[str]:
    """Return the elements of the gold that contain only text."""
    return count_text_elements(one.page, (leaf for leaf, right in enumerate(one.gold) if right))


def run_method(one: RenderedPage, name: str, model: Path | None = None) -> Found:
    """Run one of our methods, optionally with a custom model."""
    return keep(one, _make(name, model).label(one.page))


def run_static(one: RenderedPage, name: str, model: Path | None = None) -> Found:
    """Run one of our methods on the static HTML: without boxes and scripts."""
    page = Page.parse(one.example.html, one.example.url)
    return keep(replace(one, page=page), _make(name, model).label(page))


def run_weights(one: RenderedPage, path: Path, threshold: float | None = None, rule: Rule | None = None) -> Found:
    """Run `visual` with custom weights."""
    return keep(one, _load(path, threshold, rule).label(one.page))


def run_oracle(one: RenderedPage, target: Target | None = None) -> Found:
    """Return the leaves of the gold, or those in the target elements of a perfect network."""
    kept: Sequence[bool] = one.gold
    if target:
        marks = [float(mark) for mark in TARGETS[target](one.page, one.gold)]
        inside = combine_with_ancestors(one.page.parents, marks, "any")
        shown = frozenset(one.page.shown)
        kept = [leaf in shown and inside[element] > 0 for leaf, element in enumerate(one.page.leaf_elements)]
    return keep(one, Labels("oracle", "leaf", [float(each) for each in kept], kept, [""] * len(kept), 1.0))


def run_text(one: RenderedPage, texts: Mapping[tuple[str, str], str]) -> Found | None:
    """Return a text that was extracted elsewhere, with lines as elements; None if the page was not extracted."""
    text = texts.get((one.set, one.example.id))
    if text is None:
        return None
    return Found(text, Counter(filter(None, (" ".join(line.split()) for line in text.split("\n")))))


@cache
def _make(name: str, model: Path | None) -> Method:
    return make_method(name, model=model)


@cache
def _load(path: Path, threshold: float | None, rule: Rule | None) -> Visual:
    method = Visual("centre", model=path)
    if threshold is not None:
        method.network.threshold = threshold
    if rule is not None:
        method.network.rule = rule
    return method


SYSTEMS: dict[str, Callable[[RenderedPage], Found | None]] = {
    "auto": partial(run_method, name="auto"),
    "all": partial(run_method, name="all"),
    "oracle": run_oracle,
    **{f"oracle-{target}": partial(run_oracle, target=target) for target in TARGETS},
}


def use_models(folder: Path) -> dict[str, Callable[[RenderedPage], Found | None]]:
    """Return methods with models that were also trained on English pages: the files …-en.npz of a folder.

    The model of `auto` makes two systems: `auto+boxes` on rendered pages, and `auto-boxes` on their static HTML.
    """
    names = {path.stem.removesuffix("-en"): path for path in sorted(folder.glob("*-en.npz"))}
    found: dict[str, Callable[[RenderedPage], Found | None]] = {}
    if default := names.pop("auto", None):
        found["auto+boxes"] = partial(run_method, name="auto", model=default)
        found["auto-boxes"] = partial(run_static, name="auto", model=default)
    return found | {name: partial(run_method, name=name, model=path) for name, path in names.items()}


def use_texts(folder: Path) -> dict[str, Callable[[RenderedPage], Found | None]]:
    """Return systems whose answers are in a folder, as written by scripts/visual/peers.py."""
    found: dict[str, Callable[[RenderedPage], Found | None]] = {}
    for path in sorted(folder.glob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines if line.endswith("\n")]
        texts = {(row["set"], row["id"]): row.get("text") or "" for row in rows}
        found[path.stem] = partial(run_text, texts=texts)
    return found


def use_weights(folder: Path) -> dict[str, Callable[[RenderedPage], Found | None]]:
    """Return a system for each file of weights in a folder, named after its variant."""
    return {path.stem: partial(run_weights, path=path) for path in sorted(folder.glob("*.npz"))}
