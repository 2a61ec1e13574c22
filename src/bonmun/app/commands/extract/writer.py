"""Write documents to files or to standard output; no file is ever half-written."""

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

    from bonmun.app.commands.extract.presentation import Presentation, TableType
    from bonmun.app.commands.shared.sources import Source
    from bonmun.document import Document

__all__ = ["DocumentWriter", "add_heading", "check_joinable", "find_table", "is_folder"]


class DocumentWriter:
    """Write each document to `output`: one file each in a folder, or all of them to a file or stdout.

    Several texts in one stream get a heading with their name, as in `head` and `tail`. JSON documents and chunks are
    one line each. Files are written next to their place and renamed when they are complete.
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
        self.files = ExitStack()  # to be closed
        self.is_empty = True
        if several and not self.folder:
            check_joinable(presentation)

    def __enter__(self) -> DocumentWriter:
        if self.path is None:
            if sys.stdout is None:  # the caller closed it
                raise OSError(errno.EBADF, "it is closed")
            self.stream = sys.stdout.buffer
        elif self.folder:
            self.folder.create()
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
            self.folder.write(source.stem, self.presentation.suffix, data)
            return
        assert self.stream is not None
        if self.several and not self.presentation.has_names:
            data = add_heading(source.name, data, is_first=self.is_empty)
        self.is_empty = False
        self.stream.write(data)
        if self.path is None:
            self.stream.flush()


def is_folder(output: str, *, several: bool) -> bool:
    """Whether results go to a folder: it exists, its name ends with a slash, or there are several results."""
    return Path(output).is_dir() or output.endswith(("/", os.sep)) or (several and not Path(output).suffix)


def find_table(output: str | None) -> TableType | None:
    """Return the type of table that a file holds, by its suffix."""
    tables: dict[str, TableType] = {".jsonl": "jsonl", ".parquet": "parquet"}
    return None if output is None or is_folder(output, several=False) else tables.get(Path(output).suffix.lower())


def check_joinable(presentation: Presentation) -> None:
    """Raise BadConfig if several documents do not fit into one file or stream."""
    if not presentation.is_joinable:
        raise BadConfig(
            f"Several {presentation.format} documents do not fit into one file: give a folder with --output."
        )


def add_heading(name: str, data: bytes, *, is_first: bool) -> bytes:
    """Return a text with its name as a heading."""
    return (b"" if is_first else b"\n") + f"==> {name} <==\n\n".encode("utf-8", "replace") + data
