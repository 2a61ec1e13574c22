"""Find what changed between two versions of a text: blocks that were added, removed or changed.

Blocks that occur once in both versions are matched first, as in a patience diff; then equal blocks beside them. Time
grows with n log n, for any input.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["BlockChange", "find_changes", "mark_words", "write_changes"]

MAX_ROUNDS = 8  # of matching; further ones find little
LOOKAHEAD = 8  # new blocks that a removed block is compared with
MIN_SIMILARITY = 0.5  # share of the words of two blocks that are versions of the same
MAX_COMPARED_WORDS = 2_000  # of a block

WordRun = tuple[Literal["same", "removed", "added"], str]
Span = tuple[int, int, int, int]  # start and stop in the old sequence, start and stop in the new one


@dataclass(frozen=True, slots=True)
class BlockChange:
    """A block that differs between two versions."""

    kind: Literal["added", "removed", "changed"]
    old: str | None
    new: str | None

    def to_dict(self) -> dict[str, Any]:
        """Return the change as plain values."""
        return asdict(self)


def find_changes(old: Sequence[str], new: Sequence[str]) -> list[BlockChange]:
    """Return the blocks that were added, removed or changed, in order.

    >>> find_changes(["One.", "Two is here."], ["One.", "Two was here."])
    [BlockChange(kind='changed', old='Two is here.', new='Two was here.')]
    """
    changes: list[BlockChange] = []
    for start, stop, new_start, new_stop in _find_differences(old, new):
        changes += _pair(old[start:stop], new[new_start:new_stop])
    return changes


def mark_words(old: str, new: str) -> list[WordRun]:
    """Return the words of two versions of a block as runs that are the same, removed or added."""
    before, after = old.split(), new.split()
    runs: list[WordRun] = []
    done = 0
    for start, stop, new_start, new_stop in [*_find_differences(before, after), (0, 0, len(after), len(after))]:
        runs.append(("same", " ".join(after[done:new_start])))
        runs.append(("removed", " ".join(before[start:stop])))
        runs.append(("added", " ".join(after[new_start:new_stop])))
        done = new_stop
    return [run for run in runs if run[1]]


def write_changes(changes: Sequence[BlockChange]) -> str:
    """Return changes as text: `+` before an added block, `-` before a removed one, `~` before a changed one."""
    return "\n\n".join(map(_write, changes))


def _write(change: BlockChange) -> str:
    if change.kind != "changed":
        return f"+ {change.new}" if change.kind == "added" else f"- {change.old}"
    marks = {"same": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}
    return "~ " + " ".join(marks[kind].format(text) for kind, text in mark_words(change.old or "", change.new or ""))


def _pair(removed: Sequence[str], added: Sequence[str]) -> Iterator[BlockChange]:
    """Yield the changes between two matched blocks: a removed and an added block that are similar are one change."""
    removed_words, added_words = [_count_words(each) for each in removed], [_count_words(each) for each in added]
    at = 0
    for block, words in zip(removed, removed_words, strict=True):
        scores = [_compare(words, each) for each in added_words[at : at + LOOKAHEAD]]
        if max(scores, default=0.0) < MIN_SIMILARITY:
            yield BlockChange("removed", block, None)
            continue
        best = at + scores.index(max(scores))
        for each in added[at:best]:
            yield BlockChange("added", None, each)
        yield BlockChange("changed", block, added[best])
        at = best + 1
    for each in added[at:]:
        yield BlockChange("added", None, each)


def _count_words(block: str) -> Counter[str]:
    return Counter(block.split()[:MAX_COMPARED_WORDS])


def _compare(one: Counter[str], other: Counter[str]) -> float:
    """Return the share of words that two blocks have in common."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


def _find_differences(old: Sequence[str], new: Sequence[str]) -> list[Span]:
    """Return the spans that differ, in order."""
    spans = [(0, len(old), 0, len(new))]
    for _ in range(MAX_ROUNDS):
        split = [part for span in spans for part in _split(old, new, span)]
        if split == spans:
            break
        spans = split
    return spans


def _split(old: Sequence[str], new: Sequence[str], span: Span) -> list[Span]:
    """Return the parts of a span that remain when equal blocks are taken out."""
    start, stop, new_start, new_stop = span
    while start < stop and new_start < new_stop and old[start] == new[new_start]:
        start, new_start = start + 1, new_start + 1
    while start < stop and new_start < new_stop and old[stop - 1] == new[new_stop - 1]:
        stop, new_stop = stop - 1, new_stop - 1
    if start == stop and new_start == new_stop:
        return []
    found = []
    for at, new_at in _match_unique(old, new, (start, stop, new_start, new_stop)):
        if at > start or new_at > new_start:
            found.append((start, at, new_start, new_at))
        start, new_start = at + 1, new_at + 1
    if start < stop or new_start < new_stop:
        found.append((start, stop, new_start, new_stop))
    return found


def _match_unique(old: Sequence[str], new: Sequence[str], span: Span) -> list[tuple[int, int]]:
    """Return pairs of equal blocks that occur once on each side, as many as are in the same order on both."""
    start, stop, new_start, new_stop = span
    if start == stop or new_start == new_stop:
        return []
    counts, new_counts = Counter(old[start:stop]), Counter(new[new_start:new_stop])
    places = {new[at]: at for at in range(new_start, new_stop) if new_counts[new[at]] == 1}
    pairs = [(at, places[old[at]]) for at in range(start, stop) if counts[old[at]] == 1 and old[at] in places]
    # the longest increasing sequence of places in the new version
    ends: list[int] = []
    piles: list[int] = []  # the pair at the end of the best sequence of each length
    before = [-1] * len(pairs)
    for number, (_, new_at) in enumerate(pairs):
        pile = bisect_left(ends, new_at)
        before[number] = piles[pile - 1] if pile else -1
        ends[pile : pile + 1] = [new_at]
        piles[pile : pile + 1] = [number]
    chosen = []
    number = piles[-1] if piles else -1
    while number >= 0:
        chosen.append(pairs[number])
        number = before[number]
    return chosen[::-1]
