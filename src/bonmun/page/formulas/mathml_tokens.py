"""Convert MathML tokens to TeX: identifiers, numbers, operators, text, spaces."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.page.formulas.tex_pieces import TexPiece
from bonmun.page.formulas.tex_symbols import BIG, FUNCTIONS, VARIANTS, escape_text, write_character

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Element

__all__ = ["TOKENS", "write_characters", "write_token", "write_words"]

TOKENS = frozenset({"mi", "mn", "mo", "mtext", "ms", "mspace", "mglyph", "none", "mprescripts"})
LENGTH = re.compile(r"\s{0,9}(-?[0-9]{0,4}(?:\.[0-9]{1,9})?)\s{0,9}(em|ex|px|pt|mu)?")
IN_EM = {"em": 1, "ex": 0.43, "px": 0.06, "pt": 0.1, "mu": 0.056, None: 1}
SPACES = ((1.5, r"\qquad"), (0.8, r"\quad"), (0.26, r"\;"), (0.2, r"\:"), (0.1, r"\,"))


def write_token(element: Element) -> TexPiece:
    """Convert an element without child elements."""
    tag = element.tag
    if tag == "mspace":
        return _write_space(element)
    if tag in ("none", "mprescripts"):
        return TexPiece(tag, "")
    if tag == "mglyph":
        return write_words(" ".join((element.attr("alt") or "").split()))
    raw = " ".join(element.text.split())
    if tag == "mtext":
        text = element.text.replace("\u00a0", " ")
        words = " ".join(text.split())
        return write_words((" " if text[:1].isspace() else "") + words + (" " if words and text[-1:].isspace() else ""))
    if tag == "ms":
        quotes = element.attr("lquote") or '"', element.attr("rquote") or '"'
        return write_words(quotes[0] + raw + quotes[1])
    variant = element.attr("data-mjx-variant") or element.attr("mathvariant") or ""
    if tag == "mo":
        tex = "".join(write_characters(raw)) if not raw.isalpha() or len(raw) == 1 else _write_name(raw, "normal")
        kind = "big" if raw in BIG and raw else "mo"
        return TexPiece(kind, tex, raw, atom=True, stretches=element.attr("stretchy") != "false")
    if tag == "mn":
        if raw.replace(".", "").isdecimal():
            return TexPiece(tag, _style(raw, variant) if variant != "normal" else raw, raw, atom=len(raw) == 1)
        tex = "{,}".join("".join(write_characters(part)) for part in raw.split(","))
        return TexPiece(tag, _style(tex, variant) if variant != "normal" else tex, raw)
    return TexPiece(tag, _write_name(raw, variant), raw, atom=True)


def _write_name(raw: str, variant: str) -> str:
    """Convert the content of an `<mi>`: one letter, or the upright name of a function."""
    if raw in FUNCTIONS and variant in ("", "normal"):
        return "\\" + raw
    tex = "".join(write_characters(raw))
    if len(raw) > 1 and not variant and raw.replace(" ", "").isalnum():
        return f"\\mathrm{{{tex}}}"
    if variant == "normal" and not (raw.isascii() and raw[:1].isalpha()):
        return tex
    return _style(tex, variant)


def _style(tex: str, variant: str) -> str:
    command = VARIANTS.get(variant)
    if command == "mathbf" and tex.startswith("\\"):
        command = "boldsymbol"
    return f"\\{command}{{{tex}}}" if command and tex else tex


def write_characters(raw: str) -> Iterator[str]:
    """Yield the TeX of each character; a command and a letter after it are separated by a space."""
    command = False
    for character in raw:
        tex = write_character(character)
        yield " " + tex if command and tex[:1].isalpha() else tex
        command = len(tex) > 1 and tex[0] == "\\" and tex[-1].isalpha()


def write_words(text: str) -> TexPiece:
    """Convert words within a formula; whitespace alone becomes a space."""
    if not text:
        return TexPiece("mtext", "")
    if text.isspace():
        return TexPiece("mtext", r"\ ", " ")
    return TexPiece("mtext", f"\\text{{{escape_text(text)}}}", text.strip(), atom=True)


def _write_space(element: Element) -> TexPiece:
    if element.attr("linebreak") == "newline":
        return TexPiece("mspace", r"\\", " ")
    found = LENGTH.match(element.attr("width") or "0")
    try:
        width = float(found[1]) * IN_EM[found[2]] if found else 0.0
    except ValueError:
        width = 0.0
    tex = r"\!" if width < -0.1 else next((tex for least, tex in SPACES if width >= least), "")
    return TexPiece("mspace", tex)
