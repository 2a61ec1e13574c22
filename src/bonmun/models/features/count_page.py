"""Count a page: the arrays from which its features are computed.

There is one row per block, and one row per element that holds blocks. Nothing depends on a language: texts are counted
by character class, and class and id words are looked up in a list of words that many sites use (words.txt).
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from bonmun.models.features.box_arrays import count_boxes
from bonmun.models.features.character_arrays import read_classes
from bonmun.models.features.characters import BLANK, CLASSES, END, LINE, TITLE_CHARACTERS
from bonmun.models.features.class_words import (
    MAX_NAME_CHARACTERS,
    NAME_ATTRIBUTES,
    STOP,
    STOP_MARK,
    UNKNOWN,
    read_word_numbers,
)
from bonmun.models.features.page_arrays import (
    COUNTED_TAGS,
    LINK_CHARACTERS,
    LINK_LEAVES,
    PAGE_COLUMNS,
    TARGETS,
    PageArrays,
)
from bonmun.models.features.tags import CODE_OF_TAG, TAGS, USES
from bonmun.models.features.target_arrays import count_targets
from bonmun.models.features.urls import describe_url

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bonmun.models.features.page_counts import PageCounts
    from bonmun.page import Page

__all__ = ["count_page", "view_counts"]


class _Codes(dict[str, int]):
    """A code for each tag in CODE_OF_TAG, 0 for all others."""

    def __missing__(self, tag: str) -> int:
        return 0


TAG_CODES = _Codes(CODE_OF_TAG)
NUMBER_OF_CODE = np.array([code if code <= len(TAGS) else 0 for code in range(len(TAG_CODES) + 1)], np.uint8)
USES_OF_CODE = np.zeros((len(TAG_CODES) + 1, len(USES)), np.int32)  # 1 for each purpose of a tag
for _use, _tags in enumerate(USES.values()):
    USES_OF_CODE[[TAG_CODES[tag] for tag in _tags.split()], _use] = 1

CAMEL = re.compile("(?<=[a-z])(?=[A-Z])")  # the word boundary in postBody
# A translation table for bytes: letters in lower case, STOP_MARK unchanged, a space for all others.
LETTERS = bytes(
    ord(chr(code).lower()) if chr(code).isalpha() and code < 128 else 0 if code == 0 else 32 for code in range(256)
)


# Types of the fields of `PageCounts` that are not int32.
OTHER_TYPES: dict[str, Any] = {
    **dict.fromkeys(("inner", "edges", "hidden", "tags"), np.uint8),
    **dict.fromkeys(("title", "targets", "facts"), np.float32),
    "words": np.int16,
}
WIDTHS = {"counts": CLASSES, "edges": 2, "links": 2, "targets": TARGETS.width, "between": len(USES)}


def count_page(page: Page) -> PageArrays:
    """Count a page."""
    n, count = len(page.starts), len(page.tags)
    starts = np.array(page.starts, np.int32)
    leaf_elements = np.array(page.leaf_elements, np.int32)
    rows = page.holders
    codes = np.fromiter(map(TAG_CODES.__getitem__, page.tags), np.uint8, count)
    places = np.array(rows, np.int32)
    number = np.full(count + 1, -1, np.int32)  # the last entry is for the root's parent, -1
    number[places] = np.arange(len(rows), dtype=np.int32)
    names, keys, words, stops = _number_names(*(page.attrs(rows, name) for name in NAME_ATTRIBUTES))
    counts, edges, sentences, title = _count_texts(page)
    lengths = np.fromiter(map(len, page.texts), np.int32, len(page.texts))
    links = np.empty((len(lengths), 2), np.int32)
    links[:, LINK_LEAVES] = np.frombuffer(page.linked_leaves, np.uint8)
    links[:, LINK_CHARACTERS] = links[:, LINK_LEAVES] * lengths
    links = np.add.reduceat(links, starts, dtype=np.int32) if n else links
    copies = Counter(page.block_texts)
    between = np.zeros((count + 1, len(USES)), np.int32)
    np.cumsum(USES_OF_CODE[codes], axis=0, out=between[1:])
    return PageArrays(
        owners=number[np.array(page.owners, np.int32)],
        inner=NUMBER_OF_CODE[codes[leaf_elements[starts]]] if n else np.empty(0, np.uint8),
        counts=counts,
        edges=edges,
        sentences=sentences,
        links=links,
        leaves=np.diff(starts, append=len(lengths)).astype(np.int32),
        hidden=np.array(page.hidden_blocks, np.uint8),
        title=title,
        copies=np.fromiter(map(copies.__getitem__, page.block_texts), np.int32, n),
        targets=count_targets(page),
        between=between[[*page.opened, count]],
        parents=number[np.array(page.parents, np.int32)[places]],
        tags=NUMBER_OF_CODE[codes[places]],
        names=names,
        keys=keys,
        words=words,
        word_stops=stops,
        facts=_count_page_columns(page, codes, between[-1]),
        boxes=count_boxes(page, page.boxes) if n and page.boxes is not None else None,
    )


def view_counts(counts: PageCounts) -> PageArrays:
    """Return the kernel's counts as arrays over the same memory."""
    views: dict[str, Any] = {}
    for name, data in counts._asdict().items():
        view = np.frombuffer(data, OTHER_TYPES.get(name, np.int32))
        views[name] = view.reshape(-1, WIDTHS[name]) if name in WIDTHS else view
    return PageArrays(**views)


def _number_names(
    classes: list[str | None], *others: list[str | None]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int16], NDArray[np.int32]]:
    """Number elements by class, and by class and other names; return both, and the words of the latter."""
    seen: dict[tuple[str | None, ...], int] = {}
    keys = np.array([seen.setdefault(each, len(seen)) for each in zip(classes, *others, strict=True)], np.int32)
    known_classes: dict[str | None, int] = {}
    of_key = np.array([known_classes.setdefault(each[0], len(known_classes)) for each in seen], np.int32)
    texts = [" ".join([name[:MAX_NAME_CHARACTERS] for name in each if name]) for each in seen]
    texts = [text if text.islower() else CAMEL.sub(" ", text) for text in texts]
    tokens = f" {STOP_MARK} ".join([*texts, ""]).encode("ascii", "replace").translate(LETTERS).split()
    numbers = np.fromiter(map(read_word_numbers().get, tokens, repeat(UNKNOWN)), np.int16, len(tokens))
    known = numbers >= 0
    stops = np.cumsum(known, dtype=np.int32)[numbers == STOP]
    return of_key[keys] if len(keys) else keys, keys, numbers[known], stops


def _count_texts(page: Page) -> tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.int32], NDArray[np.float32]]:
    """Return for each block its characters by class, the classes at its ends, its sentences, and its title share."""
    n = len(page.block_texts)
    if not n:
        return (
            np.empty((0, CLASSES), np.int32),
            np.empty((0, 2), np.uint8),
            np.empty(0, np.int32),
            np.empty(0, np.float32),
        )
    codes = _encode("\n".join([*page.block_texts, ""]))  # each block ends with a line break
    lengths = np.fromiter(map(len, page.block_texts), np.int64, n) + 1
    stops = np.cumsum(lengths)
    starts = stops - lengths
    classes = read_classes()[codes]
    block_of = np.repeat(np.arange(n) * CLASSES, lengths)
    counts = np.bincount(block_of + classes, minlength=n * CLASSES).reshape(n, CLASSES)
    counts[:, LINE] -= 1
    ends = np.flatnonzero(classes == END)
    following = classes[ends + 1]  # exists, because the text ends with a line break
    ends = ends[(following == BLANK) | (following == LINE)]
    sentences = np.bincount(stops.searchsorted(ends, "right"), minlength=n)
    edges = np.stack([classes[starts], classes[np.maximum(stops - 2, starts)]], 1)
    title = _measure_title_shares(page.head_title[:TITLE_CHARACTERS].strip(), codes, lengths, stops)
    return counts.astype(np.int32), edges, sentences.astype(np.int32), title


def _measure_title_shares(
    title: str, codes: NDArray[np.uint16], lengths: NDArray[np.int64], stops: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Return the share of each block's character pairs that are in the title; blocks end with a line break."""
    n = len(lengths)
    if not title:
        return np.zeros(n, np.float32)
    known = np.zeros(0x10000, bool)
    known[_number_pairs(_encode(title))] = True
    found = np.flatnonzero(known[_number_pairs(codes)])
    which = stops.searchsorted(found, "right")
    inside = which[found < stops[which] - 2]  # both characters are in the block
    return (np.bincount(inside, minlength=n) / np.maximum(lengths - 2, 1)).astype(np.float32)


def _encode(text: str) -> NDArray[np.uint16]:
    """Return the code points of a text; all beyond the Basic Multilingual Plane as U+FFFF."""
    data = text.encode("utf-16-le", "surrogatepass")
    if len(data) == 2 * len(text):
        return np.frombuffer(data, np.uint16)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return np.minimum(codes, 0xFFFF).astype(np.uint16)


def _number_pairs(codes: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """Return a hash for each pair of consecutive characters."""
    return codes[:-1] * np.uint16(31) + codes[1:]


def _count_page_columns(page: Page, codes: NDArray[np.uint8], uses: NDArray[np.int32]) -> NDArray[np.float32]:
    """Return the values of PAGE_COLUMNS."""
    each = np.bincount(codes, minlength=len(TAG_CODES))
    values = [len(page.tags), len(page.texts), *uses, *(each[TAG_CODES[tag]] for tag in COUNTED_TAGS)]
    inputs = np.flatnonzero(codes == TAG_CODES["input"]).tolist()
    facts = np.zeros(PAGE_COLUMNS.width, np.float32)
    facts[PAGE_COLUMNS["counts"]] = np.log1p(values)
    facts[PAGE_COLUMNS["password"]] = "password" in page.attrs(inputs, "type")
    if page.url:
        facts[PAGE_COLUMNS["address"]] = describe_url(page.url)
    return facts
