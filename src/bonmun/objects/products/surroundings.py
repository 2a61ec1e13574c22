"""What the names of the elements around a text say: a price, an old price, a card of another product, a brand."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import list_around
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from bonmun.page import Page

__all__ = ["FAR_LEVELS", "FEATURE_WORDS", "NAME_CHARS", "NEAR_LEVELS", "WORDS", "Surroundings"]

NEAR_LEVELS, FAR_LEVELS = 3, 10  # elements around a text whose class names are read: the nearest, and all
NAME_CHARS = 200  # of a class attribute that are read
CACHE_SIZE = 2000  # class attributes
TEST_NAME = "data-testid"  # is read like a class
WORD = compile_later(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
# Words in class names and ids, by what they say. A feature of prices has this name, too, …
FEATURE_WORDS = {
    "price": "price prices preis prix precio preco prezzo cena cijena pris kaina prijs hinta amount",
    "current": "sale current final now our special offer actual discounted selling promo new sales reduced deal buybox",
    "old": "old was strike striked striken struck crossed list msrp rrp uvp original previous before regular retail "
    "through compare lowest crossout linethrough past standard",
    "other": "unit per shipping delivery versand installment instalment installments financing monthly month credit "
    "save saving savings discount percent badge points coupon gift warranty protection rate deposit tax vat mwst loan "
    "leasing insurance bonus cashback history changes",
    "card": "related recommend recommended recommendations recommendation carousel slider slick swiper card similar "
    "upsell crosssell cross accessories accessory recently viewed bestseller sponsored also bundle together list grid "
    "item tile minicart basket teaser footer header nav menu banner others sims comparison compare ad ads review "
    "reviews",
    "main": "product main detail details pdp summary info buy purchase",
}
# … but not those of cents and of brands.
OTHER_WORDS = {
    "cents": "cents cent decimal decimals fraction minor centavos kop coins",
    "brand": "brand brands marke marque marca manufacturer vendor byline designer",
}
WORDS = {name: frozenset(words.split()) for name, words in (FEATURE_WORDS | OTHER_WORDS).items()}


@lru_cache(CACHE_SIZE)
def read_names(names: str) -> frozenset[str]:
    """Return which of `WORDS` the words of a class attribute or id are, such as "price"; "salePrice" has two words."""
    words = {word.lower() for word in WORD.findall(names)}
    return frozenset(name for name, known in WORDS.items() if not known.isdisjoint(words))


class Surroundings:
    """What the class names around elements say, read once for each element."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._own: dict[int, frozenset[str]] = {}

    def own(self, row: int) -> frozenset[str]:
        """Return what the names of one element say: keys of `WORDS`."""
        found = self._own.get(row)
        if found is None:
            page = self._page
            names = (page.classes[row], page.ids[row], page.attr(row, TEST_NAME))
            found = self._own[row] = read_names(" ".join([name[:NAME_CHARS] for name in names if name]))
        return found

    def near(self, row: int) -> frozenset[str]:
        """Return what the names of an element and of the nearest ones around it say."""
        return frozenset().union(*map(self.own, list_around(self._page.parents, row, NEAR_LEVELS)))

    def far(self, row: int) -> frozenset[str]:
        """Return what the names of the elements around those say."""
        return frozenset().union(*map(self.own, list_around(self._page.parents, row, FAR_LEVELS)[NEAR_LEVELS:]))
