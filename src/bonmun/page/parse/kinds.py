"""The kinds of blocks: what a reader takes a block for, by the tags that hold it."""

from __future__ import annotations

from typing import Literal

from bonmun.markup import HEADINGS

__all__ = ["KIND_OF_TAG", "BlockKind"]

BlockKind = Literal["paragraph", "heading", "item", "cell", "caption", "quote", "code", "formula"]

TAGS_OF_KIND: dict[BlockKind, tuple[str, ...]] = {
    "heading": HEADINGS,
    "item": ("li", "dt", "dd"),
    "cell": ("td", "th"),
    "caption": ("figcaption", "caption"),
    "code": ("pre", "listing", "xmp"),
    "quote": ("blockquote",),
    # a list or table inside a quote is a list or table; a paragraph inside an item, cell, caption or quote is that
    "paragraph": ("article", "aside", "footer", "form", "header", "main", "nav", "section", "table"),
}
KIND_OF_TAG = {tag: kind for kind, tags in TAGS_OF_KIND.items() for tag in tags}
