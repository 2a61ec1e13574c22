"""What every adapter uses: extract a page into one text, or into chunks, each with flat metadata."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bonmun.algorithms import make_method
from bonmun.errors import BadConfig, MissingExtra, MissingInput
from bonmun.options import DEFAULTS, Options
from bonmun.outputs import FORMATS, SHORT_NAMES
from bonmun.outputs.chunks.chunking import check_chunks
from bonmun.page import Page
from bonmun.pipeline import extract
from bonmun.scale.web.download import fetch

if TYPE_CHECKING:
    from collections.abc import Callable

    from bonmun.document import Document

__all__ = ["UNEMBEDDED_KEYS", "FlatMetadata", "PageExtractor", "Part", "load_source"]

FlatMetadata = dict[str, str | int | float]

# Metadata keys that are not embedded with the text, because they do not help a search.
UNEMBEDDED_KEYS = ("confidence", "kind", "method", "url", "source", "chunk", "start", "end")


@dataclass(frozen=True, slots=True)
class Part:
    """The text of a page or of a chunk, with its metadata."""

    text: str
    metadata: FlatMetadata


@dataclass(frozen=True)
class PageExtractor:
    """Extracts pages with fixed settings. Invalid settings raise `BadConfig` here, not at the first page."""

    method: str = "auto"
    format: str = "text"
    chunk_words: int | None = None  # maximum words per chunk; None for one part per page
    options: Options = DEFAULTS

    def __post_init__(self) -> None:
        make_method(self.method)
        if SHORT_NAMES.get(self.format, self.format) not in FORMATS:
            raise BadConfig(f"Unknown format {self.format!r}: choose one of {', '.join(FORMATS)}.")
        if self.chunk_words is not None:
            check_chunks(self.chunk_words, 0)
            if self.format != "text":
                raise BadConfig(
                    f"chunk_words needs format 'text', not {self.format!r}: chunks are parts of the plain text."
                )

    def make_parts(self, html: str | bytes | Page, url: str | None = None) -> list[Part]:
        """Return the text of a page as one part or as chunks; an empty list if it has no main text."""
        doc = extract(html, url, self.method, self.options)
        if not doc.text:
            return []
        metadata = flatten_metadata(doc)
        if self.chunk_words is None:
            return [Part(doc.render(self.format), metadata)]
        return [
            Part(
                chunk.text,
                metadata
                | {
                    "chunk": chunk.number,
                    "start": chunk.start,
                    "end": chunk.end,
                    "headings": " > ".join(chunk.headings),
                },
            )
            for chunk in doc.chunks(self.chunk_words)
        ]

    def try_parts(
        self, name: str, load: Callable[[], str | bytes | Page], left_out: dict[str, str], url: str | None = None
    ) -> list[Part]:
        """Load a page and return its parts. If there are none, log the reason and add it to `left_out` under `name`."""
        try:
            parts = self.make_parts(load(), url)
            reason = "" if parts else "The page has no main text."
        except (BadConfig, MissingExtra):  # every other page would fail, too
            raise
        except Exception as problem:  # one bad page must not stop the others
            parts, reason = [], str(problem) or type(problem).__name__
        if reason:
            left_out[name] = reason
            logging.getLogger(__name__).warning("%s: %s", name, reason)
        return parts


def flatten_metadata(doc: Document) -> FlatMetadata:
    """Return the metadata of a document as flat values, without missing ones."""
    metadata: dict[str, str | int | float | None] = {
        "url": doc.url,
        "title": doc.title,
        "author": doc.author,
        "date": doc.date,
        "language": doc.language,
        "site_name": doc.site_name,
        "description": doc.metadata.description,
        "kind": doc.kind,
        "method": doc.method,
        "confidence": round(doc.confidence, 4),
    }
    if doc.options.objects:
        named = doc.name_objects()
        metadata["objects"] = "; ".join(f"{each['type']}: {each['name'] or ''}" for each in named) or None
    return {name: value for name, value in metadata.items() if value is not None}


def load_source(source: str | Path, options: Options) -> Page:
    """Return the page at a URL or in a file."""
    if isinstance(source, str) and source.lower().startswith(("http://", "https://")):
        return fetch(source, options)
    try:
        with Path(source).open("rb") as file:
            content = file.read(options.max_bytes + 1)
    except (OSError, ValueError) as problem:
        raise MissingInput(f"The file cannot be read: {getattr(problem, 'strerror', None) or problem}.") from None
    return Page.parse(content, None, options.encoding, max_bytes=options.max_bytes, ruby=options.ruby)
