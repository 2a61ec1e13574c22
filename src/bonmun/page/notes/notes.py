"""Find the notes of a page: the references to them, their elements, and the links back to the text.

A reference is a short link (`1`, `[2]`, `*`) to a position further down the page. It must be superscript or in
brackets, or the class, role or id of the link or its target must name a note. The note is the element at that position.
If two references lead to different positions in one element, the note is ambiguous, and the element stays a
paragraph. On a page without such links, superscript numbers are references if notes with these numbers follow (see
loose_notes.py).
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from bonmun.page.notes.loose_notes import find_loose_notes
from bonmun.page.notes.note_links import MAX_REFERENCE_CHARS, find_short_links
from bonmun.page.parse.ancestors import list_around

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bonmun.page.page import Page

__all__ = ["NO_NOTES", "Notes", "find_notes"]

LABEL = re.compile(
    r"[\[(（【〔]?\s?(?:note |n |fn)?([0-9]{1,4}|[a-z]|[ivx]{2,5}|[*†‡§]{1,4})\s?[\])）】〕]?[.:]?", re.I
)
BRACKETED = re.compile(r"\[[0-9]{1,4}\]")
# Text of a reference, or of a link back to it.
BACK = re.compile(
    r"[\s\[\](){}（）【】〔〕^↑↩↵⏎⤴⬆▲\u200d\ufe0e\ufe0f.:,;0-9*†‡§]{0,12}[a-z]?[\])]?"
    r"|[\[(]?[ivx]{2,5}[\])]?|(?:note |n |fn)[0-9]{1,4}",
    re.I,
)
# Names that pages give to notes and references.
NOTE_NAME = re.compile(
    r"(?:foot|end|side|margin)-?notes?|note-?ref|fn-?ref|f?tnref|cite_(?:note|ref)|citeref|bib\.bib"
    r"|(?:^|[\s_:.-])(?:fn|ftn|edn|rn|note|sdfootnote|sdendnote)[\s_:.-]?[0-9a-z]{0,4}(?![0-9a-z])"
    r"|(?:^|[\s_:.-])(?:ref|cite?|cr|b|bib)[\s_:.-]?[0-9]{1,4}(?![0-9a-z])",
    re.I,
)
NAMING_ATTRIBUTES = ("id", "name", "class", "role", "rel", "epub:type", "data-type")
MAX_NAME_CHARS = 200  # characters read of an attribute
MAX_HREF_CHARS = 2000  # URL of a link to a note
HOLDERS = frozenset("li p dd aside div section td blockquote".split())  # elements that may contain a note
LABELLED = frozenset({("dd", "dt"), ("td", "td"), ("td", "th")})  # tags of a note and of the element with its label
CELLS = frozenset({"td", "th"})
MAX_CELL_ELEMENTS = 100  # elements in a cell, up to the next one
MAX_NAMING_LEVELS = 3  # elements inspected for a name, from a reference or target outwards
MAX_HOLDER_LEVELS = 6  # elements inspected for the element of the note, from the target outwards
MAX_PAGE_SHARE = 0.5  # share of the blocks of the page; an element with more is not a note


class Notes(NamedTuple):
    """The notes of a page."""

    references: dict[int, str]  # leaves that refer to a note, each with its label; the first leaf of a link
    labels: dict[int, str]  # elements that contain a note, each with its label
    blocks: dict[int, int]  # blocks in notes, each with the element of the note
    backs: frozenset[int]  # leaves in notes that link back to the text or repeat the label


NO_NOTES = Notes({}, {}, {}, frozenset())


def find_notes(page: Page, leaves: Sequence[int]) -> Notes:
    """Find the notes that the leaves refer to and contain."""
    texts = _read_short_links(page, leaves)
    likely = {row: found[1] for row, (_, text) in texts.items() if (found := LABEL.fullmatch(text))}
    names = _read_names(page, likely)
    holders: dict[int, int] = {}  # element of the note, by the link that refers to it
    labels: dict[int, str] = {}
    if names:
        places = _find_places(page, set(names.values()))
        targets = {row: places[name] for row, name in names.items() if places.get(name, -1) > row}
        meant = {row: target for row, target in targets.items() if _is_note(page, row, target, *texts[row])}
        holders = {row: holder for row in meant if (holder := _find_holder(page, meant[row])) > row}
        labels = _choose_labels(holders, likely, targets)
    if labels:
        references = {texts[row][0][0]: holder for row, holder in holders.items()}
    else:
        references, labels = find_loose_notes(page, leaves)
    return _select_notes(page, references, labels, texts) if labels else NO_NOTES


def _select_notes(
    page: Page, references: dict[int, int], labels: dict[int, str], texts: dict[int, tuple[list[int], str]]
) -> Notes:
    """Return the notes that have text, and that are not too large a part of the page."""
    blocks = _find_blocks(page, labels)
    backs = _find_backs(page, blocks, labels, texts).difference(references)
    block_counts = Counter(blocks.values())
    with_text = {
        row for block, row in blocks.items() if not backs.issuperset(range(page.starts[block], page.stops[block]))
    }
    max_blocks = max(MAX_PAGE_SHARE * len(page.starts), 1)
    labels = {row: label for row, label in labels.items() if row in with_text and block_counts[row] <= max_blocks}
    blocks = {block: row for block, row in blocks.items() if row in labels}
    found = {leaf: labels[holder] for leaf, holder in references.items() if holder in labels}
    if not found:
        return NO_NOTES
    further = (leaf for leaves, _ in texts.values() if leaves[0] in found for leaf in leaves[1:])
    return Notes(found, labels, blocks, backs.union(further, _find_terms(page, blocks)))


def _find_terms(page: Page, blocks: dict[int, int]) -> Iterator[int]:
    """Yield the leaves of terms (`<dt>`) and cells that contain the label of the note after them (`<dd>`, `<td>`)."""
    for block, holder in blocks.items():
        before = block - 1
        if before < 0 or before in blocks or (page.tags[holder], page.tags[page.owners[before]]) not in LABELLED:
            continue
        if page.parents[page.owners[before]] == page.parents[holder] and BACK.fullmatch(page.block_texts[before]):
            yield from range(page.starts[before], page.stops[before])


def _read_short_links(page: Page, leaves: Sequence[int]) -> dict[int, tuple[list[int], str]]:
    """Return the leaves and the text of each short link."""
    found: dict[int, tuple[list[int], str]] = {}
    tags, elements = page.tags, page.leaf_elements
    texts = page.texts
    for leaf in find_short_links(page, leaves):
        if BACK.fullmatch(texts[leaf]):
            element = elements[leaf]
            link = element if tags[element] == "a" else page.find_link(element)
            others, before = found.get(link, ([], ""))
            found[link] = [*others[:MAX_REFERENCE_CHARS], leaf], before[:MAX_REFERENCE_CHARS] + texts[leaf]
    return found


def _read_names(page: Page, links: Iterable[int]) -> dict[int, str]:
    """Return the fragment of the URL of each link."""
    found: dict[int, str] = {}
    rows = list(links)
    for row, href in zip(rows, page.attrs(rows, "href"), strict=True):
        if href and len(href) <= MAX_HREF_CHARS and (name := href.strip().partition("#")[2]):
            found[row] = unquote(name)
    return found


def _find_places(page: Page, names: set[str]) -> dict[str, int]:
    """Return the element with each name, by its id or as a named anchor."""
    places: dict[str, int] = {}
    anchors = [row for row, tag in enumerate(page.tags) if tag == "a"]
    for rows, attribute in ((range(len(page.tags)), "id"), (anchors, "name")):
        for row, name in zip(rows, page.attrs(rows, attribute), strict=True):
            if name is not None and name in names:
                places.setdefault(name, row)
    return places


def _is_note(page: Page, reference: int, target: int, leaves: list[int], text: str) -> bool:
    """Return whether a short link refers to a note: it is superscript or in brackets, or a name says so."""
    if BRACKETED.fullmatch(text) or _is_in_brackets(page, leaves):
        return True
    around = list_around(page.parents, reference, MAX_NAMING_LEVELS)
    if any(page.tags[row] == "sup" for row in around):
        return True
    below = reference + 1
    if below < len(page.tags) and page.tags[below] == "sup" and page.parents[below] == reference:
        return True
    return _is_named(page, around) or _is_named(page, list_around(page.parents, target, MAX_NAMING_LEVELS - 1))


def _is_in_brackets(page: Page, leaves: list[int]) -> bool:
    """Return whether square brackets are directly around the leaves of a link: "…[1]"."""
    first, last = leaves[0], leaves[-1]
    if first == 0 or last + 1 >= len(page.texts):
        return False
    return page.texts[first - 1].rstrip().endswith("[") and page.texts[last + 1].lstrip().startswith("]")


def _is_named(page: Page, rows: Iterable[int]) -> bool:
    return any(
        NOTE_NAME.search((page.attr(row, name) or "")[:MAX_NAME_CHARS]) for row in rows for name in NAMING_ATTRIBUTES
    )


def _find_holder(page: Page, target: int) -> int:
    """Return the element of the note at a target: the nearest of HOLDERS, or what follows its label; -1 if none."""
    tags, parents = page.tags, page.parents
    for row in list_around(parents, target, MAX_HOLDER_LEVELS):
        if tags[row] in CELLS:
            return _find_next_cell(page, row)
        if tags[row] in HOLDERS:
            return row
        if tags[row] == "dt":
            after = range(target + 1, min(target + 100, len(tags)))
            return next((each for each in after if tags[each] == "dd" and parents[each] == parents[row]), -1)
    return -1


def _find_next_cell(page: Page, cell: int) -> int:
    """Return the cell after one that contains no more than the label of a note, else the cell; -1 for a header."""
    parents = page.parents
    after = range(cell + 1, min(cell + MAX_CELL_ELEMENTS, len(parents)))
    other = next((row for row in after if parents[row] == parents[cell]), -1)
    if other >= 0 and page.tags[other] == "td" and _is_label(page, range(cell, other)):
        return other
    return cell if page.tags[cell] == "td" else -1


def _is_label(page: Page, elements: range) -> bool:
    """Return whether the only block among some elements is the label of a note."""
    blocks = [block for element in elements if (block := page.blocks_by_owner.get(element)) is not None]
    return len(blocks) == 1 and BACK.fullmatch(page.block_texts[blocks[0]]) is not None


def _choose_labels(holders: dict[int, int], likely: dict[int, str], targets: dict[int, int]) -> dict[int, str]:
    """Return the label of each note: that of its first reference, with a number if the label is already in use."""
    places: dict[int, set[int]] = {}  # targets in each holder
    labels: dict[int, str] = {}
    for row, holder in sorted(holders.items()):
        places.setdefault(holder, set()).add(targets[row])
        labels.setdefault(holder, likely[row])
    seen: Counter[str] = Counter()
    chosen: dict[int, str] = {}
    for holder, label in labels.items():
        if len(places[holder]) == 1:
            seen[label] += 1
            chosen[holder] = label if seen[label] == 1 else f"{label}-{seen[label]}"
    return chosen


def _find_blocks(page: Page, labels: dict[int, str]) -> dict[int, int]:
    """Return the blocks in notes, each with its innermost note.

    Elements that contain notes are not notes, and neither are elements without blocks.
    """
    parents = page.parents
    around = {-1: -1}
    for row in page.holders:
        around[row] = row if row in labels else around[parents[row]]
    outer = {around[parents[row]] for row in labels if row in around}
    found = ((block, around[owner]) for block, owner in enumerate(page.owners))
    return {block: row for block, row in found if row >= 0 and row not in outer}


def _find_backs(
    page: Page, blocks: dict[int, int], labels: dict[int, str], texts: dict[int, tuple[list[int], str]]
) -> frozenset[int]:
    """Return the leaves in notes that are short links, or the label at the start of the note."""
    backs: set[int] = set()
    begun: set[int] = set()
    short = {leaf for leaves, text in texts.values() if BACK.fullmatch(text) for leaf in leaves}
    for block, holder in blocks.items():
        for leaf in range(page.starts[block], page.stops[block]):
            is_label = page.texts[leaf].strip("[]()（）^.: ") in ("", labels[holder])
            if leaf in short or (is_label and holder not in begun):
                backs.add(leaf)
            else:
                begun.add(holder)
    return frozenset(backs)
