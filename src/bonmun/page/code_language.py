"""The programming language of a code block, as declared in the markup."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import list_around
from bonmun.page.parse.element_bits import PRE
from bonmun.page.programming_languages import LANGUAGES

if TYPE_CHECKING:
    from bonmun.page.page import Page

__all__ = ["find_language"]

NO_LANGUAGE = frozenset("text plain plaintext none nohighlight default txt auto source notranslate".split())
# Codes that also stand for natural languages: Czech, Polish, Serbo-Croatian, Tsonga.
NATURAL_LANGUAGES = frozenset("cs pl sh ts".split())
ONLY_PROGRAMMING = LANGUAGES - NATURAL_LANGUAGES

# The language is declared in an attribute, in a class with a prefix, or beside the class of a highlighter.
ATTRIBUTES = ("data-lang", "data-language", "data-enlighter-language")
PREFIXED = re.compile(
    r"(?:^|(?<=\s))(?:mw-highlight-)?"
    r"(?:(language|lang|brush)[-:]\s?|(?:highlight-source-|highlight-text-|highlight-|src-|sh_))([\w+#.-]+)"
)
CODE_CLASSES = frozenset("hljs highlight sourcecode prettyprint hl code codehilite prism shiki chroma".split())
SURE_CLASSES = CODE_CLASSES | {"highlighter-rouge"}
CODE_TAGS = ("code", "pre")
MAX_LEVELS = 12  # elements that are searched, starting with the one that contains the code
END_TAGS = frozenset({"article", "section", "main", "body", "li"})  # the search ends at these
MAX_CLASS_CHARS = 300  # characters read of a class attribute
MAX_LANGUAGE_CHARS = 20
MAX_PLAIN_CLASSES = 2  # classes of an element that names its language but no highlighter


def find_language(page: Page, element: int) -> str:
    """Return the programming language of the code in an element; empty if it is not declared."""
    for row in list_around(page.parents, element, MAX_LEVELS):
        if page.tags[row] in END_TAGS and not page.bits[row] & PRE:
            break
        found = _read_attributes(page, row) or _read_class(page, row)
        if found:
            return "" if found in NO_LANGUAGE else found
    return ""


def _read_attributes(page: Page, row: int) -> str | None:
    for name in ATTRIBUTES:
        declared = (page.attr(row, name) or "")[: MAX_LANGUAGE_CHARS + 1].strip().lower()
        if declared and len(declared) <= MAX_LANGUAGE_CHARS and len(declared.split()) == 1:
            return declared
    if page.tags[row] in CODE_TAGS:
        declared = (page.attr(row, "lang") or "")[: MAX_LANGUAGE_CHARS + 1].lower()
        return declared if declared in ONLY_PROGRAMMING else None
    return None


def _read_class(page: Page, row: int) -> str | None:
    """Return the language that a class declares, possibly one of NO_LANGUAGE; None if it declares none."""
    names = (page.attr(row, "class") or "")[:MAX_CLASS_CHARS].lower()
    if not names:
        return None
    words = names.split()
    is_code = page.tags[row] in CODE_TAGS
    has_highlighter = not CODE_CLASSES.isdisjoint(words)
    is_sure = is_code or not SURE_CLASSES.isdisjoint(words)
    for found in PREFIXED.finditer(names):
        prefix, word = found[1], found[2]
        known = next((each for each in (word, word.partition("-")[0]) if each in LANGUAGES), None)
        if word in NO_LANGUAGE or (prefix and is_sure and len(word) <= MAX_LANGUAGE_CHARS):
            return word
        if known and (is_code or prefix != "lang" or known not in NATURAL_LANGUAGES):
            return known
    if has_highlighter or (is_code and len(words) <= MAX_PLAIN_CLASSES):
        return next((word for word in words if word in LANGUAGES), None)
    return None
