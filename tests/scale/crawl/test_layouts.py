"""Links and texts of fetched and rendered versions of a page, and recognition of shells, without a browser."""

from __future__ import annotations

from datetime import UTC, datetime
from time import time
from typing import TYPE_CHECKING

import pytest

from bonmun.empty_pages import is_shell
from bonmun.page import Page
from bonmun.scale.crawl.fetch.exchange import Exchange
from bonmun.scale.crawl.fetch.layouts import PageVersions, name_snapshot
from bonmun.scale.crawl.fetch.reading import PageContent
from bonmun.scale.crawl.plan import CrawlPlan
from bonmun.scale.crawl.process import prepare
from bonmun.scale.crawl.visits import ResponseProcessor

if TYPE_CHECKING:
    from pathlib import Path

URL = "http://app.example/a"
STORY = "<p>" + "The lamp of the old lighthouse was lit again on Monday, after eleven years in the dark. " * 6 + "</p>"
MENU = "".join(f"<li><a href=/{name}>{name}</a>" for name in ("news", "sport", "weather", "about", "contact"))

SHELLS = {
    "empty": "<title>App</title><div id=root></div><script src=app.js></script>",
    "a word": "<title>App</title><div id=root>Loading…</div><script src=app.js></script>",
    "with menus": f"<title>App</title><nav><ul>{MENU}</ul></nav><main id=root></main><script>fill()</script>",
}
COMPLETE = {
    "no scripts": "<title>Nothing</title><div id=root></div>",
    "a story": f"<title>Story</title><script>count()</script><article><h1>Story</h1>{STORY}</article>",
    "scripts only uncover it": f"<title>App</title><div hidden>{STORY * 9}</div><script>show()</script>",
    "long": f"<title>Story</title><script>count()</script>{STORY * 9}",
}


@pytest.mark.parametrize("case", SHELLS)
def test_shells_are_recognised(case: str) -> None:
    assert is_shell(Page.parse(SHELLS[case]))


@pytest.mark.parametrize("case", COMPLETE)
def test_complete_pages_are_not_shells(case: str) -> None:
    assert not is_shell(Page.parse(COMPLETE[case]))


def make_versions(fetched: str, rendered: str) -> PageVersions:
    return PageVersions(Page.parse(fetched, URL), Page.parse(rendered, URL))


def test_links_of_both_versions_are_followed() -> None:
    versions = make_versions(
        "<a href=/gone>Gone</a><a href=/image><img src=x></a><a href=/b rel=nofollow>B</a>",
        "<a href=/new>New</a><a href=/image>Image</a><a href=/b>Bee</a>",
    )
    found = [(link.url.rpartition("/")[2], link.anchor, link.follow) for link in versions.find_links(URL)]
    assert found == [("gone", "Gone", True), ("image", "Image", True), ("b", "B", True), ("new", "New", True)]


def test_either_version_may_forbid_following() -> None:
    forbids = "<meta name=robots content=nofollow>"
    assert make_versions("<p>", "<p>").allows_following
    assert not make_versions(forbids, "<p>").allows_following
    assert not make_versions("<p>", forbids).allows_following


def test_the_canonical_url_of_the_rendered_version_takes_precedence() -> None:
    first, last = (f"<link rel=canonical href=/{name}><p>Text" for name in ("first", "last"))
    assert make_versions(first, last).find_canonical(URL) == "http://app.example/last"
    assert make_versions(first, "<p>").find_canonical(URL) == "http://app.example/first"
    assert make_versions("<p>", "<p>").find_canonical(URL) is None


def test_texts_of_both_versions_are_listed() -> None:
    assert list(make_versions("<title>App</title>Fetched", "<title>Story</title>Shown").list_texts()) == [
        "App",
        "Fetched",
        "Story",
        "Shown",
    ]


def test_names_of_snapshots_are_unique() -> None:
    name = name_snapshot(7, 0, "http://app.example/../a?b=c/d")
    assert name == name_snapshot(7, 0, "http://app.example/../a?b=c/d")
    assert "/" not in name
    assert name.endswith(".snapshot")
    names = {name_snapshot(number, visit, URL + tail) for number in (1, 2) for visit in (0, 1) for tail in ("", "/")}
    assert len(names) == 8
    assert len(name_snapshot(10**9, 99, URL + "/long" * 400)) < 200


def test_a_plan_with_rendering_needs_a_browser() -> None:
    assert not CrawlPlan(seeds=(URL,)).needs_browser
    assert CrawlPlan(seeds=(URL,), render="auto").needs_browser
    plan = CrawlPlan(seeds=(URL,), render_urls=("*/app/*",))
    assert plan.needs_browser
    assert plan.is_rendered("http://app.example/app/1")
    assert not plan.is_rendered(URL)


@pytest.mark.parametrize("is_rendered", [True, False])
def test_rendered_pages_have_no_validators_and_one_snapshot(tmp_path: Path, is_rendered: bool) -> None:
    """A snapshot that an interrupted run has left is overwritten."""
    frontier, writer = prepare(tmp_path, CrawlPlan(seeds=(URL,), render="auto", connections=2))
    folder = tmp_path / "snapshots"
    folder.mkdir()
    processor = ResponseProcessor(frontier.plan, frontier, writer, folder)
    frontier.set_robots("app.example", b"", 404)
    claims = [frontier.take(time()), frontier.take(time())]
    claim = next(each for each in claims if each and each.kind == "page")
    left = folder / name_snapshot(claim.id, 0, URL)
    left.write_bytes(b"left by a kill")
    headers = ((b"Content-Type", b"text/html"), (b"ETag", b'"1"'))
    answer = Exchange(
        url=URL, status=200, response_headers=headers, body=SHELLS["empty"].encode(), started=datetime.now(UTC)
    )
    processor.handle_response(claim, answer, PageContent(is_page=True, snapshot=b"snapshot" if is_rendered else None))
    writer.close()
    assert frontier.sql.execute("select etag from urls where id = ?", [claim.id]).fetchone() == (
        None if is_rendered else '"1"',
    )
    assert frontier.sql.execute("select snapshot from fetches").fetchone() == (left.name if is_rendered else None,)
    assert left.read_bytes() == (b"snapshot" if is_rendered else b"left by a kill")
    frontier.close()
