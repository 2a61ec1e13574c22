"""LlamaIndex: a reader of web pages, by URL or file name, also for SimpleDirectoryReader."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bonmun.app.integrations.parts import BESIDE_THE_TEXT, Recipe, load_source
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
    """The main texts of pages, with title, author, date … as metadata.

    BonmunReader(format="markdown").load_data(["https://news.example/1", "saved.html"])
    SimpleDirectoryReader("saved", file_extractor={".html": BonmunReader(chunk_words=200)}).load_data()

    A page that cannot be read, or has no main text, never stops the rest: `left_out` says why there is none. What
    nobody searches for (confidence, kind …) is not embedded with the text.
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

    def lazy_load_data(
        self, sources: str | Path | Iterable[str | Path], extra_info: Mapping[str, Any] | None = None, **_: Any
    ) -> Iterator[Document]:
        """The documents of one source or of many, one page after the other; `extra_info` is added to their metadata."""
        for source in [sources] if isinstance(sources, (str, Path)) else sources:
            load = partial(load_source, source, self.recipe.options)
            for part in self.recipe.try_parts(str(source), load, self.left_out):
                yield Document(
                    text=part.text,
                    metadata={"source": str(source), **part.facts, **(extra_info or {})},
                    excluded_embed_metadata_keys=list(BESIDE_THE_TEXT),
                    excluded_llm_metadata_keys=list(BESIDE_THE_TEXT),
                )
