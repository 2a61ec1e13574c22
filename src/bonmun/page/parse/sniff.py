"""Content sniffing: tell from its first bytes whether a file is a page."""

from __future__ import annotations

import codecs
import re

from bonmun.page.saved.mhtml import is_mhtml
from bonmun.page.saved.webarchive import is_webarchive

__all__ = ["SNIFFED_BYTES", "looks_like_page"]

SNIFFED_BYTES = 16_384  # bytes that are sniffed; comments before the first tag may be long
BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# The tags of the MIME Sniffing standard, and others that pages start with. XML may start with any declaration.
TAG = re.compile(
    r"<(?:!doctype html|html|head|body|script|iframe|h1|div|font|table|a|style|title|b|br|p|meta|link|base|center|main|"
    r"article|section|header|frameset|noscript|form|ul|span|img)(?=[\s/>])",
    re.I,
)
PROLOGUE = (("<!--", "-->"), ("<?xml", "?>"), ("<!doctype", ">"))


def looks_like_page(head: bytes) -> bool:
    """Return whether the first bytes of a file are those of HTML, MHTML or a web archive.

    >>> looks_like_page(b" <!-- saved --> <HTML lang=ko>"), looks_like_page(b"body { margin: 0 }")
    (True, False)
    """
    return is_mhtml(head) or is_webarchive(head) or bool(TAG.match(_skip_prologue(_decode(head))))


def _decode(head: bytes) -> str:
    for bom, name in BYTE_ORDER_MARKS:
        if head.startswith(bom):
            return head[len(bom) :].decode(name, "replace")
    if head[:4:2] == b"\0\0" or head[1:4:2] == b"\0\0":  # UTF-16 without a byte order mark
        return head.decode("utf-16-be" if head[0] == 0 else "utf-16-le", "replace")
    return head.decode("latin-1")


def _skip_prologue(text: str) -> str:
    """Return the text from its first tag on, or from a doctype of HTML on."""
    while True:
        text = text.lstrip()
        start = text[:14].lower()
        if start == "<!doctype html":
            return text
        for opening, closing in PROLOGUE:
            if start.startswith(opening):
                inside, found, text = text.partition(closing)
                if not found:  # an unfinished comment: only pages start with such a long one
                    return "<html>" if opening == "<!--" and inside else ""
                break
        else:
            return text
