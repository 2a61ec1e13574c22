"""Web2Text's collapsed tree of a page, and the counts of its leaves.

Vogels, T., Ganea, O.-E. & Eickhoff, C. (2018), "Web2Text: Deep Structured Boilerplate Removal", ECIR. In the collapsed
tree, an element with only one child is merged with it, so every node is a leaf or has at least two children. A node has
the tags of all elements that were merged into it. Only leaves that are shown count. The record needs only numpy, so
that training can run where the rest of bonmun is not installed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from bonmun.models.features.character_arrays import read_classes
from bonmun.models.features.characters import BLANK, CLASSES, COMMA, DIGIT, END, LETTER, LINE, LOWER, UPPER, WIDE
from bonmun.text.scripts import COUNTED_SINGLY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bonmun.page import Page

__all__ = ["COLLAPSED_TAGS", "COUNTED", "CollapsedTree", "collapse", "count_texts"]

# The tags that the published features use; the tags of a node are bits of a number.
COLLAPSED_TAGS = (
    "a p td b li span i tr div strong em h3 h2 table h4 small sup h1 blockquote body ul ol form dl pre".split()
)
TAG_BITS = {tag: 1 << bit for bit, tag in enumerate(COLLAPSED_TAGS)}
# The counts of a leaf, in the order of the columns.
COUNTED = (
    "characters words letters short capitals punctuation digits sentences link "  # letters: in words; link: characters
    "ends_punctuation ends_question copyright email url year"  # 0 or 1
).split()
SHORT_LETTERS = 3  # maximum of a short word, which is probably a function word, in any alphabet
QUESTION_MARKS = "?？؟;"
COPYRIGHT_SIGNS = "©ⓒ"
YEAR_DIGITS = 4
IDEOGRAPHIC = 0x3000  # sentence marks from this code point on need no space after them
IN_WORD = np.isin(np.arange(CLASSES), [LOWER, UPPER, WIDE, DIGIT, LETTER])  # by the class of a character


@dataclass(frozen=True, slots=True)
class CollapsedTree:
    """The collapsed tree of a page with n leaves that are shown and m nodes above them."""

    counts: NDArray[np.int32]  # (n, len(COUNTED))
    copies: NDArray[np.int32]  # (n,) leaves with the same text
    alike: NDArray[np.int32]  # (n,) leaves with the same path of tags and classes
    tags: NDArray[np.uint32]  # (n,) bits of COLLAPSED_TAGS
    parents: NDArray[np.int32]  # (n,) the parent node; -1 if the page has only one leaf
    breaks: NDArray[np.bool_]  # (n,) whether a block starts here
    node_tags: NDArray[np.uint32]  # (m,)
    node_parents: NDArray[np.int32]  # (m,) -1 for the root; parents come before their children
    node_depths: NDArray[np.int32]  # (m,) 0 for the root
    node_starts: NDArray[np.int32]  # (m,) the first of its leaves
    node_stops: NDArray[np.int32]  # (m,) one past the last
    node_forms: NDArray[np.bool_]  # (m,) whether it has an <input>


def collapse(page: Page) -> CollapsedTree:
    """Collapse the tree of a page, and count its leaves."""
    shown = page.shown
    elements = [page.leaf_elements[leaf] for leaf in shown]
    live = page.with_ancestors(elements)
    children = Counter(page.parents[element] for element in live)
    children.update(elements)
    above: dict[int, int] = {-1: -1}  # by element: the parent of the node that it was merged into
    bits: dict[int, int] = {-1: 0}  # by element: the tags of the elements merged so far
    number: dict[int, int] = {}  # by element: the number of its node
    paths: dict[int, int] = {-1: -1}
    known: dict[tuple[int, str, str | None], int] = {}
    tags, parents = page.tags, page.parents
    nodes: list[tuple[int, int]] = []  # tags and parent node
    for element, name in zip(live, page.attrs(live, "class"), strict=True):
        parent, tag = parents[element], tags[element]
        held = number.get(parent)
        above[element] = above[parent] if held is None else held
        bits[element] = TAG_BITS.get(tag, 0) | (bits[parent] if held is None else 0)
        paths[element] = known.setdefault((paths[parent], tag, name), len(known))
        if children[element] > 1:
            number[element] = len(nodes)
            nodes.append((bits[element], above[element]))
    leaf_parents = [number.get(element, above[element]) for element in elements]
    texts = [page.texts[leaf] for leaf in shown]
    copies, alike = Counter(texts), Counter(paths[element] for element in elements)
    node_parents = [parent for _, parent in nodes]
    starts, stops, depths = _span_nodes(leaf_parents, node_parents)
    linked = np.frombuffer(page.linked_leaves, np.uint8)[shown] if shown else np.empty(0, np.uint8)
    joints = page.joints
    return CollapsedTree(
        counts=count_texts(texts, linked),
        copies=np.fromiter(map(copies.__getitem__, texts), np.int32, len(texts)),
        alike=np.fromiter((alike[paths[element]] for element in elements), np.int32, len(texts)),
        tags=np.array([0 if element in number else bits[element] for element in elements], np.uint32),
        parents=np.array(leaf_parents, np.int32),
        breaks=np.array([joints[leaf] in (None, "\n") for leaf in shown], bool),
        node_tags=np.array([each for each, _ in nodes], np.uint32),
        node_parents=np.array(node_parents, np.int32),
        node_depths=np.array(depths, np.int32),
        node_starts=np.array(starts, np.int32),
        node_stops=np.array(stops, np.int32),
        node_forms=_find_forms(page, number),
    )


def _span_nodes(leaf_parents: Sequence[int], node_parents: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
    """Return the first leaf of each node, one past its last, and its depth."""
    n, m = len(leaf_parents), len(node_parents)
    starts, stops = [n] * m, [0] * m
    for leaf in range(n - 1, -1, -1):
        if leaf_parents[leaf] >= 0:
            starts[leaf_parents[leaf]] = leaf
    for leaf, parent in enumerate(leaf_parents):
        if parent >= 0:
            stops[parent] = leaf + 1
    for node in range(m - 1, 0, -1):
        parent = node_parents[node]
        if parent >= 0:
            starts[parent] = min(starts[parent], starts[node])
            stops[parent] = max(stops[parent], stops[node])
    depths: list[int] = []
    for parent in node_parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    return starts, stops, depths


def _find_forms(page: Page, number: dict[int, int]) -> NDArray[np.bool_]:
    """Return for each node whether it has an input field."""
    found = np.zeros(len(number), bool)
    fields = [element for element, tag in enumerate(page.tags) if tag == "input"]
    found[[number[element] for element in page.with_ancestors(fields) if element in number]] = True
    return found


def _make_unspaced() -> NDArray[np.bool_]:
    """Return for each code point of the Basic Multilingual Plane whether its script is written without spaces."""
    table = np.zeros(0x10000, bool)
    for first, last in zip(COUNTED_SINGLY[::3], COUNTED_SINGLY[2::3], strict=True):
        table[ord(first) : min(ord(last), 0xFFFE) + 1] = True
    return table


UNSPACED = _make_unspaced()


def count_texts(texts: Sequence[str], linked: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Return the columns of COUNTED for some texts, which must not be empty; computed for all texts at once.

    A word is a run of letters and digits; in scripts without spaces, every two characters.
    """
    n = len(texts)
    if not n:
        return np.empty((0, len(COUNTED)), np.int32)
    joined = "\n".join(chain(texts, [""]))
    codes = np.minimum(np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32), 0xFFFF)
    lengths = np.fromiter(map(len, texts), np.int64, n)
    stops = np.cumsum(lengths + 1)  # including the line break after each text
    starts = stops - lengths - 1
    of_text = np.repeat(np.arange(n), lengths + 1)
    classes = read_classes()[codes]
    unspaced = UNSPACED[codes]
    in_word = IN_WORD[classes]
    spaced = in_word & ~unspaced

    def add(where: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(of_text[where], minlength=n)

    before, after = np.roll(spaced, 1), np.roll(spaced, -1)  # the last character is a line break
    first, last = np.flatnonzero(spaced & ~before), np.flatnonzero(spaced & ~after)
    runs = last - first + 1
    word_text = of_text[first]
    wide = classes[first] == WIDE
    short = (runs <= np.where(wide, 1, SHORT_LETTERS)) & np.isin(classes[first], [LOWER, LETTER, WIDE])
    lone = add(unspaced & in_word)
    digit = classes == DIGIT
    marks = classes == END
    following = np.roll(classes, -1)
    ending = marks & ((following == BLANK) | (following == LINE) | (codes >= IDEOGRAPHIC))
    final = np.maximum(stops - 2, starts)
    question = np.isin(codes[final], [ord(mark) for mark in QUESTION_MARKS])
    columns = {
        "characters": lengths,
        "words": np.bincount(word_text, minlength=n) + (lone + 1) // 2,
        "letters": add(in_word),
        "short": np.bincount(word_text[short], minlength=n),
        "capitals": np.bincount(word_text[classes[first] == UPPER], minlength=n),
        "punctuation": add(marks | (classes == COMMA)),
        "digits": add(digit),
        "sentences": np.maximum(add(ending), 1),
        "link": lengths * linked,
        "ends_punctuation": np.isin(classes[final], [END, COMMA]),
        "ends_question": question,
        "copyright": add(np.isin(codes, [ord(sign) for sign in COPYRIGHT_SIGNS])) > 0,
        "email": add((codes == ord("@")) & np.roll(in_word, 1) & np.roll(in_word, -1)) > 0,
        "url": add((codes == ord(":")) & (np.roll(codes, -1) == ord("/")) & (np.roll(codes, -2) == ord("/"))) > 0,
        "year": np.bincount(of_text[_find_years(classes)], minlength=n) > 0,
    }
    return np.stack([columns[name] for name in COUNTED], 1).astype(np.int32)


def _find_years(classes: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the starts of four-digit numbers that are not part of an alphabetic word: 2026, 2026년, 2026年."""
    digit = classes == DIGIT
    first = np.flatnonzero(digit & ~np.roll(digit, 1))
    last = np.flatnonzero(digit & ~np.roll(digit, -1))
    alphabet = np.isin(classes, [LOWER, UPPER, LETTER])
    alone = ~(np.roll(alphabet, 1)[first] | np.roll(alphabet, -1)[last])
    years: NDArray[np.int64] = first[(last - first + 1 == YEAR_DIGITS) & alone]
    return years
