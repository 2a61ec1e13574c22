"""Amounts of money are read in the notation of every country."""

from __future__ import annotations

import pytest

from bonmun.objects.prices import find_money, fold_digits, read_amount
from timing import assert_linear

AMOUNTS = {
    "1.234,56 €": ("1234.56", "EUR"),
    "$1,234.56": ("1234.56", "USD"),
    "12 345,00 руб.": ("12345.00", "RUB"),
    "39,800원": ("39800", "KRW"),
    "￥1,980(税込)": ("1980", "JPY"),
    "CHF 1'234.50": ("1234.50", "CHF"),
    "1'234.50 Fr.": ("1234.50", "CHF"),
    "Rs. 1,23,456.00": ("123456.00", "INR"),
    "٣٬٥٠٠٫٥٠ ر.س": ("3500.50", "SAR"),
    "\u200f۱۲۳ ₪\u200e": ("123", "ILS"),
    "5.- CHF": ("5", "CHF"),
    "1299,- Kč": ("1299", "CZK"),
    "0.500 KWD": ("0.500", "KWD"),
    "R$ 1.299,90": ("1299.90", "BRL"),
    "1 299,00 zł": ("1299.00", "PLN"),
    "US$12": ("12", "USD"),
    "４９８円": ("498", "JPY"),
    "12.345.678 ₫": ("12345678", "VND"),
}


@pytest.mark.parametrize(("text", "expected"), AMOUNTS.items(), ids=AMOUNTS.keys())
def test_amounts_are_read_in_every_notation(text: str, expected: tuple[str, str]) -> None:
    assert [money[:2] for money in find_money(fold_digits(text))] == [expected]


def test_the_country_decides_what_a_sign_stands_for() -> None:
    assert [next(find_money("$24.990", country))[:2] for country in ("cl", None)] == [
        ("24990", "CLP"),
        ("24990", "USD"),
    ]
    assert [next(find_money("99 kr", country)).currency for country in ("no", "dk", "se")] == ["NOK", "DKK", "SEK"]


def test_the_sign_of_the_next_amount_is_not_part_of_an_amount() -> None:
    found = list(find_money("$49.00 $39.90 USD"))
    assert [(money.amount, money.start, money.stop) for money in found] == [("49.00", 0, 6), ("39.90", 7, 17)]


def test_both_ends_of_a_range_have_the_currency() -> None:
    assert [money[:2] for money in find_money("502,20 – 558,00 €")] == [("502.20", "EUR"), ("558.00", "EUR")]


def test_numbers_that_are_no_amounts_have_no_currency() -> None:
    assert [money[:2] for money in find_money("Kartika 12 and 3 sizes")] == [("12", None), ("3", None)]
    assert list(find_money("9" * 1000 + " €")) == []


@pytest.mark.parametrize(
    ("value", "amount"),
    [("1299.000", "1299.000"), ("1,299", "1299"), (12.5, "12.5"), ("12 €", "12"), ("from 3 to 5", None), (True, None)],
)
def test_declared_amounts_are_numbers_with_a_point(value: object, amount: str | None) -> None:
    assert read_amount(value) == amount


@pytest.mark.slow
@pytest.mark.parametrize("part", ["1 ", ",11", ",111", "$", "1.", "1'234 € - ", "€ 1 – ", "9"], ids=repr)
def test_reading_amounts_takes_linear_time(part: str) -> None:
    assert_linear(lambda size: part * size, lambda text: list(find_money(text)), 10_000)
