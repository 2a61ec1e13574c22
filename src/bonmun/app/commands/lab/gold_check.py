"""`bonmun gold check`: check the corrected drafts of `bonmun gold init`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bonmun.app.commands.shared.shell import complain, output_to, show, wrong_use
from bonmun.errors import BadConfig
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from bonmun.lab.gold.checking import CheckedPage

__all__ = ["gold_check_command"]

MIN_PAGES = 5  # for fine-tuning, as in lab/train/finetune.py


def gold_check_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Output folder of `bonmun gold init`.")],
) -> None:
    """Check labelled files: what was changed, what is not on the page, and what cannot be read."""
    with wrong_use(), output_to(None):
        from bonmun.lab.gold.checking import check_folder
        from bonmun.lab.gold.examples import BrokenRecord

        if not folder.is_dir():
            raise BadConfig(f"The folder {folder} does not exist: create it with `bonmun gold init PAGES -o {folder}`.")
        done: list[CheckedPage] = []
        drafts = broken = 0
        for page in check_folder(folder):
            if not isinstance(page, BrokenRecord):
                done.append(page)
                show(_format_page(page))
            elif page.lacks_gold:
                drafts += 1
            else:
                broken += 1
                complain(f"{make_readable(page.name)}: {page.reason}.")
        if not (done or drafts or broken):
            raise BadConfig(f"{folder} contains no drafts: create some with `bonmun gold init PAGES -o {folder}`.")
        show(_format_summary(folder, done, drafts, broken))
    raise typer.Exit(1 if broken else 0)


def _format_page(page: CheckedPage) -> str:
    """Format a page with its changes and warnings."""
    says = "unchanged" if not page.changes else "changed"
    known = "" if page.f1 is None else f", word F1 of the draft {page.f1:.3f}"
    lines = [f"{make_readable(page.name)}: {says}{known}"]
    lines += [f"    {make_readable(change)}" for change in page.changes]
    lines += [f"  ! {make_readable(warning)}" for warning in page.warnings]
    return "\n".join(lines)


def _format_summary(folder: Path, done: list[CheckedPage], drafts: int, broken: int) -> str:
    """Format the number of pages in each state, and what to do next."""
    counts = [f"{len(done):,} labelled", f"{drafts:,} still drafts", f"{broken:,} unreadable"]
    lines = ["", f"{', '.join(counts)}."]
    rated = [page.f1 for page in done if page.f1 is not None]
    if rated:
        lines.append(f"The drafts have a word F1 of {sum(rated) / len(rated):.3f}.")
    name = shlex.quote(str(folder))
    if done:
        lines.append(f"Measure with:   bonmun bench {name}")
    if len(done) >= MIN_PAGES:
        lines.append(f"Fine-tune with: bonmun train {name}")
    else:
        lines.append(f"Label at least {MIN_PAGES} pages to fine-tune the default with them.")
    return "\n".join(lines)
