"""`bonmun agreement`: measure how far annotators agree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bonmun.app.commands.shared.shell import complain, output_to, say_count, show, wrong_use
from bonmun.errors import BadConfig, BonmunError

if TYPE_CHECKING:
    from bonmun.lab.annotate.agreement import Agreement

__all__ = ["agreement_command"]


def agreement_command(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="GOLD...", help="Gold files, one per annotator, named after them: kim.jsonl."),
    ],
    format_: Annotated[str, typer.Option("--format", "-f", metavar="text|json", help="Output format.")] = "text",
    disputed: Annotated[int, typer.Option(min=0, help="Number of disputed blocks to show.")] = 10,
) -> None:
    """Measure how far annotators agree on the blocks of the pages they share (Krippendorff's alpha).

    1 is perfect agreement, 0 is chance. Labels are reliable from about 0.8.
    """
    from bonmun.lab.annotate.comparing import compare_gold_files

    with wrong_use():
        if format_ not in ("text", "json"):
            raise BadConfig(f"Unknown format {format_!r}: choose text or json.")
    try:
        found = compare_gold_files(files, disputed)
    except BonmunError as problem:
        complain(str(problem))
        raise typer.Exit(1) from None
    for sentence in found.problems:
        complain(sentence)
    with output_to(None):
        show(json.dumps(found.to_dict(), ensure_ascii=False) if format_ == "json" else _write(found))


def _write(found: Agreement) -> str:
    """Format the agreement for a terminal."""
    from bonmun.text.terminal import format_table, shorten

    if found.alpha is None or found.kept_alpha is None:
        return f"{', '.join(found.annotators)} have no page in common."
    rows: list[list[str | int | float | None]] = [
        ["all labels", f"{found.alpha:.3f}"],
        ["kept or not", f"{found.kept_alpha:.3f}"],
    ]
    says = (
        f"{', '.join(found.annotators)}: {say_count(found.pages, 'page')} in common, {say_count(found.blocks, 'block')}"
    )
    parts = [says, format_table(["", "alpha"], rows)]
    if found.disputed:
        lines = [
            [each.page, ", ".join(f"{name}: {label}" for name, label in each.labels.items()), shorten(each.text, 60)]
            for each in found.disputed
        ]
        parts.append("Most disputed:\n\n" + format_table(["page", "labels", "text"], [[*line] for line in lines]))
    return "\n\n".join(parts)
