"""Availability of a product: what the markup says, and what buttons and notes of the page show."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bonmun.objects.products.buttons import StockSign
    from bonmun.objects.products.view import ProductView

__all__ = ["find_shown_availability", "read_availability"]

IN_STOCK, OUT_OF_STOCK = "InStock", "OutOfStock"
# Values at schema.org, folded, and what shops write instead.
AVAILABILITIES = {
    "backorder": "BackOrder", "discontinued": "Discontinued", "instock": IN_STOCK, "instoreonly": "InStoreOnly",
    "limitedavailability": "LimitedAvailability", "madetoorder": "MadeToOrder", "onlineonly": "OnlineOnly",
    "outofstock": OUT_OF_STOCK, "preorder": "PreOrder", "presale": "PreSale", "reserved": "Reserved",
    "soldout": "SoldOut", "in": IN_STOCK, "available": IN_STOCK, "availablefororder": IN_STOCK, "true": IN_STOCK,
    "yes": IN_STOCK, "onstock": IN_STOCK, "oos": OUT_OF_STOCK, "unavailable": OUT_OF_STOCK, "false": OUT_OF_STOCK,
    "no": OUT_OF_STOCK, "notinstock": OUT_OF_STOCK, "pending": "PreOrder",
}  # fmt: skip
VALUE_CHARS = 100  # of a declared value that are read
# Blocks from the headline or the price to a button or note that is about the product.
BLOCKS_BEFORE, BLOCKS_AFTER, BLOCKS_AFTER_OUT = 25, 90, 40
BUTTON_CONFIDENCE, NOTE_CONFIDENCE, PRICE_CONFIDENCE = 0.9, 0.8, 0.6


def read_availability(value: str) -> str | None:
    """Return a declared availability by its name at schema.org, such as "InStock", or None."""
    name = value[:VALUE_CHARS].strip().rstrip("/").rpartition("/")[2]
    return AVAILABILITIES.get("".join(char for char in name.lower() if char.isalpha()))


def find_shown_availability(view: ProductView, price: int | None) -> tuple[str, float] | None:
    """Return the availability that a page shows, with its confidence, or None if it shows none.

    `price` is the block of the price. A product with a price that nothing says is sold out counts as in stock.
    """
    signs = _choose_signs(view, price)
    places = [place for place in (view.headline, price) if place is not None]
    outs = [
        sign
        for sign in signs
        if sign.meaning == "out" and not sign.is_option and (not places or sign.block <= max(places) + BLOCKS_AFTER_OUT)
    ]
    if any(sign.meaning == "buy" and sign.is_button for sign in signs):
        is_out = bool(outs) and price is None
        return (OUT_OF_STOCK, NOTE_CONFIDENCE) if is_out else (IN_STOCK, BUTTON_CONFIDENCE)
    if any(sign.meaning == "preorder" and sign.is_button for sign in signs):
        return "PreOrder", BUTTON_CONFIDENCE
    notes = [sign for sign in signs if sign.meaning == "in"]
    if outs and (price is None or not (notes and notes[0].block < outs[0].block)):
        return OUT_OF_STOCK, NOTE_CONFIDENCE
    if notes:
        return IN_STOCK, NOTE_CONFIDENCE
    return (IN_STOCK, PRICE_CONFIDENCE) if price is not None else None


def _choose_signs(view: ProductView, price: int | None) -> list[StockSign]:
    """Return the signs near the headline and the price; without both, all signs."""
    places = [place for place in (view.headline, price) if place is not None]
    return [sign for sign in view.signs if not places or _is_near(sign.block, places)]


def _is_near(block: int, places: Iterable[int]) -> bool:
    return any(place - BLOCKS_BEFORE <= block <= place + BLOCKS_AFTER for place in places)
