"""Markdown: CommonMark with GFM tables, read back by any reader as the same text."""

from __future__ import annotations

import re
import unicodedata
from copy import deepcopy
from typing import TYPE_CHECKING

from turbohtml import Element, Markdown, Text

if TYPE_CHECKING:
    from bonmun.outputs.writable import Writable

__all__ = ["write"]

MARKDOWN_STYLE = Markdown(tables=Markdown.Tables(header="first", cell_blocks="html"))
# Emphasis goes through turbohtml as pairs of noncharacters, which no page's text holds, and is written afterwards:
# turbohtml writes HTML wherever a mark touches a letter, as nearly all Korean emphasis does (`**본문**은`).
# (Where it does, version 1.15.4 loses letters.) Markdown has no mark for <sub> and <sup>, which so are always HTML:
# 10<sup>6</sup> is not 106.
MARKS = {
    "strong": ("\ufdd0", "\ufdd1", "**"),
    "em": ("\ufdd2", "\ufdd3", "*"),
    "del": ("\ufdd4", "\ufdd5", "~~"),
    "sub": ("\ufdd6", "\ufdd7", ""),
    "sup": ("\ufdd8", "\ufdd9", ""),
}
OPENING = {opening: (tag, mark) for tag, (opening, _, mark) in MARKS.items()}
CLOSING = {closing: (tag, mark) for tag, (_, closing, mark) in MARKS.items()}
MARKED = re.compile("[\ufdd0-\ufdd9]")
# Formulas go through turbohtml as their numbers.
FORMULA = re.compile("\ufdda([0-9]{1,9})\ufddb")
PLACES = re.compile("[\ufdd0-\ufdd9]|\n")
# A table that pipes cannot write is HTML, all on one line, and so is emphasis in it.
RAW_TABLE = re.compile(r"[ >]*+(?:(?:[-*+]|[0-9]{1,9}[.)]) ++)*+<table>")


def write(doc: Writable) -> str:
    """Write the kept tree."""
    tree = deepcopy(doc.tree)
    formulas = [_write_formula(formula) for formula in tree.find_all("math")]
    for number, formula in enumerate(list(tree.find_all("math"))):
        formula.replace_with(Text(f"\ufdda{number}\ufddb"))
    for tag, (opening, closing, _) in MARKS.items():
        for element in tree.find_all(tag):
            element.insert(0, Text(opening))
            element.append(Text(closing))
    tree.strip_tags(",".join(MARKS))
    tree.normalize()
    markdown = _write_emphasis(tree.to_markdown(MARKDOWN_STYLE))
    return FORMULA.sub(lambda found: formulas[int(found[1])], markdown) if formulas else markdown


def _write_formula(formula: Element) -> str:
    marks = "$$" if formula.attr("display") else "$"
    is_in_table = any(isinstance(each, Element) and each.tag == "table" for each in formula.ancestors)
    return marks + (formula.text.replace("|", r"\|") if is_in_table else formula.text) + marks


def _write_emphasis(markdown: str) -> str:
    """Write the pairs as marks where CommonMark reads them as emphasis, else as HTML."""
    if not MARKED.search(markdown):
        return markdown
    pieces: list[str] = []
    opened: list[tuple[int, bool]] = []  # the pieces of emphasis that is open, and whether marks do for its opening
    at = 0
    raw = RAW_TABLE.match(markdown) is not None
    for found in PLACES.finditer(markdown):
        pieces.append(markdown[at : found.start()])
        at = found.end()
        place = found[0]
        if place in OPENING:
            opened.append((len(pieces), not raw and _can_mark(markdown, found.start(), OPENING)))
            pieces.append(place)
        elif place in CLOSING:
            tag, mark = CLOSING[place]
            start, fits = opened.pop()
            fits = bool(mark) and fits and _can_mark(markdown, found.start(), CLOSING)
            pieces[start] = mark if fits else f"<{tag}>"
            pieces.append(mark if fits else f"</{tag}>")
        else:
            pieces.append(place)
            raw = RAW_TABLE.match(markdown, at) is not None
    return "".join(pieces) + markdown[at:]


def _can_mark(markdown: str, at: int, alike: dict[str, tuple[str, str]]) -> bool:
    """Whether a mark would open (or close) emphasis at a place.

    Not between a letter outside and punctuation inside; several marks in a row only at the edge of a word; and not
    where one emphasis ends and another begins.
    """
    first = last = at
    while first > 0 and markdown[first - 1] in alike:
        first -= 1
    while markdown[last + 1 : last + 2] in alike:
        last += 1
    before, after = markdown[max(0, first - 1) : first] or " ", markdown[last + 1 : last + 2] or " "
    inside, outside = (after, before) if alike is OPENING else (before, after)
    if inside.isspace() or MARKED.match(inside) or MARKED.match(outside):
        return False
    if first < last:
        return outside.isspace() and not _is_punctuation(inside)
    return not _is_punctuation(inside) or outside.isspace() or _is_punctuation(outside)


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"
