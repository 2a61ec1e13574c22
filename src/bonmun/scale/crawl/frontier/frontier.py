"""The frontier: which URLs are to be fetched, and which were. A SQLite file that stays consistent after `kill -9`.

A URL is waiting until its response is in a WARC file. Only then, in one transaction, it becomes done and its links are
added as waiting. So after a crash only the URLs being fetched at that moment are fetched again.
"""

from __future__ import annotations

from dataclasses import astuple, fields
from time import monotonic
from typing import TYPE_CHECKING, Any

from bonmun.scale.crawl.fetch.robots import Robots
from bonmun.scale.crawl.frontier.admission import UrlFilter
from bonmun.scale.crawl.frontier.file import FrontierFile
from bonmun.scale.crawl.frontier.tables import HOST_LIMIT, HOST_UNRESPONSIVE, REFUSALS, ROBOTS_UNAVAILABLE
from bonmun.scale.crawl.frontier.tickets import Claim, Fetch, FoundUrl
from bonmun.scale.crawl.frontier.turns import HostQueue, HostState, get_netloc

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from bonmun.scale.crawl.archive.warc_files import RecordLocation
    from bonmun.scale.crawl.plan import CrawlPlan

__all__ = ["CONNECT_FAILURE_WEIGHT", "NO_RESPONSE", "TIMEOUT_FAILURE_WEIGHT", "Frontier"]

# Pages follow, by depth. After each sitemap, feed or result page the host's turn is that of a page: there may be any
# number of them.
RANKS = {"robots": 0, "sitemap": 1, "feed": 1, "result": 1}
FIRST_PAGE_RANK = 2
LAST_RANK = 1 << 60
NO_RESPONSE = 0  # the status of a robots.txt without a response
CONNECT_FAILURE_WEIGHT = 5  # of a refused or timed-out connection
TIMEOUT_FAILURE_WEIGHT = 1  # of a connection without a complete response
MAX_HOST_FAILURES = 30  # sum of the weights of consecutive failures after which a host is given up
# A robots.txt may have thousands of rules, and disallow all URLs of a host: they are checked a few at a time.
MAX_CHECK_SECONDS = 0.02  # for all hosts together, while pages are being fetched
MAX_IDLE_CHECK_SECONDS = 0.1
CHECK_PAUSE_SECONDS = 0.5  # before the next URLs of that host are checked

FETCH_COLUMNS = ", ".join(each.name for each in fields(Fetch))
FETCH_PLACEHOLDERS = ", ".join("?" for _ in fields(Fetch))
CLAIM_COLUMNS = ", ".join(Claim._fields)


class Frontier(FrontierFile):
    """The URLs of a crawl. Only one process may write to it."""

    def __init__(self, folder: Path, plan: CrawlPlan) -> None:
        super().__init__(folder)
        self.plan = plan
        self.filter = UrlFilter(plan, self.sql)
        self._load()

    def _load(self) -> None:
        """Build the host queue from the file."""
        self.read_totals()
        self.busy_pages = 0
        waiting = dict(self.sql.execute("select host, count(*) from urls where state = 'waiting' group by host"))
        saved = {row[0]: row for row in self.sql.execute("select * from hosts")}
        self.queue = HostQueue(self.plan.connections)
        for name, count in waiting.items():
            host = self._make_host(*saved[name]) if name in saved else HostState(name)
            self.queue.add(host)
            self.queue.add_waiting(host, count)

    def _make_host(self, name: str, body: bytes | None, status: int | None, *state: Any) -> HostState:
        """Return a host from its row in the file."""
        return HostState(name, None if status is None else Robots.parse(body or b"", status, self.plan.agent), *state)

    @property
    def is_spent(self) -> bool:
        """Return whether the limit of pages or bytes is reached."""
        pages, received = self.plan.pages, self.plan.bytes
        return (pages is not None and self.totals["pages"] >= pages) or (
            received is not None and self.totals["bytes"] >= received
        )

    @property
    def has_waiting(self) -> bool:
        """Return whether there is anything left to fetch, now or later."""
        return self.queue.waiting > 0 and not self.is_spent

    def add(self, found: Iterable[FoundUrl]) -> None:
        """Add new URLs; rejected ones are counted by reason. Must be called in a transaction."""
        for each in found:
            known = self.sql.execute("select state, anchor from urls where url = ?", [each.url]).fetchone()
            if known:
                if each.anchor and known == ("waiting", None):  # the first link to it had no text
                    self.sql.execute("update urls set anchor = ? where url = ?", [each.anchor, each.url])
            elif reason := self.filter.find_rejection(each):
                self.count(f"left out: {reason}")
            else:
                is_robots = each.kind == "robots" and each.via is not None
                self._insert(each, self.queue.hosts[str(each.via)] if is_robots else self._find_host(each.url))

    def _find_host(self, url: str) -> HostState:
        """Return the host of a URL; for a new host, add its robots.txt as the first URL."""
        name = get_netloc(url)
        host = self.queue.find(name)
        if host is None:
            saved = self.sql.execute("select * from hosts where host = ?", [name]).fetchone()
            host = self._make_host(*saved) if saved else HostState(name)
            self.queue.add(host)
            if not saved:
                self.sql.execute("insert into hosts (host) values (?)", [name])
                scheme = url.partition("://")[0]
                self._insert(FoundUrl(f"{scheme}://{name}/robots.txt", "robots"), host)
        return host

    def _insert(self, found: FoundUrl, host: HostState) -> None:
        rank = RANKS.get(found.kind, FIRST_PAGE_RANK + found.depth)
        self.sql.execute(
            "insert into urls (url, host, kind, rank, depth, hops, via, anchor) values (?, ?, ?, ?, ?, ?, ?, ?)",
            [found.url, host.name, found.kind, rank, found.depth, found.hops, found.via, found.anchor or None],
        )
        self.count("found")
        self.queue.add_waiting(host)

    def take(self, before: float, now: float | None = None) -> Claim | None:
        """Claim a URL that is due before a given time, preferably by `now`; it stays waiting until it is finished."""
        if self.is_spent or (self.plan.pages is not None and self.totals["pages"] + self.busy_pages >= self.plan.pages):
            return None
        end = monotonic() + (MAX_CHECK_SECONDS if self.busy_pages else MAX_IDLE_CHECK_SECONDS)
        for host in self.queue.pop_ready(before):
            claim = self._take_from(host, before, before if now is None else now, end)
            if claim:
                host.busy.add(claim.id)
                self.busy_pages += claim.kind == "page"
                self.queue.schedule(host)
                return claim
            if monotonic() > end:
                break
        return None

    def _take_from(self, host: HostState, before: float, now: float, end: float) -> Claim | None:
        """Return the next URL of a host that its robots.txt allows, if it is found before the time `end`."""
        limit = self.plan.host_pages
        if limit is not None and host.pages + len(host.busy) >= limit:
            if not host.busy:
                self._give_up(host, HOST_LIMIT)
            return None
        if host.robots is None and not host.busy and not self._waits_for_robots(host):
            self.set_robots(host.name, b"", NO_RESPONSE)  # the robots.txt was lost: disallow everything
        last_rank = LAST_RANK if host.robots else RANKS["robots"]
        spans = [(0, last_rank)]
        if host.is_page_turn and host.robots:
            spans = [(FIRST_PAGE_RANK, last_rank), (0, FIRST_PAGE_RANK - 1)]
        for span in spans:
            claim, is_complete = self._find_allowed(host, span, (before, now), end)
            if claim:
                host.is_page_turn = RANKS["robots"] < RANKS.get(claim.kind, FIRST_PAGE_RANK) < FIRST_PAGE_RANK
                return claim
            if not is_complete:
                self.queue.schedule(host, before + CHECK_PAUSE_SECONDS)
                return None
        self._postpone(host, last_rank)
        return None

    def _find_allowed(
        self, host: HostState, ranks: tuple[int, int], due: tuple[float, float], end: float
    ) -> tuple[Claim | None, bool]:
        """Return the next URL of a host in a span of ranks that its robots.txt allows, and whether all were checked.

        URLs that it disallows are left out. `due` is the time before which a URL must be due, and the preferred one.
        """
        before, now = due
        rows = self.sql.execute(
            f"select {CLAIM_COLUMNS} from urls where host = ? and state = 'waiting' and rank between ? and ? "
            "and ready <= ? order by rank, id",
            [host.name, *ranks, before],
        )
        disallowed = []
        claim, is_late = None, False
        for each in map(Claim._make, rows):
            if each.id in host.busy or (claim and each.ready > now):
                continue
            if each.kind == "robots" or host.robots is None or host.robots.allows(each.url):
                claim = each
                if claim.ready <= now:
                    break
            else:
                disallowed.append(each)
                if is_late := monotonic() > end:
                    break
        rows.close()
        if disallowed:
            is_unavailable = host.robots is not None and host.robots.is_unavailable
            self._leave_out(disallowed, ROBOTS_UNAVAILABLE if is_unavailable else "disallowed by robots.txt")
        return claim, not is_late

    def _waits_for_robots(self, host: HostState) -> bool:
        query = "select 1 from urls where host = ? and state = 'waiting' and kind = 'robots'"
        return self.sql.execute(query, [host.name]).fetchone() is not None

    def _postpone(self, host: HostState, last_rank: int) -> None:
        """Schedule a host without a URL that is due for the time of its next one.

        A host with a claimed URL is scheduled when that is finished.
        """
        if host.busy:
            return
        ready = self.sql.execute(
            "select min(ready) from urls where host = ? and state = 'waiting' and rank <= ?", [host.name, last_rank]
        ).fetchone()[0]
        if ready is not None:
            host.ready = max(host.ready, ready)
            self.queue.schedule(host)

    def _leave_out(self, claims: Sequence[Claim], reason: str) -> None:
        """Mark URLs as not to be fetched."""
        with self.transaction():
            for claim in claims:
                self._set_state(claim, "left", reason)
            self.count(f"left out: {reason}", len(claims))

    def finish(
        self,
        claim: Claim,
        fetch: Fetch,
        found: Iterable[FoundUrl] = (),
        *,
        etag: str | None = None,
        modified: str | None = None,
        is_failed: bool = False,
    ) -> int:
        """Store the final outcome of a URL together with the URLs found there. Return the id of the fetch.

        A URL without a response has failed; `is_failed` says the same of one with a response.
        """
        is_failed = is_failed or fetch.status is None
        with self.transaction():
            row = self.sql.execute(
                f"insert into fetches (url, {FETCH_COLUMNS}) values (?, {FETCH_PLACEHOLDERS})",
                [claim.id, *astuple(fetch)],
            )
            self._set_state(claim, "failed" if is_failed else "done", fetch.error)
            self.sql.execute("update urls set etag = ?, modified = ? where id = ?", [etag, modified, claim.id])
            self.count("requests")
            self.count("bytes", fetch.bytes)
            if is_failed:
                self.count("failed")
            if fetch.is_page:
                self.count("pages")
                self.count("copies", fetch.copy_of is not None and not fetch.snapshot)
                self.count("rendered", fetch.snapshot is not None)
            host = self._release(claim)
            if fetch.status is not None:
                host.failures = 0
            host.pages += fetch.is_page
            self._save_host(host)
            self.add(found)
            return int(row.lastrowid or 0)

    def retry(self, claim: Claim, ready: float, *, whole_host: bool, failures: int = 0) -> None:
        """Retry a URL at the time `ready`. With `whole_host`, send no request to the host before then.

        `failures` is the weight of the failure against the host; 0 if there was a response.
        """
        with self.transaction():
            self.sql.execute("update urls set tries = tries + 1, ready = ? where id = ?", [ready, claim.id])
            self.count("requests")
            self.count("tried again")
            host = self.queue.hosts[claim.host]
            host.failures = host.failures + failures if failures else 0
            if whole_host:
                host.ready = max(host.ready, ready)
            self._release(claim)
            self._save_host(host)
            if host.failures >= MAX_HOST_FAILURES:
                self._give_up_in_transaction(host, HOST_UNRESPONSIVE)

    def set_robots(self, host: str, body: bytes, status: int, robots: Robots | None = None) -> None:
        """Store the robots.txt of a host; from now on its allowed pages can be fetched.

        `robots` are the rules in it, if they are parsed already: a large file would block the event loop.
        """
        self.sql.execute("update hosts set robots = ?, robots_status = ? where host = ?", [body, status, host])
        known = self.queue.hosts[host]
        known.robots = robots or Robots.parse(body, status, self.plan.agent)
        self.queue.schedule(known)

    def _give_up(self, host: HostState, reason: str) -> None:
        with self.transaction():
            self._give_up_in_transaction(host, reason)

    def _give_up_in_transaction(self, host: HostState, reason: str) -> None:
        """Leave out all waiting URLs of a host."""
        left = self.sql.execute(
            "update urls set state = 'left', error = ? where host = ? and state = 'waiting'", [reason, host.name]
        ).rowcount
        self.count(f"left out: {reason}", left)
        self.count("ended", left)
        self.queue.remove_waiting(host, left)

    def _set_state(self, claim: Claim, state: str, error: str | None) -> None:
        before = self.sql.execute("select state from urls where id = ?", [claim.id]).fetchone()
        self.sql.execute("update urls set state = ?, error = ? where id = ?", [state, error, claim.id])
        if before == ("waiting",):  # else its host was given up while it was being fetched
            self.count("ended")
            self.queue.remove_waiting(self.queue.hosts[claim.host], 1)

    def _release(self, claim: Claim) -> HostState:
        """Release a claimed URL and schedule its host."""
        host = self.queue.hosts[claim.host]
        host.busy.discard(claim.id)
        self.busy_pages -= claim.kind == "page"
        self.queue.schedule(host)
        return host

    def _save_host(self, host: HostState) -> None:
        self.sql.execute(
            "update hosts set ready = ?, pages = ?, failures = ? where host = ?",
            [host.ready, host.pages, host.failures, host.name],
        )

    def requeue_lost(self, lost: Iterable[RecordLocation]) -> None:
        """Fetch URLs again whose records are missing on disk, for example after a power failure."""
        with self.transaction():
            for location in lost:
                key = [location.file, location.offset]
                self.sql.execute(
                    "update urls set state = 'waiting' where id in "
                    "(select url from fetches where file = ? and offset = ?)",
                    key,
                )
                deleted = (
                    "delete from fetches where file = ? and offset = ? "
                    "returning url, is_page, copy_of is not null, snapshot is not null, bytes"
                )
                for url, is_page, is_copy, is_rendered, size in self.sql.execute(deleted, key).fetchall():
                    self.count("ended", -1)
                    self.count("bytes", -size)
                    self.count("pages", -is_page)
                    self.count("copies", -(is_page and is_copy and not is_rendered))
                    self.count("rendered", -(is_page and is_rendered))
                    self.sql.execute(
                        "update hosts set pages = pages - ? where host = (select host from urls where id = ?)",
                        [is_page, url],
                    )
        self._load()

    def requeue_refused(self) -> None:
        """Mark URLs as waiting that failed, or that were left out because of their host or a limit."""
        with self.transaction():
            refused = f"state = 'failed' or (state = 'left' and error in ({', '.join('?' * len(REFUSALS))}))"
            rows = self.sql.execute(f"select state, error, count(*) from urls where {refused} group by 1, 2", REFUSALS)
            for state, error, count in rows.fetchall():
                self.count("failed" if state == "failed" else f"left out: {error}", -count)
                self.count("ended", -count)
            self.sql.execute(  # a robots.txt without a response is among the URLs that are fetched again
                "update hosts set ready = 0, failures = 0, robots_status = nullif(robots_status, ?) "
                f"where host in (select host from urls where {refused})",
                [NO_RESPONSE, *REFUSALS],
            )
            self.sql.execute(
                f"update urls set state = 'waiting', tries = 0, ready = 0, error = null where {refused}", REFUSALS
            )
        self._load()

    def restart(self) -> None:
        """Mark all URLs as waiting, to be fetched with conditional requests."""
        with self.transaction():
            self.sql.execute("update urls set state = 'waiting', tries = 0, ready = 0, error = null")
            # redirects of robots.txt are followed again, because their targets may have changed
            moved = "update urls set state = 'left', url = url || '.' || id where kind = 'robots' and hops > 0"
            ended = self.sql.execute(moved).rowcount
            self.sql.execute("update hosts set robots = null, robots_status = null, ready = 0, pages = 0, failures = 0")
            self.sql.execute("delete from totals")
            self.sql.execute("insert into totals select 'found', count(*) from urls")
            self.sql.execute("insert into totals values ('ended', ?)", [ended])
            self.changed.clear()
        self._load()
