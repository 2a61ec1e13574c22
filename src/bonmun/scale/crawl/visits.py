"""An answer in; a record in a WARC file and URLs that wait out. Nothing here knows how the answer came."""

from __future__ import annotations

import string
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import time
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin, urlsplit

from bonmun.errors import AddressRefused, BonmunError, HostSilent, TooBig
from bonmun.page import Page
from bonmun.scale.crawl.archive.warc_writer import PageNotes, Revisit
from bonmun.scale.crawl.discover.feeds import read_feed
from bonmun.scale.crawl.discover.keywords import Keywords
from bonmun.scale.crawl.discover.portal import Portal
from bonmun.scale.crawl.discover.sitemaps import read_sitemap
from bonmun.scale.crawl.discover.urls import MAX_URL_CHARS, normalise_url
from bonmun.scale.crawl.fetch.layouts import Layout, name_snapshot
from bonmun.scale.crawl.fetch.robots import ROBOTS_BYTES, Robots
from bonmun.scale.crawl.frontier.frontier import NO_ANSWER, SILENT, SLOW
from bonmun.scale.crawl.frontier.tickets import Fetch, Found
from bonmun.work.files import write_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bonmun.scale.crawl.archive.warc_writer import WarcWriter
    from bonmun.scale.crawl.discover.links import Link
    from bonmun.scale.crawl.fetch.exchange import Exchange
    from bonmun.scale.crawl.frontier.frontier import Frontier
    from bonmun.scale.crawl.frontier.tickets import Copy, Ticket
    from bonmun.scale.crawl.plan import CrawlPlan

__all__ = ["Visits", "is_read"]

PAGE_TYPES = {"", "text/html", "application/xhtml+xml"}
FEED_TYPES = {"application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json"}
XML_TYPES = {"application/xml", "text/xml", "text/plain", "application/json", "application/gzip", "application/x-gzip"}
REDIRECTS = {301, 302, 303, 307, 308}
MAX_HOPS = 10  # redirects from one page to the next
MAX_ROBOTS_HOPS = 5
BUSY = {429, 503}
BROKEN = {408, 425, 500, 502, 504, 520, 521, 522, 523, 524}
MAX_TRIES = 4
LONGEST_WAIT_SECONDS = 3600.0  # a host that asks for more is left alone
MAX_NESTED_SITEMAPS = 5


def is_read(kind: str, status: int, header: str) -> bool:
    """Whether the body of an answer is worth reading, by what was asked for and the content type."""
    content_type = header.partition(";")[0].strip().lower()
    if kind in ("page", "result") and 200 <= status < 300:
        return content_type in PAGE_TYPES | FEED_TYPES | XML_TYPES
    return True


@dataclass(slots=True)
class _Content:
    """What an answer holds."""

    links: Sequence[Link] = ()  # on the page, for the record
    found: Sequence[Found] = ()  # those to follow
    is_page: bool = False
    canonical: str | None = None
    error: str | None = None
    is_kept: bool = True  # whether it is worth a record


class Visits:
    """Takes answers and failures; a context for one process."""

    def __init__(self, plan: CrawlPlan, frontier: Frontier, writer: WarcWriter, snapshots: Path | None = None) -> None:
        self.plan = plan
        self.frontier = frontier
        self.writer = writer
        self.snapshots = snapshots  # a folder
        self.keywords = Keywords(plan.keywords) if plan.keywords else None
        self.portal = Portal(articles=plan.articles) if plan.portal else None

    def take_failure(self, ticket: Ticket, problem: BonmunError, *, is_final: bool = False) -> None:
        """No answer came: try again later, or give up."""
        may_retry = not is_final and not isinstance(problem, AddressRefused | TooBig)
        if may_retry and ticket.tries + 1 < MAX_TRIES:
            is_silent = isinstance(problem, HostSilent)
            ready = time() + self.plan.retry * 2**ticket.tries
            self.frontier.retry(ticket, ready, whole_host=is_silent, failures=SILENT if is_silent else SLOW)
            return
        received = self.plan.max_bytes if isinstance(problem, TooBig) else 0
        fetch = Fetch(fetched=time(), bytes=received, tries=ticket.tries + 1, error=str(problem))
        self.frontier.finish(ticket, fetch)
        if ticket.kind == "robots":
            with self.frontier.transaction():
                self.frontier.set_robots(ticket.host, b"", NO_ANSWER)

    def take_answer(self, ticket: Ticket, exchange: Exchange, layout: Layout | None = None) -> None:
        """An answer came, and may have been laid out: keep it, and let wait what it leads to."""
        if self._may_come_later(ticket, exchange):
            return
        content = self._read(ticket, exchange, layout)
        digest = None
        place = copy = None
        if content.is_kept:
            digest = exchange.digest
            copy = self.frontier.find_copy(digest) if exchange.status == 200 and exchange.body else None
            if exchange.status == 304:
                copy = self.frontier.find_last(ticket.id)
            notes = PageNotes(ticket.via, ticket.anchor, ticket.depth, content.links)
            place = self.writer.write_exchange(exchange, notes, _make_revisit(exchange, copy))
        fetch = Fetch(
            fetched=exchange.started.timestamp(),
            seconds=exchange.seconds,
            status=exchange.status,
            mime=exchange.content_type or None,
            bytes=len(exchange.body),
            is_page=content.is_page,
            digest=digest,
            copy_of=copy.id if copy else None,
            canonical=content.canonical,
            file=place.file if place else None,
            offset=place.offset if place else None,
            length=place.length if place else None,
            tries=ticket.tries + 1,
            error=content.error,
            snapshot=self._save_snapshot(ticket, layout) if layout and content.is_page else None,
        )
        etag, modified = exchange.get_header("etag") or None, exchange.get_header("last-modified") or None
        if exchange.status == 304:
            etag, modified = etag or ticket.etag, modified or ticket.modified
        if fetch.snapshot:  # a shell stays the same when what is shown in it changes
            etag = modified = None
        self.frontier.finish(ticket, fetch, content.found, etag=etag, modified=modified)

    def _save_snapshot(self, ticket: Ticket, layout: Layout) -> str | None:
        """Write the snapshot of a page, before the page is done; gives the name of its file."""
        if layout.snapshot is None or self.snapshots is None:
            return None
        self.snapshots.mkdir(exist_ok=True)
        name = name_snapshot(ticket.id, self.frontier.count_fetches(ticket.id), ticket.url)
        write_bytes(self.snapshots / name, layout.snapshot)
        return name

    def _may_come_later(self, ticket: Ticket, exchange: Exchange) -> bool:
        """Whether a host that is busy or broken is to be asked again, and when."""
        is_busy = exchange.status in BUSY
        is_cut = exchange.cut == "disconnect"
        if not (is_busy or is_cut or exchange.status in BROKEN) or ticket.tries + 1 >= MAX_TRIES:
            return False
        wait = _read_wait(exchange) if is_busy or exchange.get_header("retry-after") else None
        if wait is not None and wait > LONGEST_WAIT_SECONDS:
            return False
        if is_cut and ticket.tries:  # a server that lies about lengths does so each time
            return False
        ready = time() + (self.plan.retry * 2**ticket.tries if wait is None else wait)
        self.frontier.retry(ticket, ready, whole_host=is_busy)
        return True

    def _read(self, ticket: Ticket, exchange: Exchange, layout: Layout | None) -> _Content:
        """What an answer holds, by what was asked for."""
        if exchange.status in REDIRECTS:
            return self._read_redirect(ticket, exchange)
        if ticket.kind == "robots":
            return self._read_robots(ticket, exchange)
        if exchange.status == 304:
            return _Content(is_page=ticket.kind == "page")
        if not 200 <= exchange.status < 300:
            return _Content(error=f"answered with status {exchange.status}")
        if not is_read(ticket.kind, exchange.status, exchange.get_header("content-type")):
            return _Content(error=f"{exchange.content_type}, not a page", is_kept=False)
        try:
            body = exchange.decode_body(self.plan.max_bytes)
            if ticket.kind in ("sitemap", "feed"):
                read = read_sitemap if ticket.kind == "sitemap" else read_feed
                links = read(body, exchange.url)
                return _Content(links, self._follow(ticket, links))
            return self._read_page(ticket, exchange, body, layout)
        except TooBig as problem:
            return _Content(error=str(problem), is_kept=False)
        except BonmunError as problem:
            return _Content(error=str(problem))

    def _read_redirect(self, ticket: Ticket, exchange: Exchange) -> _Content:
        location = exchange.get_header("location")
        if not location.isascii():  # bytes of any encoding: the server wants them back unchanged
            location = quote(location, safe=string.punctuation, encoding="latin-1")
        target = normalise_url(location, exchange.url) if location else None
        if target == ticket.url and ticket.kind != "robots":
            # the same, but for what is left out of its spelling, such as a session that the server wants
            target = _keep_session(target, location, exchange.url)
            if target == ticket.url:
                return _Content(error="redirects to itself")
        most = MAX_ROBOTS_HOPS if ticket.kind == "robots" else MAX_HOPS
        if target is None or ticket.hops >= most:
            error = "redirects too often" if target else "redirects to where nothing can be fetched"
            if ticket.kind == "robots":
                self._set_robots(ticket, b"", 404)  # RFC 9309: then there is none
            return _Content(error=error)
        found = Found(target, ticket.kind, ticket.depth, ticket.hops + 1, ticket.via, ticket.anchor)
        if ticket.kind == "robots":
            # its own row for each host, though several may share the file
            return _Content(found=[found._replace(url=f"{target}#{ticket.host}.{found.hops}", via=ticket.host)])
        return _Content(found=[found])

    def _read_robots(self, ticket: Ticket, exchange: Exchange) -> _Content:
        body = b""
        if exchange.status < 300:
            try:
                body = exchange.decode_body(self.plan.max_bytes)
            except BonmunError:  # then it says nothing that can be understood
                body = b""
        robots = self._set_robots(ticket, body, exchange.status)
        sitemaps = robots.sitemaps if self.plan.sitemaps else []
        return _Content(found=[Found(each, "sitemap", via=exchange.url) for each in sitemaps])

    def _read_page(self, ticket: Ticket, exchange: Exchange, body: bytes, layout: Layout | None) -> _Content:
        if exchange.content_type not in PAGE_TYPES and exchange.content_type != "text/plain":
            links = read_feed(body, exchange.url) or read_sitemap(body, exchange.url)
            return _Content(links, self._follow(ticket, links) if self.plan.sitemaps else ())
        layout = layout or Layout(Page.parse(body, exchange.url, exchange.charset, max_bytes=self.plan.max_bytes))
        links = layout.find_links(exchange.url)
        if self.portal:
            return self._read_portal(ticket, layout, links)
        content = _Content(links, is_page=True, canonical=layout.find_canonical(exchange.url), error=layout.problem)
        if layout.is_followed:
            content.found = self._follow(ticket, links)
        if self.keywords and not self.keywords.matches("\n".join(layout.list_texts())):
            content.is_page = content.is_kept = False
            content.error = "none of the keywords"
        return content

    def _read_portal(self, ticket: Ticket, layout: Layout, links: Sequence[Link]) -> _Content:
        """Of a result page its next pages and its articles, wherever they are; of an article the article alone."""
        assert self.portal
        if ticket.kind != "result":
            return _Content(links, is_page=True, error=layout.problem)
        further, articles = self.portal.sort_links(layout.best, ticket.url)
        found = [Found(link.url, "result", ticket.depth + 1, 0, ticket.url, link.anchor) for link in further]
        found += [Found(link.url, "page", ticket.depth + 1, 0, ticket.url, link.anchor) for link in articles]
        return _Content(links, found, error=layout.problem)

    def _follow(self, ticket: Ticket, links: Sequence[Link]) -> list[Found]:
        """The links that are followed, as URLs that wait."""
        found = []
        for link in links:
            if not link.follow:
                self.frontier.count("left out: nofollow")
            elif link.kind in ("sitemap", "feed"):
                if self.plan.sitemaps and (ticket.kind != "sitemap" or ticket.hops < MAX_NESTED_SITEMAPS):
                    hops = ticket.hops + 1 if ticket.kind == "sitemap" else 0
                    found.append(Found(link.url, link.kind, ticket.depth, hops, ticket.url))
            elif link.kind == "redirect":
                if ticket.hops < MAX_HOPS:
                    found.append(Found(link.url, "page", ticket.depth, ticket.hops + 1, ticket.via, ticket.anchor))
            else:
                found.append(Found(link.url, "page", ticket.depth + 1, 0, ticket.url, link.anchor))
        return found

    def _set_robots(self, ticket: Ticket, body: bytes, status: int) -> Robots:
        self.frontier.set_robots(ticket.host, body[:ROBOTS_BYTES], status)
        return Robots.parse(body, status, ticket.url)


def _keep_session(target: str, location: str, url: str) -> str:
    """Where a redirect leads, with a session; its host in its one spelling, as that of any other URL."""
    try:
        parts = urlsplit(urljoin(url, location.strip()))
    except ValueError:  # nothing that could be taken apart
        return target
    path = quote(parts.path or "/", safe=string.punctuation) + (f"?{parts.query}" if parts.query else "")
    kept = "/".join(target.split("/", 3)[:3]) + path
    return kept if len(kept) <= MAX_URL_CHARS and normalise_url(kept) == target else target


def _make_revisit(exchange: Exchange, copy: Copy | None) -> Revisit | None:
    if copy is None:
        return None
    started = datetime.fromtimestamp(copy.fetched, UTC)
    if exchange.status == 304:
        return Revisit(copy.url, started, copy.digest, "server-not-modified")
    return Revisit(copy.url, started, copy.digest)


def _read_wait(exchange: Exchange) -> float | None:
    """How many seconds a busy host asks for, if it says so."""
    said = exchange.get_header("retry-after").strip()
    if said.isdecimal() and said.isascii():
        return float(said[:12])
    try:
        moment = parsedate_to_datetime(said)
    except (TypeError, ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, moment.timestamp() - time())
