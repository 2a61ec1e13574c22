"""Documents in, files or standard output out; nothing is ever half-written."""

from __future__ import annotations

import errno
import json
import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from bonmun.errors import BadConfig
from bonmun.explain import explain, write_explanation
from bonmun.outputs import FORMATS
from bonmun.outputs.chunking import DEFAULT_WORDS
from bonmun.outputs.chunks import CHUNKS, write_chunks
from bonmun.work.files import write_beside
from bonmun.work.folders import ResultFolder

if TYPE_CHECKING:
    from types import TracebackType

    from bonmun.commands.sources import Source
    from bonmun.document import Document

__all__ = ["Writer"]

JOINABLE = frozenset({"text", "markdown", "json", CHUNKS})  # several results make one stream; HTML and XML pages do not


LINES = frozenset({"json", CHUNKS})  # several results are lines that say whose they are
ENDINGS = FORMATS | {CHUNKS: ".chunks.jsonl"}


class Writer:
    """Writes each document where `output` says: a folder gets a file for each, a file or stdout gets them all.

    Several texts in one stream stand under a line with their name each, as `head` and `tail` do it; several JSON
    documents are a line each, and so is every chunk. Files are written beside their place and renamed when they are
    whole. With `explain`, the decisions are written instead of the document.
    """

    def __init__(
        self,
        format_: str,
        output: str | None,
        *,
        several: bool,
        from_folder: bool = False,
        explain: bool = False,
        front_matter: bool = False,
        posts: bool = False,
        chunk_words: int = DEFAULT_WORDS,
        chunk_overlap: int = 0,
    ) -> None:
        self.format = format_
        self.front_matter = front_matter  # whether Markdown stands under the facts
        self.posts = posts  # and says who wrote each post
        self.chunk_words = chunk_words
        self.chunk_overlap = chunk_overlap
        self.explain = explain
        self.several = several
        self.path = Path(output) if output is not None else None
        self.folder: ResultFolder | None = None
        if self.path is not None and (
            self.path.is_dir()
            or str(output).endswith(("/", os.sep))
            or ((several or from_folder) and not self.path.suffix)
        ):
            self.folder = ResultFolder(self.path)
        self.stream: BinaryIO | None = None
        self.files = ExitStack()  # what is to be closed
        self.is_empty = True
        if explain and format_ not in ("text", "json"):
            raise BadConfig(f"An explanation is written as text or json, not as {format_}: choose one with --format.")
        if several and not self.folder and format_ not in JOINABLE:
            raise BadConfig(f"Several pages do not fit into one {format_} document: give a folder with --output.")

    def __enter__(self) -> Writer:
        if self.path is None:
            if sys.stdout is None:  # closed by the caller
                raise OSError(errno.EBADF, "it is closed")
            self.stream = sys.stdout.buffer
        elif self.folder:
            self.folder.make()
        else:
            self.part = self.files.enter_context(write_beside(self.path))
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
        if self.format == "json":
            values = explain(document) if self.explain else document.to_dict()
            text = json.dumps({"input": source.name} | values, ensure_ascii=False)
        elif self.format == CHUNKS:
            chunks = document.chunks(self.chunk_words, self.chunk_overlap)
            text = write_chunks(document, chunks, {"input": source.name})
        elif self.explain:
            text = write_explanation(document)
        elif self.front_matter or self.posts:
            text = document.to_markdown(front_matter=self.front_matter, posts=self.posts)
        else:
            text = document.render(self.format)
        data = text.encode("utf-8", "replace")
        data += b"" if data.endswith(b"\n") or self.format == CHUNKS else b"\n"
        if self.folder:
            self.folder.write(source.stem, f"{'.explain' if self.explain else ''}{ENDINGS[self.format]}", data)
            return
        assert self.stream is not None
        if self.several and self.format not in LINES:
            data = (b"" if self.is_empty else b"\n") + f"==> {source.name} <==\n\n".encode("utf-8", "replace") + data
        self.is_empty = False
        self.stream.write(data)
        if self.path is None:
            self.stream.flush()
