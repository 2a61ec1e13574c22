"""Separate words that a style sheet sets apart: `<span class=label>Live</span>Title`, `<b>Who?</b><span>We</span>`.

Markup can split a word, as in `H<sub>2</sub>O` or with an initial, so most texts that meet without white space stay
together. A space is added beside a label or a time, between a date and a link, where a sentence or a label ends with an
element, and between the phrases of two elements where a small letter meets a capital. Name and value in two elements of
a row are separated if the page has several such rows: `<li><b>Width</b><i class=value>60</i></li>`. So are the tags of
items.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import list_around
from bonmun.page.parse.element_bits import LINK
from bonmun.page.parse.inherited_columns import list_places
from bonmun.page.parse.leaf_pieces import is_unspaced
from bonmun.page.parse.tag_rows import find_tag_joints
from bonmun.text.patterns import compile_later
from bonmun.text.short_dates import DATE_ENDS, DATE_STARTS, is_short_date

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from bonmun.page.parse.columns import PageColumns

__all__ = ["join_pieces", "separate_labels"]

LABELS = frozenset("label labels badge pill chip kicker eyebrow category time date datetime timestamp ago".split())
WHOLE = frozenset("sub sup code kbd samp tt var pre ruby rb abbr".split())  # text in and beside these stays together
EMPHASIS = frozenset({"b", "strong", "em", "i"})
ENDS = ".?!:…"
MIN_WORD_CHARS = 4  # of a single word before a full stop: shorter ones are initials
WORDS = compile_later("[a-z]+")
MIN_TITLE_CHARS = 2
CLASS_CHARS = 300  # of a class attribute that are read
LEVELS = 6  # elements around a text
MIN_ROWS = 3  # with two elements of the same tags and classes …
MIN_NAMES = 2  # … and so many different texts in the first
MIN_NAME_CHARS, MAX_INITIALS = 2, 8  # letters and digits of the first, of a text shorter than the second
CURRENCIES = "$€£¥₩₹"  # that a value may start with
OPENINGS = "-‐–/\\([{<«„“‘\"'#@_&=+*.$€£¥₩₹"  # signs that a name does not end with


def separate_labels(page: PageColumns) -> None:
    """Add the spaces to a page that was just read."""
    joints, texts, elements = page.joints, page.texts, page.leaf_elements
    changed, others = [], []
    rows: dict[Hashable, list[int]] = {}  # second leaves of rows that may consist of a name and a value
    for leaf in list_places(joints, ""):
        if elements[leaf] != elements[leaf - 1]:
            end, start = texts[leaf - 1][-1], texts[leaf][0]
            is_possible = start.isalnum() and (end.isalnum() or end in ENDS)
            is_apart = is_possible and not _is_beside_whole(page, leaf) and _are_apart(page, leaf)
            may_be_date = end in DATE_ENDS or start in DATE_STARTS
            if is_apart or (may_be_date and _is_date_beside_link(page, leaf)):
                joints[leaf] = " "
                changed.append(leaf)
                continue
            if (start.isalnum() or start in CURRENCIES) and end not in OPENINGS and _is_row(page, leaf):
                rows.setdefault(_read_shape(page, leaf), []).append(leaf)
            if is_possible and not _is_special(page, leaf):
                others.append(leaf)
    for alike in rows.values():
        if len(alike) >= MIN_ROWS and len({texts[leaf - 1] for leaf in alike}) >= MIN_NAMES:
            for leaf in alike:
                joints[leaf] = " "
            changed += alike
    tags = find_tag_joints(page, others)
    for leaf in tags:
        joints[leaf] = " "
    join_pieces(page, [*changed, *tags])


def join_pieces(page: PageColumns, changed: Iterable[int]) -> None:
    """Write the texts of blocks again, after the joints of some leaves have changed."""
    joints, texts = page.joints, page.texts
    for row in {bisect_right(page.starts, leaf) - 1 for leaf in changed}:
        stop = page.starts[row + 1] if row + 1 < len(page.starts) else len(texts)
        leaves = range(page.starts[row], stop)
        page.block_texts[row] = "".join((joints[leaf] or "") + texts[leaf] for leaf in leaves)


def _is_row(page: PageColumns, leaf: int) -> bool:
    """Whether a leaf and the one before are name and value: the first two children of an element, or a child and text.

    If both elements are alike or the value has none, a word may be split (`<i>in</i>to`): then they must be all of a
    line, and the value must start with a capital or a digit.
    """
    elements, parents, texts = page.leaf_elements, page.parents, page.texts
    first, second = elements[leaf - 1], elements[leaf]
    row = parents[first]
    if first != row + 1 or not (second == row or (second == first + 1 and parents[second] == row)):
        return False
    name, start = texts[leaf - 1], texts[leaf][0]
    if WHOLE.intersection((page.tags[first], page.tags[second])) or _is_special(page, leaf):
        return False
    if len(name) < MAX_INITIALS and sum(map(str.isalnum, name)) < MIN_NAME_CHARS:
        return False
    if start.isdigit() and name[-1].isdigit():  # parts of a number
        return False
    if second != row and _read_kind(page, first) != _read_kind(page, second):
        return row not in (*elements[max(leaf - 2, 0) : leaf - 1], *elements[leaf + 1 : leaf + 2])
    is_line = all((joint or "\n") == "\n" for joint in (page.joints[leaf - 1], *page.joints[leaf + 1 : leaf + 2]))
    return is_line and (start.isupper() or start.isdigit())


def _is_special(page: PageColumns, leaf: int) -> bool:
    """Whether a leaf or the one before keeps its white space, or is a formula."""
    return any(each in page.raws or each in page.formulas for each in (leaf - 1, leaf))


def _read_shape(page: PageColumns, leaf: int) -> Hashable:
    """Return tags and classes of the elements of a leaf and the one before, and the tag of the one around both."""
    first, second = page.leaf_elements[leaf - 1], page.leaf_elements[leaf]
    return page.tags[page.parents[first]], _read_kind(page, first), _read_kind(page, second)


def _read_kind(page: PageColumns, element: int) -> tuple[str, str | None]:
    return page.tags[element], page._nodes[element].attr("class")


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
    if _is_special(page, leaf):
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


def _is_date_beside_link(page: PageColumns, leaf: int) -> bool:
    """Whether of two adjacent texts, one is in a link, and the other is all of a date, a time or a number."""
    first, second = page.leaf_elements[leaf - 1], page.leaf_elements[leaf]
    is_linked = page.bits[second] & LINK
    if is_linked == page.bits[first] & LINK:
        return False
    texts = page.texts
    date, title = (texts[leaf - 1], texts[leaf]) if is_linked else (texts[leaf], texts[leaf - 1])
    is_title = len(title) >= MIN_TITLE_CHARS and any(map(str.isalpha, title))  # and no reference to a note
    return is_title and is_short_date(date)


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
