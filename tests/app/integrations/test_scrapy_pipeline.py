"""The Scrapy item pipeline: with all kinds of items, and in a running spider."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Field, Item
from scrapy.utils.test import get_crawler

from bonmun.app.integrations.scrapy import BonmunPipeline
from bonmun.errors import BadConfig
from samples import EXAMPLES, served

if TYPE_CHECKING:
    from pathlib import Path

HTML = (EXAMPLES / "ko-article.html").read_bytes()


class Article(Item):
    url = Field()
    html = Field()
    text = Field()
    author = Field()


@dataclass
class Record:
    url: str
    html: bytes | None
    text: str = ""
    error: str = ""


def make_pipeline(**settings: Any) -> BonmunPipeline:
    return BonmunPipeline.from_crawler(get_crawler(settings_dict=settings))


def test_items_get_the_metadata_they_have_fields_for() -> None:
    pipeline = make_pipeline()
    plain = pipeline.process_item({"url": "https://news.example/1", "html": HTML})
    assert plain["author"] == "윤서하"
    assert plain["html"] is None
    assert 0.5 < plain["confidence"] <= 1
    declared = pipeline.process_item(Article(url="https://news.example/1", html=HTML.decode()))
    assert dict(declared) == {"url": "https://news.example/1", "html": None, "author": "윤서하", "text": plain["text"]}
    record = pipeline.process_item(Record("https://news.example/1", HTML))
    assert record == Record("https://news.example/1", None, plain["text"])


def test_bad_pages_get_an_error_and_other_items_pass() -> None:
    pipeline = make_pipeline()
    bad = pipeline.process_item({"url": "https://news.example/2", "html": b"%PDF-1.7 ..."})
    assert bad["text"] == ""
    assert "PDF" in bad["error"]
    empty = pipeline.process_item(Record("https://news.example/3", b"<title>Log in</title><input>"))
    assert (empty.text, empty.error) == ("", "The page has no main text.")
    assert pipeline.process_item({"price": 3}) == {"price": 3}


def test_settings_are_used() -> None:
    pipeline = make_pipeline(
        BONMUN_FIELD="body", BONMUN_KEEP_HTML=True, BONMUN_FORMAT="markdown", BONMUN_METHOD="rules"
    )
    item = pipeline.process_item({"url": "https://news.example/1", "body": HTML})
    assert item["body"] == HTML
    assert item["method"] == "rules"
    with pytest.raises(BadConfig, match="magic"):
        make_pipeline(BONMUN_METHOD="magic")


SPIDER = """
import sys
from scrapy import Spider
from scrapy.crawler import CrawlerProcess

class Pages(Spider):
    name = "pages"
    start_urls = [sys.argv[1] + path for path in ("/1", "/2", "/3")]

    def parse(self, response):
        yield {"url": response.url, "html": response.body}

process = CrawlerProcess({
    "ITEM_PIPELINES": {"bonmun.app.integrations.scrapy.BonmunPipeline": 300},
    "FEEDS": {sys.argv[2]: {"format": "jsonlines", "encoding": "utf-8"}},
    "TELNETCONSOLE_ENABLED": False,
    "COOKIES_ENABLED": False,
    "ROBOTSTXT_OBEY": False,
    "LOG_LEVEL": "WARNING",
})
process.crawl(Pages)
process.start()
"""


@pytest.mark.slow
def test_a_spider_writes_main_texts(tmp_path: Path) -> None:
    pages = {
        "/1": (HTML, "text/html"),
        "/2": (b"%PDF-1.7 ...", "application/pdf"),
        "/3": (HTML, "text/html; charset=utf-8"),
    }
    with served(pages) as server:
        line = [sys.executable, "-c", SPIDER, server, str(tmp_path / "out.jsonl")]
        done = subprocess.run(line, capture_output=True, text=True, timeout=100, check=False, env=os.environ)
    assert done.returncode == 0, done.stderr
    rows = {row["url"][-2:]: row for row in map(json.loads, (tmp_path / "out.jsonl").read_text("utf-8").splitlines())}
    assert rows["/1"]["text"] == rows["/3"]["text"] != ""
    assert rows["/1"]["author"] == "윤서하"
    assert rows["/2"]["text"] == ""
    assert f"{server}/2: " in done.stderr
