"""A page in, its notes out: which leaves refer to a note, which elements are notes, which leaves lead back.

A reference is a short link (`1`, `[2]`, `*`) to a place further down on the page, which says by its place or by names
that it is one: it is raised, or it or its target is called a note by class, role or id. What stands at that place is
the note. Where two references lead into one element, as to lines of one paragraph, nobody can say whose it is: then
it stays a paragraph. On a page without such links, raised numbers in a text are references if notes with these numbers
follow (see loose_notes.py).
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from bonmun.page.notes.loose_notes import find_loose_notes
from bonmun.page.notes.note_links import REFERENCE_CHARS, find_short_links
from bonmun.page.parse.ancestors import climb

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bonmun.page.page import Page

__all__ = ["NO_NOTES", "Notes", "find_notes"]

LABEL = re.compile(
    r"[\[(（【〔]?\s?(?:note |n |fn)?([0-9]{1,4}|[a-z]|[ivx]{2,5}|[*†‡§]{1,4})\s?[\])）】〕]?[.:]?", re.I
)
BRACKETED = re.compile(r"\[[0-9]{1,4}\]")
# What such a link says, or one that leads back.
BACK = re.compile(
    r"[\s\[\](){}（）【】〔〕^↑↩↵⏎⤴⬆▲\u200d\ufe0e\ufe0f.:,;0-9*†‡§]{0,12}[a-z]?[\])]?"
    r"|[\[(]?[ivx]{2,5}[\])]?|(?:note |n |fn)[0-9]{1,4}",
    re.I,
)
# By what names pages call a note, or a reference to one.
NAMED = re.compile(
    r"(?:foot|end|side|margin)-?notes?|note-?ref|fn-?ref|f?tnref|cite_(?:note|ref)|citeref|bib\.bib"
    r"|(?:^|[\s_:.-])(?:fn|ftn|edn|rn|note|sdfootnote|sdendnote)[\s_:.-]?[0-9a-z]{0,4}(?![0-9a-z])",
    re.I,
)
NAMING = ("id", "class", "role", "rel", "epub:type", "data-type")
NAME_CHARS = 200  # of an attribute that are read
HREF_CHARS = 2000  # of an address to a note, at most
HOLDERS = frozenset("li p dd aside div section td blockquote".split())  # what may hold a note
NAMING_LEVELS = 3  # a reference or a target, and those around it, that may name it
HOLDER_LEVELS = 6  # the same, that are looked at for what holds the note
MOST_OF_PAGE = 0.5  # of the page's blocks: what holds more is no note


class Notes(NamedTuple):
    """The notes of a page."""

    references: dict[int, str]  # leaves, each with the label of its note; of several in one link, the first
    labels: dict[int, str]  # the elements that hold a note, each with its label
    blocks: dict[int, int]  # the blocks in notes, each with the element that holds it
    backs: frozenset[int]  # leaves that lead back from notes, or say a label again


NO_NOTES = Notes({}, {}, {}, frozenset())


def find_notes(page: Page, leaves: Sequence[int]) -> Notes:
    """Find those that some leaves refer to and hold."""
    texts = _read_short_links(page, leaves)
    likely = {row: found[1] for row, (_, text) in texts.items() if (found := LABEL.fullmatch(text))}
    names = _read_names(page, likely)
    holders: dict[int, int] = {}  # of the links that refer to a note
    labels: dict[int, str] = {}
    if names:
        places = _find_places(page, set(names.values()))
        targets = {row: places[name] for row, name in names.items() if places.get(name, -1) > row}
        meant = {row: target for row, target in targets.items() if _is_note(page, row, target, texts[row][1])}
        holders = {row: holder for row in meant if (holder := _find_holder(page, meant[row])) > row}
        labels = _choose_labels(holders, likely, targets)
    if labels:
        references = {texts[row][0][0]: holder for row, holder in holders.items()}
    else:
        references, labels = find_loose_notes(page, leaves)
    return _gather(page, references, labels, texts) if labels else NO_NOTES


def _gather(
    page: Page, references: dict[int, int], labels: dict[int, str], texts: dict[int, tuple[list[int], str]]
) -> Notes:
    """The notes that say something, and not too much."""
    blocks = _find_blocks(page, labels)
    backs = _find_backs(page, blocks, labels, texts).difference(references)
    held = Counter(blocks.values())
    said = {row for block, row in blocks.items() if not backs.issuperset(range(page.starts[block], page.stops[block]))}
    most = max(MOST_OF_PAGE * len(page.starts), 1)
    labels = {row: label for row, label in labels.items() if row in said and held[row] <= most}
    blocks = {block: row for block, row in blocks.items() if row in labels}
    found = {leaf: labels[holder] for leaf, holder in references.items() if holder in labels}
    if not found:
        return NO_NOTES
    further = (leaf for leaves, _ in texts.values() if leaves[0] in found for leaf in leaves[1:])
    return Notes(found, labels, blocks, backs.union(further, _find_terms(page, blocks)))


def _find_terms(page: Page, blocks: dict[int, int]) -> Iterator[int]:
    """The leaves of terms that say the label of the definition after them, which is the note."""
    for block, holder in blocks.items():
        before = block - 1
        if page.tags[holder] != "dd" or before < 0 or before in blocks or page.tags[page.owners[before]] != "dt":
            continue
        if page.parents[page.owners[before]] == page.parents[holder] and LABEL.fullmatch(page.block_texts[before]):
            yield from range(page.starts[before], page.stops[before])


def _read_short_links(page: Page, leaves: Sequence[int]) -> dict[int, tuple[list[int], str]]:
    """The leaves of each link of few characters, and its text."""
    found: dict[int, tuple[list[int], str]] = {}
    tags, elements = page.tags, page.leaf_elements
    texts = page.texts
    for leaf in find_short_links(page, leaves):
        if BACK.fullmatch(texts[leaf]):
            element = elements[leaf]
            link = element if tags[element] == "a" else page.find_link(element)
            others, before = found.get(link, ([], ""))
            found[link] = [*others[:REFERENCE_CHARS], leaf], before[:REFERENCE_CHARS] + texts[leaf]
    return found


def _read_names(page: Page, links: Iterable[int]) -> dict[int, str]:
    """The names of the places that links may lead to on this page."""
    found: dict[int, str] = {}
    rows = list(links)
    for row, href in zip(rows, page.attrs(rows, "href"), strict=True):
        if href and len(href) <= HREF_CHARS and (name := href.strip().partition("#")[2]):
            found[row] = unquote(name)
    return found


def _find_places(page: Page, names: set[str]) -> dict[str, int]:
    """The element of each name that is asked for: by its id, or the name of an anchor."""
    places: dict[str, int] = {}
    anchors = [row for row, tag in enumerate(page.tags) if tag == "a"]
    for rows, attribute in ((range(len(page.tags)), "id"), (anchors, "name")):
        for row, name in zip(rows, page.attrs(rows, attribute), strict=True):
            if name is not None and name in names:
                places.setdefault(name, row)
    return places


def _is_note(page: Page, reference: int, target: int, text: str) -> bool:
    """Whether a short link refers to a note: it is raised, or in brackets, or it or its target is called so."""
    if BRACKETED.fullmatch(text):
        return True
    around = list(islice(climb(page.parents, reference), NAMING_LEVELS))
    if any(page.tags[row] == "sup" for row in around):
        return True
    below = reference + 1
    if below < len(page.tags) and page.tags[below] == "sup" and page.parents[below] == reference:
        return True
    return _is_named(page, around) or _is_named(page, islice(climb(page.parents, target), NAMING_LEVELS - 1))


def _is_named(page: Page, rows: Iterable[int]) -> bool:
    return any(NAMED.search((page.attr(row, name) or "")[:NAME_CHARS]) for row in rows for name in NAMING)


def _find_holder(page: Page, target: int) -> int:
    """What holds the note at a place: the nearest element that may, or the definition of a term; -1 if none does."""
    tags, parents = page.tags, page.parents
    for row in islice(climb(parents, target), HOLDER_LEVELS):
        if tags[row] in HOLDERS:
            return row
        if tags[row] == "dt":
            after = range(target + 1, min(target + 100, len(tags)))
            return next((each for each in after if tags[each] == "dd" and parents[each] == parents[row]), -1)
    return -1


def _choose_labels(holders: dict[int, int], likely: dict[int, str], targets: dict[int, int]) -> dict[int, str]:
    """A label for each note, that of its first reference; several notes of one label are numbered."""
    places: dict[int, set[int]] = {}  # the targets in each holder
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
    """The blocks in notes, each with the innermost element that holds it: what holds notes is none."""
    parents = page.parents
    around = {-1: -1}
    for row in page.holders:
        around[row] = row if row in labels else around[parents[row]]
    outer = {around[parents[row]] for row in labels}
    found = ((block, around[owner]) for block, owner in enumerate(page.owners))
    return {block: row for block, row in found if row >= 0 and row not in outer}


def _find_backs(
    page: Page, blocks: dict[int, int], labels: dict[int, str], texts: dict[int, tuple[list[int], str]]
) -> frozenset[int]:
    """The leaves of notes that are short links up the page, and the label where it starts the note."""
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
