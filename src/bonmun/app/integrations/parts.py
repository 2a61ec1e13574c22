"""What all frameworks are given of a page: its text in one part or in chunks, each with its facts as flat values."""

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

__all__ = ["BESIDE_THE_TEXT", "Facts", "Part", "Recipe", "load_source"]

Facts = dict[str, str | int | float]

# What nobody searches for: not part of what is embedded.
BESIDE_THE_TEXT = ("confidence", "kind", "method", "url", "source", "chunk", "start", "end")


@dataclass(frozen=True, slots=True)
class Part:
    """A text, and the facts about it."""

    text: str
    facts: Facts


@dataclass(frozen=True)
class Recipe:
    """How pages are extracted; what is wrong with it is said when it is made, not with the first page."""

    method: str = "auto"
    format: str = "text"
    chunk_words: int | None = None  # None: a page is one part
    options: Options = DEFAULTS

    def __post_init__(self) -> None:
        make_method(self.method)
        if SHORT_NAMES.get(self.format, self.format) not in FORMATS:
            raise BadConfig(f"Unknown format {self.format!r}: choose one of {', '.join(FORMATS)}.")
        if self.chunk_words is not None:
            check_chunks(self.chunk_words, 0)
            if self.format != "text":
                raise BadConfig(
                    f"Chunks are parts of the text: format is 'text' with chunk_words, not {self.format!r}."
                )

    def make_parts(self, html: str | bytes | Page, url: str | None = None) -> list[Part]:
        """The text of a page in one part or in chunks; none where it has no main text."""
        doc = extract(html, url, self.method, self.options)
        if not doc.text:
            return []
        facts = list_facts(doc)
        if self.chunk_words is None:
            return [Part(doc.render(self.format), facts)]
        return [
            Part(
                chunk.text,
                facts
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
        """The same of a page that is loaded first; where there is nothing to give, `left_out` and the log say why."""
        try:
            parts = self.make_parts(load(), url)
            reason = "" if parts else "The page has no main text."
        except (BadConfig, MissingExtra):  # no page can be extracted so
            raise
        except Exception as problem:  # whatever one page does, the others go on
            parts, reason = [], str(problem) or type(problem).__name__
        if reason:
            left_out[name] = reason
            logging.getLogger(__name__).warning("%s: %s", name, reason)
        return parts


def list_facts(doc: Document) -> Facts:
    """What is known of a document, as flat values; what is not known is left out."""
    facts: dict[str, str | int | float | None] = {
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
    return {name: value for name, value in facts.items() if value is not None}


def load_source(source: str | Path, options: Options) -> Page:
    """The page that a URL or the name of a file leads to."""
    if isinstance(source, str) and source.lower().startswith(("http://", "https://")):
        return fetch(source, options)
    try:
        with Path(source).open("rb") as file:
            content = file.read(options.max_bytes + 1)
    except (OSError, ValueError) as problem:
        raise MissingInput(f"The file cannot be read: {getattr(problem, 'strerror', None) or problem}.") from None
    return Page.parse(content, None, options.encoding, max_bytes=options.max_bytes, ruby=options.ruby)
