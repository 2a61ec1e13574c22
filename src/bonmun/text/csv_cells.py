"""Texts as cells of CSV files."""

from __future__ import annotations

__all__ = ["escape_formula"]

FORMULA_STARTS = tuple("=+-@\t\r＝＋－＠")  # a spreadsheet would run such a cell as a formula


def escape_formula(text: str) -> str:
    """Return a text as a cell that no spreadsheet runs as a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
