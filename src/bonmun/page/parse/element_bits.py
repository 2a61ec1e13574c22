"""What an element does to the text in it, as bits: by its tag, and by attributes that change how it is shown."""

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
    "OPEN_DIALOG",
    "PRE",
    "RUBY_BITS",
    "SHOWN_OTHERWISE",
    "TABLE_PARTS",
    "TAG_BITS",
    "WHITE",
    "read_bit",
    "restyle",
]

# An element hands LINK, HIDDEN, PRE and SPACED down to what it holds. PRE and SPACED keep white space; what is PRE is
# one block, whatever it holds. BLOCK and BREAK say that an element starts a line, EMPTY that it holds no leaves, OPAQUE
# that it holds elements all the same.
LINK, HIDDEN, PRE, BLOCK, BREAK, EMPTY, OPAQUE, SPACED = 1, 2, 4, 8, 16, 32, 64, 128
WHITE = PRE | SPACED
INHERITED = LINK | HIDDEN | WHITE
BREAKS = BLOCK | BREAK

BLOCK_TAGS = (
    "html body address article aside blockquote button caption center colgroup dd details dir div dl dt fieldset "
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup legend li main menu nav ol p search "
    "section select summary table tbody td tfoot th thead tr ul"
)
# What no reader sees: code, fallbacks for what the browser can show, the sources of formulas.
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
    "q": EMPTY,  # but for its marks
    "rt": EMPTY | OPAQUE,  # how a word is read, for those who cannot
    "rp": EMPTY | OPAQUE,
}
RUBY_BITS = {"rt": EMPTY, "rp": 0}

# Attributes that may change how an element is shown; one selector finds the few elements that have them.
SHOWN_OTHERWISE = "[hidden],[aria-hidden=true],[style]"
OPEN_DIALOG = "dialog[open]"  # asked for apart: with it, the selector takes twice as long
STYLES = ("display", "visibility", "white-space")  # what matters of a style
STYLE = re.compile(
    r"(?<![\w-])(?:(?P<hidden>display\s*:\s*none|visibility\s*:\s*hidden)"
    r"|(?P<block>display\s*:\s*(?:block|flex|grid|table|list-item)\b)"
    r"|(?P<inline>display\s*:\s*(?:inline|contents)\s*(?:[;!]|$))"
    r"|(?P<pre>white-space\s*:\s*(?:pre|break-spaces)))",
    re.I,
)
SHORT_STYLE = 100  # characters of a style that is remembered
STYLE_BITS = {"hidden": HIDDEN, "block": BLOCK, "pre": SPACED}

TABLE_PARTS = frozenset("table thead tbody tfoot tr".split())
KERNEL = load_kernel("columns")
HAVE_BIT = {bit: bytes(each & bit != 0 for each in range(256)) for bit in (LINK, HIDDEN)}


def read_bit(bit: int, bits: list[int], elements: list[int]) -> bytes:
    """A byte for each of some elements: 1 if it has the bit, else 0; made in C, since every page needs it."""
    if KERNEL:
        found: bytes = KERNEL.read_bit(bit, bits, elements)
        return found
    return bytes(map(bits.__getitem__, elements)).translate(HAVE_BIT[bit])


def restyle(node: Element, tag: str, own: int) -> int:
    """An element's own bits, with what its attributes change."""
    attr = node.attr
    if tag == "template" and is_shadow(node) and isinstance(node.parent, Element) and may_host(node.parent.tag):
        return 0
    if tag == "dialog" and attr("open") is not None:
        own &= ~HIDDEN
    if attr("hidden") is not None or attr("aria-hidden") == "true":
        own |= HIDDEN
    style = attr("style")
    if style:
        dropped, added = _read_style(style) if len(style) <= SHORT_STYLE else _read_style.__wrapped__(style)
        own = own & ~dropped | added
    return own


@lru_cache(maxsize=256)
def _read_style(style: str) -> tuple[int, int]:
    """The bits that a style takes and gives. Most are written many times on a page, and on many pages."""
    dropped = added = 0
    lowered = style[:MAX_STYLE_CHARS].lower()
    if not any(name in lowered for name in STYLES):
        return 0, 0
    for found in STYLE.finditer(style[:MAX_STYLE_CHARS]):
        if found.lastgroup == "inline":
            dropped, added = BLOCK, added & ~BLOCK
        else:
            added |= STYLE_BITS[found.lastgroup or ""]
    return dropped, added
