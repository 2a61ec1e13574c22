"""`bonmun gold init`: write drafts of gold texts to correct in an editor."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bonmun.app.commands.shared.arguments import PAGES_HELP
from bonmun.app.commands.shared.failures import name_once
from bonmun.app.commands.shared.open_pages import open_inputs
from bonmun.app.commands.shared.settings import take_settings
from bonmun.app.commands.shared.shell import complain, output_to, say_count, stoppable, wrong_use
from bonmun.errors import BonmunError
from bonmun.extraction import Extraction
from bonmun.work.progress import show_progress

if TYPE_CHECKING:
    from bonmun.lab.annotate.page_sources import PageSource

__all__ = ["gold_init_command"]

PAGE_NAME = re.compile(r"\.(?:x?html?|snapshot)(?:\.gz)?$", re.I)


@take_settings(Extraction, into="extraction", only="encoding max_bytes allow_private timeout")
def gold_init_command(
    names: Annotated[list[str], typer.Argument(metavar="PAGES...", help=PAGES_HELP)],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Output folder for the drafts.")],
    extraction: Extraction,
) -> None:
    """Write each page as NAME.html with a draft of its gold text, NAME.md, to correct in an editor.

    A draft becomes gold when you delete its line `draft: true`. Existing files are never changed. Check the result
    with `bonmun gold check DIR`.
    """
    failed = written = before = 0
    with wrong_use(), output_to(str(output)), stoppable("run the same command to resume."):
        from bonmun.lab.annotate.page_sources import parse_source
        from bonmun.lab.gold.labelling_files import write_draft
        from bonmun.pipeline import extract

        open_pages = open_inputs(names, extraction)
        output.mkdir(parents=True, exist_ok=True)
        with show_progress("Drafting", len(open_pages)) as progress:
            for page in open_pages.pages:
                try:
                    source = open_pages.load(page.number)
                    doc = extract(parse_source(source))
                    if write_draft(output, _choose_name(page.name), _read_html(source), doc):
                        written += 1
                    else:
                        before += 1
                except BonmunError as problem:
                    failed += 1
                    complain(name_once(page.name, str(problem)))
                progress.advance()
    if before:
        complain(f"{say_count(before, 'page')} existed before and did not change.")
    complain(f"{output}: {written:,} new drafts. Correct the .md files, delete their line `draft: true`, then:")
    complain(f"bonmun gold check {output}")
    raise typer.Exit(1 if failed else 0)


def _choose_name(name: str) -> str:
    """Return a file name for a page: the whole URL, or the file name without its suffix."""
    from bonmun.snapshots import make_stem

    plain = PAGE_NAME.sub("", name if "://" in name else name.replace("\\", "/").rstrip("/").rpartition("/")[2])
    stem = make_stem(plain).lstrip("-")
    return f"{stem}-page" if stem.lower() == "readme" else stem


def _read_html(source: PageSource) -> str:
    """Return the page as text. Valid UTF-8 is decoded as UTF-8, whatever the page declares."""
    from bonmun.page.parse.decode import decode
    from bonmun.snapshots import is_snapshot, read_snapshot

    if is_snapshot(source.body):
        return read_snapshot(source.body).html
    return decode(source.body, source.encoding, source.url)[0]
