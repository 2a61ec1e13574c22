"""Code as makers lay it out: what of it is no code, what is code without a `<pre>`, and in which language it is.

Numbers of lines and buttons to copy stand among the code on many pages, and some makers build its lines of boxes or
rows of a table. `Code` knows the elements of one page that are read otherwise; `find_language` reads what a maker has
written down.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from bonmun.page.formula_makers import COPY
from bonmun.page.walk import climb

if TYPE_CHECKING:
    from turbohtml import Document as Tree
    from turbohtml import Element

    from bonmun.page.formula_makers import Reading
    from bonmun.page.page import Page

__all__ = ["Code", "find_code", "find_language"]

# What holds numbers of lines, if there is nothing but numbers in it.
GUTTERS = (
    ".gutter,.rouge-gutter,.linenos,.lineno,.linenodiv,.linenumber,.line-number,.line-numbers-rows,.line-no,.lnt,"
    ".lntd,.ln,.hljs-ln-numbers,.blob-num,.code-line-number,.react-syntax-highlighter-line-number,.crayon-nums,"
    "pre [style*='user-select']"
)
BUTTONS = "pre button,figure button,.highlight button,.code-toolbar button"
# What holds code without a <pre>: editors, and highlighters that build lines of boxes or of rows of a table.
EDITORS = (
    ".syntaxhighlighter td.code,.syntaxhighlighter > .lines,.cm-content,.CodeMirror-code,.ace_text-layer,.view-lines,"
    "table.js-file-line-container,table.hljs-ln,code[style*='white-space'],code.block"
)
AROUND_CODE = "pre,code,table,figure,.highlight,.code,.syntaxhighlighter"
MOST_FAILURES = 200  # elements that seem to be gutters, hold others, and are none

MOST_LOOKED_AT = 300  # <pre>s of a page, and elements of one, in which counting is looked for
START_CHARS = 100  # of a <pre> among which its first number stands
LEAST_LINES = 3  # that are counted
LINE_DIGITS = 6
NAME = re.compile("[A-Za-z][A-Za-z0-9_-]{1,60}")

# How the language is written down: a class with a prefix, or beside the class of a highlighter.
PREFIXED = re.compile(
    r"(?:^|(?<=\s))(?:(language|lang|highlight-source|highlight-text|highlight)-|(brush):\s?)([\w+#.]+)"
)
SURE_PREFIXES = ("language", "lang")
LANGUAGE_CHARS = 20
LANGUAGES = frozenset(
    "ada apache applescript arduino asm assembly awk bash basic batch bat c c# c++ cc clojure clj cmake cobol coffee "
    "coffeescript console cpp crystal cs csharp css cuda d dart delphi diff docker dockerfile dos elixir elm erlang "
    "fish fortran fsharp gherkin glsl go golang graphql groovy haskell hcl hlsl hs html http ini java javascript jinja "
    "js json json5 jsonc jsx julia kotlin kt latex lean less lisp llvm lua make makefile markdown md matlab mermaid "
    "mysql nasm nginx nim nix objc objective-c objectivec ocaml octave pascal patch perl php pl plsql postgres "
    "powershell prolog properties proto protobuf ps1 puppet py python python3 pycon qml r racket rb regex rest rs rst "
    "ruby rust sas sass scala scheme scss sh shell shell-session sml solidity sparql sql stata svelte swift systemd "
    "tcl terraform tex toml ts tsx typescript vb vbnet verilog vhdl vim vue wasm xml xquery yaml yml zig zsh".split()
)
# Classes of highlighters, beside which a language may stand.
CODE_CLASSES = frozenset("hljs highlight sourcecode prettyprint hl code codehilite prism shiki chroma".split())
NO_LANGUAGE = frozenset("text plain plaintext none nohighlight default txt auto source notranslate".split())
LEVELS = 9  # elements around code, with its own, in which its language is looked for
CLASS_CHARS = 300  # of a class that are read
MOST_PLAIN_NAMES = 2  # of code that names its language and no highlighter
ENDS = frozenset({"article", "section", "main", "body", "li"})  # what is around them says nothing of the code


class Code:
    """The elements of a page that are read otherwise since they stand among code."""

    def __init__(self, tree: Tree) -> None:
        gutters = ",".join([GUTTERS, *_find_counting(tree)])
        self.selector = f"{gutters},{BUTTONS},{EDITORS}"
        self.editors = set(tree.select(EDITORS))
        self.buttons = set(tree.select(BUTTONS))
        self.gutters = set(tree.select(gutters))
        self.failures = 0

    def read(self, element: Element) -> Reading | None:
        """What stands in an element's place: nothing for a button to copy, or what holds numbers of lines alone."""
        if element in self.buttons:
            return COPY
        if element not in self.gutters or self.failures > MOST_FAILURES:
            return None
        text = "".join(element.text.split())
        if text.isdecimal() and element.closest(AROUND_CODE) is not None:
            return COPY
        self.failures += 1
        return None

    def is_code(self, element: Element) -> bool:
        """Whether an element holds code, though it is no <pre>, nor stands in one."""
        if element not in self.editors or element.closest("pre") is not None:
            return False
        style = (element.attr("style") or "")[:CLASS_CHARS].replace(" ", "")
        return not element.attr("style") or "white-space:pre" in style or element.tag != "code"


def _find_counting(tree: Tree) -> set[str]:
    """Selectors of the elements in a <pre> that count its lines from the first on, whatever they are called."""
    found: set[str] = set()
    for pre in islice(tree.find_all("pre"), MOST_LOOKED_AT):
        text = pre.text[:START_CHARS].lstrip()
        if not text or not text[0].isdecimal():
            continue
        counts: dict[str, int] = {}  # by selector, the number that comes next
        for element in islice(pre.select("[class]"), MOST_LOOKED_AT):
            name = next((name for name in (element.attr("class") or "").split() if NAME.fullmatch(name)), "")
            text = element.text.strip() if name and len(element.children) == 1 else ""
            selector = f"pre {element.tag}.{name}"
            if text.isdecimal() and len(text) < LINE_DIGITS and counts.get(selector, int(text)) == int(text):
                counts[selector] = int(text) + 1
        found |= {selector for selector, following in counts.items() if following > LEAST_LINES}
    return found


def find_code(tree: Tree) -> Code | None:
    """What knows the code of a page; None for a page without any, which most are."""
    has_code = tree.find("pre") or tree.find("code") or tree.select_one(".syntaxhighlighter,.cm-content")
    return Code(tree) if has_code else None


def find_language(page: Page, element: int) -> str:
    """The programming language of the code in an element, as its maker has written it down; empty if nobody has."""
    for row in islice(climb(page.parents, element), LEVELS):
        for name in ("data-lang", "data-language"):
            given = (page.attr(row, name) or "").strip().lower()
            if given and len(given) <= LANGUAGE_CHARS and len(given.split()) == 1:
                return "" if given in NO_LANGUAGE else given
        names = (page.attr(row, "class") or "")[:CLASS_CHARS]
        if not names:
            continue
        names = names.lower()
        for prefix, brush, word in PREFIXED.findall(names):
            if word in LANGUAGES or brush or prefix in SURE_PREFIXES:
                return "" if word in NO_LANGUAGE else word
        words = names.split()
        is_plain = page.tags[row] in ("code", "pre") and len(words) <= MOST_PLAIN_NAMES
        if not LANGUAGES.isdisjoint(words) and (is_plain or not CODE_CLASSES.isdisjoint(words)):
            return next(word for word in words if word in LANGUAGES)
        if page.tags[row] in ENDS:
            return ""
    return ""
