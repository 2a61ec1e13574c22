"""No way into the local network: names that resolve differently each time, and redirects of every kind."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import closing
from itertools import cycle
from typing import TYPE_CHECKING, Any

import pytest
from test_visits import HOST, XML, Bench, make_response

from bonmun import fetch, fetch_many
from bonmun.app.serve.jobs import JobLimits, JobRequest, extract_job
from bonmun.app.serve.opening import read_source
from bonmun.errors import AddressRefused, BonmunError
from bonmun.scale.browser.proxy import FilteringProxy
from bonmun.scale.crawl.fetch.fetcher import Fetcher
from bonmun.scale.crawl.plan import CrawlPlan
from bonmun.scale.web.addresses import is_public

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PUBLIC, PRIVATE = "93.184.216.34", "127.0.0.1"
NAME = "rebind.example"
URL = f"http://{NAME}/"
TIMES = 6  # that a URL is requested
LIMITS = JobLimits(10**6, 5.0, fetch=True, allow_private=False, model=None)


@pytest.fixture
def lookups(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A name server that answers with a public and a private address in turn; returns its answers."""
    answers: list[str] = []
    addresses = cycle([PUBLIC, PRIVATE])
    getaddrinfo = socket.getaddrinfo

    def look_up(host: str, *args: Any, **kwargs: Any) -> list[Any]:
        if host == NAME:
            host = next(addresses)
            answers.append(host)
        return getaddrinfo(host, *args, **kwargs | {"flags": socket.AI_NUMERICHOST})

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return answers


@pytest.fixture(autouse=True)
def dialed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses of all connection attempts, which all fail."""
    addresses: list[str] = []

    def connect(_: socket.socket, address: Any) -> None:
        addresses.append(address[0])
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(socket.socket, "connect", connect)
    return addresses


def fetch_once() -> object:
    return fetch(URL)


def fetch_all() -> object:
    async def work() -> list[BonmunError | None]:
        return [each.error async for each in fetch_many([f"{URL}{n}" for n in range(TIMES)], pause=0)]

    problems = asyncio.run(work())
    raise next(each for each in problems if each)


def crawl_once(kind: str = "") -> object:
    async def work() -> object:
        with_fetcher = Fetcher(CrawlPlan(seeds=(URL,)))
        try:
            return await with_fetcher.fetch(f"{URL}{kind}", {}, lambda *_: True)
        finally:
            await with_fetcher.close()

    return asyncio.run(work())


def proxy_once() -> object:
    proxy = FilteringProxy(allow=True, allow_private=False)
    return asyncio.run(proxy._connect(NAME, 80))


WAYS: dict[str, Callable[[], object]] = {
    "fetch": fetch_once,
    "fetch_many": fetch_all,
    "service": lambda: extract_job(JobRequest(json.dumps({"url": URL}).encode(), is_json=True), LIMITS),
    "inspector": lambda: read_source(JobRequest(json.dumps({"url": URL}).encode(), is_json=True), LIMITS, "x"),
    "crawl": crawl_once,
    "crawl of robots.txt": lambda: crawl_once("robots.txt"),
    "browser": proxy_once,
}


@pytest.mark.parametrize("request_once", WAYS.values(), ids=WAYS.keys())
def test_the_address_that_was_checked_is_the_one_connected_to(
    request_once: Callable[[], object], lookups: list[str], dialed: list[str]
) -> None:
    for _ in range(TIMES):
        with pytest.raises((BonmunError, OSError)):
            request_once()
    assert {PUBLIC, PRIVATE} <= set(lookups)
    assert set(dialed) == {PUBLIC}


def test_a_crawl_checks_an_address_again_when_it_resolves_the_name_again(
    lookups: list[str], dialed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(seconds: float) -> list[str]:
        monkeypatch.setattr("bonmun.scale.crawl.fetch.fetcher.DNS_CACHE_SECONDS", seconds)
        fetcher = Fetcher(CrawlPlan(seeds=(URL,)))
        problems = []
        for _ in range(4):
            with pytest.raises(BonmunError) as problem:
                await fetcher.fetch(URL, {}, lambda *_: True)
            problems.append(type(problem.value).__name__)
        await fetcher.close()
        return problems

    assert asyncio.run(work(300.0)) == ["HostSilent"] * 4
    assert asyncio.run(work(-1.0)) == ["AddressRefused", "HostSilent"] * 2
    assert len(lookups) == 5
    assert set(dialed) == {PUBLIC}


# --- redirects -------------------------------------------------------------------------------------------------------

TARGETS = ("http://127.0.0.1:8080/x", "http://169.254.169.254/latest/", "http://[::1]/x", "http://2130706433/x")


def make_answer(way: str, target: str) -> tuple[str, dict[str, Any]]:
    """Return the kind of the URL that answers, and the arguments of its response, which leads to the target."""
    kind, _, how = way.partition(" ")
    if how.isdigit():
        return kind, {"status": int(how), "location": target}
    bodies = {
        "refresh": f'<meta http-equiv=refresh content="0; url={target}">',
        "link": f'<a href="{target}">x</a>',
        "frame": f'<iframe src="{target}"></iframe>',
        "canonical": f'<link rel=canonical href="{target}">',
        "feed": f'<link rel=alternate type="application/rss+xml" href="{target}">',
        "base": f'<base href="{target}"><a href="y">y</a>',
        "location": f"{XML}<urlset><url><loc>{target}</loc></url></urlset>",
        "index": f"{XML}<sitemapindex><sitemap><loc>{target}</loc></sitemap></sitemapindex>",
        "next": f"{XML}<feed><link rel='next' href='{target}'/></feed>",
        "item": f"{XML}<rss><item><link>{target}</link></item></rss>",
        "Sitemap": f"Sitemap: {target}",
    }
    return kind, {"body": bodies.get(how, ""), "kind": "text/html" if kind == "page" else "text/xml"}


REDIRECTS = [
    *(f"page {status}" for status in (301, 302, 303, 307, 308)),
    *(f"{kind} 302" for kind in ("robots", "sitemap", "feed")),
]
LINKS = "refresh link frame canonical feed base".split()
WAYS_THERE = [
    *REDIRECTS,
    *(f"page {how}" for how in LINKS),
    "sitemap location",
    "sitemap index",
    "feed next",
    "feed item",
]
WAYS_THERE.append("robots Sitemap")


@pytest.mark.parametrize("way", WAYS_THERE)
def test_a_crawl_is_not_redirected_to_a_private_host(tmp_path: Path, way: str, dialed: list[str]) -> None:
    """Even if the plan allows the host, which a portal does with all hosts."""
    hosts = ("pier.example", "127.0.0.1", "169.254.169.254", "[::1]", "2130706433")
    for number, target in enumerate(TARGETS):
        folder = tmp_path / str(number)
        folder.mkdir()
        with closing(Bench(folder, domains=hosts)) as bench:
            kind, response = make_answer(way, target)
            bench.add("/page" if kind == "robots" else "/start", "page" if kind == "robots" else kind)
            if kind != "robots":
                bench.pass_robots()
            bench.respond(**response)
            asyncio.run(refuse_rest(bench))
            assert bench.frontier.totals["pages"] == (way.startswith("page") and "30" not in way)
    assert not dialed


async def refuse_rest(bench: Bench) -> None:
    """Request all URLs that are left; each must be refused before a connection."""
    fetcher = Fetcher(bench.plan)
    requested = 0
    while claim := bench.frontier.take(1e12):
        if claim.url.startswith(HOST):
            bench.processor.handle_response(claim, make_response(claim.url, "", "", 404))
            continue
        with pytest.raises(AddressRefused) as problem:
            await fetcher.fetch(claim.url.partition("#")[0], {}, lambda *_: True)
        requested += 1
        bench.processor.handle_failure(claim, problem.value)
        assert bench.read(claim.url)["state"] == "failed"  # not retried
    assert requested <= 2
    await fetcher.close()


def test_a_refresh_header_is_not_followed(tmp_path: Path) -> None:
    with closing(Bench(tmp_path)) as bench:
        bench.add("/")
        bench.pass_robots()
        bench.respond("<p>x", refresh="0; url=/secret")
        assert not bench.waiting
    assert not is_public("127.0.0.1")
