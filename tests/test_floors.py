"""Every method reaches its floor on tests/pages."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bonmun.algorithms import PAGE_METHODS
from floors import DIGITS, FILE, PAGES, measure, update_floors

if TYPE_CHECKING:
    from pathlib import Path

FLOORS = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGE_METHODS)
def test_every_method_reaches_its_floor(name: str) -> None:
    assert measure([name])["words.f1"][name] >= FLOORS["words.f1"][name] - 10**-DIGITS


def test_the_floors_belong_to_the_current_pages() -> None:
    """If this fails, a page, a gold or the set of methods has changed: run `make bench-floors` and review the change."""
    assert FLOORS["pages"] == measure([])["pages"]
    assert list(FLOORS["words.f1"]) == list(PAGE_METHODS)


def test_a_floor_is_only_lowered_on_request() -> None:
    old = {"pages": "a", "words.f1": {"auto": 0.9, "all": 0.5}}
    better = {"pages": "a", "words.f1": {"auto": 0.91, "all": 0.5}}
    worse = {"pages": "a", "words.f1": {"auto": 0.89, "all": 0.6}}
    gone = {"pages": "a", "words.f1": {"auto": 0.9}}
    other_pages = {"pages": "b", "words.f1": {"auto": 0.1, "all": 0.1}}
    assert update_floors(old, better) == better
    for fallen, message in ((worse, "auto 0.9 → 0.89"), (gone, "all 0.5 → gone")):
        with pytest.raises(ValueError, match=message):
            update_floors(old, fallen)
        assert update_floors(old, fallen, accept=True) == fallen
    assert update_floors(old, other_pages) == other_pages
    assert update_floors({}, old) == old


def test_a_changed_page_changes_the_hash(tmp_path: Path) -> None:
    for folder in PAGES.iterdir():
        (tmp_path / folder.name).mkdir()
        for file in folder.iterdir():
            (tmp_path / folder.name / file.name).write_bytes(file.read_bytes())
    assert measure([], tmp_path) == measure([])
    gold = tmp_path / "en-news" / "gold.txt"
    gold.write_text(gold.read_text(encoding="utf-8") + "more", encoding="utf-8")
    assert measure([], tmp_path) != measure([])
