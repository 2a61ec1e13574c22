"""Read the TeX of formulas from the markup that various tools produce."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote_plus

import turbohtml
from turbohtml import Element

from bonmun.bounds import MAX_TEX_CHARS, MAX_URL_CHARS
from bonmun.page.formulas.mathml import write_tex
from bonmun.page.formulas.tex import Formula, clean_tex, unwrap_tex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Node

__all__ = [
    "NON_FORMULA_SELECTOR",
    "OMITTED",
    "Replacement",
    "is_block",
    "read_attributes",
    "read_container",
    "read_equations",
    "read_image",
    "read_katex",
    "read_math",
    "read_math_class",
    "read_mathjax",
    "read_script",
    "read_wikipedia",
    "read_wrapper",
]

NON_FORMULA_SELECTOR = "p,ul,ol,table,h1,h2,h3,h4,h5,h6,pre,article,section"  # elements that a formula does not contain
ATTRIBUTES = ("data-latex", "data-tex", "data-math", "data-katex")
# TeX in the URL of an image: WordPress, CodeCogs, Zhihu, Google Charts, and paths that end in a command.
IMAGE_TEX = re.compile(
    r"latex\.php\?(?:[^#]{0,200}&)?latex=([^&#]++)|equation\?tex=([^&#]++)|[?&]cht=tx&(?:[^#]{0,200}&)?chl=([^&#]++)"
    r"|latex\.codecogs\.com/[^?]{0,99}\?([^#]++)|/([^/?#.]{0,500}%5C[a-zA-Z]{1,20}%7B[^/?#]{0,2000}+)\Z"
)
SPOKEN = re.compile(r"(?<![A-Za-z])[A-Za-z]{3,99}+ [A-Za-z]{2,99}")
ONLY_WORDS = re.compile(r"\\text\{([^{}\\]++)\}")
MAX_TEXT_RATIO = 20  # how many times longer than its TeX the text of a formula may be
ROW_GROUPS = frozenset({"thead", "tbody", "tfoot"})
NUMBER_CLASSES = ("ltx_tag_equation", "ltx_tag_equationgroup")  # of the number of an equation
TEX_SIGN = re.compile(r"[\\^_={}]")


class Replacement(NamedTuple):
    """The text or formula that replaces an element; empty for the copy of another formula."""

    text: str
    formula: Formula | None = None


OMITTED = Replacement("")


def _has_class_prefix(element: Element, start: str) -> bool:
    """Return whether the class of an element starts with a prefix."""
    return (element.attr("class") or "").startswith(start)


def _make_formula(tex: str, *, is_display: bool) -> Replacement:
    return Replacement("", Formula(tex, is_display))


def is_block(math: Element) -> bool:
    """Return whether a `<math>` element is displayed on its own line."""
    return math.attr("display") == "block" or math.attr("mode") == "display"


def read_math(math: Element, *, is_display: bool) -> Replacement | None:
    """Read a `<math>` element: the TeX it was made from, else its converted MathML."""
    tex = _find_annotation(math)
    if tex is None:
        alt = math.attr("alttext") or math.attr("data-latex") or ""
        tex = alt if alt.strip() and ("\\" in alt or not SPOKEN.search(alt)) else None
    if tex is None:
        if len(math.text) > MAX_TEX_CHARS or math.select_one(NON_FORMULA_SELECTOR) is not None:
            return None
        is_bare = not any(isinstance(node, Element) for node in math)
        tex = math.text if is_bare else write_tex(math, is_display=is_display)
        if words := ONLY_WORDS.fullmatch(tex):
            return Replacement(words[1])
    return _make_formula(tex, is_display=is_display) if tex.strip() else None


def _find_annotation(math: Element) -> str | None:
    """Return the TeX annotation of a `<math>` element, or None."""
    for outer in math:
        if not isinstance(outer, Element) or outer.tag != "semantics":
            continue
        for node in outer:
            if not isinstance(node, Element) or node.tag != "annotation":
                continue
            if "tex" in (node.attr("encoding") or "").lower() and (text := node.text).strip():
                return text
    return None


def read_script(script: Element) -> Replacement | None:
    """Read the TeX or MathML source that MathJax 2 keeps in a script."""
    kind = script.attr("type") or ""
    is_display = "mode=display" in kind.replace(" ", "")
    if kind.startswith("math/mml"):
        return _parse_mathml(script.text, is_display=is_display)
    return (
        _make_formula(script.text, is_display=is_display)
        if kind.startswith("math/tex") and script.text.strip()
        else None
    )


def _parse_mathml(source: str, *, is_display: bool) -> Replacement | None:
    """Read MathML that a page contains as text."""
    if "<math" not in source or len(source) > 10 * MAX_TEX_CHARS:
        return None
    math = turbohtml.parse(source, positions=False).find("math")
    return read_math(math, is_display=is_display or is_block(math)) if math else None


def read_image(image: Element) -> Replacement | None:
    """Read an image of a formula: TeX in its URL or `alt`."""
    names = (image.attr("class") or "").split()
    alt = (image.attr("alt") or "").strip()
    is_display = "mwe-math-fallback-image-display" in names
    found = IMAGE_TEX.search((image.attr("src") or image.attr("data-src") or "")[:MAX_URL_CHARS])
    is_marked = "latex" in names or "tex" in names or any(name.startswith("mwe-math") for name in names)
    if found or (is_marked and ("\\" in alt or not SPOKEN.search(alt))):
        tex = alt or (unquote_plus(next(filter(None, found.groups()), "")) if found else "")
        return _make_formula(tex, is_display=is_display) if tex else None
    return None


def read_container(container: Element) -> Replacement | None:
    """Read MathJax 3 and 4: MathML for screen readers, or TeX in the attributes of version 4."""
    math = container.find("math")
    is_display = container.attr("display") in ("true", "block") or (math is not None and is_block(math))
    if math is not None:
        return read_math(math, is_display=is_display)
    source = container.select_one("[data-latex]")
    return _make_formula(source.attr("data-latex") or "", is_display=is_display) if source else None


def read_katex(element: Element, names: set[str]) -> Replacement | None:
    """Read KaTeX: MathML for screen readers, else the displayed text."""
    if not any(
        isinstance(node, Element) and (node.tag == "math" or _has_class_prefix(node, "katex")) for node in element
    ):
        return None
    math = element.find("math")
    parent = element.parent
    is_display = "katex-display" in names or (isinstance(parent, Element) and parent.has_class("katex-display"))
    if math is not None:
        return read_math(math, is_display=is_display or is_block(math))
    shown = element.select_one(".katex-html")  # hidden from screen readers, which are meant to use MathML
    return Replacement(shown.text) if shown is not None else None


def read_wikipedia(element: Element) -> Replacement | None:
    """Read MediaWiki: hidden MathML and an image."""
    math = element.find("math")
    if math is not None:
        is_display = element.has_class("mwe-math-element-block") or is_block(math)
        return read_math(math, is_display=is_display)
    image = element.find("img")
    return read_image(image) if image is not None else None


def read_mathjax(element: Element, *, is_display: bool) -> Replacement | None:
    """Read MathJax 2 without its scripts: MathML in an attribute or for screen readers."""
    math = element.find("math")
    if math is not None:
        return read_math(math, is_display=is_display or is_block(math))
    source = element.attr("data-mathml")
    if source is None and (inner := element.select_one("[data-mathml]")) is not None:
        source = inner.attr("data-mathml")
    return _parse_mathml(source or "", is_display=is_display)


def read_attributes(element: Element, names: set[str]) -> Replacement | None:
    """Read TeX in an attribute of an element that contains only the formula."""
    for name in ATTRIBUTES:
        tex = element.attr(name) or ""
        if tex and (
            TEX_SIGN.search(tex) or (len(tex) < 9 and tex not in ("true", "false", "inline", "block", "display"))
        ):
            if (
                tex.isdecimal()
                or element.select_one(NON_FORMULA_SELECTOR)
                or len(element.text) > MAX_TEXT_RATIO * len(tex)
            ):
                return None
            is_display = element.tag == "div" or bool({"display", "block"} & names)
            return _make_formula(tex, is_display=is_display or element.attr("data-display") in ("true", "block"))
    return None


def read_math_class(element: Element, names: set[str]) -> Replacement | None:
    """Read an element whose class marks a formula, as written by Pandoc, Sphinx and Stack Exchange."""
    if not names & {"math", "math-container"} or any(isinstance(node, Element) for node in element):
        return None
    tex, is_display = unwrap_tex(element.text)
    if is_display is None:
        if not names & {"inline", "display"}:
            return None
        is_display = "display" in names
    return _make_formula(tex, is_display=is_display)


def read_wrapper(element: Element) -> Replacement | None:
    """Read elements that scripts turn into formulas, as used by GitHub and Distill."""
    if any(isinstance(node, Element) for node in element):
        return None
    tex, is_display = unwrap_tex(element.text)
    if is_display is None:
        is_display = element.attr("block") is not None or element.has_class("js-display-math")
    return _make_formula(tex, is_display=is_display) if tex else None


def read_equations(table: Element) -> Replacement | None:
    """Read LaTeXML's table of equations: rows of aligned formulas, and their numbers."""
    rows: list[str] = []
    labels: list[str] = []
    shown = 0
    for row in _list_rows(table):
        cells: list[str] = []
        for element in _list_formulas(row):
            if element.tag == "math":
                found = read_math(element, is_display=True)
                if found is None or found.formula is None:
                    return None
                cells.append(clean_tex(found.formula.tex))
                shown += len("".join(element.text.split()))
            else:
                labels.append("".join(element.text.split()))
                shown += len(labels[-1])
        if cells:
            rows.append(" & ".join(cells))
    if not rows or len("".join(table.text.split())) > shown:  # it contains other text
        return None
    body = r" \\ ".join(rows)
    tex = body.replace(" & ", " ") if len(rows) == 1 else rf"\begin{{aligned}} {body} \end{{aligned}}"
    label = labels[0].strip("()[]") if labels else ""
    return _make_formula(rf"{tex} \tag{{{label}}}" if label else tex, is_display=True)


def _list_rows(table: Element) -> Iterator[Element]:
    """Yield the table's own rows; rows may contain other rows, and then these are not read again."""
    for part in table:
        if isinstance(part, Element) and part.tag in ROW_GROUPS:
            yield from (row for row in part if isinstance(row, Element) and row.tag == "tr")
        elif isinstance(part, Element) and part.tag == "tr":
            yield part


def _list_formulas(row: Element) -> Iterator[Element]:
    """Yield the formulas in a row and their numbers, without formulas in formulas and numbers in numbers."""
    stack: list[tuple[Iterator[Node], bool]] = [(iter(row), False)]
    while stack:
        nodes, in_number = stack[-1]
        node = next(nodes, None)
        if node is None:
            stack.pop()
        elif isinstance(node, Element):
            if node.tag == "math":
                yield node
                continue
            is_number = not in_number and any(map(node.has_class, NUMBER_CLASSES))
            if is_number:
                yield node
            stack.append((iter(node), in_number or is_number))
