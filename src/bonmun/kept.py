"""The kept blocks of a page, built from the labels of its leaves or blocks."""

from __future__ import annotations

from bisect import bisect
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any

from bonmun.markup import HEADINGS
from bonmun.page import Block
from bonmun.page.kickers import find_kicker
from bonmun.page.notes.note_links import find_short_links
from bonmun.page.notes.side_notes import find_side_notes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bonmun.labels import Labels
    from bonmun.page import Page
    from bonmun.page.notes.notes import Notes
    from bonmun.page.parse.kinds import BlockKind

__all__ = ["KeptBlock", "choose_blocks", "mark_notes", "separate_kickers"]

CLOSING = "])）】〕.:"  # brackets and signs after the label of a note


class KeptBlock:
    """A kept block of a page, with the score and the reason of the decision.

    If the method labels leaves, a block may be kept in part.

    Attributes:
        page: The page that the block belongs to.
        row: Index of the block in `page.blocks`.
        leaves: Indices of the kept leaves, in document order.
        score: Score of the block, from 0 to 1.
        reason: Short reason for keeping it.
        cuts: Text that replaces some of the leaves: the kept part of a leaf, or the label of a note.
        note: Label of the note that the block belongs to, or None.
    """

    __slots__ = ("cuts", "leaves", "note", "page", "reason", "row", "score")

    def __init__(
        self,
        page: Page,
        row: int,
        leaves: Sequence[int],
        score: float,
        reason: str,
        cuts: Mapping[int, str],
        note: str | None = None,
    ) -> None:
        self.page = page
        self.row = row
        self.leaves = leaves
        self.score = score
        self.reason = reason
        self.cuts = cuts
        self.note = note

    def __repr__(self) -> str:
        return f"<{self.kind} {self.score:.2f} {self.reason}: {self.text[:60]!r}>"

    @property
    def text(self) -> str:
        """Text of the block, without the leaves or parts of leaves that were not kept."""
        page, row = self.page, self.row
        if not self.cuts and len(self.leaves) == page.stops[row] - page.starts[row]:
            return page.block_texts[row]
        return "".join(joint + text for _, joint, text in self.pieces())

    def pieces(self) -> list[tuple[int, str, str]]:
        """Return the kept leaves as (leaf, joint, text); `joint` is "", a space or a line break before the leaf."""
        pieces = self.block.pieces(self.leaves)
        return [(leaf, joint, self.cuts.get(leaf, text)) for leaf, joint, text in pieces] if self.cuts else pieces

    @property
    def block(self) -> Block:
        """The whole block of the page."""
        return Block(self.page, self.row)

    @property
    def element(self) -> int:
        """Index of the element that contains the block: the nearest one that starts a line."""
        return self.page.owners[self.row]

    @property
    def kind(self) -> BlockKind:
        """Kind of the block: "paragraph", "heading", "item", "cell", "caption", "quote", "code" or "formula"."""
        return self.page.find_kind(self.row)

    @property
    def xpath(self) -> str:
        """XPath of the block."""
        return self.block.xpath

    @property
    def tag_path(self) -> str:
        """Tags from the root to the element of the block, such as `html/body/div/p`."""
        return self.block.tag_path

    def replace(self, leaves: Sequence[int], cuts: Mapping[int, str], note: str | None) -> KeptBlock:
        """Return the same block with other leaves, cuts and note."""
        return KeptBlock(self.page, self.row, leaves, self.score, self.reason, cuts, note)

    def to_dict(self) -> dict[str, Any]:
        """Return the block as plain values, as the JSON output contains it."""
        return {
            "text": self.text,
            "kind": self.kind,
            "xpath": self.xpath,
            "score": round(self.score, 4),
            "reason": self.reason,
        } | ({"note": self.note} if self.note else {})


def choose_blocks(page: Page, labels: Labels, rows: Sequence[int]) -> list[KeptBlock]:
    """Return the blocks for some rows of the labels; rows that are leaves are grouped into blocks."""
    if not rows:  # as comments on most pages
        return []
    scores, reasons = labels.scores, labels.reasons
    if labels.unit == "block":
        uncut: Mapping[int, str] = {}  # shared by all blocks
        shown = _list_shown(page, rows)
        if labels.left_out:
            dropped = labels.left_out
            shown = [
                leaves if dropped.isdisjoint(leaves) else [leaf for leaf in leaves if leaf not in dropped]
                for leaves in shown
            ]
        return [
            KeptBlock(page, row, leaves, scores[row], reasons[row], uncut)
            for row, leaves in zip(rows, shown, strict=True)
            if leaves  # a comment may be left out as a whole
        ]
    made: list[KeptBlock] = []
    for number, found in groupby(rows, lambda leaf: bisect(page.starts, leaf) - 1):
        leaves = list(found)
        score = max(scores[leaf] for leaf in leaves)
        made.append(KeptBlock(page, number, leaves, score, reasons[leaves[0]], labels.cuts))
    return made


def _list_shown(page: Page, rows: Sequence[int]) -> list[Sequence[int]]:
    """Return the visible leaves of each block, or all its leaves if none is visible."""
    starts, stops, hidden = page.starts, page.stops, page.visibility.hidden_leaves
    shown: list[Sequence[int]] = [range(starts[row], stops[row]) for row in rows]
    if shown and hidden.find(1, shown[0][0], shown[-1][-1] + 1) >= 0:  # False on most pages
        for number, leaves in enumerate(shown):
            if hidden.find(1, leaves[0], leaves[-1] + 1) >= 0:
                shown[number] = Block(page, rows[number]).shown_leaves()
    return shown


def mark_notes(page: Page, blocks: list[KeptBlock]) -> tuple[list[KeptBlock], frozenset[int]]:
    """Move notes to the end, set their labels, and replace references to them by `[1]`.

    Returns the blocks and the leaves that are references. Only notes that are kept at least in part count. Links from
    a note back to the text are left out.
    """
    shown = list(chain.from_iterable([block.leaves for block in blocks]))
    notes = _find_notes(page, shown)
    if not notes:
        return _mark_side_notes(page, blocks, shown)
    kept = {notes.labels[notes.blocks[block.row]] for block in blocks if block.row in notes.blocks}
    references = {leaf: f"[{label}]" for leaf, label in notes.references.items() if label in kept}
    if not references:
        return _mark_side_notes(page, blocks, shown)
    marked: list[KeptBlock] = []
    begun: set[int] = set()  # notes whose first block has been seen
    for block in blocks:
        leaves = [leaf for leaf in block.leaves if leaf not in notes.backs]
        cuts = {leaf: references[leaf] for leaf in leaves if leaf in references}
        if cuts:
            brackets = _find_brackets(page, leaves, references)
            leaves = [leaf for leaf in leaves if brackets.get(leaf) != ""]
            cuts |= {leaf: rest for leaf, rest in brackets.items() if rest}
        holder = notes.blocks.get(block.row)
        if holder is not None and holder not in begun and leaves:
            begun.add(holder)
            first = block.cuts.get(leaves[0], page.texts[leaves[0]])
            stripped = _drop_label(first, notes.labels[holder])
            if leaves[0] != block.leaves[0]:  # the label in brackets was left out
                stripped = first.lstrip(CLOSING).lstrip() or first
            cuts |= {leaves[0]: stripped} if stripped != first and leaves[0] not in cuts else {}
        if holder is not None or cuts or len(leaves) < len(block.leaves):
            note = notes.labels[holder] if holder is not None else None
            block = block.replace(leaves, {**block.cuts, **cuts} if cuts else block.cuts, note)
        if leaves:
            marked.append(block)
    marked.sort(key=lambda block: block.note is not None)
    return marked, frozenset(references)


def separate_kickers(page: Page, blocks: list[KeptBlock]) -> list[KeptBlock]:
    """Return the blocks with a colon after the kickers in headings."""
    marked = blocks
    for number, block in enumerate(blocks):
        if len(block.leaves) > 1 and page.tags[page.owners[block.row]] in HEADINGS and not block.cuts:
            last = find_kicker(page, block.row, block.leaves)
            if last >= 0:
                marked = [*blocks] if marked is blocks else marked
                colon = ":" if page.joints[last + 1] else ": "
                marked[number] = block.replace(block.leaves, {last: page.texts[last] + colon}, block.note)
    return marked


def _find_notes(page: Page, leaves: Sequence[int]) -> Notes | None:
    """Return the notes that the leaves contain and refer to; None if nothing on the page can be a reference."""
    if "sup" not in page.tag_names and not find_short_links(page, leaves):
        return None
    from bonmun.page.notes.notes import find_notes

    notes = find_notes(page, leaves)
    return notes if notes.references else None


def _mark_side_notes(
    page: Page, blocks: list[KeptBlock], shown: Sequence[int]
) -> tuple[list[KeptBlock], frozenset[int]]:
    """Do the same for side notes within blocks: each becomes a block, and its first leaf becomes the reference."""
    held = find_side_notes(page, shown)
    if not held:
        return blocks, frozenset()
    marked: list[KeptBlock] = []
    notes: list[KeptBlock] = []
    references: set[int] = set()
    for block in blocks:
        inner: dict[int, list[int]] = {}  # the leaves of each note
        for leaf in block.leaves:
            if leaf in held:
                inner.setdefault(held[leaf], []).append(leaf)
        rest = [leaf for leaf in block.leaves if leaf not in held and page.tags[page.leaf_elements[leaf]] != "label"]
        if not inner or not rest:
            marked.append(block)
            continue
        labels = {leaves[0]: str(len(notes) + number) for number, leaves in enumerate(inner.values(), 1)}
        references |= labels.keys()
        leaves = sorted([*rest, *labels])
        cuts = {**block.cuts, **{leaf: f"[{label}]" for leaf, label in labels.items()}}
        marked.append(block.replace(leaves, cuts, block.note))
        notes += [block.replace(leaves, block.cuts, labels[leaves[0]]) for leaves in inner.values()]
    return marked + notes, frozenset(references)


def _find_brackets(page: Page, leaves: Sequence[int], references: Mapping[int, str]) -> dict[int, str]:
    """Return the leaves with brackets around references, which have their own, and what is left of each.

    `[<a>1</a>]` would become `[[1]]`.
    """
    found: dict[int, str] = {}
    for before, leaf, after in zip(leaves, leaves[1:], leaves[2:], strict=False):
        if leaf not in references or before in references or after in references:
            continue
        opening, closing = found.get(before, page.texts[before]), page.texts[after]
        if opening.endswith("[") and closing.startswith("]") and not (before in page.raws or after in page.raws):
            found[before], found[after] = opening[:-1], closing[1:]
    return found


def _drop_label(text: str, label: str) -> str:
    """Return the text of a note without the label at its start: `1. It is` becomes `It is`."""
    rest = text.lstrip("[(").removeprefix(label)
    body = rest.lstrip("])").removeprefix(".").removeprefix(":")
    return body.strip() if len(body) < len(rest) < len(text) and body[:1].isspace() and body.strip() else text
