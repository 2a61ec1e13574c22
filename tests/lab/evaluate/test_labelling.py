"""Labels of pages from their golds: in order, and robust against pages that hang or crash."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from bonmun.lab.evaluate import labelling
from bonmun.lab.evaluate.labelling import label_pages
from bonmun.lab.gold.examples import Example

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.slow


class BadJob(labelling._LabellingJob):
    """Label pages, but die or hang on some of them."""

    def load(self) -> Callable[[labelling.Numbered], labelling.Labelled]:
        return label_badly


def label_badly(item: labelling.Numbered) -> labelling.Labelled:
    number, example = item
    if example.id == "dies":
        os._exit(1)
    if example.id == "hangs":
        time.sleep(600)
    return number, labelling.label_page(example)


def make_examples(*names: str) -> Iterator[Example]:
    return (Example(name, f"<p>{name} words</p><p>more</p>", f"{name} words") for name in names)


def test_pages_are_labelled_in_order() -> None:
    names = [str(number) for number in range(30)]
    found = list(label_pages(make_examples(*names), 2))
    assert [line["id"] for line in found] == names
    assert {tuple(line["blocks"]) for line in found} == {(0,)}
    assert list(label_pages([], 2)) == []


def test_a_page_that_hangs_or_crashes_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labelling, "_LabellingJob", BadJob)
    monkeypatch.setattr(labelling, "PAGE_SECONDS", 3.0)
    found = list(label_pages(make_examples("a", "dies", "b", "hangs", "c"), 2))
    assert [(line["id"], line.get("problem")) for line in found] == [
        ("a", None),
        ("dies", "The process died; the page may need too much memory."),
        ("b", None),
        ("hangs", "The page took over 3 seconds."),
        ("c", None),
    ]
