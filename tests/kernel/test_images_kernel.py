"""The kernel reads what is around images as the reference does, for any page."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.kernel import load_kernel
from bonmun.page import image_names, item_images
from bonmun.page.parse import ancestors

KERNEL = load_kernel("images")
pytestmark = pytest.mark.skipif(KERNEL is None, reason="the kernel is not built, or BONMUN_PURE is set")
PIECES = st.one_of(
    st.sampled_from("<div> </div> <p> </p> <li> <ul> </ul> <a> <a\u00a0href=/a> </a> <i\u00a0class=B> <b>".split(" ")),
    st.sampled_from(["one ", "two three four five six ", "<h2 id=C class='D e'>", "<article>", "<br>", "<img src=a>"]),
)


def make_page(pieces: list[str]) -> Page:
    return Page.parse("<p>" + "".join(pieces).replace("\u00a0", " "))


@given(st.lists(PIECES, max_size=40))
def test_any_page(pieces: list[str]) -> None:
    page, other = make_page(pieces), make_page(pieces)
    rows, blocks = [*range(len(page.tags))] * 2, set(range(len(page.starts)))
    tags = frozenset({"a", "div"})
    found = image_names.list_names(page, rows)
    linked = item_images.Items(page, blocks)._list_linked()
    for row in rows:
        around = enumerate(ancestors.list_around(page.parents, row, 3))
        expected = [(number, each) for number, each in around if page.tags[each] in tags]
        assert ancestors.list_boxes(page.tags, page.parents, row, 3, tags) == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(image_names, "KERNEL", None)
        patch.setattr(item_images, "IMAGES_KERNEL", None)
        assert image_names.list_names(other, rows) == found
        assert item_images.Items(other, blocks)._list_linked() == linked
    assert page.known_names == other.known_names


def test_wrong_elements_are_rejected() -> None:
    for element in (-1, 0):
        with pytest.raises(IndexError):
            KERNEL.name_elements([], [element], {}, 9)
    assert KERNEL.name_elements([], [5], {5: "a"}, 9) == ["a"]
    with pytest.raises(ValueError, match="length"):
        KERNEL.list_boxes(["a"], [], 0, 1, frozenset())
    with pytest.raises(ValueError, match="after"):
        KERNEL.list_boxes(["a"], [0], 0, 2, frozenset())
    for element in (-1, 1):
        assert KERNEL.list_boxes(["a"], [-1], element, 2, frozenset("a")) == []


def list_linked(**others: Any) -> Any:
    """Return the linked blocks of `<a>one</a>`."""
    given: dict[str, Any] = {"rows": [0], "starts": [0], "stops": [1], "linked": b"\1", "sizes": [3], "link_sizes": [3]}
    given |= {"tags": ["a"], "parents": [-1], "elements": [0]}
    return KERNEL.list_linked(*(given | others).values(), 8, 0.25, 8)


@pytest.mark.parametrize(
    "values",
    [
        {"rows": [1]},
        {"rows": [-1]},
        {"starts": [-1]},
        {"stops": [2]},
        {"stops": [0]},
        {"stops": []},
        {"sizes": []},
        {"linked": b""},
        {"tags": []},
        {"tags": ["p"], "parents": [0]},
    ],
)
def test_wrong_columns_are_rejected(values: dict[str, Any]) -> None:
    assert list_linked() == [(0, 0)]
    assert list_linked(elements=[7]) == [(0, -1)]
    with pytest.raises((ValueError, IndexError)):
        list_linked(**values)
