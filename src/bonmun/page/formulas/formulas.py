"""Find the formulas of a page, and write each as TeX: one leaf per formula, however many copies the page contains.

Pages contain formulas in many forms, often several at once: MathML for screen readers, boxes or an image for display,
TeX for a script (see markup_formulas.py). The most reliable form is used: TeX if the page contains it, else MathML,
which is converted (see mathml.py). raw_tex.py finds TeX within words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turbohtml import Element, Text

from bonmun.bounds import MAX_TEX_CHARS, MAX_URL_CHARS
from bonmun.page.formulas.markup_formulas import (
    NON_FORMULA_SELECTOR,
    OMITTED,
    Replacement,
    is_block,
    read_attributes,
    read_container,
    read_equations,
    read_image,
    read_katex,
    read_math,
    read_math_class,
    read_mathjax,
    read_script,
    read_wikipedia,
    read_wrapper,
)
from bonmun.page.formulas.raw_tex import find_raw_tex
from bonmun.page.formulas.tex import Formula, clean_tex

if TYPE_CHECKING:
    from turbohtml import Document as Tree

__all__ = ["Formulas", "Replacement", "find_formulas"]

# Every page with formulas matches one of these. They are fast, since the parser indexes elements by tag.
SCRIPT_NAMES = ("mathjax", "katex", "distill", "githubassets")  # in URLs of scripts
SCRIPT_SELECTOR = "script[type^='math/'],script[type*='mathjax']"
IMAGE_SIGNS = ("latex", "?tex=")  # in URLs of images
SPAN_SELECTOR = "span[data-tex],span[data-latex],span[data-mathml]"
FORMULA_SELECTORS = ("img.tex", SPAN_SELECTOR, "link[href*='katex']")
# Elements that may be a formula or a copy of one.
SELECTOR = (
    "math,mjx-container,.katex,.katex-display,script[type^='math/'],.MathJax,.MathJax_Display,.MathJax_SVG,"
    ".MathJax_SVG_Display,.MathJax_CHTML,.MathJax_Preview,.MJXc-display,.mwe-math-element,table.ltx_eqn_table,"
    "img.tex,img.latex,img.mwe-math-fallback-image-inline,img.mwe-math-fallback-image-display,"
    "img[src*='latex'],img[src*='?tex='],img[src*='cht=tx'],img[src*='%5C'],"
    "[data-latex],[data-tex],[data-math],[data-katex],math-renderer,d-math,.math,.math-container"
)
# Elements with children that look like formulas but are not may be nested, and each is read to its end. These limit
# their number, and the number of elements in all of them: a base, plus a share of the characters of the page.
MAX_FAILURES = 100
BASE_WASTED_ELEMENTS, MAX_WASTED_RATIO = 10_000, 0.05
TEXTLESS_TAGS = frozenset({"math", "script", "img"})  # elements without text or whitespace
WRAPPERS = frozenset("math-renderer d-math".split())
COPIES = frozenset({"MathJax", "MathJax_SVG", "MathJax_CHTML"})
DISPLAY_COPIES = frozenset({"MathJax_Display", "MathJax_SVG_Display", "MJXc-display"})


def find_formulas(tree: Tree, html: str) -> Formulas | None:
    """Return the formulas of a page; None for most pages, which have none."""
    scripts = "\n".join([(node.attr("src") or "")[:MAX_URL_CHARS] for node in tree.select("script[src]")]).lower()
    has_script = any(sign in scripts for sign in SCRIPT_NAMES) or tree.select_one(SCRIPT_SELECTOR) is not None
    if has_script or tree.find("math") or any(map(tree.select_one, FORMULA_SELECTORS)) or _has_formula_image(tree):
        return Formulas(tree, html, has_script=has_script)
    return None


def _has_formula_image(tree: Tree) -> bool:
    """Whether the URL of an image says that it is a formula; faster than selectors that search in attributes."""
    addresses = "\n".join([node.attr("src") or "" for node in tree.find_all("img")])
    return any(map(addresses.__contains__, IMAGE_SIGNS))


class Formulas:
    """The formulas of one page."""

    selector = SELECTOR

    def __init__(self, tree: Tree, html: str, *, has_script: bool) -> None:
        self.has_sources = tree.select_one("script[type^='math/tex']") is not None
        self.pieces = find_raw_tex(tree, html) if has_script else {}
        self.failures = 0
        self.wasted_elements_left = BASE_WASTED_ELEMENTS + MAX_WASTED_RATIO * len(html)

    def read(self, element: Element) -> Replacement | None:
        """Return the replacement of an element; None if it is not a formula and is treated like any other element."""
        if self.failures > MAX_FAILURES or self.wasted_elements_left < 0:
            return None
        found = self._find(element)
        if found is not None and found.formula is not None:
            found = _clean(element, found.formula)
        if found is None and any(isinstance(node, Element) for node in element):
            self.failures += 1
            self.wasted_elements_left -= sum(1 for _ in element.iter_elements())
        return found

    def _find(self, element: Element) -> Replacement | None:
        tag = element.tag
        if tag == "math":
            return read_math(element, is_display=is_block(element))
        if tag == "script":
            return read_script(element)
        if tag == "img":
            return read_image(element)
        if tag == "mjx-container":
            return read_container(element)
        if tag in WRAPPERS:
            return read_wrapper(element)
        names = set((element.attr("class") or "").split())
        if "ltx_eqn_table" in names:
            return read_equations(element)
        if "katex" in names or "katex-display" in names:
            return read_katex(element, names)
        if "mwe-math-element" in names:
            return read_wikipedia(element)
        if "MathJax_Preview" in names:
            return OMITTED if self.has_sources and element.select_one(NON_FORMULA_SELECTOR) is None else None
        if (names & COPIES or names & DISPLAY_COPIES) and element.select_one(NON_FORMULA_SELECTOR) is None:
            return OMITTED if self.has_sources else read_mathjax(element, is_display=bool(names & DISPLAY_COPIES))
        return read_attributes(element, names) or read_math_class(element, names)


def _clean(element: Element, formula: Formula) -> Replacement | None:
    """Return the replacement of an element by a formula with clean TeX; None if that is empty."""
    if len(formula.tex) > MAX_TEX_CHARS:  # too long for a formula: plain text
        return Replacement(formula.tex)
    formula = formula._replace(tex=clean_tex(formula.tex))
    if not formula.tex:
        return None
    if formula.is_display or element.tag in TEXTLESS_TAGS:
        return Replacement(formula.text, formula)
    before, after = _find_outer_whitespace(element)
    return Replacement(before + formula.text + after, formula)


def _find_outer_whitespace(element: Element) -> tuple[str, str]:
    """Return the whitespace at the start and end of an element, which separates its formula from adjacent words."""
    nodes = element.children
    if not nodes:
        return "", ""
    first, last = nodes[0], nodes[-1]
    return (
        " " if isinstance(first, Text) and first.data[:1].isspace() else "",
        " " if isinstance(last, Text) and last.data[-1:].isspace() else "",
    )
