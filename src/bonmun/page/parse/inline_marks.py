"""Text that browsers show without a text node: quotation marks of `<q>`, brackets of ruby, emoji, ticks in tables."""

from __future__ import annotations

import re
from itertools import islice
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
# Names of the icons in tables that compare features, in lower case.
ANSWERS = frozenset(
    "yes no true false y n x ✓ ✔ ✗ ✘ ○ × check checked tick cross available included supported ja nein oui non si sí "
    "sim não da nu tak nie evet hayır да нет так ні 예 아니오 아니요 가능 불가 있음 없음 지원 미지원 是 否 有 无 無 "
    "支持 不支持 はい いいえ あり なし 対応 非対応 可 不可 نعم لا".split()
)
CELLS = frozenset({"td", "th"})
MAX_BESIDE = 5  # nodes in a cell that are inspected
CELL_LEVELS = 3  # elements around an icon that may be its cell
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
    """Return the characters that an emoji image stands for, or the name of a tick in a table; empty for others."""
    alt = image.attr("alt") if isinstance(image, Element) else None
    if not alt or len(alt) > MAX_EMOJI_CHARS:
        return ""
    alt = alt.strip()
    if not alt.isascii() and EMOJI.fullmatch(alt):
        return alt
    names = (image.attr("class") or "").split() if isinstance(image, Element) else ()
    if alt and not SMILEYS.isdisjoint(names):
        return alt
    return alt if alt.lower() in ANSWERS and _is_in_cell(image) else ""


def _is_in_cell(node: Node) -> bool:
    """Return whether a node is in a table cell that contains nothing else."""
    for _ in range(CELL_LEVELS):
        above = node.parent
        if not isinstance(above, Element) or any(
            each is not node and (isinstance(each, Element) or each.text.strip()) for each in islice(above, MAX_BESIDE)
        ):
            return False
        if above.tag in CELLS:
            return True
        node = above
    return False
