"""`bonmun compare`: compare methods on one page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from bonmun.app.commands.shared.completions import complete_methods
from bonmun.app.commands.shared.failures import name_once
from bonmun.app.commands.shared.settings import take_settings
from bonmun.app.commands.shared.shell import check_encoding, complain, output_to, show, wrong_use
from bonmun.app.commands.shared.sources import find_sources
from bonmun.errors import BadConfig, BonmunError
from bonmun.extraction import Extraction

__all__ = ["compare_command"]


@take_settings(Extraction, into="extraction", only="model favour title rules encoding max_bytes allow_private timeout")
def compare_command(
    name: Annotated[
        str, typer.Argument(metavar="PATH|URL|-", help="File, folder with one page, or URL; - reads stdin.")
    ],
    extraction: Extraction,
    method: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            "-m",
            help="Method to compare; may be repeated (default: all).",
            autocompletion=complete_methods,
        ),
    ] = None,
    gold: Annotated[Path | None, typer.Option(metavar="FILE", help="Gold text; shows the F1 of each method.")] = None,
    format_: Annotated[str, typer.Option("--format", "-f", metavar="text|json", help="Output format.")] = "text",
    url: Annotated[
        str | None, typer.Option(help="URL of the page on stdin or in a file.", rich_help_panel="Reading")
    ] = None,
) -> None:
    """Compare methods on one page: how much each keeps, and how far any two agree.

    With --model or --favour, auto is shown twice: with its defaults and with these settings. Rules are only used if
    --rules names them.
    """
    from bonmun.compare import compare, make_methods

    with wrong_use():
        make_methods(method or (), extraction)  # reports wrong settings before the page is read
        if format_ not in ("text", "json"):
            raise BadConfig(f"Unknown format {format_!r}: choose text or json.")
        check_encoding(extraction.encoding)
        right = _read_gold(gold) if gold else None
        sources = list(find_sources([name]))
        if len(sources) != 1:
            raise BadConfig(f"compare takes one page; there are {len(sources)} in {name!r}.")
    source = sources[0]
    try:
        with wrong_use():
            found = compare(source.load(extraction, url), method or (), right, extraction)
    except BonmunError as problem:
        complain(name_once(source.name, str(problem)))
        raise typer.Exit(1) from None
    with output_to(None):
        values = {"input": source.name} | found.to_dict()
        show(json.dumps(values, ensure_ascii=False) if format_ == "json" else found.table())


def _read_gold(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as problem:
        raise BadConfig(f"Cannot read {path}: {problem.strerror}.") from None
    except UnicodeDecodeError:
        raise BadConfig(f"{path} is not UTF-8: save the gold text as UTF-8.") from None
