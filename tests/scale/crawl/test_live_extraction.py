"""Extraction during a crawl: every page once, with site models, duplicates marked, and resumable."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from crawling import crawl, make_plan
from web import Web

from bonmun import Page, SiteModel
from bonmun.errors import BadInput
from bonmun.extraction import Extraction
from bonmun.options import DEFAULTS
from bonmun.scale.corpus.batches import ExtractJob, extract_batch, make_batches
from bonmun.scale.corpus.counts import Counts
from bonmun.scale.corpus.sources.reader import Reader
from bonmun.scale.crawl.follow import Follower
from bonmun.scale.crawl.frontier.file import FrontierFile
from bonmun.scale.crawl.frontier.tables import FRONTIER_NAME
from bonmun.scale.crawl.live_extraction import LiveExtraction, count_site_pages
from bonmun.scale.crawl.second_pass import SecondPass
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


def extract_live(folder: Path, max_pages: int | None = None, max_again: int | None = None, **settings: Any) -> int:
    """Extract the pages of a crawl, and return how many were extracted again.

    Stop after `max_pages`, or when `max_again` have been extracted again.
    """
    with LiveExtraction(folder, ExtractJob(Extraction(**settings))) as live:
        follower = Follower(folder, DEFAULTS.max_bytes)
        for done in live.steps(follower.follow(live.done, lambda: False), 1, 30.0, lambda: None):
            if max_pages is not None and done >= max_pages:
                return 0
        second = SecondPass(live, follower)
        for done in second.steps(1, 30.0):
            if max_again is not None and done >= max_again:
                break
        return second.pages


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
    assert not list(folder.glob("pages-again-*"))


def test_every_page_has_the_last_model_of_its_site(folder: Path, rows: list[dict[str, Any]], web: Web) -> None:
    with Counts(folder / "live.duckdb") as counts:
        site_model = counts.make_site_model()
    model_pages = site_model.sites["docs.example"].pages
    assert model_pages > 50
    assert {row["site_pages"] for row in rows if row["url"] in web.docs.urls} == {model_pages}
    job = ExtractJob(Extraction(site_model=site_model))
    records = [replace(record, id=record.url or "") for record in Reader([str(folder / "warc")])]
    alone = {row["id"]: row for batch in make_batches(records) for row in extract_batch(batch, job).to_pylist()}
    for row in rows:
        assert {name: row[name] for name in row if name not in ("site_pages", "copy_of")} == alone[row["id"]]


def test_rows_do_not_depend_on_the_order_of_the_pages(web: Web, rows: list[dict[str, Any]], tmp_path: Path) -> None:
    crawl(
        tmp_path,
        make_plan(
            web.address, "http://copy.example/", f"http://docs.example{web.docs.find_path(59)}", "http://docs.example/"
        ),
    )
    assert extract_live(tmp_path) > 10
    others = read_rows(tmp_path)
    assert [row["id"] for row in others] != [row["id"] for row in rows]
    by_id = {row["id"]: row | {"copy_of": None} for row in rows}
    assert {row["id"]: row | {"copy_of": None} for row in others} == by_id


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


def test_only_early_pages_of_a_large_site_are_extracted_again(
    web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bonmun.scale.crawl.live_extraction.MAX_COUNTED_PAGES", 15)
    monkeypatch.setattr("bonmun.scale.crawl.live_extraction.BATCH_PAGES", 4)
    monkeypatch.setattr("bonmun.scale.crawl.live_extraction.PAUSE_FACTOR", 0)
    crawl(tmp_path, make_plan(web.address, "http://docs.example/"))
    assert 10 < extract_live(tmp_path) < 40
    assert {row["site_pages"] for row in read_rows(tmp_path)} == {15}


def test_a_second_pass_is_resumed(
    folder: Path, rows: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bonmun.scale.corpus.output.SHARD_PAGES", 7)
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("pages", "live.*"))
    due = extract_live(tmp_path, max_again=15)
    assert due > 20
    first = read_rows(tmp_path)
    assert len({row["site_pages"] for row in first if row["site"] == "docs.example"}) > 1
    (again,) = tmp_path.glob("pages-again-*")
    assert len(list((again / "part-000000.parquet.parts").glob("00*"))) >= 2
    assert extract_live(tmp_path) == due
    assert read_rows(tmp_path)[: len(rows)] == rows
    assert not again.exists()
    assert extract_live(tmp_path) == 0  # nothing is due any more


def test_a_finished_file_takes_its_place(folder: Path, rows: list[dict[str, Any]], tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("pages", "live.*"))
    (tmp_path / "pages-again-0123").mkdir()  # of another model
    extract_live(tmp_path, max_again=0)
    (again,) = tmp_path.glob("pages-again-*")
    shutil.rmtree(again)
    again.mkdir()
    written = [row | {"title": "as written"} for row in rows]
    schema = pq.read_schema(tmp_path / "pages" / "part-000000.parquet")
    pq.write_table(pa.Table.from_pylist(written, schema), again / "part-000000.parquet")
    extract_live(tmp_path)
    assert {row["title"] for row in read_rows(tmp_path)} == {"as written"}


def test_earlier_files_are_extracted_again(web: Web, tmp_path: Path) -> None:
    for pages in (15, 30):
        crawl(tmp_path, make_plan(web.address, "http://docs.example/", pages=pages))
        extract_live(tmp_path, format="markdown")
    parts = [pq.read_table(part) for part in sorted((tmp_path / "pages").glob("*.parquet"))]
    assert [part.num_rows for part in parts] == [15, 15]
    (pages,) = {*parts[0].column("site_pages").to_pylist(), *parts[1].column("site_pages").to_pylist()}
    assert pages == 30


def test_a_file_of_another_version_is_extracted_again(web: Web, tmp_path: Path) -> None:
    crawl(tmp_path, make_plan(web.address, "http://docs.example/", pages=12))
    extract_live(tmp_path)
    rows = read_rows(tmp_path)
    path = tmp_path / "pages" / "part-000000.parquet"
    pq.write_table(pq.read_table(path).drop_columns(["date"]), path)
    assert extract_live(tmp_path) == 12
    assert read_rows(tmp_path) == rows


def test_models_of_fewer_than_three_pages_do_not_count() -> None:
    htmls = [f"<p>The lamp of house {number} is lit.</p>" for number in range(3)]
    few, enough = (SiteModel.fit(map(Page.parse, some), site="a.example") for some in (htmls[:2], htmls))
    assert count_site_pages(few, "a.example") is None
    assert count_site_pages(enough, "a.example") == 3
    assert count_site_pages(enough, "b.example") is None
    assert count_site_pages(None, "a.example") is None


def test_a_missing_warc_file_is_reported(web: Web, tmp_path: Path) -> None:
    crawl(tmp_path, make_plan(web.address, "http://docs.example/", pages=3))
    for path in (tmp_path / "warc").iterdir():
        path.unlink()
    with pytest.raises(BadInput, match=r"crawl-000000\.warc\.gz cannot be read"):
        extract_live(tmp_path)


def test_a_crawl_is_followed_once_its_tables_exist(folder: Path, tmp_path: Path) -> None:
    assert list(Follower(tmp_path, DEFAULTS.max_bytes).follow(0, lambda: False)) == []  # it never started
    (tmp_path / FRONTIER_NAME).touch()  # as SQLite creates it, before its first table
    assert read_status(tmp_path) == Status()
    following = Follower(tmp_path, DEFAULTS.max_bytes).follow(0, iter([True, True]).__next__)
    assert next(following) is None
    FrontierFile(tmp_path).close()
    assert next(following) is None  # its tables exist, but no page yet
