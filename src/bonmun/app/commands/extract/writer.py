"""Documents in, files or standard output out; nothing is ever half-written."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from bonmun.errors import BadConfig
from bonmun.work.files import write_atomically
from bonmun.work.folders import ResultFolder

if TYPE_CHECKING:
    from types import TracebackType

    from bonmun.app.commands.extract.presentation import Presentation, Table
    from bonmun.app.commands.shared.sources import Source
    from bonmun.document import Document

__all__ = ["Writer", "check_joinable", "find_table", "is_folder", "put_name_over"]


class Writer:
    """Writes each document where `output` says: a folder gets a file for each, a file or stdout gets them all.

    Several texts in one stream stand under a line with their name each, as `head` and `tail` do it; several JSON
    documents are a line each, and so is every chunk. Files are written beside their place and renamed when they are
    whole.
    """

    def __init__(
        self, presentation: Presentation, output: str | None, *, several: bool, from_folder: bool = False
    ) -> None:
        self.presentation = presentation
        self.several = several
        self.path = Path(output) if output is not None else None
        self.folder: ResultFolder | None = None
        if output is not None and is_folder(output, several=several or from_folder):
            self.folder = ResultFolder(output)
        self.stream: BinaryIO | None = None
        self.files = ExitStack()  # what is to be closed
        self.is_empty = True
        if several and not self.folder:
            check_joinable(presentation)

    def __enter__(self) -> Writer:
        if self.path is None:
            if sys.stdout is None:  # closed by the caller
                raise OSError(errno.EBADF, "it is closed")
            self.stream = sys.stdout.buffer
        elif self.folder:
            self.folder.make()
        else:
            self.part = self.files.enter_context(write_atomically(self.path))
            self.stream = self.files.enter_context(self.part.open("wb"))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.path is None:
            sys.stdout.flush()
        elif self.stream is not None and self.is_empty:
            self.part.unlink()
        self.files.__exit__(kind, error, trace)

    def write(self, source: Source, document: Document) -> None:
        """Write one document."""
        data = self.presentation.write(document, source.name)
        if self.folder:
            self.folder.write(source.stem, self.presentation.ending, data)
            return
        assert self.stream is not None
        if self.several and not self.presentation.has_names:
            data = put_name_over(source.name, data, is_first=self.is_empty)
        self.is_empty = False
        self.stream.write(data)
        if self.path is None:
            self.stream.flush()


def is_folder(output: str, *, several: bool) -> bool:
    """Whether a place for results is a folder: it is one, or ends like one, or several results go there."""
    return Path(output).is_dir() or output.endswith(("/", os.sep)) or (several and not Path(output).suffix)


def find_table(output: str | None) -> Table | None:
    """The table that a file is to hold, by its name."""
    tables: dict[str, Table] = {".jsonl": "jsonl", ".parquet": "parquet"}
    return None if output is None or is_folder(output, several=False) else tables.get(Path(output).suffix.lower())


def check_joinable(presentation: Presentation) -> None:
    """Raise if several documents cannot stand in one file or stream."""
    if not presentation.is_joinable:
        raise BadConfig(
            f"Several pages do not fit into one {presentation.format} document: give a folder with --output."
        )


def put_name_over(name: str, data: bytes, *, is_first: bool) -> bytes:
    """A text under a line that says whose it is."""
    return (b"" if is_first else b"\n") + f"==> {name} <==\n\n".encode("utf-8", "replace") + data
