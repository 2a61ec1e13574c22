"""Find the list that a listing or collection page is about."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from bonmun.metadata.threads.moments import find_first_date
from bonmun.objects.lists.groups import find_list_group
from bonmun.objects.prices import find_money, fold_digits
from bonmun.objects.products.view import find_country
from bonmun.objects.records import PAGE, choose_field, make_object
from bonmun.text.patterns import compile_later
from bonmun.text.readable import cut_text
from bonmun.text.urls import read_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.objects.lists.groups import ListGroup
    from bonmun.objects.markup.items import Item
    from bonmun.objects.prices import Money
    from bonmun.objects.reading import ObjectReading
    from bonmun.objects.records import PageObject
    from bonmun.page import Page

__all__ = ["find_lists"]

LIST_KINDS = frozenset({"listing", "collection"})
LIST_TYPES = ("itemlist", "offercatalog")
MAX_ITEMS = 1_000
MAX_ITEM_LEAVES = 200  # of one item that are read
TITLE_CHARS = 300
MIN_SNIPPET_CHARS, SNIPPET_CHARS = 30, 1_000  # least and most of a snippet
PRICE_TEXT_CHARS = 25  # of a text with a price; longer ones are prose
MIN_REDUCED_SHARE = 0.3  # of the old price
STRUCK_TAGS = frozenset("del s strike".split())
HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
IMAGE_ATTRIBUTES = ("data-src", "data-original", "data-lazy-src", "src")
DIGIT = compile_later(r"\d")
MIN_CONFIDENCE, MAX_CONFIDENCE = 0.5, 0.9


def find_lists(reading: ObjectReading) -> list[PageObject]:
    """Return the list that a page is about, with its items in the order of the page."""
    if reading.kind not in LIST_KINDS:
        return []
    page = reading.page
    group = find_list_group(page, (leaf for block in reading.blocks for leaf in block.leaves))
    shown = _read_items(page, group) if group else []
    confidence = min(MAX_CONFIDENCE, max(MIN_CONFIDENCE, group.covered_share)) if group else 0.0
    found: list[tuple[Any, str] | tuple[Any, str, float]] = [(shown, PAGE, confidence)]
    marked = reading.find_items(*LIST_TYPES)
    item = max(marked, key=lambda each: len(each.values("itemListElement")), default=None)
    if item:
        found.append((_read_marked(item, page), item.source))
    items = choose_field(found)
    if items is None:
        return []
    return [
        make_object("ItemList", {"name": choose_field([(reading.metadata.title, PAGE, 0.8)]), "itemListElement": items})
    ]


def _read_marked(item: Item, page: Page) -> list[dict[str, str]]:
    """Return the items of a list that is marked up."""
    items = []
    for each in item.items("itemListElement")[:MAX_ITEMS]:
        inner = next(iter(each.items("item")), each)
        url = read_url(inner.text("url", "@id") or each.text("url") or each.text("item"), page.base_url)
        fields = {"name": inner.text("name") or each.text("name"), "url": url}
        if kept := {name: value for name, value in fields.items() if value}:
            items.append(kept)
    return items


def _read_items(page: Page, group: ListGroup) -> list[dict[str, str]]:
    """Return the items of a group as `{"name", "url", "description", "date", "price", …}`, without what is missing."""
    country = find_country(page)
    images = _place_images(page)
    items = []
    for start, stop in group.spans[:MAX_ITEMS]:
        fields: dict[str, str | None] = _read_title(page, start, min(stop, start + MAX_ITEM_LEAVES))
        if not fields.get("name"):
            continue
        fields["datePublished"] = find_first_date(page, range(start, stop))
        fields |= _read_price(page, start, min(stop, start + MAX_ITEM_LEAVES), country)
        fields["description"] = _find_snippet(page, start, stop, fields["name"] or "")
        fields["image"] = _read_image(page, images[bisect_left(images, (start, 0)) : bisect_left(images, (stop, 0))])
        items.append({name: value for name, value in fields.items() if value})
    return items


def _read_title(page: Page, start: int, stop: int) -> dict[str, str | None]:
    """Return name and address of an item: of the first link in a heading, else of the link with the longest text."""
    texts: dict[int, list[str]] = {}
    best, best_key = -1, (False, 0)
    heading, is_heading = "", False
    links, hidden, stops = page.links, page.visibility.hidden_leaves, page.stops
    block, block_stop = bisect_right(page.starts, start) - 2, start  # the one before
    for leaf in range(start, stop):
        if leaf >= block_stop:
            block += 1
            block_stop = stops[block]
            is_heading = page.tags[page.owners[block]] in HEADINGS
            if is_heading and not heading:
                heading = page.block_texts[block]
        link = links[page.leaf_elements[leaf]]
        if link < 0 or hidden[leaf]:
            continue
        parts = texts.setdefault(link, [])
        parts.append(page.texts[leaf])
        key = (is_heading, len(page.texts[leaf]))
        if best < 0 or key > best_key:
            best, best_key = link, key
    if best < 0:
        return {"name": heading or None}
    address = read_url(page.attr(best, "href"), page.base_url)
    # a card that is one link holds more than its title
    name = heading if heading and (not best_key[0] or len(texts[best]) > 1) else " ".join(texts[best])
    if not heading and len(texts[best]) > 1:
        name = max(texts[best], key=len)
    return {"name": name.replace("\n", " ")[:TITLE_CHARS], "url": address}


def _read_price(page: Page, start: int, stop: int, country: str | None) -> dict[str, str | None]:
    """Return the first price of an item that is not struck out; a lower one beside it is the current one."""
    found: tuple[str, str] | None = None
    hidden = page.visibility.hidden_leaves
    for leaf in range(start, stop):
        text = page.texts[leaf]
        if len(text) > PRICE_TEXT_CHARS or hidden[leaf] or not DIGIT.search(text):
            continue
        element = page.leaf_elements[leaf]
        if page.tags[element] in STRUCK_TAGS or page.tags[page.parents[element]] in STRUCK_TAGS:
            continue
        for money in find_money(fold_digits(text), country):
            if money.currency and (found is None or _is_reduced(money, found)):
                found = money.amount, money.currency
    return {"price": found[0], "priceCurrency": found[1]} if found else {}


def _is_reduced(money: Money, old: tuple[str, str]) -> bool:
    """Whether an amount is a reduced price: lower, but not by so much that it is a rate or the cost of delivery."""
    amount, before = float(money.amount), float(old[0])
    return money.currency == old[1] and MIN_REDUCED_SHARE * before < amount < before


def _find_snippet(page: Page, start: int, stop: int, name: str) -> str | None:
    """Return the longest block of an item that is not its title."""
    first, last = bisect_right(page.starts, start) - 1, bisect_left(page.starts, stop)
    texts = (page.block_texts[block] for block in range(max(0, first), last) if not page.hidden_blocks[block])
    rest = [text for text in texts if len(text) >= MIN_SNIPPET_CHARS and not text.replace("\n", " ").startswith(name)]
    return cut_text(max(rest, key=len, default=""), SNIPPET_CHARS).replace("\n", " ") or None


def _place_images(page: Page) -> list[tuple[int, int]]:
    """Return the places of the images of a page: the leaf after each, and its element."""
    rows = page.list_rows("img")
    reached = list(accumulate(page.leaf_elements, max)) if rows else []
    return sorted((bisect_right(reached, row), row) for row in rows)


def _read_image(page: Page, places: Sequence[tuple[int, int]]) -> str | None:
    """Return the address of the first image that has one."""
    for _, row in places:
        source = next((value for name in IMAGE_ATTRIBUTES if (value := page.attr(row, name))), None)
        address = read_url(source, page.base_url)
        if address and not address.startswith("data:"):
            return address
    return None
