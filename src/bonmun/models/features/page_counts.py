"""Count a page with the compiled kernel: the same as `count_page` in count_page.py, without numpy."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun.kernel import load_kernel
from bonmun.models.features.characters import BLANK, CLASSES, END, LINE, TITLE_CHARACTERS, read_class_table
from bonmun.models.features.class_words import MAX_NAME_CHARACTERS, NAME_ATTRIBUTES, read_word_numbers
from bonmun.models.features.page_arrays import COUNTED_TAGS, LINK_CHARACTERS, LINK_LEAVES, PAGE_COLUMNS
from bonmun.models.features.tags import CODE_OF_TAG, TAGS, USES
from bonmun.models.features.urls import (
    CONTACTS,
    MAX_SCALED_VALUE,
    MAX_URL_CHARACTERS,
    NOWHERE,
    TYPICAL_VALUES,
    describe_url,
    split_url,
)
from bonmun.page.parse.element_bits import HIDDEN, LINK

if TYPE_CHECKING:
    from bonmun.page import Page

__all__ = ["KERNEL", "PageCounts", "count_compiled", "make_counter"]

KERNEL = load_kernel("counts")


class PageCounts(NamedTuple):
    """The fields of `PageArrays` (see page_arrays.py), each as the bytes of a C array; n blocks, m elements."""

    owners: bytearray  # int32 (n,)
    inner: bytearray  # uint8 (n,)
    counts: bytearray  # int32 (n, CLASSES)
    edges: bytearray  # uint8 (n, 2)
    sentences: bytearray  # int32 (n,)
    links: bytearray  # int32 (n, 2)
    leaves: bytearray  # int32 (n,)
    hidden: bytearray  # uint8 (n,)
    title: bytearray  # float32 (n,)
    copies: bytearray  # int32 (n,)
    targets: bytearray  # float32 (n, TARGETS.width)
    between: bytearray  # int32 (n + 1, len(USES))
    parents: bytearray  # int32 (m,)
    tags: bytearray  # uint8 (m,)
    names: bytearray  # int32 (m,)
    keys: bytearray  # int32 (m,)
    words: bytearray  # int16
    word_stops: bytearray  # int32 (keys,)
    facts: bytearray  # float32 (PAGE_COLUMNS.width,)


def count_compiled(page: Page) -> PageCounts:
    """Count a page; needs the compiled kernel."""
    url = page.url or ""
    own_host, own_path, _ = split_url(url)
    return PageCounts(
        *make_counter().count(
            elements=page.markup,
            tags=page.tags,
            parents=page.parents,
            owners=page.owners,
            starts=page.starts,
            opened=page.opened,
            leaf_elements=page.leaf_elements,
            texts=page.texts,
            block_texts=page.block_texts,
            bits=page.bits,
            hidden=page.hidden_blocks if page.visibility.removed else None,  # None: hidden as in the markup
            title=page.head_title[:TITLE_CHARACTERS].strip(),
            own_host=own_host,
            own_path=own_path,
            address_facts=describe_url(url) if url else (),
        )
    )


@cache
def make_counter() -> Any:
    """Return the kernel's counter, set up with all tables."""
    codes = range(len(CODE_OF_TAG) + 1)
    uses = [{CODE_OF_TAG[tag] for tag in tags.split()} for tags in USES.values()]
    return KERNEL.Counter(
        tag_codes=CODE_OF_TAG,
        told=bytes(code if code <= len(TAGS) else 0 for code in codes),
        uses=bytes(code in used for code in codes for used in uses),
        use_count=len(USES),
        counted=tuple(CODE_OF_TAG[tag] for tag in COUNTED_TAGS),
        classes=read_class_table(),
        class_count=CLASSES,
        end=END,
        blanks=(BLANK, LINE),
        words={word: number for word, number in read_word_numbers().items() if number >= 0},
        naming=NAME_ATTRIBUTES,
        name_characters=MAX_NAME_CHARACTERS,
        address_characters=MAX_URL_CHARACTERS,
        nowhere=NOWHERE,
        contacts=CONTACTS,
        usual=TYPICAL_VALUES,
        most=MAX_SCALED_VALUE,
        link_characters=LINK_CHARACTERS,
        link_leaves=LINK_LEAVES,
        facts_width=PAGE_COLUMNS.width,
        counts_place=_find_start("counts"),
        password_place=_find_start("password"),
        address_place=_find_start("address"),
        link_bit=LINK,
        hidden_bit=HIDDEN,
    )


def _find_start(name: str) -> int:
    """Return the first index of a column of the page."""
    place = PAGE_COLUMNS[name]
    return place.start if isinstance(place, slice) else place
