"""Separate words that a style sheet sets apart: `<span class=label>Live</span>Title`, `<b>Who?</b><span>We</span>`.

Markup can split a word, as in `H<sub>2</sub>O` or with an initial, so most texts that meet without white space stay
together. A space is added beside a label or a time, and where a sentence or a label ends
with an element, and between the phrases of two elements where a small letter meets a capital.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import list_around
from bonmun.page.parse.leaf_pieces import is_unspaced
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from bonmun.page.parse.columns import PageColumns

__all__ = ["separate_labels"]

LABELS = frozenset("label labels badge pill chip kicker eyebrow category time date datetime timestamp ago".split())
WHOLE = frozenset("sub sup code kbd samp tt var pre ruby rb abbr".split())  # text in and beside these stays together
EMPHASIS = frozenset({"b", "strong", "em", "i"})
ENDS = ".?!:…"
MIN_WORD_CHARS = 4  # of a single word before a full stop: shorter ones are initials
WORDS = compile_later("[a-z]+")
CLASS_CHARS = 300  # of a class attribute that are read
LEVELS = 6  # elements around a text


def separate_labels(page: PageColumns) -> None:
    """Add the spaces to a page that was just read."""
    joints, texts, elements = page.joints, page.texts, page.leaf_elements
    changed = set()
    for leaf, joint in enumerate(joints):
        if joint == "" and elements[leaf] != elements[leaf - 1]:
            end, start = texts[leaf - 1][-1], texts[leaf][0]
            is_possible = start.isalnum() and (end.isalnum() or end in ENDS)
            if is_possible and not _is_beside_whole(page, leaf) and _are_apart(page, leaf):
                joints[leaf] = " "
                changed.add(bisect_right(page.starts, leaf) - 1)
    for row in changed:
        stop = page.starts[row + 1] if row + 1 < len(page.starts) else len(texts)
        leaves = range(page.starts[row], stop)
        page.block_texts[row] = "".join((joints[leaf] or "") + texts[leaf] for leaf in leaves)


def _is_beside_whole(page: PageColumns, leaf: int) -> bool:
    """Whether one of two adjacent texts is in an element such as `<code>`, and the other beside it, as in manuals."""
    tags, parents = page.tags, page.parents
    first, second = page.leaf_elements[leaf - 1], page.leaf_elements[leaf]
    if tags[first] in WHOLE and parents[first] in (second, parents[second]):
        return True
    return tags[second] in WHOLE and parents[second] in (first, parents[first])


def _are_apart(page: PageColumns, leaf: int) -> bool:
    """Whether two adjacent texts, of which the second starts with a letter or digit, are words of their own."""
    first, second = page.texts[leaf - 1], page.texts[leaf]
    if not first[-1].isascii() and is_unspaced(first, second):
        return False
    if leaf in page.raws or leaf - 1 in page.raws or leaf in page.formulas or leaf - 1 in page.formulas:
        return False
    around, beside = _split_paths(page, leaf)
    if any(page.tags[row] in WHOLE for row in (*around, *beside)):
        return False
    if first[-1].isalnum():
        is_ordinal = first[-1].isdigit() and second[0].islower()
        sides = (first, around), (second, beside)
        if not is_ordinal and any(len(text) > 1 and _is_label(page, rows) for text, rows in sides):
            return True
    if not around or not (beside or any(page.tags[row] in EMPHASIS for row in around)):
        return False
    if not first.rstrip(ENDS):
        return False
    if first[-1] in "?!…":
        return second[0].isalpha()
    if first[-1] == ":":
        return len(first) > 1 and first[-2].isalpha()
    if first[-1] == ".":
        word = first[:-1].rpartition(" ")[2]
        return second[0].isupper() and word.isalpha() and (" " in first or len(word) >= MIN_WORD_CHARS)
    has_phrases = bool(beside) and " " in first and " " in second
    return has_phrases and first[-1].islower() and second[0].isupper()


def _split_paths(page: PageColumns, leaf: int) -> tuple[list[int], list[int]]:
    """Return the elements that are around the leaf before, but not around this one, and the other way round."""
    first = list_around(page.parents, page.leaf_elements[leaf - 1], LEVELS)
    second = list_around(page.parents, page.leaf_elements[leaf], LEVELS)
    return [row for row in first if row not in second], [row for row in second if row not in first]


def _is_label(page: PageColumns, rows: list[int]) -> bool:
    """Whether one of some elements is a label or a time, by its tag or class."""
    for row in rows:
        if page.tags[row] == "time":
            return True
        name = page._nodes[row].attr("class")
        if name and not LABELS.isdisjoint(WORDS.findall(name[:CLASS_CHARS].lower())):
            return True
    return False
