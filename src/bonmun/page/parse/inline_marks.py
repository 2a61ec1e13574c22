"""Text that browsers show without a text node: quotation marks of `<q>`, brackets of ruby, emoji images."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turbohtml import Element, Text

if TYPE_CHECKING:
    from turbohtml import Node

__all__ = ["find_marks", "read_emoji"]

# Quotation marks of each language: outer pair and inner pair.
ENGLISH = ("“", "”", "‘", "’")
GERMAN = ("„", "“", "‚", "‘")
ANGLED = ("«", "»", "„", "“")
FRENCH = ("«\u00a0", "\u00a0»", "“", "”")
LOW = ("„", "”", "‚", "’")
CORNERS = ("「", "」", "『", "』")
QUOTES = dict.fromkeys("de cs sk sl is lt sq ka bg".split(), GERMAN) | dict.fromkeys("ru uk be hy".split(), ANGLED)
QUOTES |= dict.fromkeys("pl ro hu hr sr bs nl".split(), LOW) | {"fr": FRENCH, "ja": CORNERS, "zh-tw": CORNERS}
QUOTES |= dict.fromkeys("es it pt ca eu gl el no nb nn da fa".split(), ("«", "»", "“", "”"))
QUOTES |= dict.fromkeys("sv fi".split(), ("”", "”", "’", "’")) | {"zh-hk": CORNERS, "zh-hant": CORNERS}
ANY_QUOTE = frozenset("\"'“”„‟‘’‚«»‹›「」『』〝〞") | {""}
MAX_LANGUAGE_CHARS = 24  # characters read of a language code

MAX_EMOJI_CHARS = 12  # code points; a family of four has seven
EMOJI = re.compile(
    "[\u00a9\u00ae\u203c-\u3299\ufe0f\u200d\u20e3\U0001f000-\U0001faff\U000e0020-\U000e007f0-9#*]{1,12}+"
)
SMILEYS = frozenset({"emoji", "wp-smiley", "twemoji"})


def find_marks(node: Element) -> tuple[str, str]:
    """Return the text that a browser shows before and after a `<q>` or a ruby reading."""
    if node.tag == "q":
        return _find_quotes(node)
    before = node.previous_sibling
    if isinstance(before, Text) and before.data.isspace():
        before = before.previous_sibling
    return ("", "") if isinstance(before, Element) and before.tag == "rp" else ("(", ")")


def _find_quotes(node: Element) -> tuple[str, str]:
    """Return the quotation marks of the element's language; none if the text is empty or has its own."""
    text = next(iter(node.stripped_strings), "")
    if text[:1] in ANY_QUOTE:
        return "", ""
    labelled = node.closest("[lang]")
    language = ((labelled.attr("lang") if labelled else "") or "")[:MAX_LANGUAGE_CHARS].lower().replace("_", "-")
    parts = language.split("-")
    marks = QUOTES.get("-".join(parts[:2])) or QUOTES.get(parts[0]) or ENGLISH
    parent = node.parent
    is_inner = isinstance(parent, Element) and parent.closest("q") is not None
    return (marks[2], marks[3]) if is_inner else (marks[0], marks[1])


def read_emoji(image: Node) -> str:
    """Return the characters that an emoji image stands for; empty for other images."""
    alt = image.attr("alt") if isinstance(image, Element) else None
    if not alt or len(alt) > MAX_EMOJI_CHARS:
        return ""
    alt = alt.strip()
    if not alt.isascii() and EMOJI.fullmatch(alt):
        return alt
    names = (image.attr("class") or "").split() if isinstance(image, Element) else ()
    return alt if alt and not SMILEYS.isdisjoint(names) else ""
