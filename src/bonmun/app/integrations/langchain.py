"""LangChain: a loader of web pages, and a transformer of documents that hold HTML."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from bonmun.app.integrations.parts import Part, Recipe, load_source
from bonmun.errors import MissingExtra
from bonmun.options import DEFAULTS, Options

try:
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import BaseDocumentTransformer, Document
except ModuleNotFoundError:
    raise MissingExtra("langchain-core is not installed: pip install langchain-core.") from None

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

__all__ = ["BonmunLoader", "BonmunTransformer"]


class BonmunLoader(BaseLoader):
    """The main texts of pages, by URL or file name, with title, author, date … as metadata.

    BonmunLoader(["https://news.example/1", "saved.html"], format="markdown").load()
    BonmunLoader(paths, chunk_words=200).lazy_load()      # pieces for retrieval, each with its headings

    A page that cannot be read, or has no main text, never stops the rest: `left_out` says why there is none.
    """

    def __init__(
        self,
        sources: Iterable[str | Path],
        method: str = "auto",
        format: str = "text",  # noqa: A002 - the word of the library
        chunk_words: int | None = None,
        options: Options = DEFAULTS,
    ) -> None:
        self.sources = sources
        self.recipe = Recipe(method, format, chunk_words, options)
        self.left_out: dict[str, str] = {}

    def lazy_load(self) -> Iterator[Document]:
        """The documents, one page after the other."""
        for source in self.sources:
            load = partial(load_source, source, self.recipe.options)
            for part in self.recipe.try_parts(str(source), load, self.left_out):
                yield Document(part.text, metadata={"source": str(source), **part.facts})


class BonmunTransformer(BaseDocumentTransformer):
    """Documents that hold HTML, as other loaders give them, made documents that hold the main text.

    Their metadata stays, and facts are added; `source` is the URL, where it is one. `left_out` is by source or number.
    """

    def __init__(
        self,
        method: str = "auto",
        format: str = "text",  # noqa: A002 - the word of the library
        chunk_words: int | None = None,
        options: Options = DEFAULTS,
    ) -> None:
        self.recipe = Recipe(method, format, chunk_words, options)
        self.left_out: dict[str, str] = {}

    def transform_documents(self, documents: Sequence[Document], **_: Any) -> Sequence[Document]:
        """The main texts, in order."""
        read = [(document, part) for row, document in enumerate(documents) for part in self._read(document, row)]
        return [Document(part.text, metadata={**document.metadata, **part.facts}) for document, part in read]

    def _read(self, document: Document, number: int) -> list[Part]:
        source = str(document.metadata.get("source", number))
        url = source if "://" in source else None
        return self.recipe.try_parts(source, lambda: document.page_content, self.left_out, url)
