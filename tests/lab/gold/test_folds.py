"""Folds and parts of sites: the same on every machine, with the expected sizes."""

from __future__ import annotations

from collections import Counter

from bonmun.lab.gold.folds import FOLDS, find_fold, find_part

SITES = [f"site-{number}.example" for number in range(5000)]


def test_folds_are_even() -> None:
    counts = Counter(map(find_fold, SITES))
    assert sorted(counts) == list(range(FOLDS))
    assert max(counts.values()) < 1.1 * len(SITES) / FOLDS


def test_parts_are_80_10_and_10_percent() -> None:
    counts = Counter(map(find_part, SITES))
    assert abs(counts["train"] - 4000) < 100
    assert abs(counts["valid"] - 500) < 100
    assert abs(counts["test"] - 500) < 100


def test_a_site_is_in_the_same_part_on_every_machine() -> None:
    assert [find_part(f"{name}.example") for name in "abcd"] == ["train", "train", "test", "valid"]
    assert [find_fold(f"{name}.example") for name in "abcd"] == [2, 4, 2, 4]
