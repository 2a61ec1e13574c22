"""Responses of all kinds become WARC records, new URLs or retries."""

from __future__ import annotations

import gzip
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from time import time
from typing import TYPE_CHECKING, Any

import pytest
from archives import make_exchange, read_all, read_warcio

from bonmun.errors import AddressRefused, FetchFailed, HostSilent, TooBig, TooSlow
from bonmun.scale.crawl.archive.warc_writer import WarcWriter
from bonmun.scale.crawl.fetch.reading import is_body_wanted
from bonmun.scale.crawl.frontier.frontier import Frontier
from bonmun.scale.crawl.frontier.tickets import FoundUrl
from bonmun.scale.crawl.frontier.traps import LIMITS
from bonmun.scale.crawl.plan import CrawlPlan
from bonmun.scale.crawl.visits import MAX_TRIES, ResponseProcessor

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bonmun.scale.crawl.fetch.exchange import Exchange
    from bonmun.scale.crawl.frontier.tickets import Claim

HOST = "http://pier.example"
FAR = 1e12
XML = '<?xml version="1.0"?>'


class Bench:
    """A response processor with its own frontier and WARC files."""

    def __init__(self, folder: Path, **plan: Any) -> None:
        self.folder = folder
        self.plan = CrawlPlan(seeds=(f"{HOST}/",), **plan)
        self.frontier = Frontier(folder, self.plan)
        self.writer = WarcWriter(folder / "warc", "made")
        self.processor = ResponseProcessor(self.plan, self.frontier, self.writer)

    def close(self) -> None:
        self.writer.close()
        self.frontier.close()

    def add(self, path: str, kind: str = "page") -> None:
        with self.frontier.transaction():
            self.frontier.add([FoundUrl(f"{HOST}{path}", kind, anchor="The way here")])

    def take(self, before: float = FAR) -> Claim:
        claim = self.frontier.take(before)
        assert claim
        return claim

    def pass_robots(self) -> None:
        """Respond to the request for robots.txt with 404."""
        self.processor.handle_response(self.take(), make_exchange(f"{HOST}/robots.txt", b"", status=404))

    def respond(self, body: bytes | str = b"", kind: str = "text/html", status: int = 200, **headers: str) -> Claim:
        """Respond to the next URL."""
        claim = self.take()
        self.processor.handle_response(claim, make_response(claim.url, body, kind, status, **headers))
        return claim

    def read(self, url: str) -> dict[str, Any]:
        """Return the columns of a URL and of its last fetch."""
        query = (
            "select u.state, u.depth, u.hops, u.via, u.anchor, u.tries, u.ready, u.error, u.kind, f.status, f.is_page, "
            "f.copy_of, f.canonical, f.file from urls u left join fetches f on f.url = u.id where u.url = ? "
            "order by f.id desc"
        )
        rows = self.frontier.sql.execute(query, [url])
        names = [column[0] for column in rows.description]
        row = rows.fetchone()
        assert row, f"{url} is not in the frontier"
        return dict(zip(names, row, strict=True))

    @property
    def waiting(self) -> set[str]:
        return {url for (url,) in self.frontier.sql.execute("select url from urls where state = 'waiting'")}

    def list_records(self) -> list[tuple[str, str]]:
        records = read_warcio(read_all(self.folder / "warc"))[1:]
        return [
            (each.kind, each.headers["WARC-Target-URI"]) for each in records if each.kind in ("response", "revisit")
        ]


def make_response(url: str, body: bytes | str = b"", kind: str = "", status: int = 200, **headers: str) -> Exchange:
    named = {"content-type": kind} | {name.replace("_", "-"): value for name, value in headers.items()}
    raw = tuple((name.encode(), value.encode("latin-1")) for name, value in named.items() if value)
    data = body.encode() if isinstance(body, str) else body
    return make_exchange(url, data, status=status, response_headers=raw)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with closing(Bench(tmp_path)) as bench:
        bench.add("/")
        bench.pass_robots()
        yield bench


def test_a_page_is_stored_and_its_links_are_added(bench: Bench) -> None:
    bench.respond('<title>A</title><a href="/b">To b</a><a href="http://else.example/">Away</a><a href="#top">Top</a>')
    page = bench.read(f"{HOST}/")
    assert (page["state"], page["is_page"], page["error"]) == ("done", 1, None)
    assert bench.waiting == {f"{HOST}/b"}
    found = bench.read(f"{HOST}/b")
    assert (found["depth"], found["via"], found["anchor"]) == (1, f"{HOST}/", "To b")
    assert bench.list_records()[-1] == ("response", f"{HOST}/")
    assert bench.frontier.totals["left out: on another site"] == 1


def test_nofollow_is_honoured_and_the_canonical_url_is_stored(bench: Bench) -> None:
    bench.respond('<link rel=canonical href="/one"><a href="/b" rel=nofollow>b</a><a href="/c">c</a>')
    assert bench.waiting == {f"{HOST}/c", f"{HOST}/one"}
    assert bench.read(f"{HOST}/")["canonical"] == f"{HOST}/one"
    assert bench.frontier.totals["left out: nofollow"] == 1
    bench.respond('<meta name=robots content="noindex, nofollow"><a href="/d">d</a>')
    assert f"{HOST}/d" not in bench.waiting
    assert bench.frontier.totals["pages"] == 2


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("/b", "/b"),
        ("b?x=1#part", "/b?x=1"),
        ("//pier.example/b", "/b"),
        ("/\xea\xb8\x80", "/%EA%B8%80"),  # bytes of UTF-8
        ("/\xb1\xdb", "/%B1%DB"),  # bytes of EUC-KR
        ("/?jsessionid=AB12", "/?jsessionid=AB12"),  # the same page except for the session id
        (
            "HTTP://PIER.example:80/?PHPSESSID=0123456789abcdef0123456789abcdef",
            "/?PHPSESSID=0123456789abcdef0123456789abcdef",
        ),
    ],
)
def test_redirects_are_followed(bench: Bench, location: str, target: str) -> None:
    bench.respond(status=302, location=location)
    assert bench.waiting == {f"{HOST}{target}"}
    found = bench.read(f"{HOST}{target}")
    assert (found["depth"], found["hops"], found["anchor"]) == (0, 1, "The way here")
    assert bench.read(f"{HOST}/")["state"] == "done"
    assert bench.frontier.totals["pages"] == 0


@pytest.mark.parametrize(
    ("location", "error"),
    [
        ("", "redirects to a URL that cannot be fetched"),
        ("mailto:kim@pier.example", "redirects to a URL that cannot be fetched"),
        ("http://[::1", "redirects to a URL that cannot be fetched"),
        ("http://kim:secret@pier.example/", "redirects to a URL that cannot be fetched"),
        ("/", "redirects to itself"),
        ("http:\\\\pier.example\\", "redirects to itself"),
        ("http://elsewhere.example/", None),
    ],
)
def test_redirects_without_a_usable_target_are_not_followed(bench: Bench, location: str, error: str | None) -> None:
    bench.respond(status=301, location=location)
    assert not bench.waiting
    assert bench.read(f"{HOST}/")["error"] == error


def test_the_number_of_redirects_is_limited(bench: Bench) -> None:
    for number in range(11):
        bench.respond(status=302, location=f"/{number}")
    assert not bench.waiting
    assert bench.read(f"{HOST}/9")["error"] == "too many redirects"


def test_a_refresh_counts_as_a_redirect(bench: Bench) -> None:
    bench.respond('<meta http-equiv=refresh content="0; url=/new"><p>We have moved.</p>')
    found = bench.read(f"{HOST}/new")
    assert (found["depth"], found["hops"], found["anchor"]) == (0, 1, "The way here")


def test_several_hosts_may_share_a_robots_txt(tmp_path: Path) -> None:
    with closing(Bench(tmp_path, domains=("pier.example", "lamp.example"))) as bench:
        with bench.frontier.transaction():
            bench.frontier.add([FoundUrl(f"{HOST}/"), FoundUrl("http://lamp.example/no")])
        for _ in range(2):
            bench.respond(status=301, location="http://rules.example/robots.txt")
        for _ in range(2):
            claim = bench.respond("User-agent: *\nDisallow: /no\n", "text/plain")
            assert claim.url.startswith("http://rules.example/robots.txt#")
        assert bench.respond("<p>A").url == f"{HOST}/"
        assert not bench.frontier.take(FAR)
        assert bench.frontier.totals["left out: disallowed by robots.txt"] == 1


@pytest.mark.parametrize("location", ["mailto:nobody", "/robots.txt?again"])
def test_a_robots_txt_with_a_broken_redirect_allows_everything(tmp_path: Path, location: str) -> None:
    with closing(Bench(tmp_path)) as bench:
        bench.add("/")
        claim = bench.take()
        while claim.kind == "robots":
            bench.processor.handle_response(claim, make_response(claim.url, status=302, location=location))
            claim = bench.take()
        assert claim.url == f"{HOST}/"


def test_an_unavailable_robots_txt_disallows_everything(tmp_path: Path) -> None:
    with closing(Bench(tmp_path)) as bench:
        bench.add("/")
        for _ in range(MAX_TRIES):
            bench.processor.handle_failure(bench.take(), FetchFailed("No response."))
        assert bench.frontier.take(FAR) is None
        assert not bench.frontier.has_waiting


def test_a_robots_txt_that_exceeds_a_limit_disallows_everything(tmp_path: Path) -> None:
    with closing(Bench(tmp_path)) as bench:
        bench.add("/")
        claim = bench.take()
        rules = make_response(claim.url, "User-agent: *\nAllow: /", "text/plain")
        bench.processor.handle_response(claim, rules, TooSlow("It took long."))
        assert bench.read(claim.url)["error"] == "It took long."
        assert bench.frontier.take(FAR) is None
        assert bench.frontier.totals["left out: robots.txt unavailable"] == 1


def test_a_robots_txt_is_requested_in_full_again(tmp_path: Path) -> None:
    """A 304 has no rules."""
    with closing(Bench(tmp_path)) as bench:
        bench.add("/no")
        bench.respond("User-agent: *\nDisallow: /no", "text/plain", ETag='"1"', Last_Modified="Mon")
        assert bench.frontier.take(FAR) is None
        bench.frontier.restart()
        claim = bench.take()
        assert (claim.kind, claim.etag, claim.modified) == ("robots", None, None)


def test_sitemaps_in_robots_txt_are_read(tmp_path: Path) -> None:
    with closing(Bench(tmp_path)) as bench:
        bench.add("/")
        bench.respond("Sitemap: /map.xml\nUser-agent: *\nDisallow: /no", "text/plain")
        assert (
            bench.respond(f"{XML}<sitemapindex><sitemap><loc>{HOST}/a.xml</loc></sitemap></sitemapindex>").kind
            == "sitemap"
        )
        body = gzip.compress(
            f"{XML}<urlset><url><loc>{HOST}/1</loc></url><url><loc>{HOST}/no</loc></url></urlset>".encode()
        )
        assert bench.respond("<p>x").url == f"{HOST}/"  # sitemaps and pages take turns
        assert bench.respond(body, "application/x-gzip").url == f"{HOST}/a.xml"
        assert bench.waiting == {f"{HOST}/1", f"{HOST}/no"}
        assert bench.frontier.totals["pages"] == 1


def test_the_nesting_of_sitemaps_is_limited(tmp_path: Path) -> None:
    with closing(Bench(tmp_path)) as bench:
        bench.add("/0.xml", "sitemap")
        bench.pass_robots()
        for number in range(1, 9):
            if bench.waiting:
                bench.respond(f"{XML}<sitemapindex><sitemap><loc>{HOST}/{number}.xml</loc></sitemap></sitemapindex>")
        assert not bench.waiting
        assert bench.frontier.totals["found"] == 7


def list_next(kind: str, number: int) -> tuple[str, str]:
    """Return a list of which there is always another one: a body and its content type."""
    following = f"{HOST}/{number + 1}"
    if kind == "sitemap":
        return f"{XML}<sitemapindex><sitemap><loc>{following}</loc></sitemap></sitemapindex>", "text/xml"
    if kind == "feed":
        return f"{XML}<feed><link rel='next' href='{following}'/></feed>", "application/atom+xml"
    return f'<a rel=next href="{following}">next</a><a href="{HOST}/view?no={number}">A headline of some length</a>', ""


@pytest.mark.parametrize("kind", ["sitemap", "feed", "result"])
def test_endless_lists_do_not_keep_pages_waiting(tmp_path: Path, kind: str) -> None:
    with closing(Bench(tmp_path, portal=kind == "result")) as bench:
        bench.add("/0", kind)
        bench.add("/page")
        bench.pass_robots()
        kinds = []
        for number in range(1, 9):
            claim = bench.take()
            kinds.append(claim.kind)
            body, content_type = ("<p>x", "text/html") if claim.kind == "page" else list_next(kind, number)
            bench.processor.handle_response(claim, make_response(claim.url, body, content_type))
            if not bench.waiting:
                break
        assert kinds[:3] == [kind, "page", kind]


def test_the_pages_of_a_feed_are_limited(tmp_path: Path) -> None:
    with closing(Bench(tmp_path)) as bench:
        bench.add("/0", "feed")
        bench.pass_robots()
        for number in range(1, 150):
            if bench.waiting:
                assert bench.respond(*list_next("feed", number)).hops == number - 1
        assert not bench.waiting
        assert bench.frontier.totals["found"] == 102  # with robots.txt


@pytest.mark.parametrize("kind", ["sitemap", "feed", "result"])
def test_the_lists_of_a_site_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """Wide indexes and endless hosts are no way around the limit of nesting."""
    monkeypatch.setitem(LIMITS, kind, (10, "too many"))
    with closing(Bench(tmp_path)) as bench:
        with bench.frontier.transaction():
            bench.frontier.add(FoundUrl(f"http://{number}.pier.example/x", kind) for number in range(30))
        assert len({url for url in bench.waiting if url.endswith("/x")}) == 10
        assert bench.frontier.totals["left out: too many"] == 20


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (
            "application/rss+xml",
            f"{XML}<rss><channel><item><title>One</title><link>{HOST}/1</link></item></channel></rss>",
        ),
        ("text/xml", f"{XML}<urlset><url><loc>{HOST}/1</loc></url></urlset>"),
        (
            "application/feed+json",
            '{"version": "https://jsonfeed.org/version/1.1", "items": [{"url": "/1", "title": "One"}]}',
        ),
    ],
)
def test_a_seed_may_be_a_feed_or_a_sitemap(bench: Bench, kind: str, body: str) -> None:
    bench.respond(body, kind)
    assert bench.waiting == {f"{HOST}/1"}
    assert bench.read(f"{HOST}/")["is_page"] == 0


@pytest.mark.parametrize(
    ("retry_after", "min_seconds", "max_seconds"),
    [
        ("", 5, 6),
        ("7", 7, 8),
        ("0", 0, 1),
        ("soon", 5, 6),
        ("-5", 5, 6),
        ("1.5", 5, 6),
        ("Mon, 01 Jan 2024 00:00:00 GMT", 0, 1),  # in the past
        ("Mon, 01 Jan 2024 00:00:00 +99999999999999", 5, 6),
        ("Mon, 01 Jan 99999999999999999999 00:00:00 GMT", 5, 6),
    ],
)
def test_retry_after_is_respected(bench: Bench, retry_after: str, min_seconds: float, max_seconds: float) -> None:
    before = time()
    bench.respond(status=503, retry_after=retry_after)
    page = bench.read(f"{HOST}/")
    assert (page["state"], page["tries"]) == ("waiting", 1)
    assert before + min_seconds <= page["ready"] <= time() + max_seconds
    assert bench.frontier.queue.hosts["pier.example"].ready == page["ready"]


def test_retry_after_may_be_a_date(bench: Bench) -> None:
    ready = datetime.now(UTC) + timedelta(seconds=90)
    bench.respond(status=429, retry_after=format_datetime(ready, usegmt=True))
    assert abs(bench.read(f"{HOST}/")["ready"] - ready.timestamp()) < 2


@pytest.mark.parametrize("retry_after", ["86400", "9" * 400, "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_a_url_with_a_long_retry_after_is_not_retried(bench: Bench, retry_after: str) -> None:
    bench.respond(status=429, retry_after=retry_after)
    page = bench.read(f"{HOST}/")
    assert (page["state"], page["error"]) == ("done", "HTTP status 429")


def test_a_server_error_is_retried_after_other_urls(bench: Bench) -> None:
    bench.add("/other")
    bench.respond(status=500)
    other = bench.take(time())
    assert other.url == f"{HOST}/other"
    bench.processor.handle_response(other, make_response(other.url, "<p>Well.", "text/html"))
    for _ in range(MAX_TRIES - 1):
        assert bench.respond("<p>Broken", status=500).url == f"{HOST}/"
    page = bench.read(f"{HOST}/")
    assert (page["state"], page["error"], page["is_page"]) == ("done", "HTTP status 500", 0)


def test_an_incomplete_body_is_retried_once_and_then_stored(bench: Bench) -> None:
    for state in ("waiting", "done"):
        claim = bench.take()
        exchange = make_response(claim.url, "<p>Half of a pa", "text/html")
        bench.processor.handle_response(claim, replace(exchange, truncated="disconnect"))
        assert bench.read(f"{HOST}/")["state"] == state
    assert bench.read(f"{HOST}/")["is_page"] == 1


def test_failures_are_retried_and_then_final(bench: Bench) -> None:
    for number in range(MAX_TRIES):
        assert bench.read(f"{HOST}/")["tries"] == number
        bench.processor.handle_failure(bench.take(), FetchFailed("No response."))
    page = bench.read(f"{HOST}/")
    assert (page["state"], page["error"], page["file"]) == ("failed", "No response.", None)


@pytest.mark.parametrize("problem", [AddressRefused("Not here."), TooBig("Too large.")])
def test_permanent_failures_are_not_retried(bench: Bench, problem: Exception) -> None:
    assert isinstance(problem, AddressRefused | TooBig)
    bench.processor.handle_failure(bench.take(), problem)
    assert bench.read(f"{HOST}/")["state"] == "failed"
    assert bench.frontier.totals["bytes"] == (bench.plan.max_bytes if isinstance(problem, TooBig) else 0)


def test_a_host_that_refuses_connections_is_postponed(bench: Bench) -> None:
    bench.add("/other")
    bench.processor.handle_failure(bench.take(), HostSilent("Connection refused."))
    assert bench.frontier.take(time()) is None
    assert bench.frontier.queue.hosts["pier.example"].failures == 5


def test_the_same_body_again_is_a_revisit(bench: Bench) -> None:
    bench.add("/copy")
    bench.respond("<p>The same.")
    bench.respond("<p>The same.")
    assert bench.read(f"{HOST}/copy")["copy_of"]
    assert bench.list_records()[-2:] == [("response", f"{HOST}/"), ("revisit", f"{HOST}/copy")]


def test_empty_bodies_and_errors_are_not_revisits(bench: Bench) -> None:
    bench.add("/b")
    bench.add("/c")
    bench.respond("")
    bench.respond("")
    bench.respond("", status=404)
    assert {bench.read(f"{HOST}/{path}")["copy_of"] for path in ("", "b", "c")} == {None}


def test_an_unchanged_page_is_a_revisit(bench: Bench) -> None:
    bench.respond("<p>One.", etag='"1"', last_modified="Mon, 01 Jan 2024 00:00:00 GMT")
    bench.frontier.restart()
    bench.pass_robots()
    claim = bench.respond(status=304)
    assert (claim.etag, claim.modified) == ('"1"', "Mon, 01 Jan 2024 00:00:00 GMT")
    page = bench.read(f"{HOST}/")
    assert (page["status"], page["is_page"]) == (304, 1)
    assert page["copy_of"]
    assert bench.list_records()[-1] == ("revisit", f"{HOST}/")
    bench.frontier.restart()
    bench.pass_robots()
    assert bench.take().etag == '"1"'


def test_pages_without_keywords_are_followed_but_not_stored(tmp_path: Path) -> None:
    with closing(Bench(tmp_path, keywords=("등대",))) as bench:
        bench.add("/")
        bench.pass_robots()
        bench.respond('<p>Nothing. <a href="/b">b</a>')
        bench.respond("<p>낡은 등대가 다시 불을 밝혔다.")
        assert bench.read(f"{HOST}/")["error"] == "contains no keyword"
        assert [url for _, url in bench.list_records()] == [f"{HOST}/robots.txt", f"{HOST}/b"]
        assert bench.frontier.totals["pages"] == 1


def test_other_content_types_are_not_stored(bench: Bench) -> None:
    bench.respond(b"%PDF", "application/pdf")
    page = bench.read(f"{HOST}/")
    assert (page["state"], page["error"], page["file"]) == ("done", "not a page: application/pdf", None)


@pytest.mark.parametrize(
    ("body", "coding", "error"),
    [
        (gzip.compress(b"0" * 2_000_000), "gzip", "larger than"),
        (b"\x1f\x8b\x08 broken", "gzip", ""),
        (b"?", "zstd", ""),
    ],
)
def test_bodies_that_cannot_be_decompressed_are_errors(tmp_path: Path, body: bytes, coding: str, error: str) -> None:
    with closing(Bench(tmp_path, max_bytes=1_000_000)) as bench:
        bench.add("/")
        bench.pass_robots()
        bench.respond(body, content_encoding=coding)
        page = bench.read(f"{HOST}/")
        assert page["state"] == "done"
        assert page["is_page"] == 0
        assert error in page["error"]


def test_which_bodies_are_read() -> None:
    assert is_body_wanted("page", 200, "text/html; charset=utf-8")
    assert is_body_wanted("page", 200, "")
    assert is_body_wanted("robots", 200, "image/png")
    assert is_body_wanted("page", 404, "image/png")
    assert not is_body_wanted("page", 200, "image/png")
