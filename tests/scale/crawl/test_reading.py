"""Responses are read in child processes: one that takes too long or too much memory fails, and affects no other."""

from __future__ import annotations

import asyncio
import gzip
from contextlib import closing
from time import monotonic, process_time
from typing import TYPE_CHECKING

import pytest
from archives import make_exchange
from crawling import crawl, make_plan, read_fetches, read_urls
from loopback import Reply, Request, link_pages
from slow_pages import DeadlyExchange, HugeExchange, SlowExchange
from test_visits import HOST, Bench, make_response
from web import Web

from bonmun.errors import OutOfMemory, TooSlow, WorkerDied
from bonmun.scale.corpus.sources.reader import Reader
from bonmun.scale.crawl.fetch.reading import PageContent, ReadRequest, ResponseReader, read_response
from bonmun.scale.crawl.plan import CrawlPlan
from bonmun.scale.crawl.status import list_failures, read_status

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from bonmun.errors import BonmunError
    from bonmun.scale.crawl.fetch.exchange import Exchange

READ_SECONDS = 3.0  # limit for a page in these tests


def make_request(host: str, kind: type[Exchange] | None = None) -> ReadRequest:
    exchange = make_exchange(f"http://{host}/", b"<p>A page. <a href='/1'>A link.</a>")
    if kind:
        exchange = kind(**{name: getattr(exchange, name) for name in exchange.__dataclass_fields__})
    return ReadRequest("page", exchange.url, exchange, 10**6, (), False, None, "never", "bonmun")


def run(test: Callable[[ResponseReader], Awaitable[None]]) -> None:
    async def work() -> None:
        reader = ResponseReader(CrawlPlan(seeds=(f"{HOST}/",), reading=READ_SECONDS))
        try:
            assert_read(await reader.read(make_request("first.example")))  # the child processes have started
            await test(reader)
        finally:
            await reader.close()

    asyncio.run(work())


def assert_read(content: PageContent | BonmunError) -> None:
    assert isinstance(content, PageContent)
    assert [link.anchor for link in content.links] == ["A link."]


@pytest.mark.slow
def test_pages_that_exceed_a_limit_delay_no_other_host() -> None:
    async def test(reader: ResponseReader) -> None:
        start = monotonic()
        slow = asyncio.create_task(reader.read(make_request("a.slow.example", SlowExchange)))
        for _ in range(20):
            assert_read(await reader.read(make_request("b.example")))
        assert not slow.done()
        assert isinstance(await slow, TooSlow)
        assert monotonic() - start < 10 * READ_SECONDS
        # from now on, all pages of the site share one child process
        many = [asyncio.create_task(reader.read(make_request(f"{n}.slow.example", SlowExchange))) for n in range(20)]
        await asyncio.sleep(0)
        assert_read(await reader.read(make_request("b.example")))
        assert not any(task.done() for task in many)
        assert isinstance(await reader.read(make_request("c.example", HugeExchange)), OutOfMemory)
        assert isinstance(await reader.read(make_request("d.example", DeadlyExchange)), WorkerDied)
        assert_read(await reader.read(make_request("e.example")))
        for task in many:
            task.cancel()

    run(test)


def test_a_page_over_the_time_limit_has_failed_but_is_stored(tmp_path: Path) -> None:
    with closing(Bench(tmp_path)) as bench:
        bench.add("/")
        bench.pass_robots()
        bench.add("/other")
        claim = bench.take()
        bench.processor.handle_response(claim, make_response(claim.url, "<p>x", "text/html"), TooSlow("It took long."))
        page = bench.read(claim.url)
        assert (page["state"], page["status"], page["is_page"], page["error"]) == ("failed", 200, 0, "It took long.")
        assert bench.list_records()[-1] == ("response", claim.url)
        assert list_failures(tmp_path, 9) == [(claim.url, "It took long.")]
        assert (read_status(tmp_path).failed, read_status(tmp_path).pages) == (1, 0)
        assert bench.respond("<p>y").url == f"{HOST}/other"


def test_the_links_of_a_page_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bonmun.scale.crawl.fetch.reading.MAX_PAGE_LINKS", 30)
    body = "".join(f"<a href=/{number}>x</a>" for number in range(100)).encode()
    request = make_request("a.example")
    exchange = make_exchange("http://a.example/", body, response_headers=())
    assert len(read_response(request._replace(exchange=exchange)).links) == 30


@pytest.mark.slow
def test_a_hostile_robots_txt_does_not_block_the_event_loop() -> None:
    """It is unpacked and parsed in a child process; the event loop receives only the rules for the crawler."""
    lines = [b"User-agent: x%d" % number for number in range(9_000)] + [b"Disallow: /%d" % n for n in range(9_000)]
    body = gzip.compress(b"\n".join([*lines, b"User-agent: bonmun", b"Disallow: /no"]) + b"\n" * 5_000_000)
    headers = ((b"Content-Encoding", b"gzip"),)
    exchange = make_exchange("http://a.example/robots.txt", body, response_headers=headers)
    request = make_request("a.example")._replace(kind="robots", exchange=exchange, max_bytes=10**7)

    async def test(reader: ResponseReader) -> None:
        spent, content = await _measure_loop(reader.read(request))
        assert isinstance(content, PageContent)
        assert content.robots
        assert content.robots.plain == {"/no": False}
        assert spent < 0.2

    run(test)


async def _measure_loop(work: Awaitable[PageContent | BonmunError]) -> tuple[float, PageContent | BonmunError]:
    """Return the CPU seconds of this process until work in a child process is done, and its result."""
    start = process_time()
    result = await work
    return process_time() - start, result


class HeavyHost:
    """heavy.example: a page that takes a second to read among ordinary pages."""

    PATHS = ("/1", "/heavy", "/2", "/3")

    def answer(self, request: Request) -> Reply:
        if request.path == "/heavy":
            return Reply("".join(f"<p><a href=/x{number}>A link to {number}</a>" for number in range(60_000)))
        if request.path == "/" or request.path in self.PATHS:
            return Reply(link_pages(request.path, self.PATHS))
        return Reply("No such page.", status=404)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning")
def test_a_crawl_goes_on_after_a_heavy_page(tmp_path: Path) -> None:
    with Web(pages=1) as web:
        web.serve_host("heavy.example", HeavyHost())
        crawl(tmp_path, make_plan(web.address, "http://heavy.example/", reading=0.2))
    assert len(read_fetches(tmp_path, "u.url")) == 4
    assert read_urls(tmp_path, "error", "url like '%/heavy'") == ["The page took over 0.2 seconds."]
    assert not (tmp_path / "errors.log").read_text()
    assert len(list(Reader([str(tmp_path / "warc")]))) == 5
