"""The columns of `visual`, by hand, on a page with known boxes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bonmun.models.baselines.visual_columns import (
    BASIC,
    CATEGORIES,
    CENTRE,
    MDN_TAGS,
    RELATIVE,
    combine_with_ancestors,
    count_columns,
    make_relative,
    make_table,
)
from bonmun.page import Page
from laid_out import lay_out
from timing import assert_linear

if TYPE_CHECKING:
    from bonmun.page.parse.boxes import Boxes

# rows:   0 html, 1 head, 2 body, 3 div, 4 h1, 5 p, 6 a, 7 x-card
HTML = "<div><h1>Title</h1><p>Five <a href=/>or six</a></p></div><x-card>odd</x-card>"
BOXES = {
    0: (0, 0, 1000, 2000),
    1: (0, 0, 0, 0),
    2: (8, 8, 984, 1900),
    3: (100, 50, 800, 600),
    4: (100, 50, 800, 40),
    5: (100, 100, 800, 20),
    6: (150, 100, 50, 20),
    7: (-50, 700, 10, 10),
}


@pytest.fixture
def table() -> dict[str, list[float]]:
    page = lay_out(HTML, BOXES, viewport=(1000, 600), page_size=(1000, 2000))
    assert page.tags == "html head body div h1 p a x-card".split()
    assert page.boxes is not None
    found = count_columns(page, page.boxes)
    assert found.shape == (8, 18)
    return {name: found[:, place].tolist() for place, name in enumerate(CENTRE)}


def test_the_paper_s_columns_are_all_there() -> None:
    assert len(MDN_TAGS) == len(set(MDN_TAGS)) == 137
    assert CATEGORIES == {"tag": 138, "visible": 2}
    assert len(BASIC) == 16
    assert CENTRE[:16] == BASIC
    assert CENTRE[16:] == ("d0", "d1")


def test_structure_and_text(table: dict[str, list[float]]) -> None:
    assert table["order"] == [0, 1, 2, 3, 4, 5, 6, 7]
    assert [MDN_TAGS[int(number)] for number in table["tag"][:7]] == "html head body div h1 p a".split()
    assert table["tag"][7] == 137
    assert table["children"] == [2, 0, 2, 2, 1, 2, 1, 1]
    assert table["text"] == [18, 0, 18, 15, 5, 10, 6, 3]
    assert table["link_text"] == [6, 0, 6, 6, 0, 6, 6, 0]


def test_boxes(table: dict[str, list[float]]) -> None:
    assert table["visible"] == [1, 0, 1, 1, 1, 1, 1, 1]
    assert table["left"] == [0, 0, 8, 100, 100, 100, 150, -50]
    assert table["top"] == [0, 0, 8, 50, 50, 100, 100, 700]
    assert table["right"] == [1000, 0, 992, 900, 900, 900, 200, -40]
    assert table["bottom"] == [2000, 0, 1908, 650, 90, 120, 120, 710]
    assert table["width"] == [1000, 0, 984, 800, 800, 800, 50, 10]
    assert table["height"] == [2000, 0, 1900, 600, 40, 20, 20, 10]
    assert table["viewport_width"] == [1000] * 8
    assert table["viewport_height"] == [600] * 8
    assert table["page_width"] == [1000] * 8
    assert table["page_height"] == [2000] * 8


def test_distances(table: dict[str, list[float]]) -> None:
    # the window's centre is (500, 300), the page's (500, 1000); the link's (175, 110), the division's (500, 350)
    assert table["d0"][3] == 50
    assert table["d1"][3] == 650
    assert table["d0"][6] == pytest.approx(math.hypot(325, 190))
    assert table["d1"][6] == pytest.approx(math.hypot(325, 890))
    assert table["d0"][0] == 700
    assert table["d1"][0] == 0
    assert table["d0"][1] == pytest.approx(math.hypot(500, 300))


def test_columns_relative_to_the_page() -> None:
    page = lay_out(HTML, BOXES, viewport=(1000, 600), page_size=(1000, 2000))
    assert page.boxes is not None
    found = make_relative(count_columns(page, page.boxes))
    row = dict(zip(RELATIVE, found[6].tolist(), strict=True))
    assert row == pytest.approx(
        {
            "order": 6 / 8,
            "tag": MDN_TAGS.index("a"),
            "children": math.log(2),
            "text": math.log(7),
            "text_share": 6 / 18,
            "link_share": 1,
            "visible": 1,
            "left": 0.15,
            "top": 0.05,
            "right": 0.2,
            "bottom": 0.06,
            "width": 0.05,
            "height": 0.01,
            "page_width": math.log(1001),
            "page_height": math.log(2001),
            "d0": math.hypot(325, 190) / math.hypot(1000, 600),
            "d1": math.hypot(325, 890) / math.hypot(1000, 2000),
        },
        rel=1e-5,
    )
    assert np.array_equal(make_table(page, page.boxes, RELATIVE), found)
    assert np.array_equal(make_table(page, page.boxes, BASIC), count_columns(page, page.boxes)[:, :16])
    assert make_table(page, page.boxes, ("d1", "tag")).shape == (8, 2)


STRANGE: dict[str, Any] = {
    "no size": dict.fromkeys(range(8), (0, 0, 0, 0)),
    "left of everything": dict.fromkeys(range(8), (-5000, -9000, 10, 10)),
    "negative sizes": dict.fromkeys(range(8), (10, 10, -20, -30)),
    "as wide as a mountain is high": dict.fromkeys(range(8), (1000000000.0, 1000000000.0, 1000000000.0, 1000000000.0)),
    "no numbers": dict.fromkeys(range(8), (math.nan, math.inf, -math.inf, 1e300)),
}


@pytest.mark.parametrize("boxes", STRANGE.values(), ids=STRANGE.keys())
@pytest.mark.parametrize("page_size", [(1000, 2000), (0, 0), (1e12, math.nan)])
def test_all_columns_are_finite_for_any_boxes(boxes: Any, page_size: Any) -> None:
    page = lay_out(HTML, boxes, viewport=(0, 0), page_size=page_size)
    assert page.boxes is not None
    found = count_columns(page, page.boxes)
    assert np.isfinite(found).all()
    assert np.isfinite(make_relative(found)).all()


def test_a_page_with_only_a_root() -> None:
    page = Page.parse("<title>x</title>")
    laid = lay_out("<title>x</title>", dict.fromkeys(range(len(page.tags)), (0, 0, 0, 0)))
    assert laid.boxes is not None
    assert len(count_columns(laid, laid.boxes)) == len(page.tags)


def test_probabilities_are_combined_with_those_of_ancestors() -> None:
    parents = [-1, 0, 1, 1, 0]
    assert combine_with_ancestors(parents, [0.1, 0.8, 0.2, 0.9, 0.3], "any") == [0.1, 0.8, 0.8, 0.9, 0.3]
    assert combine_with_ancestors(parents, [0.0, 1.0, 0.5, 1.0, 0.5], "near") == [0.0, 0.5, 0.5, 0.75, 0.25]
    assert combine_with_ancestors(parents, [0.1, 0.4, 0.3, 0.2, 0.3], "best") == [0, 1, 1, 1, 0]
    assert combine_with_ancestors([], [], "any") == combine_with_ancestors([], [], "best") == []


@pytest.mark.slow
def test_time_is_linear_in_elements() -> None:
    def make(count: int) -> tuple[Page, Boxes]:
        page = lay_out("<p>text <b>and more</b></p>" * (count // 2), None)
        assert page.boxes is not None
        return page, page.boxes

    assert len(assert_linear(make, lambda given: count_columns(*given), 100_000)) > 100_000
