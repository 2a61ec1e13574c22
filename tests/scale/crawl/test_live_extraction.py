"""Extraction during a crawl: every page once, with site models, duplicates marked, and resumable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
from crawling import crawl, make_plan
from web import Web

from bonmun.options import DEFAULTS
from bonmun.scale.corpus.batches import ExtractJob, extract_batch, make_batches
from bonmun.scale.corpus.sources.reader import Reader
from bonmun.scale.crawl.follow import Follower
from bonmun.scale.crawl.frontier.file import FrontierFile
from bonmun.scale.crawl.frontier.tables import FRONTIER_NAME
from bonmun.scale.crawl.live_extraction import LiveExtraction
from bonmun.scale.crawl.status import Status, read_status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning")]


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with Web(pages=60) as web:
        yield web


@pytest.fixture(scope="module")
def folder(web: Web, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished crawl of two sites."""
    folder = tmp_path_factory.mktemp("live") / "crawl"
    crawl(folder, make_plan(web.address, "http://docs.example/", "http://copy.example/"))
    return folder


def extract_live(folder: Path, max_pages: int | None = None) -> None:
    """Extract the pages of a crawl; with `max_pages`, stop after that many."""
    with LiveExtraction(folder, ExtractJob()) as live:
        pages = Follower(folder, DEFAULTS.max_bytes).follow(live.done, lambda: False)
        for done in live.steps(pages, 1, 30.0, lambda: None):
            if max_pages is not None and done >= max_pages:
                return


def read_rows(folder: Path) -> list[dict[str, Any]]:
    """Return the rows of all runs."""
    return [row for part in sorted((folder / "pages").glob("*.parquet")) for row in pq.read_table(part).to_pylist()]


@pytest.fixture(scope="module")
def rows(folder: Path) -> list[dict[str, Any]]:
    extract_live(folder)
    return read_rows(folder)


def test_every_page_is_extracted_once(folder: Path, rows: list[dict[str, Any]], web: Web) -> None:
    ids = [row["id"] for row in rows]
    assert len(ids) == len(set(ids))
    assert web.docs.urls < set(ids)
    assert not any(row["error"] for row in rows)
    batches = make_batches(record for record in Reader([str(folder / "warc")]))
    alone = {row["url"]: row["text"] for batch in batches for row in extract_batch(batch).to_pylist()}
    first = next(row for row in rows if row["url"] in web.docs.urls)
    assert first["site_pages"] is None
    assert first["text"] == alone[first["url"]]


def test_a_site_model_is_used_once_there_are_enough_pages(rows: list[dict[str, Any]], web: Web) -> None:
    known = [row["site_pages"] for row in rows if row["url"] in web.docs.urls]
    assert known[0] is None
    assert any(pages and pages >= 10 for pages in known)
    counted = [pages for pages in known if pages]
    assert counted == sorted(counted)


def test_pages_with_the_same_text_are_marked(rows: list[dict[str, Any]]) -> None:
    copies = {row["id"]: row["copy_of"] for row in rows if row["copy_of"]}
    story = {copies.get(f"http://copy.example/{path}") for path in ("print/story", "STORY", "story?ref=mail")}
    assert story <= {"http://copy.example/story", None}
    near = [row for row in rows if "/near/" in row["id"]]
    assert len([row for row in near if row["copy_of"] is None]) == 1


def test_an_interrupted_run_is_resumed(web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bonmun.scale.corpus.output.SHARD_PAGES", 7)
    plan = make_plan(web.address, "http://docs.example/", pages=30)
    crawl(tmp_path, plan)
    extract_live(tmp_path, max_pages=12)
    assert not read_rows(tmp_path)
    extract_live(tmp_path)
    first = [row["id"] for row in read_rows(tmp_path)]
    assert len(first) == len(set(first)) == 30
    crawl(tmp_path, make_plan(web.address, "http://docs.example/", pages=45))
    extract_live(tmp_path)
    ids = [row["id"] for row in read_rows(tmp_path)]
    assert ids[:30] == first
    assert len(ids) == len(set(ids)) == 45


def test_a_crawl_is_followed_once_its_tables_exist(folder: Path, tmp_path: Path) -> None:
    assert list(Follower(tmp_path, DEFAULTS.max_bytes).follow(0, lambda: False)) == []  # it never started
    (tmp_path / FRONTIER_NAME).touch()  # as SQLite creates it, before its first table
    assert read_status(tmp_path) == Status()
    following = Follower(tmp_path, DEFAULTS.max_bytes).follow(0, iter([True, True]).__next__)
    assert next(following) is None
    FrontierFile(tmp_path).close()
    assert next(following) is None  # its tables exist, but no page yet
