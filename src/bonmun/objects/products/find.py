"""Find the product that a page is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bonmun.objects.currencies import CURRENCY_OF_COUNTRY
from bonmun.objects.products.brands import find_shown_brands
from bonmun.objects.products.choose_price import choose_price, list_candidates
from bonmun.objects.products.codes import find_gtins, find_mpns, find_skus, find_url_codes
from bonmun.objects.products.markup import (
    find_marked_products,
    list_offers,
    read_availabilities,
    read_gtin,
    read_prices,
    read_reviews,
)
from bonmun.objects.products.specifications import find_specifications
from bonmun.objects.products.stock import find_shown_availability
from bonmun.objects.products.view import ProductView
from bonmun.objects.recipes.markup import read_rating
from bonmun.objects.records import PAGE, choose_field, make_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.objects.markup.items import Item
    from bonmun.objects.products.buttons import StockSign
    from bonmun.objects.products.choose_price import ChosenPrice, DeclaredPrice
    from bonmun.objects.reading import ObjectReading
from bonmun.objects.records import ObjectField, PageObject

__all__ = ["find_products"]

# Kinds of pages that are no products even if they show a price and a button.
OTHER_KINDS = frozenset("listing collection forum documentation".split())
MIN_PRICE_CONFIDENCE = 0.5  # of a page without markup that need not be a product
MIN_SHOWN_CONFIDENCE = 0.3  # of a price
BLOCKS_TO_BUTTON = 60  # from the price to the button, on such a page
OFFERS = frozenset({"buy", "cart", "preorder"})  # meanings of buttons
MAX_VARIANTS, MAX_IMAGES = 100, 30
CODE_CONFIDENCE, URL_CODE_CONFIDENCE = 0.9, 0.7


def find_products(reading: ObjectReading) -> list[PageObject]:
    """Return the product that a page is about."""
    metadata = reading.metadata
    view = ProductView(reading.page, metadata.title, reading.declared.meta("og:locale"), metadata.language)
    items = find_marked_products(reading, view.title)
    prices = read_prices(items, reading.declared)
    is_marked = bool(items or prices)
    if not is_marked and (
        reading.kind in OTHER_KINDS
        or not (reading.kind == "product" or any(map(_is_offer, view.signs)))
        or reading.find_items("videoobject")  # pages of videos have prices of other things beside them
    ):
        return []
    price = choose_price(list_candidates(view, prices))
    if not is_marked and not _shows_product(view, price, is_likely=reading.kind == "product"):
        return []
    fields = _read_fields(reading, view, items, prices, price)
    return [make_object("Product", fields)] if len(fields) > 1 else []


def _is_offer(sign: StockSign) -> bool:
    """Whether a sign is a button to buy or order."""
    return sign.is_button and sign.meaning in OFFERS


def _shows_product(view: ProductView, price: ChosenPrice | None, *, is_likely: bool) -> bool:
    """Whether a page without markup is about one product: it shows a price and a button to buy near it.

    Of a page that looks like a product, one sign is enough: a button or note beside the headline, or a code.
    """
    shown = price.candidate.shown if price and price.confidence >= MIN_PRICE_CONFIDENCE else None
    places = [
        place for place in (shown.block if shown else None, view.headline if is_likely else None) if place is not None
    ]
    meanings = {
        sign.meaning
        for sign in view.signs
        if (sign.is_button or sign.meaning == "out")
        and any(abs(sign.block - place) <= BLOCKS_TO_BUTTON for place in places)
    }
    if is_likely:
        is_named = shown is not None and not shown.features.isdisjoint(("near price", "price label"))
        return is_named or bool(meanings) or next(find_skus(view.labelled), None) is not None
    return shown is not None and not meanings.isdisjoint(OFFERS)


def _read_fields(
    reading: ObjectReading,
    view: ProductView,
    items: Sequence[Item],
    prices: Sequence[DeclaredPrice],
    price: ChosenPrice | None,
) -> dict[str, ObjectField | None]:
    declared = reading.declared
    shown = price.candidate.shown if price else None
    availability = find_shown_availability(view, shown.block if shown else None)
    return {
        "name": choose_field([*_read(items, "name"), (view.title, PAGE, 0.8)]),
        "brand": choose_field(
            [
                *_read(items, "brand", "manufacturer"),
                *((declared.meta(name), name) for name in ("product:brand", "og:brand", "og:product:brand")),
                *((name, PAGE, confidence) for name, confidence in find_shown_brands(view)),
            ]
        ),
        # shops declare 0 for what they do not sell
        "price": choose_field(
            [*_list_prices(price), *((each.amount, each.source) for each in prices if float(each.amount) > 0)]
        ),
        "priceCurrency": _find_currency(view, prices, price),
        "availability": choose_field(_order_availabilities(list(read_availabilities(items, declared)), availability)),
        "sku": choose_field(
            [
                *((code, PAGE, CODE_CONFIDENCE) for code in _order_codes(view)),
                *_read(items, "sku", "productID"),
                *((declared.meta(name), name) for name in ("product:retailer_item_id", "product:sku")),
                *((code, "url", URL_CODE_CONFIDENCE) for code in find_url_codes(view.page, _list_codes(view))),
                *((code, "script", URL_CODE_CONFIDENCE) for code, _ in view.scripts.skus.most_common(1)),
            ]
        ),
        "gtin": choose_field(
            [
                *((read_gtin(item), item.source) for item in items),
                *((each.value, PAGE, CODE_CONFIDENCE) for each in find_gtins(view.labelled)),
            ]
        ),
        "mpn": choose_field(
            [*((each.value, PAGE, CODE_CONFIDENCE) for each in find_mpns(view.labelled)), *_read(items, "mpn")]
        ),
        "itemCondition": choose_field(_read_conditions(items)),
        "aggregateRating": choose_field([(read_rating(item), item.source) for item in items]),
        "review": choose_field([(read_reviews(item), item.source) for item in items]),
        "additionalProperty": choose_field([(find_specifications(view), PAGE, 0.8)]),
        "hasVariant": choose_field([(_read_variants(item), item.source) for item in items]),
        "image": choose_field(
            [
                *((item.texts("image", "photo")[:MAX_IMAGES], item.source) for item in items),
                ([url] if (url := declared.meta("og:image")) else [], "og:image"),
            ]
        ),
        "description": choose_field(
            [*_read(items, "description"), (declared.meta("og:description"), "og:description")]
        ),
    }


def _read(items: Sequence[Item], *names: str) -> Iterator[tuple[str, str]]:
    for item in items:
        yield item.text(*names), item.source


def _order_codes(view: ProductView) -> list[str]:
    """Return the codes that the page shows, those that are part of its URL first."""
    url = (view.page.url or "").lower()
    return sorted((each.value for each in find_skus(view.labelled)), key=lambda code: code.lower() not in url)


def _list_codes(view: ProductView) -> list[str]:
    return [*view.scripts.skus, *view.scripts.ids]


def _list_prices(price: ChosenPrice | None) -> Iterator[tuple[str, str, float]]:
    if price and price.confidence >= MIN_SHOWN_CONFIDENCE:
        yield price.candidate.amount, price.candidate.source, price.confidence


def _find_currency(view: ProductView, prices: Sequence[DeclaredPrice], price: ChosenPrice | None) -> ObjectField | None:
    """Return the currency: that of the markup if the page shows no other sign; "$" alone stands for several."""
    if price is None and not prices:
        return None
    shown = price.candidate.currency if price else None
    declared = [(each.currency, each.source) for each in prices]
    local = CURRENCY_OF_COUNTRY.get(view.country or "")
    return choose_field([*declared, (shown, PAGE, 0.85), (local, PAGE, 0.5)])


def _order_availabilities(
    declared: Sequence[tuple[str, str]], shown: tuple[str, float] | None
) -> list[tuple[str, str] | tuple[str, str, float]]:
    """Return what the page says in words first, else what is declared first.

    A button alone does not disprove markup that says the product is sold out: many templates always have it.
    """
    ours = [(shown[0], PAGE, shown[1])] if shown else []
    is_first = shown is not None and shown[0] == "OutOfStock"
    return [*ours, *declared] if is_first else [*declared, *ours]


def _read_conditions(items: Sequence[Item]) -> Iterator[tuple[str, str]]:
    """Yield the condition, such as "NewCondition"."""
    for item in items:
        for each in (item, *list_offers(item)[:1]):
            if text := each.text("itemCondition"):
                yield text.rstrip("/").rpartition("/")[2], item.source


def _read_variants(item: Item) -> list[dict[str, Any]]:
    """Return the variants of a product group as `{"name", "sku", "price", …}`."""
    variants = []
    for each in item.items("hasVariant", "model")[:MAX_VARIANTS]:
        offer = next(iter(each.items("offers")), each)
        fields = {
            "name": each.text("name"),
            "sku": each.text("sku"),
            "color": each.text("color"),
            "size": each.text("size"),
            "price": offer.text("price", "lowPrice"),
            "priceCurrency": offer.text("priceCurrency"),
        }
        if kept := {name: value for name, value in fields.items() if value}:
            variants.append(kept)
    return variants
