"""`bonmun objects`: what a page is about, as typed records."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bonmun.app.commands.shared.failures import name_once
from bonmun.app.commands.shared.settings import take_settings
from bonmun.app.commands.shared.shell import check_encoding, complain, output_to, show, wrong_use
from bonmun.app.commands.shared.sources import find_sources
from bonmun.errors import BadConfig, BonmunError
from bonmun.extraction import Extraction
from bonmun.pipeline import extract

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.objects.records import PageObject

__all__ = ["objects_command"]

VALUE_CHARS = 100  # of a value in the table
SHOWN_VALUES = 30  # of a list in the table


@take_settings(Extraction, into="extraction", only="method encoding max_bytes allow_private timeout crawled")
def objects_command(
    name: Annotated[
        str, typer.Argument(metavar="PATH|URL|-", help="File, folder with one page, or URL; - reads stdin.")
    ],
    extraction: Extraction,
    format_: Annotated[str, typer.Option("--format", "-f", metavar="text|json", help="Output format.")] = "text",
    url: Annotated[
        str | None, typer.Option(help="URL of the page on stdin or in a file.", rich_help_panel="Reading")
    ] = None,
) -> None:
    """Show what a page is about: recipes, products and more, each field with its source and confidence."""
    with wrong_use():
        if format_ not in ("text", "json"):
            raise BadConfig(f"Unknown format {format_!r}: choose text or json.")
        check_encoding(extraction.encoding)
        sources = list(find_sources([name]))
        if len(sources) != 1:
            raise BadConfig(f"objects takes one page; there are {len(sources)} in {name!r}.")
    source = sources[0]
    try:
        with wrong_use():
            doc = extract(source.load(extraction, url), method=extraction.method, options=extraction)
            found = doc.objects
    except BonmunError as problem:
        complain(name_once(source.name, str(problem)))
        raise typer.Exit(1) from None
    with output_to(None):
        if format_ == "json":
            values = {"input": source.name, "url": doc.url, "objects": [each.to_dict() for each in found]}
            show(json.dumps(values, ensure_ascii=False))
        else:
            show(write_table(found) or "No objects were found.")


def write_table(objects: Sequence[PageObject]) -> str:
    """Return a table of fields, values and sources; each value of a list has a line."""
    lines = []
    for each in objects:
        width = max(map(len, each.fields), default=0)
        lines += [each.type]
        for name, field in each.fields.items():
            values = list(_write_values(field.value))
            lines += [f"  {name:{width}}  {values[0]}  ({field.source}, {field.confidence:.2f})"]
            lines += [f"  {'':{width}}  {value}" for value in values[1:]]
            for other in field.others:
                shown = " / ".join(_write_values(other.value))
                lines += [f"  {'':{width}}  {other.source} says: {shown[:VALUE_CHARS]}"]
    return "\n".join(lines)


def _write_values(value: Any) -> Iterator[str]:
    """Yield the lines of a value; a dict by its text, if it has one."""
    if isinstance(value, list):
        for each in value[:SHOWN_VALUES]:
            yield next(_write_values(each))
        if len(value) > SHOWN_VALUES:
            yield f"… and {len(value) - SHOWN_VALUES} more"
    elif isinstance(value, dict):
        text = value.get("text") or value.get("name") or ", ".join(f"{name} {each}" for name, each in value.items())
        yield str(text)[:VALUE_CHARS]
    else:
        yield str(value)[:VALUE_CHARS]
