"""Describe a page for the choice of its kind: the network's probabilities, its URL, metadata and text."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Protocol

from bonmun.page.page_kinds import find_url_kind, is_home
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bonmun.kept import KeptBlock
    from bonmun.metadata.ranking import MetadataField
    from bonmun.page import Page

__all__ = ["DescribedMetadata", "describe_evidence", "describe_kind", "describe_metadata", "describe_text"]

NETWORK_KINDS = ("article", "forum", "product", "listing", "collection", "documentation", "service", "none")
MIN_PROBABILITY = 0.003  # of every kind: the network may be wrong
WORD_CHARS = 6  # a text of a script without spaces has a word for this many characters
SHORT_WORDS, LONG_WORDS, VERY_LONG_WORDS = 6, 20, 50
LINKED_SHARE = 0.8  # of the letters of a block that is a link
PRICE = compile_later(r"[$€£¥￥₩₽]\s?[0-9]|[0-9]\s?(?:[€₽円元원]|руб|zł|kr\b)", re.I)
PRICE_CHARS = 60  # a longer block that names a price is not a price
COUNTED_KINDS = ("heading", "item", "cell", "code")
QUESTION_MARKS = ("?", "？", "؟")  # ASCII, Chinese and Japanese, Arabic


class DescribedMetadata(Protocol):
    """What is read of the metadata of a page."""

    @property
    def title(self) -> str | None:
        """Title of the page."""

    @property
    def authors(self) -> Sequence[str]:
        """Names of its authors."""

    @property
    def date(self) -> str | None:
        """Day on which it was published."""

    @property
    def fields(self) -> Mapping[str, MetadataField]:
        """What the page declares, with sources."""


def describe_kind(
    probabilities: Mapping[str, float], metadata: DescribedMetadata, page: Page, blocks: Sequence[KeptBlock]
) -> dict[str, float]:
    """Return all signs of a page with kept blocks, by name."""
    return {
        **describe_evidence(probabilities, metadata.fields.get("kind"), page.likely_url),
        **describe_metadata(metadata),
        **describe_text(page, blocks),
    }


def describe_evidence(
    probabilities: Mapping[str, float], declared: MetadataField | None, url: str | None
) -> dict[str, float]:
    """Return signs by name: the network's probabilities as logarithms, the declared kind, and that of the URL."""
    signs = {f"network: {kind}": math.log(max(probabilities.get(kind, 0), MIN_PROBABILITY)) for kind in NETWORK_KINDS}
    if declared:
        signs[f"{declared.source}: {declared.value}"] = 1.0
    if url_kind := find_url_kind(url):
        signs[f"URL: {url_kind}"] = 1.0
    if is_home(url):
        signs["URL: home"] = 1.0
    return signs


def describe_metadata(metadata: DescribedMetadata) -> dict[str, float]:
    """Return signs by name that tell whether the page has an author and a date, and how its title looks."""
    title = metadata.title or ""
    return {
        "author": float(bool(metadata.authors)),
        "date": float(bool(metadata.date)),
        "author and date": float(bool(metadata.authors and metadata.date)),
        "characters of the title": math.log1p(len(title)),
        "title: question": float(title.endswith(QUESTION_MARKS)),
        "title: number": float(any(map(str.isdigit, title))),
    }


def describe_text(page: Page, blocks: Sequence[KeptBlock]) -> dict[str, float]:
    """Return signs by name that tell how the kept text looks: long paragraphs, or many links, lines, prices."""
    texts = [page.block_texts[block.row] for block in blocks]
    words = [max(text.count(" ") + 1, len(text) // WORD_CHARS) for text in texts]
    total, count = sum(words), len(blocks)
    linked = [number for number, block in zip(words, blocks, strict=True) if _is_linked(page, block)]
    kinds: list[str] = [page.find_kind(block.row) for block in blocks]
    prices = sum(1 for text in texts if len(text) <= PRICE_CHARS and PRICE.search(text))
    return {
        "words": math.log1p(total),
        "blocks": math.log1p(count),
        "words per block": math.log1p(total / count),
        "longest block": math.log1p(max(words)),
        "share in long blocks": sum(number for number in words if number >= LONG_WORDS) / total,
        "share in very long blocks": sum(number for number in words if number >= VERY_LONG_WORDS) / total,
        "share of short blocks": sum(number < SHORT_WORDS for number in words) / count,
        "linked words": sum(linked) / total,
        "share of linked blocks": len(linked) / count,
        "linked blocks": math.log1p(len(linked)),
        "questions": sum(text.endswith(QUESTION_MARKS) for text in texts) / count,
        "prices": math.log1p(prices),
        **{f"{kind} blocks": math.log1p(kinds.count(kind)) for kind in COUNTED_KINDS},
    }


def _is_linked(page: Page, block: KeptBlock) -> bool:
    """Whether almost all of a block is a link."""
    texts, linked = page.texts, page.linked_leaves
    chars = sum(len(texts[leaf]) for leaf in block.leaves)
    return sum(len(texts[leaf]) for leaf in block.leaves if linked[leaf]) > LINKED_SHARE * chars
