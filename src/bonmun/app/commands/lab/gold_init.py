"""`bonmun gold init`: pages as files that people label in any editor."""

from __future__ import annotations

import re
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from bonmun.app.commands.shared.arguments import MAX_BYTES, AllowPrivate, MaxPageBytes
from bonmun.app.commands.shared.failures import name_once
from bonmun.app.commands.shared.open_pages import open_inputs
from bonmun.app.commands.shared.shell import complain, output_to, stoppable, wrong_use
from bonmun.errors import BonmunError
from bonmun.options import Options
from bonmun.work.progress import show_progress

if TYPE_CHECKING:
    from bonmun.lab.annotate.page_sources import PageSource

__all__ = ["gold_init_command"]

PAGE_NAME = re.compile(r"\.(?:x?html?|snapshot)(?:\.gz)?$", re.I)


def gold_init_command(
    names: Annotated[
        list[str],
        typer.Argument(metavar="PAGES...", help="HTML files, folders of them, URLs, .jsonl, .warc, .parquet."),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="A folder for the files.")],
    allow_private: AllowPrivate = False,
    max_bytes: MaxPageBytes = MAX_BYTES,
) -> None:
    """Write each page as NAME.html, and what the default makes of it as NAME.md: a draft to correct in any editor.

    A file is gold once its line `draft: true` is deleted. Files that are there are never changed. Then: `bonmun gold
    check DIR`.
    """
    failed = written = before = 0
    with wrong_use(), output_to(str(output)), stoppable("the same command goes on from here."):
        from bonmun.lab.annotate.page_sources import parse_source
        from bonmun.lab.gold.labelling_files import write_draft
        from bonmun.pipeline import extract

        open_pages = open_inputs(names, Options(max_bytes=max_bytes, allow_private=allow_private))
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
        complain(f"{before:,} pages were there before, and are left as they are.")
    complain(f"{output}: {written:,} new drafts. Correct the .md files, delete their line `draft: true`, then:")
    complain(f"bonmun gold check {output}")
    raise typer.Exit(1 if failed else 0)


def _choose_name(name: str) -> str:
    """A plain name for the files of a page: of a URL all of it, of a file its own without the ending."""
    from bonmun.snapshots import make_stem

    plain = PAGE_NAME.sub("", name if "://" in name else name.replace("\\", "/").rstrip("/").rpartition("/")[2])
    stem = make_stem(plain).lstrip("-")
    return f"{stem}-page" if stem.lower() == "readme" else stem


def _read_html(source: PageSource) -> str:
    """The page as text: what is written as UTF-8 is read as that, whatever it says of itself."""
    from bonmun.page.parse.decode import decode
    from bonmun.snapshots import is_snapshot, read_snapshot

    if is_snapshot(source.body):
        return read_snapshot(source.body).html
    return decode(source.body, source.encoding, source.url)[0]
