"""Find code without a `<pre>`, and elements within code and headings that are no text.

Many pages put line numbers, copy buttons and language names among the code, and some highlighters build its lines from
boxes or table rows. `Code` finds the elements of a page that are treated differently for these reasons.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from turbohtml import Element, Text

from bonmun.page.code_tables import find_code_tables
from bonmun.page.formulas.markup_formulas import OMITTED
from bonmun.page.heading_controls import find_heading_controls
from bonmun.page.programming_languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Document as Tree
    from turbohtml import Node

    from bonmun.page.code_tables import CodeTable
    from bonmun.page.formulas.markup_formulas import Replacement

__all__ = ["Code", "find_code"]

# Elements that contain line numbers, if they contain nothing else and are beside code. CSS counters leave them empty.
GUTTER_SELECTOR = (
    ".gutter,.rouge-gutter,.linenos,.lineno,.linenodiv,.linenumber,.line-number,.line-numbers-rows,.line-no,.lnt,"
    ".lntd,.ln,.hljs-ln-numbers,.blob-num,.code-line-number,.react-syntax-highlighter-line-number,.crayon-num,"
    ".cm-gutterElement,.CodeMirror-gutter-wrapper,.ace_gutter-cell,.monaco-editor .line-numbers"
)
STYLED_GUTTER_SELECTOR = "pre [style*='user-select']"
# Controls within code: copy buttons, and the name of the language.
LINK_CONTROLS = "pre a[role=button]"
BUTTON_CONTROLS = (
    "pre button,figure button,.highlight button,.code-toolbar button,.sourceCode button,[class*='language-'] button,"
    "[class*='code-block'] button,[class*='codeBlock'] button,button[class*='copybtn']"
)
NAMED_CONTROLS = "pre [class*='copy-b'],pre [class*='copybtn'],[class*='language-'] > .lang,[class*='code-block'] .lang"
# Elements that contain code without a <pre>: editors, and highlighters that build lines from boxes or table rows.
CODE_BOXES = (
    ".syntaxhighlighter td.code,.syntaxhighlighter > .lines,.cm-content,.CodeMirror-code,.ace_text-layer,.view-lines,"
    ".crayon-pre,table.js-file-line-container,table.hljs-ln"
)
CLASS = re.compile(r"\.([\w-]+)")  # in a selector
BOX_NAMES, GUTTER_NAMES = (frozenset(CLASS.findall(selector.lower())) for selector in (CODE_BOXES, GUTTER_SELECTOR))
CONTROL_PARTS = ("copy-b", "copybtn")  # of class names of controls; others are called "lang"
BLOCK_CODE = "code[style*='white-space'],code.block"  # <code> that is displayed as a block
ANY_CODE = f"pre,code,.code,.highlight,{CODE_BOXES}"
# A page with code has one of these. Each has one tag, since the parser indexes tags; the fastest come first.
CODE_SELECTORS = ("pre", "code", "table.js-file-line-container")
EDITOR = "div:is(.cm-content,.ace_text-layer,.view-lines,.crayon-pre)"
# A box of code whose class names its language; most contain a <pre>.
LANGUAGE_BOX = "div[class*='language-']"
CODE_DIV = "div:is(.cm-content,.ace_text-layer,.view-lines,.crayon-pre,[class*='language-'])"  # one of both
AROUND_CODE = f"{ANY_CODE},table,figure,.syntaxhighlighter,.cm-editor,.CodeMirror,.ace_editor,.monaco-editor"
MAX_LEVELS = 12  # ancestors of a line number that are searched for code
MAX_STYLE_CHARS = 300  # characters read of a style attribute
# Elements that look like gutters but are not may be nested, so the characters read from them are limited: a base, plus
# a multiple of the characters of the page.
BASE_WASTED_CHARS, MAX_WASTED_RATIO = 100_000, 2
MIN_WASTED_CHARS = 100  # the least that one such element counts as
NODE_CHARS = 10  # what a node counts as, besides its characters

MAX_INSPECTED = 300  # <pre> elements of a page, and elements of each, that are searched for line numbers
MIN_LINES = 3  # line numbers
LINE_NUMBER = re.compile("[0-9]{1,5}")
NAME = re.compile("[A-Za-z][A-Za-z0-9_-]{1,60}")
MAX_CLASS_CHARS = 300  # characters read of a class attribute
# Classes that highlighters give to numbers in the code.
NUMBER_CLASSES = frozenset(
    "m mi mf mh mo mb il number hljs-number pl-c1 token constant literal lit dv fl nu0 nu s".split()
)


# Elements before code that may be its label. Headings, paragraphs and list items are text.
LABEL_TAGS = frozenset("div span header figcaption small".split())
MAX_LABEL_CHARS = 20
MAX_TAB_LEVELS = 4  # boxes around code that are searched for tabs before them
MAX_LABEL_TEXTS = 4  # the language, and the labels of buttons
COPY_LABELS = frozenset({"copy", "copy code", "copied", "copied!", "copy to clipboard"})
LANGUAGE_PREFIX = re.compile(r"\b(?:language|lang|brush|highlight|highlight-source)[-:]\s?")
# Names that readers see, and the names that classes have.
LANGUAGE_NAMES = {
    "javascript": "js",
    "js": "javascript",
    "typescript": "ts",
    "python": "py",
    "shell": "sh",
    "bash": "sh",
    "sh": "bash",
    "c++": "cpp",
    "c#": "csharp",
    "yaml": "yml",
    "markdown": "md",
    "ruby": "rb",
    "rust": "rs",
    "kotlin": "kt",
    "golang": "go",
}


class Code:
    """The elements of a page that are treated differently because they contain code or are part of it."""

    def __init__(self, tree: Tree, html: str, tables: list[CodeTable], controls: list[Element]) -> None:
        # selecting by class is slow, so a selector is only used if one of its classes occurs on the page
        classes = {node.attr("class") or "" for node in tree.select("[class]")}
        joined = " ".join(classes).lower()
        names = frozenset(joined.split())
        self.boxes = set(tree.select(f"{CODE_BOXES},{BLOCK_CODE}" if names & BOX_NAMES else BLOCK_CODE))
        self.controls = {*controls, *tree.select(LINK_CONTROLS)}
        self.controls.update(tree.select(BUTTON_CONTROLS) if tree.find("button") is not None else ())
        has_controls = "lang" in names or any(map(joined.__contains__, CONTROL_PARTS))
        self.controls.update(tree.select(NAMED_CONTROLS) if has_controls else ())
        self.controls.update(_find_language_labels(tree))
        self.boxes.update(_find_language_boxes(tree) if "language-" in joined else ())
        for table in tables:
            self.controls.update(table.others)
            self.boxes.update(() if table.lines is None else (table.lines,))
        self.gutters = set(tree.select(STYLED_GUTTER_SELECTOR)).union(*_find_line_numbers(tree))
        self.gutters.update(tree.select(GUTTER_SELECTOR) if names & GUTTER_NAMES else ())
        self.elements = self.boxes | self.controls | self.gutters
        self.around = set(tree.select(AROUND_CODE) if self.gutters else ())
        self.holding = _find_holding(tree) if self.gutters else set()
        self.wasted_chars_left = BASE_WASTED_CHARS + MAX_WASTED_RATIO * len(html)

    def read(self, element: Element) -> Replacement | None:
        """Return an empty replacement for a control, or for an element with nothing but line numbers; else None."""
        if element in self.controls:
            return OMITTED
        if element in self.gutters and self.wasted_chars_left > 0:
            read = 0
            for node in element.descendants:
                read += NODE_CHARS
                if isinstance(node, Text):
                    read += len(node.data)
                    text = "".join(node.data.split())
                    if text and not text.isdecimal():
                        break
            else:
                if self.is_among_code(element):
                    return OMITTED
            self.wasted_chars_left -= max(read, MIN_WASTED_CHARS)
        return None

    def is_among_code(self, element: Element) -> bool:
        """Return whether an element is inside or beside code."""
        above = islice(element.ancestors, MAX_LEVELS)
        return next((each for each in above if each in self.around), None) in self.holding

    def is_code(self, element: Element) -> bool:
        """Return whether an element outside any <pre> contains code."""
        if element not in self.boxes or element.closest("pre") is not None:
            return False
        style = (element.attr("style") or "")[:MAX_STYLE_CHARS].replace(" ", "")
        return element.tag != "code" or not style or "white-space:pre" in style


def _find_holding(tree: Tree) -> set[Node]:
    """Return the elements that are or contain code."""
    found: set[Node] = set()
    for element in tree.select(ANY_CODE):
        found.add(element)
        for above in element.ancestors:
            if above in found:
                break
            found.add(above)
    return found


def _find_language_labels(tree: Tree) -> Iterator[Element]:
    """Yield the elements directly before a <pre> that say nothing but the language that its class or box declares.

    The tabs directly before code are such elements, too: "npm", "yarn".
    """
    for pre in islice(tree.find_all("pre"), MAX_INSPECTED):
        if tabs := _find_tabs(pre):
            yield tabs
        label, box = _find_sibling_before(pre), pre
        if label is None and isinstance(pre.parent, Element):  # the first in its box
            box = pre.parent
            label = _find_sibling_before(box)
        if label is None or label.tag not in LABEL_TAGS:
            continue
        texts = [*islice(label.stripped_strings, MAX_LABEL_TEXTS)]
        name = texts[0].lower() if texts and len(texts[0]) <= MAX_LABEL_CHARS else ""
        others = [text.lower() for text in texts[1:]]
        if name and len(texts) < MAX_LABEL_TEXTS and COPY_LABELS.issuperset(others) and _declares(pre, box, name):
            yield label


def _find_tabs(pre: Element) -> Element | None:
    """Return the list of tabs directly before the box of a <pre>."""
    for box in islice((pre, *pre.ancestors), MAX_TAB_LEVELS):
        before = _find_sibling_before(box) if isinstance(box, Element) else None
        if before is not None:
            return before if before.attr("role") == "tablist" else None
    return None


def _find_sibling_before(element: Element) -> Element | None:
    """Return the element directly before an element, with nothing but white space between them."""
    before = element.previous_sibling
    if isinstance(before, Text) and not before.data.strip():
        before = before.previous_sibling
    return before if isinstance(before, Element) else None


def _declares(pre: Element, box: Element, name: str) -> bool:
    """Return whether the class or the data of a <pre>, of the <code> in it or of its box has the name of a language."""
    code = pre.find("code")
    names = {name, LANGUAGE_NAMES.get(name, name)}
    for element in (pre, code, box):
        if element is None:
            continue
        for attribute in ("class", "data-lang", "data-language"):
            words = LANGUAGE_PREFIX.sub(" ", (element.attr(attribute) or "")[:MAX_CLASS_CHARS].lower()).split()
            if not names.isdisjoint(words):
                return True
    return False


def _find_line_numbers(tree: Tree) -> Iterator[list[Element]]:
    """Yield the elements that number the lines of a <pre>, whatever their class."""
    for pre in islice(tree.find_all("pre"), MAX_INSPECTED):
        if isinstance(pre.parent, Element) and pre.parent.closest("pre") is not None:  # it is part of another one
            continue
        if not next(iter(pre.stripped_strings), "")[:1].isdecimal():
            continue
        selectors = dict.fromkeys(filter(None, map(_make_number_selector, islice(pre.iter_elements(), MAX_INSPECTED))))
        for selector in islice(selectors, MIN_LINES):
            elements = pre.select(selector)
            texts = [element.text.strip() for element in elements if len(element.children) == 1]
            if not MIN_LINES <= len(texts) == len(elements) or not LINE_NUMBER.fullmatch(texts[0]):
                continue
            first = int(texts[0])
            if texts == [str(number) for number in range(first, first + len(texts))] and all(
                map(_starts_line, elements)
            ):
                yield elements


def _make_number_selector(element: Element) -> str | None:
    """Return a selector for an element that contains only a number, and for others like it; None for other elements."""
    text = element.text.strip() if len(element.children) == 1 and isinstance(element.children[0], Text) else ""
    if not LINE_NUMBER.fullmatch(text):
        return None
    names = (element.attr("class") or "")[:MAX_CLASS_CHARS].split()
    if not NUMBER_CLASSES.isdisjoint(names):
        return None
    return next((f"{element.tag}.{name}" for name in names if NAME.fullmatch(name)), None)


def _starts_line(element: Element) -> bool:
    """Return whether an element is at the start of a line: it is the first node, or follows a line break."""
    before = element.previous_sibling
    return before is None or (isinstance(before, Text) and before.data.rstrip(" \t").endswith("\n"))


def _find_language_boxes(tree: Tree) -> Iterator[Element]:
    """Yield the boxes named after a programming language that contain lines of text, but no blocks."""
    for box in islice(tree.select(LANGUAGE_BOX), MAX_INSPECTED):
        words = LANGUAGE_PREFIX.sub(" ", (box.attr("class") or "")[:MAX_CLASS_CHARS].lower()).split()
        inside = [*islice(box.descendants, MAX_INSPECTED)]
        has_lines = any(isinstance(node, Text) and "\n" in node.data.strip() for node in inside)
        if has_lines and not LANGUAGES.isdisjoint(words) and all(_is_inline(node) for node in inside):
            yield box


def _is_inline(node: Node) -> bool:
    """Return whether a node is text, or an element of a highlighter."""
    return not isinstance(node, Element) or node.tag in ("span", "b", "i", "em", "br")


def find_code(tree: Tree, html: str) -> Code | None:
    """Return the elements that need special treatment; None for most pages, which have no such elements."""
    tables, controls = find_code_tables(tree), find_heading_controls(tree, html)
    has_code = tables or controls or any(tree.select_one(selector) is not None for selector in CODE_SELECTORS)
    if not has_code and tree.select_one(CODE_DIV) is not None:
        # the selector is faster than the search, which is needed on few pages
        has_code = tree.select_one(EDITOR) is not None or "language-" in html
    code = Code(tree, html, tables, controls) if has_code else None
    return code if code and code.elements else None
