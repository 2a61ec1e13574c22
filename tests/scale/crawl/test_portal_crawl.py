"""Crawl the articles of a portal, and use their link texts as titles for `sentence:M4`."""

from __future__ import annotations

from dataclasses import replace
from statistics import mean
from typing import TYPE_CHECKING

import pytest
from crawling import crawl, make_plan, read_fetches, read_urls
from web import Web

from bonmun.extraction import Extraction
from bonmun.lab.evaluate.metrics.texts import Words
from bonmun.scale.corpus.batches import ExtractJob, extract_batch, make_batches
from bonmun.scale.corpus.sources.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from bonmun.scale.corpus.sources.records import Record

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning")]
JOB = ExtractJob(Extraction(method="sentence:M4"))
RESULTS = "http://portal.example/search?q=본문"


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with Web(pages=5) as web:
        yield web


@pytest.fixture(scope="module")
def folder(web: Web, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("portal") / "crawl"
    crawl(folder, make_plan(web.address, RESULTS, portal=True))
    return folder


def test_all_articles_and_nothing_else_are_fetched(web: Web, folder: Path) -> None:
    assert set(read_fetches(folder, "u.url")) == set(web.portal.articles)
    results = read_urls(folder, "url", "kind = 'result'")
    assert len(results) >= 5
    assert all("/search?q=" in url for url in results)


def test_each_article_has_its_link_text(web: Web, folder: Path) -> None:
    anchors = dict(read_urls(folder, "url, anchor", "kind = 'page'"))
    assert anchors == {url: article.anchor for url, article in web.portal.articles.items()}


def test_a_pattern_selects_articles(web: Web, tmp_path: Path) -> None:
    crawl(tmp_path, make_plan(web.address, RESULTS, portal=True, articles="*//news-a.example/article/*"))
    wanted = {url for url in web.portal.articles if "news-a" in url}
    assert set(read_fetches(tmp_path, "u.url")) == wanted


def test_link_texts_improve_m4(web: Web, folder: Path) -> None:
    records = list(Reader([str(folder / "warc")]))
    articles = {url: [record for record in records if record.url == url] for url in web.portal.articles}
    assert all(len(each) == 1 for each in articles.values())

    def measure(pages: Iterable[Record]) -> float:
        rows = [row for batch in make_batches(pages) for row in extract_batch(batch, JOB).to_pylist()]
        scores = [Words()(row["text"] or "", web.portal.articles[row["url"]].text)["f1"] for row in rows]
        assert len(scores) == len(web.portal.articles)
        return mean(scores)

    found = [record for each in articles.values() for record in each]
    with_anchors, without = measure(found), measure(replace(record, anchor=None) for record in found)
    assert with_anchors > 0.9
    assert with_anchors > without + 0.2
