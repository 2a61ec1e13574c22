"""Find the price of a product: an amount of money near the headline that no kept block shows.

A price stands between buttons and delivery times, so that a network takes it for one of them. It is recognised by its
currency and by the class names around it; prices of other products, of delivery and of instalments are not meant.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import list_around

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page.page import Page

__all__ = ["find_price"]

BEFORE_BLOCKS, AFTER_BLOCKS = 25, 60  # around the headline
UNNAMED_BLOCKS = 8  # before the headline: so near is a price whose class names do not say so
BESIDE_BLOCKS = 2  # before and after a price: its label and the old price
MAX_CHARS = 60  # of a price with its label
NEAR_LEVELS, FAR_LEVELS = 3, 10  # elements around a price whose names are read: those of the price, and all
MAX_NAME_CHARS = 200  # of a class or id
OUTSIDE = frozenset({"nav", "footer", "aside", "button", "select", "option", "del", "s", "strike"})
NO_BOX = frozenset({"html", "body", "main", "article", "section", "form"})
SIGNS = r"[$€£¥￥₩₹₽₺₴₪₫฿]"
CODES = "USD|EUR|GBP|CHF|AUD|CAD|NZD|PLN|SEK|NOK|DKK|CZK|HUF|RON|INR|BRL|MXN|RUB|TRY|KRW|JPY|CNY|TWD|HKD|SGD"
WORDS = r"Rs\.?|Fr\.|kr\.?|zł|Kč|Ft|lei|TL|руб\.?|円|元|원"
# Between a number and its currency; the text of a block is at most MAX_CHARS long.
MONEY = re.compile(
    rf"(?:{SIGNS}|(?<![A-Za-z])(?:{CODES}|Rs\.?|Fr\.|kr\.?))\s?[0-9]"
    rf"|[0-9](?:[.,]?[-–—]{{1,2}})?\s?(?:{SIGNS}|(?:{CODES}|{WORDS})(?![a-z]))"
)
DECIMALS = re.compile(r"[0-9][.,][0-9]{2}(?![0-9])")
AMOUNT = re.compile(r"[0-9][0-9.,\s]{0,12}[.,][0-9]{2}(?:\s?[-–]\s?[0-9][0-9.,\s]{0,12}[.,][0-9]{2})?")
ZERO = re.compile(r"[^1-9]*")  # the total of an empty cart
PRICE_PARTS = ("price", "preis", "prix", "precio", "preco", "prezzo", "prijs", "cena", "amount")
OTHER_WORDS = frozenset(
    "related recommend recommended recommendation recommendations carousel slider slick swiper similar upsell "
    "crosssell cross accessories accessory recently viewed bestseller bestsellers sponsored also bundle minicart cart "
    "basket teaser footer nav menu banner sims comparison compare review reviews shipping delivery versand instalment "
    "installment installments instalments financing finance monthly old was list strike striked crossed regular msrp "
    "rrp uvp saving savings".split()
)
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
# Labels of amounts that are not the price of a product.
OTHER_LABEL = re.compile(
    r"month|mtl|monat|mois|\bmes\b|shipping|deliver|versand|livraison|env[ií]o|financ|rate|save\b|spar|off\b|"
    r"points?\b|ab einem|over\b|minimum|deposit|pfand|rrp|uvp|msrp|statt|was\b",
    re.I,
)


def find_price(page: Page, kept: Sequence[bool]) -> list[int]:
    """Return the rows of the price of a product with what stands beside it, or none if kept blocks show a price."""
    headline = _find_headline(page, kept)
    if headline is None:
        return []
    near = range(max(0, headline - BEFORE_BLOCKS), min(len(kept), headline + AFTER_BLOCKS))
    texts, hidden = page.block_texts, page.hidden_blocks
    short = [row for row in near if len(texts[row]) <= MAX_CHARS and not hidden[row]]
    money = [row for row in short if MONEY.search(texts[row])]
    rows = [row for row in money or short if (money or AMOUNT.fullmatch(texts[row])) and _may_be_price(texts[row])]
    if any(kept[row] for row in rows):
        return []
    chosen = None
    for row in rows:
        meaning = _read_names(page, row)
        if meaning:
            chosen = row
            break
        if meaning is False and money and chosen is None and row >= headline - UNNAMED_BLOCKS:
            chosen = row
    return [] if chosen is None else _add_neighbours(page, chosen)


def _may_be_price(text: str) -> bool:
    """Whether an amount is not zero, and its label is not that of something else; it may follow an old price."""
    return ZERO.fullmatch(text) is None and (OTHER_LABEL.search(text) is None or len(DECIMALS.findall(text)) > 1)


def _find_headline(page: Page, kept: Sequence[bool]) -> int | None:
    """Return the row of the first visible <h1>, or of the first kept block."""
    if "h1" in page.tag_names:
        for row, owner in enumerate(page.owners):
            if page.tags[owner] == "h1" and not page.hidden_blocks[row]:
                return row
    return kept.index(True) if True in kept else None


def _read_names(page: Page, row: int) -> bool | None:
    """Return whether the names around a block are those of a price; None if it is that of something else."""
    leaves = range(page.starts[row], page.stops[row])
    if all(page.linked_leaves[leaf] for leaf in leaves):
        return None
    around = list_around(page.parents, page.leaf_elements[leaves[-1]], FAR_LEVELS)
    if not OUTSIDE.isdisjoint([page.tags[element] for element in around]):
        return None
    pairs = zip(page.attrs(around, "class"), page.attrs(around, "id"), strict=True)
    names = [f"{(name or '')[:MAX_NAME_CHARS]} {(id_ or '')[:MAX_NAME_CHARS]}" for name, id_ in pairs]
    if not OTHER_WORDS.isdisjoint([word.lower() for word in WORD.findall(" ".join(names))]):
        return None
    folded = " ".join(names[:NEAR_LEVELS]).lower()
    return any(map(folded.__contains__, PRICE_PARTS))


def _add_neighbours(page: Page, row: int) -> list[int]:
    """Return a price with the label before it and the amounts beside it, if all are in one box."""
    texts, parents, owners = page.block_texts, page.parents, page.owners
    box = {parents[owners[row]], parents[max(parents[owners[row]], 0)]}
    box = {element for element in box if element >= 0 and page.tags[element] not in NO_BOX}
    found = [row]
    for other in range(max(0, row - BESIDE_BLOCKS), min(len(texts), row + BESIDE_BLOCKS + 1)):
        is_inside = parents[owners[other]] in box or parents[max(parents[owners[other]], 0)] in box
        if other == row or not is_inside or len(texts[other]) > MAX_CHARS or page.hidden_blocks[other]:
            continue
        is_label = other == row - 1 and texts[other].rstrip().endswith(":")
        if is_label or MONEY.search(texts[other]):
            found.append(other)
    return sorted(found)
