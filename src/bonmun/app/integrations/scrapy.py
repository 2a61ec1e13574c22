"""Scrapy: an item pipeline that adds the main text and the metadata of a page to the item with its HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bonmun.app.integrations.parts import PageExtractor
from bonmun.errors import MissingExtra

try:
    from itemadapter import ItemAdapter
except ModuleNotFoundError:
    raise MissingExtra("Scrapy is not installed: pip install scrapy.") from None

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

__all__ = ["BonmunPipeline"]


class BonmunPipeline:
    """Item pipeline that adds `text` and metadata (`title`, `author`, `date` …) to items with `html` and `url`.

    ITEM_PIPELINES = {"bonmun.app.integrations.scrapy.BonmunPipeline": 300}

    Settings: BONMUN_METHOD ("auto"), BONMUN_FORMAT ("text"), BONMUN_FIELD ("html": the item field with the HTML, text
    or bytes) and BONMUN_KEEP_HTML (False: the HTML is removed). Dataclasses and `scrapy.Item`s only get the metadata
    that they have fields for. If a page cannot be read or has no main text, its item gets an empty `text` and the
    reason in `error`. Items without HTML pass unchanged.
    """

    def __init__(self, extractor: PageExtractor | None = None, field: str = "html", *, keep_html: bool = False) -> None:
        self.extractor = extractor or PageExtractor()
        self.field = field
        self.keep_html = keep_html

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BonmunPipeline:
        """Create the pipeline from the settings of the project."""
        settings = crawler.settings
        extractor = PageExtractor(settings.get("BONMUN_METHOD", "auto"), settings.get("BONMUN_FORMAT", "text"))
        return cls(extractor, settings.get("BONMUN_FIELD", "html"), keep_html=settings.getbool("BONMUN_KEEP_HTML"))

    def process_item(self, item: Any) -> Any:
        """Add text and metadata to an item."""
        adapter = ItemAdapter(item)
        html = adapter.get(self.field)
        if html is None:
            return item
        url = adapter.get("url")
        left_out: dict[str, str] = {}
        parts = self.extractor.try_parts(str(url), lambda: html, left_out, url)
        if parts:
            found: dict[str, Any] = {"text": parts[0].text, **parts[0].metadata}
        else:
            found = {"text": "", "error": left_out[str(url)]}
        if not self.keep_html:
            found[self.field] = None
        for name, value in found.items():
            if name != "url" and (isinstance(item, dict) or name in adapter.field_names()):
                adapter[name] = value
        return item
