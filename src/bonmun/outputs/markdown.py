"""Markdown: CommonMark with GFM tables, read back by any reader as the same text."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from turbohtml import Markdown, Text

from bonmun.outputs.tree import kept_tree

if TYPE_CHECKING:
    from bonmun.document import Document

__all__ = ["write"]

STYLE = Markdown(tables=Markdown.Tables(header="first", cell_blocks="html"))
# Emphasis goes through turbohtml as pairs of noncharacters, which no page's text holds, and is written afterwards:
# turbohtml writes HTML wherever a mark touches a letter, as nearly all Korean emphasis does (`**본문**은`).
MARKS = {"strong": ("\ufdd0", "\ufdd1", "**"), "em": ("\ufdd2", "\ufdd3", "*")}
OPENING = {opening: (tag, mark) for tag, (opening, _, mark) in MARKS.items()}
CLOSING = {closing: (tag, mark) for tag, (_, closing, mark) in MARKS.items()}
PLACES = re.compile("[\ufdd0-\ufdd3]|</?table")


def write(doc: Document) -> str:
    """Write the kept tree."""
    tree = kept_tree(doc)
    for tag, (opening, closing, _) in MARKS.items():
        for element in tree.find_all(tag):
            element.insert(0, Text(opening))
            element.append(Text(closing))
    tree.strip_tags("strong,em,sub,sup")  # Markdown has no sub and sup
    tree.normalize()
    return _with_emphasis(tree.to_markdown(STYLE))


def _with_emphasis(markdown: str) -> str:
    """Write the pairs as marks where CommonMark reads them as emphasis, else as HTML."""
    pieces: list[str] = []
    opened: list[tuple[int, bool]] = []  # the pieces of emphasis that is open, and whether marks do for its opening
    at = 0
    raw_tables = 0  # a table that pipes cannot write is HTML, and so is all in it
    for found in PLACES.finditer(markdown):
        pieces.append(markdown[at : found.start()])
        at = found.end()
        place = found[0]
        before, after = markdown[max(0, found.start() - 1) : found.start()], markdown[at : at + 1]
        if place in OPENING:
            opened.append((len(pieces), not raw_tables and _flanks(after, before)))
            pieces.append(place)
        elif place in CLOSING:
            tag, mark = CLOSING[place]
            start, fits = opened.pop()
            fits = fits and _flanks(before, after)
            pieces[start] = mark if fits else f"<{tag}>"
            pieces.append(mark if fits else f"</{tag}>")
        else:
            raw_tables += -1 if place.startswith("</") else 1
            pieces.append(place)
    return "".join(pieces) + markdown[at:]


def _flanks(inside: str, outside: str) -> bool:
    """Whether a mark between the two characters opens or closes emphasis.

    It does not between a letter outside and punctuation inside, and next to other emphasis it might be misread.
    """
    if not inside or inside.isspace() or PLACES.match(inside) or (outside and PLACES.match(outside)):
        return False
    return not _is_punctuation(inside) or not outside or outside.isspace() or _is_punctuation(outside)


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"
