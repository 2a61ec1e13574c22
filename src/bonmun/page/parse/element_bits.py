"""Bits that describe how an element affects its text, determined by its tag and attributes."""

from __future__ import annotations

import re
from functools import lru_cache

from turbohtml import Element

from bonmun.bounds import MAX_STYLE_CHARS
from bonmun.kernel import load_kernel
from bonmun.page.parse.shadows import is_shadow, may_host

__all__ = [
    "BLOCK",
    "BREAKS",
    "EMPTY",
    "HIDDEN",
    "INHERITED",
    "LINK",
    "OPAQUE",
    "OPEN_DIALOG_SELECTOR",
    "PRE",
    "RUBY_BITS",
    "STYLED_SELECTOR",
    "STYLES",
    "TABLE_PARTS",
    "TAG_BITS",
    "WHITE",
    "apply_attributes",
    "read_bit",
    "read_style",
]

# Descendants inherit LINK, HIDDEN, PRE and SPACED. PRE and SPACED preserve whitespace, and a PRE element is one block.
# BLOCK and BREAK elements start a line. The text in an EMPTY element is ignored; an OPAQUE one is an EMPTY one that
# contains elements.
LINK, HIDDEN, PRE, BLOCK, BREAK, EMPTY, OPAQUE, SPACED = 1, 2, 4, 8, 16, 32, 64, 128
WHITE = PRE | SPACED
INHERITED = LINK | HIDDEN | WHITE
BREAKS = BLOCK | BREAK

BLOCK_TAGS = (
    "html body address article aside blockquote button caption center colgroup dd details dir div dl dt fieldset "
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup legend li main menu nav ol p search "
    "section select summary table tbody td tfoot th thead tr ul"
)
# Elements that readers do not see: scripts, fallback content, sources of formulas.
SILENT_TAGS = "script style title iframe noembed noframes"
OPAQUE_TAGS = "noscript template svg head audio video canvas annotation annotation-xml"
VOID_TAGS = "area base col embed img input link meta param source track wbr"
TAG_BITS = dict.fromkeys(BLOCK_TAGS.split(), BLOCK) | dict.fromkeys((SILENT_TAGS + " " + VOID_TAGS).split(), EMPTY)
TAG_BITS |= dict.fromkeys(OPAQUE_TAGS.split(), EMPTY | OPAQUE)
TAG_BITS |= dict.fromkeys(("pre", "listing", "xmp", "plaintext", "textarea"), BLOCK | PRE)
TAG_BITS |= {
    "a": LINK,
    "datalist": HIDDEN,
    "dialog": BLOCK | HIDDEN,
    "hr": BLOCK | EMPTY,
    "br": BREAK | EMPTY,
    "option": BREAK,
    "q": EMPTY,  # except for its marks
    "rt": EMPTY | OPAQUE,  # how a word is pronounced
    "rp": EMPTY | OPAQUE,
}
RUBY_BITS = {"rt": EMPTY, "rp": 0}

# Selects the few elements whose attributes may change how they are displayed.
STYLED_SELECTOR = "[hidden],[aria-hidden=true],[style]"
OPEN_DIALOG_SELECTOR = "dialog[open]"  # separate: together, the selector takes twice as long
# CSS properties that matter, and parts of the distances that move an element off the screen
STYLES = ("display", "visibility", "white-space", "-999", "000px")
STYLE = re.compile(
    r"(?<![\w-])(?:(?P<hidden>display\s*:\s*none|visibility\s*:\s*hidden"
    r"|(?:left|right|top)\s*:\s*-(?:9{3,6}|[5-9]000|[1-9]0{4,5})(?:px|em|rem))"
    r"|(?P<block>display\s*:\s*(?:block|flex|grid|table|list-item)\b)"
    r"|(?P<inline>display\s*:\s*(?:inline|contents)\s*(?:[;!]|$))"
    r"|(?P<pre>white-space\s*:\s*(?:pre|break-spaces)))",
    re.I,
)
MAX_CACHED_STYLE_CHARS = 100  # longest style attribute that is cached
STYLE_BITS = {"hidden": HIDDEN, "block": BLOCK, "pre": SPACED}

TABLE_PARTS = frozenset("table thead tbody tfoot tr".split())
KERNEL = load_kernel("columns")
HAS_BIT = {bit: bytes(each & bit != 0 for each in range(256)) for bit in (LINK, HIDDEN)}


def read_bit(bit: int, bits: list[int], elements: list[int]) -> bytes:
    """Return one byte per element: 1 if it has the bit, else 0."""
    if KERNEL:
        found: bytes = KERNEL.read_bit(bit, bits, elements)
        return found
    return bytes(map(bits.__getitem__, elements)).translate(HAS_BIT[bit])


def apply_attributes(node: Element, tag: str, own: int) -> int:
    """Return the own bits of an element, as changed by its attributes."""
    attr = node.attr
    if tag == "template" and is_shadow(node) and isinstance(node.parent, Element) and may_host(node.parent.tag):
        return 0
    if tag == "dialog" and attr("open") is not None:
        own &= ~HIDDEN
    if attr("hidden") is not None or attr("aria-hidden") == "true":
        own |= HIDDEN
    style = attr("style")
    if style and any(name in style[:MAX_STYLE_CHARS].lower() for name in STYLES):  # most have none of them
        dropped, added = read_style(style)
        own = own & ~dropped | added
    return own


def read_style(style: str) -> tuple[int, int]:
    """Return the bits that a style attribute removes and adds."""
    return _read_short_style(style) if len(style) <= MAX_CACHED_STYLE_CHARS else _read_style(style)


@lru_cache(maxsize=256)
def _read_short_style(style: str) -> tuple[int, int]:
    """Cached, since most styles occur many times."""
    return _read_style(style)


def _read_style(style: str) -> tuple[int, int]:
    dropped = added = 0
    for found in STYLE.finditer(style[:MAX_STYLE_CHARS]):
        if found.lastgroup == "inline":
            dropped, added = BLOCK, added & ~BLOCK
        else:
            added |= STYLE_BITS[found.lastgroup or ""]
    return dropped, added
