"""The frontier loses no URL and never stalls, in any order of events and after any crash."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from bonmun.errors import BadInput
from bonmun.scale.crawl.archive.warc_files import RecordLocation
from bonmun.scale.crawl.frontier.frontier import CONNECT_FAILURE_WEIGHT, NO_RESPONSE, TIMEOUT_FAILURE_WEIGHT, Frontier
from bonmun.scale.crawl.frontier.tickets import Claim, Fetch, FoundUrl
from bonmun.scale.crawl.plan import CrawlPlan

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bonmun.scale.crawl.frontier.turns import HostState

HOSTS = ("a.example", "b.example", "c.example")
ROBOTS = b"User-agent: *\nDisallow: /no\n"
FAR = 1e12  # a time when everything is ready
MAX_HOSTS = 100  # examined by one call of take; more would be an endless loop


def make_plan(**more: Any) -> CrawlPlan:
    return CrawlPlan(seeds=("http://a.example/",), domains=HOSTS, **more)


def open_frontier(folder: Path, plan: CrawlPlan) -> Frontier:
    """Open a frontier that fails instead of looping endlessly over its hosts."""
    frontier = Frontier(folder, plan)
    pop_ready = frontier.queue.pop_ready

    def pop_some(before: float) -> Iterator[HostState]:
        for number, host in enumerate(pop_ready(before)):
            assert number < MAX_HOSTS, f"{host.name} is queued again and again"
            yield host

    frontier.queue.pop_ready = pop_some  # type: ignore[method-assign]
    return frontier


def add(frontier: Frontier, *found: FoundUrl) -> None:
    with frontier.transaction():
        frontier.add(found)


def answer(frontier: Frontier, claim: Claim, *found: FoundUrl, is_page: bool = True, **more: Any) -> int:
    """Finish a URL with a successful response."""
    if claim.kind == "robots":
        frontier.set_robots(claim.host, ROBOTS, 200)
    fetch = Fetch(fetched=1.0, status=200, bytes=10, is_page=is_page and claim.kind == "page", **more)
    return frontier.finish(claim, fetch, found)


def take(frontier: Frontier, before: float = FAR) -> Claim:
    claim = frontier.take(before)
    assert claim
    return claim


@pytest.fixture
def frontier(tmp_path: Path) -> Iterator[Frontier]:
    with closing(open_frontier(tmp_path, make_plan())) as frontier:
        yield frontier


def test_robots_txt_comes_first_then_sitemaps_then_pages_by_depth(frontier: Frontier) -> None:
    add(
        frontier,
        FoundUrl("http://a.example/deep", depth=2),
        FoundUrl("http://a.example/"),
        FoundUrl("http://a.example/map.xml", "sitemap"),
    )
    first = take(frontier)
    assert first.url == "http://a.example/robots.txt"
    assert frontier.take(FAR) is None  # nothing before its response
    answer(frontier, first)
    paths = []
    while claim := frontier.take(FAR):
        paths.append(claim.url.rpartition("/")[2])
        answer(frontier, claim)
    assert paths == ["map.xml", "", "deep"]
    assert not frontier.has_waiting


def test_pages_wait_for_a_robots_txt_that_is_retried(frontier: Frontier) -> None:
    add(frontier, FoundUrl("http://a.example/"))
    frontier.retry(take(frontier, 0.0), 10.0, whole_host=False)
    assert frontier.take(9.0) is None
    assert take(frontier, 11.0).kind == "robots"


def test_a_postponed_host_receives_no_requests_on_any_connection(tmp_path: Path) -> None:
    with closing(open_frontier(tmp_path, make_plan(connections=3))) as frontier:
        add(frontier, *(FoundUrl(f"http://a.example/{n}") for n in range(9)))
        answer(frontier, take(frontier, 0.0))
        busy = [take(frontier, 0.0) for _ in range(2)]  # a third connection is free
        frontier.retry(busy[0], 100.0, whole_host=True)
        assert frontier.take(99.0) is None
        assert take(frontier, 100.0).host == "a.example"


def test_claimed_urls_are_waiting_after_a_restart(tmp_path: Path) -> None:
    with closing(open_frontier(tmp_path, make_plan())) as frontier:
        add(frontier, FoundUrl("http://a.example/1"), FoundUrl("http://a.example/2"))
        answer(frontier, take(frontier))
        answer(frontier, take(frontier))
        lost = take(frontier)
    with closing(open_frontier(tmp_path, make_plan())) as frontier:
        assert take(frontier) == lost
        assert frontier.take(FAR) is None
        assert frontier.totals["pages"] == 1


def test_a_robots_txt_whose_response_was_lost_disallows_everything(tmp_path: Path) -> None:
    with closing(open_frontier(tmp_path, make_plan())) as frontier:
        add(frontier, FoundUrl("http://a.example/1"))
        frontier.finish(take(frontier), Fetch(fetched=1.0, error="no response"))  # killed here
    with closing(open_frontier(tmp_path, make_plan())) as frontier:
        assert frontier.take(FAR) is None
        assert not frontier.has_waiting
        assert frontier.totals["left out: robots.txt unavailable"] == 1


def test_an_unresponsive_host_is_given_up(tmp_path: Path) -> None:
    with closing(open_frontier(tmp_path, make_plan(connections=2))) as frontier:
        add(frontier, *(FoundUrl(f"http://a.example/{n}") for n in range(20)), FoundUrl("http://b.example/"))
        for _ in HOSTS[:2]:
            answer(frontier, take(frontier))
        busy = [take(frontier) for _ in range(3)]
        other = next(claim for claim in busy if claim.host == "b.example")
        silent = [claim for claim in busy if claim is not other]
        for number in range(6):
            frontier.retry(silent.pop(0), 0.0, whole_host=True, failures=CONNECT_FAILURE_WEIGHT)
            if number < 5:
                silent.append(take(frontier))
        assert {claim.host for claim in silent} == {"a.example"}
        answer(frontier, silent[0])  # one was still being fetched: it counts
        answer(frontier, other)
        assert not frontier.has_waiting
        states = Counter(dict(frontier.sql.execute("select state, count(*) from urls group by state")))
        assert states == {"done": 4, "left": 19}
        assert frontier.totals["left out: host does not respond"] == 20
        add(frontier, FoundUrl("http://a.example/new"))  # URLs found later are fetched
        assert take(frontier).url == "http://a.example/new"


def test_rejected_urls_are_counted_by_reason(tmp_path: Path) -> None:
    plan = make_plan(depth=3, exclude=("*/shop/*",))
    with closing(open_frontier(tmp_path, plan)) as frontier:
        add(
            frontier,
            FoundUrl("http://other.example/"),
            FoundUrl("http://a.example/4", depth=4),
            FoundUrl("http://a.example/shop/1", depth=1),
            FoundUrl("http://a.example/x/x/x/x/x", depth=1),
            *(FoundUrl(f"http://a.example/calendar/2024/{n % 12 + 1}?view={n}", depth=1) for n in range(302)),
        )
        assert {name: count for name, count in frontier.totals.items() if name.startswith("left")} == {
            "left out: on another site": 1,
            "left out: too deep": 1,
            "left out: excluded by URL patterns": 1,
            "left out: repeating path": 1,
            "left out: too many calendar pages": 2,
        }
    with closing(open_frontier(tmp_path, plan)) as frontier:  # the counts of traps are saved
        add(frontier, FoundUrl("http://a.example/calendar/2023/1?view=1", depth=1))
        assert frontier.totals["left out: too many calendar pages"] == 3


def test_the_first_anchor_is_kept_and_a_missing_one_is_added(frontier: Frontier) -> None:
    url = "http://a.example/1"
    for anchor in (None, "The first", "The second"):
        add(frontier, FoundUrl(url, anchor=anchor))
    answer(frontier, take(frontier))
    assert take(frontier).anchor == "The first"
    assert frontier.totals["found"] == 2


def test_urls_of_lost_records_are_fetched_again(tmp_path: Path) -> None:
    with closing(open_frontier(tmp_path, make_plan())) as frontier:
        add(frontier, FoundUrl("http://a.example/1"), FoundUrl("http://a.example/2"))
        answer(frontier, take(frontier))
        for offset in (0, 7):
            answer(frontier, take(frontier), file="x.warc.gz", offset=offset, length=7, digest="sha1:A")
        kept, lost = frontier.list_locations()
        assert (kept, lost) == (
            RecordLocation("x.warc.gz", 0, 7, "sha1:A"),
            RecordLocation("x.warc.gz", 7, 7, "sha1:A"),
        )
        frontier.requeue_lost([lost])
        assert frontier.totals["pages"] == frontier.queue.waiting == 1
        assert take(frontier).url == "http://a.example/2"
        assert list(frontier.list_locations()) == [kept]


def test_a_lost_page_is_not_counted(frontier: Frontier) -> None:
    """Not among the pages, the copies, the rendered pages or the pages of its host."""
    add(frontier, *(FoundUrl(f"http://a.example/{number}") for number in range(4)))
    answer(frontier, take(frontier))
    first = answer(frontier, take(frontier), file="x", offset=0)
    answer(frontier, take(frontier), file="x", offset=1, snapshot="1.snapshot")
    answer(frontier, take(frontier), file="x", offset=2, copy_of=first)
    answer(frontier, take(frontier), file="x", offset=3, copy_of=first, snapshot="3.snapshot")
    names = ("pages", "copies", "rendered")
    assert [frontier.totals[name] for name in names] == [4, 1, 2]
    frontier.requeue_lost(RecordLocation("x", offset, 1, "") for offset in (1, 2, 3))
    assert [frontier.totals[name] for name in names] == [1, 0, 0]
    assert frontier.queue.hosts["a.example"].pages == 1


def test_many_disallowed_urls_are_checked_a_few_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A robots.txt with thousands of rules, and thousands of URLs that it disallows, do not hold up other hosts."""
    monkeypatch.setattr("bonmun.scale.crawl.frontier.frontier.MAX_IDLE_CHECK_SECONDS", 0.0)
    with closing(open_frontier(tmp_path, make_plan())) as frontier:
        add(frontier, *(FoundUrl(f"http://a.example/no/{number}") for number in range(20)))
        answer(frontier, take(frontier, 0.0))
        assert frontier.take(0.0) is None
        assert frontier.totals["left out: disallowed by robots.txt"] == 1
        add(frontier, FoundUrl("http://b.example/"))
        answer(frontier, take(frontier, 0.1))
        assert take(frontier, 0.1).url == "http://b.example/"
        for moment in range(1, 40):
            assert frontier.take(float(moment)) is None
        assert frontier.totals["left out: disallowed by robots.txt"] == 20


def test_disallowed_urls_of_all_hosts_are_checked_a_few_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_frontier(tmp_path, make_plan())) as frontier:
        for host in HOSTS:
            add(frontier, *(FoundUrl(f"http://{host}/no/{number}") for number in range(20)))
        for claim in [take(frontier, 0.0) for _ in HOSTS]:
            answer(frontier, claim)
        monkeypatch.setattr("bonmun.scale.crawl.frontier.frontier.MAX_IDLE_CHECK_SECONDS", 0.0)
        assert frontier.take(0.0) is None
        assert frontier.totals["left out: disallowed by robots.txt"] == 1


def test_a_restart_fetches_everything_again(frontier: Frontier) -> None:
    add(frontier, FoundUrl("http://a.example/1"))
    answer(frontier, take(frontier))
    frontier.finish(take(frontier), Fetch(fetched=1.0, status=200, is_page=True), etag='"1"', modified="then")
    assert not frontier.has_waiting
    frontier.restart()
    assert take(frontier).kind == "robots"
    frontier.set_robots("a.example", b"", 404)
    assert frontier.totals["pages"] == 0
    assert frontier.totals["found"] == 2


def test_refused_urls_are_fetched_again(tmp_path: Path) -> None:
    frontier = open_frontier(tmp_path, make_plan(host_pages=1))
    add(frontier, *(FoundUrl(f"http://{host}/{path}", "page") for host in HOSTS for path in "12"))
    while claim := frontier.take(FAR):
        if claim.host == "a.example":  # refused, with its robots.txt
            frontier.finish(claim, Fetch(fetched=1.0, error="not a public address"))
            frontier.set_robots(claim.host, b"", NO_RESPONSE)
        elif claim.host == "b.example" and claim.kind == "page":
            frontier.finish(claim, Fetch(fetched=1.0, error="too big"))
        else:
            answer(frontier, claim)
    assert frontier.totals["pages"] == 1
    frontier.close()
    frontier = open_frontier(tmp_path, make_plan())
    frontier.requeue_refused()
    taken = []
    while claim := frontier.take(FAR):
        taken.append(claim.url)
        answer(frontier, claim)
    pages = {f"http://{host}/{path}" for host in HOSTS for path in "12"}
    assert len(taken) == len(set(taken))
    assert {url for url in taken if "robots" not in url} == pages - {"http://c.example/1"}
    assert "http://a.example/robots.txt" in taken
    assert frontier.totals["pages"] == 6
    assert frontier.totals["found"] == frontier.totals["ended"] == 9
    assert [name for name, count in frontier.totals.items() if count and ("left" in name or name == "failed")] == []
    frontier.close()


def test_redirects_of_robots_txt_are_followed_again_after_a_restart(frontier: Frontier) -> None:
    add(frontier, FoundUrl("http://a.example/1"))
    elsewhere = FoundUrl("http://b.example/robots.txt#a.example.1", "robots", hops=1, via="a.example")
    for _ in range(2):
        frontier.finish(take(frontier), Fetch(fetched=1.0, status=301), [elsewhere])
        redirected = take(frontier)
        assert (redirected.url, redirected.host) == (elsewhere.url, "a.example")
        answer(frontier, redirected)
        answer(frontier, take(frontier))
        assert not frontier.has_waiting
        frontier.restart()
    answer(frontier, take(frontier))  # without a redirect, nothing is requested elsewhere
    assert take(frontier).kind == "page"


def test_disallowed_urls_are_left_out_at_once(frontier: Frontier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bonmun.scale.crawl.frontier.frontier.MAX_IDLE_CHECK_SECONDS", 60.0)
    add(frontier, *(FoundUrl(f"http://a.example/no/{n}") for n in range(3000)), FoundUrl("http://a.example/yes"))
    answer(frontier, take(frontier))
    changes = frontier.sql.total_changes
    assert take(frontier).url == "http://a.example/yes"
    assert frontier.sql.total_changes - changes < 3100
    assert frontier.totals["left out: disallowed by robots.txt"] == 3000


@pytest.mark.parametrize("content", [b"", b"not a database" * 100])
def test_another_file_is_not_a_frontier(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "frontier.sqlite").write_bytes(content)
    if content:
        with pytest.raises(BadInput, match="not a readable frontier"):
            Frontier(tmp_path, make_plan())
    else:  # the process ended right after it created the file
        with closing(Frontier(tmp_path, make_plan())) as frontier:
            assert not frontier.has_waiting


def test_a_frontier_of_another_version_is_rejected(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "frontier.sqlite")) as sql:
        sql.execute("pragma user_version = 99")
    with pytest.raises(BadInput, match="another version"):
        Frontier(tmp_path, make_plan())


REASONS = {
    "disallowed by robots.txt",
    "robots.txt unavailable",
    "host does not respond",
    "page limit of the host reached",
}
PATHS = ("", "1", "2", "3", "4", "5", "6", "no/1", "no/2")


class Crawl:
    """A random order of links, responses, failures and crashes, with a simple model of the expected state."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random = random = Random(seed)
        self.folder = folder
        pages, host_pages = random.choice([None, 1, 5, 12]), random.choice([None, None, 1, 3])
        self.plan = make_plan(connections=random.randint(1, 3), pages=pages, host_pages=host_pages)
        self.frontier = open_frontier(folder, self.plan)
        self.now = 0.0
        self.known: set[str] = set()
        self.ended: dict[str, str] = {}
        self.busy: list[Claim] = []
        self.ready: dict[str, float] = {}  # of URLs and of hosts
        self.knows_robots: set[str] = set()

    def run(self, steps: int) -> None:
        """Run random steps."""
        idle = [self.find, self.wait, self.take, self.take, self.take]
        for _ in range(steps):
            busy = [self.answer, self.answer, self.fail, self.retry, self.retry] if self.busy else []
            step = self.random.choice(idle + busy) if self.random.random() < 0.97 else self.crash
            step()
            self.check()

    def make_found(self, min_urls: int) -> list[FoundUrl]:
        random = self.random
        found = []
        for _ in range(random.randint(min_urls, 5)):
            url = f"http://{random.choice(HOSTS)}/{random.choice(PATHS)}"
            found.append(FoundUrl(url, random.choice(["page", "page", "page", "sitemap"]), random.randint(0, 3)))
            self.known |= {url, f"http://{url.split('/')[2]}/robots.txt"}
        return found

    def find(self) -> None:
        add(self.frontier, *self.make_found(1))

    def wait(self) -> None:
        self.now += self.random.choice([0.5, 5.0, 60.0])

    def take(self) -> None:
        before = self.now + self.random.choice([0.0, 6.0])
        claim = self.frontier.take(before)
        if claim is None:
            return
        assert claim.url in self.known
        assert claim.url not in self.ended
        assert claim not in self.busy
        assert not claim.url.startswith(f"http://{claim.host}/no")
        assert max(self.ready.get(claim.url, 0.0), self.ready.get(claim.host, 0.0)) <= before
        assert claim.kind == "robots" or claim.host in self.knows_robots
        self.busy.append(claim)

    def answer(self) -> None:
        claim = self.pick()
        answer(self.frontier, claim, *self.make_found(0), is_page=self.random.random() < 0.7)
        self.ended[claim.url] = "done"
        if claim.kind == "robots":
            self.knows_robots.add(claim.host)

    def fail(self) -> None:
        claim = self.pick()
        self.frontier.finish(claim, Fetch(fetched=1.0, error="no response"))
        self.ended[claim.url] = "failed"
        if claim.kind == "robots":
            with self.frontier.transaction():
                self.frontier.set_robots(claim.host, b"", NO_RESPONSE)
            self.knows_robots.add(claim.host)

    def retry(self) -> None:
        claim = self.pick()
        ready = self.now + self.random.choice([0.0, 2.0, 30.0])
        whole_host = self.random.random() < 0.5
        failures = self.random.choice([0, TIMEOUT_FAILURE_WEIGHT, CONNECT_FAILURE_WEIGHT, 15])
        self.frontier.retry(claim, ready, whole_host=whole_host, failures=failures)
        self.ready[claim.url] = ready
        if whole_host:
            self.ready[claim.host] = max(self.ready.get(claim.host, 0.0), ready)

    def crash(self) -> None:
        self.frontier.close()
        self.frontier = open_frontier(self.folder, self.plan)
        self.busy.clear()

    def pick(self) -> Claim:
        return self.busy.pop(self.random.randrange(len(self.busy)))

    def check(self) -> None:
        frontier, queue = self.frontier, self.frontier.queue
        rows = frontier.sql.execute("select url, host, state, error from urls").fetchall()
        assert {row[0] for row in rows} == self.known
        waiting = Counter(host for _, host, state, _ in rows if state == "waiting")
        assert waiting == +Counter({host.name: host.waiting for host in queue.hosts.values()})
        assert waiting.total() == queue.waiting == frontier.totals["found"] - frontier.totals["ended"]
        assert dict(frontier.sql.execute("select name, count from totals where count")) == +frontier.totals
        assert {url: state for url, _, state, _ in rows if state in ("done", "failed")} == self.ended
        assert {error for _, _, state, error in rows if state == "left"} <= REASONS
        pages = frontier.sql.execute("select count(*) from fetches where is_page").fetchone()[0]
        assert pages == frontier.totals["pages"]
        assert frontier.busy_pages == sum(claim.kind == "page" for claim in self.busy)
        assert self.plan.pages is None or pages + frontier.busy_pages <= self.plan.pages
        for host in queue.hosts.values():
            assert host.busy == {claim.id for claim in self.busy if claim.host == host.name}
            assert len(host.busy) <= self.plan.connections
            assert self.plan.host_pages is None or host.pages <= self.plan.host_pages

    def finish(self) -> None:
        """Check that the crawl can be finished from any state."""
        while self.busy:
            self.answer()
        for _ in range(3 * len(HOSTS) * len(PATHS)):
            if not self.busy:
                self.now = FAR
                self.take()
            if not self.busy:
                break
            claim = self.busy.pop()
            answer(self.frontier, claim)
            self.ended[claim.url] = "done"
            self.knows_robots.add(claim.host)
        self.check()
        assert not self.frontier.has_waiting
        self.frontier.close()


@pytest.mark.parametrize("seed", range(30))
def test_any_order_of_events_is_handled(tmp_path: Path, seed: int) -> None:
    crawl = Crawl(tmp_path, seed)
    crawl.run(120)
    crawl.finish()
