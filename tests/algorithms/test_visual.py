"""`visual`: labels from the probabilities of elements, pages without boxes, and invalid boxes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import bonmun
from bonmun import Page
from bonmun.algorithms import METHODS, PAGE_METHODS, make_method
from bonmun.algorithms.visual import ColumnShare, Visual
from bonmun.compare import compare
from bonmun.errors import BadConfig, NoBoxes
from bonmun.lab.evaluate.systems.systems import choose_systems
from bonmun.models.baselines.tabnet import TabNet, TabNetOutput
from bonmun.models.baselines.visual_columns import CENTRE
from laid_out import lay_out
from made_tabnet import make_weights

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

VARIANTS = ("basic", "centre", "centre+")
# rows:   0 html, 1 head, 2 body, 3 nav, 4 div, 5 p, 6 b, 7 p, 8 span (hidden)
HTML = "<nav>Menu</nav><div><p>One <b>two</b></p><p>Three <span hidden>secret</span></p></div>"


class FakeNetwork(TabNet):
    """A network that returns given probabilities."""

    def __init__(self, chances: Mapping[int, float], **about: Any) -> None:
        super().__init__(make_weights(CENTRE, **about))
        self.chances = chances

    def predict(self, table: NDArray[np.float32]) -> TabNetOutput:
        if not hasattr(self, "chances"):
            return super().predict(table)
        said = np.array([self.chances.get(row, 0) for row in range(len(table))], np.float32)
        weights = np.zeros((len(table), len(CENTRE)), np.float32)
        weights[:, 7], weights[:, 17] = 3, 1
        return TabNetOutput(said, weights, weights[None])


def label(chances: Mapping[int, float], **about: Any) -> bonmun.Labels:
    return Visual("centre", model=FakeNetwork(chances, **about)).label(lay_out(HTML, None))


def test_the_text_of_main_elements_is_kept() -> None:
    labels = label({4: 0.9})
    assert labels.kept == [False, True, True, True, False]
    assert labels.reasons == ["in none that is main", *["in an element that is main"] * 3, "hidden"]
    assert labels.scores == pytest.approx([0, 0.9, 0.9, 0.9, 0])


def test_nested_main_elements_count_once() -> None:
    page = lay_out(HTML, None)
    doc = bonmun.extract(page, method=Visual("centre", model=FakeNetwork({4: 0.9, 5: 0.8, 6: 0.99})))
    assert doc.text == "One two\n\nThree"
    assert doc.labels.scores == pytest.approx([0, 0.9, 0.99, 0.9, 0])


def test_an_element_alone_is_kept_without_those_around_it() -> None:
    assert label({6: 0.7}).kept == [False, False, True, False, False]


def test_a_probability_of_one_half_is_not_enough() -> None:
    assert not any(label({4: 0.5}).kept)
    assert label({4: 0.5}, threshold=0.3).kept == [False, True, True, True, False]


def test_near_elements_outvote_one_high_up() -> None:
    chances = {0: 1.0, 2: 0.0, 4: 0.2, 5: 0.1, 6: 0.0, 7: 0.9}
    assert label(chances).kept == [True, True, True, True, False]
    assert label(chances, rule="near").kept == [False, False, False, True, False]


def test_the_evidence_has_the_share_of_each_column() -> None:
    assert label({4: 0.9}).evidence == [ColumnShare("top", 0.75), ColumnShare("d1", 0.25)]


def test_a_page_of_a_main_element_without_text() -> None:
    page = lay_out("<div><img src=x></div>", None)
    doc = bonmun.extract(page, method=Visual("centre", model=FakeNetwork(dict.fromkeys(range(5), 0.9))))
    assert (doc.text, doc.confidence) == ("", 0)


@pytest.mark.parametrize("name", [f"visual:{variant}" for variant in VARIANTS])
def test_a_page_without_boxes_is_rejected(name: str) -> None:
    assert METHODS[name].needs_boxes
    assert name not in PAGE_METHODS
    with pytest.raises(NoBoxes, match=r"needs a rendered page: use `bonmun extract --render`"):
        bonmun.extract("<p>text", method=name)
    with pytest.raises(NoBoxes):
        compare(Page.parse("<p>text"), [name])
    with pytest.raises(BadConfig, match="needs rendered pages"):
        choose_systems([name], [])


SIZES: dict[str, Any] = {
    "nothing has a size": lambda row: (0, 0, 0, 0),
    "beside the page": lambda row: (-9000, -9000, 50, 50),
    "turned inside out": lambda row: (500, 500, -400, -300),
    "as large as can be": lambda row: (1e9, -1e9, 1e9, 1e9),
    "no numbers": lambda row: (math.nan, math.inf, -math.inf, 1e308),
    "all in one place": lambda row: (7, 7, 7, 7),
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("box", SIZES.values(), ids=SIZES.keys())
@pytest.mark.parametrize("size", [(1280, 2000), (0, 0), (1e300, math.nan)])
def test_invalid_boxes_are_accepted(variant: str, box: Any, size: Any) -> None:
    html = HTML * 20
    page = lay_out(html, {row: box(row) for row in range(len(Page.parse(html).tags))}, page_size=size)
    labels = make_method(f"visual:{variant}").label(page)
    assert labels.method == f"visual:{variant}"
    assert len(labels.kept) == len(page.texts)
    assert all(0 <= score <= 1 for score in labels.scores)
    assert 0 <= labels.confidence <= 1
    assert not any(keep for leaf, keep in enumerate(labels.kept) if leaf not in page.shown)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    "html",
    ["<frameset><frame src=x></frameset>", "text", "<div>" * 3000 + "deep", "<x-y>odd</x-y>" * 50, "<p>" * 5000],
    ids=["no body", "one text", "deep", "odd tags", "no text"],
)
def test_any_page_is_accepted(variant: str, html: str) -> None:
    page = lay_out(html, None)
    assert len(make_method(f"visual:{variant}").label(page).kept) == len(page.texts)
