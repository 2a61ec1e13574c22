"""The brand of a product, as the page shows it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.metadata.scans import fold_text
from bonmun.objects.products.labels import BRAND_LABEL
from bonmun.objects.products.surroundings import WORDS
from bonmun.page import Block
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.objects.products.view import ProductView

__all__ = ["find_shown_brands"]

BRAND_CHARS = 60
TITLE_CHARS = 300  # of <title> that are read
BLOCKS_BEFORE = 3  # from a brand to the headline after it
MAX_SCRIPT_BRANDS = 20
MAX_NAME_SHARE = 0.6  # of the letters of a product's name that are its brand
BLOCKS_AROUND = 15  # from the headline to a link to the brand
BRAND_PATH = compile_later(
    r"/(?:brands?|marken?|marques?|marcas?|manufacturers?|designers?|vendors?)[/=?]|[?&]brand=", re.I
)
BY = compile_later(r"(?:by|von|par|por|di|från|от|brand|marke|marque|marca|merk|visit the|shop all)[\s:]{1,3}", re.I)
STORE = compile_later(
    r"(?:visit the|besuchen sie den|visiter la boutique|visita lo store di|visita la tienda de)\s(.{1,50})", re.I
)
STORE_END = compile_later(r"[\s-](?:store|shop)$", re.I)


def find_shown_brands(view: ProductView) -> Iterator[tuple[str, float]]:
    """Yield the brands that a page shows, the likeliest first, each with a confidence."""
    near = [*_find_title_starts(view), *_find_near_headline(view)]
    title = fold_text(view.title or "")
    whole = title + " " + fold_text(view.page.head_title[:TITLE_CHARS])
    near += [
        name
        for name, _ in view.scripts.brands.most_common(MAX_SCRIPT_BRANDS)
        if fold_text(name) and fold_text(name) in whole
    ]
    labelled = [each.value for each in view.labelled if BRAND_LABEL.fullmatch(each.label) and _is_name(each.value)]
    found = [(name, 0.85) for name in labelled] + [(name, 0.75) for name in near]
    # a brand that is part of the title comes first
    yield from sorted(
        found, key=lambda each: not (title and fold_text(each[0]) and title.startswith(fold_text(each[0])))
    )


def _find_title_starts(view: ProductView) -> Iterator[str]:
    """Yield the short texts before the headline that `<title>` starts with: "Harbour" before "Wool socks"."""
    page, headline = view.page, view.headline
    whole = fold_text(page.head_title[:TITLE_CHARS])
    name = fold_text(view.title or "")
    for block in range(max(0, headline - BLOCKS_BEFORE), headline) if headline is not None and whole else ():
        text = page.block_texts[block]
        own = fold_text(text) if len(text) <= BRAND_CHARS and not page.hidden_blocks[block] else ""
        # the name itself, as at the end of a path, is no brand
        is_name = name.startswith(own) and len(own) > MAX_NAME_SHARE * len(name)
        if own and whole.startswith(own) and not is_name and _is_name(text):
            yield text


def _find_near_headline(view: ProductView) -> Iterator[str]:
    """Yield the names beside the headline in elements for brands: links to a brand, or class names."""
    page, headline = view.page, view.headline
    if headline is None:
        return
    words = view.surroundings
    # a word in lower case, such as "from", is a name only if the title has it
    whole = fold_text(view.title or "") + " " + fold_text(page.head_title[:TITLE_CHARS])
    for block in range(max(0, headline - BLOCKS_AROUND), min(len(page.starts), headline + BLOCKS_AROUND)):
        text = page.block_texts[block]
        if page.hidden_blocks[block] or len(text) > BRAND_CHARS + 20:
            continue
        for leaf in Block(page, block).shown_leaves():
            element = page.leaf_elements[leaf]
            link = page.links[element]
            href = (page.attr(link, "href") or "")[:200] if link >= 0 else ""
            is_brand = "brand" in words.near(element) or BRAND_PATH.search(href)
            if is_brand and (name := _read_name(page.texts[leaf])) and (not name.islower() or fold_text(name) in whole):
                yield name


def _read_name(text: str) -> str:
    """Return the brand in a text such as "by Harbour", "Brand: Harbour" or "Visit the Harbour Store"."""
    if len(text) > BRAND_CHARS + 20:
        return ""
    if store := STORE.match(text):
        return STORE_END.sub("", store[1])
    if match := BY.match(text):
        text = text[match.end() :]
    text = text.strip(" :")
    return text if _is_name(text) and text.lower() not in WORDS["brand"] and not BRAND_LABEL.fullmatch(text) else ""


def _is_name(text: str) -> bool:
    return 1 < len(text.strip()) <= BRAND_CHARS and any(map(str.isalpha, text)) and text.count(" ") <= 6
