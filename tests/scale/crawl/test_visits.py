"""What becomes of an answer: a record, links that wait, another try; for every kind of answer that servers give."""

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

from bonmun.errors import AddressRefused, FetchFailed, HostSilent, TooBig
from bonmun.scale.crawl.archive.warc_writer import WarcWriter
from bonmun.scale.crawl.frontier.frontier import Frontier
from bonmun.scale.crawl.frontier.tickets import FoundUrl
from bonmun.scale.crawl.plan import CrawlPlan
from bonmun.scale.crawl.visits import MAX_TRIES, ResponseProcessor, is_body_wanted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bonmun.scale.crawl.fetch.exchange import Exchange
    from bonmun.scale.crawl.frontier.tickets import Claim

HOST = "http://pier.example"
FAR = 1e12
XML = '<?xml version="1.0"?>'


class Desk:
    """ResponseProcessor with a frontier of their own: ask, and see what came of it."""

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
        """The host has no robots.txt."""
        self.processor.handle_response(self.take(), make_exchange(f"{HOST}/robots.txt", b"", status=404))

    def answer(self, body: bytes | str = b"", kind: str = "text/html", status: int = 200, **headers: str) -> Claim:
        """Give an answer to the URL whose turn it is."""
        claim = self.take()
        self.processor.handle_response(claim, make_answer(claim.url, body, kind, status, **headers))
        return claim

    def read(self, url: str) -> dict[str, Any]:
        """What is known of a URL, and of its last fetch."""
        asked = (
            "select u.state, u.depth, u.hops, u.via, u.anchor, u.tries, u.ready, u.error, u.kind, f.status, f.is_page, "
            "f.copy_of, f.canonical, f.file from urls u left join fetches f on f.url = u.id where u.url = ? "
            "order by f.id desc"
        )
        rows = self.frontier.sql.execute(asked, [url])
        names = [column[0] for column in rows.description]
        row = rows.fetchone()
        assert row, f"{url} is not known"
        return dict(zip(names, row, strict=True))

    @property
    def waiting(self) -> set[str]:
        return {url for (url,) in self.frontier.sql.execute("select url from urls where state = 'waiting'")}

    def list_records(self) -> list[tuple[str, str]]:
        records = read_warcio(read_all(self.folder / "warc"))[1:]
        return [
            (each.kind, each.headers["WARC-Target-URI"]) for each in records if each.kind in ("response", "revisit")
        ]


def make_answer(url: str, body: bytes | str = b"", kind: str = "", status: int = 200, **headers: str) -> Exchange:
    named = {"content-type": kind} | {name.replace("_", "-"): value for name, value in headers.items()}
    raw = tuple((name.encode(), value.encode("latin-1")) for name, value in named.items() if value)
    data = body.encode() if isinstance(body, str) else body
    return make_exchange(url, data, status=status, response_headers=raw)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with closing(Desk(tmp_path)) as desk:
        desk.add("/")
        desk.pass_robots()
        yield desk


def test_a_page_is_kept_and_its_links_wait(desk: Desk) -> None:
    desk.answer('<title>A</title><a href="/b">To b</a><a href="http://else.example/">Away</a><a href="#top">Top</a>')
    page = desk.read(f"{HOST}/")
    assert (page["state"], page["is_page"], page["error"]) == ("done", 1, None)
    assert desk.waiting == {f"{HOST}/b"}
    found = desk.read(f"{HOST}/b")
    assert (found["depth"], found["via"], found["anchor"]) == (1, f"{HOST}/", "To b")
    assert desk.list_records()[-1] == ("response", f"{HOST}/")
    assert desk.frontier.totals["left out: on another site"] == 1


def test_nofollow_is_honoured_and_the_canonical_address_is_noted(desk: Desk) -> None:
    desk.answer('<link rel=canonical href="/one"><a href="/b" rel=nofollow>b</a><a href="/c">c</a>')
    assert desk.waiting == {f"{HOST}/c", f"{HOST}/one"}
    assert desk.read(f"{HOST}/")["canonical"] == f"{HOST}/one"
    assert desk.frontier.totals["left out: nofollow"] == 1
    desk.answer('<meta name=robots content="noindex, nofollow"><a href="/d">d</a>')
    assert f"{HOST}/d" not in desk.waiting
    assert desk.frontier.totals["pages"] == 2


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("/b", "/b"),
        ("b?x=1#part", "/b?x=1"),
        ("//pier.example/b", "/b"),
        ("/\xea\xb8\x80", "/%EA%B8%80"),  # the bytes of UTF-8, as they come
        ("/\xb1\xdb", "/%B1%DB"),  # of EUC-KR
        ("/?jsessionid=AB12", "/?jsessionid=AB12"),  # the same page, but for the session
        (
            "HTTP://PIER.example:80/?PHPSESSID=0123456789abcdef0123456789abcdef",
            "/?PHPSESSID=0123456789abcdef0123456789abcdef",
        ),
    ],
)
def test_redirects_lead_on(desk: Desk, location: str, target: str) -> None:
    desk.answer(status=302, location=location)
    assert desk.waiting == {f"{HOST}{target}"}
    found = desk.read(f"{HOST}{target}")
    assert (found["depth"], found["hops"], found["anchor"]) == (0, 1, "The way here")
    assert desk.read(f"{HOST}/")["state"] == "done"
    assert desk.frontier.totals["pages"] == 0


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
def test_redirects_to_nowhere_end(desk: Desk, location: str, error: str | None) -> None:
    desk.answer(status=301, location=location)
    assert not desk.waiting
    assert desk.read(f"{HOST}/")["error"] == error


def test_redirects_without_end_end(desk: Desk) -> None:
    for number in range(11):
        desk.answer(status=302, location=f"/{number}")
    assert not desk.waiting
    assert desk.read(f"{HOST}/9")["error"] == "too many redirects"


def test_a_page_that_sends_its_readers_on_counts_as_a_redirect(desk: Desk) -> None:
    desk.answer('<meta http-equiv=refresh content="0; url=/new"><p>We have moved.</p>')
    found = desk.read(f"{HOST}/new")
    assert (found["depth"], found["hops"], found["anchor"]) == (0, 1, "The way here")


def test_robots_txt_of_several_hosts_may_be_one_file(tmp_path: Path) -> None:
    with closing(Desk(tmp_path, domains=("pier.example", "lamp.example"))) as desk:
        with desk.frontier.transaction():
            desk.frontier.add([FoundUrl(f"{HOST}/"), FoundUrl("http://lamp.example/no")])
        for _ in range(2):
            desk.answer(status=301, location="http://rules.example/robots.txt")
        for _ in range(2):
            claim = desk.answer("User-agent: *\nDisallow: /no\n", "text/plain")
            assert claim.url.startswith("http://rules.example/robots.txt#")
        assert desk.answer("<p>A").url == f"{HOST}/"
        assert not desk.frontier.take(FAR)
        assert desk.frontier.totals["left out: disallowed by robots.txt"] == 1


@pytest.mark.parametrize("location", ["mailto:nobody", "/robots.txt?again"])
def test_a_robots_txt_that_leads_nowhere_forbids_nothing(tmp_path: Path, location: str) -> None:
    with closing(Desk(tmp_path)) as desk:
        desk.add("/")
        claim = desk.take()
        while claim.kind == "robots":
            desk.processor.handle_response(claim, make_answer(claim.url, status=302, location=location))
            claim = desk.take()
        assert claim.url == f"{HOST}/"


def test_a_robots_txt_that_cannot_be_had_forbids_everything(tmp_path: Path) -> None:
    with closing(Desk(tmp_path)) as desk:
        desk.add("/")
        for _ in range(MAX_TRIES):
            desk.processor.handle_failure(desk.take(), FetchFailed("No answer."))
        assert desk.frontier.take(FAR) is None
        assert not desk.frontier.has_waiting


def test_robots_txt_names_sitemaps(tmp_path: Path) -> None:
    with closing(Desk(tmp_path)) as desk:
        desk.add("/")
        desk.answer("Sitemap: /map.xml\nUser-agent: *\nDisallow: /no", "text/plain")
        assert (
            desk.answer(f"{XML}<sitemapindex><sitemap><loc>{HOST}/a.xml</loc></sitemap></sitemapindex>").kind
            == "sitemap"
        )
        body = gzip.compress(
            f"{XML}<urlset><url><loc>{HOST}/1</loc></url><url><loc>{HOST}/no</loc></url></urlset>".encode()
        )
        assert desk.answer(body, "application/x-gzip").url == f"{HOST}/a.xml"
        assert desk.waiting == {f"{HOST}/", f"{HOST}/1", f"{HOST}/no"}
        assert desk.frontier.totals["pages"] == 0


def test_sitemaps_in_sitemaps_end(tmp_path: Path) -> None:
    with closing(Desk(tmp_path)) as desk:
        desk.add("/0.xml", "sitemap")
        desk.pass_robots()
        for number in range(1, 9):
            if desk.waiting:
                desk.answer(f"{XML}<sitemapindex><sitemap><loc>{HOST}/{number}.xml</loc></sitemap></sitemapindex>")
        assert not desk.waiting
        assert desk.frontier.totals["found"] == 7


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
def test_a_seed_may_be_a_feed_or_a_sitemap(desk: Desk, kind: str, body: str) -> None:
    desk.answer(body, kind)
    assert desk.waiting == {f"{HOST}/1"}
    assert desk.read(f"{HOST}/")["is_page"] == 0


@pytest.mark.parametrize(
    ("said", "least", "most"),
    [
        ("", 5, 6),
        ("7", 7, 8),
        ("0", 0, 1),
        ("soon", 5, 6),
        ("-5", 5, 6),
        ("1.5", 5, 6),
        ("Mon, 01 Jan 2024 00:00:00 GMT", 0, 1),  # long ago
        ("Mon, 01 Jan 2024 00:00:00 +99999999999999", 5, 6),
        ("Mon, 01 Jan 99999999999999999999 00:00:00 GMT", 5, 6),
    ],
)
def test_a_busy_host_is_asked_again_when_it_says(desk: Desk, said: str, least: float, most: float) -> None:
    before = time()
    desk.answer(status=503, retry_after=said)
    page = desk.read(f"{HOST}/")
    assert (page["state"], page["tries"]) == ("waiting", 1)
    assert before + least <= page["ready"] <= time() + most
    assert desk.frontier.queue.hosts["pier.example"].ready == page["ready"]


def test_a_date_to_come_is_waited_for(desk: Desk) -> None:
    moment = datetime.now(UTC) + timedelta(seconds=90)
    desk.answer(status=429, retry_after=format_datetime(moment, usegmt=True))
    assert abs(desk.read(f"{HOST}/")["ready"] - moment.timestamp()) < 2


@pytest.mark.parametrize("said", ["86400", "9" * 400, "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_a_host_that_asks_for_a_day_is_left_alone(desk: Desk, said: str) -> None:
    desk.answer(status=429, retry_after=said)
    page = desk.read(f"{HOST}/")
    assert (page["state"], page["error"]) == ("done", "HTTP status 429")


def test_a_broken_page_is_tried_again_and_others_meanwhile(desk: Desk) -> None:
    desk.add("/other")
    desk.answer(status=500)
    other = desk.take(time())
    assert other.url == f"{HOST}/other"
    desk.processor.handle_response(other, make_answer(other.url, "<p>Well.", "text/html"))
    for _ in range(MAX_TRIES - 1):
        assert desk.answer("<p>Broken", status=500).url == f"{HOST}/"
    page = desk.read(f"{HOST}/")
    assert (page["state"], page["error"], page["is_page"]) == ("done", "HTTP status 500", 0)


def test_a_body_that_is_cut_is_tried_once_more_and_then_kept(desk: Desk) -> None:
    for state in ("waiting", "done"):
        claim = desk.take()
        exchange = make_answer(claim.url, "<p>Half of a pa", "text/html")
        desk.processor.handle_response(claim, replace(exchange, truncated="disconnect"))
        assert desk.read(f"{HOST}/")["state"] == state
    assert desk.read(f"{HOST}/")["is_page"] == 1


def test_failures_are_tried_again_and_then_final(desk: Desk) -> None:
    for number in range(MAX_TRIES):
        assert desk.read(f"{HOST}/")["tries"] == number
        desk.processor.handle_failure(desk.take(), FetchFailed("No answer."))
    page = desk.read(f"{HOST}/")
    assert (page["state"], page["error"], page["file"]) == ("failed", "No answer.", None)


@pytest.mark.parametrize("problem", [AddressRefused("Not here."), TooBig("Too large.")])
def test_what_will_not_change_is_not_tried_again(desk: Desk, problem: Exception) -> None:
    assert isinstance(problem, AddressRefused | TooBig)
    desk.processor.handle_failure(desk.take(), problem)
    assert desk.read(f"{HOST}/")["state"] == "failed"
    assert desk.frontier.totals["bytes"] == (desk.plan.max_bytes if isinstance(problem, TooBig) else 0)


def test_nobody_who_is_silent_is_asked_for_more(desk: Desk) -> None:
    desk.add("/other")
    desk.processor.handle_failure(desk.take(), HostSilent("Nobody there."))
    assert desk.frontier.take(time()) is None
    assert desk.frontier.queue.hosts["pier.example"].failures == 5


def test_the_same_body_again_is_a_copy(desk: Desk) -> None:
    desk.add("/copy")
    desk.answer("<p>The same.")
    desk.answer("<p>The same.")
    assert desk.read(f"{HOST}/copy")["copy_of"]
    assert desk.list_records()[-2:] == [("response", f"{HOST}/"), ("revisit", f"{HOST}/copy")]


def test_empty_bodies_and_errors_are_no_copies(desk: Desk) -> None:
    desk.add("/b")
    desk.add("/c")
    desk.answer("")
    desk.answer("")
    desk.answer("", status=404)
    assert {desk.read(f"{HOST}/{path}")["copy_of"] for path in ("", "b", "c")} == {None}


def test_what_has_not_changed_points_to_what_it_was(desk: Desk) -> None:
    desk.answer("<p>One.", etag='"1"', last_modified="Mon, 01 Jan 2024 00:00:00 GMT")
    desk.frontier.restart()
    desk.pass_robots()
    claim = desk.answer(status=304)
    assert (claim.etag, claim.modified) == ('"1"', "Mon, 01 Jan 2024 00:00:00 GMT")
    page = desk.read(f"{HOST}/")
    assert (page["status"], page["is_page"]) == (304, 1)
    assert page["copy_of"]
    assert desk.list_records()[-1] == ("revisit", f"{HOST}/")
    desk.frontier.restart()
    desk.pass_robots()
    assert desk.take().etag == '"1"'


def test_pages_without_the_keywords_are_followed_and_not_kept(tmp_path: Path) -> None:
    with closing(Desk(tmp_path, keywords=("등대",))) as desk:
        desk.add("/")
        desk.pass_robots()
        desk.answer('<p>Nothing. <a href="/b">b</a>')
        desk.answer("<p>낡은 등대가 다시 불을 밝혔다.")
        assert desk.read(f"{HOST}/")["error"] == "contains no keyword"
        assert [url for _, url in desk.list_records()] == [f"{HOST}/robots.txt", f"{HOST}/b"]
        assert desk.frontier.totals["pages"] == 1


def test_what_is_no_page_is_not_kept(desk: Desk) -> None:
    desk.answer(b"%PDF", "application/pdf")
    page = desk.read(f"{HOST}/")
    assert (page["state"], page["error"], page["file"]) == ("done", "not a page: application/pdf", None)


@pytest.mark.parametrize(
    ("body", "coding", "error"),
    [
        (gzip.compress(b"0" * 2_000_000), "gzip", "larger than"),
        (b"\x1f\x8b\x08 broken", "gzip", ""),
        (b"?", "zstd", ""),
    ],
)
def test_bodies_that_cannot_be_unpacked_cost_one_page(tmp_path: Path, body: bytes, coding: str, error: str) -> None:
    with closing(Desk(tmp_path, max_bytes=1_000_000)) as desk:
        desk.add("/")
        desk.pass_robots()
        desk.answer(body, content_encoding=coding)
        page = desk.read(f"{HOST}/")
        assert page["state"] == "done"
        assert page["is_page"] == 0
        assert error in page["error"]


def test_bodies_are_read_by_what_was_asked_for() -> None:
    assert is_body_wanted("page", 200, "text/html; charset=utf-8")
    assert is_body_wanted("page", 200, "")
    assert is_body_wanted("robots", 200, "image/png")
    assert is_body_wanted("page", 404, "image/png")
    assert not is_body_wanted("page", 200, "image/png")
