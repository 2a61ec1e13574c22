"""Verdicts on golds: corrected examples, ranges of rows, and lines that are no verdicts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.errors import BadConfig
from bonmun.lab.gold.examples import BrokenRecord, Example
from bonmun.lab.gold.verdicts import Verdict, apply_verdict, read_ranges, read_verdicts, write_ranges

HTML = "<body><nav><a href=/>Home</a></nav><main><h2>Tides</h2><p>One.<p>Two.</main><footer><p>Legal</footer>"
EXAMPLE = Example("a", HTML, "old", kind="article")


def make_verdict(**more: Any) -> Verdict:
    return Verdict("hash", "relabelled", len(Page.parse(HTML).starts), **more)


def test_a_relabelled_page_has_the_blocks_of_its_verdict() -> None:
    rows = {"keep": (1, 2, 3), "comment": (3, 4), "unsure": (0,)}
    found = apply_verdict(EXAMPLE, make_verdict(rows=rows, kind="listing"))
    assert isinstance(found, Example)
    assert (found.text, found.comments, found.kind) == ("Tides\nOne.\nTwo.", "Two.\nLegal", "listing")
    assert [each.label for each in found.labels or ()] == ["unsure", "keep", "keep", "keep", "comment"]


def test_a_page_without_main_text_is_relabelled() -> None:
    found = apply_verdict(EXAMPLE, make_verdict())
    assert isinstance(found, Example)
    assert (found.text, found.labels, found.kind) == ("", (), "article")


@given(st.sets(st.integers(0, 40)))
def test_any_rows_become_ranges_and_back(rows: set[int]) -> None:
    assert list(read_ranges(write_ranges(sorted(rows)))) == sorted(rows)


def test_a_dropped_page_and_a_page_that_has_changed_are_broken_records() -> None:
    dropped = apply_verdict(EXAMPLE, Verdict("hash", "dropped", why="wrong page"))
    assert dropped == BrokenRecord("a", "dropped by its verdict: wrong page")
    assert isinstance(apply_verdict(EXAMPLE, Verdict("hash", "relabelled", 99)), BrokenRecord)
    assert apply_verdict(EXAMPLE, Verdict("hash", "right")) is EXAMPLE
    assert apply_verdict(EXAMPLE, None) is EXAMPLE


NOT_VERDICTS = [
    "{",
    "[]",
    "[" * 50_000,
    '{"verdict": "right"}',
    '{"page": "a", "verdict": "fine"}',
    '{"page": "a", "verdict": "relabelled", "keep": "x"}',
    '{"page": "a", "verdict": "relabelled", "keep": [1]}',
    '{"page": "a", "verdict": "relabelled", "keep": "1-99999999999"}',
    '{"page": "a", "verdict": "relabelled", "blocks": 5, "keep": "5"}',
    '{"page": "a", "verdict": "relabelled", "blocks": "5"}',
]


@pytest.mark.parametrize("line", NOT_VERDICTS, ids=lambda line: line[:50])
def test_a_line_that_is_not_a_verdict_is_refused(line: str, tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    path.write_text(json.dumps({"page": "b", "verdict": "right"}) + "\n" + line + "\n")
    with pytest.raises(BadConfig, match="line 2"):
        read_verdicts(path)


def test_a_file_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadConfig, match="cannot be read"):
        read_verdicts(Path("no-such-file.jsonl"))
