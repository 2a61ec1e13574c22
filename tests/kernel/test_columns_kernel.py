"""The kernel computes derived columns as the reference does, for any page."""

from __future__ import annotations

from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.algorithms import places
from bonmun.kernel import load_kernel
from bonmun.metadata.threads import groups
from bonmun.models.network.thresholds import Decision
from bonmun.page import figures, item_images
from bonmun.page.parse import ancestors, columns, panels, table_roles, visibility
from bonmun.page.parse import element_bits as bits
from bonmun.page.parse import inherited_columns as inherited
from bonmun.page.parse.kinds import KIND_OF_TAG
from samples import ROOT
from timing import assert_linear

KERNEL = load_kernel("columns")
pytestmark = pytest.mark.skipif(KERNEL is None, reason="the kernel is not built, or BONMUN_PURE is set")
PAGES = sorted((ROOT / "tests" / "pages").rglob("*.html"))
USERS = (bits, inherited, table_roles, visibility, columns, panels)
TAGS = "div p table tr td th thead caption a pre li blockquote section span h2 form".split()
PIECES = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]),
    st.sampled_from(["<p class=a id>", "<p id=b>", "<i class hidden id=c>"]),
    st.sampled_from(["word ", "<p hidden>", "<table role=none>", "<span style='display:none'>", "<br>", "<td></td>"]),
)


def work_out(html: str) -> list[Any]:
    """Return all derived columns that the kernel helps to compute."""
    page = Page.parse(html)
    return [
        page.tag_names,
        page.tables,
        page.cells,
        page.links,
        page.layout_tables,
        page.kinds,
        page.linked_leaves,
        page.visibility.hidden_leaves,
        page.hidden_blocks,
        page.short_links,
        page.block_sizes,
        page.attrs(range(len(page.tags)), "class"),
        page.attrs(range(len(page.tags)), "style"),
        page.classes_and_ids,
    ]


def assert_equal_in_both_forms(html: str) -> None:
    """Check that kernel and reference give the same result."""
    found = work_out(html)
    with pytest.MonkeyPatch.context() as patch:
        for user in USERS:
            patch.setattr(user, "KERNEL", None)
        assert work_out(html) == found


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.parent.name)
def test_pages(path: Any) -> None:
    assert_equal_in_both_forms(path.read_text("utf-8", "replace"))


@given(st.lists(PIECES, max_size=60))
def test_any_page(pieces: list[str]) -> None:
    assert_equal_in_both_forms("<p>" + "".join(pieces))


def test_all_kinds_of_tables() -> None:
    cells = "<tr><td>1<td>2<tr><td>3<td>4"
    html = f"<table>{cells}</table><table role=none>{cells}</table><table><tr><td><table>{cells}</table></table>"
    html += (
        "<table><caption>c</caption><tr><td>1</table><table><tr><td><p>1</p><td><p>2</p><tr><td><p>3</p><td>4</table>"
        "<table><tr><td><div><p>1</div><td><p>2<tr><td><p>3<p>4<td><p>5</table>"
        "<table><tr><td><p>1<p>2<td><p>3<tr><td><p>4<td><p>5<p>6<p>7</table>"
        "<table><tr><td colspan=2><p>1<tr><td><p>2<td><p>3<tr><td><p>4<td><p>5</table>"
        "<table><tr><td><p>1<tr><td><p>2<td><p>3</table>"
    )
    page = Page.parse(html)
    tables = [row for row, tag in enumerate(page.tags) if tag == "table"]
    expected = [False, True, True, False, False, False, False, True, False, True]
    assert [table in page.layout_tables for table in tables] == expected
    assert_equal_in_both_forms(html)


def test_inconsistent_columns_are_rejected() -> None:
    with pytest.raises(ValueError, match="differ in length"):
        KERNEL.find_around(["p"], [], ("p",), None)
    with pytest.raises(ValueError, match="after its child"):
        KERNEL.find_kinds(["p"], [0], KIND_OF_TAG, set(), None, frozenset())
    with pytest.raises(ValueError, match="out of range"):
        KERNEL.read_bit(1, [1], [1])
    with pytest.raises(ValueError, match="without leaves"):
        KERNEL.find_hidden(b"\1", [0, 2])
    with pytest.raises(ValueError, match="after its content"):
        KERNEL.find_layout_tables(["p", "p"], [-1, 0], [0, 0], [-1, 5], 8, (), (), (), (), bool, bool)


@pytest.mark.slow
def test_many_tables_take_linear_time() -> None:
    """Tables nested to the depth limit of the parser, and beside each other."""
    assert_linear(lambda n: "<table><tr><td>" * n + "x", work_out, 8_000)
    assert_linear(lambda n: "<table><tr><td>x</table>" * n, work_out, 8_000)


def test_classes_and_ids_take_linear_time() -> None:
    """Many elements, and one with many attributes."""
    assert_linear(lambda n: "<p class=a id=b x>c" * n, work_out, 20_000)
    assert_linear(lambda n: "<p " + " ".join(f"a{i}" for i in range(n)) + " id=b>c", work_out, 20_000)


def list_in_python(parents: list[int], element: int, levels: int) -> list[int]:
    return list(islice(ancestors.climb(parents, element), levels))


def has_text_in_python(parents: list[int], leaves: list[int], element: int, levels: int) -> bool:
    return any(element in list_in_python(parents, leaf, levels) for leaf in leaves)


@given(st.data(), st.integers(0, 6))
def test_ancestors(data: st.DataObject, levels: int) -> None:
    parents = [-1, *(data.draw(st.integers(0, row)) for row in range(data.draw(st.integers(0, 12))))]
    rows = st.integers(0, len(parents) - 1)
    leaves = data.draw(st.lists(rows, max_size=5))
    for element in range(-1, len(parents)):
        assert ancestors.list_around(parents, element, levels) == list_in_python(parents, element, levels)
    element = data.draw(rows)
    tags = data.draw(st.lists(st.sampled_from("ab"), min_size=len(parents), max_size=len(parents)))
    assert ancestors.climb_all(parents, leaves) == {row for leaf in leaves for row in ancestors.climb(parents, leaf)}
    for row in (-1, element):
        around = list(ancestors.climb(parents, row))
        assert ancestors.find_above(tags, parents, row, "a") == next((each for each in around if tags[each] == "a"), -1)
        outer = data.draw(st.integers(-1, len(parents)))
        assert ancestors.list_between(parents, row, outer) == [each for each in around if each > outer]
    found = ancestors.has_text_in(parents, leaves, 0, len(leaves), element, levels)
    assert found == has_text_in_python(parents, leaves, element, levels)


@given(st.data(), st.booleans())
def test_boxes_and_owners(data: st.DataObject, is_header: bool) -> None:
    """Both forms find the same box of an image, and the same posts around elements."""
    parents = [-1, *(data.draw(st.integers(max(row - 3, 0), row)) for row in range(data.draw(st.integers(0, 60))))]
    rows = st.integers(0, len(parents) - 1)
    tags = [data.draw(st.sampled_from(["div", "div", "figure", "ul"])) for _ in parents]
    owners = sorted(data.draw(st.lists(rows, max_size=8)))
    page: Any = SimpleNamespace(tags=tags, parents=parents, owners=owners)
    image, position = data.draw(rows), data.draw(st.integers(0, len(owners)))
    around = ancestors.climb_all(parents, owners)
    chosen = data.draw(st.sets(rows, max_size=5))

    def find() -> list[Any]:
        boxes = [figures._search_box(page, image, position, wanted) for wanted in (None, "figure")]
        return [*boxes, groups._find_owners(page, chosen, sorted(around), is_header=is_header)]

    found = find()
    with pytest.MonkeyPatch.context() as patch:
        for user in (figures, groups):
            patch.setattr(user, "KERNEL", None)
        assert find() == found


@given(st.data(), st.lists(st.integers(0, 3), max_size=12))
def test_letters_of_posts(data: st.DataObject, sizes: list[int]) -> None:
    """`sizes` are the numbers of leaves of blocks."""
    starts = [sum(sizes[:row]) for row in range(len(sizes))]
    texts = ["ab" * data.draw(st.integers(0, 2)) for _ in range(sum(sizes))]
    elements = [data.draw(st.integers(0, 4)) for _ in texts]
    hidden, kept, likely = ([data.draw(st.booleans()) for _ in sizes] for _ in range(3))
    signs, names = ({data.draw(st.integers(0, 5)) for _ in range(2)} for _ in range(2))
    page: Any = SimpleNamespace(
        texts=texts,
        linked_leaves=bytes(data.draw(st.booleans()) for _ in texts),
        leaf_elements=elements,
        hidden_blocks=hidden,
        starts=starts,
        stops=[*starts[1:], len(texts)] if starts else [],
        owners=[data.draw(st.integers(0, 4)) for _ in sizes],
    )
    owners = [data.draw(st.integers(-1, 4)) for _ in range(6)]

    def find() -> Any:
        letters = groups._count_outside(page, signs, names)
        counts = [count if is_kept else 0 for count, is_kept in zip(letters, kept, strict=True)]
        evidence = groups._Evidence([], [], letters, counts, sum(counts), likely, [])
        return letters, groups._sum_posts(page, owners, evidence)

    found = find()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups, "KERNEL", None)
        assert find() == found


WORDS = st.lists(st.sampled_from(["a", "B", "ab", "aB.", "한", "é", "1"]), min_size=1, max_size=30)


@given(st.data(), WORDS)
def test_leaves(data: st.DataObject, texts: list[str]) -> None:
    """The kernel lists the leaves that both forms of the rules for links and panels start from."""
    joints = [data.draw(st.sampled_from([None, "", " ", "\n"])) for _ in texts]
    linked = bytes(data.draw(st.booleans()) for _ in texts)
    pairs = (leaf for leaf in range(1, len(texts)) if linked[leaf - 1] and linked[leaf] and joints[leaf] == " ")
    ends = ((leaf, texts[leaf - 1][-1], texts[leaf][0]) for leaf in pairs)
    expected = [leaf for leaf, last, first in ends if not last.isascii() or (last.islower() and first.islower())]
    assert KERNEL.list_torn(texts, joints, linked) == expected
    parents = [-1, *(data.draw(st.integers(0, row)) for row in range(9))]
    tags = [data.draw(st.sampled_from(["span", "p"])) for _ in parents]
    bits = [data.draw(st.integers(0, 3)) for _ in parents]
    elements = [data.draw(st.integers(0, len(parents) - 1)) for _ in texts]
    page: Any = SimpleNamespace(parents=parents, bits=bits)
    hidden = [element for element in elements if bits[element] & 2]

    def find() -> list[Any]:
        return [inherited.list_leaves_in(tags, bits, elements, "span", 1), panels._find_hidden(page, hidden)]

    found = find()
    with pytest.MonkeyPatch.context() as patch:
        for user in (inherited, panels):
            patch.setattr(user, "KERNEL", None)
        assert find() == found


@given(st.data())
def test_blocks_of_elements(data: st.DataObject) -> None:
    """Both forms list the same blocks in an element."""
    parents = [-1, *(data.draw(st.integers(max(row - 3, 0), row)) for row in range(data.draw(st.integers(0, 20))))]
    rows = st.integers(0, len(parents) - 1)
    leaves = sorted(data.draw(st.lists(rows, min_size=1, max_size=60)))
    starts = [0, *sorted(data.draw(st.sets(st.integers(1, max(1, len(leaves) - 1)))) - {len(leaves)})]
    stops = [*starts[1:], len(leaves)]
    opened = [leaves[start] for start in starts]
    page: Any = SimpleNamespace(parents=parents, leaf_elements=leaves, starts=starts, stops=stops, opened=opened)
    element = data.draw(rows)
    found = item_images.Items(page, set()).list_blocks(element)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(item_images, "KERNEL", None)
        assert item_images.Items(page, set()).list_blocks(element) == found


def test_ancestors_outside() -> None:
    assert KERNEL.list_around([-1, 0], 5, 3) == []
    with pytest.raises(ValueError, match="out of range"):
        KERNEL.has_text_in([-1, 0], [1], 0, 2, 0, 3)
    with pytest.raises(ValueError, match="out of range"):
        KERNEL.find_box(["p"], [-1], [], 1, 0, None, frozenset(), 5, 40, 3)
    with pytest.raises(ValueError, match="out of range"):
        KERNEL.find_owners([-1], [1], [0], False)
    with pytest.raises(ValueError, match="out of range"):
        KERNEL.sum_posts([1], [0], [1], [1], [True])
    with pytest.raises(ValueError, match="differ in length"):
        KERNEL.sum_posts([0], [0], [1], [], [True])
    with pytest.raises(ValueError, match="out of range"):
        KERNEL.count_outside(["a"], b"\0", [0], [0, 2], [False, False], set(), set())
    with pytest.raises(ValueError, match="differ in length"):
        KERNEL.count_outside(["a"], b"", [0], [0], [False], set(), set())
    with pytest.raises(TypeError):
        KERNEL.count_outside([None], b"\0", [0], [0], [False], set(), set())
    with pytest.raises(ValueError, match="differ in length"):
        KERNEL.mark_short(b"\1", [], 10)
    with pytest.raises(ValueError, match="without leaves"):
        KERNEL.measure_blocks(["a"], b"\0", [0, 1])
    with pytest.raises(ValueError, match="differ in length"):
        KERNEL.list_torn(["a"], [], b"")
    with pytest.raises(ValueError, match="out of range"):
        KERNEL.list_leaves_in(["p"], [0], [1], "p", 1)
    with pytest.raises(ValueError, match="out of range"):
        KERNEL.find_outermost(2, [2], [-1], [1])


def test_attributes() -> None:
    page = Page.parse("<p class='a b'>one<p id=c>two")
    rows = page.list_rows("p")
    assert page.attrs(rows, "class") == ["a b", None]
    assert page.attrs([-1], "id") == ["c"]  # as in a list
    assert page.attrs([], "id") == []
    with pytest.raises(IndexError):
        page.attrs([len(page.tags)], "id")


@given(st.lists(PIECES, max_size=80), st.data())
def test_blocks_with_equal_tags_are_listed(pieces: list[str], data: st.DataObject) -> None:
    page = Page.parse("<p>" + "".join(pieces))
    count = len(page.starts)
    kept = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    scores = data.draw(st.lists(st.sampled_from([0.0, 0.1, 0.3]), min_size=count, max_size=count))
    found = Decision(kept, scores, [""] * count, [], None, [], 0.9, [])
    ours = places._list_equal_tags(page, found)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(places, "KERNEL", None)
        expected = places._list_equal_tags(page, found)
    assert list(ours) == list(expected)
    assert (
        len(set(ours.values()))
        == len(set(expected.values()))
        == len(set(zip(ours.values(), expected.values(), strict=True)))
    )


def test_many_different_tags_are_left_to_the_reference() -> None:
    count = 4097
    tags, parents = [f"x-{number}" for number in range(count)], [-1] + [0] * (count - 1)
    arguments = parents, [1, 1], [True, False], [0.9, 0.9], 0.1
    assert KERNEL.list_mixed(tags, *arguments) is None
    assert list(KERNEL.list_mixed(["x"] * count, *arguments)) == [0, 1]


def test_equal_tags_of_many_blocks_take_linear_time() -> None:
    def make(size: int) -> tuple[Any, ...]:
        tags = ["html", *(f"t{number % 4000}" for number in range(size))]
        parents = [-1, *(number - number % 5 for number in range(size))]
        return tags, parents, list(range(size)), [number % 2 == 0 for number in range(size)], [0.5] * size, 0.1

    assert_linear(make, lambda given: KERNEL.list_mixed(*given), 120_000)


def test_wrong_columns_of_equal_tags_are_rejected() -> None:
    tags, parents = ["html", "p"], [-1, 0]
    for owners, kept, scores in (
        ([2, 1], [True] * 2, [0.9] * 2),
        ([1], [], [0.9]),
        ([1], [True], []),
        ([-1], [False], [0.9]),
    ):
        with pytest.raises(ValueError, match=r"differ|range"):
            KERNEL.list_mixed(tags, parents, [*owners, 1], [*kept, False], [*scores, 0.9], 0.1)
    with pytest.raises(ValueError, match=r"differ|range"):
        KERNEL.list_mixed(tags, [-1], [1, 1], [True, False], [0.9, 0.9], 0.1)
    with pytest.raises(TypeError):
        KERNEL.list_mixed(tags, parents, [1, 1], [True, False], [0.9, None], 0.1)


@given(st.lists(PIECES, max_size=60), st.lists(st.integers(0, 40)), st.integers(0, 5))
def test_elements_near_others_are_listed(pieces: list[str], elements: list[int], levels: int) -> None:
    parents = Page.parse("<p>" + "".join(pieces)).parents
    elements = [element for element in elements if element < len(parents)]
    expected = {row for element in elements for row in islice(ancestors.climb(parents, element), levels)}
    assert KERNEL.list_near(parents, elements, levels) == expected
    assert KERNEL.list_near([-1, 9], [-5, 0, 1, 2, 10**9], 3) == {0, 1}
