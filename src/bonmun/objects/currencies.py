"""Signs of currencies, and the currencies of countries."""

from __future__ import annotations

__all__ = [
    "CURRENCY_OF_COUNTRY",
    "CURRENCY_OF_SIGN",
    "EITHER_SIGNS",
    "NO_DECIMALS",
    "PREFIX_SIGNS",
    "SUFFIX_SIGNS",
    "THREE_DECIMALS",
    "resolve_sign",
]

CODES = (
    "AED ARS AUD BAM BDT BGN BHD BOB BRL BYN CAD CHF CLP CNY COP CRC CZK DKK DOP DZD EGP EUR GBP GEL GHS HKD HRK HUF "
    "IDR ILS INR ISK JOD JPY KES KRW KWD KZT LKR MAD MDL MKD MXN MYR NGN NOK NPR NZD OMR PEN PHP PKR PLN PYG QAR RON "
    "RSD RUB SAR SEK SGD THB TND TRY TWD UAH USD UYU UZS VND ZAR"
).split()
# Signs that stand for one currency.
CURRENCY_OF_SIGN = {code: code for code in CODES} | {
    "€": "EUR", "£": "GBP", "₩": "KRW", "￦": "KRW", "원": "KRW", "円": "JPY", "₹": "INR", "₪": "ILS", "₽": "RUB",
    "₴": "UAH", "грн": "UAH", "₸": "KZT", "тг": "KZT", "тенге": "KZT", "₺": "TRY", "TL": "TRY", "zł": "PLN",
    "Kč": "CZK", "kč": "CZK", "Ft": "HUF", "lei": "RON", "Lei": "RON", "лв": "BGN", "฿": "THB", "บาท": "THB",
    "₫": "VND", "đ": "VND", "Rp": "IDR", "RM": "MYR", "₱": "PHP", "₦": "NGN", "₲": "PYG", "₡": "CRC", "₼": "AZN",
    "₾": "GEL", "R$": "BRL", "US$": "USD", "U$S": "USD", "USD$": "USD", "CA$": "CAD", "C$": "CAD", "CAD$": "CAD",
    "AU$": "AUD", "A$": "AUD", "AUD$": "AUD", "NZ$": "NZD", "HK$": "HKD", "NT$": "TWD", "S$": "SGD", "MX$": "MXN",
    "CLP$": "CLP", "SFr.": "CHF", "Fr.": "CHF", "sFr.": "CHF", "дин": "RSD", "din.": "RSD", "kn": "HRK",
    "ден": "MKD", "S/": "PEN", "د.إ": "AED", "ر.س": "SAR", "ج.م": "EGP", "جنيه": "EGP", "درهم": "AED",
    "元": "CNY", "人民币": "CNY", "NTD": "TWD", "RMB": "CNY", "Euro": "EUR", "euro": "EUR", "EURO": "EUR",
    "евро": "EUR", "ευρώ": "EUR",
}  # fmt: skip
# Signs of several currencies: the one without knowledge of the country, and the one of some countries.
SHARED_SIGNS: dict[str, tuple[str, tuple[str, ...]]] = {
    "$": ("USD", tuple("USD CAD AUD NZD HKD TWD SGD MXN CLP ARS COP UYU DOP".split())),
    "¥": ("JPY", ("JPY", "CNY")),
    "￥": ("JPY", ("JPY", "CNY")),
    "元": ("CNY", ("CNY", "TWD", "HKD")),
    "圓": ("TWD", ("TWD", "HKD")),
    "£": ("GBP", ("GBP", "EGP")),
    "kr": ("SEK", ("SEK", "NOK", "DKK", "ISK")),
    "kr.": ("DKK", ("SEK", "NOK", "DKK", "ISK")),
    "Kr": ("SEK", ("SEK", "NOK", "DKK", "ISK")),
    "Rs": ("INR", ("INR", "PKR", "LKR", "NPR")),
    "Rs.": ("INR", ("INR", "PKR", "LKR", "NPR")),
    "руб": ("RUB", ("RUB", "BYN")),
    "р.": ("RUB", ("RUB", "BYN")),
    "б.р.": ("BYN", ("BYN",)),
    "ريال": ("SAR", ("SAR", "QAR", "OMR")),
    "R": ("ZAR", ("ZAR",)),
}
LOCAL_SIGNS = frozenset({"R"})  # they mean something else in other countries
_PREFIX_ONLY = frozenset("R R$ US$ U$S CA$ C$ AU$ A$ NZ$ HK$ NT$ S$ MX$ S/ Rp RM Rs Rs. CLP$".split())
_SUFFIX_ONLY = frozenset(
    "원 円 元 圓 zł Kč kč Ft lei Lei лв тг тенге грн руб р. б.р. дин din. ден บาท đ TL Euro euro EURO евро ευρώ "
    "kn".split()
)
PREFIX_SIGNS = tuple(sorted(_PREFIX_ONLY))
SUFFIX_SIGNS = tuple(sorted(_SUFFIX_ONLY))
EITHER_SIGNS = tuple(sorted((CURRENCY_OF_SIGN.keys() | SHARED_SIGNS.keys()) - _PREFIX_ONLY - _SUFFIX_ONLY))
NO_DECIMALS = frozenset("CLP IDR ISK JPY KRW PYG VND".split())
THREE_DECIMALS = frozenset("BHD JOD KWD OMR TND".split())
_COUNTRIES = {
    "EUR": "at be cy de ee es fi fr gr ie it lt lu lv mt nl pt si sk eu hr",
    "AED": "ae", "ARS": "ar", "AUD": "au", "BAM": "ba", "BDT": "bd", "BGN": "bg", "BHD": "bh", "BOB": "bo",
    "BRL": "br", "BYN": "by", "CAD": "ca", "CHF": "ch li", "CLP": "cl", "CNY": "cn", "COP": "co", "CRC": "cr",
    "CZK": "cz", "DKK": "dk", "DOP": "do", "DZD": "dz", "EGP": "eg", "GBP": "gb uk", "GEL": "ge", "GHS": "gh",
    "HKD": "hk", "HUF": "hu", "IDR": "id", "ILS": "il", "INR": "in", "ISK": "is", "JOD": "jo", "JPY": "jp",
    "KES": "ke", "KRW": "kr", "KWD": "kw", "KZT": "kz", "LKR": "lk", "MAD": "ma", "MDL": "md", "MKD": "mk",
    "MXN": "mx", "MYR": "my", "NGN": "ng", "NOK": "no", "NPR": "np", "NZD": "nz", "OMR": "om", "PEN": "pe",
    "PHP": "ph", "PKR": "pk", "PLN": "pl", "PYG": "py", "QAR": "qa", "RON": "ro", "RSD": "rs", "RUB": "ru su рф",
    "SAR": "sa", "SEK": "se", "SGD": "sg", "THB": "th", "TND": "tn", "TRY": "tr", "TWD": "tw", "UAH": "ua",
    "USD": "us", "UYU": "uy", "UZS": "uz", "VND": "vn", "ZAR": "za",
}  # fmt: skip
CURRENCY_OF_COUNTRY = {country: code for code, countries in _COUNTRIES.items() for country in countries.split()}


def resolve_sign(sign: str, country: str | None) -> str | None:
    """Return the ISO 4217 code of a sign as it is used in a country, given as a two-letter code."""
    if sign in SHARED_SIGNS:
        default, codes = SHARED_SIGNS[sign]
        local = CURRENCY_OF_COUNTRY.get(country or "")
        if local in codes:
            return local
        return None if sign in LOCAL_SIGNS else default
    return CURRENCY_OF_SIGN.get(sign)
