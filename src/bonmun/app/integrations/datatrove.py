"""datatrove: an extractor step, in the place of its Trafilatura step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.app.integrations.parts import Part, Recipe
from bonmun.errors import BonmunError, MissingExtra
from bonmun.options import DEFAULTS, Options

try:
    from datatrove.pipeline.extractors.base import BaseExtractor, ExtractorSandbox
    from datatrove.utils.logging import logger
    from datatrove.utils.typeshelper import StatHints
except ModuleNotFoundError:
    raise MissingExtra("datatrove is not installed: pip install datatrove.") from None

if TYPE_CHECKING:
    from datatrove.data import DocumentsPipeline

__all__ = ["BonmunExtractor"]

WARM_UP = (
    "<p>A paragraph that is read before any page, so that the first page does not wait for the model to be loaded."
)


class BonmunExtractor(BaseExtractor):
    """HTML in, main text out; `metadata["bonmun"]` holds the page's facts.

    [WarcReader("crawl"), BonmunExtractor(format="markdown"), JsonlWriter("texts")]

    Pages are extracted in a child process, which is replaced when it dies or takes longer than `timeout` seconds. What
    gives no text is counted by its reason and left out, as datatrove's own steps do.
    """

    name = "bonmun"

    def __init__(
        self,
        method: str = "auto",
        format: str = "text",  # noqa: A002 - the word of the library
        options: Options = DEFAULTS,
        timeout: float = 10,
    ) -> None:
        super().__init__(timeout)
        self.recipe = Recipe(method, format, None, options)

    def extract(self, text: str, url: str | None = None) -> list[Part] | Exception:
        """The one part of a page, or none; in the child process, where an error that is raised would end it."""
        try:
            return self.recipe.make_parts(text, url)
        except Exception as problem:  # whatever one page does, the others go on
            return problem if isinstance(problem, BonmunError) else RuntimeError(repr(problem))

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        """Replace the HTML of each document by its main text."""
        with ExtractorSandbox(timeout=self.timeout, warmup_text=(WARM_UP, None)) as sandbox:
            for document in data:
                self.stat_update(StatHints.total)
                with self.track_time():
                    try:
                        parts = sandbox.process_document((document.text, document.metadata.get("url")), self.extract)
                    except Exception as problem:  # of the page, or of the child: TimeoutError, EOFError
                        self.stat_update(type(problem).__name__)
                        logger.warning(f"{document.id}: {problem}")
                        continue
                if not parts:
                    self.stat_update(StatHints.dropped)
                    continue
                document.text = parts[0].text
                document.metadata["bonmun"] = parts[0].facts
                self.stat_update(StatHints.forwarded)
                self.update_doc_stats(document)
                yield document
