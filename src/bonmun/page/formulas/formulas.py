"""Where a page has formulas, and what each is in TeX: one leaf a formula, however many copies of it the page holds.

Makers write a formula in many ways, and most of them several times: as MathML for screen readers, as boxes for the eye,
as an image, as TeX for a script (see formula_makers.py). What is trusted most comes first: TeX that the maker wrote
down, then MathML, which is converted (see mathml.py). Raw TeX within words is found by raw_tex.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turbohtml import Element, Text

from bonmun.bounds import MAX_TEX_CHARS, MAX_URL_CHARS
from bonmun.page.formulas.markup_formulas import (
    OMITTED,
    WORDS,
    Replacement,
    is_block,
    read_attributes,
    read_container,
    read_equations,
    read_image,
    read_katex,
    read_marked,
    read_math,
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

# Every page with formulas has one of these, and asking for them takes next to no time: the parser has lists by tag.
SIGN_SCRIPTS = ("mathjax", "katex", "distill", "githubassets")  # in the addresses of scripts
SIGN_TYPE = "script[type^='math/'],script[type*='mathjax']"
SIGN_IMAGES = "img[src*='latex'],img.tex,img[src*='?tex=']"
SIGN_SPANS = "span[data-tex],span[data-latex],span[data-mathml]"
SIGNS = (SIGN_IMAGES, SIGN_SPANS, "link[href*='katex']")
# The elements that may be one, or a copy of one.
SELECTOR = (
    "math,mjx-container,.katex,.katex-display,script[type^='math/'],.MathJax,.MathJax_Display,.MathJax_SVG,"
    ".MathJax_SVG_Display,.MathJax_CHTML,.MathJax_Preview,.MJXc-display,.mwe-math-element,table.ltx_eqn_table,"
    "img.tex,img.latex,img.mwe-math-fallback-image-inline,img.mwe-math-fallback-image-display,"
    "img[src*='latex'],img[src*='?tex='],img[src*='cht=tx'],img[src*='%5C'],"
    "[data-latex],[data-tex],[data-math],[data-katex],math-renderer,d-math,.math,.math-container"
)
MOST_FAILURES = 100  # elements that seem formulas, hold others, and are none; so that none is read again and again
BARE = frozenset({"math", "script", "img"})  # what they hold is no text, nor is white space in them
WRAPPERS = frozenset("math-renderer d-math".split())
COPIES = frozenset({"MathJax", "MathJax_SVG", "MathJax_CHTML"})
DISPLAY_COPIES = frozenset({"MathJax_Display", "MathJax_SVG_Display", "MJXc-display"})


def find_formulas(tree: Tree, html: str) -> Formulas | None:
    """What knows the formulas of a page; None for a page without any, which most are."""
    scripts = "\n".join([(node.attr("src") or "")[:MAX_URL_CHARS] for node in tree.select("script[src]")]).lower()
    has_script = any(sign in scripts for sign in SIGN_SCRIPTS) or tree.select_one(SIGN_TYPE) is not None
    if has_script or tree.find("math") or any(map(tree.select_one, SIGNS)):
        return Formulas(tree, html, has_script=has_script)
    return None


class Formulas:
    """The formulas of one page."""

    selector = SELECTOR

    def __init__(self, tree: Tree, html: str, *, has_script: bool) -> None:
        self.has_sources = tree.select_one("script[type^='math/tex']") is not None
        self.pieces = find_raw_tex(tree, html) if has_script else {}
        self.failures = 0

    def read(self, element: Element) -> Replacement | None:
        """What stands in an element's place; None where it is not what it seems, and is read as any other."""
        if self.failures > MOST_FAILURES:
            return None
        found = self._find(element)
        if found is None or found is OMITTED or found.formula is None:
            self.failures += found is None and any(isinstance(node, Element) for node in element)
            return found
        tex, is_display = found.formula
        if len(tex) > MAX_TEX_CHARS:  # no one's formula, but still words
            return Replacement(tex)
        tex = clean_tex(tex)
        if not tex:
            return None
        formula = Formula(tex, is_display)
        before, after = ("", "") if is_display or element.tag in BARE else _find_blanks(element)
        return Replacement(before + formula.text + after if before or after else formula.text, formula)

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
            return OMITTED if self.has_sources and element.select_one(WORDS) is None else None
        if (names & COPIES or names & DISPLAY_COPIES) and element.select_one(WORDS) is None:
            return OMITTED if self.has_sources else read_mathjax(element, is_display=bool(names & DISPLAY_COPIES))
        return read_attributes(element, names) or read_marked(element, names)


def _find_blanks(element: Element) -> tuple[str, str]:
    """The white space that an element has at its start and end, which parts its formula from words beside it."""
    nodes = element.children
    if not nodes:
        return "", ""
    first, last = nodes[0], nodes[-1]
    return (
        " " if isinstance(first, Text) and first.data[:1].isspace() else "",
        " " if isinstance(last, Text) and last.data[-1:].isspace() else "",
    )
