"""The kernel decides as the reference does, for any scores."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.models.features.count_page import count_page
from bonmun.models.features.page_arrays import PAGE_KINDS
from bonmun.models.features.page_counts import PageCounts
from bonmun.models.network.decide import decide
from bonmun.models.network.habits import Habits
from bonmun.models.network.labeller import Scores, default_network
from bonmun.models.network.thresholds import FAVOURS
from bonmun.models.network.whole_units import number_units
from bonmun.page.units import UNIT_KINDS
from samples import on_every_page

kernel = pytest.importorskip("bonmun.kernel._decision", reason="the kernel is not built")

from bonmun.models.network.compiled import decide_compiled, number_units_compiled  # noqa: E402

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.models.features.page_arrays import PageArrays

ODD_PAGES = [
    "<p>One block and no more of it.",
    "<h1>Only</h1><h2>headings</h2><h3>here</h3>",
    "<title>A lamp</title><h1>A lamp</h1><p>It burns.</p><h2>Oil</h2><p hidden>Hidden words.</p><p>More of it.</p>",
    "<ul><li>one<li>two<li><ul><li>three<li>four</ul></ul><p>text<pre>code\nmore</pre><p>text",
    "<ul><li><h3>A card</h3><p>its text<p>more</ul><ol><li>plain<li>items</ol>",
    "<table><tr><th>a<th>b<tr><td>1<td>2</table><p>between<table><tr><td><p>layout<td><div>layout</div></table>",
    "<div class=comments><p>Nice!<p>Not nice.</div><p>Text that is no comment.",
    "<p>A sum: <math display=block><mi>x</mi></math> and <math><mi>y</mi></math> it is.<p>Then text.",
    "<figure><img src=a.png><figcaption>A picture of it</figcaption></figure><dl><dt>a<dd>b<dd>c</dl>",
    "<p>Twice told words that are long enough to be taken for the same paragraph.</p>" * 3,
]


def as_counts(arrays: PageArrays) -> PageCounts:
    """Return arrays in the form that the kernel uses."""
    columns = {field.name: getattr(arrays, field.name) for field in fields(arrays)}
    return PageCounts(*(bytearray(np.ascontiguousarray(columns[name]).tobytes()) for name in PageCounts._fields))


def check_alike(page: Page, found: Scores, favour: str) -> None:
    """Check that kernel and reference number the same units and make the same decisions."""
    units = number_units(page)
    numbers, kinds = number_units_compiled(page)
    assert np.frombuffer(numbers, np.int32).tolist() == units.numbers.tolist()
    assert list(kinds) == units.kinds.tolist()
    arrays = count_page(page)
    scores = tuple(
        bytearray(np.ascontiguousarray(column, dtype).tobytes())
        for column, dtype in zip(found[:4], ("f4", "f4", "f4", "i4"), strict=True)
    )
    mine = decide_compiled(as_counts(arrays), scores, (numbers, kinds), favour, found.habits)
    theirs = decide(arrays, found, units, favour)
    assert mine._replace(scores=[], expected=0) == theirs._replace(scores=[], expected=0)
    assert mine.scores == pytest.approx(theirs.scores, abs=2e-5)
    assert mine.expected == pytest.approx(theirs.expected, abs=1e-5)


@on_every_page
def test_kernel_and_reference_decide_alike(path: Path) -> None:
    page = Page.parse(path.read_bytes())
    if page.starts:
        check_alike(page, default_network().scores(count_page(page)), "balanced")


chances = st.sampled_from([0.0, 0.01, 0.02, 0.1, 0.1999, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9, 0.95, 1.0])


@given(st.data())
def test_kernel_and_reference_decide_alike_for_any_scores(data: st.DataObject) -> None:
    page = Page.parse("".join(data.draw(st.lists(st.sampled_from(ODD_PAGES), min_size=1, max_size=3))))
    n = len(page.starts)
    keep, comment = (np.array(data.draw(st.lists(chances, min_size=n, max_size=n)), np.float32) for _ in range(2))
    kinds = np.array([data.draw(chances) for _ in PAGE_KINDS], np.float32)
    kinds = (kinds / max(kinds.sum(), 1)).round(4)
    groups = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)), np.int64)
    habits = Habits(data.draw(st.booleans()), data.draw(chances))
    check_alike(page, Scores(keep, comment, kinds, groups, habits), data.draw(st.sampled_from(list(FAVOURS))))


def test_inconsistent_arguments_are_rejected() -> None:
    page = Page.parse(ODD_PAGES[3])
    arrays = count_page(page)
    found = default_network().scores(arrays)
    scores = tuple(
        bytearray(np.ascontiguousarray(column, dtype).tobytes())
        for column, dtype in zip(found[:4], ("f4", "f4", "f4", "i4"), strict=True)
    )
    units = number_units_compiled(page)
    counts = as_counts(arrays)
    wrong = {
        "owners": bytearray(b"\x7f" * len(counts.owners)),
        "parents": bytearray(4 * len(counts.tags)),
        "counts": counts.counts[:-4],
        "hidden": bytearray(),
        "title": bytearray(4),
    }
    for name, column in wrong.items():
        with pytest.raises(ValueError, match=r"."):
            decide_compiled(counts._replace(**{name: column}), scores, units, "balanced", Habits())
    for wrong_units in ((bytearray(b"\x7f" * len(units[0])), units[1]), (units[0], bytearray([len(UNIT_KINDS)]))):
        with pytest.raises(ValueError, match=r"unit"):
            decide_compiled(counts, scores, wrong_units, "balanced", Habits())


def test_units_of_invalid_rows_are_rejected() -> None:
    from bonmun.models.network.compiled import make_numberer

    number = make_numberer().number
    assert number([], [], [], (), (), frozenset) == (bytearray(), bytearray())
    for tags, parents, owners in ((["p"], [0], [0]), (["p"], [-1], [1]), (["p"], [-2], [0]), (["p"], [], [0])):
        with pytest.raises(ValueError, match=r"parent|owner"):
            number(tags, parents, owners, (), (), frozenset)
