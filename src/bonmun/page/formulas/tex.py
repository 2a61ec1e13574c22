"""The class Formula, and the clean-up of its TeX: on one line, safe between dollar signs in any output format."""

from __future__ import annotations

import re
from typing import NamedTuple

from bonmun.text.readable import drop_unreadable

__all__ = ["Formula", "clean_tex", "unwrap_tex"]


class Formula(NamedTuple):
    """A formula of a page."""

    tex: str
    is_display: bool  # on its own line

    @property
    def text(self) -> str:
        """TeX between dollar signs: `$TeX$`, or `$$TeX$$` on its own line."""
        return f"$${self.tex}$$" if self.is_display else f"${self.tex}$"


COMMENT = re.compile(r"(?<!\\)%[^\n]*+\n?")
DOLLARS = re.compile(r"\\\\|\\\$|\$\$?")
TAG_START = re.compile(r"<(?=[A-Za-z/!?])")
STYLE_START = re.compile(r"\\(?:displaystyle|textstyle)(?![A-Za-z])\s{0,9}+")
FENCES = (("$$", "$$", True), (r"\[", r"\]", True), (r"\(", r"\)", False), ("$", "$", False))


def clean_tex(tex: str) -> str:
    r"""Return TeX without comments, line breaks and redundant style commands; dollar signs become `\(…\)`.

    A space is put after every `<` that could open a tag, so that no output format takes TeX for markup.
    """
    if "%" in tex:
        tex = COMMENT.sub("", tex)
    tex = " ".join(drop_unreadable(tex).split())
    tex, _ = unwrap_tex(tex)
    if tex.startswith("{") and tex.endswith("}") and STYLE_START.match(tex, 1) and _closes_last(tex):
        tex = tex[1:-1]
    tex = STYLE_START.sub("", tex, count=1).strip() if STYLE_START.match(tex) else tex
    if "$" in tex:
        tex = _replace_dollars(tex)
    if tex.endswith("\\") and (len(tex) - len(tex.rstrip("\\"))) % 2:  # it would escape the dollar sign after it
        tex += " "
    return TAG_START.sub("< ", tex) if "<" in tex else tex


def unwrap_tex(text: str) -> tuple[str, bool | None]:
    """Return TeX without its delimiters, and whether they are those of a display formula; None if there are none."""
    text = text.strip()
    for opening, close, is_display in FENCES:
        if text.startswith(opening) and text.endswith(close) and len(text) > len(opening + close):
            inner = text[len(opening) : -len(close)]
            if close not in inner:
                return inner.strip(), is_display
    return text, None


def _closes_last(tex: str) -> bool:
    """Return whether the first brace is closed by the last."""
    depth = 0
    for at, sign in enumerate(tex):
        if sign == "{" and tex[at - 1 : at] != "\\":
            depth += 1
        elif sign == "}" and tex[at - 1 : at] != "\\":
            depth -= 1
            if not depth:
                return at == len(tex) - 1
    return False


def _replace_dollars(tex: str) -> str:
    count = sum(1 for found in DOLLARS.finditer(tex) if found[0][0] == "$")
    number = 0

    def replace(found: re.Match[str]) -> str:
        nonlocal number
        if found[0][0] != "$":
            return found[0]
        number += 1
        if number == count and count % 2:
            return r"\$"
        return r"\(" if number % 2 else r"\)"

    return DOLLARS.sub(replace, tex)
