"""The rules of robots.txt."""

from __future__ import annotations

import pickle
from functools import partial
from math import isqrt
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bonmun.scale.crawl.discover.urls import MAX_URL_CHARS, normalise_url
from bonmun.scale.crawl.fetch.robots import MAX_ROBOTS_BYTES, Robots
from timing import assert_linear, assert_quick

if TYPE_CHECKING:
    from collections.abc import Callable

HOST = "http://a.example"
AGENT = "bonmun"
RULES = b"User-agent: *\nDisallow: /no\nAllow: /no/but\nDisallow: /*.pdf$\nDisallow: /*?sort=\nCrawl-delay: 2.5\n"


def list_allowed(body: bytes, paths: list[str], status: int = 200) -> list[str]:
    robots = Robots.parse(body, status, AGENT)
    return [path for path in paths if robots.allows(HOST + path)]


def test_rules_and_delay() -> None:
    paths = ["/", "/no", "/none", "/no/but", "/a.pdf", "/a.pdf?b", "/a?sort=b", "/a?b&sort=c"]
    assert list_allowed(RULES, paths) == ["/", "/no/but", "/a.pdf?b", "/a?b&sort=c"]
    assert Robots.parse(RULES, 200, AGENT).delay == 2.5


@pytest.mark.parametrize(
    "body",
    [
        b"\xef\xbb\xbf" + RULES,
        ("\ufeff" + RULES.decode()).encode("utf-16-le"),
        RULES.replace(b"\n", b"\r"),
        RULES.replace(b"\n", b"\r\n"),
        RULES + b"Disallow: /\xb1\xdb\n",
        b"\0" + RULES,
        RULES + b"# " + "글".encode()[:2],
        RULES + b"#" * MAX_ROBOTS_BYTES + b"\nDisallow: /\n",
        b"user-AGENT:*\ndisallow:/no\n\n\nUser-agent: other\nDisallow: /\n",
    ],
)
def test_rules_in_unusual_encodings_and_spellings(body: bytes) -> None:
    assert list_allowed(body, ["/", "/no"]) == ["/"]


def test_rules_for_an_agent_are_found_by_its_name() -> None:
    body = b"User-agent: BonMun\nDisallow: /a\nCrawl-delay: 1\n\nUser-agent: *\nDisallow: /\nRequest-rate: 1/10\n"
    for name in (AGENT, "Mozilla/5.0 (compatible; bonmun/1.0)"):
        robots = Robots.parse(body, 200, name)
        assert [robots.allows(HOST + path) for path in ("/a", "/b")] == [False, True]
        assert robots.delay == 1
    other = Robots.parse(body, 200, "other")
    assert not other.allows(f"{HOST}/b")
    assert other.delay == 10


def test_paths_are_compared_after_decoding() -> None:
    body = "User-agent: *\nDisallow: /글\nDisallow: /%7ekim\n".encode()
    assert list_allowed(body, ["/%EA%B8%80", "/~kim/1", "/%EA%B8%81"]) == ["/%EA%B8%81"]
    assert list_allowed("User-agent: *\nDisallow: /글\n".encode("cp949"), ["/%B1%DB", "/b"]) == ["/b"]


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 410])
def test_without_robots_txt_everything_is_allowed(status: int) -> None:
    robots = Robots.parse(b"User-agent: *\nDisallow: /", status, AGENT)
    assert robots.allows(f"{HOST}/")
    assert not robots.is_unavailable
    assert robots.delay is None


@pytest.mark.parametrize("status", [0, 429, 500, 503, 599])
def test_while_robots_txt_is_unavailable_nothing_is_allowed(status: int) -> None:
    robots = Robots.parse(b"", status, AGENT)
    assert not robots.allows(f"{HOST}/")
    assert robots.is_unavailable
    assert not robots.sitemaps


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" \n<!DOCTYPE html><p>\nUser-agent: *\nDisallow: /\n",
        b"\x00\xff\xfe" * 1000,
        b"Disallow: /",
        b"User-agent\nDisallow",
        b"\n" * 600_000,
    ],
)
def test_files_without_rules_allow_everything(body: bytes) -> None:
    assert list_allowed(body, ["/"]) == ["/"]


@pytest.mark.parametrize(
    "line",
    [b"Crawl-delay: " + delay for delay in (b"soon", b"-1", b"inf", b"nan", b"", b"9" * 5000)]
    + [b"Request-rate: " + rate for rate in (b"1", b"0/1", b"1/0", b"-1/1", b"1/1x", b"1/" + b"9" * 400)],
)
def test_invalid_delays_are_ignored(line: bytes) -> None:
    assert Robots.parse(b"User-agent: *\n" + line, 200, AGENT).delay is None


def test_sitemaps_are_listed() -> None:
    body = b"Sitemap: http://a.example/1.xml\nsitemap: /2.xml\nSitemap: ftp://a.example/3\nUser-agent: x\nSitemap: http://a.example/1.xml"
    assert Robots.parse(body, 200, AGENT, f"{HOST}/robots.txt").sitemaps == [f"{HOST}/1.xml", f"{HOST}/2.xml"]
    assert Robots.parse(body, 200, AGENT).sitemaps == [f"{HOST}/1.xml"]


PATHS = ["/a", "/ab/b", "/b", "/x/y", "/x%2Fy", "/x/", "/x/index.html", "/q?a=1", "/a$b", "/$b", "/robots.txt"]


@pytest.mark.parametrize(
    ("rules", "refused"),
    [
        ("Disallow: /a\nAllow: /a", ""),  # as long: allowed
        ("Disallow: /a*\nAllow: /a", "/a /ab/b /a$b"),
        ("Disallow: /a\nAllow: /a$", "/ab/b"),
        ("Disallow: /*b$\nAllow: /ab*", "/b /a$b /$b"),
        ("Disallow: /*a*b", "/ab/b /a$b"),
        ("Disallow: **\nAllow: /x/index.html", "/a /ab/b /b /x/y /x%2Fy /q?a=1 /a$b /$b"),
        ("Disallow: /%61\nDisallow: /x%2fy\nDisallow: /q?a%3d1", "/a /ab/b /x%2Fy /q?a=1 /a$b"),
        ("Disallow: /a$b", "/a$b"),
        ("Disallow: /*$b", "/a$b /$b"),
        ("Disallow: /$*", "/$b"),
        ("Disallow /a$\nDisalow: /b\nFoo: /x\nDisallow:/q#ab", "/a /b /q?a=1 /a$b"),
    ],
)
def test_the_longest_rule_decides(rules: str, refused: str) -> None:
    allowed = list_allowed(f"User-agent: *\n{rules}".encode(), PATHS)
    assert [path for path in PATHS if path not in allowed] == refused.split()


NAMES = st.sampled_from(["*", "bonmun", "bon", "b*", "other", "BONMUN/1", "un", ""])
PATTERNS = st.text("/ab*$?=.é", max_size=6)
LINES = st.one_of(
    st.builds("User-agent: {}".format, NAMES),
    st.builds(
        "{}{}{}".format, st.sampled_from(["Allow", "disallow", "Disalow"]), st.sampled_from([":", ": ", " "]), PATTERNS
    ),
    st.sampled_from(["", "# x", "Foo: x", "foo", "Crawl-delay: 3", "Crawl-delay: -1", "Request-rate: 2/1m", "Host: a"]),
)


@given(lines=st.lists(LINES, max_size=12), paths=st.lists(st.text("/ab*$?=.", max_size=6), min_size=1, max_size=4))
def test_rules_are_those_of_protego(lines: list[str], paths: list[str]) -> None:
    protego = pytest.importorskip("protego")  # comes with Scrapy
    text = "\n".join(lines)
    assume("**" not in text and "agent: b*" not in text)  # protego counts all asterisks, and ranks the agent "b" as "*"
    known, ours = protego.Protego.parse(text), Robots.parse(text.encode(), 200, AGENT)
    for path in paths:
        url = normalise_url(f"{HOST}/{path}")
        assert url
        assert ours.allows(url) == known.can_fetch(url, AGENT), url
    rate = known.request_rate(AGENT)
    delays = [known.crawl_delay(AGENT), rate.seconds / rate.requests if rate else None]
    assert ours.delay == max((each for each in delays if each is not None), default=None)


# Hostile files by size: rules without end, groups of many agents, and rules that take long to compare with a URL.
FILES: dict[str, Callable[[int], bytes]] = {
    "rules": lambda n: b"User-agent: *\n" + b"".join(b"disallow:/%d\n" % number for number in range(n // 12)),
    "agents of one group": lambda n: b"User-agent: x%d\n" * (n // 40) + b"disallow:/%d\n" * (n // 20),
    "different agents": lambda n: (
        b"".join(b"User-agent: %d\n" % number for number in range(n // 40))
        + b"".join(b"disallow:/%d\n" % number for number in range(n // 20))
    ),
    "own agents": lambda n: b"User-agent: bon\nUser-agent: *\nUser-agent: bonmun\ndisallow:/*a\n" * (n // 60),
    "asterisks": lambda n: b"User-agent: *\n" + b"disallow:/*a*a*a*a*a*b\n" * (n // 24),
    "many asterisks": lambda n: b"User-agent: *\ndisallow:/" + b"*a" * (n // 2) + b"*b",
    "different asterisks": lambda n: b"User-agent: *\n" + b"".join(b"disallow:*b%d\n" % i for i in range(n // 16)),
    "long parts": lambda n: (
        b"User-agent: *\n" + b"".join(b"disallow:*%s%d%s\n" % (b"a" * 40, i, b"a" * 40) for i in range(n // 100))
    ),
    "escapes": lambda n: b"User-agent: *\ndisallow:/" + b"%41" * (n // 3),
    "lengths": lambda n: b"User-agent: *\n" + b"".join(b"disallow:/%s\n" % (b"a" * i) for i in range(isqrt(2 * n))),
}
LONG_URLS = [f"{HOST}/{(letters * MAX_URL_CHARS)[: MAX_URL_CHARS - 20]}" for letters in ("a", "ab")]


@pytest.mark.slow
@pytest.mark.parametrize("make", FILES.values(), ids=FILES.keys())
def test_time_is_linear_and_bounded_for_a_url(make: Callable[[int], bytes]) -> None:
    body = make(MAX_ROBOTS_BYTES)[:MAX_ROBOTS_BYTES]
    robots = assert_linear(lambda n: body[:n], lambda part: Robots.parse(part, 200, AGENT), len(body), least=0.05)
    for url in LONG_URLS:
        assert_quick(partial(robots.allows, url), 0.05)  # 10 ms on an idle machine
    assert_quick(partial(pickle.loads, pickle.dumps(robots)), 0.05)  # as the event loop receives the rules


def test_a_url_that_takes_too_many_steps_is_not_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    robots = Robots.parse(b"User-agent: *\n" + b"".join(b"disallow: /*x%d\n" % i for i in range(100)), 200, AGENT)
    assert robots.allows(f"{HOST}/aaaa")
    monkeypatch.setattr("bonmun.scale.crawl.fetch.robots.MAX_STEPS", 200_000)
    assert robots.allows(f"{HOST}/aaaa")
    assert not robots.allows(f"{HOST}/{'a' * 1900}")
