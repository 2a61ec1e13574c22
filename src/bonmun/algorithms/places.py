"""Find blocks at places where most were decided otherwise: the same part of each item of a list, such as its date.

The network decides about each block by itself, and scores near the threshold fall on both sides of it. Places are equal
if their tags, classes and ids are, up to the root; digits and words such as "odd" and "first" do not count.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache, partial
from itertools import compress, takewhile
from typing import TYPE_CHECKING

from bonmun.algorithms.repeats import REPEATED
from bonmun.kernel import load_kernel
from bonmun.models.network.thresholds import LINKS, REASON_TEXTS, SHORT, UNLIKE
from bonmun.page.parse.ancestors import list_around
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Sequence

    from bonmun.models.network.thresholds import Decision
    from bonmun.page import Page

__all__ = ["find_alike", "find_odd_labels", "find_unlike", "list_groups"]

KERNEL = load_kernel("columns")
# Chosen by word F1 on pages of sites that the network had not seen: docs/decisions/completion.md
MIN_BLOCKS = 3  # at equal places
MIN_MEAN = 0.5  # of the scores of blocks that are all kept
MIN_SCORE = 0.1  # of a block that is kept with the others
MIN_UNLIKE = 4  # blocks at equal places
MAX_UNLIKE_SHARE = 0.5  # of the kept blocks of a page; of more, all stay
MAX_UNLIKE_SCORE = 0.6  # of a kept block that is dropped with the others
MIN_LABELS = 5  # at equal places
MAX_LABEL_CHARS = 60
MAX_LABEL_SCORE = 0.8  # of a kept label that is dropped with the others
ITEM_LEVELS = 12  # elements around a label that may be its item
MAX_ITEM_BLOCKS = 8  # of an item before its label, and after it
UNITS = frozenset({"cell", "code", "formula"})  # kinds of blocks that are no items
NO_LABELS = UNITS | {"heading"}
NO_DIGITS = str.maketrans("", "", "0123456789")
STATE_WORD = compile_later(r"\b(?:odd|even|alt|first|last|active|current|selected)\b")  # in classes of like items
MAX_NAME_CHARS = 300  # of classes and ids
UNSURE = frozenset({REASON_TEXTS[LINKS], REASON_TEXTS[SHORT], REASON_TEXTS[UNLIKE]})  # reasons that a label is dropped
CACHED_NAMES = 1 << 10  # classes and ids; a page has few different ones


def list_groups(page: Page, found: Decision) -> list[list[int]]:
    """Return the rows of blocks in groups at equal places, if some of a group are kept and others are not."""
    kept = found.kept
    rows = _list_mixed(page, found)
    groups = _group_blocks(page, rows) if rows else ()
    return [group for group in groups if len(group) >= MIN_BLOCKS and any(kept[row] for row in group)]


def find_alike(groups: list[list[int]], found: Decision) -> list[int]:
    """Return the rows of dropped blocks at equal places with kept ones, if the mean of all their scores is high."""
    kept, scores = found.kept, found.scores
    alike: list[int] = []
    for group in groups:
        if sum(scores[row] for row in group) >= MIN_MEAN * len(group):
            alike += [row for row in group if not kept[row] and scores[row] >= MIN_SCORE]
    return alike


def find_unlike(page: Page, groups: list[list[int]], found: Decision) -> list[int]:
    """Return the rows of hardly kept blocks in a listing, if half of those at equal places or more are dropped.

    The mean of all their scores must be low: the opposite of `find_alike`.
    """
    kept, scores = found.kept, found.scores
    unlike: list[int] = []
    for group in groups:
        rows = [row for row in group if kept[row]]
        if len(group) < MIN_UNLIKE or 2 * len(rows) > len(group) or page.find_kind(group[0]) in UNITS:
            continue
        if sum(scores[row] for row in group) < MIN_MEAN * len(group):
            unlike += [row for row in rows if scores[row] < MAX_UNLIKE_SCORE]
    return unlike if len(unlike) < MAX_UNLIKE_SHARE * sum(kept) else []


def find_odd_labels(page: Page, groups: list[list[int]], found: Decision) -> tuple[list[int], list[int]]:
    """Return the labels of items in a listing to keep and to drop, so that those at equal places are decided together.

    Labels are short texts such as dates, authors and sections. At least half of them must be kept for all to be. Only
    those beside a longer kept text of the same item count, and none that was dropped for what it says.
    """
    kept, scores, texts, hidden = found.kept, found.scores, page.block_texts, page.hidden_blocks
    to_keep: list[int] = []
    to_drop: list[int] = []
    for group in groups:
        short = [row for row in group if len(texts[row]) <= MAX_LABEL_CHARS]
        short = [row for row in short if kept[row] or (found.reasons[row] in UNSURE and not hidden[row])]
        count = sum(kept[row] for row in short)
        if len(short) < MIN_LABELS or not 0 < count < len(short) or page.find_kind(short[0]) in NO_LABELS:
            continue
        labels = _list_labels(page, short, kept)
        if count >= MIN_MEAN * len(short):
            to_keep += [row for row in labels if not kept[row] and scores[row] >= MIN_SCORE]
        else:
            to_drop += [row for row in labels if kept[row] and scores[row] < MAX_LABEL_SCORE]
    return to_keep, to_drop


def _list_labels(page: Page, group: list[int], kept: list[bool]) -> list[int]:
    """Return the blocks of a group beside a longer kept block of the same item.

    An item is the largest element around a block that has no other block of the group.
    """
    texts = page.block_texts
    chains = [list_around(page.parents, page.owners[row], ITEM_LEVELS) for row in group]
    found = []
    for number, (row, chain) in enumerate(zip(group, chains, strict=True)):
        others = {*(chains[number - 1] if number else ()), *(chains[number + 1] if number + 1 < len(chains) else ())}
        item = next((each for each in reversed(chain) if each not in others), None)
        if item is None:
            continue
        for beside in (range(row - 1, row - 1 - MAX_ITEM_BLOCKS, -1), range(row + 1, row + 1 + MAX_ITEM_BLOCKS)):
            inside = takewhile(partial(_is_inside, page, item), beside)
            if any(kept[other] and len(texts[other]) > len(texts[row]) for other in inside):
                found.append(row)
                break
    return found


def _is_inside(page: Page, item: int, row: int) -> bool:
    """Whether there is a block with this number, and it is in an item."""
    return 0 <= row < len(page.owners) and item in list_around(page.parents, page.owners[row], ITEM_LEVELS)


def _list_mixed(page: Page, found: Decision) -> list[int]:
    """Return rows whose nearest tags and classes are also those of rows that were decided otherwise.

    Blocks at equal places are all among them, or none of them is. Few are, so that few places are read whole.
    """
    kept, owners, parents = found.kept, page.owners, page.parents
    mixed = _list_equal_tags(page, found)
    if not mixed:
        return []
    unsure = [not is_kept and score >= MIN_SCORE for is_kept, score in zip(kept, found.scores, strict=True)]
    for level in range(2):
        elements = [max(parents[owners[row]], 0) if level else owners[row] for row in mixed]
        names = _read_plain(page, elements, "class")
        mixed = _keep_mixed(kept, unsure, mixed, list(zip(mixed.values(), names, strict=True)))
    return [row for row in mixed if found.reasons[row] != REPEATED]


def _list_equal_tags(page: Page, found: Decision) -> dict[int, int]:
    """Return rows whose tags, of five levels, are also those of rows that were decided otherwise, with their number."""
    kept, scores, tags, owners = found.kept, found.scores, page.tags, page.owners
    if KERNEL:
        rows: dict[int, int] | None = KERNEL.list_mixed(tags, page.parents, owners, kept, scores, MIN_SCORE)
        if rows is not None:
            return rows
    unsure = [not is_kept and score >= MIN_SCORE for is_kept, score in zip(kept, scores, strict=True)]
    if True not in unsure:
        return {}
    parents = page.parents.copy()
    parents[0] = 0  # nothing is above the root
    above = map(parents.__getitem__, owners)
    pairs = zip(map(tags.__getitem__, owners), map(tags.__getitem__, above), strict=True)
    mixed = _keep_mixed(kept, unsure, range(len(owners)), list(pairs))
    keys: list[Hashable] = []
    for row, number in mixed.items():
        third = parents[parents[owners[row]]]
        fourth = parents[third]
        keys.append((number, tags[third], tags[fourth], tags[parents[fourth]]))
    return _keep_mixed(kept, unsure, mixed, keys)


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
    rows = dict.fromkeys(elements)  # an element around many blocks is read once: its names can be long
    values = page.attrs(rows, attribute)
    plain = {value: _simplify_name(value[:MAX_NAME_CHARS]) if value else None for value in set(values)}
    names = dict(zip(rows, map(plain.__getitem__, values), strict=True))
    return [names[element] for element in elements]


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
