"""Combine pieces of TeX: rows with spaces and brackets, scripts, accents, matrices."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bonmun.page.formulas.tex_symbols import ARROWS, BINARY, CLOSING, OPENING, OVER, UNDER

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["TexPiece", "add_braces", "add_over", "add_scripts", "add_under", "join"]


class TexPiece(NamedTuple):
    """A part of a formula in TeX, with the properties that its context needs."""

    tag: str  # tag of its MathML element; "big" for a sum or integral, "" for a combination
    tex: str
    raw: str = ""  # text of a token
    atom: bool = False  # whether scripts can follow it without braces
    body: str = ""  # of a table or binomial: the content between the brackets
    stretches: bool = True  # of a bracket: whether it grows with its content
    left: bool = False  # of a table: whether its cells are aligned left


# Brackets of matrices.
MATRICES = {("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("{", "}"): "Bmatrix"}
MATRICES |= {("|", "|"): "vmatrix", ("∣", "∣"): "vmatrix", ("‖", "‖"): "Vmatrix", ("∥", "∥"): "Vmatrix"}
TALL_COMMAND = re.compile(r"\\(?:[dtc]?frac|sum|prod|i{0,3}nt|oint|begin|[dt]?binom|atop|big[a-z]|underset|overset)")
WORD_END = re.compile(r"\\[a-zA-Z]++\Z")
MAX_COMMAND_CHARS = 24  # characters; no command is longer
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
SIGNS = frozenset("+-−±∓∗*∼~")  # unary if nothing comes before
PRIMES = {"′": "'", "'": "'", "″": "''", "‴": "'''", "′′": "''", "′′′": "'''"}


def join(pieces: Sequence[TexPiece], *, stretched: bool = False) -> TexPiece:
    """Combine pieces into a row; `stretched` says that its outer brackets grow with their content."""
    row = _fence_tables([piece for piece in pieces if piece.tex or piece.raw])
    if len(row) == 1:
        return row[0]
    if not row:
        return TexPiece("", "")
    first, last = row[0], row[-1]
    fenced = first.tag == last.tag == "mo" and first.raw in OPENING and last.raw in CLOSING
    if fenced:
        inner = _space(row[1:-1])
        if stretched or (first.stretches and last.stretches and TALL_COMMAND.search(inner)):
            tex = f"\\left{OPENING[first.raw].strip()} {inner} \\right{CLOSING[last.raw].strip()}"
            return TexPiece("", tex, atom=True)
    return TexPiece("", _space(row), atom=fenced)


def _space(row: Sequence[TexPiece]) -> str:
    """Return the TeX of a row, with spaces around operators, and between a command and a letter."""
    out: list[str] = []
    has_left = False  # whether the piece before could be an operand
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
        end = tex[-MAX_COMMAND_CHARS:]
    return " ".join("".join(out).split())


def _fence_tables(row: list[TexPiece]) -> list[TexPiece]:
    """Return the row with tables and the brackets around them combined into matrices."""
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


def add_braces(tex: str) -> str:
    """Return an argument in braces, unless it is a single letter or digit."""
    return tex if len(tex) == 1 and tex.isalnum() else f"{{{tex}}}"


def add_scripts(base: TexPiece, sub: str = "", sup: str = "", raw_sup: str = "") -> TexPiece:
    """Add a subscript and a superscript."""
    if not (base.tex or sub or sup):
        return TexPiece("", "")
    tex = base.tex if base.atom and base.tex else f"{{{base.tex}}}"
    if sub:
        tex += "_" + add_braces(sub)
    if raw_sup in PRIMES:
        tex += PRIMES[raw_sup]
    elif sup:
        tex += "^" + add_braces(sup)
    return TexPiece("big" if base.tag == "big" else "", tex)


def add_over(base: TexPiece, over: TexPiece) -> TexPiece:
    """Put an accent, a line, a brace, a label over an arrow, or anything else over a piece."""
    name = OVER.get(over.raw)
    if name:
        is_letter = len(base.raw or base.tex) == 1
        is_wide = not is_letter and not (base.tex.startswith("\\") and base.tex[1:].isalpha())
        return TexPiece("", f"\\{WIDE.get(name, name) if is_wide else name}{{{base.tex}}}", atom=True)
    if base.tex.startswith(r"\overbrace"):
        return TexPiece("", f"{base.tex}^{add_braces(over.tex)}")
    if base.tag == "big" or base.tex.startswith(LIMITS):
        return add_scripts(base, sup=over.tex)
    if base.raw in ARROWS:
        return TexPiece("mo", f"\\{ARROWS[base.raw]}{{{over.tex}}}", base.raw)
    return TexPiece("", f"\\overset{{{over.tex}}}{{{base.tex}}}", atom=True)


def add_under(base: TexPiece, under: TexPiece) -> TexPiece:
    """Put a line, a brace or anything else under a piece."""
    name = UNDER.get(under.raw)
    if name:
        return TexPiece("", f"\\{name}{{{base.tex}}}", atom=True)
    if base.tex.startswith(r"\underbrace"):
        return TexPiece("", f"{base.tex}_{add_braces(under.tex)}")
    if base.tex.startswith(r"\mathrm{"):
        base = base._replace(tex=r"\operatorname*" + base.tex.removeprefix(r"\mathrm"), atom=True)
    if base.tag == "big" or base.tex.startswith(LIMITS):
        return add_scripts(base, under.tex)
    return TexPiece("", f"\\underset{{{under.tex}}}{{{base.tex}}}", atom=True)
