"""The price of a product is found near the headline; other amounts are not."""

from __future__ import annotations

import pytest

from bonmun import Page
from bonmun.page.prices import find_price
from timing import assert_linear

TEXT = "<p>A brass lamp with a glass cover, made by hand in a small workshop near the harbour.</p>"
LAMP = "<h1>Brass lamp</h1>"


def find_texts(body: str) -> list[str]:
    page = Page.parse(f"<title>Brass lamp</title><body>{body}")
    kept = [text.startswith("A brass lamp") or "kept" in text for text in page.block_texts]
    return [page.block_texts[row] for row in find_price(page, kept)]


@pytest.mark.parametrize(
    "price",
    ["€ 119,01", "119,00 €", "$24.99", "CHF 19.50", "1.490 zł", "1,980円", "39,800원", "Rs. 949", "£3 each", "kr 499"],
)
def test_an_amount_below_the_headline_is_found(price: str) -> None:
    assert find_texts(f"{LAMP}<div>{price}</div><button>Add to cart</button>{TEXT}") == [price]
    assert find_texts(f"{LAMP}<div class=price>{price}</div>{TEXT}") == [price]


def test_a_named_price_comes_before_other_amounts() -> None:
    offers = "<div>2 for €200</div><div><span class=product-price>€ 119</span></div><div>€ 12 in vouchers</div>"
    assert find_texts(f"{LAMP}{offers}{TEXT}") == ["€ 119"]
    assert find_texts(f"{LAMP}<div class=price>149.00 - 159.00</div>{TEXT}") == ["149.00 - 159.00"]


def test_its_label_and_the_old_price_come_along() -> None:
    row = "<table><tr><td>Price:</td><td>100,00 €</td></tr></table>"
    assert find_texts(f"{LAMP}{row}{TEXT}") == ["Price:", "100,00 €"]
    old = "<div class=prices><p>€ 90</p><p>Was € 120</p></div>"
    assert find_texts(f"{LAMP}{old}{TEXT}") == ["€ 90", "Was € 120"]


@pytest.mark.parametrize(
    "other",
    [
        "<div>Free delivery over € 50</div>",
        "<div>€ 10.65 per month</div>",
        "<div>0,00 €</div>",
        "<div class=minicart><p>€ 50</p></div>",
        "<div class=related-products><p>€ 50</p></div>",
        "<a href=/other>€ 50</a>",
        "<aside><p>€ 50</p></aside>",
        "<div><del>€ 50</del></div>",
        "<div hidden>€ 50</div>",
        "<div>Model 4711-50</div>",
        f"<div>{'€ 50 is what it costs, and more. ' * 3}</div>",
    ],
)
def test_other_amounts_are_not_found(other: str) -> None:
    assert find_texts(f"{LAMP}{other}{TEXT}") == []


def test_a_price_that_is_kept_is_enough() -> None:
    assert find_texts(f"{LAMP}<div class=price>€ 119</div>{TEXT}<p>€ 119 (kept)</p>") == []
    assert find_texts("<div>€ 5</div>") == []


def test_many_amounts_take_linear_time() -> None:
    def make(count: int) -> Page:
        return Page.parse(f"{LAMP}{'<div>€ 1 2,00 $</div>' * count}{TEXT}")

    assert_linear(make, lambda page: find_price(page, [False] * len(page.starts)), 8000)
