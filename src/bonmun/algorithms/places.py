"""Decide alike about blocks at equal places: the same part of each item of a list, such as its date or its label.

The network decides about each block by itself, and scores near the threshold fall on both sides of it. Places are equal
if their tags, classes and ids are, up to the root; digits and words such as "odd" and "first" do not count.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from bonmun.algorithms.repeats import REPEATED
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from bonmun.models.network.thresholds import Decision
    from bonmun.page import Page

__all__ = ["PlaceDecision", "decide_places"]

# Chosen by word F1 on pages of sites that the network had not seen: docs/decisions/completion.md
MIN_BLOCKS = 3  # at equal places
MIN_MEAN = 0.5  # of the scores of blocks that are all kept; blocks with less are all dropped
MIN_SCORE = 0.1  # of a block that is kept with the others
SURE_SCORE = 0.8  # of a block that is never dropped with the others
NO_DIGITS = str.maketrans("", "", "0123456789")
STATE_WORD = compile_later(r"\b(?:odd|even|alt|first|last|active|current|selected)\b")  # in classes of like items
MAX_NAME_CHARS = 300  # of classes and ids


class PlaceDecision(NamedTuple):
    """Rows of blocks to keep and to drop, because most blocks at such places are kept or dropped."""

    keep: list[int]
    drop: list[int]


def decide_places(page: Page, found: Decision) -> PlaceDecision:
    """Return the blocks that are to be decided like the others at equal places; repeated texts do not count."""
    kept, scores = found.kept, found.scores
    keep: list[int] = []
    drop: list[int] = []
    rows = [row for row in _list_mixed(page, found) if found.reasons[row] != REPEATED]
    for group in _group_blocks(page, rows) if rows else ():
        count = sum(kept[row] for row in group)
        if len(group) < MIN_BLOCKS or not 0 < count < len(group):
            continue
        if sum(scores[row] for row in group) >= MIN_MEAN * len(group):
            keep += [row for row in group if not kept[row] and scores[row] >= MIN_SCORE]
        else:
            drop += [row for row in group if kept[row] and scores[row] < SURE_SCORE]
    return PlaceDecision(keep, drop)


def _list_mixed(page: Page, found: Decision) -> list[int]:
    """Return the rows whose tags are also those of blocks that were decided otherwise: only their places are read."""
    tags, parents = page.tags, page.parents
    groups: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for row, owner in enumerate(page.owners):
        above = max(parents[owner], 0)
        groups[tags[owner], tags[above], tags[max(parents[above], 0)]].append(row)
    mixed: list[int] = []
    for rows in groups.values():
        kept = [row for row in rows if found.kept[row]]
        if len(rows) >= MIN_BLOCKS and 0 < len(kept) < len(rows):
            unsure = any(found.scores[row] < SURE_SCORE for row in kept)
            if unsure or any(not found.kept[row] and found.scores[row] >= MIN_SCORE for row in rows):
                mixed += rows
    return sorted(mixed)


def _group_blocks(page: Page, rows: list[int]) -> list[list[int]]:
    """Return the rows in groups of blocks at equal places."""
    places, numbers = {-1: 0}, dict[tuple[int, str, str | None, str | None], int]()
    parents, tags, owners = page.parents, page.tags, page.owners
    elements = page.with_ancestors(owners[row] for row in rows)
    classes, ids = page.attrs(elements, "class"), page.attrs(elements, "id")
    plain = {name: _simplify_name(name) for name in {*classes, *ids}}
    for element, class_, id_ in zip(elements, classes, ids, strict=True):
        place = places[parents[element]], tags[element], plain[class_], plain[id_]
        places[element] = numbers.setdefault(place, len(numbers) + 1)
    groups: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        groups[places[owners[row]]].append(row)
    return list(groups.values())


def _simplify_name(name: str | None) -> str | None:
    """Return classes or an id without digits and words that number or mark what is alike."""
    return STATE_WORD.sub("", name[:MAX_NAME_CHARS].translate(NO_DIGITS)) if name else None
