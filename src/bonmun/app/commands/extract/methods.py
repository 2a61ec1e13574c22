"""`bonmun methods`: which methods there are."""

from __future__ import annotations

import typer

from bonmun.algorithms import methods

__all__ = ["methods_command"]


def methods_command() -> None:
    """List the methods: their names, what each needs, and what it does."""
    rows = methods()
    widths = [max(len(getattr(row, column)) for row in rows) for column in ("name", "needs")]
    for row in rows:
        typer.echo(f"{row.name:{widths[0]}}  {row.needs:{widths[1]}}  {row.says}")
