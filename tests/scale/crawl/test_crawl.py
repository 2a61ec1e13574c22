"""Whole crawls of the loopback web are complete, polite, within their limits, and safe from hostile hosts."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest
from crawling import crawl, crawl_together, make_plan, read_fetches, read_urls
from endless_hosts import EndlessMapsHost
from web import Web, find_gaps

from bonmun.scale.corpus.sources.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning")]


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with Web(pages=60) as web:
        yield web


@pytest.fixture(scope="module")
def docs(web: Web, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished crawl of the ordinary site."""
    folder = tmp_path_factory.mktemp("crawl") / "docs"
    crawl(folder, make_plan(web.address, "http://docs.example/"))
    return folder


@pytest.fixture(scope="module")
def patient(web: Web, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Finished crawls of slow hosts, by name, run in parallel."""
    folder = tmp_path_factory.mktemp("patient")
    robots = [f"http://{name}/" for name in web.robots]
    plans = {
        folder / "slow": make_plan(web.address, "http://slow.example/", timeout=1.6, connections=5),
        folder / "busy": make_plan(web.address, "http://busy.example/"),
        folder / "robots": make_plan(web.address, *robots, timeout=1.2),
    }
    crawl_together(plans)
    return folder


def test_every_page_is_fetched_once(web: Web, docs: Path) -> None:
    requested = Counter(request.url for request in web.find_requests("docs.example"))
    assert set(read_fetches(docs, "u.url")) == web.docs.urls
    assert {url for url in requested if not url.endswith(".xml")} == web.docs.urls
    assert set(requested.values()) == {1}


def test_the_records_are_valid_for_every_reader(web: Web, docs: Path) -> None:
    files = sorted(map(str, (docs / "warc").iterdir()))
    checked = subprocess.run(
        [sys.executable, "-m", "warcio.cli", "check", "-v", *files], capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout
    assert "digest pass" in checked.stdout
    assert "fail" not in checked.stdout
    records = list(Reader([str(docs / "warc")]))
    assert {record.url for record in records} == web.docs.urls
    assert all(b"<html" in record.html for record in records)
    by_url = dict(read_urls(docs, "url, anchor"))
    assert {record.url: record.anchor for record in records} == {url: by_url[url] for url in web.docs.urls}


def test_the_log_and_the_index_list_every_record(web: Web, docs: Path) -> None:
    log = pq.read_table(docs / "log.parquet").to_pylist()
    assert web.docs.urls < {row["url"] for row in log}
    assert all(row["digest"] and row["file"] for row in log if row["url"] in web.docs.urls)
    lines = (docs / "index.cdxj").read_text().splitlines()
    assert lines == sorted(lines)
    assert len(lines) == len(log)


def test_resuming_a_finished_crawl_makes_no_requests(web: Web, docs: Path) -> None:
    before = len(web.requests)
    crawl(docs, make_plan(web.address, "http://docs.example/"))
    assert len(web.requests) == before


def test_hostile_hosts_do_not_affect_other_hosts(web: Web, tmp_path: Path) -> None:
    names = ["lies", "bomb", "circle", "copy", "feeds", "maps"]
    seeds = [f"http://{name}.example/" for name in names]
    status = crawl(tmp_path, make_plan(web.address, *seeds, max_bytes=3_000_000))
    assert status.waiting == 0
    pages = set(read_fetches(tmp_path, "u.url"))
    assert web.feeds.urls | web.maps.urls < pages
    assert {f"http://lies.example/{path}" for path in ("charset-utf8", "length-long", "no-type", "deflate")} < pages
    assert "http://circle.example/chain/0" in pages
    assert not any("10.0.0.1" in url or "127.0.0.1" in url or "169.254" in url for url in read_urls(tmp_path, "url"))
    failed = dict(read_urls(tmp_path, "url, error", "state = 'failed'"))
    assert "larger than 3,000,000 bytes" in failed["http://bomb.example/endless"]
    errors = dict(read_urls(tmp_path, "url, error"))
    assert errors["http://circle.example/longer/xxxxxxxxxxx"] == "too many redirects"
    assert "larger than" in errors["http://bomb.example/gzip"]
    copies = read_fetches(tmp_path, "u.url", "copy_of is not null and u.url like '%copy.example/same/%'")
    assert len(copies) == 9
    assert not (tmp_path / "errors.log").read_text()


def test_crawler_traps_are_limited(web: Web, tmp_path: Path) -> None:
    crawl(tmp_path, make_plan(web.address, "http://trap.example/", exclude=("*/calendar*", "*/shop*")))
    urls = set(read_fetches(tmp_path, "u.url"))
    assert web.trap.urls < urls
    assert len(urls) < 200
    sessions = [url for url in urls if "/session" in url]
    assert sorted(sessions) == ["http://trap.example/session", "http://trap.example/session?page=2"]


def test_endless_sitemaps_do_not_keep_pages_waiting(web: Web, tmp_path: Path) -> None:
    web.serve_host("endless.example", EndlessMapsHost())
    crawl(tmp_path, make_plan(web.address, "http://endless.example/", pages=2))
    assert read_fetches(tmp_path, "u.url") == ["http://endless.example/", "http://endless.example/other"]
    assert len(read_fetches(tmp_path, "u.url", "kind = 'sitemap'")) <= 3


def test_a_slow_page_times_out(patient: Path) -> None:
    assert "http://slow.example/late" in read_fetches(patient / "slow", "u.url")
    failed = dict(read_urls(patient / "slow", "url, error", "state = 'failed'"))
    assert "timed out after 1.6 seconds" in failed["http://slow.example/silence"]


def test_a_busy_host_is_retried_after_the_time_it_requests(web: Web, patient: Path) -> None:
    done = set(read_fetches(patient / "busy", "u.url"))
    assert {f"http://busy.example/{path}" for path in ("seconds", "date", "silent", "nonsense")} < done
    times = [request.time for request in web.find_requests("busy.example") if request.path == "/seconds"]
    assert len(times) == 3
    assert all(later - earlier >= 1.0 for earlier, later in pairwise(times))
    errors = dict(read_urls(patient / "busy", "url, error"))
    assert errors["http://busy.example/tomorrow"] == "HTTP status 429"
    assert len([each for each in web.find_requests("busy.example") if each.path == "/tomorrow"]) == 1


def test_requests_to_a_host_respect_the_delay(web: Web, tmp_path: Path) -> None:
    before = len(web.requests)
    plan = make_plan(web.address, "http://docs.example/", "http://copy.example/", delay=0.25, pages=8)
    crawl(tmp_path, plan)
    gaps = find_gaps(web.requests[before:])
    assert len(gaps) > 6
    assert min(gaps) > 0.24


def test_robots_txt_is_obeyed(web: Web, patient: Path) -> None:
    requested = {request.url for request in web.requests}
    refused = {f"http://{host.name}{path}" for host in web.robots.values() for path in host.refused}
    assert not requested & refused
    fetched = set(read_fetches(patient / "robots", "u.url"))
    assert {url for host in web.robots.values() for url in host.allowed_urls} <= fetched
    slow = [request for request in web.requests if request.host == "delay.robots.example"]
    assert len(slow) == 4
    assert min(find_gaps(slow[1:])) > 0.99


@pytest.mark.parametrize(
    ("settings", "most"), [({"pages": 7}, 7), ({"host_pages": 5}, 5), ({"depth": 0}, 1), ({"bytes": 9000}, 8)]
)
def test_limits_are_respected(web: Web, tmp_path: Path, settings: dict[str, int], most: int) -> None:
    status = crawl(tmp_path, make_plan(web.address, "http://docs.example/", sitemaps=False, connections=3, **settings))
    assert 0 < status.pages <= most
    assert "pages" not in settings or status.pages == most


def test_a_crawl_is_resumed_with_a_higher_limit(web: Web, tmp_path: Path) -> None:
    crawl(tmp_path, make_plan(web.address, "http://docs.example/", pages=10))
    first = read_fetches(tmp_path, "u.url")
    before = len(web.requests)
    crawl(tmp_path, make_plan(web.address, "http://docs.example/", pages=25))
    pages = read_fetches(tmp_path, "u.url")
    assert len(pages) == len(set(pages)) == 25
    assert pages[:10] == first
    assert not {request.url for request in web.requests[before:]} & set(first)


def test_a_second_crawl_fetches_only_changed_pages(web: Web, tmp_path: Path) -> None:
    plan = make_plan(web.address, "http://change.example/")
    crawl(tmp_path, plan)
    web.change.change("/etag")
    crawl(tmp_path, plan, again=True)
    statuses: dict[str, list[int]] = {}
    for url, status in read_fetches(tmp_path, "u.url, f.status"):
        statuses.setdefault(url.rpartition("/")[2], []).append(status)
    assert statuses["etag"] == [200, 200]
    assert statuses["weak"] == statuses["date"] == statuses["both"] == [200, 304]
    revisits = read_fetches(tmp_path, "u.url", "copy_of is not null")
    assert len(revisits) == 5  # three unchanged pages, the front page, and the one without validators
    records = [record.url for record in Reader([str(tmp_path / "warc")])]
    assert len(records) == 7


def test_only_pages_with_keywords_are_kept(web: Web, tmp_path: Path) -> None:
    crawl(tmp_path, make_plan(web.address, "http://docs.example/", keywords=("등대",)))
    kept = list(Reader([str(tmp_path / "warc")]))
    assert 0 < len(kept) < len(web.docs.urls)
    assert all("등대" in record.html.decode() for record in kept)
    assert len(read_urls(tmp_path, "url", "kind = 'page' and state = 'done'")) == len(web.docs.urls)
