r"""Find TeX among words, on pages with a script that renders it: `\(…\)`, `\[…\]`, `$$…$$`, `$…$`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turbohtml import Element, Namespace, Text

from bonmun.bounds import MAX_TEX_CHARS
from bonmun.page.formulas.tex import Formula, clean_tex

if TYPE_CHECKING:
    from turbohtml import Document as Tree
    from turbohtml import Node

__all__ = ["find_raw_tex", "split_tex"]

OPENINGS = ("\\(", "\\[", "$", "\\begin{")
# `[['$', '$'], …]` of MathJax and `{left: "$", …}` of KaTeX
DOLLAR_SETTING = re.compile(r"""(?:\[\s{0,9}|left['"]?\s{0,9}:\s{0,9})['"]\$['"]\s{0,9},""")
MARK = re.compile(
    r"\\\\|\\\$|\\\(|\\\[|\$\$|\$|\\begin\{((?:equation|align|gather|multline|eqnarray|displaymath|math)\*?)\}"
)
CLOSES = {"\\(": "\\)", "\\[": "\\]", "$$": "$$", "$": "$"}
# Without settings on the page, these tell formulas from prices.
FORMULA_SIGN = re.compile(r"\\[a-zA-Z]|[_^]|\A[A-Za-z]\Z")
STRONG_FORMULA_SIGN = re.compile(r"\\[a-zA-Z]|[_^]\{")
EXCLUDED_SELECTOR = "code,pre,kbd,samp,tt,textarea,script,style,noscript,svg,template,annotation,math,button,"
EXCLUDED_SELECTOR += ".tex2jax_ignore,.no-mathjax"
MAX_INLINE_CHARS = 1_000  # between single dollar signs


def find_raw_tex(tree: Tree, html: str) -> dict[Text, list[str | Formula]]:
    """Return the text nodes that contain formulas, split into words and formulas."""
    found: dict[Text, list[str | Formula]] = {}
    if not any(opening in html for opening in OPENINGS):
        return found
    takes_dollars = DOLLAR_SETTING.search(html) is not None
    body = tree.find("body")
    excluded: dict[Element, bool] = {}
    for node in body.descendants if body is not None else ():
        if type(node) is Text and ("$" in node.data or "\\" in node.data):
            pieces = split_tex(node.data, takes_dollars=takes_dollars)
            parent = node.parent
            is_split = len(pieces) > 1 or (pieces and isinstance(pieces[0], Formula))
            if not is_split or not isinstance(parent, Element) or parent.namespace is not Namespace.HTML:
                continue
            if not _is_excluded(parent, excluded):
                found[node] = pieces
    return found


def _is_excluded(element: Element, known: dict[Element, bool]) -> bool:
    """Return whether scripts leave out an element or one of its ancestors; `known` caches this."""
    path: list[Element] = []
    is_excluded = False
    above: Node | None = element
    while isinstance(above, Element):
        if above in known:
            is_excluded = known[above]
            break
        path.append(above)
        if above.matches(EXCLUDED_SELECTOR):
            is_excluded = True
            break
        above = above.parent
    known.update(dict.fromkeys(path, is_excluded))
    return is_excluded


def split_tex(text: str, *, takes_dollars: bool) -> list[str | Formula]:
    """Split a text into words and formulas."""
    pieces: list[str | Formula] = []
    nexts: dict[str, int] = {}  # next position of each closing mark, so that a missing one is searched for only once
    done = at = 0
    while (found := MARK.search(text, at)) is not None:
        at = found.end()
        mark = found[0]
        close = f"\\end{{{found[1]}}}" if found[1] else CLOSES.get(mark)
        if close is None:  # an escaped character
            continue
        if nexts.get(close, -1) < at:
            nexts[close] = _find_close(text, close, at)
        end = nexts[close]
        if end > len(text) or end - at > MAX_TEX_CHARS:
            continue
        inner = text[at:end]
        if mark == "$" and not _is_between_dollars(inner, text[end + 1 : end + 2], takes_dollars=takes_dollars):
            continue
        tex = clean_tex(_write_environment(inner, found[1]) if found[1] else inner)
        if not tex:
            continue
        if text[done : found.start()]:
            pieces.append(text[done : found.start()])
        pieces.append(Formula(tex, mark not in ("$", "\\(")))
        done = at = end + len(close)
    if text[done:]:
        pieces.append(text[done:])
    return pieces


def _find_close(text: str, close: str, at: int) -> int:
    """Return the next position of a closing mark without a backslash before it; past the end of the text if none."""
    end = text.find(close, at)
    while end > 0 and text[end - 1] == "\\" and close[0] == "$":
        end = text.find(close, end + 1)
    return end if end >= 0 else len(text) + 1


def _is_between_dollars(inner: str, after: str, *, takes_dollars: bool) -> bool:
    if not inner.strip() or len(inner) > MAX_INLINE_CHARS or "\n\n" in inner:
        return False
    if inner.count("{") != inner.count("}"):
        return False
    if takes_dollars:
        return True
    if after.isdecimal():
        return False
    pattern = STRONG_FORMULA_SIGN if inner[0].isspace() or inner[-1].isspace() else FORMULA_SIGN
    return pattern.search(inner) is not None


def _write_environment(inner: str, name: str) -> str:
    """Return an environment in the form that is allowed between dollar signs."""
    plain = name.rstrip("*")
    if plain in ("equation", "displaymath", "math"):
        return inner
    plain = {"align": "aligned", "gather": "gathered", "multline": "gathered"}.get(plain, plain)
    if plain == "eqnarray":
        return rf"\begin{{array}}{{rcl}}{inner}\end{{array}}"
    return rf"\begin{{{plain}}}{inner}\end{{{plain}}}"
