"""LlamaIndex: a reader for web pages, by URL or file name, which also works with SimpleDirectoryReader."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bonmun.app.integrations.parts import UNEMBEDDED_KEYS, PageExtractor, load_source
from bonmun.errors import MissingExtra
from bonmun.options import DEFAULTS, Options

try:
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.schema import Document
except ModuleNotFoundError:
    raise MissingExtra("llama-index-core is not installed: pip install llama-index-core.") from None

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["BonmunReader"]


class BonmunReader(BaseReader):
    """Reader of the main text of pages, with title, author, date … as metadata.

    BonmunReader(format="markdown").load_data(["https://news.example/1", "saved.html"])
    SimpleDirectoryReader("saved", file_extractor={".html": BonmunReader(chunk_words=200)}).load_data()

    Pages that cannot be read or have no main text are skipped. `left_out` holds the reason for each source. Metadata
    that does not help a search (confidence, kind …) is not embedded with the text.
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

    def lazy_load_data(
        self, sources: str | Path | Iterable[str | Path], extra_info: Mapping[str, Any] | None = None, **_: Any
    ) -> Iterator[Document]:
        """Yield the documents of one or more sources, page by page; `extra_info` is added to their metadata."""
        for source in [sources] if isinstance(sources, (str, Path)) else sources:
            load = partial(load_source, source, self.extractor.options)
            for part in self.extractor.try_parts(str(source), load, self.left_out):
                yield Document(
                    text=part.text,
                    metadata={"source": str(source), **part.metadata, **(extra_info or {})},
                    excluded_embed_metadata_keys=list(UNEMBEDDED_KEYS),
                    excluded_llm_metadata_keys=list(UNEMBEDDED_KEYS),
                )
