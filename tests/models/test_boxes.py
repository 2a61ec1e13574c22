"""Box features: by hand on a small page, finite on any page, absent on a page that was not rendered."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.algorithms.auto import Auto
from bonmun.models.features.count_page import count_page
from bonmun.models.features.page_arrays import BOX
from bonmun.models.features.scaled_features import BOX_FEATURES, BOXES, compute_features
from bonmun.models.network.labeller import Network, Weights, boxes_network, default_network, default_weights
from bonmun.snapshots import Look
from samples import ROOT, SOURCES, lay_out, on_every_page

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.models.features.page_arrays import PageArrays

# A menu across the page, a column of text with a headline, a column beside it, and a hidden element.
MARKUP = (
    "<body #><nav #><a #>Home</a></nav><main #><h1 #>The light</h1><p #>It was <b #>lit</b> again last night.</p></main>"
    "<aside #>Ads and more</aside><p #>Nobody sees this</p>"
)
PLACES = [
    (0, 0, 1000, 2000),
    (0, 0, 1000, 50),  # nav
    (10, 10, 50, 20),
    (100, 100, 600, 900),  # main
    (100, 100, 600, 100),
    (100, 250, 600, 750),
    (150, 250, 40, 20),
    (750, 100, 250, 900),  # aside
    (0, 0, 0, 0),
]
PLAIN = Look("block", "static", 16.0, 400.0, "rgb(0, 0, 0)", "rgb(255, 255, 255)")
BAR = PLAIN._replace(position="fixed", font_size=8.0, colour="rgb(255, 255, 255)")
HEADING = PLAIN._replace(font_size=32.0, font_weight=800.0)
LOOKS = (PLAIN, BAR, HEADING)
# the weights of default.npz when there were no boxes
STYLES = (0, 1, 1, 0, 2, 0, 2, 0, -1)
MENU, TITLE, TEXT, BESIDE, UNSEEN = range(5)  # the blocks


def known_page() -> Page:
    return Page.from_snapshot(lay_out(MARKUP, PLACES, LOOKS, STYLES))


def named(a: PageArrays) -> dict[str, list[float]]:
    boxes = compute_features(a).boxes
    assert boxes is not None
    return {column.name: boxes[:, BOXES[column.name]].tolist() for column in BOXES.columns}


# --- by hand ------------------------------------------------------------------------------------------------------------


def test_boxes_of_blocks_by_hand() -> None:
    """The window is 1,000 by 500 pixels, so those are 1."""
    boxes = count_page(known_page()).boxes
    assert boxes is not None
    rows = {column.name: boxes[:, BOX[column.name]].tolist() for column in BOX.columns}
    near = pytest.approx
    assert rows["left"] == near([0.01, 0.1, 0.1, 0.75, 0])
    assert rows["width"] == near([0.05, 0.6, 0.6, 0.25, 0])
    assert rows["top"] == near([0.02, 0.2, 0.5, 0.2, 0])
    assert rows["height"] == near([0.04, 0.2, 1.5, 1.8, 0])
    assert rows["column_left"] == near([0, 0.1, 0.1, 0.75, 0])  # of <nav>, <h1>, <p>, <aside>
    assert rows["column_width"] == near([1, 0.6, 0.6, 0.25, 0])
    text, bold = len("It was") + len("again last night."), len("lit")
    mean = (text + 2 * bold) / (text + bold)
    assert rows["font_size"] == near([0.5, 2, mean, 1, 0], rel=1e-3)
    assert rows["font_weight"] == near([1, 2, mean, 1, 0], rel=1e-3)
    assert rows["contrast"] == near([0, 1, 1, 1, 0], abs=1e-3)
    assert rows["visible"] == [1, 1, 1, 1, 0]
    assert rows["stuck"] == [1, 0, 0, 0, 0]  # <a> is in the bar


def test_features_by_hand() -> None:
    rows = named(count_page(known_page()))
    near = pytest.approx
    assert rows["top_share"] == near([0.01, 0.1, 0.25, 0.1, 0])  # of a page of two screens
    assert rows["above_fold"] == [1, 1, 1, 1, 0]
    assert rows["screen_distance"][TITLE] == near(np.log1p(np.hypot(0.4 - 0.5, 0.3 - 0.5)))
    assert rows["page_distance"][BESIDE] == near(np.log1p(np.hypot(0.875 - 0.5, 1.1 - 1)))
    assert rows["gap_before"][TEXT] == near(np.log1p(1), rel=1e-5)  # a tenth of a screen under the headline
    assert rows["gap_before"][BESIDE] == near(-np.log1p(18), rel=1e-5)  # far above the end of the text
    assert rows["in_main"] == [0, 1, 1, 0, 0]
    assert rows["column_plain"][TITLE] == rows["column_plain"][TEXT] > rows["column_plain"][BESIDE] > 0
    assert rows["main_share"] == near([0, 1, 1, 0, 0])
    assert rows["left_of_main"] == near([-0.09, 0, 0, 0.65, -0.1])
    assert rows["width_to_main"] == near([1 / 0.6, 1, 1, 0.25 / 0.6, 0])
    assert rows["columns_beside"] == near([0, np.log1p(1), np.log1p(1), np.log1p(1), 0])
    assert rows["font_size"][TITLE] > 0.5 > rows["font_size"][TEXT] >= 0 > rows["font_size"][MENU]
    assert rows["font_weight"][TITLE] == near(1)
    assert rows["page_height"] == near([np.log1p(2) / 2] * 5)
    assert rows["page_visible"][0] == near(0.8)
    assert rows["main_left"][0] == near(0.1)
    assert rows["main_width"][0] == near(0.6)


# --- any page -----------------------------------------------------------------------------------------------------------

EXTREME = st.sampled_from([-1e9, -2e8, -1.0, 0.0, 0.1, 1.0, 1e4, 1e9]) | st.floats(-1e9, 1e9, width=32)


def check(page: Page) -> None:
    a = count_page(page)
    assert a.boxes is not None
    assert a.boxes.shape == (len(page.starts), BOX.width)
    assert a.boxes.dtype == np.float32
    boxes = compute_features(a).boxes
    assert boxes is not None
    assert boxes.shape == (len(page.starts), BOX_FEATURES)
    for values in (a.boxes, boxes):
        assert np.isfinite(values).all()
    assert np.abs(boxes).max() <= 8
    scores = with_box_layer().scores(a)
    assert np.isfinite(scores.keep).all()


@given(st.lists(st.tuples(EXTREME, EXTREME, EXTREME, EXTREME), min_size=9, max_size=9), EXTREME, EXTREME)
def test_features_of_any_boxes_are_small(places: Any, width: float, height: float) -> None:
    styles = [-1, *STYLES[1:]]
    check(Page.from_snapshot(lay_out(MARKUP, places, LOOKS, styles, (width, height))))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf"), -5.0, 0.0, 1e300])
def test_features_of_any_fonts_are_small(value: float) -> None:
    odd = PLAIN._replace(font_size=value, font_weight=value, colour="none", background="rgba(9, 9, 9, 9)")
    with np.errstate(over="ignore"):
        page = Page.from_snapshot(lay_out(MARKUP, PLACES, (odd, odd, odd), STYLES, (0, 0)))
        check(page)


def test_a_page_without_visible_blocks() -> None:
    check(Page.from_snapshot(lay_out(MARKUP, [(0, 0, 0, 0)] * 9)))


def test_a_page_without_blocks_has_no_boxes() -> None:
    assert count_page(Page.from_snapshot(lay_out("<div #></div>", [(0, 0, 1, 1)]))).boxes is None


# --- pages without boxes, networks without boxes ------------------------------------------------------------------------


def with_box_layer(seed: int = 1) -> Network:
    """Return the default weights with untrained weights for boxes."""
    weights = default_weights()
    chance = np.random.default_rng(seed)
    width = len(weights.arrays["block.bias"])
    layer = {
        "box.weight": chance.normal(size=(width, BOX_FEATURES)),
        "box.bias": chance.normal(size=width),
        "boxes_mean": chance.normal(size=BOX_FEATURES),
        "boxes_scale": chance.normal(size=BOX_FEATURES),
    }
    arrays = {name: value.astype(np.float32) for name, value in layer.items()}
    return Network(Weights(weights.about, weights.arrays | arrays))


def same(one: Any, other: Any) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_without_boxes_features_are_those_of_a_static_page() -> None:
    a = count_page(known_page())
    shown, bare = compute_features(a), compute_features(replace(a, boxes=None))
    assert bare.boxes is None
    assert same(shown[:-1], bare[:-1])


def test_box_weights_do_not_affect_pages_without_boxes() -> None:
    plain, boxed = default_network(), with_box_layer()
    a = count_page(Page.parse(SOURCES["en-news"].read_bytes()))
    assert a.boxes is None
    assert same(plain.scores(a), boxed.scores(a))


def laid_out_page(left: float = 200, width: float = 600) -> Page:
    sentence = "The old lighthouse at the end of the pier was lit again last night, after thirty dark years. "
    html = "<body #><div # class=text>" + f"<p #>{sentence * 3}</p>" * 8 + "</div>"
    rows = [(left, 100 + 200 * row, width, 150) for row in range(8)]
    return Page.from_snapshot(lay_out(html, [(0, 0, 1000, 2000), (left, 100, width, 1600), *rows]))


def scores(page: Page, network: Network | None = None) -> list[float]:
    return list(Auto(model=network).label(page).scores)


def test_auto_has_a_separate_network_for_pages_with_boxes() -> None:
    page = laid_out_page()
    assert scores(page) == scores(page, boxes_network()) != scores(page, default_network())
    assert scores(page) != scores(laid_out_page(960, 40))  # in a narrow strip at the edge


@on_every_page
def test_auto_uses_the_default_network_for_static_pages(path: Path) -> None:
    page = Page.parse(path.read_bytes())
    assert scores(page) == scores(page, default_network())


def test_the_network_for_boxes_is_small_and_described() -> None:
    data = (ROOT / "src" / "bonmun" / "models" / "network" / "boxes.npz").read_bytes()
    assert len(data) < 300_000
    assert hashlib.sha256(data).hexdigest() in (ROOT / "docs" / "explanation" / "model.md").read_text(encoding="utf-8")


def test_networks_without_box_weights_ignore_boxes() -> None:
    plain, boxed = default_network(), with_box_layer()
    a = count_page(known_page())
    bare = replace(a, boxes=None)
    assert same(plain.scores(a), plain.scores(bare))
    assert not same(boxed.scores(a), boxed.scores(bare))


def test_weights_for_other_box_features_are_rejected() -> None:
    weights = default_weights()
    arrays = {"box.weight": np.zeros((64, BOX_FEATURES - 1), np.float32), "box.bias": np.zeros(64, np.float32)}
    with pytest.raises(ValueError, match="another set of features"):
        Network(Weights(weights.about, weights.arrays | arrays))
