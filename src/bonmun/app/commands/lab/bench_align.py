"""`bonmun bench align`: align gold texts with their pages."""

from __future__ import annotations

import errno
import gzip
import json
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, cast

import typer

from bonmun.app.commands.shared.arguments import CORES, Limit, Workers
from bonmun.app.commands.shared.inputs import read_set
from bonmun.app.commands.shared.shell import complain, output_to, say_count, stoppable, wrong_use
from bonmun.work.files import write_atomically
from bonmun.work.progress import show_progress

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["bench_align_command"]


def bench_align_command(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="Labelled set.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Output file of JSON lines, also .gz (default: stdout)."),
    ] = None,
    limit: Limit = None,
    workers: Workers = CORES,
) -> None:
    """Align gold texts with the leaves and blocks of their pages, as labels for training.

    Each line describes a page: id, url, lang, kind; `f1`, `precision` and `recall` of the aligned words, which tell how
    reliable the labels are; the indices of the aligned `blocks` and `leaves`, and how many there are.
    """
    from bonmun.lab.evaluate.labelling import label_pages

    says = "nothing was written." if output else "the output is incomplete."
    with wrong_use(), output_to(str(output) if output else None), stoppable(says):
        dataset = read_set(data, limit)
        total, failed = 0.0, 0
        with _open_output(output) as file, show_progress("Aligning", dataset.summary.count) as progress:
            for line in label_pages(dataset, workers):
                progress.advance()
                if "problem" in line:
                    failed += 1
                    complain(f"{line['id']}: {line['problem']}")
                    continue
                total += line["f1"]
                file.write(json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        good = dataset.summary.count - failed
        complain(f"{say_count(good, 'page')} aligned, {failed} not; word F1 of the leaves {total / max(good, 1):.4f}.")
        raise typer.Exit(1 if failed else 0)


@contextmanager
def _open_output(output: Path | None) -> Iterator[BinaryIO]:
    """Yield the output file, which appears when it is complete, or standard output."""
    if output is None:
        if sys.stdout is None:  # closed by the caller
            raise OSError(errno.EBADF, "it is closed")
        yield sys.stdout.buffer
        sys.stdout.flush()
        return
    with (
        write_atomically(output) as part,
        gzip.open(part, "wb") if output.name.endswith(".gz") else part.open("wb") as file,
    ):
        yield cast("BinaryIO", file)
