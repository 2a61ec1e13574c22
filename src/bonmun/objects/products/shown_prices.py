"""Find the amounts of money that a page shows, each with features for and against being the price of its product."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bonmun.objects.prices import find_money, fold_digits
from bonmun.objects.products.surroundings import FAR_LEVELS, FEATURE_WORDS, NAME_CHARS, NEAR_LEVELS
from bonmun.page import Block
from bonmun.page.parse.ancestors import list_around
from bonmun.text.patterns import compile_later
from bonmun.text.word_finder import WordFinder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.objects.prices import Money
    from bonmun.objects.products.surroundings import Surroundings
    from bonmun.objects.products.view import ProductView
    from bonmun.page import Page

__all__ = ["ShownPrice", "find_shown_prices"]

MAX_SHOWN = 1000  # prices that are read from a page
MAX_TEXT_CHARS = 160  # of a block with a price; longer ones are paragraphs
LABEL_CHARS = 30  # before or after an amount that say what it is
ALONE_CHARS = 2  # of other text beside an amount that stands alone
BESIDE_BLOCKS = 3  # between prices side by side
CROWD_BLOCKS, CROWD_PRICES = 40, 15  # around a price in a list of products
MAX_REDUCTION = 3.4  # an old price is at most this many times the new one
DIGIT = compile_later(r"\d")
STRUCK_TAGS, STRUCK_STYLE = frozenset("del s strike".split()), "line-through"
STRONG_TAGS = frozenset("strong b h1 h2 h3 em".split())
AROUND_TAGS = frozenset("li tr aside footer header nav".split())
OLD_LABEL = compile_later(
    r"\b(?:was|rrp|msrp|uvp|statt|list price|reg\.|regular|originally|original price|before|old price|compare at|"
    r"instead of|retail|anstatt|vorher|bisher|prima|avant|au lieu de|prix conseillé|antes|star|"
    r"pôvodná|dříve|bylo|było|przed)|"
    r"старая|без скидки|정가|정상가|소비자가|定価|市價|市价|原價|原价|建議售價|メーカー希望",
    re.I,
)
OTHER_LABEL = compile_later(
    r"\b(?:save|saving|you save|sparen|ersparnis|shipping|delivery|versand|livraison|envío|frete|porto|spedizione|"
    r"deposit|pfand|per month|monthly|mtl|instal\w{0,10}|rate|raten|coupon|over|ab einem|orders|per|pro|je|"
    r"postage|warranty|insurance|points|off|risparmi|économisez|ahorra|dostava|doprava|dostawa|under|above|"
    r"bez dph|brez ddv|excl|ex|net|netto|free on|min|lieferbar|abholen|pickup)\b|"
    r"배송|적립|할인|카드|送料|ポイント|運費|运费|доставк|рассроч|кредит|в месяц|скидк|экономия",
    re.I,
)
RATE = compile_later(
    r"\s{0,2}(?:/|per\b|pro\b|je\b|par\b|por\b|al\b|za\b|a month|mtl|p\.m\.|monthly|×|x\s?[0-9]|off\b|"
    r"de descuento|в месяц|%)",
    re.I,
)
PRICE_LABEL = compile_later(
    r"\b(?:price|now|our price|sale|today|preis|prix|precio|preço|prezzo|cena|cijena|pris|prijs|hinta|kaina|special)\b"
    r"|цена|판매가|할인가|가격|価格|税込|售價|售价|價格|价格|特價|促銷價|מחיר|السعر",
    re.I,
)
# A label in ASCII that matches one of them contains one of these words, the first letters of the alternatives.
LABEL_WORDS = WordFinder(
    tuple(
        sorted(
            {
                *re.findall(
                    r"(?<![a-z\\])[a-z]{2,}", "|".join((OLD_LABEL.pattern, OTHER_LABEL.pattern, PRICE_LABEL.pattern))
                )
            }
        )
    )
)
# Features of amounts that are no price of a product, and those of old prices.
OTHER_FEATURES = frozenset({"rate", "signed", "zero", "no currency", "other label"})
NOT_CURRENT = OTHER_FEATURES | {"struck", "old label", "was"}


@dataclass(slots=True)
class ShownPrice:
    """An amount that the page shows, at one place."""

    amount: str
    currency: str | None
    block: int
    element: int
    features: set[str] = field(default_factory=set)

    @property
    def number(self) -> float:
        """The amount as a number."""
        return float(self.amount)


def find_shown_prices(view: ProductView) -> list[ShownPrice]:
    """Return the amounts of money in the visible blocks of a page, with their features."""
    page, words = view.page, view.surroundings
    found: list[ShownPrice] = []
    for block, (text, hidden) in enumerate(zip(page.block_texts, page.hidden_blocks, strict=True)):
        if not hidden and len(text) <= MAX_TEXT_CHARS and DIGIT.search(text):
            found += _read_block(page, words, block, view.country)
            if len(found) >= MAX_SHOWN:
                break
    _add_neighbours(found)
    _add_places(view, found)
    return found


def _read_block(page: Page, words: Surroundings, block: int, country: str | None) -> Iterator[ShownPrice]:
    leaves = Block(page, block).shown_leaves()
    text, starts = _join_leaves(page, words, leaves)
    for money in find_money(text, country):
        is_alone = len(text) - (money.stop - money.start) <= ALONE_CHARS
        if money.currency is None and not is_alone:
            continue
        leaf = leaves[max(0, bisect_left(starts, money.stop) - 1)]
        element = page.leaf_elements[leaf]
        near = words.near(element)
        if money.currency is None and ("price" not in near or text[money.stop :].strip() == "%"):
            continue
        features = {f"near {name}" for name in near if name in FEATURE_WORDS}
        features.update(f"far {name}" for name in words.far(element) if name in FEATURE_WORDS)
        features.update(_read_labels(page, block, text, money))
        features.update(_read_tags(page, element))
        if is_alone:
            features.add("alone")
        if page.linked_leaves[leaf]:
            features.add("link")
        if money.currency is None:
            features.add("no currency")
        if not money.amount.strip("0."):
            features.add("zero")
        yield ShownPrice(money.amount, money.currency, block, element, features)


def _join_leaves(page: Page, words: Surroundings, leaves: Sequence[int]) -> tuple[str, list[int]]:
    """Return the text of some leaves and where each starts; raised cents get the point that the page leaves out."""
    parts: list[str] = []
    starts: list[int] = []
    size = 0
    last = ""
    for leaf in leaves:
        text = fold_digits(page.texts[leaf])
        joint = page.joints[leaf] or "" if parts else ""
        if not joint and last.isalnum() and text[:1].isalnum():  # nothing between two elements
            joint = " "
            if len(text) == 2 and text.isdecimal() and last.isdecimal():
                element = page.leaf_elements[leaf]
                if page.tags[element] in ("sup", "sub") or "cents" in words.own(element):
                    joint = "."
        starts.append(size + len(joint))
        parts.append(joint + text)
        size += len(joint) + len(text)
        last = text[-1:]
    return "".join(parts), starts


def _read_labels(page: Page, block: int, text: str, money: Money) -> Iterator[str]:
    """Yield the features of the words beside an amount."""
    before, after = text[max(0, money.start - LABEL_CHARS) : money.start], text[money.stop : money.stop + LABEL_CHARS]
    if digits := list(DIGIT.finditer(before)):  # what is before another amount is not about this one
        before = before[digits[-1].end() :]
    label = before
    if not before.strip() and block and not DIGIT.search(above := page.block_texts[block - 1][-LABEL_CHARS:]):
        label = above
    if not label.isascii() or LABEL_WORDS.holds(label):
        if OLD_LABEL.search(label):
            yield "old label"
        if OTHER_LABEL.search(label):
            yield "other label"
        if PRICE_LABEL.search(label):
            yield "price label"
    if RATE.match(after):
        yield "rate"
    if before.rstrip().endswith(("-", "−", "–", "+")):
        yield "signed"


def _read_tags(page: Page, element: int) -> Iterator[str]:
    """Yield the features of the elements around an amount."""
    for level, row in enumerate(list_around(page.parents, element, FAR_LEVELS)):
        tag = page.tags[row]
        if tag in AROUND_TAGS:
            yield f"in {tag}"
        if level < NEAR_LEVELS:
            if tag in STRUCK_TAGS or STRUCK_STYLE in (page.attr(row, "style") or "")[:NAME_CHARS]:
                yield "struck"
            if tag in STRONG_TAGS:
                yield "strong"


def _add_places(view: ProductView, prices: Sequence[ShownPrice]) -> None:
    """Add the features of the distance to the headline and to buttons."""
    headline, is_first = view.headline, True
    buys = [sign.block for sign in view.signs if (sign.is_button and sign.meaning != "cart") or sign.meaning == "out"]
    for price in prices:
        features, block = price.features, price.block
        if headline is None:
            features.add("no headline")
        else:
            features.add(_name_distance(block - headline))
            if is_first and block >= headline and features.isdisjoint(NOT_CURRENT):
                features.add("first")
                is_first = False
        if not buys:
            features.add("no buy")
            continue
        at = bisect_right(buys, block)
        distance = min(abs(buy - block) for buy in buys[max(0, at - 1) : at + 1])
        features.add(
            "buy 4" if distance <= 4 else "buy 12" if distance <= 12 else "buy 30" if distance <= 30 else "buy far"
        )
        if at < len(buys) and buys[at] - block <= 8:
            features.add("buy after")
        if block <= buys[0] <= block + 40:
            features.add("before first buy")


def _name_distance(blocks: int) -> str:
    """Return the feature of a distance from the headline."""
    if blocks < 0:
        return "before headline" if blocks >= -15 else "before headline far"
    return next((f"headline {most}" for most in (6, 20, 60, 150) if blocks <= most), "headline far")


def _add_neighbours(prices: Sequence[ShownPrice]) -> None:
    """Add the features of other amounts on the page."""
    counts = Counter(price.number for price in prices)
    blocks = [price.block for price in prices]
    for price in prices:
        features, number = price.features, price.number
        if counts[number] >= 2:
            features.add("twice")
        if counts[number] >= 4:
            features.add("four times")
        if len(prices) == 1:
            features.add("only")
        start, stop = (
            bisect_left(blocks, price.block - BESIDE_BLOCKS),
            bisect_right(blocks, price.block + BESIDE_BLOCKS),
        )
        for other in prices[start : min(stop, start + CROWD_PRICES)]:
            if other.currency != price.currency or not other.features.isdisjoint(OTHER_FEATURES):
                continue
            if number / MAX_REDUCTION <= other.number < number:
                features.add("lower beside")
                if "near old" in features and "near old" not in other.features:
                    features.add("was")
            elif number < other.number <= number * MAX_REDUCTION:
                features.add("higher beside")
        if (
            bisect_right(blocks, price.block + CROWD_BLOCKS) - bisect_left(blocks, price.block - CROWD_BLOCKS)
            >= CROWD_PRICES
        ):
            features.add("crowd")
