"""Code as makers lay it out: what among it is no code, and what is code without a `<pre>`.

Numbers of lines, buttons to copy and names of languages stand among the code on many pages, and some makers build its
lines of boxes or rows of a table. `Code` knows the elements of one page that are read otherwise.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from turbohtml import Element, Text

from bonmun.page.formulas.markup_formulas import OMITTED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Document as Tree

    from bonmun.page.formulas.markup_formulas import Replacement

__all__ = ["Code", "find_code"]

# What holds numbers of lines, if there is nothing else in it, and code beside it; numbers made by style leave it empty.
GUTTERS = (
    ".gutter,.rouge-gutter,.linenos,.lineno,.linenodiv,.linenumber,.line-number,.line-numbers-rows,.line-no,.lnt,"
    ".lntd,.ln,.hljs-ln-numbers,.blob-num,.code-line-number,.react-syntax-highlighter-line-number,.crayon-num,"
    ".cm-gutterElement,.CodeMirror-gutter-wrapper,.ace_gutter-cell,.monaco-editor .line-numbers"
)
STYLED_GUTTERS = "pre [style*='user-select']"
# What helps readers with the code and is none: buttons, and the language over it.
LINK_AIDS = "pre a[role=button]"
BUTTON_AIDS = (
    "pre button,figure button,.highlight button,.code-toolbar button,.sourceCode button,[class*='language-'] button,"
    "[class*='code-block'] button,[class*='codeBlock'] button"
)
NAMED_AIDS = "pre [class*='copy-b'],pre [class*='copybtn'],[class*='language-'] > .lang,[class*='code-block'] .lang"
# What holds code without a <pre>: editors, and highlighters that build lines of boxes or of rows of a table.
BOXES = (
    ".syntaxhighlighter td.code,.syntaxhighlighter > .lines,.cm-content,.CodeMirror-code,.ace_text-layer,.view-lines,"
    ".crayon-pre,table.js-file-line-container,table.hljs-ln"
)
CLASS = re.compile(r"\.([\w-]+)")  # in a selector
BOX_NAMES, GUTTER_NAMES = (frozenset(CLASS.findall(selector.lower())) for selector in (BOXES, GUTTERS))
AID_NAME = re.compile(r"copy-b|copybtn|\Alang\Z")
SINGLE = "code[style*='white-space'],code.block"  # <code> that is shown as a block
ANY_CODE = f"pre,code,.code,.highlight,{BOXES}"
# What says that there is code on a page. Each has one tag, for which the parser has a list: the quickest stand first.
SIGNS = (
    "pre",
    "code",
    "table.js-file-line-container",
    "div:is(.cm-content,.ace_text-layer,.view-lines,.crayon-pre)",
)
AROUND_CODE = f"{ANY_CODE},table,figure,.syntaxhighlighter,.cm-editor,.CodeMirror,.ace_editor,.monaco-editor"
LEVELS = 12  # elements above a number that are looked at for code
STYLE_CHARS = 300  # of a style that are read
# How much may be read in vain of elements that seem to be gutters and are none: they may hold one another.
VAIN_CHARS = 1_000_000
VAIN_CHARS_EACH = 1_000  # what one of them counts as, at least

MOST_LOOKED_AT = 300  # <pre>s of a page, and elements of one, in which counting is looked for
LEAST_LINES = 3  # that are counted
LINE_NUMBER = re.compile("[0-9]{1,5}")
NAME = re.compile("[A-Za-z][A-Za-z0-9_-]{1,60}")
NAME_CHARS = 300  # of a class that are read
# What highlighters call the numbers that are code.
NUMBERS = frozenset("m mi mf mh mo mb il number hljs-number pl-c1 token constant literal lit dv fl nu0 nu s".split())


class Code:
    """The elements of a page that are read otherwise since they stand among code."""

    def __init__(self, tree: Tree) -> None:
        # asking for a class takes long, so it is only asked for where it is
        classes = {node.attr("class") or "" for node in tree.select("[class]")}
        names = frozenset(" ".join(classes).lower().split())
        self.boxes = set(tree.select(f"{BOXES},{SINGLE}" if names & BOX_NAMES else SINGLE))
        self.aids = set(tree.select(LINK_AIDS))
        self.aids.update(tree.select(BUTTON_AIDS) if tree.find("button") is not None else ())
        self.aids.update(tree.select(NAMED_AIDS) if any(map(AID_NAME.search, names)) else ())
        self.gutters = set(tree.select(STYLED_GUTTERS)).union(*_find_counting(tree))
        self.gutters.update(tree.select(GUTTERS) if names & GUTTER_NAMES else ())
        self.elements = self.boxes | self.aids | self.gutters
        self.around = set(tree.select(AROUND_CODE) if self.gutters else ())
        self.rest = VAIN_CHARS
        self.holds_code: dict[Element, bool] = {}  # those around gutters

    def read(self, element: Element) -> Replacement | None:
        """What stands in an element's place: nothing for a button to copy, or what holds numbers of lines alone."""
        if element in self.aids:
            return OMITTED
        if element in self.gutters and self.rest > 0:
            read = 0
            for text in element.stripped_strings:
                read += len(text)
                if not "".join(text.split()).isdecimal():
                    break
            else:
                if self.is_among_code(element):
                    return OMITTED
            self.rest -= max(read, VAIN_CHARS_EACH)
        return None

    def is_among_code(self, element: Element) -> bool:
        """Whether an element stands in, or beside, code."""
        above = islice(element.ancestors, LEVELS)
        around = next((each for each in above if isinstance(each, Element) and each in self.around), None)
        if around is None:
            return False
        if around not in self.holds_code:
            self.holds_code[around] = around.matches(ANY_CODE) or around.select_one(ANY_CODE) is not None
        return self.holds_code[around]

    def is_code(self, element: Element) -> bool:
        """Whether an element holds code, though it is no <pre>, nor stands in one."""
        if element not in self.boxes or element.closest("pre") is not None:
            return False
        style = (element.attr("style") or "")[:STYLE_CHARS].replace(" ", "")
        return element.tag != "code" or not style or "white-space:pre" in style


def _find_counting(tree: Tree) -> Iterator[list[Element]]:
    """The elements that count the lines of a <pre>, whatever their maker calls them."""
    for pre in islice(tree.find_all("pre"), MOST_LOOKED_AT):
        if not next(iter(pre.stripped_strings), "")[:1].isdecimal():
            continue
        selectors = dict.fromkeys(filter(None, map(_select_number, islice(pre.iter_elements(), MOST_LOOKED_AT))))
        for selector in islice(selectors, LEAST_LINES):
            elements = pre.select(selector)
            texts = [element.text.strip() for element in elements if len(element.children) == 1]
            if not LEAST_LINES <= len(texts) == len(elements) or not LINE_NUMBER.fullmatch(texts[0]):
                continue
            first = int(texts[0])
            if texts == [str(number) for number in range(first, first + len(texts))] and all(
                map(_starts_line, elements)
            ):
                yield elements


def _select_number(element: Element) -> str | None:
    """What selects an element that holds a number alone, and its like; None for any other."""
    text = element.text.strip() if len(element.children) == 1 and isinstance(element.children[0], Text) else ""
    if not LINE_NUMBER.fullmatch(text):
        return None
    names = (element.attr("class") or "")[:NAME_CHARS].split()
    if not NUMBERS.isdisjoint(names):
        return None
    return next((f"{element.tag}.{name}" for name in names if NAME.fullmatch(name)), None)


def _starts_line(element: Element) -> bool:
    """Whether an element is the first in a line: in what holds it, or after a line break."""
    before = element.previous_sibling
    return before is None or (isinstance(before, Text) and before.data.rstrip(" \t").endswith("\n"))


def find_code(tree: Tree) -> Code | None:
    """What knows the elements that are read otherwise; None for a page without any, which most are."""
    code = Code(tree) if any(tree.select_one(sign) is not None for sign in SIGNS) else None
    return code if code and code.elements else None
