"""LangChain: a document loader for web pages, and a transformer for documents that hold HTML."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from bonmun.app.integrations.parts import PageExtractor, Part, load_source
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
    """Loader of the main text of pages, by URL or file name, with title, author, date … as metadata.

    BonmunLoader(["https://news.example/1", "saved.html"], format="markdown").load()
    BonmunLoader(paths, chunk_words=200).lazy_load()      # chunks for retrieval, each with its headings

    Pages that cannot be read or have no main text are skipped. `left_out` holds the reason for each source.
    """

    def __init__(
        self,
        sources: Iterable[str | Path],
        method: str = "auto",
        format: str = "text",  # noqa: A002
        chunk_words: int | None = None,
        options: Options = DEFAULTS,
    ) -> None:
        self.sources = sources
        self.extractor = PageExtractor(method, format, chunk_words, options)
        self.left_out: dict[str, str] = {}

    def lazy_load(self) -> Iterator[Document]:
        """Yield the documents, page by page."""
        for source in self.sources:
            load = partial(load_source, source, self.extractor.options)
            for part in self.extractor.try_parts(str(source), load, self.left_out):
                yield Document(part.text, metadata={"source": str(source), **part.metadata})


class BonmunTransformer(BaseDocumentTransformer):
    """Transformer that turns documents with HTML, as other loaders return them, into documents with the main text.

    It adds to the metadata of a document. If `source` is a URL, it is the URL of the page. Documents that cannot be
    read or have no main text are skipped; `left_out` holds the reason, by `source`, else by position.
    """

    def __init__(
        self,
        method: str = "auto",
        format: str = "text",  # noqa: A002
        chunk_words: int | None = None,
        options: Options = DEFAULTS,
    ) -> None:
        self.extractor = PageExtractor(method, format, chunk_words, options)
        self.left_out: dict[str, str] = {}

    def transform_documents(self, documents: Sequence[Document], **_: Any) -> Sequence[Document]:
        """Return the documents with their main texts, in order."""
        read = [(document, part) for row, document in enumerate(documents) for part in self._read(document, row)]
        return [Document(part.text, metadata={**document.metadata, **part.metadata}) for document, part in read]

    def _read(self, document: Document, number: int) -> list[Part]:
        source = str(document.metadata.get("source", number))
        url = source if "://" in source else None
        return self.extractor.try_parts(source, lambda: document.page_content, self.left_out, url)
