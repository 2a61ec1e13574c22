"""What the search for a product starts from: the headline, buttons, scripts and labelled values of a page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.metadata.scans import fold_text
from bonmun.objects.currencies import CURRENCY_OF_COUNTRY
from bonmun.objects.labelled_values import find_labelled_values
from bonmun.objects.products.buttons import find_stock_signs
from bonmun.objects.products.script_values import read_script_values
from bonmun.objects.products.surroundings import Surroundings
from bonmun.page.parse.ancestors import list_around
from bonmun.text.patterns import compile_later
from bonmun.work.cached import cached_property

if TYPE_CHECKING:
    from bonmun.objects.labelled_values import LabelledValue
    from bonmun.objects.products.buttons import StockSign
    from bonmun.objects.products.script_values import ScriptValues
    from bonmun.page import Page

__all__ = ["ProductView", "find_country"]

HEADLINE_CHARS = 300  # longer blocks are no headlines
HEADING_LEVELS = 4  # elements around a block that may be its <h1>
HEADING_SCORE, TITLE_SCORE = 2.0, 3.0  # of a block in an <h1>, and of one that is the title
MIN_PART_CHARS = 8  # of a headline that is part of the title
LANGUAGE_TAG = compile_later(r"[a-z]{2,3}[-_]([a-z]{2})\b", re.I)
COUNTRY_OF_LANGUAGE = {"da": "dk", "is": "is", "ja": "jp", "ko": "kr", "nb": "no", "no": "no", "sv": "se", "zh": "cn"}
URL_REGION = compile_later(r"(?:[a-z]{2}[-_])?([a-z]{2})", re.I)


@dataclass(eq=False)
class ProductView:
    """A page with its title, and what is found on it on first use."""

    page: Page
    title: str | None
    locale: str = ""  # og:locale
    language: str | None = None  # of the text

    @cached_property
    def country(self) -> str | None:
        """Two-letter code of the country of the shop, or None."""
        return find_country(self.page, self.locale, self.language)

    @cached_property
    def headline(self) -> int | None:
        """Block of the headline, or None."""
        return find_headline_block(self.page, self.title)

    @cached_property
    def signs(self) -> list[StockSign]:
        """Texts that say whether the product can be bought."""
        return find_stock_signs(self.page)

    @cached_property
    def surroundings(self) -> Surroundings:
        """What the class names around elements say."""
        return Surroundings(self.page)

    @cached_property
    def scripts(self) -> ScriptValues:
        """Prices and codes in scripts."""
        return read_script_values(self.page)

    @cached_property
    def labelled(self) -> list[LabelledValue]:
        """Values with a label."""
        return find_labelled_values(self.page)


def find_country(page: Page, locale: str = "", language: str | None = None) -> str | None:
    """Return the country of a shop by its domain, the start of the path, the language tag or og:locale.

    Without any of these, it is the country in which most texts of a language are written.
    """
    host, _, path = (page.likely_url or "").partition("//")[2].partition("/")
    domain = host.partition(":")[0].rpartition(".")[2].lower()
    if domain in CURRENCY_OF_COUNTRY and domain != "co":
        return domain
    tag = page.attr(0, "lang") or ""
    for match in (
        *(URL_REGION.fullmatch(part) for part in path.split("/")[:1]),
        LANGUAGE_TAG.match(tag[:20]),
        LANGUAGE_TAG.match(locale[:20]),
    ):
        if match and match.group(1).lower() in CURRENCY_OF_COUNTRY:
            return match.group(1).lower()
    return COUNTRY_OF_LANGUAGE.get(language or "")


def find_headline_block(page: Page, title: str | None) -> int | None:
    """Return the visible block that is the title or an <h1>, or None."""
    folded = fold_text(title or "")
    best, best_score = None, 0.0
    headings, parents, owners = frozenset(page.list_rows("h1")), page.parents, page.owners
    for block, (text, hidden) in enumerate(zip(page.block_texts, page.hidden_blocks, strict=True)):
        if hidden or len(text) > HEADLINE_CHARS:
            continue
        is_heading = headings and not headings.isdisjoint(list_around(parents, owners[block], HEADING_LEVELS))
        score = HEADING_SCORE if is_heading else 0.0
        if folded and score + TITLE_SCORE > best_score and (own := fold_text(text)):
            if own == folded:
                score += TITLE_SCORE
            elif min(len(own), len(folded)) >= MIN_PART_CHARS and (own in folded or folded in own):
                score += min(len(own), len(folded)) / max(len(own), len(folded))
        if score > best_score:
            best, best_score = block, score
            if score == HEADING_SCORE + TITLE_SCORE:  # nothing scores more
                break
    return best
