"""Snapshots: the content of a file, and every way in which it can be invalid."""

from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bonmun
from bonmun.errors import BadConfig, BadInput, BadSnapshot, MissingInput, NotHtml, TooBig
from bonmun.page import Page
from bonmun.snapshots import (
    Look,
    Snapshot,
    is_snapshot,
    load_snapshot,
    make_snapshot,
    pack_snapshot,
    save_snapshot,
)

if TYPE_CHECKING:
    from pathlib import Path

HTML = (
    '<!DOCTYPE html><html data-bonmun="0"><head data-bonmun="1"></head><body data-bonmun="2"><p data-bonmun="3">Shown.</p>'
    '<p data-bonmun="4">Not shown.</p><table data-bonmun="5"><tr data-bonmun="6"><td data-bonmun="7">Cell.</td></tr></table>'
    "</body></html>"
)
ROWS = 8


def make(**changes: Any) -> Snapshot:
    found = {
        "html": HTML,
        "url": "http://made-up.example/",
        "viewport": [1280, 800],
        "page": [1280, 900],
        "looks": [["block", "static", 16, 400, "rgb(0, 0, 0)", "rgb(255, 255, 255)"]],
        "left": [10 * row for row in range(ROWS)],
        "top": [20 * row for row in range(ROWS)],
        "width": [1000] * ROWS,
        "height": [205] * ROWS,
        "visible": [1, 0, 1, 1, 0, 1, 1, 1],
        "hidden": [0, 1, 0, 0, 1, 0, 0, 0],
        "children": [2, 0, 3, 1, 1, 1, 1, 1],
        "styles": [0, -1, 0, 0, -1, 0, 0, 0],
        **changes,
    }
    return make_snapshot(found, found["html"], found)


def test_a_page_from_a_snapshot_has_boxes() -> None:
    page = Page.from_snapshot(make())
    assert page.boxes
    rows = {tag: row for row, tag in enumerate(page.tags)}
    assert page.boxes.left[rows["td"]] == 7
    assert page.boxes.height[rows["td"]] == 20.5
    assert page.boxes.font_size[rows["td"]] == 16
    assert page.boxes.contrast[rows["td"]] == pytest.approx(21)
    assert page.boxes.left[rows["tbody"]] == page.boxes.left[rows["table"]]  # which the parser has inserted
    assert [leaf.hidden for leaf in page.leaves] == [False, True, False]
    assert page.url == "http://made-up.example/"


def test_a_static_page_has_no_boxes() -> None:
    assert Page.parse(HTML).boxes is None


def test_a_file_contains_the_whole_snapshot(tmp_path: Path) -> None:
    snapshot = make(
        taken="2026-03-04T09:00:00Z", browser="Chromium 1", problem="without its scripts: it spins", cut=True
    )
    save_snapshot(snapshot, tmp_path / "a.snapshot")
    again = load_snapshot(tmp_path / "a.snapshot")
    for name in ("html", "url", "viewport", "page_size", "looks", "taken", "browser", "problem", "cut"):
        assert getattr(again, name) == getattr(snapshot, name)
    for name in ("left", "top", "width", "height", "visible", "hidden", "children", "styles"):
        assert (getattr(again, name) == getattr(snapshot, name)).all()
    assert Page.from_snapshot(again).cut


def test_the_bytes_of_a_snapshot_are_a_page() -> None:
    data = pack_snapshot(make())
    assert is_snapshot(data)
    assert Page.parse(data).boxes
    assert bonmun.extract(data, method="all").text == "Shown.\n\nCell."


def test_extract_accepts_a_snapshot_or_its_file(tmp_path: Path) -> None:
    save_snapshot(make(), tmp_path / "a.snapshot")
    for given_ in (make(), tmp_path / "a.snapshot", str(tmp_path / "a.snapshot")):
        doc = bonmun.extract(snapshot=given_, method="all")
        assert doc.text == "Shown.\n\nCell."
        assert doc.url == "http://made-up.example/"


def test_wrong_use_of_extract(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match="not both"):
        bonmun.extract("<p>a</p>", snapshot=make())
    with pytest.raises(BadConfig, match="There is no page"):
        bonmun.extract()
    with pytest.raises(BadConfig, match="snapshot must be"):
        bonmun.extract(snapshot=3)  # type: ignore[arg-type]
    with pytest.raises(MissingInput):
        bonmun.extract(snapshot=tmp_path / "none.snapshot")
    with pytest.raises(TooBig):
        Page.from_snapshot(make(), max_bytes=100)


def repack(data: bytes, **changes: Any) -> bytes:
    """Return a snapshot file with other arrays; None removes one."""
    with np.load(io.BytesIO(data)) as arrays:
        found = {name: arrays[name] for name in arrays.files} | changes
    file = io.BytesIO()
    np.savez_compressed(file, **{name: array for name, array in found.items() if array is not None})
    return file.getvalue()


def rehead(data: bytes, **changes: Any) -> bytes:
    with np.load(io.BytesIO(data)) as arrays:
        head = json.loads(arrays["snapshot"].tobytes()) | changes
    return repack(data, snapshot=np.frombuffer(json.dumps(head).encode(), np.uint8))


GOOD = pack_snapshot(make())
BROKEN = {
    "cut short": GOOD[:-30],
    "half": GOOD[: len(GOOD) // 2],
    "another zip": b"PK\x03\x04" + GOOD[4:30] + b"snapshot.npy" + b"x" * 100,
    "no html": repack(GOOD, html=None),
    "no column": repack(GOOD, left=None),
    "a short column": repack(GOOD, left=np.zeros(3, np.int32)),
    "a column of another kind": repack(GOOD, left=np.zeros(ROWS)),
    "a table": repack(GOOD, left=np.zeros((ROWS, 2), np.int32)),
    "a look that is not there": repack(GOOD, styles=np.full(ROWS, 7, np.int32)),
    "a look before the first": repack(GOOD, styles=np.full(ROWS, -2, np.int32)),
    "no JSON": repack(GOOD, snapshot=np.frombuffer(b"{", np.uint8)),
    "a list": repack(GOOD, snapshot=np.frombuffer(b"[1]", np.uint8)),
    "another version": rehead(GOOD, version=2),
    "no viewport": rehead(GOOD, viewport=None),
    "a viewport of one": rehead(GOOD, viewport=[3]),
    "looks of nothing": rehead(GOOD, looks=[[]]),
    "looks that are numbers": rehead(GOOD, looks=[1]),
    "an endless viewport": repack(
        GOOD, snapshot=np.frombuffer(b'{"version": 1, "looks": [], "viewport": [NaN, 1], "page": [1, 1]}', np.uint8)
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_snapshots_raise(case: str) -> None:
    with pytest.raises(BadSnapshot, match="bonmun render"):
        Page.parse(BROKEN[case])


def test_another_zip_file_is_not_a_page() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("a.txt", "a")
    with pytest.raises(NotHtml):
        Page.parse(file.getvalue())


@given(st.integers(0, len(GOOD) - 1), st.binary(min_size=1, max_size=8))
def test_a_damaged_file_is_a_clear_error_or_a_page(place: int, damage: bytes) -> None:
    try:
        page = Page.parse(GOOD[:place] + damage + GOOD[place + len(damage) :])
    except BadInput:
        return
    assert page.boxes is None or len(page.boxes.left) == len(page.tags)


MARKS = st.sampled_from(["", "0", "3", "7", "8", "-1", "99999999", "999999999999", "٣", "x", "1e1", " 2"])


@given(st.lists(MARKS, min_size=1, max_size=6))
def test_marks_may_be_anything(marks: list[str]) -> None:
    html = "".join(f'<p data-bonmun="{mark}">{number}.</p>' for number, mark in enumerate(marks))
    page = Page.from_snapshot(make(html=html))
    assert page.boxes
    assert len(page.boxes.left) == len(page.tags)
    assert bonmun.extract(page, method="all").page is page


@pytest.mark.parametrize("value", [2**31 - 1, -(2**31), 0])
def test_boxes_of_any_size_are_finite(value: int) -> None:
    changes = {name: [value] * ROWS for name in ("left", "top", "width", "height")}
    page = Page.parse(pack_snapshot(make(**changes)))
    assert page.boxes
    assert np.isfinite(page.boxes.right).all()
    assert np.isfinite(page.boxes.bottom).all()


@pytest.mark.parametrize(
    ("colour", "background", "contrast"),
    [
        ("rgb(0, 0, 0)", "rgb(255, 255, 255)", 21.0),
        ("rgb(255, 255, 255)", "rgb(0, 0, 0)", 21.0),
        ("rgb(119, 119, 119)", "rgb(255, 255, 255)", 4.478),  # the example of WCAG for a grey that just fails
        ("rgb(9, 9, 9)", "rgb(9, 9, 9)", 1.0),
        ("rgba(0, 0, 0, 0)", "rgb(255, 255, 255)", 1.0),
        ("rgba(0, 0, 0, 0.5)", "rgb(255, 255, 255)", 3.98),
        ("oklch(0.5 0.2 30)", "color(srgb 1 1 1)", 1.0),  # other notations count as medium grey
        ("rgba(0, 0, 0, .)", "rgb(999, 0, 0)", 5.25),
    ],
)
def test_contrast(colour: str, background: str, contrast: float) -> None:
    assert Look("block", "static", 16, 400, colour, background).contrast == pytest.approx(contrast, abs=0.01)
