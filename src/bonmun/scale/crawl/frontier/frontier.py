"""What is to be fetched, and what was: a SQLite file that is right after any end, `kill -9` included.

A URL is waiting until the answer to it is in a WARC file; only then, in one transaction, is it done, and are the links
that it led to waiting. What is on its way when the process ends is still waiting, and nothing else is fetched twice.
"""

from __future__ import annotations

from dataclasses import astuple, fields
from typing import TYPE_CHECKING

from bonmun.scale.crawl.fetch.robots import Robots
from bonmun.scale.crawl.frontier.admission import Admission
from bonmun.scale.crawl.frontier.file import FrontierFile
from bonmun.scale.crawl.frontier.tickets import Fetch, Found, Ticket
from bonmun.scale.crawl.frontier.turns import Host, Turns, name_host

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from bonmun.scale.crawl.archive.warc_files import Place
    from bonmun.scale.crawl.plan import CrawlPlan

__all__ = ["NO_ANSWER", "SILENT", "SLOW", "Frontier"]

RANKS = {"robots": 0, "sitemap": 1, "feed": 1, "result": 1}  # pages come after them, by depth
FIRST_PAGE_RANK = 2
LAST_RANK = 1 << 60
NO_ANSWER = 0  # the status of a robots.txt that could not be had
SILENT, SLOW = 5, 1  # how much it counts that a host let nobody connect, and that it did not give an answer
HOST_FAILURES = 30  # so much in a row, without one answer: then what is left of the host is given up
UNANSWERED = "its host did not answer"

COLUMNS = ", ".join(each.name for each in fields(Fetch))
PLACES = ", ".join("?" for _ in fields(Fetch))
TICKET = ", ".join(Ticket._fields)


class Frontier(FrontierFile):
    """The URLs of a crawl; only one process may write it."""

    def __init__(self, folder: Path, plan: CrawlPlan) -> None:
        super().__init__(folder)
        self.plan = plan
        self.admission = Admission(plan, self.sql)
        self._load()

    def _load(self) -> None:
        """Know what waits, as the file says."""
        self.read_totals()
        self.busy_pages = 0
        waiting = dict(self.sql.execute("select host, count(*) from urls where state = 'waiting' group by host"))
        saved = {row[0]: row for row in self.sql.execute("select * from hosts")}
        self.turns = Turns(self.plan.connections)
        for name, count in waiting.items():
            host = Host(name, *saved[name][1:]) if name in saved else Host(name)
            self.turns.add(host)
            self.turns.wait(host, count)

    @property
    def is_spent(self) -> bool:
        """Whether a budget is used up."""
        pages, received = self.plan.pages, self.plan.bytes
        return (pages is not None and self.totals["pages"] >= pages) or (
            received is not None and self.totals["bytes"] >= received
        )

    @property
    def has_waiting(self) -> bool:
        """Whether there is something left to fetch, now or later."""
        return self.turns.waiting > 0 and not self.is_spent

    def add(self, found: Iterable[Found]) -> None:
        """Let URLs wait that were not known; what is not wanted is counted by reason. In a transaction."""
        for each in found:
            known = self.sql.execute("select state, anchor from urls where url = ?", [each.url]).fetchone()
            if known:
                if each.anchor and known == ("waiting", None):  # an image led there first
                    self.sql.execute("update urls set anchor = ? where url = ?", [each.anchor, each.url])
            elif reason := self.admission.find_reason_against(each):
                self.count(f"left out: {reason}")
            else:
                is_robots = each.kind == "robots" and each.via is not None
                self._insert(each, self.turns.hosts[str(each.via)] if is_robots else self._find_host(each.url))

    def _find_host(self, url: str) -> Host:
        """The host of a URL; of a new one, robots.txt is asked first."""
        name = name_host(url)
        host = self.turns.find(name)
        if host is None:
            saved = self.sql.execute("select * from hosts where host = ?", [name]).fetchone()
            host = Host(name, *saved[1:]) if saved else Host(name)
            self.turns.add(host)
            if not saved:
                self.sql.execute("insert into hosts (host) values (?)", [name])
                scheme = url.partition("://")[0]
                self._insert(Found(f"{scheme}://{name}/robots.txt", "robots"), host)
        return host

    def _insert(self, found: Found, host: Host) -> None:
        rank = RANKS.get(found.kind, FIRST_PAGE_RANK + found.depth)
        self.sql.execute(
            "insert into urls (url, host, kind, rank, depth, hops, via, anchor) values (?, ?, ?, ?, ?, ?, ?, ?)",
            [found.url, host.name, found.kind, rank, found.depth, found.hops, found.via, found.anchor or None],
        )
        self.count("found")
        self.turns.wait(host)

    def take(self, before: float, now: float | None = None) -> Ticket | None:
        """A URL whose turn it is before a moment, or better now; it stays waiting until something has come of it."""
        if self.is_spent or (self.plan.pages is not None and self.totals["pages"] + self.busy_pages >= self.plan.pages):
            return None
        for host in self.turns.take(before):
            ticket = self._take_of(host, before, before if now is None else now)
            if ticket:
                host.busy.add(ticket.id)
                self.busy_pages += ticket.kind == "page"
                self.turns.free(host)
                return ticket
        return None

    def _take_of(self, host: Host, before: float, now: float) -> Ticket | None:
        """The next URL of a host that it lets us fetch."""
        limit = self.plan.host_pages
        if limit is not None and host.pages + len(host.busy) >= limit:
            if not host.busy:
                self._give_up(host, "the host has given as many pages as it may")
            return None
        if host.robots is None and not host.busy and not self._waits_for_robots(host):
            self.set_robots(host.name, b"", NO_ANSWER)  # what led to it was lost: nothing is allowed
        last_rank = LAST_RANK if host.robots else RANKS["robots"]
        rows = self.sql.execute(
            f"select {TICKET} from urls where host = ? and state = 'waiting' and rank <= ? and ready <= ? "
            "order by rank, id",
            [host.name, last_rank, before],
        )
        refused = []
        ticket = None
        for each in map(Ticket._make, rows):
            if each.id in host.busy or (ticket and each.ready > now):
                continue
            if each.kind == "robots" or host.robots is None or host.robots.allows(each.url, self.plan.agent):
                ticket = each
                if ticket.ready <= now:
                    break
            else:
                refused.append(each)
        rows.close()
        if refused:
            is_silent = host.robots is not None and host.robots.is_silent
            self._leave(refused, "the host gave no robots.txt" if is_silent else "robots.txt does not allow it")
        if ticket is None:
            self._wait_for(host, last_rank)
        return ticket

    def _waits_for_robots(self, host: Host) -> bool:
        asked = "select 1 from urls where host = ? and state = 'waiting' and kind = 'robots'"
        return self.sql.execute(asked, [host.name]).fetchone() is not None

    def _wait_for(self, host: Host, last_rank: int) -> None:
        """Nothing of a host that may be asked for is ready: let its turn come when something is.

        While something is on its way nothing is to be done: the host is freed after it anyway.
        """
        if host.busy:
            return
        ready = self.sql.execute(
            "select min(ready) from urls where host = ? and state = 'waiting' and rank <= ?", [host.name, last_rank]
        ).fetchone()[0]
        if ready is not None:
            host.ready = max(host.ready, ready)
            self.turns.free(host)

    def _leave(self, tickets: Sequence[Ticket], reason: str) -> None:
        """URLs are not fetched after all."""
        with self.transaction():
            for ticket in tickets:
                self._set_state(ticket, "left", reason)
            self.count(f"left out: {reason}", len(tickets))

    def finish(
        self,
        ticket: Ticket,
        fetch: Fetch,
        found: Iterable[Found] = (),
        *,
        etag: str | None = None,
        modified: str | None = None,
    ) -> int:
        """Something has come of a URL, for good; with it the links that it leads to. Gives the number of the fetch."""
        with self.transaction():
            row = self.sql.execute(
                f"insert into fetches (url, {COLUMNS}) values (?, {PLACES})", [ticket.id, *astuple(fetch)]
            )
            self._set_state(ticket, "failed" if fetch.status is None else "done", fetch.error)
            self.sql.execute("update urls set etag = ?, modified = ? where id = ?", [etag, modified, ticket.id])
            self.count("requests")
            self.count("bytes", fetch.bytes)
            if fetch.status is None:
                self.count("failed")
            if fetch.is_page:
                self.count("pages")
                self.count("copies", fetch.copy_of is not None and not fetch.snapshot)
                self.count("rendered", fetch.snapshot is not None)
            host = self._free(ticket)
            if fetch.status is not None:
                host.failures = 0
            host.pages += fetch.is_page
            self._save_host(host)
            self.add(found)
            return int(row.lastrowid or 0)

    def retry(self, ticket: Ticket, ready: float, *, whole_host: bool, failures: int = 0) -> None:
        """Try a URL again later; `whole_host` says that nothing else of the host is to be asked before, either.

        `failures` is how much it counts against the host (SILENT, SLOW); 0 if it gave an answer.
        """
        with self.transaction():
            self.sql.execute("update urls set tries = tries + 1, ready = ? where id = ?", [ready, ticket.id])
            self.count("requests")
            self.count("tried again")
            host = self.turns.hosts[ticket.host]
            host.failures = host.failures + failures if failures else 0
            if whole_host:
                host.ready = max(host.ready, ready)
            self._free(ticket)
            self._save_host(host)
            if host.failures >= HOST_FAILURES:
                self._give_up_in_transaction(host, UNANSWERED)

    def set_robots(self, host: str, body: bytes, status: int) -> None:
        """What robots.txt says of a host; its pages may be fetched from now on, if it lets us."""
        self.sql.execute("update hosts set robots = ?, robots_status = ? where host = ?", [body, status, host])
        known = self.turns.hosts[host]
        known.robots = Robots.parse(body, status)
        self.turns.free(known)

    def _give_up(self, host: Host, reason: str) -> None:
        with self.transaction():
            self._give_up_in_transaction(host, reason)

    def _give_up_in_transaction(self, host: Host, reason: str) -> None:
        """Nothing more of a host is fetched."""
        left = self.sql.execute(
            "update urls set state = 'left', error = ? where host = ? and state = 'waiting'", [reason, host.name]
        ).rowcount
        self.count(f"left out: {reason}", left)
        self.count("ended", left)
        self.turns.forget(host, left)

    def _set_state(self, ticket: Ticket, state: str, error: str | None) -> None:
        was = self.sql.execute("select state from urls where id = ?", [ticket.id]).fetchone()
        self.sql.execute("update urls set state = ?, error = ? where id = ?", [state, error, ticket.id])
        if was == ("waiting",):  # else its host was given up while it was on its way
            self.count("ended")
            self.turns.forget(self.turns.hosts[ticket.host], 1)

    def _free(self, ticket: Ticket) -> Host:
        """A URL is no longer on its way."""
        host = self.turns.hosts[ticket.host]
        host.busy.discard(ticket.id)
        self.busy_pages -= ticket.kind == "page"
        self.turns.free(host)
        return host

    def _save_host(self, host: Host) -> None:
        self.sql.execute(
            "update hosts set ready = ?, pages = ?, failures = ? where host = ?",
            [host.ready, host.pages, host.failures, host.name],
        )

    def take_back(self, lost: Iterable[Place]) -> None:
        """Records that are not on the disk, after the machine itself has failed: their URLs wait again."""
        with self.transaction():
            for place in lost:
                key = [place.file, place.offset]
                self.sql.execute(
                    "update urls set state = 'waiting' where id in "
                    "(select url from fetches where file = ? and offset = ?)",
                    key,
                )
                deleted = (
                    "delete from fetches where file = ? and offset = ? returning is_page, copy_of is not null, bytes"
                )
                for is_page, is_copy, size in self.sql.execute(deleted, key).fetchall():
                    self.count("ended", -1)
                    self.count("bytes", -size)
                    self.count("pages", -is_page)
                    self.count("copies", -(is_page and is_copy))
        self._load()

    def begin_again(self) -> None:
        """Let all that was fetched be fetched anew; servers are told what we have."""
        with self.transaction():
            self.sql.execute("update urls set state = 'waiting', tries = 0, ready = 0, error = null")
            # where a robots.txt was redirected to is found again, or it is elsewhere now
            moved = "update urls set state = 'left', url = url || '.' || id where kind = 'robots' and hops > 0"
            ended = self.sql.execute(moved).rowcount
            self.sql.execute("update hosts set robots = null, robots_status = null, ready = 0, pages = 0, failures = 0")
            self.sql.execute("delete from totals")
            self.sql.execute("insert into totals select 'found', count(*) from urls")
            self.sql.execute("insert into totals values ('ended', ?)", [ended])
            self.changed.clear()
        self._load()
