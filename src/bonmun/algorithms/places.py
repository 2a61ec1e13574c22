"""Find dropped blocks at places where most are main text: the same part of each item of a list, such as its date.

The network decides about each block by itself, and scores near the threshold fall on both sides of it. Places are equal
if their tags, classes and ids are, up to the root; digits and words such as "odd" and "first" do not count.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from itertools import compress
from typing import TYPE_CHECKING

from bonmun.algorithms.repeats import REPEATED
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Sequence

    from bonmun.models.network.thresholds import Decision
    from bonmun.page import Page

__all__ = ["find_alike"]

# Chosen by word F1 on pages of sites that the network had not seen: docs/decisions/completion.md
MIN_BLOCKS = 3  # at equal places
MIN_MEAN = 0.5  # of the scores of blocks that are all kept
MIN_SCORE = 0.1  # of a block that is kept with the others
NO_DIGITS = str.maketrans("", "", "0123456789")
STATE_WORD = compile_later(r"\b(?:odd|even|alt|first|last|active|current|selected)\b")  # in classes of like items
MAX_NAME_CHARS = 300  # of classes and ids
CACHED_NAMES = 1 << 10  # classes and ids; a page has few different ones


def find_alike(page: Page, found: Decision) -> list[int]:
    """Return the rows of dropped blocks at equal places with kept ones, if the mean of all their scores is high."""
    kept, scores = found.kept, found.scores
    alike: list[int] = []
    unsure = [not is_kept and score >= MIN_SCORE for is_kept, score in zip(kept, scores, strict=True)]
    rows = _list_mixed(page, found, unsure)
    for group in _group_blocks(page, rows) if rows else ():
        if len(group) < MIN_BLOCKS or not any(kept[row] for row in group):
            continue
        if sum(scores[row] for row in group) >= MIN_MEAN * len(group):
            alike += [row for row in group if not kept[row] and scores[row] >= MIN_SCORE]
    return alike


def _list_mixed(page: Page, found: Decision, unsure: list[bool]) -> list[int]:
    """Return rows whose nearest tags and classes are also those of rows that were decided otherwise.

    Blocks at equal places are all among them, or none of them is. Few are, so that few places are read whole.
    """
    if True not in unsure:
        return []
    kept, tags, owners, parents = found.kept, page.tags, page.owners, page.parents.copy()
    parents[0] = 0  # nothing is above the root
    above = map(parents.__getitem__, owners)
    pairs = zip(map(tags.__getitem__, owners), map(tags.__getitem__, above), strict=True)
    mixed = _keep_mixed(kept, unsure, range(len(owners)), list(pairs))
    keys: list[Hashable] = []
    for row, number in mixed.items():
        third = parents[parents[owners[row]]]
        fourth = parents[third]
        keys.append((number, tags[third], tags[fourth], tags[parents[fourth]]))
    mixed = _keep_mixed(kept, unsure, mixed, keys)
    for level in range(2):
        elements = [parents[owners[row]] if level else owners[row] for row in mixed]
        names = _read_plain(page, elements, "class")
        mixed = _keep_mixed(kept, unsure, mixed, list(zip(mixed.values(), names, strict=True)))
    return [row for row in mixed if found.reasons[row] != REPEATED]


def _keep_mixed(
    kept: list[bool], unsure: list[bool], rows: Collection[int], keys: Sequence[Hashable]
) -> dict[int, int]:
    """Return the rows with a key that kept rows and rows that are not sure have, and a number for the key of each.

    `keys` has a key for each of the rows.
    """
    mixed = set(compress(keys, map(unsure.__getitem__, rows)))
    mixed.intersection_update(compress(keys, map(kept.__getitem__, rows)))
    if not mixed:
        return {}
    numbers = {key: number for number, key in enumerate(mixed)}
    return {row: numbers[key] for row, key in zip(rows, keys, strict=True) if key in numbers}


def _read_plain(page: Page, elements: Sequence[int], attribute: str) -> list[str | None]:
    """Return what counts of the class or the id of some elements."""
    values = page.attrs(elements, attribute)
    plain = {value: _simplify_name(value[:MAX_NAME_CHARS]) if value else None for value in set(values)}
    return [plain[value] for value in values]


def _group_blocks(page: Page, rows: list[int]) -> list[list[int]]:
    """Return the rows in groups of blocks at equal places."""
    places, numbers = {-1: 0}, dict[tuple[int, str, str | None, str | None], int]()
    parents, tags, owners = page.parents, page.tags, page.owners
    elements = page.with_ancestors(owners[row] for row in rows)
    classes, ids = _read_plain(page, elements, "class"), _read_plain(page, elements, "id")
    for element, class_, id_ in zip(elements, classes, ids, strict=True):
        place = places[parents[element]], tags[element], class_, id_
        places[element] = numbers.setdefault(place, len(numbers) + 1)
    groups: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        groups[places[owners[row]]].append(row)
    return list(groups.values())


@lru_cache(CACHED_NAMES)
def _simplify_name(name: str) -> str:
    """Return classes or an id without digits and words that number or mark what is alike."""
    return STATE_WORD.sub("", name.translate(NO_DIGITS))
