"""Convert presentation MathML to TeX, without recursion: children are written before their parent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turbohtml import Element, Text

from bonmun.page.formulas.mathml_tokens import TOKENS, write_characters, write_token, write_words
from bonmun.page.formulas.tex_pieces import TexPiece, add_over, add_scripts, add_under, join
from bonmun.page.formulas.tex_symbols import write_character

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from turbohtml import Node

__all__ = ["write_tex"]

ANNOTATIONS = frozenset({"annotation", "annotation-xml"})
MAX_LEVELS = 100  # nesting depth; a continued fraction of MathJax has four levels per bar
MAX_COLUMNS = 20  # columns that a cell may span
ENCLOSED = {"box": "boxed", "roundedbox": "boxed", "updiagonalstrike": "cancel", "downdiagonalstrike": "bcancel"}
ENCLOSED |= {"radical": "sqrt", "top": "overline", "bottom": "underline"}
PAREN_LABEL = re.compile(r"\\text\{\((.{1,200})\)\}|\((.{1,200})\)")


def write_tex(math: Element, *, is_display: bool = False) -> str:
    """Return the TeX of a `<math>` element; empty if it has no content or is nested too deep."""
    stack: list[tuple[Element, Iterator[Node], list[TexPiece]]] = [(math, iter(math), [])]
    while True:
        element, rest, pieces = stack[-1]
        for node in rest:
            if isinstance(node, Text):
                if text := " ".join(node.data.split()):
                    pieces.append(write_words(text))
            elif isinstance(node, Element):
                if node.tag in TOKENS:
                    pieces.append(write_token(node))
                elif node.tag not in ANNOTATIONS:
                    if len(stack) > MAX_LEVELS:
                        return ""
                    stack.append((node, iter(node), []))
                    break
        else:
            stack.pop()
            made = WRITERS.get(element.tag, _write_row)(element, pieces)
            if not stack:
                return _add_label(made, is_display=is_display)
            stack[-1][2].append(made)


# --- elements with children -------------------------------------------------------------------------------------------


def _write_row(element: Element, pieces: Sequence[TexPiece]) -> TexPiece:
    return join(pieces, stretched=element.attr("data-mjx-texclass") == "INNER")


def _get_child(pieces: Sequence[TexPiece], at: int) -> TexPiece:
    """Return a child that is required, or an empty piece if it is missing."""
    return pieces[at] if at < len(pieces) else TexPiece("", "")


def _write_fraction(element: Element, pieces: Sequence[TexPiece]) -> TexPiece:
    above, below, rest = _get_child(pieces, 0).tex, _get_child(pieces, 1).tex, pieces[2:]
    thickness = (element.attr("linethickness") or "").strip()
    if thickness[:1] == "0" and not thickness.strip("0.pxemt%"):
        made = TexPiece("mfrac", f"{{{above} \\atop {below}}}", body=f"{above}}}{{{below}", atom=True)
    elif element.attr("bevelled") == "true":
        made = TexPiece("", f"{{{above}}} / {{{below}}}")
    else:
        made = TexPiece("", f"\\frac{{{above}}}{{{below}}}")
    return join([made, *rest])


def _write_sqrt(element: Element, pieces: Sequence[TexPiece]) -> TexPiece:
    return TexPiece("", f"\\sqrt{{{join(pieces).tex}}}")


def _write_root(element: Element, pieces: Sequence[TexPiece]) -> TexPiece:
    made = TexPiece("", f"\\sqrt[{_get_child(pieces, 1).tex}]{{{_get_child(pieces, 0).tex}}}")
    return join([made, *pieces[2:]])


def _write_sub(element: Element, pieces: Sequence[TexPiece]) -> TexPiece:
    return join([add_scripts(_get_child(pieces, 0), sub=_get_child(pieces, 1).tex), *pieces[2:]])


def _write_sup(element: Element, pieces: Sequence[TexPiece]) -> TexPiece:
    sup = _get_child(pieces, 1)
    return join([add_scripts(_get_child(pieces, 0), sup=sup.tex, raw_sup=sup.raw), *pieces[2:]])


def _write_subsup(element: Element, pieces: Sequence[TexPiece]) -> TexPiece:
    sup = _get_child(pieces, 2)
    return join([add_scripts(_get_child(pieces, 0), _get_child(pieces, 1).tex, sup.tex, sup.raw), *pieces[3:]])


def _write_over(element: Element, pieces: Sequence[TexPiece]) -> TexPiece:
    return join([add_over(_get_child(pieces, 0), _get_child(pieces, 1)), *pieces[2:]])


def _write_under(element: Element, pieces: Sequence[TexPiece]) -> TexPiece:
    return join([add_under(_get_child(pieces, 0), _get_child(pieces, 1)), *pieces[2:]])


def _write_underover(element: Element, pieces: Sequence[TexPiece]) -> TexPiece:
    base, under, over = _get_child(pieces, 0), _get_child(pieces, 1), _get_child(pieces, 2)
    if base.tag == "big":
        return join([add_scripts(base, under.tex, over.tex), *pieces[3:]])
    return join([add_over(add_under(base, under), over), *pieces[3:]])


def _write_multiscripts(element: Element, pieces: Sequence[TexPiece]) -> TexPiece:
    before = next((at for at, piece in enumerate(pieces) if piece.tag == "mprescripts"), len(pieces))
    after, ahead = pieces[1:before], pieces[before + 1 :]
    made = [add_scripts(TexPiece("", ""), join(ahead[::2]).tex, join(ahead[1::2]).tex)] if ahead else []
    base = _get_child(pieces, 0)
    return TexPiece(
        "", join([*made, add_scripts(base, join(after[::2]).tex, join(after[1::2]).tex) if after else base]).tex
    )


def _write_fenced(element: Element, pieces: Sequence[TexPiece]) -> TexPiece:
    opening, close, marks = element.attr("open"), element.attr("close"), element.attr("separators")
    marks = "".join((marks if marks is not None else ",").split())
    row = [
        TexPiece("mo", "".join(write_characters(sign)), sign)
        for sign in [("(" if opening is None else opening).strip()]
    ]
    for at, piece in enumerate(pieces):
        if at and marks:
            mark = marks[min(at - 1, len(marks) - 1)]
            row.append(TexPiece("mo", write_character(mark), mark))
        row.append(piece)
    close = (")" if close is None else close).strip()
    return join([*row, TexPiece("mo", "".join(write_characters(close)), close)])


def _write_enclosed(element: Element, pieces: Sequence[TexPiece]) -> TexPiece:
    inner = join(pieces)
    for notation in (element.attr("notation") or "").split()[:4]:
        if notation in ENCLOSED:
            return TexPiece("", f"\\{ENCLOSED[notation]}{{{inner.tex}}}", atom=True)
    return inner


def _write_phantom(element: Element, pieces: Sequence[TexPiece]) -> TexPiece:
    tex = join(pieces).tex
    return TexPiece("", f"\\phantom{{{tex}}}" if tex else "")


def _write_semantics(element: Element, pieces: Sequence[TexPiece]) -> TexPiece:
    return _get_child(pieces, 0)


def _write_action(element: Element, pieces: Sequence[TexPiece]) -> TexPiece:
    chosen = element.attr("selection") or "1"
    at = int(chosen) - 1 if chosen.isdecimal() and chosen.isascii() and len(chosen) < 4 else 0
    return _get_child(pieces, at) if at < len(pieces) else _get_child(pieces, 0)


# --- tables -----------------------------------------------------------------------------------------------------------


def _write_cell(element: Element, pieces: Sequence[TexPiece]) -> TexPiece:
    span = element.attr("columnspan") or element.attr("colspan") or ""
    more = min(int(span), MAX_COLUMNS) - 1 if span.isdecimal() and span.isascii() and len(span) < 4 else 0
    return TexPiece("mtd", join(pieces).tex + " &" * max(more, 0))


def _write_table_row(element: Element, pieces: Sequence[TexPiece]) -> TexPiece:
    return TexPiece("mtr", " & ".join(piece.tex for piece in pieces).strip())


def _write_labelled_row(element: Element, pieces: Sequence[TexPiece]) -> TexPiece:
    """Write a row whose first cell is its number."""
    return _write_table_row(element, pieces[1:])._replace(raw=_get_child(pieces, 0).tex, tag="mlabeledtr")


def _write_table(element: Element, pieces: Sequence[TexPiece]) -> TexPiece:
    aligned = (element.attr("columnalign") or "").split()
    is_left, is_equations = aligned[:1] == ["left"], aligned[:2] == ["right", "left"]
    if len(pieces) == 1 and (is_equations or pieces[0].tag == "mlabeledtr"):
        return TexPiece("mlabeledtr", pieces[0].tex.replace(" & ", " "), pieces[0].raw)
    rows = [f"{piece.tex} & {piece.raw}" if piece.tag == "mlabeledtr" else piece.tex for piece in pieces]
    body = r" \\ ".join(rows)
    if not body.strip(" \\"):
        return TexPiece("", "")
    if is_equations:
        name = "aligned"
    elif len(set(aligned) - {"center"}):
        name = "array}{" + "".join(word[0] for word in aligned[:MAX_COLUMNS] if word in ("left", "right", "center"))
    else:
        name = "matrix"
    tex = f"\\begin{{{name}}} {body} \\end{{{name.partition('}')[0]}}}"
    return TexPiece("mtable", tex, body=body, atom=True, left=is_left)


def _add_label(made: TexPiece, *, is_display: bool) -> str:
    """Return the TeX of a formula, with its number if it has one."""
    tex = made.tex.strip()
    if made.tag != "mlabeledtr" or not made.raw:
        return tex
    found = PAREN_LABEL.fullmatch(made.raw.replace(r"\text{(}", "(").replace(r"\text{)}", ")"))
    label = (found[1] or found[2]).strip() if found else made.raw
    label = label if label.isalnum() else f"\\({label}\\)" if "\\" in label and r"\text" not in label else label
    return f"{tex} \\tag{{{label}}}" if is_display else rf"{tex} \quad ({label})"


WRITERS: dict[str, Callable[[Element, Sequence[TexPiece]], TexPiece]] = {
    "mfrac": _write_fraction,
    "msqrt": _write_sqrt,
    "mroot": _write_root,
    "msub": _write_sub,
    "msup": _write_sup,
    "msubsup": _write_subsup,
    "mover": _write_over,
    "munder": _write_under,
    "munderover": _write_underover,
    "mmultiscripts": _write_multiscripts,
    "mfenced": _write_fenced,
    "menclose": _write_enclosed,
    "mphantom": _write_phantom,
    "semantics": _write_semantics,
    "maction": _write_action,
    "mtd": _write_cell,
    "mtr": _write_table_row,
    "mlabeledtr": _write_labelled_row,
    "mtable": _write_table,
}
