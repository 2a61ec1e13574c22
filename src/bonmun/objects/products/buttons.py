"""Find where a page shows that its product can be bought, or cannot: buttons and short texts."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Literal, NamedTuple

from bonmun.objects.markup.names import find_named_rows
from bonmun.objects.products.stock_words import BUY_WORDS, IN_STOCK_WORDS, OUT_OF_STOCK_WORDS, PREORDER_WORDS
from bonmun.page import Block
from bonmun.page.parse.ancestors import list_around
from bonmun.text.patterns import compile_later
from bonmun.text.word_finder import WordFinder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.page import Page

__all__ = ["StockSign", "find_stock_signs", "read_meaning"]

Stock = Literal["buy", "cart", "preorder", "in", "out"]  # "cart" is a button that only its name tells

TEXT_CHARS = 70  # of a button or a note; longer texts are prose
BUTTON_LEVELS = 4  # elements around a text that may be its button
BUTTON_TAGS = frozenset("a button input label".split())
OPTION_TAGS = frozenset("option li label select".split())
MAX_INPUTS = 500
MAX_LEAVES = 10  # of a long block
TEXT_ATTRIBUTES = ("value", "aria-label", "title")  # with the text of a button
INPUT_TYPES = frozenset("submit button image".split())
FIRST_UNSPACED = "\u3000"  # from this character on, scripts have no spaces between words
# Buttons that are images, by their names.
CART_NAMES = WordFinder(
    (
        "add-to-cart",
        "addtocart",
        "add_to_cart",
        "add-to-basket",
        "buy-now",
        "buy_btn",
        "btn-buy",
        "buybutton",
    )
)


def _join_words(words: tuple[str, ...], end: str = "") -> str:
    """Return a pattern of words; those of scripts with spaces must start a word."""
    spaced = "|".join(re.escape(word) for word in words if word[0] < FIRST_UNSPACED)
    others = "".join(f"|{word}" for word in words if word[0] >= FIRST_UNSPACED)
    return rf"\b(?:{spaced}){end}{others}"


OUT = compile_later(_join_words(OUT_OF_STOCK_WORDS))
PREORDER = compile_later(_join_words(PREORDER_WORDS))
BUY = compile_later(_join_words(BUY_WORDS))
IN = compile_later(_join_words(IN_STOCK_WORDS, r"\b"))
WORDS = WordFinder((*OUT_OF_STOCK_WORDS, *PREORDER_WORDS, *BUY_WORDS, *IN_STOCK_WORDS))
# The first that matches says what a text means: "currently not in stock" also holds "in stock".
MEANINGS: tuple[tuple[Stock, re.Pattern[str]], ...] = (("out", OUT), ("preorder", PREORDER), ("buy", BUY), ("in", IN))


class StockSign(NamedTuple):
    """A text that says something about the stock."""

    meaning: Stock
    block: int  # where it is; for a button without text, the next block
    is_button: bool
    is_option: bool  # whether it is part of a choice: one size that is sold out says nothing about the others
    text: str


def find_stock_signs(page: Page) -> list[StockSign]:
    """Return the texts of a page that say whether its product can be bought, in document order."""
    return sorted([*_find_texts(page), *_find_inputs(page)], key=lambda sign: sign.block)


def read_meaning(text: str) -> Stock | None:
    """Return what a short text says about the stock, or None."""
    if not WORDS.holds(text):  # most texts
        return None
    folded = text.lower()
    return next((meaning for meaning, pattern in MEANINGS if pattern.search(folded)), None)


def _find_texts(page: Page) -> Iterator[StockSign]:
    known: dict[str, Stock | None] = {}
    texts, starts, whole_texts, hidden = page.texts, page.starts, page.block_texts, page.hidden_blocks
    telling = dict.fromkeys(WORDS.list_holding(texts, TEXT_CHARS))
    blocks = {*WORDS.list_holding(whole_texts, TEXT_CHARS), *(bisect_right(starts, leaf) - 1 for leaf in telling)}
    for block in sorted(blocks):
        if hidden[block]:
            continue
        whole = whole_texts[block]
        is_short = len(whole) <= TEXT_CHARS
        leaves = [starts[block]] if is_short else Block(page, block).shown_leaves()[:MAX_LEAVES]
        for leaf in leaves:
            if not is_short and leaf not in telling:
                continue
            text = whole if is_short else texts[leaf]
            if text not in known:
                known[text] = read_meaning(text)
            if meaning := known[text]:
                rows = list_around(page.parents, page.leaf_elements[leaf], BUTTON_LEVELS)
                tags = {page.tags[row] for row in rows}
                is_button = not tags.isdisjoint(BUTTON_TAGS) and not any(_is_disabled(page, row) for row in rows)
                yield StockSign(meaning, block, is_button, not tags.isdisjoint(OPTION_TAGS), text)
                break


def _is_disabled(page: Page, row: int) -> bool:
    return page.tags[row] in BUTTON_TAGS and page.attr(row, "disabled") is not None


def _find_inputs(page: Page) -> Iterator[StockSign]:
    """Yield the buttons whose text is an attribute, and those that only their names tell."""
    rows = _list_inputs(page)[:MAX_INPUTS]
    named = find_named_rows(page, CART_NAMES)[:MAX_INPUTS]
    if not rows and not named:
        return
    reached = list(accumulate((page.leaf_elements[start] for start in page.starts), max))
    columns = [[value or "" for value in page.attrs(rows, name)] for name in TEXT_ATTRIBUTES]
    telling = {place for column in columns for place in WORDS.list_holding(column, TEXT_CHARS)}
    for place in sorted(telling):
        row = rows[place]
        for text in [column[place] for column in columns]:
            if len(text) <= TEXT_CHARS and (meaning := read_meaning(text)) and not _is_disabled(page, row):
                yield StockSign(meaning, bisect_left(reached, row), True, False, text)
                break
    for row in named:
        if not _is_disabled(page, row):
            yield StockSign("cart", bisect_left(reached, row), True, False, "")


def _list_inputs(page: Page) -> list[int]:
    """Return the elements that may be a button with a text in an attribute."""
    inputs, buttons, links = (page.list_rows(tag) for tag in ("input", "button", "a"))
    rows = [row for row, type_ in zip(inputs, page.attrs(inputs, "type"), strict=True) if _is_button(type_)]
    for candidates, name in ((buttons, "aria-label"), (buttons, "title"), (links, "title")):
        values = page.attrs(candidates, name)
        rows += [row for row, value in zip(candidates, values, strict=True) if value is not None]
    return sorted({*rows})


def _is_button(type_: str | None) -> bool:
    return type_ is not None and type_.lower() in INPUT_TYPES
