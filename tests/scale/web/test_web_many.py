"""fetch_many: several hosts at a time, one request and a pause for each, retries, and isolated failures."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

import bonmun
from bonmun.errors import AddressRefused, AnswerBroken, BadConfig, FetchFailed, HostBusy, HostSilent, NotHtml, TooBig
from bonmun.options import Options
from bonmun.scale.web.download_many import MAX_CONNECT_FAILURES, Fetched, fetch_many
from many_hosts import Answer, ManyHosts, make_page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LOCAL = Options(allow_private=True, timeout=2.0)
HTML = "Content-Type: text/html\r\n"


def fetch_all(urls: Iterable[str], options: Options = LOCAL, **how: Any) -> dict[str, Fetched]:
    async def gather() -> dict[str, Fetched]:
        return {fetched.url: fetched async for fetched in fetch_many(urls, options, **how)}

    return asyncio.run(gather())


def busy(path: str, times: int) -> Answer:
    if path == "/later":
        return Answer(b"", 429, "Retry-After: 1\r\n") if times == 1 else Answer(make_page(path))
    if path == "/never":
        return Answer(b"", 503, "Retry-After: 86400\r\n")
    if path == "/past":  # a time in the past
        return (
            Answer(b"", 503, "Retry-After: Wed, 21 Oct 2015 07:28:00 GMT\r\n")
            if times == 1
            else Answer(make_page(path))
        )
    return Answer(make_page(path))


def odd(path: str, times: int) -> Answer:
    if path == "/break":
        return Answer(status=0) if times == 1 else Answer(make_page(path))
    if path == "/picture":
        return Answer(b"\x89PNG", 200, "Content-Type: image/png\r\n")
    if path == "/big":
        return Answer(b"<p>" + b"a" * 20_000)
    if path == "/loop":
        return Answer(b"", 302, "Location: /loop\r\n")
    if path == "/charset":
        return Answer(make_page(path), 200, "Content-Type: text/html; charset=no-such\r\n")
    return Answer(make_page(path), 404)


@pytest.fixture(scope="module")
def hosts() -> Iterator[ManyHosts]:
    plain = {f"plain{number}": lambda path, _: Answer(make_page(path), delay=0.2) for number in range(12)}
    with ManyHosts({**plain, "busy": busy, "patient": busy, "odd": odd, "gone": lambda *_: Answer(status=0)}) as many:
        yield many


def test_hosts_are_parallel_and_each_gets_one_request_at_a_time(hosts: ManyHosts) -> None:
    urls = [hosts.make_url(f"plain{number}", f"/{turn}") for turn in range(2) for number in range(12)]
    found = fetch_all(urls, pause=0.3)
    assert sorted(found) == sorted(urls)
    assert {type(fetched.page) for fetched in found.values()} == {bonmun.Page}
    assert hosts.most > 6
    for number in range(12):
        first, second = hosts.find_visits(f"plain{number}")
        assert second.start - first.end > 0.29


def test_one_host_at_a_time(hosts: ManyHosts) -> None:
    hosts.most = 0
    assert len(fetch_all([hosts.make_url(f"plain{number}", "/again") for number in range(4)], hosts=1, pause=0)) == 4
    assert hosts.most == 1


def test_a_busy_host_is_retried_after_the_delay(hosts: ManyHosts) -> None:
    urls = [hosts.make_url("busy", path) for path in ("/later", "/past", "/after")]
    found = fetch_all(urls, pause=0)
    assert [found[url].error for url in urls] == [None, None, None]
    later, again, past, past_again, after = hosts.find_visits("busy")
    assert [each.path for each in (later, again, past, past_again, after)] == "/later /later /past /past /after".split()
    assert again.start - later.end > 0.95
    assert past_again.start - past.end < 0.9


def test_a_host_that_asks_for_a_day_is_given_up(hosts: ManyHosts) -> None:
    urls = [hosts.make_url("patient", path) for path in ("/never", "/after")]
    found = fetch_all(urls, pause=0)
    assert [type(found[url].error) for url in urls] == [HostBusy, HostBusy]
    assert "asked for a delay" in str(found[urls[1]].error)
    assert len(hosts.find_visits("patient")) == 1


def test_each_url_has_its_own_result(hosts: ManyHosts) -> None:
    dead = hosts.make_url("odd") + "\0"
    expected = {
        hosts.make_url("odd", "/break"): None,
        hosts.make_url("odd", "/charset"): None,
        hosts.make_url("odd", "/picture"): NotHtml,
        hosts.make_url("odd", "/big"): TooBig,
        hosts.make_url("odd", "/loop"): FetchFailed,
        hosts.make_url("odd", "/missing"): FetchFailed,
        "ftp://example.org/": FetchFailed,
        "nonsense": FetchFailed,
        dead: FetchFailed,
    }
    found = fetch_all(expected, Options(allow_private=True, max_bytes=10_000), pause=0)
    assert {url: type(fetched.error) if fetched.error else None for url, fetched in found.items()} == expected
    assert all((fetched.page is None) == (fetched.error is not None) for fetched in found.values())


def test_a_connection_that_always_breaks_fails(hosts: ManyHosts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bonmun.scale.web.download_many.RETRY_SECONDS", 0.05)
    url = hosts.make_url("gone")
    assert isinstance(fetch_all([url], pause=0)[url].error, AnswerBroken)
    times = [visit.start for visit in hosts.find_visits("gone")]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert len(gaps) == 3
    assert all(gap > seconds for gap, seconds in zip(gaps, (0.05, 0.1, 0.2), strict=True))


def test_an_unreachable_host_is_given_up(hosts: ManyHosts) -> None:
    port = hosts.make_url("plain0").rsplit(":", 1)[0] + ":1"  # nothing listens there
    found = fetch_all([f"{port}/{number}" for number in range(MAX_CONNECT_FAILURES + 2)], pause=0)
    assert {type(fetched.error) for fetched in found.values()} == {HostSilent}
    assert sum("was not requested" in str(fetched.error) for fetched in found.values()) == 2


def test_private_networks_are_refused(hosts: ManyHosts) -> None:
    url = hosts.make_url("plain0", "/private")
    assert isinstance(fetch_all([url], Options())[url].error, AddressRefused)
    assert "/private" not in {visit.path for visit in hosts.visits}


def test_iteration_can_stop_early(hosts: ManyHosts) -> None:
    async def leave() -> str:
        fetching = fetch_many((hosts.make_url(f"plain{number}", "/left") for number in range(9)), LOCAL)
        fetched = await anext(fetching)
        await fetching.aclose()  # type: ignore[attr-defined]
        return fetched.url

    assert asyncio.run(leave()).endswith("/left")


@pytest.mark.parametrize(("urls", "how"), [("http://a.example/", {}), ([], {"pause": -1}), ([], {"hosts": 0})])
def test_invalid_arguments_are_refused(urls: list[str], how: dict[str, Any]) -> None:
    with pytest.raises(BadConfig):
        fetch_all(urls, **how)
