"""Scrapy: an item pipeline that puts the main text and the facts of a page into the item that holds its HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bonmun.app.integrations.parts import Recipe
from bonmun.errors import MissingExtra

try:
    from itemadapter import ItemAdapter
except ModuleNotFoundError:
    raise MissingExtra("Scrapy is not installed: pip install scrapy.") from None

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

__all__ = ["BonmunPipeline"]


class BonmunPipeline:
    """Items with the `html` of a page (text or bytes) and its `url` get its `text` and its facts: `title`, `date`.

    ITEM_PIPELINES = {"bonmun.app.integrations.scrapy.BonmunPipeline": 300}

    Settings: BONMUN_METHOD ("auto"), BONMUN_FORMAT ("text"), BONMUN_FIELD ("html"), and BONMUN_KEEP_HTML (False: the
    HTML is taken out). Dataclasses and `scrapy.Item`s get only the facts that they have fields for. An item whose page
    cannot be read, or has no main text, stays, with an empty text and the reason in `error`. Others pass unchanged.
    """

    def __init__(self, recipe: Recipe | None = None, field: str = "html", *, keep_html: bool = False) -> None:
        self.recipe = recipe or Recipe()
        self.field = field
        self.keep_html = keep_html

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BonmunPipeline:
        """Made as the project's settings say."""
        settings = crawler.settings
        recipe = Recipe(settings.get("BONMUN_METHOD", "auto"), settings.get("BONMUN_FORMAT", "text"))
        return cls(recipe, settings.get("BONMUN_FIELD", "html"), keep_html=settings.getbool("BONMUN_KEEP_HTML"))

    def process_item(self, item: Any) -> Any:
        """Add to an item what its page says."""
        adapter = ItemAdapter(item)
        html = adapter.get(self.field)
        if html is None:
            return item
        url = adapter.get("url")
        left_out: dict[str, str] = {}
        parts = self.recipe.try_parts(str(url), lambda: html, left_out, url)
        if parts:
            found: dict[str, Any] = {"text": parts[0].text, **parts[0].facts}
        else:
            found = {"text": "", "error": left_out[str(url)]}
        if not self.keep_html:
            found[self.field] = None
        for name, value in found.items():
            if name != "url" and (isinstance(item, dict) or name in adapter.field_names()):
                adapter[name] = value
        return item
