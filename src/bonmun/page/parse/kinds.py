"""The kinds of blocks, determined by the tags that contain a block."""

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
    # a paragraph inside an item, cell, caption or quote has that kind; a list or table inside a quote keeps its own
    "paragraph": ("article", "aside", "footer", "form", "header", "main", "nav", "section", "table"),
}
KIND_OF_TAG = {tag: kind for kind, tags in TAGS_OF_KIND.items() for tag in tags}
