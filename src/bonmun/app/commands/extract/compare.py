"""`bonmun compare`: what each method makes of one page."""

from __future__ import annotations

import json
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import Annotated

import typer

from bonmun.app.commands.shared.arguments import MAX_BYTES, Favour, ModelFile, Title
from bonmun.app.commands.shared.completions import complete_methods
from bonmun.app.commands.shared.failures import name_once
from bonmun.app.commands.shared.shell import check_encoding, complain, output_to, show, wrong_use
from bonmun.app.commands.shared.sources import find_sources
from bonmun.errors import BadConfig, BonmunError
from bonmun.options import Options

__all__ = ["compare_command"]


def compare_command(
    name: Annotated[
        str, typer.Argument(metavar="PATH|URL|-", help="A file, a folder with one page, a URL; - is stdin.")
    ],
    method: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            "-m",
            help="Compare these; give it more than once. Else all.",
            autocompletion=complete_methods,
        ),
    ] = None,
    model: ModelFile = None,
    favour: Favour = "balanced",
    gold: Annotated[Path | None, typer.Option(metavar="FILE", help="The right text, for the F1 of each.")] = None,
    format_: Annotated[str, typer.Option("--format", "-f", metavar="text|json")] = "text",
    url: Annotated[str | None, typer.Option(help="Where the page on stdin, or the file, came from.")] = None,
    title: Title = None,
    encoding: Annotated[str | None, typer.Option(help="What the page is written in, if you know.")] = None,
    max_bytes: Annotated[int, typer.Option(help="Refuse a larger page.")] = MAX_BYTES,
    allow_private: Annotated[bool, typer.Option("--allow-private", help="The URL may lead into this network.")] = False,
) -> None:
    """Show what each method makes of one page, and how far any two agree.

    With `--model` or `--favour`, auto is shown as it comes and, in a row of its own, with them.
    """
    from bonmun.compare import compare, make_methods

    with wrong_use():
        make_methods(method or (), title, model, favour)  # wrong ones are named before the page is read
        options = Options(encoding=encoding, max_bytes=max_bytes, allow_private=allow_private)
        if format_ not in ("text", "json"):
            raise BadConfig(f"Unknown format {format_!r}: choose text or json.")
        check_encoding(encoding)
        right = _read_gold(gold) if gold else None
        sources = list(find_sources([name]))
        if len(sources) != 1:
            raise BadConfig(f"compare takes one page; there are {len(sources)} in {name!r}.")
    source = sources[0]
    try:
        with wrong_use():
            found = compare(source.load(options, url), method or (), right, title, model, favour)
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
        raise BadConfig(f"{path}: cannot be read: {problem.strerror}.") from None
    except UnicodeDecodeError:
        raise BadConfig(f"{path}: the right text is read as UTF-8, and this is not.") from None
