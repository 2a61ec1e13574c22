"""`bonmun diff`: what changed between two versions of a page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from bonmun.app.commands.shared.failures import name_once
from bonmun.app.commands.shared.settings import take_settings
from bonmun.app.commands.shared.shell import check_encoding, complain, output_to, show, wrong_use
from bonmun.app.commands.shared.sources import find_sources
from bonmun.errors import BadConfig, BonmunError
from bonmun.extraction import Extraction
from bonmun.pipeline import extract
from bonmun.text.changes import find_changes, write_changes

if TYPE_CHECKING:
    from bonmun.document import Document

__all__ = ["diff_command"]


@take_settings(
    Extraction,
    into="extraction",
    only="method model favour rules comments encoding max_bytes allow_private timeout",
)
def diff_command(
    old: Annotated[str, typer.Argument(metavar="OLD", help="File or URL of the old version; - reads stdin.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="File or URL of the new version.")],
    extraction: Extraction,
    format_: Annotated[str, typer.Option("--format", "-f", metavar="text|json", help="Output format.")] = "text",
) -> None:
    """Show what changed in the main text between two versions of a page.

    Lines start with + for an added block, - for a removed one and ~ for a changed one, whose words are marked.
    """
    from bonmun.scale.web.watched import explain_briefly, list_blocks

    with wrong_use():
        if format_ not in ("text", "json"):
            raise BadConfig(f"Unknown format {format_!r}: choose text or json.")
        check_encoding(extraction.encoding)
    docs = [_load(name, extraction) for name in (old, new)]
    for name, doc in zip((old, new), docs, strict=True):
        if not doc.blocks:
            complain(f"{name}: {explain_briefly(doc)}.")
    changes = find_changes(*map(list_blocks, docs))
    with output_to(None):
        if format_ == "json":
            show(
                json.dumps(
                    {"old": old, "new": new, "changes": [each.to_dict() for each in changes]}, ensure_ascii=False
                )
            )
        elif changes:
            show(write_changes(changes))
        else:
            complain("The main text is the same.")


def _load(name: str, extraction: Extraction) -> Document:
    """Extract the page that a name leads to, or end with status 1."""
    with wrong_use():
        sources = list(find_sources([name]))
        if len(sources) != 1:
            raise BadConfig(f"diff compares two pages; there are {len(sources)} in {name!r}.")
    try:
        with wrong_use():
            return extract(sources[0].load(extraction), method=extraction.method, options=extraction)
    except BonmunError as problem:
        complain(name_once(name, str(problem)))
        raise typer.Exit(1) from None
