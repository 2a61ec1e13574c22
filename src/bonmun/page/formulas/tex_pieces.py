"""Pieces of TeX put together: rows with their blanks and brackets, scripts, what stands over and under, matrices."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bonmun.page.formulas.tex_symbols import ARROWS, BINARY, CLOSING, OPENING, OVER, UNDER

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["TexPiece", "add_over", "add_scripts", "add_under", "braced", "join"]


class TexPiece(NamedTuple):
    """A part of a formula in TeX, with what those around it ask."""

    tag: str  # that of its MathML element; "big" for a sum or an integral, "" for what holds several
    tex: str
    raw: str = ""  # what a token says
    atom: bool = False  # whether scripts may follow it as it is
    body: str = ""  # of a table or of two things one over the other: what stands between the brackets, without them
    stretches: bool = True  # of a bracket: whether it is as tall as what it holds
    left: bool = False  # of a table: whether its cells are set to the left


# The brackets of a matrix, and of two things one over the other.
MATRICES = {("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("{", "}"): "Bmatrix"}
MATRICES |= {("|", "|"): "vmatrix", ("∣", "∣"): "vmatrix", ("‖", "‖"): "Vmatrix", ("∥", "∥"): "Vmatrix"}
TALL = re.compile(r"\\(?:[dtc]?frac|sum|prod|i{0,3}nt|oint|begin|[dt]?binom|atop|big[a-z]|underset|overset)")
WORD_END = re.compile(r"\\[a-zA-Z]++\Z")
LOOK_BACK = 24  # characters: no command is longer
WIDE = {"hat": "widehat", "tilde": "widetilde", "bar": "overline", "vec": "overrightarrow", "check": "widecheck"}
LIMITS = (
    "\\lim",
    "\\max",
    "\\min",
    "\\sup",
    "\\inf",
    "\\limsup",
    "\\liminf",
    "\\gcd",
    "\\det",
    "\\Pr",
    "\\operatorname*",
)
SIGNS = frozenset("+-−±∓∗*∼~")  # of what follows them, where nothing stands before
PRIMES = {"′": "'", "'": "'", "″": "''", "‴": "'''", "′′": "''", "′′′": "'''"}


def join(pieces: Sequence[TexPiece], *, stretched: bool = False) -> TexPiece:
    """Several pieces in a row; `stretched` says that its outer brackets are as tall as what they hold."""
    row = _fence_tables([piece for piece in pieces if piece.tex or piece.raw])
    if len(row) == 1:
        return row[0]
    if not row:
        return TexPiece("", "")
    first, last = row[0], row[-1]
    fenced = first.tag == last.tag == "mo" and first.raw in OPENING and last.raw in CLOSING
    if fenced:
        inner = _space(row[1:-1])
        if stretched or (first.stretches and last.stretches and TALL.search(inner)):
            tex = f"\\left{OPENING[first.raw].strip()} {inner} \\right{CLOSING[last.raw].strip()}"
            return TexPiece("", tex, atom=True)
    return TexPiece("", _space(row), atom=fenced)


def _space(row: Sequence[TexPiece]) -> str:
    """The TeX of a row, with blanks around operators, and where a command would run into a letter."""
    out: list[str] = []
    has_left = False  # whether what stands before could be an operand
    end = ""
    for at, piece in enumerate(row):
        tex = piece.tex
        after = row[at + 1] if at + 1 < len(row) else None
        if piece.tag == "mi" and after and after.raw == "\u2061" and tex.startswith(r"\mathrm{"):
            tex = r"\operatorname" + tex.removeprefix(r"\mathrm")
        if not tex:
            continue
        is_operator = piece.tag == "mo"
        if is_operator and piece.raw in BINARY and after and (has_left or piece.raw not in SIGNS):
            tex = f" {tex} "
        elif (is_operator and piece.raw in (",", ";")) or piece.tag == "big":
            tex += " "
        elif WORD_END.search(end) and tex[0].isalpha():
            tex = " " + tex
        has_left = not is_operator or (piece.raw not in BINARY and piece.raw not in "([{⟨⌈⌊,;")
        out.append(tex)
        end = tex[-LOOK_BACK:]
    return " ".join("".join(out).split())


def _fence_tables(row: list[TexPiece]) -> list[TexPiece]:
    """A row in which tables and their brackets have become matrices."""
    if not any(piece.body for piece in row):
        return row
    made: list[TexPiece] = []
    at = 0
    while at < len(row):
        piece = row[at]
        table = row[at + 1] if at + 1 < len(row) else None
        if piece.tag == "mo" and piece.raw in OPENING and table and table.body:
            close = row[at + 2].raw if at + 2 < len(row) and row[at + 2].tag == "mo" else ""
            matrix = _make_matrix(piece.raw, table, close)
            if matrix:
                made.append(matrix)
                at += 3 if close in CLOSING else 2
                continue
        made.append(piece)
        at += 1
    return made


def _make_matrix(opening: str, table: TexPiece, close: str) -> TexPiece | None:
    if table.tag == "mfrac":
        return TexPiece("", f"\\binom{{{table.body}}}", atom=True) if (opening, close) == ("(", ")") else None
    name = MATRICES.get((opening, close)) or ("cases" if opening == "{" and close not in CLOSING else None)
    if name is None or (name != "cases" and table.left):
        return None
    return TexPiece("", f"\\begin{{{name}}} {table.body} \\end{{{name}}}", atom=True)


def braced(tex: str) -> str:
    """What an argument of one letter or digit is without braces, and any other with them."""
    return tex if len(tex) == 1 and tex.isalnum() else f"{{{tex}}}"


def add_scripts(base: TexPiece, sub: str = "", sup: str = "", raw_sup: str = "") -> TexPiece:
    """Something with what stands below and above to its right."""
    if not (base.tex or sub or sup):
        return TexPiece("", "")
    tex = base.tex if base.atom and base.tex else f"{{{base.tex}}}"
    if sub:
        tex += "_" + braced(sub)
    if raw_sup in PRIMES:
        tex += PRIMES[raw_sup]
    elif sup:
        tex += "^" + braced(sup)
    return TexPiece("big" if base.tag == "big" else "", tex)


def add_over(base: TexPiece, over: TexPiece) -> TexPiece:
    """An accent, a line, a brace, an arrow with words, or anything else that stands over something."""
    name = OVER.get(over.raw)
    if name:
        is_letter = len(base.raw or base.tex) == 1
        is_wide = not is_letter and not (base.tex.startswith("\\") and base.tex[1:].isalpha())
        return TexPiece("", f"\\{WIDE.get(name, name) if is_wide else name}{{{base.tex}}}", atom=True)
    if base.tex.startswith(r"\overbrace"):
        return TexPiece("", f"{base.tex}^{braced(over.tex)}")
    if base.tag == "big" or base.tex.startswith(LIMITS):
        return add_scripts(base, sup=over.tex)
    if base.raw in ARROWS:
        return TexPiece("mo", f"\\{ARROWS[base.raw]}{{{over.tex}}}", base.raw)
    return TexPiece("", f"\\overset{{{over.tex}}}{{{base.tex}}}", atom=True)


def add_under(base: TexPiece, under: TexPiece) -> TexPiece:
    """The same below."""
    name = UNDER.get(under.raw)
    if name:
        return TexPiece("", f"\\{name}{{{base.tex}}}", atom=True)
    if base.tex.startswith(r"\underbrace"):
        return TexPiece("", f"{base.tex}_{braced(under.tex)}")
    if base.tex.startswith(r"\mathrm{"):
        base = base._replace(tex=r"\operatorname*" + base.tex.removeprefix(r"\mathrm"), atom=True)
    if base.tag == "big" or base.tex.startswith(LIMITS):
        return add_scripts(base, under.tex)
    return TexPiece("", f"\\underset{{{under.tex}}}{{{base.tex}}}", atom=True)
