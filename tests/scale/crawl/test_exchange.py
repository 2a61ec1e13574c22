"""Properties of an exchange: content type, encoding, digest and decompressed body."""

from __future__ import annotations

import gzip
import zlib
from typing import TYPE_CHECKING

import pytest
from archives import HTML, make_exchange

from bonmun.errors import FetchFailed, TooBig

if TYPE_CHECKING:
    from bonmun.scale.crawl.fetch.exchange import Exchange

LIMIT = 1_000_000  # bytes


def make_response(body: bytes, **headers: str) -> Exchange:
    pairs = tuple((name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items())
    return make_exchange(body=body, response_headers=pairs)


@pytest.mark.parametrize(
    ("header", "content_type", "charset"),
    [
        ("text/html; charset=EUC-KR", "text/html", "EUC-KR"),
        ('TEXT/HTML;Charset="utf-8"', "text/html", "utf-8"),
        ("text/html, text/plain", "text/html", None),
        ("text/html; charset=no-such-thing", "text/html", None),
        ("; charset=utf-8", "", "utf-8"),
        ("\xff\xfe", "ÿþ", None),
        ("", "", None),
    ],
)
def test_type_and_charset_are_read_from_the_header(header: str, content_type: str, charset: str | None) -> None:
    exchange = make_response(b"", content_TYPE=header)
    assert (exchange.content_type, exchange.charset) == (content_type, charset)


def test_a_response_without_headers_has_no_content_type() -> None:
    exchange = make_exchange(response_headers=())
    assert (exchange.content_type, exchange.charset, exchange.decode_body(LIMIT)) == ("", None, HTML)


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("", HTML),
        ("identity", HTML),
        ("gzip", gzip.compress(HTML)),
        ("X-GZip", gzip.compress(HTML)),
        ("identity, gzip", gzip.compress(HTML)),
        ("deflate", zlib.compress(HTML)),
        ("deflate", zlib.compress(HTML)[2:-4]),
    ],
)
def test_bodies_are_decompressed(coding: str, body: bytes) -> None:
    assert make_response(body, content_encoding=coding).decode_body(LIMIT) == HTML
    assert make_response(b"", content_encoding=coding).decode_body(LIMIT) == b""


@pytest.mark.parametrize(
    ("coding", "body", "error", "message"),
    [
        ("gzip", gzip.compress(bytes(10 * LIMIT)), TooBig, r"^https://pier\.example/a\?b=1 is larger than 1000000"),
        ("", bytes(LIMIT + 1), TooBig, "is larger than"),
        ("gzip", gzip.compress(HTML)[:-3], FetchFailed, "ends too early"),
        ("gzip", HTML, FetchFailed, "broken gzip data"),
        ("br", HTML, FetchFailed, "compressed as br"),
        ("gzip, gzip", HTML, FetchFailed, "compressed as gzip, gzip"),
    ],
)
def test_bodies_that_cannot_be_decompressed_are_errors(
    coding: str, body: bytes, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        make_response(body, content_encoding=coding).decode_body(LIMIT)


def test_equal_bodies_have_equal_digests() -> None:
    assert make_exchange(body=b"").digest == "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"  # as in every web archive
    assert make_exchange().digest == make_exchange("https://other.example/").digest != make_exchange(body=b"x").digest
