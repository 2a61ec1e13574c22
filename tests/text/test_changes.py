"""Changes between two versions of a text: found in order, and in time that grows little faster than the text."""

from __future__ import annotations

from random import Random

import pytest

from bonmun.text.changes import BlockChange, find_changes, mark_words, write_changes
from timing import assert_linear

HARBOUR = "The ship left the harbour in the morning."
LAMP = "Somebody lit the lamp every evening."
PRICE = "A ticket for the tower costs 10 euros."
NEW_PRICE = "A ticket for the tower costs 12 euros."


def test_equal_texts_have_no_changes() -> None:
    assert find_changes([], []) == []
    assert find_changes([HARBOUR, LAMP], [HARBOUR, LAMP]) == []


def test_added_removed_and_changed_blocks_are_told_apart() -> None:
    assert find_changes([HARBOUR, PRICE], [LAMP, HARBOUR, NEW_PRICE]) == [
        BlockChange("added", None, LAMP),
        BlockChange("changed", PRICE, NEW_PRICE),
    ]
    assert find_changes([HARBOUR, LAMP], [LAMP]) == [BlockChange("removed", HARBOUR, None)]
    assert find_changes([HARBOUR], [LAMP]) == [BlockChange("removed", HARBOUR, None), BlockChange("added", None, LAMP)]
    assert find_changes([], [LAMP]) == [BlockChange("added", None, LAMP)]


def test_repeated_blocks_are_matched_between_unique_ones() -> None:
    old = ["-", "A", "-", "B", "-"]
    assert find_changes(old, ["-", "A", "-", "-", "B", "-"]) == [BlockChange("added", None, "-")]


def test_changed_words_are_marked() -> None:
    assert mark_words(PRICE, NEW_PRICE) == [
        ("same", "A ticket for the tower costs"),
        ("removed", "10"),
        ("added", "12"),
        ("same", "euros."),
    ]
    changes = [
        BlockChange("changed", PRICE, NEW_PRICE),
        BlockChange("removed", LAMP, None),
        BlockChange("added", None, HARBOUR),
    ]
    assert write_changes(changes) == (
        f"~ A ticket for the tower costs [-10-] {{+12+}} euros.\n\n- {LAMP}\n\n+ {HARBOUR}"
    )


@pytest.mark.parametrize("seed", range(30))
def test_the_changes_turn_one_version_into_the_other(seed: int) -> None:
    random = Random(seed)
    old = [random.choice("abcdefgh") * 3 for _ in range(random.randrange(12))]
    new = [random.choice("abcdefgh") * 3 for _ in range(random.randrange(12))]
    changes = find_changes(old, new)
    removed = [each.old for each in changes if each.old is not None]
    added = [each.new for each in changes if each.new is not None]
    assert sorted([*old, *added]) == sorted([*new, *removed])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["repeated", "reversed", "different", "interleaved"])
def test_time_is_linear(kind: str) -> None:
    def make(size: int) -> tuple[list[str], list[str]]:
        one = [f"block {number}" for number in range(size)]
        return {
            "repeated": (["a", "b"] * (size // 2), ["b", "a", "a"] * (size // 3)),
            "reversed": (one, one[::-1]),
            "different": (one, [f"other {number}" for number in range(size)]),
            "interleaved": (one, [each for block in one for each in (block, "-")]),
        }[kind]

    assert_linear(make, lambda pair: find_changes(*pair), 20_000)
