"""Crawls killed with `kill -9` at any time and resumed lose nothing, and repeat few requests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest
from archives import read_all, read_warcio
from crawling import LONG_SECONDS, crawl, make_plan, read_fetches, read_urls
from web import Web

from bonmun.scale.crawl.running import CrawlProcess, begin, hold_folder
from timing import becomes_true

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docs_host import DocsHost
    from loopback import Reply, Request

pytestmark = pytest.mark.slow

PAGES = 150
CONNECTIONS = 4
ANSWER_SECONDS = 0.02
SEED = "http://docs.example/"


class SlowDocs:
    """docs.example with delayed responses, so that requests are open when the crawl is killed."""

    def __init__(self, docs: DocsHost) -> None:
        self.docs = docs

    def answer(self, request: Request) -> Reply:
        return replace(self.docs.answer(request), delay=ANSWER_SECONDS)


@pytest.fixture
def web() -> Iterator[Web]:
    with Web(pages=PAGES) as web:
        web.serve_host("docs.example", SlowDocs(web.docs))
        yield web


def wait_for_requests(web: Web, more: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until `more` further requests were received, or the process has ended."""
    end = time.monotonic() + LONG_SECONDS
    target = len(web.requests) + more
    while len(web.requests) < target and process.poll() is None:
        assert time.monotonic() < end
        time.sleep(0.001)


def check_records(folder: Path, web: Web) -> None:
    """Check that every page was stored once, in valid files."""
    files = sorted(map(str, (folder / "warc").iterdir()))
    checked = subprocess.run(
        [sys.executable, "-m", "warcio.cli", "check", "-v", *files], capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout
    assert "fail" not in checked.stdout
    pages = read_fetches(folder, "u.url")
    assert len(pages) == PAGES
    assert set(pages) == web.docs.urls
    done = read_urls(folder, "url", "state = 'done'")
    records = [record.headers["WARC-Target-URI"] for record in read_warcio(read_all(folder / "warc"))[1:]]
    assert Counter(records) == dict.fromkeys(done, 3)  # request, metadata, response
    log = pq.read_table(folder / "log.parquet").column("url").to_pylist()
    assert sorted(log) == sorted(done)
    assert len((folder / "index.cdxj").read_text().splitlines()) == len(done)


@pytest.mark.long
def test_kills_lose_nothing(web: Web, tmp_path: Path) -> None:
    random = Random(22)
    plan = make_plan(web.address, SEED, connections=CONNECTIONS)
    kills = repeated = 0
    while kills < 5:
        with hold_folder(tmp_path):
            begin(tmp_path, plan)
            with CrawlProcess(tmp_path) as process:
                started = process.process
                assert started
                wait_for_requests(web, random.randint(2, 14), started)
                time.sleep(random.uniform(0.0, ANSWER_SECONDS))
                assert process.is_alive, "the crawl ended before it could be killed"
                started.kill()
                started.wait()
        kills += 1
        done, requested = set(read_urls(tmp_path, "url", "state = 'done'")), {request.url for request in web.requests}
        assert done <= requested
        repeated += len(requested - done)  # open requests
        web.requests[:] = [request for request in web.requests if request.url in done]
    crawl(tmp_path, plan)
    counts = Counter(request.url for request in web.requests)
    assert set(counts.values()) == {1}  # a finished URL is never requested again
    assert 0 < repeated <= kills * CONNECTIONS
    check_records(tmp_path, web)


@pytest.mark.long
def test_a_command_killed_during_extraction_can_be_resumed(web: Web, tmp_path: Path) -> None:
    random = Random(23)
    command = [sys.executable, "-m", "bonmun", "crawl", SEED, "-o", str(tmp_path), "--resolve", web.address]
    command += ["--delay", "0", "--connections", str(CONNECTIONS), "--extract", "--method", "all", "--workers", "1"]
    for least in (1, 15, 20):  # few: the crawl goes on for a moment after each kill, and must not end before the last
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
        wait_for_requests(web, random.randint(least, 2 * least), process)
        assert process.poll() is None, "the command ended before it could be killed"
        if least == 15:
            os.killpg(process.pid, signal.SIGKILL)  # including the extracting processes
        process.kill()
        process.wait()
    last = subprocess.run(command, capture_output=True, text=True, timeout=LONG_SECONDS)
    assert last.returncode == 0, last.stderr
    assert "Resuming the crawl in" in last.stderr
    check_records(tmp_path, web)
    ids = [id_ for part in sorted((tmp_path / "pages").glob("part-*.parquet")) for id_ in read_ids(part)]
    assert Counter(ids) == dict.fromkeys(web.docs.urls, 1)
    repeated = len(web.requests) - len({request.url for request in web.requests})
    assert repeated <= 3 * CONNECTIONS


def read_ids(part: Path) -> list[str]:
    ids: list[str] = pq.read_table(part, columns=["id"]).column("id").to_pylist()
    return ids


def test_the_process_ends_with_its_parent(web: Web, tmp_path: Path) -> None:
    """The parent may be killed before the child has read its process id."""
    begin(tmp_path, make_plan(web.address, SEED))
    parent = (
        "import sys\nfrom pathlib import Path\nfrom bonmun.scale.crawl.running import CrawlProcess\n"
        "with CrawlProcess(Path(sys.argv[1])) as child:\n    print(child.process.pid, flush=True)\n    child.wait(60)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", parent, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    child = int(process.stdout.readline())
    process.kill()
    process.wait()
    process.stdout.close()
    assert becomes_true(lambda: not is_running(child))
    with hold_folder(tmp_path):
        pass


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
