"""datatrove: an extractor step, a replacement for its Trafilatura step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.app.integrations.parts import PageExtractor, Part
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
    """Extractor that replaces the HTML of a document with its main text and adds `metadata["bonmun"]`.

    [WarcReader("crawl"), BonmunExtractor(format="markdown"), JsonlWriter("texts")]

    Pages are extracted in a child process, which is replaced if it dies or takes longer than `timeout` seconds for a
    page. Like in datatrove's own steps, pages without a result are dropped and counted by reason.
    """

    name = "bonmun"

    def __init__(
        self,
        method: str = "auto",
        format: str = "text",  # noqa: A002
        options: Options = DEFAULTS,
        timeout: float = 10,
    ) -> None:
        super().__init__(timeout)
        self.extractor = PageExtractor(method, format, None, options)

    def extract(self, text: str, url: str | None = None) -> list[Part] | Exception:
        """Return the part of a page, none if it has no main text, or the error.

        It runs in the child process, which would end if the error were raised.
        """
        try:
            return self.extractor.make_parts(text, url)
        except Exception as problem:  # one bad page must not stop the others
            return problem if isinstance(problem, BonmunError) else RuntimeError(repr(problem))

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        """Replace the HTML of each document with its main text."""
        with ExtractorSandbox(timeout=self.timeout, warmup_text=(WARM_UP, None)) as sandbox:
            for document in data:
                self.stat_update(StatHints.total)
                with self.track_time():
                    try:
                        parts = sandbox.process_document((document.text, document.metadata.get("url")), self.extract)
                    except Exception as problem:  # an error of the page, or TimeoutError or EOFError of the child
                        self.stat_update(type(problem).__name__)
                        logger.warning(f"{document.id}: {problem}")
                        continue
                if not parts:
                    self.stat_update(StatHints.dropped)
                    continue
                document.text = parts[0].text
                document.metadata["bonmun"] = parts[0].metadata
                self.stat_update(StatHints.forwarded)
                self.update_doc_stats(document)
                yield document
