"""Fields of a product that is marked up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bonmun.metadata.scans import fold_text
from bonmun.objects.prices import read_amount
from bonmun.objects.products.choose_price import DeclaredPrice
from bonmun.objects.products.codes import check_gtin
from bonmun.objects.products.stock import read_availability
from bonmun.objects.reading import SYNTAXES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.metadata.declared import Declared
    from bonmun.objects.markup.items import Item
    from bonmun.objects.reading import ObjectReading

__all__ = ["PRODUCT_TYPES", "find_marked_products", "read_availabilities", "read_gtin", "read_prices", "read_reviews"]

PRODUCT_TYPES = frozenset("product productgroup individualproduct productmodel someproducts vehicle car".split())
TEXT_KINDS = frozenset({"article", "forum"})  # kinds of pages
MAX_OFFERS = 50
MAX_REVIEWS = 200
MAX_PRODUCTS = 3  # a page with more products, none of them named like the page, is a list
PRICE_METAS = ("product:sale_price:amount", "product:price:amount", "og:price:amount", "og:product:price:amount")
CURRENCY_METAS = (
    "product:price:currency",
    "product:sale_price:currency",
    "og:price:currency",
    "og:product:price:currency",
)
GTIN_NAMES = ("gtin13", "gtin", "gtin14", "gtin12", "gtin8", "ean", "upc", "isbn")


def find_marked_products(reading: ObjectReading, title: str | None) -> list[Item]:
    """Return the product that a page is about in each syntax, in the order of trust."""
    found = []
    for syntax in SYNTAXES:
        items = reading.list_items(syntax, PRODUCT_TYPES)
        if chosen := _choose_product(items, title, must_match=reading.kind in TEXT_KINDS):
            found.append(chosen)
    return found


def _choose_product(items: Sequence[Item], title: str | None, *, must_match: bool) -> Item | None:
    """Return the product named like the page, else the first of a few with offers or a name.

    On a page of text the name must match: a newspaper declares its subscription as a product.
    """
    folded = fold_text(title or "")
    named = [item for item in items if item.text("name")]
    for item in named:
        name = fold_text(item.text("name"))
        if folded and name and (name in folded or folded in name):
            return item
    if must_match or len(named) > MAX_PRODUCTS:
        return None
    return next((item for item in items if item.values("offers")), None) or next(iter(named), None)


def list_offers(item: Item) -> list[Item]:
    """Return the offers of a product, and those within an aggregate offer."""
    offers = item.items("offers", "offer")[:MAX_OFFERS]
    return [*offers, *(inner for offer in offers[:1] for inner in offer.items("offers")[:MAX_OFFERS])]


def read_prices(items: Sequence[Item], declared: Declared) -> list[DeclaredPrice]:
    """Return the prices in the markup of a product, and in metas."""
    found = [price for item in items for price in _read_item_prices(item)]
    for name in PRICE_METAS:
        if amount := read_amount(declared.meta(name)):
            currency = next(filter(None, map(declared.meta, CURRENCY_METAS)), "").upper()[:3] or None
            found.append(DeclaredPrice(amount, currency, name))
    return found


def _read_item_prices(item: Item) -> Iterator[DeclaredPrice]:
    for offer in list_offers(item) or [item]:
        specification = next(iter(offer.items("priceSpecification")), offer)
        currency = (offer.text("priceCurrency") or specification.text("priceCurrency")).upper()[:3] or None
        text = offer.text("price", "lowPrice") or specification.text("price", "minPrice")
        if amount := read_amount(text, currency):
            yield DeclaredPrice(amount, currency, item.source)


def read_availabilities(items: Sequence[Item], declared: Declared) -> Iterator[tuple[str, str]]:
    """Yield the availability of each product, with its source; a product is in stock if one of its offers is."""
    for item in items:
        values = [read_availability(offer.text("availability")) for offer in (*list_offers(item), item)]
        known = [value for value in values if value]
        if known:
            yield ("InStock" if "InStock" in known else known[0]), item.source
    for name in ("product:availability", "og:availability"):
        if value := read_availability(declared.meta(name)):
            yield value, name


def read_gtin(item: Item) -> str | None:
    """Return a GTIN with a right check digit, or None."""
    for each in (item, *list_offers(item)[:1]):
        for name in GTIN_NAMES:
            for text in each.texts(name):
                if gtin := check_gtin(text):
                    return gtin
    return None


def read_reviews(item: Item) -> list[dict[str, Any]]:
    """Return the reviews as `{"author", "date", "rating", "text"}`, without what is missing."""
    reviews = []
    for review in item.items("review", "reviews")[:MAX_REVIEWS]:
        rating = next(iter(review.items("reviewRating")), None)
        stars = read_amount(rating.text("ratingValue")) if rating else None
        fields = {
            "author": review.text("author"),
            "date": review.text("datePublished", "dateCreated")[:10],
            "rating": float(stars) if stars else None,
            "name": review.text("name", "headline"),
            "text": review.text("reviewBody", "description"),
        }
        if kept := {name: value for name, value in fields.items() if value not in (None, "")}:
            reviews.append(kept)
    return reviews
