"""Products are found in markup and on the visible page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

import bonmun
from bonmun.metadata import Metadata
from bonmun.metadata.declared import read_declared
from bonmun.objects.labelled_values import find_labelled_values
from bonmun.objects.products import shown_prices
from bonmun.objects.products.buttons import find_stock_signs, read_meaning
from bonmun.objects.products.codes import check_gtin
from bonmun.objects.products.find import find_products
from bonmun.objects.products.stock import read_availability
from bonmun.objects.products.stock_words import BUY_WORDS, IN_STOCK_WORDS, OUT_OF_STOCK_WORDS, PREORDER_WORDS
from bonmun.objects.reading import ObjectReading
from timing import assert_linear

if TYPE_CHECKING:
    from bonmun.objects import PageObject

TEXT = "<p>Spun from the wool of sheep that graze beside the harbour, and knitted slowly on old machines.</p>" * 3
SHOWN = f"""<!DOCTYPE html><html lang="de"><head><title>Harbour Wollsocken, blau | Kaufhaus</title></head><body>
<nav><a href="/">Start</a> <a href="/sale">Ab 5 €</a></nav>
<main class="product-detail"><a href="/marken/harbour">Harbour</a><h1>Wollsocken, blau</h1>
<div class="price-box"><span class="price-old"><del>29,90 €</del></span> <span class="price-current">19,90 €</span></div>
<p class="unit">9,95 € / Paar</p><p>zzgl. 4,90 € Versand</p>
<form action="/cart"><button class="add-to-cart">In den Warenkorb</button></form>
<p><span>Artikel-Nr.</span><span>WS-1042</span></p>{TEXT}
<table><tr><th>Material</th><td>Wolle</td></tr><tr><th>EAN</th><td>4006381333931</td></tr>
<tr><th>Größe</th><td>39–42</td></tr><tr><th>Hersteller-Nr.</th><td>HW 7/B</td></tr></table></main>
<aside class="related"><ul><li><a href="/a">Schal <span class="price">49,00 €</span></a></li>
<li><a href="/b">Mütze <span class="price">25,00 €</span></a></li></ul></aside></body></html>"""
MARKED = f"""<html lang="en-GB"><head><title>Sea kettle</title><script type="application/ld+json">
{{"@type": "Product", "name": "Sea kettle", "sku": "K-77", "gtin13": "4006381333932", "brand": {{"@type": "Brand",
"name": "Harbour"}}, "offers": {{"@type": "Offer", "price": "45.00", "priceCurrency": "GBP",
"availability": "https://schema.org/InStock", "itemCondition": "https://schema.org/NewCondition"}},
"review": [{{"@type": "Review", "author": "Ann", "datePublished": "2024-05-06", "reviewBody": "Boils fast.",
"reviewRating": {{"@type": "Rating", "ratingValue": 4}}}}]}}</script></head><body><main><h1>Sea kettle</h1>
<p class="price">£40.00</p><p>Sold out</p>{TEXT}</main></body></html>"""


def find_product(html: str, url: str = "https://shop.example/p/1") -> PageObject | None:
    return next((found for found in bonmun.extract(html, url).objects if found.type == "Product"), None)


def read_values(html: str, url: str = "https://shop.example/p/1") -> dict[str, Any]:
    found = find_product(html, url)
    return found.values if found else {}


def test_a_shop_without_markup_shows_its_product() -> None:
    values = read_values(SHOWN, "https://shop.example.de/p/1")
    expected = {
        "price": "19.90",
        "priceCurrency": "EUR",
        "availability": "InStock",
        "sku": "WS-1042",
        "gtin": "4006381333931",
        "brand": "Harbour",
        "name": "Wollsocken, blau",
    }
    assert {name: values.get(name) for name in expected} == expected
    assert {"name": "Material", "value": "Wolle"} in values["additionalProperty"]


def test_what_the_page_shows_wins_and_both_are_reported() -> None:
    found = find_product(MARKED)
    assert found is not None
    price, availability = found.fields["price"], found.fields["availability"]
    assert (price.value, price.source, [other.value for other in price.others]) == ("40.00", "page", ["45.00"])
    assert (availability.value, [other.value for other in availability.others]) == ("OutOfStock", ["InStock"])
    assert found.values["sku"] == "K-77"
    assert found.values["brand"] == "Harbour"
    assert found.values["itemCondition"] == "NewCondition"
    assert found.values["review"] == [{"author": "Ann", "date": "2024-05-06", "rating": 4.0, "text": "Boils fast."}]
    assert "gtin" not in found.fields  # its check digit is wrong


@pytest.mark.parametrize(
    ("button", "availability"),
    [
        ("<button>Add to cart</button>", "InStock"),
        ("<button>장바구니 담기</button>", "InStock"),
        ("<input type=submit value='カートに入れる'>", "InStock"),
        ("<p>Нет в наличии</p>", "OutOfStock"),
        ("<p>품절</p>", "OutOfStock"),
        ("<p>Currently not in stock</p>", "OutOfStock"),
        ("<button>Pre-order</button>", "PreOrder"),
        ("<ul><li>XL sold out</li></ul><button>Buy now</button>", "InStock"),
    ],
)
def test_buttons_and_notes_tell_the_availability(button: str, availability: str) -> None:
    html = MARKED.replace('"availability": "https://schema.org/InStock",', "").replace("<p>Sold out</p>", button)
    assert read_values(html)["availability"] == availability


@pytest.mark.parametrize(
    ("value", "name"),
    [("http://schema.org/OutOfStock", "OutOfStock"), ("in stock", "InStock"), ("InStock/", "InStock"), ("soon", None)],
)
def test_declared_availability_has_the_name_of_schema_org(value: str, name: str | None) -> None:
    assert read_availability(value) == name


@pytest.mark.parametrize(
    ("value", "gtin"),
    [
        ("4006381333931", "4006381333931"),
        ("4-006381-333931", "4006381333931"),
        ("4006381333932", None),
        ("000000000000", None),
        ("036000291452", "036000291452"),
        ("12", None),
        ("9" * 10_000, None),
    ],
)
def test_gtins_have_a_check_digit(value: str, gtin: str | None) -> None:
    assert check_gtin(value) == gtin


def test_raised_cents_get_their_point() -> None:
    html = MARKED.replace("£40.00", "£<span>40</span><sup>99</sup>")
    assert read_values(html)["price"] == "40.99"


def test_the_language_tells_what_a_sign_stands_for_if_nothing_else_does() -> None:
    texts = {"CNY": "手工编织的蓝色羊毛袜，来自海边牧场。" * 8, "JPY": "海辺の牧場で育った羊の毛で編んだ靴下です。" * 8}
    for currency, text in texts.items():
        page = SHOWN.replace(TEXT, f"<p>{text}</p>").replace("19,90 €", "¥1990").replace(' lang="de"', "")
        assert read_values(page)["priceCurrency"] == currency
    assert read_values(page.replace("<html>", "<html lang=zh-CN>"))["priceCurrency"] == "CNY"


def test_a_labelled_price_is_enough_for_a_page_that_looks_like_a_product() -> None:
    table = "<table><tr><th>정가</th><td>35,000원</td></tr><tr><th>판매가</th><td>33,250원</td></tr></table>"
    page = f"<html lang=ko><title>바다의 역사</title><h1>바다의 역사</h1>{table}<p>{'바다의 역사를 다룬다. ' * 20}</p>"
    doc = bonmun.extract(page, "https://books.example/goods/1")
    reading = ObjectReading(doc.page, read_declared(doc.page), doc.metadata, (), "product")
    assert [found.values["price"] for found in find_products(reading)] == ["33250"]


def test_codes_of_the_url_count_if_the_page_repeats_them() -> None:
    html = SHOWN.replace("Artikel-Nr.", "Pflege").replace(
        "<button ", "<input type=hidden name=product_id value=31415><button "
    )
    assert read_values(html, "https://shop.example/p/socken-31415.html")["sku"] == "31415"
    assert "sku" not in read_values(html, "https://shop.example/p/socken-9.html")


@pytest.mark.parametrize(
    "html",
    [
        f"<h1>Prices of wool</h1><p>A kilo cost 12 € in May and 14 € in June.</p>{TEXT}",
        "<h1>Sale</h1>"
        + "".join(
            f"<li><a href=/p/{n}>Sock {n}</a> <b class=price>{n} €</b><button>Add to cart</button>" for n in range(40)
        ),
    ],
    ids=["article", "listing"],
)
def test_pages_about_no_single_product_have_none(html: str) -> None:
    assert find_product(f"<html><title>Wool</title><body>{html}") is None


def test_a_video_is_no_product() -> None:
    script = '<script type="application/ld+json">{"@type": "VideoObject", "name": "Wollsocken, blau"}</script>'
    assert find_product(SHOWN) is not None
    assert find_product(SHOWN.replace("</head>", f"{script}</head>")) is None


def test_a_subscription_is_not_what_an_article_is_about() -> None:
    page = bonmun.Page.parse(MARKED.replace("<h1>Sea kettle", "<h1>Storm in the harbour"))
    reading = ObjectReading(page, read_declared(page), Metadata(title="Storm in the harbour"), [], "article")
    assert find_products(reading) == []


def test_the_end_of_a_path_is_no_brand() -> None:
    """The path above the headline ends with the product's name; its brand is only in the table."""
    html = f"""<html lang="en"><head><title>Copper sea kettle K-77 for sale</title></head><body><main>
    <div>Copper sea kettle K-77</div><h1>Copper sea kettle K-77 Code: 1042</h1><div class="price">45.00 £</div>
    <button>Add to cart</button>{TEXT}<table><tr><th>Brand</th><td>Harbour</td></tr></table></main></body></html>"""
    assert read_values(html)["brand"] == "Harbour"


@pytest.mark.parametrize(("word", "brand"), [("from", None), ("harbour", "harbour")])
def test_a_word_in_lower_case_is_a_brand_if_the_title_has_it(word: str, brand: str | None) -> None:
    html = f"""<html lang="en"><head><title>harbour Wool socks</title></head><body><main>
    <h1>Wool socks</h1><div class="brand-price"><span>{word}</span></div><div class="price">45.00 £</div>
    <button>Add to cart</button>{TEXT}</main></body></html>"""
    assert read_values(html).get("brand") == brand


def test_a_price_of_zero_is_none() -> None:
    """Shops declare it for what they do not sell at present."""
    html = f"""<html lang="en"><head><title>Sea kettle</title><script type="application/ld+json">{{"@type": "Product",
    "name": "Sea kettle", "sku": "K-77", "offers": {{"@type": "Offer", "price": 0, "priceCurrency": "GBP"}}}}</script>
    </head><body><h1>Sea kettle</h1>{TEXT}</body></html>"""
    assert "price" not in read_values(html)


def test_labels_and_values_are_paired() -> None:
    page = bonmun.Page.parse(SHOWN)
    pairs = {each.label: each.value for each in find_labelled_values(page)}
    assert pairs.items() >= {"Artikel-Nr.": "WS-1042", "Material": "Wolle", "EAN": "4006381333931"}.items()


HOSTILE = {
    "prices": "<p class=price>1.234,56 €</p>",
    "prices in one block": "<b>1 €</b>",
    "cards": "<li><a href=/p/1>Sock</a> <b class=price>5 €</b><button>Add to cart</button>",
    "labels": "<p><b>SKU</b><i>AB-1</i></p>",
    "rows": "<tr><th>Brand<td>Harbour",
    "colons": "<p>a:b:c:d",
    "scripts": "<script>x={'price': 12, 'sku': 'AB-12', 'brand': {'name': 'H'}}</script>",
    "keys without values": "<script>id, price, sku </script>",
    "words": "<p>sold in stock",
    "names": "<p class='price now' id=a data-testid=b>1 €",
    "spaces": "<p>1 234 567 ",
    "inputs": "<input type=hidden name=id value=12345>",
    "nested": "<div class='product price'>1 €",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_products_are_found_in_linear_time(name: str) -> None:
    def make(size: int) -> ObjectReading:
        html = f"<html><title>Sea kettle</title><body><h1>Sea kettle</h1><button>Buy now</button>{HOSTILE[name] * size}"
        page = bonmun.Page.parse(html, "https://shop.example/p/12345")
        return ObjectReading(page, read_declared(page), Metadata(title="Sea kettle"), [], "product")

    assert_linear(make, find_products, 20_000)


@pytest.mark.parametrize(
    ("words", "meanings"),
    [
        (OUT_OF_STOCK_WORDS, {"out"}),
        (PREORDER_WORDS, {"preorder"}),
        (BUY_WORDS, {"buy", "out", "preorder"}),
        (IN_STOCK_WORDS, {"in", "out", "buy"}),
    ],
)
@pytest.mark.parametrize("text", ["{}", "» {}!", "Sea kettle: {}", "{} (3)"])
def test_every_word_about_the_stock_is_read(words: tuple[str, ...], meanings: set[str], text: str) -> None:
    assert {read_meaning(text.format(word.upper())) for word in words if word.upper().lower() == word} <= meanings


@pytest.mark.parametrize(
    "button",
    [
        '<INPUT TYPE=SUBMIT value="Add to cart">',
        '<button aria-label="Add to cart"></button>',
        '<a href=/cart title="Add to cart"><img src=cart.png></a>',
        '<div class="Btn-Buy"></div>',
        '<span id="add-to-cart-12"></span>',
    ],
)
def test_buttons_without_text_are_signs(button: str) -> None:
    assert [sign.is_button for sign in find_stock_signs(bonmun.Page.parse(f"<p>Kettle</p>{button}<p>Wool</p>"))] == [
        True
    ]


def test_a_note_on_the_stock_is_read_behind_other_short_texts() -> None:
    kettle = "A kettle for the stove, made of steel, with a handle that stays cool. " * 3
    page = bonmun.Page.parse(f"<p><b>Kettle</b> {kettle}<b>Sold out</b></p>")
    assert [sign.text for sign in find_stock_signs(page)] == ["Sold out"]


def test_labels_in_ascii_are_searched_for_words_first() -> None:
    for pattern in (shown_prices.OLD_LABEL, shown_prices.OTHER_LABEL, shown_prices.PRICE_LABEL):
        for word in re.split(
            r"[|()?:]+", pattern.pattern.replace("\\b", "").replace("\\w{0,10}", "ment").replace("\\", "")
        ):
            if word and word.isascii():
                assert pattern.search(word)
                assert shown_prices.LABEL_WORDS.holds(f"1 {word.upper()} 2"), word
