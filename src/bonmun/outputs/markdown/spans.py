"""Spans of Markdown that are written by themselves: code, images, addresses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.outputs.markdown.escape import choose_marks, escape_phrase

if TYPE_CHECKING:
    from bonmun.outputs.nodes import Node

__all__ = ["write_address", "write_code", "write_image"]

TICKS = re.compile("`++")
# What an address may not hold as it is: angle brackets are for HTML, and backticks for code, also within an address.
NOT_IN_ADDRESSES = str.maketrans({"<": "%3C", ">": "%3E", "`": "%60", "\\": "%5C", "\n": "%20"})
ADDRESS_MARKS = re.compile(r"[<>`\\\n ()&]")
ENTITY = re.compile(r"&(?=#?\w{1,32};)")


def write_code(code: str) -> str:
    """A code span, in more backticks than stand in it."""
    if "`" not in code:
        pad = " " if code[0] == code[-1] == " " and code.strip() else ""
        return f"`{pad}{code}{pad}`"
    runs = {len(run) for run in TICKS.findall(code)}
    size = next(length for length in range(1, len(runs) + 2) if length not in runs)
    pad = " " if "`" in (code[0], code[-1]) or code[0] == code[-1] == " " else ""
    return f"{'`' * size}{pad}{code}{pad}{'`' * size}"


def write_image(element: Node) -> str:
    """An image, with the text that stands for it."""
    alt = element.attr("alt") or ""
    marks = choose_marks(alt, {"em", "code"})
    alt = alt if marks is None else escape_phrase(alt, marks, in_link=True)
    return f"![{alt}]({write_address(element.attr('src') or '')})"


def write_address(address: str) -> str:
    """An address as a link has it: in angle brackets where it holds blanks or parentheses without a partner."""
    if not ADDRESS_MARKS.search(address):
        return address
    address = ENTITY.sub("&amp;", address.translate(NOT_IN_ADDRESSES))
    if " " in address or not _is_balanced(address):
        return f"<{address}>"
    return address


def _is_balanced(address: str) -> bool:
    """Whether each parenthesis has a partner, and none stands in another."""
    if "(" not in address and ")" not in address:
        return True
    depth = 0
    for character in address:
        depth += (character == "(") - (character == ")")
        if not 0 <= depth <= 1:
            return False
    return depth == 0
