"""The rules of robots.txt."""

from __future__ import annotations

import pytest

from bonmun.scale.crawl.fetch.robots import MAX_ROBOTS_BYTES, Robots

HOST = "http://a.example"
AGENT = "bonmun"
RULES = b"User-agent: *\nDisallow: /no\nAllow: /no/but\nDisallow: /*.pdf$\nDisallow: /*?sort=\nCrawl-delay: 2.5\n"


def list_allowed(body: bytes, paths: list[str], status: int = 200) -> list[str]:
    robots = Robots.parse(body, status)
    return [path for path in paths if robots.allows(HOST + path, AGENT)]


def test_rules_and_delay() -> None:
    paths = ["/", "/no", "/none", "/no/but", "/a.pdf", "/a.pdf?b", "/a?sort=b", "/a?b&sort=c"]
    assert list_allowed(RULES, paths) == ["/", "/no/but", "/a.pdf?b", "/a?b&sort=c"]
    assert Robots.parse(RULES, 200).find_delay(AGENT) == 2.5


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
    robots = Robots.parse(
        b"User-agent: BonMun\nDisallow: /a\nCrawl-delay: 1\n\nUser-agent: *\nDisallow: /\nRequest-rate: 1/10\n", 200
    )
    assert robots.allows(f"{HOST}/b", AGENT)
    assert robots.allows(f"{HOST}/b", "Mozilla/5.0 (compatible; bonmun/1.0)")
    assert not robots.allows(f"{HOST}/a", AGENT)
    assert not robots.allows(f"{HOST}/b", "other")
    assert robots.find_delay(AGENT) == 1
    assert robots.find_delay("other") == 10


def test_paths_are_compared_after_decoding() -> None:
    body = "User-agent: *\nDisallow: /글\nDisallow: /%7ekim\n".encode()
    assert list_allowed(body, ["/%EA%B8%80", "/~kim/1", "/%EA%B8%81"]) == ["/%EA%B8%81"]
    assert list_allowed("User-agent: *\nDisallow: /글\n".encode("cp949"), ["/%B1%DB", "/b"]) == ["/b"]


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 410])
def test_without_robots_txt_everything_is_allowed(status: int) -> None:
    robots = Robots.parse(b"User-agent: *\nDisallow: /", status)
    assert robots.allows(f"{HOST}/", AGENT)
    assert not robots.is_unavailable
    assert robots.find_delay(AGENT) is None


@pytest.mark.parametrize("status", [0, 429, 500, 503, 599])
def test_while_robots_txt_is_unavailable_nothing_is_allowed(status: int) -> None:
    robots = Robots.parse(b"", status)
    assert not robots.allows(f"{HOST}/", AGENT)
    assert robots.is_unavailable
    assert robots.sitemaps == []


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


@pytest.mark.parametrize("delay", [b"soon", b"-1", b"inf", b"nan", b""])
def test_invalid_delays_are_ignored(delay: bytes) -> None:
    assert Robots.parse(b"User-agent: *\nCrawl-delay: " + delay, 200).find_delay(AGENT) is None


def test_sitemaps_are_listed() -> None:
    body = b"Sitemap: http://a.example/1.xml\nsitemap: /2.xml\nSitemap: ftp://a.example/3\nUser-agent: x\nSitemap: http://a.example/1.xml"
    assert Robots.parse(body, 200, f"{HOST}/robots.txt").sitemaps == [f"{HOST}/1.xml", f"{HOST}/2.xml"]
    assert Robots.parse(body, 200).sitemaps == [f"{HOST}/1.xml"]


def test_invalid_urls_are_not_allowed() -> None:
    assert not Robots.parse(RULES, 200).allows("http://[", AGENT)
